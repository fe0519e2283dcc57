"""Observations of robots whose state is known."""

import numpy as np
import pytest
import torch

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from texedo.data.corpus.packed_clips import PackedClips
from texedo.robot.g1 import KNEES_BENT, WRIST_JOINTS
from texedo.tracker.policies.actor import Actor
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim import observation
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.perturb import StateNoise
from texedo.tracker.sim.perturb import measured as measured_in_numpy
from texedo.tracker.sim.reference_library import ReferenceLibrary

SPEC = TrackerSpec(hidden_sizes=(16,))
HELD = TrackerSpec(hidden_sizes=(16,), held_joints=WRIST_JOINTS)
WRISTS = np.array([19, 20, 21, 26, 27, 28])


def build(clips: PackedClips) -> ReferenceLibrary:
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


def own_state(
    library: ReferenceLibrary,
    frames: torch.Tensor,
    action: torch.Tensor,
    spec: TrackerSpec = SPEC,
) -> torch.Tensor:
    """What robots on their reference measure of themselves."""
    return observation.proprioception(
        library.qpos[frames],
        library.qvel[frames],
        action,
        origin=observation.joint_origin(library, frames, spec),
        spec=spec,
    )


def test_a_standing_robot_feels_gravity_below_it_and_nothing_else() -> None:
    library = build(packed(standing_qpos(30)))
    own = own_state(library, torch.tensor([0]), torch.zeros(1, 29))
    assert own.shape == (1, 93)
    np.testing.assert_allclose(own[0, :3].numpy(), [0, 0, -1], atol=1e-6)
    np.testing.assert_allclose(own[0, 3:].numpy(), 0.0, atol=1e-6)


def test_a_robot_on_a_standing_reference_sees_no_command_but_its_height() -> None:
    library = build(packed(standing_qpos(30)))
    seen = observation.command(library, torch.tensor([0]), library.qpos[:1, 3:7], SPEC)
    ahead = seen[0, : 6 * 40].reshape(6, 40)
    np.testing.assert_allclose(ahead[:, :29].numpy(), 0.0, atol=1e-6)
    np.testing.assert_allclose(
        ahead[:, 29:35].numpy(), np.tile([1, 0, 0, 0, 1, 0], (6, 1)), atol=1e-6
    )
    np.testing.assert_allclose(ahead[:, 35:39].numpy(), 0.0, atol=1e-6)
    np.testing.assert_allclose(ahead[:, 39].numpy(), 0.7565, atol=1e-6)


def test_commands_do_not_depend_on_where_the_clip_lies_in_the_plane() -> None:
    qpos = wavy_qpos(60)
    moved = qpos.copy()
    moved[:, :2] += (3.0, -2.0)
    library = build(packed(qpos, moved))
    frames = torch.tensor([10, 70])
    seen = observation.command(library, frames, library.qpos[frames, 3:7], SPEC)
    np.testing.assert_allclose(seen[0].numpy(), seen[1].numpy(), atol=1e-3)


def test_the_last_frame_is_repeated_at_rest() -> None:
    library = build(packed(wavy_qpos(20)))
    quat = library.qpos[19:20, 3:7]
    seen = observation.command(library, torch.tensor([19]), quat, SPEC)[0]
    ahead, rates = seen[: 6 * 40].reshape(6, 40), seen[6 * 40 :]
    joints = library.qpos[19, 7:].numpy() - KNEES_BENT
    np.testing.assert_allclose(
        ahead[:, :29].numpy(), np.tile(joints, (6, 1)), atol=1e-5
    )
    assert not ahead[:, 35:39].any() and not rates.any()


def test_what_held_wrists_do_is_seen_from_the_reference_alone() -> None:
    """Two clips that differ by their wrists look alike to robots that follow them."""
    waving = wavy_qpos(40)
    waving[:, 7 + WRISTS] = np.linspace(-1.0, 1.0, 40)[:, None]  # 2.56 rad/s
    library = build(packed(wavy_qpos(40), waving))
    frames = torch.tensor([12, 52])
    quat, action = library.qpos[frames, 3:7], torch.zeros(2, 29)
    own = own_state(library, frames, action, HELD)
    ahead = observation.command(library, frames, quat, HELD)
    np.testing.assert_array_equal(own[1, 6 + WRISTS].numpy(), 0.0)
    np.testing.assert_array_equal(own[1, 35 + WRISTS].numpy(), 0.0)
    np.testing.assert_array_equal(ahead[1, WRISTS].numpy(), 0.0)
    for seen in (own, ahead):
        np.testing.assert_allclose(seen[0].numpy(), seen[1].numpy(), atol=1e-5)
    # A tracker without held joints sees it all: 0.1 x 2 rad / 0.78 s.
    np.testing.assert_allclose(
        own_state(library, frames, action)[1, 35 + WRISTS].numpy(), 0.2564, atol=1e-3
    )


