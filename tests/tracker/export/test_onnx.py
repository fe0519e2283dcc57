from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.reference_clips import wavy_qpos
from tests.support.standing import standing
from tests.tracker.policies.test_ours import SPEC, small_actor
from texedo.apps import cli
from texedo.core.errors import MotionError, PolicyError
from texedo.formats import save_motion
from texedo.motion import Motion
from texedo.robot import g1
from texedo.robot.g1 import WRIST_JOINTS
from texedo.robot.kinematics import motion_kinematics
from texedo.tracker.export import check as onnx_check
from texedo.tracker.export.check import check_motion_graph, check_policy_graph
from texedo.tracker.export.onnx import (
    MOTION_TERMS,
    export_motion,
    export_policy,
    observation_layout,
)
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.actor import save_tracker
from texedo.tracker.policies.beyondmimic import OnnxPolicy
from texedo.tracker.policies.onnx_runtime import open_graph
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import RobotState
from texedo.tracker.policies.reference import Reference

MOTION = Motion.from_qpos(wavy_qpos(40))


# All joints of the motion swing by 0.1 rad; wrists are seen, or held and not seen.
@pytest.fixture(scope="module", params=[(), WRIST_JOINTS], ids=["all", "held"])
def policy(request: pytest.FixtureRequest) -> TrackerPolicy:
    actor = small_actor(replace(SPEC, held_joints=request.param))
    generator = torch.Generator().manual_seed(1)
    actor.normalizer.mean.copy_(torch.randn(SPEC.actor_obs_size, generator=generator))
    actor.normalizer.var.copy_(
        torch.rand(SPEC.actor_obs_size, generator=generator) + 0.1
    )
    return TrackerPolicy(actor, name="small")


