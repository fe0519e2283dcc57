"""Postures that are written: what is held, for how long, and that the robot can."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.synth.author import Spec, motions_of
from texedo.motion import FPS
from texedo.robot.check import check_motion
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import motion_kinematics

WAYS = (
    "both=up",
    "both=side legs=squat seconds=4",
    "both=hip legs=half seconds=3",
    "legs=one leg=right way=knee seconds=3",
    "legs=one leg=left way=back lean=25 both=side",
    "legs=one leg=left way=side",
    "legs=one leg=right way=front",
    "legs=lunge leg=left both=side",
    "legs=aside leg=left both=side",
    "legs=kneel leg=right seconds=3",
    "tip=-24 left=up",
    "lean=85 both=floor legs=bent",
    "lean=-14",
    "twist=40 both=crossed",
    "legs=wide both=hip",
    "legs=tiptoe both=up",
    "legs=together both=belly",
)


def made(way: str = "", **fields: object) -> Spec:
    return Spec(kind="posture", way=way, **fields)  # type: ignore[arg-type]


def written(spec: Spec):  # type: ignore[no-untyped-def]
    (motion,) = motions_of([spec])
    return motion


def height_over_shoulder(motion, side: str) -> np.ndarray:  # type: ignore[no-untyped-def]
    poses = motion_kinematics(motion)
    wrist = poses.pos_w[:, BODY_INDEX[f"{side}_wrist_yaw_link"], 2]
    return wrist - poses.pos_w[:, BODY_INDEX[f"{side}_shoulder_roll_link"], 2]


@pytest.mark.parametrize("way", WAYS)
def test_the_robot_can_take_every_posture(way: str) -> None:
    motion = written(made(way))
    report = check_motion(motion)
    assert report["self-penetration"].value < 0.01
    assert report["ground penetration"].value < 0.012
    assert report["foot skate"].value < 0.05
    assert report["joint speed"].value < 0.65
    assert report.verdict != "fail"
    for frame in (0, -1):  # it stands before and after
        assert motion.root_pos_w[frame, 2] == pytest.approx(0.755, abs=0.025)


def test_it_is_held_for_as_long_as_it_says() -> None:
    for seconds in (2, 5, 8):
        motion = written(made(f"left=up seconds={seconds}"))
        up = height_over_shoulder(motion, "left") > 0.2
        assert seconds <= up.sum() / FPS <= seconds + 1.6
        assert not (height_over_shoulder(motion, "right") > 0).any()


def test_every_second_time_is_on_the_other_side() -> None:
    motion = written(made("left=up seconds=1", count=4, manner="swaps"))
    ups = []
    for side in ("left", "right"):
        up = np.concatenate(([False], height_over_shoulder(motion, side) > 0.2))
        ups.append(int((np.diff(up.astype(int)) == 1).sum()))
    assert ups == [2, 2]


def test_the_arms_do_theirs_in_a_posture_of_the_legs() -> None:
    wave = Spec(kind="wave", side="right", count=3)
    motion = written(made("legs=one leg=left way=low", parts=(wave,)))
    poses = motion_kinematics(motion)
    foot = poses.pos_w[:, BODY_INDEX["left_ankle_roll_link"], 2]
    lifted, waved = foot > 0.12, height_over_shoulder(motion, "right") > 0
    assert waved.sum() > FPS  # for more than a second
    assert (lifted & waved).sum() > 0.8 * waved.sum()


def test_a_trunk_that_leans_does_so_while_the_legs_go() -> None:
    pose = made("lean=28 both=back")
    deed = Spec(kind="walk", way="forward", count=4)
    motion = written(Spec(kind="posed", parts=(pose, deed)))
    assert motion.root_pos_w[-1, 0] > 0.4
    x, y = motion.root_quat_w[:, 1], motion.root_quat_w[:, 2]
    z, w = motion.root_quat_w[:, 3], motion.root_quat_w[:, 0]
    pitch = np.degrees(np.arcsin(np.clip(2 * (w * y - z * x), -1, 1)))
    assert np.median(pitch) == pytest.approx(28 * 0.4, abs=4)  # the waist does the rest


def test_who_is_to_stay_down_does_not_come_up_again() -> None:
    up = written(made("legs=squat"))
    down = written(made("legs=squat", manner="stays"))
    assert up.root_pos_w[-1, 2] == pytest.approx(0.755, abs=0.025)
    assert down.root_pos_w[-1, 2] < 0.55
    assert check_motion(down).verdict == "pass"
