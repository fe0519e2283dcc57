"""Both twins of the observation must say the same."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.support.standing import standing
from texedo.motion import Motion
from texedo.robot.g1 import WRIST_JOINTS
from texedo.tracker.policies.protocol import RobotState
from texedo.tracker.policies.slot_observation import (
    SlotObserver,
    command_table,
    turn_command,
)
from texedo.tracker.policies.spec import (
    PROPRIOCEPTION_SIZE,
    TrackerSpec,
)
from texedo.tracker.sim.observation import (
    actor_observation,
    command,
    joint_origin,
    proprioception,
    push_history,
)
from texedo.tracker.sim.reference_library import ReferenceLibrary

SPEC = TrackerSpec()
HELD = TrackerSpec(held_joints=WRIST_JOINTS)


def _tumbling(frames: int, seed: int) -> Motion:
    """Walks, turns and leans at random."""
    rng = np.random.default_rng(seed)
    qpos = standing(frames, swing=0.4, seed=seed).to_qpos().astype(np.float64)
    qpos[:, :3] += 0.02 * rng.normal(size=(frames, 3)).cumsum(axis=0)
    qpos[:, 3:7] += 0.05 * rng.normal(size=(frames, 4)).cumsum(axis=0)
    return Motion.from_qpos(qpos)


def _states(rows: int, seed: int) -> RobotState:
    rng = np.random.default_rng(seed)
    qpos, qvel = rng.normal(size=(rows, 36)), rng.normal(size=(rows, 35))
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    return RobotState(qpos, qvel)


@pytest.mark.parametrize("spec", [SPEC, HELD])
def test_the_reference_is_seen_as_in_training(spec: TrackerSpec) -> None:
    motion, robots = _tumbling(40, 0), _states(40, 1)
    library = ReferenceLibrary.build(motion.to_qpos(), np.array([0]), np.array([40]))
    quat = torch.from_numpy(robots.qpos[:, 3:7]).float()
    expected = command(library, torch.arange(40), quat, spec)
    table = command_table(motion, spec)
    turn_command(table, robots.qpos[:, 3:7], spec)
    np.testing.assert_allclose(table, expected.numpy(), rtol=1e-3, atol=5e-4)


@pytest.mark.parametrize("spec", [SPEC, HELD])
def test_a_whole_history_is_seen_as_in_training(spec: TrackerSpec) -> None:
    motions = [_tumbling(30, seed) for seed in (2, 3)]
    observer = SlotObserver(spec, 4)
    slots = np.array([1, 3])
    for slot, motion in zip(slots, motions, strict=True):
        observer.reset(int(slot), motion)
    library = ReferenceLibrary.build(
        np.concatenate([m.to_qpos() for m in motions]),
        np.array([0, 30]),
        np.array([30, 30]),
    )
    history = torch.zeros(2, spec.history_length, PROPRIOCEPTION_SIZE)
    action, fresh = torch.zeros(2, 29), torch.ones(2, dtype=torch.bool)
    for frame in range(8):
        state = _states(2, 10 + frame)
        qpos, qvel = (torch.from_numpy(a).float() for a in state)
        latest = proprioception(
            qpos,
            qvel,
            action,
            origin=joint_origin(library, library.starts + frame, spec),
            spec=spec,
        )
        history = push_history(history, latest, fresh=fresh)
        fresh = torch.zeros_like(fresh)
        ahead = command(library, library.starts + frame, qpos[:, 3:7], spec)
        expected = actor_observation(history, ahead)
        got = observer.observe(slots, np.full(2, frame), state)
        np.testing.assert_allclose(got, expected.numpy(), rtol=1e-3, atol=5e-4)
        action = torch.randn(2, 29)
        observer.remember(slots, action.numpy())


def test_the_next_joints_are_those_of_the_next_frame_and_of_the_last_at_the_end() -> (
    None
):
    motion = _tumbling(10, 4)
    observer = SlotObserver(SPEC, 1)
    observer.reset(0, motion)
    slot = np.array([0])
    for frame, expected in ((0, 1), (8, 9), (9, 9)):
        got = observer.next_joints(slot, np.array([frame]))
        np.testing.assert_array_equal(got[0], motion.joint_pos[expected])
