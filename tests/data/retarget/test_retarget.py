"""Retargeting: known targets are reached, and a synthetic person stays a good robot."""

import numpy as np
import pytest

from texedo.core.errors import RetargetError
from texedo.data.capture.source import SourceMotion
from texedo.data.retarget import RetargetCfg, retarget, retarget_many
from texedo.data.retarget.solver import (
    KNEE_BENT,
    LOWER,
    REST,
    UPPER,
    Bounds,
    Targets,
    Weights,
    solve,
)
from texedo.data.retarget.targets import _find_bearing, make_targets
from texedo.motion.rotations import quat_to_matrix
from texedo.robot.collision import self_distances
from texedo.robot.g1 import BODY_INDEX, SPEED_LIMIT
from texedo.robot.gaps import SIDES, WATCHED_PAIRS
from texedo.robot.kinematics import forward_kinematics

THIGH, SHIN, UPPER_ARM, FOREARM = 0.42, 0.41, 0.28, 0.25


def stepping_person(seconds: float = 3.0, *, speed: float = 0.8) -> SourceMotion:
    """A stick figure that walks along +x: feet planted in turn, arms hanging close."""
    t = np.arange(int(seconds * 50)) / 50
    n = len(t)
    hips = np.stack((speed * t, 0 * t, 0.93 + 0 * t), axis=1)
    positions = {"hips": hips}
    identity = np.tile([1.0, 0, 0, 0], (n, 1))
    for side, sign, phase in (("left", 1, 0.0), ("right", -1, 0.5)):
        cycle = (t + phase) % 1.0
        stance = np.floor(t + phase) - phase
        # Half of a one-second cycle on the floor, half swinging one stride ahead.
        swing = np.clip((cycle - 0.5) / 0.5, 0, 1)
        x = speed * (stance + 0.25 + swing)
        lift = 0.12 * np.sin(np.pi * swing)
        hip = hips + [0.0, 0.09 * sign, -0.02]
        ankle = np.stack((x, np.full(n, 0.09 * sign), 0.09 + lift), axis=1)
        positions[f"{side}_upper_leg"] = hip
        positions[f"{side}_foot"] = ankle
        positions[f"{side}_lower_leg"] = _knee(hip, ankle)
        positions[f"{side}_toe"] = ankle + [0.15, 0, -0.07]
        shoulder = hips + [0.0, 0.18 * sign, 0.5]
        positions[f"{side}_upper_arm"] = shoulder
        positions[f"{side}_lower_arm"] = shoulder + [0, 0.01 * sign, -UPPER_ARM]
        positions[f"{side}_hand"] = shoulder + [0, 0.01 * sign, -UPPER_ARM - FOREARM]
    return SourceMotion(
        name="stepper",
        fps=50.0,
        positions=positions,
        orientations={
            role: identity for role in ("hips", "chest", "left_foot", "right_foot")
        },
        rest_positions={},
        bone_lengths={f"{s}_thigh": THIGH for s in SIDES}
        | {f"{s}_shin": SHIN for s in SIDES},
        scale=1.0,
        profile="test",
        reference="t-pose",
        start_frame=0,
    )


def _knee(hip: np.ndarray, ankle: np.ndarray) -> np.ndarray:
    """The knee bends forward so that thigh and shin keep their lengths."""
    leg = ankle - hip
    d = np.minimum(np.linalg.norm(leg, axis=1), THIGH + SHIN - 1e-6)[:, None]
    along = (THIGH**2 - SHIN**2 + d**2) / (2 * d)
    forward = np.stack((-leg[:, 2], 0 * d[:, 0], leg[:, 0]), axis=1) / d
    return hip + leg / d * along + forward * np.sqrt(np.maximum(THIGH**2 - along**2, 0))


def targets_of(qpos: np.ndarray) -> Targets:
    """The targets that a known pose meets exactly."""
    poses = forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    turn = quat_to_matrix(poses.quat_w)

    def pos(name: str) -> np.ndarray:
        return np.stack(
            [poses.pos_w[:, BODY_INDEX[f"{s}_{name}_link"]] for s in SIDES], axis=1
        )

    feet = [BODY_INDEX[f"{s}_ankle_roll_link"] for s in SIDES]
    return Targets(
        pelvis_pos=poses.pos_w[:, 0],
        pelvis_rot=turn[:, 0],
        torso_rot=turn[:, BODY_INDEX["torso_link"]],
        foot_pos=pos("ankle_roll"),
        foot_rot=turn[:, feet],
        foot_hold=np.ones((len(qpos), 2)),
        thigh=pos("knee") - pos("hip_roll"),
        upper_arm=pos("elbow") - pos("shoulder_roll"),
        forearm=pos("wrist_yaw") - pos("elbow"),
    )


