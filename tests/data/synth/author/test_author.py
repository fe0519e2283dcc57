"""Authored motions: they do what their specs say, and the robot can do them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from texedo.data.synth.author import Authored, Spec, author, author_many, authored_specs
from texedo.data.synth.author.kinds import KINDS, WRITTEN_ONLY, write
from texedo.data.synth.author.stage.balance import outside_support
from texedo.data.synth.author.stage.legs import foot_errors
from texedo.data.synth.compose.quality import judge, measure_made
from texedo.motion import relative_yaw
from texedo.motion.rotations import quat_rotate_inverse
from texedo.robot.check import check_motion
from texedo.robot.g1 import BODY_INDEX, JOINT_INDEX
from texedo.robot.kinematics import motion_kinematics

EXAMPLES = {
    "wave": Spec(kind="wave", side="right", count=3),
    "raise_hand": Spec(kind="raise_hand", side="both", way="up"),
    "point": Spec(kind="point", side="left", way="forward"),
    "clap": Spec(kind="clap", count=3, way="chest"),
    "salute": Spec(kind="salute", side="right", base="walk"),
    "hand_to_head": Spec(kind="hand_to_head", side="left"),
    "hands_on_hips": Spec(kind="hands_on_hips", side="both"),
    "stretch_up": Spec(kind="stretch_up", way="sides"),
    "bow": Spec(kind="bow", count=2),
    "spread_arms": Spec(kind="spread_arms"),
    "punch": Spec(kind="punch", side="left", way="jab+hook"),
    "punch_squat": Spec(kind="punch_squat", side="both", way="jab", count=3),
    "kick": Spec(kind="kick", side="right", count=2),
    "raise_knee": Spec(kind="raise_knee", side="left", count=2),
    "squat": Spec(kind="squat", count=3),
    "half_kneel": Spec(kind="half_kneel", side="right"),
    "walk": Spec(kind="walk", way="forward", count=5),
    "turn": Spec(kind="turn", angle=-90),
    "march": Spec(kind="march", count=6),
    "step_over": Spec(kind="step_over", side="left"),
    "jumping_jack": Spec(kind="jumping_jack", count=3),
    "happy_dance": Spec(kind="happy_dance", count=6, way="forward"),
    "salsa": Spec(kind="salsa", count=2, side="left"),
    "jump": Spec(kind="jump", count=2),
    "hop": Spec(kind="hop", side="left", count=2),
    "steps": Spec(kind="steps", way="backward", count=3),
    "walk_far": Spec(kind="walk_far", way="forward", count=100),
    "walk_turn": Spec(kind="walk_turn", angle=-90, count=2),
    "walk_pause": Spec(kind="walk_pause", way="forward", count=3),
    "hold_pose": Spec(kind="hold_pose", way="head", side="both", base="left", count=4),
    "stand": Spec(kind="stand", count=2),
    "one_leg": Spec(kind="one_leg", side="left", count=2),
    "twist": Spec(kind="twist", side="right"),
    "routine": Spec(kind="routine", way="salute", side="left"),
    "half_squat": Spec(kind="half_squat", count=2),
    "crouch": Spec(kind="crouch", count=2),
    "zigzag": Spec(kind="zigzag", side="left", count=3),
    "stomp": Spec(kind="stomp", side="right", count=4),
    "butt_kicks": Spec(kind="butt_kicks", count=6),
    "jog_place": Spec(kind="jog_place", count=8),
    "leg_out": Spec(kind="leg_out", way="back", side="left"),
    "lunge": Spec(kind="lunge", side="right"),
    "wide_stance": Spec(kind="wide_stance"),
    "side_to_side": Spec(kind="side_to_side", side="left", count=2),
    "posed": Spec(
        kind="posed",
        parts=(
            Spec(kind="hold_pose", way="hips", side="both"),
            Spec(kind="turn", angle=90),
        ),
    ),
    "sequence": Spec(
        kind="sequence",
        parts=(Spec(kind="turn", angle=90), Spec(kind="wave", side="left", count=2)),
    ),
}


@pytest.fixture(scope="module")
def made() -> dict[str, Authored]:
    return {a.spec.kind: a for a in author_many(list(EXAMPLES.values()))}


def palm_heights(made: Authored, side: str) -> np.ndarray:
    """Of the wrist above the shoulder, (T,) [m]."""
    poses = motion_kinematics(made.motion)
    wrist = poses.pos_w[:, BODY_INDEX[f"{side}_wrist_yaw_link"], 2]
    return wrist - poses.pos_w[:, BODY_INDEX[f"{side}_shoulder_roll_link"], 2]


def count_peaks(values: np.ndarray, above: float) -> int:
    """Stretches of a curve over a threshold."""
    over = np.concatenate(([False], values > above))
    return int((np.diff(over.astype(int)) == 1).sum())


def test_there_is_an_example_of_every_kind_of_the_corpus() -> None:
    assert set(EXAMPLES) == set(KINDS) - WRITTEN_ONLY


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_the_robot_can_do_every_kind(kind: str, made: dict[str, Authored]) -> None:
    motion = made[kind].motion
    report = check_motion(motion)
    assert report["self-penetration"].value < 0.01
    assert report["ground penetration"].value < 0.01
    assert report["foot skate"].value < 0.05
    assert report["joint range"].value == 0
    assert report["joint speed"].value < 0.65
    assert report.verdict == "pass"
    error = foot_errors(motion_kinematics(motion), made[kind].foot_pos)
    assert error.max() < 0.002
    assert judge(motion, measure_made(motion, error)) is not None


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_the_weight_stays_over_the_soles(kind: str, made: dict[str, Authored]) -> None:
    outside = outside_support(motion_kinematics(made[kind].motion))
    standing = outside[np.isfinite(outside)]
    if kind in ("butt_kicks", "lunge"):  # Heels are up for much of the time.
        assert np.mean(standing > 0.01) < 0.4
        return
    assert np.mean(standing > 0.01) < 0.12
    if kind not in ("step_over", "jumping_jack", "jump"):
        assert standing.max() < 0.03


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_every_motion_starts_and_ends_standing(
    kind: str, made: dict[str, Authored]
) -> None:
    motion = made[kind].motion
    assert 2.0 <= len(motion) / 50 <= 10.0
    for frame in (0, -1):
        assert motion.root_pos_w[frame, 2] == pytest.approx(0.755, abs=0.025)
    speed = np.abs(np.diff(motion.joint_pos, axis=0)).max(axis=1) * 50
    assert speed[0] < 0.2 and speed[-1] < 0.2


def test_equal_specs_give_equal_motions_whatever_their_company() -> None:
    specs = [Spec(kind="wave", side="left"), Spec(kind="walk", way="left", count=4)]
    together = list(author_many(specs))
    for spec, other in zip(specs, together, strict=True):
        assert author(spec).motion == other.motion


def test_another_take_is_another_motion() -> None:
    first, second = (author(Spec(kind="salute", side="left", take=t)) for t in (0, 1))
    assert first.id != second.id
    assert first.motion != second.motion


@pytest.mark.parametrize("side, other", [("left", "right"), ("right", "left")])
def test_the_hand_that_is_named_waves(side: str, other: str) -> None:
    wave = author(Spec(kind="wave", side=side, count=2))
    assert palm_heights(wave, side).max() > 0.05
    assert palm_heights(wave, other).max() < -0.1


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_wave_swings_as_often_as_it_says(count: int) -> None:
    wave = author(Spec(kind="wave", side="right", count=count))
    elbow = wave.motion.joint_pos[:, JOINT_INDEX["right_elbow_joint"]]
    roll = wave.motion.joint_pos[:, JOINT_INDEX["right_shoulder_roll_joint"]]
    assert count_peaks(np.where(roll < -1.1, elbow, -9.0), 0.15) == count


@pytest.mark.parametrize("count", [1, 3])
def test_hands_meet_as_often_as_it_says(count: int) -> None:
    clap = author(Spec(kind="clap", count=count, way="chest"))
    poses = motion_kinematics(clap.motion)
    hands = [BODY_INDEX[f"{side}_wrist_yaw_link"] for side in ("left", "right")]
    gap = np.linalg.norm(poses.pos_w[:, hands[0]] - poses.pos_w[:, hands[1]], axis=1)
    assert count_peaks(-gap, -0.16) == count


@pytest.mark.parametrize("count", [1, 2, 3])
def test_squats_bows_and_jacks_are_counted(count: int) -> None:
    squat = author(Spec(kind="squat", count=count)).motion
    assert count_peaks(-squat.root_pos_w[:, 2], -0.62) == count
    jack = author(Spec(kind="jumping_jack", count=count))
    assert count_peaks(palm_heights(jack, "left"), 0.3) == count
    bow = author(Spec(kind="bow", count=count)).motion
    pitch = 2 * np.arcsin(bow.root_quat_w[:, 2])
    assert count_peaks(pitch, 0.4) == count


@pytest.mark.parametrize("angle", [90, -90, 180, -45, 360])
def test_a_turn_is_as_wide_as_it_says(angle: int) -> None:
    motion = author(Spec(kind="turn", angle=angle)).motion
    assert np.degrees(relative_yaw(motion)[-1]) == pytest.approx(angle, abs=2.0)
    assert np.linalg.norm(motion.root_pos_w[-1, :2]) < 0.05


@pytest.mark.parametrize(
    "way, x, y",
    [
        ("forward", 1, 0),
        ("backward", -1, 0),
        ("left", 0, 1),
        ("right", 0, -1),
        ("forward-left", 1, 1),
        ("backward-right", -1, -1),
    ],
)
def test_a_walk_goes_where_it_says(way: str, x: int, y: int) -> None:
    motion = author(Spec(kind="walk", way=way, count=4)).motion
    went = motion.root_pos_w[-1]
    for value, sign in zip(went[:2], (x, y), strict=True):
        assert value * sign > 0.25 if sign else abs(value) < 0.05


def test_a_blow_reaches_ahead_and_comes_back() -> None:
    jab = author(Spec(kind="punch", side="right", way="jab", count=2))
    poses = motion_kinematics(jab.motion)
    pelvis = poses.pos_w[:, 0], poses.quat_w[:, 0]
    wrist = poses.pos_w[:, BODY_INDEX["right_wrist_yaw_link"]]
    ahead = quat_rotate_inverse(pelvis[1], wrist - pelvis[0])[:, 0]
    assert count_peaks(ahead, 0.36) == 2


def test_events_are_in_order_and_within_the_motion(made: dict[str, Authored]) -> None:
    for authored in made.values():
        starts = [event.start for event in authored.events]
        assert starts == sorted(starts)
        for event in authored.events:
            assert 0 <= event.start < event.end <= authored.motion.duration


def test_the_grid_is_large_and_without_repetition() -> None:
    specs = list(authored_specs(0))
    assert 1500 <= sum(not spec.free for spec in specs) <= 2500
    assert 2500 <= sum(spec.free and not spec.lesson for spec in specs) <= 4000
    assert 3500 <= sum(spec.lesson for spec in specs) <= 4500
    assert len({spec.id for spec in specs}) == len(specs)
    assert specs == list(authored_specs(0))
    assert set(Counter(spec.kind for spec in specs)) == set(KINDS) - WRITTEN_ONLY


def test_mirror_images_and_takes_share_a_group() -> None:
    spec = Spec(kind="walk", way="forward-left", count=4, side="", take=0)
    twin = Spec(kind="walk", way="forward-right", count=4, tempo=1.2, take=5)
    other = Spec(kind="walk", way="forward-left", count=5)
    assert spec.group == twin.group != other.group
    assert Spec(kind="turn", angle=90).group == Spec(kind="turn", angle=-90).group


@pytest.mark.slow
def test_every_spec_lasts_two_to_ten_seconds() -> None:
    for spec in authored_specs(0):
        assert 2.0 <= write(spec).duration <= 9.98, spec
