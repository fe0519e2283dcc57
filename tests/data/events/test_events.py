"""What is measured of motions whose facts are known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.events_moves import Pose, bump, ramp, squat_angles, walk
from tests.support.motions import random_motion
from texedo.data.events import (
    ArmRaise,
    Bow,
    Circle,
    Crouch,
    Event,
    Facts,
    HandToHead,
    Jump,
    Kick,
    KneeRaise,
    Lean,
    Punch,
    Squat,
    Still,
    Travel,
    Turn,
    Twist,
    Wave,
    direction_of,
    measure,
    mirror_facts,
)
from texedo.data.events.measure import measure_as_is
from texedo.data.events.spans import Span, hysteresis, spans, turning_points
from texedo.motion import Motion
from texedo.robot.mirror import mirror


def only(facts: Facts, kind: type[Event]) -> Event:
    found = list(facts.of(kind))
    assert len(found) == 1, f"{len(found)} of {kind.__name__}: {facts.events}"
    return found[0]


def test_standing_still_is_still_and_nothing_else() -> None:
    facts = measure(Pose().stand(3.0).motion())
    assert [type(event) for event in facts.events] == [Still]
    assert facts.steps == 0
    assert facts.distance < 0.01


@pytest.mark.parametrize("steps", [2, 3, 5, 8])
def test_steps_are_counted(steps: int) -> None:
    facts = measure(walk(steps).motion())
    travel = only(facts, Travel)
    assert isinstance(travel, Travel)
    assert (travel.direction, travel.steps, travel.gait) == ("forward", steps, "walk")
    assert travel.straight
    assert not facts.has(Turn)


def test_walking_backward_is_backward() -> None:
    travel = only(measure(walk(4, stride=-0.3).motion()), Travel)
    assert isinstance(travel, Travel)
    assert (travel.direction, travel.steps) == ("backward", 4)


def test_the_distance_is_that_of_the_pelvis() -> None:
    motion = walk(6).motion()
    moved = float(motion.root_pos_w[-1, 0] - motion.root_pos_w[0, 0])
    travel = only(measure(motion), Travel)
    assert isinstance(travel, Travel)
    assert travel.distance == pytest.approx(moved, rel=0.1)


@pytest.mark.parametrize("degrees", [45, 90, 180, 360, -90, -270])
def test_a_turn_has_its_side_and_its_angle(degrees: int) -> None:
    seconds = 1.0 + abs(degrees) / 120
    motion = Pose().stand(0.8).phase(seconds, turn=np.radians(degrees)).stand(0.8)
    turn = only(measure(motion.motion()), Turn)
    assert isinstance(turn, Turn)
    assert turn.side == ("left" if degrees > 0 else "right")
    assert turn.angle == pytest.approx(abs(degrees), abs=8)
    assert not turn.travelling


def test_hips_that_twist_over_planted_feet_do_not_turn() -> None:
    pose = Pose().stand()
    for sign in (1, -1, 1, -1):
        pose.phase(0.8, waist_yaw=lambda n, s=sign: s * 0.7 * bump(n))
    facts = measure(pose.stand().motion())
    assert not facts.has(Turn)
    assert facts.has(Twist)


def hips_turn(*degrees: float, follow: float) -> Facts:
    """Hips that turn so far, one after the other, over feet that make a part of it."""
    pose = Pose().stand()
    held = 0.0
    for angle in degrees:
        lag, before = -(1 - follow) * np.radians(angle), held
        held += lag
        hips = {
            f"{side}_hip_yaw": lambda n, a=before, b=lag: a + b * ramp(n)
            for side in ("left", "right")
        }
        pose.phase(1.2, turn=np.radians(angle), **hips)
    still = {
        f"{side}_hip_yaw": lambda n, a=held: np.full(n, a) for side in ("left", "right")
    }
    return measure(pose.phase(0.8, **still).motion())


def test_hips_that_stay_turned_have_turned_though_the_feet_lag_behind() -> None:
    turn = only(hips_turn(-80, follow=0.3), Turn)
    assert isinstance(turn, Turn)
    assert turn.side == "right"
    assert turn.angle == pytest.approx(80, abs=8)


def test_hips_that_come_back_or_leave_the_feet_where_they_are_do_not_turn() -> None:
    assert not hips_turn(80, -80, follow=0.3).has(Turn)
    assert not hips_turn(80, follow=0.05).has(Turn)
    assert not hips_turn(50, follow=0.3).has(Turn)


def test_a_swing_that_was_undone_is_not_a_second_turn() -> None:
    turn = only(hips_turn(80, -80, 80, follow=0.3), Turn)
    assert isinstance(turn, Turn)
    assert turn.side == "left"


@pytest.mark.parametrize(("lift", "gait"), [(0.0, "walk"), (0.03, "run")])
def test_who_leaves_the_floor_at_speed_runs(lift: float, gait: str) -> None:
    # 0.25 s a step at 1.4 m/s: flights too low and short to be jumps make it a run.
    motion = walk(12, stride=0.3, seconds=0.25).motion()
    root = motion.root_pos_w.copy()
    root[30:-30, 2] += lift * (np.arange(len(root) - 60) % 12 < 2)
    travel = only(
        measure(
            Motion(
                root_pos_w=root,
                root_quat_w=motion.root_quat_w,
                joint_pos=motion.joint_pos,
            )
        ),
        Travel,
    )
    assert isinstance(travel, Travel)
    assert 1.1 < travel.speed < 1.7
    assert travel.gait == gait


@pytest.mark.parametrize("count", [1, 2, 3])
def test_squats_are_counted(count: int) -> None:
    pose = Pose().stand()
    for _ in range(count):
        pose.phase(1.6, **squat_angles(1.0))
    squat = only(measure(pose.stand().motion()), Squat)
    assert isinstance(squat, Squat)
    assert squat.count == count
    assert 0.2 < squat.depth < 0.6


def test_staying_low_is_a_crouch() -> None:
    pose = Pose().stand()
    for curve in (ramp, np.ones, lambda n: 1 - ramp(n)):
        angles = {
            f"{side}_{joint}": (lambda n, c=curve, k=scale: k * c(n))
            for side in ("left", "right")
            for joint, scale in (("hip_pitch", -1.0), ("knee", 2.0))
        }
        pose.phase(4.0 if curve is np.ones else 0.8, **angles)
    facts = measure(pose.stand().motion())
    assert facts.has(Crouch)
    assert not facts.has(Squat)


@pytest.mark.parametrize("count", [1, 3])
def test_jumps_are_counted(count: int) -> None:
    pose = Pose().stand()
    for _ in range(count):
        # A flight of 0.4 s reaches 0.2 m at 9.8 m/s^2.
        pose.phase(0.4, lift=0.2).stand(0.5)
    jump = only(measure(pose.motion()), Jump)
    assert isinstance(jump, Jump)
    assert (jump.count, jump.counted, jump.direction) == (count, True, None)
    assert jump.height > 0.15


def test_a_motion_that_floats_does_not_jump() -> None:
    # As high and as long in the air as a jump, but it hovers: a capture that lost the
    # floor.
    frames = 40
    pose = Pose().stand().phase(frames / 50).stand()
    pose.lift[30 : 30 + frames] = list(0.1 * np.ones(frames))
    assert not measure(pose.motion()).has(Jump)


def test_a_jump_may_turn() -> None:
    pose = Pose().stand().phase(0.45, lift=0.25, turn=np.pi).stand(0.8)
    jump = only(measure(pose.motion()), Jump)
    assert isinstance(jump, Jump)
    assert jump.turn == "left"
    assert jump.turn_angle == pytest.approx(180, abs=20)


@pytest.mark.parametrize(
    ("pitch", "level"),
    [(-2.8, "overhead"), (-1.7, "shoulder")],
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_raised_hand_has_its_side_and_height(
    side: str, pitch: float, level: str
) -> None:
    elbow = {f"{side}_elbow": lambda n: 0.3 * bump(n)}
    angles = {f"{side}_shoulder_pitch": lambda n: pitch * bump(n), **elbow}
    facts = measure(Pose().stand().phase(2.4, **angles).stand().motion())
    up = only(facts, ArmRaise)
    assert isinstance(up, ArmRaise)
    assert (up.side, up.level, up.count, up.lowers) == (side, level, 1, True)
    assert not facts.has(Wave)


def test_two_hands_that_rise_together_are_both() -> None:
    angles = {
        f"{side}_shoulder_pitch": lambda n: -2.8 * bump(n) for side in ("left", "right")
    }
    up = only(measure(Pose().stand().phase(2.4, **angles).stand().motion()), ArmRaise)
    assert isinstance(up, ArmRaise)
    assert up.side == "both"


@pytest.mark.parametrize("swings", [3, 5])
def test_waves_are_counted(swings: int) -> None:
    up = {"right_shoulder_pitch": lambda n: -2.4 * ramp(n)}
    down = {"right_shoulder_pitch": lambda n: -2.4 * (1 - ramp(n))}
    pose = Pose().stand().phase(0.6, **up)
    pose.phase(
        0.6 * swings,
        right_shoulder_pitch=lambda n: np.full(n, -2.4),
        right_shoulder_roll=lambda n: (
            0.35 * np.sin(np.linspace(0, 2 * np.pi * swings, n))
        ),
    )
    wave = only(measure(pose.phase(0.6, **down).stand().motion()), Wave)
    assert isinstance(wave, Wave)
    assert (wave.side, wave.count) == ("right", swings)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_kick_is_fast_and_straight_and_a_raised_knee_is_not(side: str) -> None:
    plant = 1 if side == "left" else 0
    kick = {f"{side}_hip_pitch": lambda n: -1.4 * bump(n)}
    knee = {
        f"{side}_hip_pitch": lambda n: -1.5 * bump(n),
        f"{side}_knee": lambda n: 1.6 * bump(n),
    }
    kicked = measure(
        Pose().phase(0.6, plant=plant).phase(0.7, plant=plant, **kick).stand().motion()
    )
    event = only(kicked, Kick)
    assert isinstance(event, Kick)
    assert (event.side, event.count, event.way) == (side, 1, "front")
    raised = measure(
        Pose().phase(0.6, plant=plant).phase(1.6, plant=plant, **knee).stand().motion()
    )
    lifted = only(raised, KneeRaise)
    assert isinstance(lifted, KneeRaise)
    assert (lifted.side, lifted.count) == (side, 1)
    assert not raised.has(Kick)


@pytest.mark.parametrize("side", ["left", "right"])
def test_punches_are_counted_by_side(side: str) -> None:
    guard = {
        f"{side}_shoulder_pitch": lambda n: -0.6 * np.ones(n),
        f"{side}_elbow": lambda n: -1.9 * np.ones(n),
    }
    pose = Pose().stand().phase(0.4, **guard)
    for _ in range(2):
        pose.phase(
            0.4,
            **{
                f"{side}_shoulder_pitch": lambda n: -0.6 - 0.9 * bump(n),
                f"{side}_elbow": lambda n: -1.9 + 2.1 * bump(n),
            },
        ).phase(0.3, **guard)
    punch = only(measure(pose.stand().motion()), Punch)
    assert isinstance(punch, Punch)
    assert (punch.side, punch.count, punch.kind) == (side, 2, "jab")


def test_a_bow_is_counted_and_measured() -> None:
    pose = Pose().stand()
    for _ in range(2):
        pose.phase(1.6, lean=lambda n: 0.8 * bump(n))
    bow = only(measure(pose.stand().motion()), Bow)
    assert isinstance(bow, Bow)
    assert bow.count == 2
    assert bow.angle == pytest.approx(np.degrees(0.8), abs=5)


def test_leaning_to_the_left_is_to_the_left() -> None:
    pose = Pose().stand().phase(2.0, waist_roll=lambda n: -0.5 * bump(n)).stand()
    lean = only(measure(pose.motion()), Lean)
    assert isinstance(lean, Lean)
    assert lean.side == "left"


def test_facts_of_the_mirror_image_are_mirrored_to_the_last_bit() -> None:
    motions = [random_motion(seed, 200) for seed in range(12)]
    motions += [walk(5).motion(), Pose().stand().phase(2.0, turn=2.0).motion()]
    for motion in motions:
        assert measure(mirror(motion)) == mirror_facts(measure(motion))


def test_the_measurements_themselves_know_no_left_and_right() -> None:
    # `measure` is exact by choosing one of the two; this is what it chooses from. The
    # robot's own left and right differ in the fifth digit, so that a motion of noise may
    # cross a threshold on one side only: most must agree, and all of ours.
    pose = Pose().stand().phase(2.4, left_shoulder_pitch=lambda n: -2.8 * bump(n))
    for motion in (walk(5).motion(), pose.stand().motion()):
        assert _kinds(measure_as_is(mirror(motion))) == _kinds(
            mirror_facts(measure_as_is(motion))
        )


def _kinds(facts: Facts) -> list[tuple[str, str]]:
    return [(type(e).__name__, str(getattr(e, "side", ""))) for e in facts.events]


def test_times_lie_within_the_motion_and_events_are_in_order() -> None:
    for seed in range(6):
        facts = measure(random_motion(seed, 150))
        starts = [event.start for event in facts.events]
        assert starts == sorted(starts)
        assert all(0 <= e.start <= e.end <= facts.duration for e in facts.events)


@pytest.mark.parametrize("frames", [2, 3, 10, 40])
def test_very_short_motions_are_measured_too(frames: int) -> None:
    facts = measure(random_motion(0, frames))
    assert facts.duration == pytest.approx(frames / 50)


def test_directions_are_counterclockwise_from_ahead() -> None:
    assert direction_of(1, 0) == "forward"
    assert direction_of(0, 1) == "left"
    assert direction_of(-1, -1) == "backward-right"


def test_spans_bridge_gaps_and_drop_what_is_short() -> None:
    mask = np.array([1, 1, 0, 1, 0, 0, 0, 0, 1], dtype=bool)
    assert spans(mask) == [Span(0, 2), Span(3, 4), Span(8, 9)]
    assert spans(mask, max_gap=1 / 50) == [Span(0, 4), Span(8, 9)]
    assert spans(mask, max_gap=1 / 50, min_seconds=2 / 50) == [Span(0, 4)]


def test_hysteresis_keeps_what_somewhere_reaches_the_upper_threshold() -> None:
    values = np.array([0.0, 0.6, 1.2, 0.6, 0.0, 0.6, 0.0])
    assert hysteresis(values, on=1.0, off=0.5).tolist() == [
        False, True, True, True, False, False, False,
    ]  # fmt: skip


def test_turning_points_alternate_and_ignore_small_swings() -> None:
    values = np.array([0.0, 1.0, 0.95, 1.1, 0.0, 0.05, 0.0, 1.0])
    found = [(p.frame, p.top) for p in turning_points(values, 0.5)]
    assert found == [(0, False), (3, True), (4, False), (7, True)]
    assert turning_points(np.zeros(5), 0.1) == []


def test_a_circle_and_its_side_are_seen() -> None:
    # A body that glides around on a circle of 1 m, facing along it, feet stepping.
    pose = walk(2)
    motion = pose.motion()
    frames = 400
    angle = np.linspace(0, 2 * np.pi, frames)
    root = np.stack((np.sin(angle), 1 - np.cos(angle)), axis=1)
    qpos = np.repeat(motion.to_qpos()[:1], frames, axis=0)
    qpos[:, :2] = root
    qpos[:, 3], qpos[:, 6] = np.cos(angle / 2), np.sin(angle / 2)
    circle = only(measure(type(motion).from_qpos(qpos)), Circle)
    assert isinstance(circle, Circle)
    assert circle.side == "left"
    assert circle.radius == pytest.approx(1.0, rel=0.1)


def test_a_hand_at_the_head_is_seen() -> None:
    angles = {
        "left_shoulder_pitch": lambda n: -1.9 * bump(n),
        "left_shoulder_yaw": lambda n: -0.6 * bump(n),
        "left_elbow": lambda n: -1.9 * bump(n),
    }
    facts = measure(Pose().stand().phase(3.0, **angles).stand().motion())
    head = only(facts, HandToHead)
    assert isinstance(head, HandToHead)
    assert head.side == "left"
