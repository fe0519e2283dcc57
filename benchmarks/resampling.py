"""What resampling does to captured motions: the way back, and accelerations.

    python benchmarks/resampling.py CORPUS [CLIPS]

Captured clips of a corpus are taken at 30 frames per second, brought to 50 and back.
Accelerations are second differences, as shares of those of the 30 frames: over clips the
median, how many are within a tenth, and the 95th percentile. A second difference is over
some time: the frame time of each rate, or the same 1/30 s for both, at 150 instants a
second, which the frames of both rates are among.
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
from texedo.motion.splines import spline_at
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

RANGES = (JOINT_LOWER, JOINT_UPPER)
CLIPS = 400


def accelerations(joints: NDArray[Any], fps: float) -> NDArray[np.float64]:
    """Median, root mean square, 99th percentile and highest [rad/s^2]."""
    return _figures(np.abs(np.diff(joints, 2, axis=0)) * fps**2)


def _figures(size: NDArray[np.float64]) -> NDArray[np.float64]:
    rms = np.sqrt((size**2).mean())
    return np.array([np.median(size), rms, np.percentile(size, 99), size.max()])


def over_same_time(joints: NDArray[Any], fps: float) -> NDArray[np.float64]:
    """The same figures of the curve through frames at `fps`, over 1/30 s either side."""
    apart, most = fps / 30, len(joints) - 1
    at = np.arange(0, most * 150 / fps + 1e-6) * (fps / 150)
    at = at[(at >= apart - 1e-6) & (at <= most - apart + 1e-6)]
    before, here, after = (spline_at(joints, at + d) for d in (-apart, 0, apart))
    return _figures(np.abs(before - 2 * here + after) * 900)


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
    plain = spline_at(slow.joint_pos, at.astype(np.float64))
    own = accelerations(slow.joint_pos, 30)
    curves = {
        "the recording": motion.joint_pos.astype(float),
        "straight lines": np.stack(lines, axis=1),
        "quintic splines": plain,
        "resampled": fast.joint_pos,
    }
    shares = {f"{n}, 1/50 s": accelerations(x, 50) / own for n, x in curves.items()}
    for name, curve in curves.items():
        shares[f"{name}, 1/30 s"] = over_same_time(curve, 50) / own
    return np.array(errors), shares


def within(shares: NDArray[np.float64]) -> str:
    """How many are between 0.9 and 1.1."""
    return f"{100 * np.mean(np.abs(shares - 1) <= 0.1):.0f} %"


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
    print(
        "accelerations as shares of those at 30: median (within 10 %; 95th percentile)"
    )
    for name in rows[0][1]:
        table = np.array([row[1][name] for row in rows])
        cells = [
            f"{label} {np.median(x):.2f} ({within(x)}; {np.percentile(x, 95):.2f})"
            for label, x in zip(("median", "rms", "99 %", "peak"), table.T, strict=True)
        ]
        print(f"  {name:24s} {', '.join(cells)}")


if __name__ == "__main__":
    main()
