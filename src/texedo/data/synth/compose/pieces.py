"""Motions that can be joined: where they can be cut, without any words for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
class Piece:
    """A motion and the frames at which it can be joined to another."""

    frames: Float32
    """(T, 36)."""
    enter: Cut | None
    """First frame from which it can be entered; None if there is none."""
    leave: Cut | None
    """Last frame at which it can be left."""


def pieces_of(motions: Sequence[Float32], *, window: int = CUT_WINDOW) -> list[Piece]:
    """Motions (T, 36), which may lose so many frames at an end; shorter ones cannot be
    cut at all."""
    ends = iter(_ends([frames for frames in motions if len(frames) >= window], window))
    nowhere = (None, None)
    pieces: list[Piece] = []
    for frames in motions:
        enter, leave = next(ends) if len(frames) >= window else nowhere
        pieces.append(Piece(frames=frames, enter=enter, leave=leave))
    return pieces


def _ends(
    motions: Sequence[Float32], window: int
) -> Iterator[tuple[Cut | None, Cut | None]]:
    """Where each can be entered and left."""
    for start in range(0, len(motions), _BATCH):
        batch = motions[start : start + _BATCH]
        enters = _cuts(np.stack([frames[:window] for frames in batch]), first=True)
        leaves = _cuts(np.stack([frames[-window:] for frames in batch]), first=False)
        for frames, enter, leave in zip(batch, enters, leaves, strict=True):
            if leave is not None:
                leave = leave._replace(frame=leave.frame + len(frames) - window)
            yield enter, leave


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
