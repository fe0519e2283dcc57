"""Time of one core to post-process 32 candidates of five seconds; the limit is 300 ms.

python benchmarks/postprocess.py
"""

from __future__ import annotations

import time

import numpy as np

from texedo.data.corpus.sample import load_sample
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_INDEX
from texedo.text.postprocess import postprocess

CANDIDATES, FRAMES, LIMIT_MS, TRIES = 32, 250, 300.0, 9
SHOULDER = JOINT_INDEX["left_shoulder_roll_joint"]


def main() -> int:
    corpus = load_sample()
    # Cut and repeated, so there are jumps in it and no step is spared.
    motions = [
        Motion.from_qpos(np.resize(corpus.frames(i % len(corpus)), (FRAMES, 36)))
        for i in range(CANDIDATES)
    ]
    # An arm of every other one is in the body, as it is in decoded motions.
    for i in range(0, CANDIDATES, 2):
        qpos = motions[i].to_qpos()
        qpos[:125, 7 + SHOULDER] -= 0.15
        motions[i] = Motion.from_qpos(qpos)
    times = []
    for _ in range(TRIES):
        started = time.process_time()
        postprocess(motions)
        times.append(1000 * (time.process_time() - started))
    best = min(times)
    print(
        f"post-processing: {CANDIDATES} x {FRAMES} frames in {best:.1f} ms "
        f"(best of {TRIES}, median {sorted(times)[TRIES // 2]:.1f}); limit {LIMIT_MS:g} ms"
    )
    return int(best > LIMIT_MS)


if __name__ == "__main__":
    raise SystemExit(main())
