from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.standing import standing
from texedo.core.errors import CheckpointError
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.robot.g1 import ACTION_SCALE, ARMATURE, DAMPING, EFFORT_LIMIT, STIFFNESS
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.actor import Actor, save_tracker
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Actuation, RobotState
from texedo.tracker.policies.reference import Reference
from texedo.tracker.policies.spec import PROPRIOCEPTION_SIZE, TrackerSpec

SPEC = TrackerSpec(hidden_sizes=(64, 32))


def small_actor(spec: TrackerSpec = SPEC) -> Actor:
    """Untrained, with actions that can be seen."""
    torch.manual_seed(0)
    actor = Actor(spec)
    torch.nn.init.normal_(actor.network[-1].weight, std=0.3)
    return actor.requires_grad_(False)


@pytest.fixture(scope="module")
def policy() -> TrackerPolicy:
    return TrackerPolicy(small_actor(), name="small")


def _state(frame: np.ndarray) -> RobotState:
    return RobotState(frame[None].astype(np.float64), np.zeros((1, 35)))


def test_a_robot_on_its_reference_sees_no_difference(policy: TrackerPolicy) -> None:
    motion = standing(30, swing=0.0)
    batch = policy.start(2)
    batch.reset(1, Reference(motion))
    slots, frames = np.array([1]), np.array([0])
    seen = batch.observe(slots, frames, _state(motion.to_qpos()[0]))
    assert seen.shape == (1, policy.observation_size)
    step = seen[0, :PROPRIOCEPTION_SIZE]
    np.testing.assert_allclose(step[:3], [0, 0, -1], atol=1e-6)  # gravity
    np.testing.assert_allclose(step[3:], 0.0, atol=1e-6)
    ahead = seen[0, PROPRIOCEPTION_SIZE * SPEC.history_length :][:40]
    np.testing.assert_allclose(ahead[:29], 0.0, atol=1e-6)
    np.testing.assert_allclose(ahead[29:35], [1, 0, 0, 0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(ahead[39], 0.757, atol=1e-6)


def test_targets_are_the_next_joints_and_a_scaled_action(policy: TrackerPolicy) -> None:
    motion = standing(30, swing=0.3)
    batch = policy.start(1)
    batch.reset(0, Reference(motion))
    slots, frames = np.array([0]), np.array([12])
    seen = batch.observe(slots, frames, _state(motion.to_qpos()[12]))
    targets = batch.act(slots, seen)
    action = policy.actor(torch.from_numpy(seen)).numpy()
    expected = motion.joint_pos[13] + ACTION_SCALE * action
    np.testing.assert_allclose(targets, expected, atol=1e-5)
    # The action is remembered: it is part of what is seen next.
    again = batch.observe(slots, frames + 1, _state(motion.to_qpos()[13]))
    last = again[0, : PROPRIOCEPTION_SIZE * SPEC.history_length][-29:]
    np.testing.assert_allclose(last, action[0], atol=1e-6)


def test_a_new_motion_in_a_slot_has_no_past(policy: TrackerPolicy) -> None:
    first, second = standing(30, seed=1), standing(30, seed=2, swing=0.4)
    slots = np.array([0])
    used, fresh = policy.start(1), policy.start(1)
    used.reset(0, Reference(first))
    for frame in range(4):
        state = _state(first.to_qpos()[frame])
        used.act(slots, used.observe(slots, np.array([frame]), state))
    for batch in (used, fresh):
        batch.reset(0, Reference(second))
    state = _state(second.to_qpos()[0])
    np.testing.assert_array_equal(
        used.observe(slots, np.array([0]), state),
        fresh.observe(slots, np.array([0]), state),
    )


def test_a_stored_tracker_is_found_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "walker"
    actor = small_actor()
    save_tracker(folder, actor, metadata={"e95": {"e_acc": 4.0, "e_vel": 20.0}})
    loaded = find_policy(str(folder))
    assert loaded.name == "walker"
    assert loaded.normalizers == Normalizers(e_acc=4.0, e_vel=20.0)
    assert loaded.observation_size == SPEC.actor_obs_size
    # Normalisers do not change what it does, so labels stay valid when they come.
    save_tracker(folder, actor)
    again = find_policy(str(folder))
    assert again.normalizers is None and again.digest == loaded.digest


def test_normalisers_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    save_tracker(tmp_path / "t", small_actor(), metadata={"e95": {"e_acc": -1.0}})
    with pytest.raises(CheckpointError, match="e95 must hold positive e_acc and e_vel"):
        find_policy(str(tmp_path / "t"))


def test_other_weights_have_another_hash() -> None:
    actor = small_actor()
    before = TrackerPolicy(actor, name="a").digest
    actor.network[0].weight[0, 0] += 1e-3
    assert TrackerPolicy(actor, name="a").digest != before


@pytest.mark.parametrize(
    "motors",
    [
        {"stiffness": STIFFNESS * 1.1},
        {"damping": DAMPING * 1.1},
        {"effort": EFFORT_LIMIT / 2},
        {"armature": ARMATURE * 2},
    ],
    ids=lambda motors: next(iter(motors)),
)
def test_other_motors_have_another_hash(motors: dict[str, np.ndarray]) -> None:
    actor = small_actor()
    plain, same = (TrackerPolicy(actor, name=n).digest for n in "ab")
    other = TrackerPolicy(actor, name="a", actuation=Actuation(**motors))
    assert plain == same != other.digest


def test_the_tracker_that_ships_stands_whatever_the_wrists_do() -> None:
    """It learned from wrists held at zero; motions of others turn and bend them."""
    policy = find_policy("texedo")
    wrists = 7 + np.array([19, 20, 21, 26, 27, 28])
    bent, waving = (standing(120, swing=0.3).to_qpos() for _ in range(2))
    bent[:, wrists] = 0.5 * np.array([1, -1, 1, 1, -1, 1])
    waving[:, wrists] = np.sin(4.4 * np.arange(120) / 50)[:, None]
    result = rollout([Motion.from_qpos(q) for q in (bent, waving)], policy)
    assert result.success.all()
    assert result.planar_drift.max() < 0.15
