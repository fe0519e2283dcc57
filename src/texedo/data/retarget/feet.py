"""Feet of a source that are put right where the recording has them broken.

Captured ankles flip: a marker is lost or an angle runs through a singularity, and for a
while the foot points backwards or its sole faces the shin. A robot that tries to follow
ties its legs in a knot, so such frames take their orientation from their neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.data.capture.source import SourceMotion
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_make_continuous,
    quat_multiply,
    quat_rotate,
    quat_slerp,
    quat_to_matrix,
    quat_yaw,
)

Float64 = NDArray[np.float64]

_MAX_BEND = np.radians(85.0)
"""Largest angle between a foot's up and its shin: ankles bend by about 50 degrees."""
_MAX_TURN_OUT = np.radians(115.0)
"""Largest angle between the toes and where the hips face, in the plane."""
_MIN_SOUND = 0.2
"""With fewer sound frames than this share a foot follows the hips instead."""


def sound_foot(source: SourceMotion, side: str) -> tuple[Float64, Float64]:
    """Orientation (T, 3, 3) and toe position (T, 3) [m] of a foot, broken frames interpolated."""
    ankle = np.asarray(source.positions[f"{side}_foot"], dtype=np.float64)
    toe = source.positions.get(f"{side}_toe")
    foot = np.asarray(source.orientations[f"{side}_foot"], dtype=np.float64)
    hips = quat_from_yaw(quat_yaw(np.asarray(source.orientations["hips"], float)))
    sound = _is_sound(foot, hips, shin=source.positions[f"{side}_lower_leg"] - ankle)
    if sound.all():
        return quat_to_matrix(foot), ankle if toe is None else np.asarray(toe)
    mended = quat_multiply(
        hips, _fill(quat_multiply(quat_conjugate(hips), foot), sound)
    )
    if toe is None:
        return quat_to_matrix(mended), ankle
    # A toe hangs on its foot: where that was broken, so was the toe.
    reach = quat_rotate(quat_conjugate(foot), toe - ankle)
    reach = np.median(reach[sound], axis=0) if sound.any() else reach.mean(axis=0)
    mended_toe = np.where(sound[:, None], toe, ankle + quat_rotate(mended, reach))
    return quat_to_matrix(mended), np.asarray(mended_toe)


def _is_sound(foot: Float64, hips: Float64, *, shin: Float64) -> NDArray[np.bool_]:
    """Frames in which an ankle could stand like that, (T,)."""
    axes = quat_to_matrix(foot)
    length = np.maximum(np.linalg.norm(shin, axis=1), 1e-9)
    bend = (axes[:, :, 2] * shin).sum(axis=1) / length
    ahead = quat_rotate(hips, np.array([1.0, 0.0, 0.0]))
    flat = axes[:, :2, 0]
    out = (flat * ahead[:, :2]).sum(axis=1)
    # A foot that points straight down says nothing about its heading.
    backwards = out < np.cos(_MAX_TURN_OUT) * np.maximum(
        np.linalg.norm(flat, axis=1), 0.5
    )
    return np.asarray((bend > np.cos(_MAX_BEND)) & ~backwards)


def _fill(relative: Float64, sound: NDArray[np.bool_]) -> Float64:
    """Rotations with the frames that are not sound interpolated between those that are."""
    if sound.mean() < _MIN_SOUND:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(relative), 1))
    good = np.flatnonzero(sound)
    known = quat_make_continuous(relative[good])
    place = np.interp(np.arange(len(relative)), good, np.arange(len(good)))
    low = np.minimum(place.astype(int), max(len(good) - 2, 0))
    high = np.minimum(low + 1, len(good) - 1)
    return quat_slerp(known[low], known[high], np.clip(place - low, 0.0, 1.0))