def standing(count: int) -> np.ndarray:
    qpos = np.zeros((count, 36))
    qpos[:, 2], qpos[:, 3], qpos[:, 7:] = 0.75, 1.0, np.clip(REST, LOWER, UPPER)
    return qpos


def test_reachable_feet_are_reached_within_a_millimetre() -> None:
    rng = np.random.default_rng(0)
    goal = standing(20)
    goal[:, 7:] = np.clip(goal[:, 7:] + 0.1 * rng.normal(size=(20, 29)), LOWER, UPPER)
    targets = targets_of(goal)
    found = solve(
        standing(20),
        targets,
        bounds=Bounds(LOWER, UPPER),
        iterations=15,
        weights=Weights(),
    )
    error = np.linalg.norm(targets_of(found).foot_pos - targets.foot_pos, axis=-1)
    assert error.max() < 1e-3


def test_bounds_hold_even_when_targets_are_out_of_reach() -> None:
    targets = targets_of(standing(3))
    targets.foot_pos[:] += [0.0, 0.0, 5.0]
    tight = Bounds(REST - 0.05, REST + 0.05)
    found = solve(standing(3), targets, bounds=tight, iterations=3, weights=Weights())
    assert (found[:, 7:] <= tight.upper + 1e-12).all()
    assert (found[:, 7:] >= tight.lower - 1e-12).all()


def test_hands_that_are_asked_into_the_thighs_stay_outside() -> None:
    goal = standing(1)
    for side, sign in (("left", 1), ("right", -1)):
        for name, angle in (("shoulder_roll", -0.3 * sign), ("elbow", 1.3)):
            goal[0, 7 + _joint(f"{side}_{name}")] = angle
    poses = forward_kinematics(goal[:, :3], goal[:, 3:7], goal[:, 7:])
    assert self_distances(poses, WATCHED_PAIRS).min() < -0.03  # asked 3 cm deep
    found = solve(
        standing(1),
        targets_of(goal),
        bounds=Bounds(LOWER, UPPER),
        iterations=10,
        weights=Weights(),
    )
    poses = forward_kinematics(found[:, :3], found[:, 3:7], found[:, 7:])
    assert self_distances(poses, WATCHED_PAIRS).min() > -0.005


def _joint(name: str) -> int:
    from texedo.robot.g1 import JOINT_INDEX

    return JOINT_INDEX[f"{name}_joint"]


def test_planted_feet_are_found_and_stand_still_on_the_floor() -> None:
    targets, planted = make_targets(stepping_person())
    assert 0.3 < planted[:, 0].mean() < 0.7  # half of each cycle is stance
    steps = np.diff(targets.foot_pos[:, 0, :2], axis=0)
    both = planted[1:, 0] & planted[:-1, 0]
    assert np.linalg.norm(steps[both], axis=1).max() < 1e-6
    np.testing.assert_allclose(targets.foot_pos[planted[:, 0], 0, 2], 0.035, atol=2e-3)


def test_a_foot_that_rests_8_cm_too_high_is_put_on_the_floor() -> None:
    person = stepping_person(2.0, speed=0.0)
    for role in ("left_foot", "left_toe"):
        person.positions[role][:, 2] = person.positions[role][0, 2]
        person.positions[role][50:, 2] += 0.08
    targets, planted = make_targets(person)
    assert planted[60:, 0].all()
    np.testing.assert_allclose(targets.foot_pos[60:, 0, 2], 0.035, atol=2e-3)


@pytest.mark.parametrize(("toes_down", "left"), [(-0.7, 0.0), (0.1, 0.0), (0.7, 0.7)])
def test_a_planted_foot_is_flat_unless_on_tiptoe(toes_down: float, left: float) -> None:
    person = stepping_person(1.0, speed=0.0)
    turn = [np.cos(toes_down / 2), 0.0, np.sin(toes_down / 2), 0.0]
    person.orientations["left_foot"] = np.tile(turn, (50, 1))
    person.positions["left_toe"][:, 2] = 0.02
    person.positions["left_foot"][:, 2] = 0.09
    targets, planted = make_targets(person)
    assert planted[:, 0].all()
    tilt = np.arccos(np.clip(targets.foot_rot[25, 0, 2, 2], -1, 1))
    assert tilt == pytest.approx(left, abs=0.02)


