"""Which robots have failed: the oracle's terminations in torch (`texedo.quality` has them
in numpy), and the bodies of the reference that they are measured against.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from texedo.quality import PAPER_RULES, TerminationRules
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.reference_library import ReferenceLibrary


class ReferenceBodies(NamedTuple):
    """Bodies of the reference frame each robot should be in."""

    body_pos: Tensor
    body_quat: Tensor
    body_lin_vel: Tensor
    body_ang_vel: Tensor


def reference_at(library: ReferenceLibrary, frames: Tensor) -> ReferenceBodies:
    return ReferenceBodies(
        library.body_pos[frames],
        library.body_quat[frames],
        library.body_lin_vel[frames],
        library.body_ang_vel[frames],
    )


def failures(
    state: SimState,
    reference: ReferenceBodies,
    *,
    rules: TerminationRules = PAPER_RULES,
) -> Tensor:
    """Which termination conditions hold, (N, 3), as `quality.termination_flags`."""
    anchor = rules.anchor
    root_z = state.body_pos[:, anchor, 2] - reference.body_pos[:, anchor, 2]
    tilt = _gravity_z(state.body_quat[:, anchor]) - _gravity_z(
        reference.body_quat[:, anchor]
    )
    return torch.stack(
        (
            ~(root_z.abs() <= rules.anchor_pos),
            ~(tilt.abs() <= rules.anchor_ori),
            limbs_off(state, reference, rules=rules).any(-1),
        ),
        dim=-1,
    )


def limbs_off(
    state: SimState,
    reference: ReferenceBodies,
    *,
    rules: TerminationRules = PAPER_RULES,
) -> Tensor:
    """Which end effectors are too high or too low, (N, 4)."""
    ends = indices(tuple(rules.end_effectors), state.qpos.device)
    anchor = rules.anchor
    root_z = state.body_pos[:, anchor, 2] - reference.body_pos[:, anchor, 2]
    end_z = state.body_pos[:, ends, 2] - reference.body_pos[:, ends, 2]
    return ~((end_z - root_z[:, None]).abs() <= rules.ee_body_pos)


def _gravity_z(quat: Tensor) -> Tensor:
    return 2.0 * (quat[:, 1].square() + quat[:, 2].square()) - 1.0


@cache
def indices(values: tuple[int, ...], device: torch.device) -> Tensor:
    """Uploaded once per device: an upload would wait for all queued work."""
    return torch.tensor(values, device=device)
