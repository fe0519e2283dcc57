"""Mirrored clips: left and right swapped in the motion and in every word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from texedo.data.captions import swap_sides
from texedo.data.corpus import Clip
from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

Float32 = NDArray[np.float32]

MIRRORED = "mirrored"
_SIGN = np.array([1, -1, 1, 1, -1, 1, -1], dtype=np.float32)
"""Of xyz and wxyz in the mirror y = 0."""


def mirror_frames(frames: Float32) -> Float32:
    """Frames (T, 36) in the mirror; twice gives them back, to the last bit."""
    joints = frames[:, 7:][:, MIRROR_JOINT_INDEX]
    joints = joints * MIRROR_JOINT_SIGN.astype(np.float32)
    return np.concatenate((frames[:, :7] * _SIGN, joints), axis=1)


def mirror_clip(clip: Clip) -> Clip:
    """The record of the mirrored clip; it stays in the split and group of its source."""
    return replace(
        clip,
        id=f"{clip.id}-m",
        kind=MIRRORED,
        parents=(clip.id,),
        style=tuple(swap_sides(style) for style in clip.style),
        description=swap_sides(clip.description),
        captions=tuple(swap_sides(caption) for caption in clip.captions),
    )
