"""Time of our forward kinematics against MuJoCo's for 32 candidates of 500 frames.

python benchmarks/kinematics.py
"""

from __future__ import annotations

import time

import mujoco
import numpy as np

from texedo.robot import g1
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mjcf import load_model

CANDIDATES, FRAMES, REPEATS = 32, 500, 7
BUDGET = 0.04


def main() -> None:
    rng = np.random.default_rng(0)
    shape = (CANDIDATES, FRAMES)
    joints = rng.uniform(g1.JOINT_LOWER, g1.JOINT_UPPER, size=(*shape, 29))
    pos = rng.normal(size=(*shape, 3))
    quat = rng.normal(size=(*shape, 4))

    ours = min(
        _seconds(lambda: forward_kinematics(pos, quat, joints)) for _ in range(REPEATS)
    )

    model = load_model(visuals=False)
    data = mujoco.MjData(model)
    qpos = np.concatenate((pos, quat, joints), axis=-1).reshape(-1, 36)

    def loop() -> None:
        for row in qpos:
            data.qpos[:] = row
            mujoco.mj_kinematics(model, data)

    theirs = _seconds(loop)
    print(f"{CANDIDATES} x {FRAMES} frames, all {len(g1.BODY_NAMES)} bodies, one core:")
    print(f"  texedo              {ours * 1e3:7.1f} ms")
    print(f"  mujoco in a loop    {theirs * 1e3:7.1f} ms   ratio {theirs / ours:.1f}")
    print(f"  budget              {BUDGET * 1e3:7.1f} ms   ratio {BUDGET / ours:.1f}")


def _seconds(call) -> float:  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
