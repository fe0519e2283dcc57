"""Rules of physics: who stays off the floor falls, and who rests is over the soles."""

import numpy as np
import pytest

from texedo.data.corpus.screening import ScreenCfg, floating, unsupported
from texedo.robot.collision import sole_clearance
from texedo.robot.g1 import KNEES_BENT, KNEES_BENT_HEIGHT
from texedo.robot.kinematics import BodyPoses, forward_kinematics

CFG = ScreenCfg()


def standing(frames: int = 100) -> np.ndarray:
    path = np.zeros((frames, 36))
    path[:, 2], path[:, 3], path[:, 7:] = KNEES_BENT_HEIGHT, 1.0, KNEES_BENT
    return path


def poses_of(path: np.ndarray) -> BodyPoses:
    return forward_kinematics(path[:, :3], path[:, 3:7], path[:, 7:])


def floats(path: np.ndarray) -> np.ndarray:
    poses = poses_of(path)
    return floating(poses, sole_clearance(poses).min(axis=-1), CFG)


@pytest.mark.parametrize(("frames", "marked"), [(18, 0), (19, 19), (40, 40)])
def test_hanging_4_cm_above_the_floor_is_floating_after_0_35_s(
    frames: int, marked: int
) -> None:
    path = standing()
    path[30 : 30 + frames, 2] += 0.04
    assert floats(path).sum() == marked


def test_a_jump_of_half_a_second_is_no_floating() -> None:
    path = standing()
    time = np.arange(25) / 50
    path[30:55, 2] += 9.81 / 2 * time * (0.5 - time)
    assert not floats(path).any()


def test_a_foot_2_cm_above_the_floor_is_within_what_a_recording_may_err() -> None:
    path = standing()
    path[:, 2] += 0.02
    assert not floats(path).any()


def leaning(angle: float, frames: int) -> np.ndarray:
    """Tilted forwards about the middle of the soles for some frames."""
    path = standing()
    part = slice(30, 30 + frames)
    path[part, 3], path[part, 5] = np.cos(angle / 2), np.sin(angle / 2)
    path[part, 0] += KNEES_BENT_HEIGHT * np.sin(angle)
    lift = sole_clearance(poses_of(path)).min(axis=-1)
    path[:, 2] -= lift
    return path


def test_who_leans_on_nothing_for_a_second_is_unsupported() -> None:
    marked = unsupported(poses_of(leaning(0.6, 60)), CFG)
    assert marked[40:80].all() and not marked[:28].any()


@pytest.mark.parametrize(("angle", "frames"), [(0.6, 20), (0.05, 60)])
def test_a_moment_or_a_slight_lean_is_fine(angle: float, frames: int) -> None:
    assert not unsupported(poses_of(leaning(angle, frames)), CFG).any()


def test_one_frame_is_judged_without_derivatives() -> None:
    assert not unsupported(poses_of(standing(1)), CFG).any()
    assert not floats(standing(1)).any()
