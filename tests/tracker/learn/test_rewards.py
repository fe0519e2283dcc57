"""Rewards and terminations of robots in known places."""

import numpy as np
import pytest
import torch

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from texedo.quality import termination_flags
from texedo.robot.g1 import EFFORT_LIMIT, JOINT_UPPER
from texedo.tracker.learn.rewards import (
    RewardWeights,
    foot_slip,
    penalties,
    tracking_rewards,
)
from texedo.tracker.sim.failures import failures, reference_at
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.reference_library import ReferenceLibrary

WEIGHTS = RewardWeights()


def library_of(*qpos: np.ndarray) -> ReferenceLibrary:
    clips = packed(*qpos)
    return ReferenceLibrary.build(clips.qpos, clips.starts, clips.lengths)


def on_reference(library: ReferenceLibrary, frames: torch.Tensor) -> SimState:
    return SimState(
        library.qpos[frames],
        library.qvel[frames],
        library.body_pos[frames],
        library.body_quat[frames],
        library.body_lin_vel[frames],
        library.body_ang_vel[frames],
    )


def test_a_robot_on_the_reference_gets_all_tracking_rewards() -> None:
    library = library_of(wavy_qpos(20))
    frames = torch.tensor([3, 7])
    reward = tracking_rewards(
        on_reference(library, frames), reference_at(library, frames), WEIGHTS
    )
    full = 0.5 + 0.5 + 1.0 + 0.75 + 1.0 + 1.0 + 1.0
    np.testing.assert_allclose(reward.numpy(), full, atol=1e-4)


def test_drifting_in_the_plane_costs_only_the_root_term() -> None:
    library = library_of(standing_qpos(5))
    frames = torch.tensor([2])
    state = on_reference(library, frames)
    shifted = state._replace(body_pos=state.body_pos + torch.tensor([0.3, 0.0, 0.0]))
    reference = reference_at(library, frames)
    lost = tracking_rewards(state, reference, WEIGHTS) - tracking_rewards(
        shifted, reference, WEIGHTS
    )
    assert float(lost) == pytest.approx(0.5 * (1 - np.exp(-1.0)), abs=1e-4)


def test_a_still_robot_that_repeats_its_action_pays_nothing() -> None:
    library = library_of(standing_qpos(5))
    state = on_reference(library, torch.tensor([2]))
    action = torch.ones(1, 29)
    cost = penalties(state, action, action, torque=torch.zeros(1, 29), weights=WEIGHTS)
    assert float(cost) == 0.0


def test_penalties_by_hand() -> None:
    library = library_of(standing_qpos(5))
    state = on_reference(library, torch.tensor([2]))
    state.qpos[0, 7 + 3] = float(JOINT_UPPER[3])  # left knee at its stop
    action = torch.zeros(1, 29)
    action[0, 0] = 2.0
    torque = torch.as_tensor(EFFORT_LIMIT.copy(), dtype=torch.float32)[None]
    cost = penalties(state, action, torch.zeros(1, 29), torque=torque, weights=WEIGHTS)
    knee = 0.01 * (2.8798 + 0.087267)
    assert float(cost) == pytest.approx(-0.1 * 4 - 4.0 * knee - 0.05, abs=1e-4)


def test_only_standing_soles_slip() -> None:
    library = library_of(standing_qpos(5))
    state = on_reference(library, torch.tensor([2, 2]))
    velocity = torch.zeros(2, 14, 3)
    velocity[:, :, 0] = 0.5
    height = torch.tensor([0.0, 0.2])[:, None]
    body_pos = state.body_pos.clone()
    body_pos[..., 2] += height
    state = state._replace(body_lin_vel=velocity, body_pos=body_pos)
    np.testing.assert_allclose(foot_slip(state).numpy(), [0.5, 0.0], atol=1e-5)


def test_terminations_agree_with_the_oracle_in_numpy() -> None:
    torch.manual_seed(0)
    library = library_of(wavy_qpos(60))
    frames = torch.arange(60)
    reference = reference_at(library, frames)
    state = on_reference(library, frames)
    state = state._replace(
        body_pos=state.body_pos + 0.2 * torch.randn(60, 14, 3),
        body_quat=torch.nn.functional.normalize(
            state.body_quat + 0.4 * torch.randn(60, 14, 4), dim=-1
        ),
    )
    ours = failures(state, reference)
    theirs = termination_flags(
        reference.body_pos.numpy(),
        state.body_pos.numpy(),
        reference.body_quat[:, 0].numpy(),
        state.body_quat[:, 0].numpy(),
    )
    np.testing.assert_array_equal(ours.numpy(), theirs)
    assert 0 < ours.sum() < ours.numel()
