from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.onnx_files import NO_ESTIMATION, TERMS, linear, metadata
from tests.support.reference_clips import wavy_qpos
from tests.support.standing import standing
from texedo.core.errors import PolicyError
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw, quat_multiply
from texedo.robot import g1
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.beyondmimic import OnnxPolicy
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.protocol import Actuation, RobotState, check_policy
from texedo.tracker.policies.reference import Reference

MOTION = Motion.from_qpos(wavy_qpos(30))
QPOS = MOTION.to_qpos().astype(np.float64)
SLOT = np.array([0])


def make(
    folder: Path,
    names: tuple[str, ...] = g1.ISAACLAB_JOINT_NAMES,
    *,
    terms: tuple[str, ...] = TERMS,
    bias: Any = 0.0,
    **changes: str,
) -> Path:
    rows = metadata(names, terms=terms, **changes)
    size = 160 if terms == TERMS else 154
    bias = np.broadcast_to(np.asarray(bias, dtype=np.float64), 29)
    return linear(folder / "dance.onnx", size=size, bias=bias, props=rows)


def seen(policy: OnnxPolicy, frame: int, qpos: Any, qvel: Any = None) -> Any:
    batch = policy.start(1)
    batch.reset(0, Reference(MOTION))
    velocity = np.zeros(35) if qvel is None else np.asarray(qvel)
    state = RobotState(np.asarray(qpos)[None], velocity[None])
    return batch.observe(SLOT, np.array([frame]), state)[0]


