"""What resampling does to captured motions: the way back, and accelerations.

    python benchmarks/resampling.py CORPUS [CLIPS]

Captured clips of a corpus are taken at 30 frames per second, brought to 50 and back.
Accelerations are second differences at each rate, as shares of those of the 30 frames.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.store import Corpus
from texedo.motion import Motion
from texedo.motion.resample import Frames, resample_frames
from texedo.motion.rotations import quat_angle
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

RANGES = (JOINT_LOWER, JOINT_UPPER)
CLIPS = 400


def accelerations(joints: NDArray[Any], fps: float) -> NDArray[np.float64]:
    """Median, root mean square, 99th percentile and highest [rad/s^2]."""
    size = np.abs(np.diff(joints, 2, axis=0)) * fps**2
    rms = np.sqrt((size**2).mean())
    return np.array([np.median(size), rms, np.percentile(size, 99), size.max()])


def measure(motion: Motion) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """Errors of the way back [rad, m, rad]; shares of the 30 fps accelerations."""
    recorded = Frames(motion.root_pos_w, motion.root_quat_w, motion.joint_pos)
    slow = resample_frames(recorded, fps=50, to_fps=30, ranges=RANGES)
    fast = resample_frames(slow, fps=30, to_fps=50, ranges=RANGES)
    back = resample_frames(fast, fps=50, to_fps=30, ranges=RANGES)
    count = len(back.joint_pos)
    errors = [
        np.abs(back.joint_pos - slow.joint_pos[:count]).max(),
        np.abs(back.root_pos_w - slow.root_pos_w[:count]).max(),
        quat_angle(back.root_quat_w, slow.root_quat_w[:count]).max(),
    ]
    at = np.arange(len(fast.joint_pos)) * 0.6
    lines = [np.interp(at, np.arange(len(slow[2])), x) for x in slow.joint_pos.T]
    own = accelerations(slow.joint_pos, 30)
    shares = {
        "the recording at 50": accelerations(motion.joint_pos.astype(float), 50) / own,
        "straight lines": accelerations(np.stack(lines, axis=1), 50) / own,
        "quintic splines": accelerations(fast.joint_pos, 50) / own,
    }
    return np.array(errors), shares


def main() -> None:
    corpus = Corpus.load(Path(sys.argv[1]))
    clips = int(sys.argv[2]) if len(sys.argv) > 2 else CLIPS
    rng = np.random.default_rng(0)
    captured = np.array(corpus.select(kind="captured"))
    chosen = rng.choice(captured, min(clips, len(captured)), replace=False)
    motions = (corpus.motion(int(i)) for i in chosen)
    rows = [measure(motion) for motion in motions if len(motion) > 50]
    errors = np.array([row[0] for row in rows])
    print(f"{len(rows)} captured clips, 30 -> 50 -> 30 frames per second")
    for name, column in zip(
        ("joints [rad]", "root [m]", "root [rad]"), errors.T, strict=True
    ):
        middle, high = np.median(column), np.percentile(column, 95)
        print(
            f"  {name:13s} largest error of a clip: median {middle:.1e}, 95 % {high:.1e}, "
            f"worst {column.max():.1e}; {(column < 1e-3).mean():.1%} below 1e-3"
        )
    print("accelerations at 50 as shares of those at 30: median over clips (95 %)")
    for name in rows[0][1]:
        table = np.array([row[1][name] for row in rows])
        cells = [
            f"{label} {np.median(x):.2f} ({np.percentile(x, 95):.2f})"
            for label, x in zip(("median", "rms", "99 %", "peak"), table.T, strict=True)
        ]
        print(f"  {name:20s} {', '.join(cells)}")


if __name__ == "__main__":
    main()
