"""What a frame means for balance: bodies, feet, mass, momentum, in its heading frame.

    vertical velocity 1 and rates of the up vector 3 of the pelvis
    tracked bodies relative to the pelvis 39, and their velocities 39
    heights of ten points of the soles 10, how fast low feet slide 2
    centre of mass relative to the pelvis 3, its velocity 3 and acceleration 3
    angular momentum about it, per mass 3
    room to the edge of the support in eight directions, for the centre of mass, for
    where it is going and for the zero moment point 24
    how near joints are to their limits 5 and how fast they turn 5, by limb
    how long ago the motion began 1

They follow the paper's 94. All depend on a frame and the one before, but for the
acceleration of the mass, which is taken over 0.12 s: over two frames it would be the
rounding of the place. Differences of frame 0 are zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from texedo.learning.kinematics_torch import BodyTree
from texedo.motion import FPS
from texedo.robot.g1 import (
    BODY_INDEX,
    JOINT_LOWER,
    JOINT_UPPER,
    SPEED_LIMIT,
    TRACKED_BODY_INDICES,
)
from texedo.robot.mass import BODY_MASS, GRAVITY
from texedo.robot.tables import BODY_ROWS
from texedo.see.dynamics.features import (
    PAPER_SIZE,
    Frames,
    difference,
    paper_features,
    unturned,
)

EXTRA_SIZE = 4 + 39 + 39 + 12 + 9 + 3 + 24 + 10 + 1
FULL_SIZE = PAPER_SIZE + EXTRA_SIZE
WIDE = 3
"""Half the frames over which the mass is accelerated."""
_FEET = ("left_ankle_roll_link", "right_ankle_roll_link")
_SOLE = ((0.14, 0.0), (0.10, 0.036), (0.10, -0.036), (-0.05, 0.027), (-0.05, -0.027))
_SOLE_DEPTH = -0.035
"""Points under an ankle's origin [m]: the hull of the foot's contact shapes."""
_LIMB_SIZES = [6, 6, 3, 7, 7]
"""Joints of legs, waist and arms."""
_LOW = 0.02
"""A point up to this height carries [m]."""
_LIFT_COSTS = 10.0
"""Room that a point loses per metre that it is too high."""
_ROOM = 1.0
"""More room than this, or less, is all the same [m]."""
_LEAST_WEIGHT = 2.0
"""Of the mass in free fall, for the zero moment point to be somewhere [m/s^2]."""
_FRESH = 10.0
"""Frames after which the beginning counts little."""


@dataclass(frozen=True, eq=False)
class _Tables:
    tree: BodyTree
    offsets: Tensor
    """Centre of mass in each body, (30, 3)."""
    shares: Tensor
    """Of the mass, (30,)."""
    tracked: Tensor
    """Without the pelvis, (13,)."""
    feet: Tensor
    sole: Tensor
    """(5, 3)."""
    ways: Tensor
    """Eight directions, (2, 8)."""
    centre: Tensor
    half: Tensor
    speed: Tensor


@cache
def _tables(device: str) -> _Tables:
    def tensor(values: object) -> Tensor:
        return torch.tensor(np.array(values), dtype=torch.float32, device=device)

    angles = torch.arange(8, device=device) * (math.pi / 4)
    sole = [(x, y, _SOLE_DEPTH) for x, y in _SOLE]
    return _Tables(
        tree=BodyTree(device),
        offsets=tensor([row.com for row in BODY_ROWS]),
        shares=tensor(BODY_MASS / BODY_MASS.sum()),
        tracked=torch.as_tensor(TRACKED_BODY_INDICES[1:], device=device),
        feet=torch.as_tensor([BODY_INDEX[name] for name in _FEET], device=device),
        sole=tensor(sole),
        ways=torch.stack((angles.cos(), angles.sin())),
        centre=tensor((JOINT_UPPER + JOINT_LOWER) / 2),
        half=tensor((JOINT_UPPER - JOINT_LOWER) / 2),
        speed=tensor(SPEED_LIMIT),
    )


def full_features(qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
    """The paper's numbers and those above, (B, T, 235).

    For poses (B, T, 36) of `lengths` (B,) frames; `fresh` (B,) says whose frame 0 is the
    beginning of a motion and not amid one.
    """
    frames, tables = Frames(qpos), _tables(str(qpos.device))
    turns, places = tables.tree.bodies(frames.root, frames.joints)
    mass = places + _turned(turns, tables.offsets)
    centre = torch.einsum("btni,n->bti", mass, tables.shares)
    speeds = _velocities(frames, torch.cat((places, mass), dim=-2))
    body_speeds, mass_speeds = speeds.chunk(2, dim=-2)
    speed = torch.einsum("btni,n->bti", mass_speeds, tables.shares)
    spin = torch.linalg.cross(
        mass - centre[..., None, :], mass_speeds - speed[..., None, :]
    )
    push = _acceleration(frames, centre, lengths)
    soles, heights = _soles(frames, turns, places, tables)
    chosen = (
        FPS * difference(frames.height),
        FPS * difference(frames.up),
        places.index_select(-2, tables.tracked).flatten(-2),
        body_speeds.index_select(-2, tables.tracked).flatten(-2),
        heights,
        _sliding(body_speeds.index_select(-2, tables.feet), heights),
        centre,
        speed,
        push,
        torch.einsum("btni,n->bti", spin, tables.shares),
        _room(frames, centre, speed, push, soles, heights, tables),
        _strain(frames, tables),
        _freshness(qpos, fresh),
    )
    return torch.cat((paper_features(frames), *chosen), dim=-1)


def _turned(turns: Tensor, vectors: Tensor) -> Tensor:
    """Matrices (..., 3, 3) times vectors (..., 3)."""
    return (turns * vectors[..., None, :]).sum(-1)


def _velocities(frames: Frames, points: Tensor) -> Tensor:
    """Of points (B, T, N, 3) that move with the pelvis's heading frame [m/s].

    The exact difference to the frame before, seen from this frame's heading.
    """
    turn = frames.turn[..., None, :]
    before = torch.cat((points[:, :1], points[:, :-1]), dim=1)
    seen = torch.cat((unturned(before[..., :2], turn), before[..., 2:]), dim=-1)
    root = torch.cat((frames.planar(), FPS * difference(frames.height)), dim=-1)
    return FPS * (points - seen) + root[..., None, :]


def _acceleration(frames: Frames, centre: Tensor, lengths: Tensor) -> Tensor:
    """Of the centre of mass over 2 x 0.06 s, in the heading frame, (B, T, 3) [m/s^2].

    Near an end it is that of the nearest frame that has one, zero in short motions.
    """
    count = centre.shape[1]
    cosine, sine = frames.facing.unbind(-1)
    x, y, z = centre.unbind(-1)
    world = torch.stack(
        (
            frames.place[..., 0] + cosine * x - sine * y,
            frames.place[..., 1] + sine * x + cosine * y,
            frames.height[..., 0] + z,
        ),
        dim=-1,
    )
    at = torch.arange(count, device=centre.device)[None]
    last = (lengths[:, None] - 1 - WIDE).clamp(min=WIDE)
    middle = at.clamp(min=WIDE).minimum(last).clamp(max=max(count - 1 - WIDE, 0))

    def take(shift: int) -> Tensor:
        where = (middle + shift).clamp(0, count - 1)
        return world.gather(1, where[..., None].expand(-1, -1, 3))

    bend = (take(WIDE) - 2 * take(0) + take(-WIDE)) * (FPS / WIDE) ** 2
    bend = torch.where((lengths > 2 * WIDE)[:, None, None], bend, 0.0)
    return torch.cat((unturned(bend[..., :2], frames.facing), bend[..., 2:]), dim=-1)


def _soles(
    frames: Frames, turns: Tensor, places: Tensor, tables: _Tables
) -> tuple[Tensor, Tensor]:
    """Ten points under the feet: on the floor (B, T, 10, 2), and heights (B, T, 10)."""
    foot = turns.index_select(-3, tables.feet)[..., None, :, :]
    points = places.index_select(-2, tables.feet)[..., None, :]
    points = (points + _turned(foot, tables.sole)).flatten(-3, -2)
    return points[..., :2], points[..., 2] + frames.height


def _sliding(speeds: Tensor, heights: Tensor) -> Tensor:
    """Planar speed of each foot as far as it is down, (B, T, 2) [m/s]."""
    lowest = heights.view(*heights.shape[:-1], 2, -1).amin(-1)
    fast = (speeds[..., :2].square().sum(-1) + 1e-8).sqrt()
    return fast * (1.0 - lowest / 0.05).clamp(0.0, 1.0)


def _room(
    frames: Frames,
    centre: Tensor,
    speed: Tensor,
    push: Tensor,
    soles: Tensor,
    heights: Tensor,
    tables: _Tables,
) -> Tensor:
    """How far three points are inside the support, in eight directions each [m]."""
    high = (centre[..., 2:] + frames.height).clamp(min=0.05)
    going = centre[..., :2] + speed[..., :2] * (high / GRAVITY).sqrt()
    weight = (push[..., 2:] + GRAVITY).clamp(min=_LEAST_WEIGHT)
    moment = centre[..., :2] - (high * push[..., :2] / weight).clamp(-_ROOM, _ROOM)
    lift = _LIFT_COSTS * (heights - _LOW).clamp(min=0.0)
    edge = (soles @ tables.ways - lift[..., None]).amax(-2)
    rooms = [edge - point @ tables.ways for point in (centre[..., :2], going, moment)]
    return torch.cat(rooms, dim=-1).clamp(-_ROOM, _ROOM)


def _strain(frames: Frames, tables: _Tables) -> Tensor:
    """By limb: the joint nearest to or most beyond its limits, and the fastest one."""
    beyond = ((frames.joints - tables.centre).abs() / tables.half - 0.8).clamp(min=0.0)
    fast = FPS * difference(frames.joints).abs() / tables.speed
    parts = torch.split(torch.stack((beyond, fast), dim=-2), _LIMB_SIZES, dim=-1)
    return torch.stack([part.amax(-1) for part in parts], dim=-1).flatten(-2)


def _freshness(qpos: Tensor, fresh: Tensor) -> Tensor:
    at = torch.arange(qpos.shape[1], device=qpos.device, dtype=torch.float32)
    return ((-at / _FRESH).exp() * fresh[:, None].float())[..., None]
