"""Small motions for the tests of training: smooth, and different in every joint."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.packed_clips import PackedClips
from texedo.robot.g1 import KNEES_BENT


def wavy_qpos(frames: int, *, seed: int = 0) -> NDArray[np.float64]:
    """A robot that walks a curve while every joint swings, (T, 36)."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames)[:, None] / 50.0
    qpos = np.zeros((frames, 36))
    qpos[:, :3] = (0.0, 0.0, 0.78) + t * (0.6, 0.2, 0.0)
    yaw, tilt = 0.5 * np.sin(t[:, 0]), 0.05 * np.sin(3 * t[:, 0])
    qpos[:, 3], qpos[:, 4] = np.cos(yaw / 2), tilt
    qpos[:, 6] = np.sin(yaw / 2)
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    swing = 0.1 * np.sin(2 * np.pi * t * rng.uniform(0.2, 1.0, 29))
    qpos[:, 7:] = KNEES_BENT + swing
    return qpos


def standing_qpos(frames: int) -> NDArray[np.float64]:
    """Knees bent, nothing moves, soles on the floor."""
    qpos = np.zeros((frames, 36))
    qpos[:, 2], qpos[:, 3] = 0.7565, 1.0
    qpos[:, 7:] = KNEES_BENT
    return qpos


def packed(*qpos: NDArray[np.float64], splits: tuple[str, ...] = ()) -> PackedClips:
    count = len(qpos)
    return PackedClips(
        qpos=np.concatenate(qpos).astype(np.float32),
        lengths=np.array([len(q) for q in qpos]),
        ids=tuple(f"clip{i}" for i in range(count)),
        families=tuple(("walk", "wave")[i % 2] for i in range(count)),
        splits=splits or ("train",) * count,
        kinds=("captured",) * count,
    )


def unversioned_file(path: Path, clips: PackedClips) -> Path:
    """The clips as plain arrays, as files were before they had a version."""
    np.savez(
        path,
        qpos=clips.qpos,
        starts=clips.starts,
        lengths=clips.lengths,
        ids=np.array(clips.ids),
        families=np.array(clips.families),
        splits=np.array(clips.splits),
    )
    return path