def test_a_held_wrist_that_lags_is_seen_to_lag() -> None:
    library = build(packed(wavy_qpos(40)))
    at, behind = torch.tensor([12]), library.qpos[12:13].clone()
    behind[:, 7 + 20] -= 0.3
    own = observation.proprioception(
        behind,
        library.qvel[at],
        torch.zeros(1, 29),
        origin=observation.joint_origin(library, at, HELD),
        spec=HELD,
    )
    np.testing.assert_allclose(
        own[0, 6 + WRISTS].numpy(), [0, -0.3, 0, 0, 0, 0], atol=1e-6
    )


def test_privileged_errors_vanish_for_a_robot_at_the_next_frame() -> None:
    library = build(packed(wavy_qpos(30)))
    state = on_reference(library, torch.tensor([11]))
    hidden = observation.privileged(
        library, torch.tensor([10]), state, steps_left=torch.tensor([19.0])
    )[0]
    assert float(hidden[7]) == np.float32(0.19)
    np.testing.assert_allclose(hidden[3:6].numpy(), 0.0, atol=1e-6)
    np.testing.assert_allclose(hidden[8 : 8 + 126].numpy(), 0.0, atol=1e-5)
    np.testing.assert_allclose(
        hidden[134:].reshape(14, 6).numpy(),
        np.tile([1, 0, 0, 0, 1, 0], (14, 1)),
        atol=1e-5,
    )


def test_history_starts_full_of_the_first_step_and_then_moves() -> None:
    step = torch.arange(2.0)[:, None].expand(2, 93)
    history = observation.push_history(
        torch.zeros(2, 3, 93), step, fresh=torch.tensor([True, False])
    )
    assert history[:, :, 0].tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    history = observation.push_history(
        history, step + 5, fresh=torch.tensor([False, False])
    )
    assert history[:, :, 0].tolist() == [[0.0, 0.0, 5.0], [0.0, 1.0, 6.0]]


def test_noise_disturbs_the_measurement_as_on_the_cpu() -> None:
    rng = np.random.default_rng(0)
    qpos, qvel = wavy_qpos(5), rng.normal(size=(5, 35))
    noise = rng.uniform(-1, 1, (5, 70)) * StateNoise().widths()
    theirs = measured_in_numpy(qpos, qvel, noise)
    ours = observation.measured(*(torch.as_tensor(x) for x in (qpos, qvel, noise)))
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine.numpy(), other, atol=1e-9)


@pytest.mark.parametrize("spec", [SPEC, HELD])
def test_the_mirrored_robot_sees_the_mirrored_observation(spec: TrackerSpec) -> None:
    clips = packed(wavy_qpos(40)).with_mirrored()
    library = build(clips)
    frames = torch.tensor([12, 52])  # the same moment in both
    state = on_reference(library, frames)
    action = torch.randn(29, generator=torch.Generator().manual_seed(0))
    index, sign = observation.mirror_tables(spec)
    joints, flips = index[6:35] - 6, sign[6:35]
    actions = torch.stack((action, action[joints] * flips))
    own = own_state(library, frames, actions, spec)
    history = own[:, None].expand(2, spec.history_length, 93)
    ahead = observation.command(library, frames, state.qpos[:, 3:7], spec)
    seen = observation.actor_observation(history, ahead)
    assert seen.shape == (2, spec.actor_obs_size)
    np.testing.assert_allclose(
        (seen[0, index] * sign).numpy(), seen[1].numpy(), atol=2e-3
    )


def test_the_network_takes_what_the_functions_make() -> None:
    actor = Actor(SPEC)
    assert actor(torch.zeros(3, SPEC.actor_obs_size)).shape == (3, 29)
