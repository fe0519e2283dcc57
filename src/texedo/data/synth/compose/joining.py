"""Motions one after the other, with bridges between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author.stage.balance import outside_support
from texedo.data.synth.compose.bridge import Bridge, bridge_many, least_step
from texedo.data.synth.compose.pieces import Cut, Piece
from texedo.data.synth.compose.stance import Stance, stance_at
from texedo.motion import FPS
from texedo.robot.collision import self_penetration
from texedo.robot.g1 import SPEED_LIMIT
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]

_MAX_OUTSIDE = 0.06
"""How far the pressure may leave the soles during a bridge [m]."""
_MAX_SEAM = 0.12
_MAX_SPEED_RATIO = 0.5
_MAX_OVERLAP = 0.008


def effort(first: Piece, second: Piece) -> float:
    """What it takes to get from one to the other; smaller is better."""
    assert first.leave is not None and second.enter is not None
    a, b = first.leave.stance, second.enter.stance
    step = least_step(a, b)
    apart = float(np.sqrt(np.mean((a.qpos[7:] - b.qpos[7:]) ** 2)))
    calm = float(np.linalg.norm(a.mass.velocity) + np.linalg.norm(b.mass.velocity))
    height = abs(float(a.qpos[2] - b.qpos[2]))
    return 2 * step.distance + 0.5 * abs(step.turn) + apart + calm + 3 * height


@dataclass
class _Chain:
    """A sequence that grows."""

    pieces: tuple[Piece, ...]
    parts: list[Float64]
    """Frames of motions and bridges so far."""
    leaving: Stance | None
    """How the last motion is left; None if the sequence has failed."""


def join_many(
    rows: Sequence[Sequence[Piece]], *, longest: int | None = None
) -> list[Float64 | None]:
    """The pieces of each row one after the other, (T, 36); None where a bridge asks too
    much of the robot, or where the whole has more frames than `longest`.

    Many at once are faster, but each comes out as it would alone.
    """
    chains = [_begun(tuple(row)) for row in rows]
    for k in range(1, max((len(row) for row in rows), default=0)):
        going = [c for c in chains if c.leaving is not None and len(c.pieces) > k]
        pairs = [(c.leaving, _entrance(c.pieces[k]).stance) for c in going]
        links = bridge_many([(a, b) for a, b in pairs if a is not None])
        for chain, link in zip(going, links, strict=True):
            _extend(chain, chain.pieces[k], link, last=k == len(chain.pieces) - 1)
    out: list[Float64 | None] = []
    for chain in chains:
        done = len(chain.parts) == 2 * len(chain.pieces) - 1
        frames = np.concatenate(chain.parts)
        fits = longest is None or len(frames) <= longest
        out.append(frames if done and fits else None)
    return out


def _entrance(piece: Piece) -> Cut:
    assert piece.enter is not None
    return piece.enter


def _exit(piece: Piece) -> Cut:
    assert piece.leave is not None
    return piece.leave


def _begun(pieces: tuple[Piece, ...]) -> _Chain:
    leave = _exit(pieces[0])
    first = pieces[0].frames[: leave.frame + 1].astype(np.float64)
    return _Chain(pieces, [first], leave.stance)


def _extend(chain: _Chain, piece: Piece, link: Bridge, *, last: bool) -> None:
    """Add a bridge and the next motion, or mark the sequence as failed."""
    chain.leaving = None
    start = _entrance(piece).frame
    stop = len(piece.frames) if last else _exit(piece).frame + 2
    part = link.placement.moved(piece.frames[start:stop])
    edge = np.concatenate((chain.parts[-1][-2:], link.frames, part[:2]))
    if link.seam > _MAX_SEAM or not _sound(edge):
        return
    if not last:
        chain.leaving = stance_at(part, len(part) - 2)
        part = part[:-1]
    chain.parts += [link.frames, part]


def _sound(frames: Float64) -> bool:
    """Whether the robot can be expected to do a bridge."""
    speed = np.abs(np.diff(frames[:, 7:], axis=0)) * FPS / SPEED_LIMIT
    if speed.max() > _MAX_SPEED_RATIO:
        return False
    poses = forward_kinematics(frames[:, :3], frames[:, 3:7], frames[:, 7:])
    if self_penetration(poses).depth.max() > _MAX_OVERLAP:
        return False
    outside = outside_support(poses)[3:-3]
    return bool(np.nanmax(outside) < _MAX_OUTSIDE) and not np.isnan(outside).any()