@pytest.mark.parametrize("names", [g1.ISAACLAB_JOINT_NAMES, g1.JOINT_NAMES])
def test_a_robot_on_its_reference_sees_no_difference(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    policy = OnnxPolicy(make(tmp_path, names), lead=0)
    order = [g1.JOINT_INDEX[name] for name in names]
    observation = seen(policy, 10, QPOS[10])
    assert observation.shape == (160,)
    speed = (QPOS[11, 7:] - QPOS[9, 7:]) * 25  # Central difference at 50 Hz.
    np.testing.assert_allclose(observation[:29], QPOS[10, 7:][order], atol=1e-6)
    np.testing.assert_allclose(observation[29:58], speed[order], atol=1e-5)
    np.testing.assert_allclose(observation[58:61], 0, atol=1e-6)
    np.testing.assert_allclose(observation[61:67], [1, 0, 0, 1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(observation[67:73], 0)
    joints = (QPOS[10, 7:] - g1.KNEES_BENT)[order]
    np.testing.assert_allclose(observation[73:102], joints, atol=1e-6)
    np.testing.assert_allclose(observation[102:], 0)


def test_what_is_off_the_reference_is_seen_from_the_anchor(tmp_path: Path) -> None:
    """A robot one metre to the left of the first frame, turned left by 90 degrees."""
    policy = OnnxPolicy(make(tmp_path, anchor_body_name="pelvis"), lead=0)
    start = np.zeros(36)
    start[2], start[3], start[7:] = 0.78, 1.0, g1.KNEES_BENT
    still = Motion.from_qpos(np.repeat(start[None], 5, axis=0))
    robot = start.copy()
    robot[:3] += (0.0, 1.0, 0.1)
    robot[3:7] = quat_from_yaw(np.array(np.pi / 2))
    qvel = np.zeros(35)
    qvel[0], qvel[5] = 2.0, 3.0  # 2 m/s along x of the world, turning left.
    batch = policy.start(1)
    batch.reset(0, Reference(still))
    state = RobotState(robot[None], qvel[None])
    observation = batch.observe(SLOT, np.array([0]), state)[0]
    # One metre to the right in the world is one metre backwards for this robot.
    np.testing.assert_allclose(observation[58:61], (-1, 0, -0.1), atol=1e-6)
    # The reference looks to the robot's right: columns (0, -1, 0) and (1, 0, 0).
    np.testing.assert_allclose(observation[61:67], [0, 1, -1, 0, 0, 0], atol=1e-6)
    # The centre of mass lies below the origin: turning about z does not move it.
    np.testing.assert_allclose(observation[67:70], (0, -2, 0), atol=1e-6)
    np.testing.assert_allclose(observation[70:73], (0, 0, 3), atol=1e-6)


def test_without_state_estimation_six_numbers_are_missing(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    full = OnnxPolicy(make(tmp_path / "full"))
    reduced = OnnxPolicy(make(tmp_path, terms=NO_ESTIMATION))
    assert reduced.observation_size == 154
    qpos, qvel = QPOS[3] + 0.01, np.arange(35.0)
    whole = seen(full, 5, qpos, qvel)
    kept = np.r_[0:58, 61:67, 70:160]
    np.testing.assert_array_equal(seen(reduced, 5, qpos, qvel), whole[kept])


def test_the_reference_is_one_frame_ahead_as_in_training(tmp_path: Path) -> None:
    policy = OnnxPolicy(make(tmp_path, g1.JOINT_NAMES))
    observation = seen(policy, 10, QPOS[10])
    np.testing.assert_allclose(observation[:29], QPOS[11, 7:], atol=1e-6)
    last = seen(policy, 29, QPOS[29])
    np.testing.assert_allclose(last[:29], QPOS[29, 7:], atol=1e-6)


@pytest.mark.parametrize("names", [g1.ISAACLAB_JOINT_NAMES, g1.JOINT_NAMES])
def test_actions_reach_their_joints_by_name(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    policy = OnnxPolicy(make(tmp_path, names, bias=np.arange(29.0)))
    check_policy(policy)
    batch = policy.start(2)
    batch.reset(1, Reference(MOTION))
    slots, state = np.array([1]), RobotState(QPOS[:1], np.zeros((1, 35)))
    targets = batch.act(slots, batch.observe(slots, np.array([0]), state))
    for i, name in enumerate(names):
        j = g1.JOINT_INDEX[name]
        expected = g1.KNEES_BENT[j] + i * g1.ACTION_SCALE[j]
        assert targets[0, j] == pytest.approx(expected, abs=1e-6)
    # The raw action is seen next, in the policy's own order, until a new motion.
    again = batch.observe(slots, np.array([1]), state)
    np.testing.assert_array_equal(again[0, -29:], np.arange(29.0))
    batch.reset(1, Reference(MOTION))
    fresh = batch.observe(slots, np.array([0]), state)
    np.testing.assert_array_equal(fresh[0, -29:], 0)


def test_a_history_is_oldest_first_and_starts_full(tmp_path: Path) -> None:
    terms = ("base_ang_vel", "projected_gravity")
    rows = metadata(terms=terms, observation_history_lengths="3,1")
    path = linear(tmp_path / "h.onnx", size=12, bias=np.zeros(29), props=rows)
    batch = OnnxPolicy(path).start(1)
    batch.reset(0, Reference(MOTION))
    for step in range(2):
        qvel = np.zeros((1, 35))
        qvel[0, 3:6] = step + 1
        state = RobotState(np.array([[0, 0, 1, 1, *[0] * 32]], dtype=float), qvel)
        observation = batch.observe(SLOT, np.array([step]), state)
    expected = [1, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0, -1]
    np.testing.assert_allclose(observation[0], expected)


def clip_tables(order: list[int]) -> dict[str, np.ndarray]:
    reference = Reference(MOTION)
    tracked = g1.TRACKED_BODY_INDICES
    return {
        "joint_pos": reference.qpos[:, 7:][:, order],
        "joint_vel": reference.joint_vel[:, order],
        "body_pos_w": reference.poses.pos_w[:, tracked],
        "body_quat_w": reference.poses.quat_w[:, tracked],
    }


def test_the_clip_in_the_file_can_take_the_place_of_ours(tmp_path: Path) -> None:
    order = [g1.JOINT_INDEX[name] for name in g1.ISAACLAB_JOINT_NAMES]
    tables = clip_tables(order)
    path = linear(
        tmp_path / "clip.onnx",
        size=160,
        bias=np.zeros(29),
        props=metadata(),
        tables=tables,
    )
    ours, baked = OnnxPolicy(path), OnnxPolicy(path, baked_clip=True)
    assert ours.digest != baked.digest
    for frame in (0, 12, 29):
        first, second = (seen(p, frame, QPOS[frame] + 0.02) for p in (ours, baked))
        np.testing.assert_allclose(first, second, atol=1e-5)
    batch = baked.start(1)
    with pytest.raises(PolicyError, match="its clip is another motion"):
        batch.reset(0, Reference(standing(30, swing=0.5)))


def test_a_clip_is_asked_of_a_file_that_has_none(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="it has no output 'joint_pos'"):
        OnnxPolicy(make(tmp_path), baked_clip=True)


@pytest.mark.parametrize("content", [b"", b"not a graph", b"\x08\x08\x12\x04"])
def test_a_file_that_is_no_graph_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(content)
    with pytest.raises(PolicyError, match=r"broken\.onnx: not an? "):
        find_policy(str(path))


def test_a_graph_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    path = linear(
        tmp_path / "net.onnx", size=3, bias=np.zeros(2), names=("image", "label")
    )
    with pytest.raises(PolicyError, match=r"no input 'obs' \(it has image\)"):
        find_policy(str(path))


def test_a_graph_of_another_size_is_refused(tmp_path: Path) -> None:
    path = linear(tmp_path / "p.onnx", size=150, bias=np.zeros(29), props=metadata())
    with pytest.raises(PolicyError, match=r"'obs' has shape \(1, 150\), but .* 160"):
        OnnxPolicy(path)
    path = linear(tmp_path / "p.onnx", size=160, bias=np.zeros(23), props=metadata())
    with pytest.raises(PolicyError, match=r"'actions' has shape \(1, 23\), but .* 29"):
        OnnxPolicy(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"nowhere\.onnx: no such file"):
        find_policy(str(tmp_path / "nowhere.onnx"))


def test_what_to_install_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PolicyError, match=r"pip install 'texedo\[onnx\]'"):
        OnnxPolicy(path)


def test_roll_outs_take_it_and_a_bad_motion_spoils_no_other(tmp_path: Path) -> None:
    policy = find_policy(str(make(tmp_path)))
    assert policy.name == "dance"
    short = Motion.from_qpos(QPOS[:2])
    motions = [standing(12), short, standing(20, seed=3)]
    result = rollout(motions, policy, workers=1)
    assert result.errors[0] is None and "3 frames" in str(result.errors[1])
    assert result.quality.progress[0] == 1.0
    alone = rollout(motions[2:], policy, workers=2)
    np.testing.assert_array_equal(
        alone.executed(0).to_qpos(), result.executed(2).to_qpos()
    )


def test_a_turn_of_the_whole_world_changes_nothing(tmp_path: Path) -> None:
    policy = OnnxPolicy(make(tmp_path))
    turn = quat_from_yaw(np.array(1.0))
    turned = QPOS.copy()
    c, s = np.cos(1.0), np.sin(1.0)
    turned[:, :2] = QPOS[:, :2] @ np.array([[c, s], [-s, c]])
    turned[:, 3:7] = quat_multiply(turn, QPOS[:, 3:7])
    batch = policy.start(1)
    batch.reset(0, Reference(Motion.from_qpos(turned)))
    state = RobotState(turned[4:5], np.zeros((1, 35)))
    there = batch.observe(SLOT, np.array([7]), state)[0]
    np.testing.assert_allclose(there, seen(policy, 7, QPOS[4]), atol=1e-5)


def test_its_hash_follows_its_motors(tmp_path: Path) -> None:
    """A joint whose rounded gains are those of our table gets what the table says."""
    policy = OnnxPolicy(make(tmp_path))
    before = policy.digest
    weak = Actuation(effort=policy.actuation.effort / 2)
    policy.metadata = replace(policy.metadata, actuation=weak)
    assert policy.digest != before