@pytest.fixture(scope="module")
def graph(policy: TrackerPolicy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_motion(policy, MOTION, tmp_path_factory.mktemp("e") / "wavy.onnx")


def test_the_network_is_the_same_to_a_hundred_thousandth(
    policy: TrackerPolicy, tmp_path: Path
) -> None:
    path = export_policy(policy, tmp_path / "deep" / "policy.onnx")
    assert check_policy_graph(policy, path) < 1e-5
    # Both limits are inside: far away inputs are clipped, and so are actions.
    far = np.full((3, policy.observation_size), 1e4, dtype=np.float32)
    (actions,) = open_graph(path).run(["actions"], obs=far)
    expected = policy.actor(torch.from_numpy(far)).numpy()
    np.testing.assert_allclose(actions, expected, atol=1e-4)
    assert np.abs(actions).max() <= SPEC.action_limit


def test_the_network_says_how_to_feed_it(policy: TrackerPolicy, tmp_path: Path) -> None:
    rows = open_graph(export_policy(policy, tmp_path / "p.onnx")).metadata
    assert rows["joint_names"].split(",") == list(g1.JOINT_NAMES)
    assert float(rows["action_scale"].split(",")[20]) == pytest.approx(0.0745009)
    assert float(rows["joint_stiffness"].split(",")[3]) == pytest.approx(99.098428)
    assert rows["history_length"] == "5" and rows["future_offsets"] == "1,2,4,8,14,22"
    assert rows["action_rule"].startswith("next_reference_joint_pos")
    layout = json.loads(rows["observation_layout"])
    assert sum(part["size"] for part in layout) == SPEC.actor_obs_size
    assert layout[0] == {"name": "projected_gravity", "frame": -4, "size": 3}
    assert layout == observation_layout(SPEC)


def test_the_network_alone_is_not_taken_for_a_tracker(
    policy: TrackerPolicy, tmp_path: Path
) -> None:
    path = export_policy(policy, tmp_path / "p.onnx")
    with pytest.raises(PolicyError, match="our network alone"):
        OnnxPolicy(path)


def test_a_motion_in_a_graph_gives_the_targets_of_the_tracker(
    policy: TrackerPolicy, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # To the very end, where both repeat the last frame.
    monkeypatch.setattr(onnx_check, "_FRAMES", len(MOTION))
    assert check_motion_graph(policy, MOTION, graph) < 1e-5


def test_a_consumer_gets_the_target_from_default_scale_and_action(
    policy: TrackerPolicy, graph: Path
) -> None:
    """By hand, without any code of ours between the graph and the target."""
    reference, history = Reference(MOTION), SPEC.history_length
    robot = reference.qpos[0]
    parts = (
        [1, 0, 0, 1, 0, 0],  # The robot is in line with its reference.
        np.zeros(3),
        robot[7:] - g1.KNEES_BENT,
        np.zeros(29),
        np.zeros(29),
    )
    obs = np.concatenate([np.tile(part, history) for part in parts])[None]
    (action,) = open_graph(graph).run(
        ["actions"],
        obs=obs.astype(np.float32),
        time_step=np.zeros((1, 1), dtype=np.float32),
    )
    ours = policy.start(1)
    ours.reset(0, reference)
    state, slots = RobotState(robot[None], np.zeros((1, 35))), np.array([0])
    expected = ours.act(slots, ours.observe(slots, np.array([0]), state))
    target = g1.KNEES_BENT + g1.ACTION_SCALE * action
    np.testing.assert_allclose(target, expected, atol=1e-5)


def test_a_graph_puts_out_its_clip_and_stops_at_the_end(graph: Path) -> None:
    opened = open_graph(graph)
    size = SPEC.history_length * sum(MOTION_TERMS.values())
    assert opened.inputs == {"obs": (1, size), "time_step": (1, 1)}
    names = ("joint_pos", "body_pos_w", "body_quat_w")
    obs = np.zeros((1, size), dtype=np.float32)
    poses = motion_kinematics(MOTION)
    for step, frame in ((7, 7), (39, 39), (1000, 39)):
        time = np.full((1, 1), step, dtype=np.float32)
        joints, pos, quat = opened.run(names, obs=obs, time_step=time)
        np.testing.assert_allclose(joints[0], MOTION.joint_pos[frame], atol=1e-6)
        tracked = g1.TRACKED_BODY_INDICES
        np.testing.assert_allclose(pos[0], poses.pos_w[frame, tracked], atol=1e-6)
        np.testing.assert_allclose(quat[0], poses.quat_w[frame, tracked], atol=1e-6)
    assert list(opened.outputs)[0] == "actions" and len(opened.outputs) == 7


def test_a_roll_out_of_the_graph_is_that_of_the_tracker(
    policy: TrackerPolicy, tmp_path: Path
) -> None:
    motion = standing(25)
    path = export_motion(policy, motion, tmp_path / "stand.onnx")
    ours, theirs = (
        rollout([motion], p, workers=1).executed(0).to_qpos()
        for p in (policy, OnnxPolicy(path))
    )
    frames = min(len(ours), len(theirs), 15)
    np.testing.assert_allclose(ours[:frames], theirs[:frames], atol=1e-3)


def test_a_motion_that_is_too_short_is_refused(
    policy: TrackerPolicy, tmp_path: Path
) -> None:
    short = Motion.from_qpos(wavy_qpos(40)[:2])
    with pytest.raises(MotionError, match="at least 3 frames, got 2"):
        export_motion(policy, short, tmp_path / "m.onnx")


def test_a_graph_of_another_tracker_is_found_out(
    policy: TrackerPolicy, tmp_path: Path
) -> None:
    path = export_policy(policy, tmp_path / "p.onnx")
    other = TrackerPolicy(small_actor(), name="other")
    with pytest.raises(PolicyError, match="its actions differ from the tracker's by"):
        check_policy_graph(other, path)


def test_the_command_writes_both_kinds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_tracker(tmp_path / "t", small_actor())
    save_motion(MOTION, tmp_path / "m.npz")
    command = ["export", "tracker", "-o", str(tmp_path / "p.onnx")]
    tracker = ["--tracker", str(tmp_path / "t")]
    assert cli.main([*command, *tracker]) == 0
    assert "in the actions" in capsys.readouterr().out
    assert cli.main([*command, *tracker, "--motion", str(tmp_path / "m.npz")]) == 0
    assert "rad in the targets" in capsys.readouterr().out
    assert OnnxPolicy(tmp_path / "p.onnx").observation_size == 480
    assert cli.main([*command, "--tracker", "open-loop"]) == 2
    assert "is not a tracker of ours" in capsys.readouterr().err
    assert cli.main(["export", "tracker", "-o", str(tmp_path / "p.pt"), *tracker]) == 2
    assert "ends in .onnx" in capsys.readouterr().err
