"""Motions that can be joined: where they can be cut, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.store import Clip
from texedo.data.synth.compose.stance import Stance, stances
from texedo.motion import FPS
from texedo.robot.collision import sole_centres, sole_points
from texedo.robot.kinematics import forward_kinematics

Float32 = NDArray[np.float32]

CUT_WINDOW = 26
"""A motion may lose this many frames at an end to be cut well: half a second."""
_FLAT = 0.025
"""No point of a sole is higher where the foot rests [m]."""
_SUNK = -0.02
_MAX_SOLE_SPEED = 0.2
_MAX_ROOT_SPEED = 0.4
_MAX_JOINT_SPEED = 4.0
_MIN_UPRIGHT = float(np.cos(np.radians(35.0)))
_BATCH = 256
"""Motions looked at together."""


class Cut(NamedTuple):
    """A frame at which a motion can be joined to another."""

    frame: int
    stance: Stance


@dataclass(frozen=True, kw_only=True, eq=False)
class Unit:
    """A motion with its words and the frames at which it can be joined to another."""

    clip: Clip
    frames: Float32
    """(T, 36)."""
    phrases: tuple[str, ...]
    """Verb phrases that are true of it."""
    written: int = 0
    """How many of them, the first ones, are in words that somebody chose for it."""
    enter: Cut | None
    """First frame from which it can be entered; None if there is none."""
    leave: Cut | None
    """Last frame at which it can be left."""


def make_units(
    clips: Sequence[tuple[Clip, Float32, tuple[str, ...]]],
    written: Mapping[str, int] | None = None,
) -> list[Unit]:
    """Units of clips, their frames and their phrases, in the same order.

    `written` says by id how many phrases are in words that somebody chose.
    """
    counts = written or {}
    units: list[Unit] = []
    for start in range(0, len(clips), _BATCH):
        batch = clips[start : start + _BATCH]
        heads = np.stack([frames[:CUT_WINDOW] for _, frames, _ in batch])
        tails = np.stack([frames[-CUT_WINDOW:] for _, frames, _ in batch])
        ends = _cuts(heads, first=True), _cuts(tails, first=False)
        for (clip, frames, phrases), enter, leave in zip(batch, *ends, strict=True):
            if leave is not None:
                shift = len(frames) - CUT_WINDOW
                leave = leave._replace(frame=leave.frame + shift)
            units.append(
                Unit(
                    clip=clip,
                    frames=frames,
                    phrases=phrases,
                    written=counts.get(clip.id, 0),
                    enter=enter,
                    leave=leave,
                )
            )
    return units


def _cuts(windows: NDArray[Any], *, first: bool) -> list[Cut | None]:
    """The first or last restful frame of each of (N, W, 36)."""
    restful = _restful(windows)
    out: list[Cut | None] = [None] * len(windows)
    rows = np.flatnonzero(restful.any(axis=1))
    found = restful[rows]
    at = found.argmax(axis=1)
    if not first:
        at = found.shape[1] - 1 - found[:, ::-1].argmax(axis=1)
    near = windows[rows[:, None], at[:, None] + np.arange(-1, 2)]
    for row, frame, stance in zip(rows, at, stances(near), strict=True):
        out[row] = Cut(int(frame), stance)
    return out


def _restful(frames: NDArray[Any]) -> NDArray[np.bool_]:
    """Where both soles rest and nothing is fast, of (N, W, 36), (N, W)."""
    qpos = frames.astype(np.float64)
    poses = forward_kinematics(qpos[..., :3], qpos[..., 3:7], qpos[..., 7:])
    heights = sole_points(poses)[..., 2]  # (N, W, 2, 14)
    flat = (heights.max(axis=-1) < _FLAT) & (heights.min(axis=-1) > _SUNK)
    soles = _speed(sole_centres(poses)[..., :2]) < _MAX_SOLE_SPEED
    root = _speed(qpos[..., None, :2])[..., 0] < _MAX_ROOT_SPEED
    joints = np.abs(_rate(qpos[..., 7:])).max(axis=-1) < _MAX_JOINT_SPEED
    upright = 1 - 2 * (qpos[..., 4] ** 2 + qpos[..., 5] ** 2) > _MIN_UPRIGHT
    out = flat.all(axis=-1) & soles.all(axis=-1) & root & joints & upright
    out[:, [0, -1]] = False  # a cut needs a neighbour on each side
    return np.asarray(out)


def _rate(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Central differences along the second axis; the ends copy their neighbours."""
    out = np.empty_like(x)
    out[:, 1:-1] = (x[:, 2:] - x[:, :-2]) * FPS / 2
    out[:, 0], out[:, -1] = out[:, 1], out[:, -2]
    return out


def _speed(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(_rate(points), axis=-1))


def by_split(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Units of each split, sorted by id."""
    out: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.clip.id):
        out.setdefault(unit.clip.split, []).append(unit)
    return dict(sorted(out.items()))
