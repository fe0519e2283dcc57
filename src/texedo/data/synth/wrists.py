"""Clips whose wrists move, for training.

The retargeter holds the wrists still, since a BVH hand says little about them, while
motions of other makers turn them freely. A tracker that never saw a wrist move takes
such a motion for something unheard of, so a share of the clips it learns from get wrists
that rest anywhere and wander slowly. Nothing else of a clip changes.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.packed_clips import PackedClips
from texedo.motion import FPS
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_UPPER, WRIST_JOINTS

WRISTS = tuple(JOINT_INDEX[name] for name in WRIST_JOINTS)
_REST = 0.4
"""Spread of the angle that a wrist rests at [rad]."""
_SWING = 0.7
"""Largest amplitude of each of the two waves about it [rad]."""
_FREQUENCY = (0.1, 1.2)
"""Of the waves [Hz]: hands are seldom shaken faster."""
_RANGE = 0.9
"""Share of a joint's range that is used."""


def move_wrists(clips: PackedClips, *, share: float, seed: int = 0) -> PackedClips:
    """The same clips, a `share` of them with moving wrists.

    What a clip gets depends on the seed and its id alone.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must be between 0 and 1, got {share}.")
    qpos = clips.qpos.copy()
    for start, length, name in zip(clips.starts, clips.lengths, clips.ids, strict=True):
        stream = _stream(seed, name)
        if stream.random() < share:
            columns = [7 + joint for joint in WRISTS]
            qpos[start : start + length, columns] = _angles(int(length), stream)
    return replace(clips, qpos=qpos)


def _angles(frames: int, stream: np.random.Generator) -> NDArray[np.float32]:
    """Angles of all wrist joints, (T, 6) [rad]."""
    count = len(WRISTS)
    time = np.arange(frames)[:, None] / FPS
    angle = np.tile(stream.normal(0.0, _REST, count), (frames, 1))
    for _ in range(2):
        # Squared: most wrists move little, some a lot.
        amplitude = _SWING * stream.random(count) ** 2
        frequency = stream.uniform(*_FREQUENCY, count)
        phase = stream.uniform(0.0, 2 * np.pi, count)
        angle += amplitude * np.sin(2 * np.pi * frequency * time + phase)
    joints = list(WRISTS)
    low, high = _RANGE * JOINT_LOWER[joints], _RANGE * JOINT_UPPER[joints]
    return np.clip(angle, low, high).astype(np.float32)


def _stream(seed: int, name: str) -> np.random.Generator:
    key = hashlib.sha256(f"wrists/{seed}/{name}".encode()).digest()
    return np.random.default_rng(int.from_bytes(key[:8], "little"))
