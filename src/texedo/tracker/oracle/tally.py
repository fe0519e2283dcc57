"""What `texedo.quality` and `measure` say about roll-outs, summed up frame by frame.

For N robots on a device, each at its own frame of its own clip. All tensors are written
in place and nothing is read back, so that counting a frame can be part of a CUDA graph.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from texedo.learning.rotations_torch import length, quat_rotate
from texedo.motion.motion import FPS
from texedo.robot.collision import FEET, SOLE_CENTRE
from texedo.robot.g1 import EFFORT_LIMIT, TRACKED_BODIES
from texedo.robot.tables import COLLISION_ROWS
from texedo.tracker.oracle.measure import CONTACT_HEIGHT, SATURATED
from texedo.tracker.sim.failures import ReferenceBodies, failures, limbs_off
from texedo.tracker.sim.observation import SimState

_MM = 1000.0
_BODIES, _JOINTS = len(TRACKED_BODIES), len(EFFORT_LIMIT)


class Tally:
    """Running sums of N roll-outs."""

    def __init__(self, worlds: int, device: torch.device) -> None:
        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(worlds, *shape, dtype=dtype, device=device)

        self.frame = zeros(dtype=torch.int64)
        """The frame of its clip that each robot is at."""
        self.length = zeros(dtype=torch.int64)
        """Frames of its clip; 0 for a robot without one."""
        self.alive = zeros(dtype=torch.bool)
        self.executed = zeros(dtype=torch.int64)
        self.reasons = zeros(3, dtype=torch.bool)
        self.limbs = zeros(4, dtype=torch.bool)
        self.sums = zeros(_SUMS)
        """Columns: E_mpjpe-l, E_vel, E_acc [m], saturated motors, slip [m], steps held."""
        self.drift = zeros()
        self._gap, self._gap_before = zeros(_BODIES, 3), zeros(_BODIES, 3)
        self._sole, self._touching = zeros(2, 2), zeros(2, dtype=torch.bool)

    def begin(self, where: Tensor, lengths: Tensor) -> None:
        """New clips of `lengths` (N,) for the robots `where` (N,) is true."""
        self.length.copy_(torch.where(where, lengths, self.length))
        self.alive |= where
        flags = (self.reasons, self.limbs)
        for total in (self.frame, self.executed, *flags, self.sums, self.drift):
            total.masked_fill_(where.view(-1, *(1,) * (total.ndim - 1)), 0)

    def going(self) -> Tensor:
        """Robots that are still performing, (N,)."""
        return self.alive & (self.frame < self.length)

    def count(
        self,
        state: SimState,
        reference: ReferenceBodies,
        *,
        broken: Tensor,
        torque: Tensor,
    ) -> None:
        """Judge the frame that each robot has reached, and move on to the next.

        `broken` (N,) are simulations that blew up; `torque` (N, 29) led here [N m].
        """
        going, moved = self.going(), self.frame >= 1
        flags = failures(state, reference)
        flags[:, 0] |= broken
        fails = going & moved & flags.any(-1)
        counted = going & ~fails
        self.reasons |= flags & fails[:, None]
        self.limbs |= limbs_off(state, reference) & fails[:, None]
        self.alive &= ~fails
        self.executed += counted
        # The step into a failure counts only where there was no other.
        driven = going & moved & (counted | (self.frame == 1))
        saturated = _saturated(torque)
        self._add(counted, state.body_pos - reference.body_pos, _Soles.of(state))
        self.sums[:, 3] += torch.where(driven, saturated, 0.0)
        self.frame += 1

    def _add(self, counted: Tensor, gap: Tensor, soles: _Soles) -> None:
        before, earlier = self._gap, self._gap_before
        first, second = self.frame >= 1, self.frame >= 2
        held = (soles.touching & self._touching & first[:, None]).float()  # (N, 2)
        slip = length(soles.centre - self._sole)[..., 0]
        new = (
            _mean_length(gap - gap[:, :1]),
            torch.where(first, _mean_length(gap - before), 0.0),
            torch.where(second, _mean_length(gap - 2.0 * before + earlier), 0.0),
            torch.zeros_like(self.drift),
            (slip * held).sum(-1),
            held.sum(-1),
        )
        self.sums += torch.where(counted[:, None], torch.stack(new, dim=-1), 0.0)
        planar = torch.where(counted, length(gap[:, 0, :2])[:, 0], 0.0)
        self.drift.copy_(torch.maximum(self.drift, planar))
        earlier.copy_(before)
        before.copy_(gap)
        self._sole.copy_(soles.centre)
        self._touching.copy_(soles.touching)

    def results(self) -> dict[str, Tensor]:
        """The verdicts so far, fields of `batch.Outcomes`, (N, ...)."""
        count = self.executed.float()
        mpjpe, vel, acc, saturated, slip, held = self.sums.unbind(-1)
        steps = (count - 1).clamp(min=1)
        return {
            "success": self.alive.clone(),
            "progress": torch.where(self.alive, 1.0, count / self.length),
            "executed": self.executed.clone(),
            "reasons": self.reasons.clone(),
            "limbs": self.limbs.clone(),
            "e_mpjpe": _MM * mpjpe / count,
            "e_vel": _ratio(_MM * vel, count - 1),
            "e_acc": _ratio(_MM * acc, count - 2),
            "drift": self.drift.clone(),
            "saturation": saturated / (steps * _JOINTS),
            "foot_slip": _ratio(FPS * slip, held),
        }


_SUMS = 6


class _Soles(NamedTuple):
    centre: Tensor
    """In the plane, (N, 2, 2) [m]."""
    touching: Tensor
    """(N, 2)."""

    @classmethod
    def of(cls, state: SimState) -> _Soles:
        robot = _robot(state.qpos.device)
        pos, quat = state.body_pos[:, robot.feet], state.body_quat[:, robot.feet]
        arm = quat_rotate(quat, robot.sole_centre)
        ends = quat_rotate(quat[:, :, None], robot.sole_ends)[..., 2]  # (N, 2, 14)
        lowest = pos[..., 2] + (ends - robot.sole_radius).amin(-1)
        return cls(pos[..., :2] + arm[..., :2], lowest < CONTACT_HEIGHT)


def _saturated(torque: Tensor) -> Tensor:
    """Motors at their limit, (N,)."""
    share = torque.abs() / _robot(torque.device).effort
    return (share >= SATURATED).float().sum(-1)


def _ratio(total: Tensor, count: Tensor) -> Tensor:
    nan = torch.full_like(total, torch.nan)
    return torch.where(count > 0, total / count.clamp(min=1), nan)


def _mean_length(x: Tensor) -> Tensor:
    """Length of vectors (N, B, 3), averaged over the bodies, (N,)."""
    return length(x)[..., 0].mean(-1)


class _Robot(NamedTuple):
    feet: Tensor
    sole_centre: Tensor
    sole_ends: Tensor
    """Ends of the sole capsules in the frame of each foot, (2, 14, 3)."""
    sole_radius: Tensor
    """(2, 14)."""
    effort: Tensor


@cache
def _robot(device: torch.device) -> _Robot:
    def put(values: Any) -> Tensor:
        return torch.tensor(values, dtype=torch.float32, device=device)

    shapes = [[row for row in COLLISION_ROWS if row.body == foot] for foot in FEET]
    return _Robot(
        feet=torch.tensor([TRACKED_BODIES.index(f) for f in FEET], device=device),
        sole_centre=put(SOLE_CENTRE),
        sole_ends=put([[e for r in rows for e in (r.start, r.end)] for rows in shapes]),
        sole_radius=put([[r.radius for r in rows for _ in (0, 1)] for rows in shapes]),
        effort=put(EFFORT_LIMIT),
    )