def test_who_stands_must_have_a_foot_on_the_floor_and_who_falls_need_not() -> None:
    hips, none = np.full(60, 0.8), np.zeros((60, 2), dtype=bool)
    lowest = np.tile([0.03, 0.05], (60, 1))
    assert _find_bearing(hips, lowest, none).tolist() == [[True, False]] * 60
    time = np.arange(25) / 50
    hips[20:45] += 7.5 / 2 * time * (0.5 - time)
    assert not _find_bearing(hips, lowest, none)[20:45].any()


def test_forearms_that_cross_above_the_head_rest() -> None:
    person = stepping_person(1.0, speed=0.0)
    for side, sign in (("left", 1), ("right", -1)):
        shoulder = person.positions[f"{side}_upper_arm"]
        elbow = shoulder + np.array([0.07, 0.12 * sign, 0.24])
        person.positions[f"{side}_lower_arm"] = elbow
        person.positions[f"{side}_hand"] = elbow + [0.0, -FOREARM * sign, 0.0]
    joints = retarget(person).motion.joint_pos[:, 15:]
    assert np.abs(np.diff(joints[10:], n=2, axis=0)).max() < 0.002


def test_no_knee_is_straighter_than_a_tenth_of_a_radian() -> None:
    person = stepping_person(1.0, speed=0.0)
    for role in person.positions:
        if not role.endswith(("foot", "toe")):
            person.positions[role][:, 2] += 0.1
    knees = [_joint(f"{side}_knee") for side in SIDES]
    assert retarget(person).motion.joint_pos[:, knees].min() >= KNEE_BENT - 1e-6


def test_a_walking_stick_figure_becomes_a_clean_walk() -> None:
    result = retarget(stepping_person())
    quality = result.quality
    assert quality.foot_error.mean() < 0.002
    # Planted feet alone: this figure's other foot comes down at full speed.
    assert np.nanmean(quality.skate[result.planted]) < 0.005
    assert (quality.self_penetration > 0.01).mean() == 0.0
    assert (quality.ground_penetration > 0.01).mean() == 0.0
    assert quality.limit_violation.max() == 0.0
    speed = np.abs(np.diff(result.motion.joint_pos, axis=0)) * 50 / SPEED_LIMIT
    assert speed.max() <= RetargetCfg().speed_used + 1e-4
    # 2.4 m scaled by the robot's leg (0.65 m) over the person's (0.83 m).
    travelled = result.motion.root_pos_w[-1, 0] - result.motion.root_pos_w[0, 0]
    assert travelled == pytest.approx(0.8 * 2.98 * 0.65 / 0.83, rel=0.02)


def test_a_source_does_not_depend_on_its_company_beyond_rounding() -> None:
    person, other = stepping_person(), stepping_person(1.0, speed=0.3)
    alone = retarget(person).motion
    first, _ = retarget_many([person, other])
    np.testing.assert_allclose(first.motion.to_qpos(), alone.to_qpos(), atol=1e-4)


def test_a_broken_source_leaves_its_error_and_the_rest_go_on() -> None:
    wild = stepping_person(speed=60.0)
    bad, good = retarget_many([wild, stepping_person(1.0)])
    assert isinstance(bad, RetargetError)
    assert "m/s" in str(bad) and "scale" in str(bad)
    assert len(good.motion) == 50


@pytest.mark.parametrize(
    ("role", "seen"), [("left_hand", "forearm"), ("right_lower_leg", "thigh")]
)
def test_a_source_with_a_gap_is_refused_alone(role: str, seen: str) -> None:
    gappy = stepping_person(0.5)
    gappy.positions[role][5] = np.nan
    bad, good = retarget_many([gappy, stepping_person(0.5)])
    assert isinstance(bad, RetargetError)
    assert f"holds NaN or infinity, seen in {seen}" in str(bad)
    assert len(good.motion) == 25


def test_too_few_frames_are_refused() -> None:
    with pytest.raises(RetargetError, match="too few"):
        retarget(stepping_person(0.1))
