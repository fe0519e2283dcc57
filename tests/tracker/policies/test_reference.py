from __future__ import annotations

import numpy as np
import pytest

from tests.support.standing import ON_THE_FLOOR, standing
from texedo.core.errors import MotionError
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot import g1
from texedo.robot.collision import sole_clearance
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.tracker.policies.reference import Reference, start_errors, start_state


def _lowest_sole(qpos: np.ndarray) -> float:
    poses = forward_kinematics(qpos[:3], qpos[3:7], qpos[7:])
    return float(sole_clearance(BodyPoses(*poses)).min())


def test_a_robot_whose_feet_are_in_the_floor_is_lifted_onto_it() -> None:
    start = start_state(Reference(standing(5, height=ON_THE_FLOOR - 0.03)))
    assert start.lift == pytest.approx(0.03, abs=1e-3)
    assert _lowest_sole(start.qpos) == pytest.approx(0.0, abs=1e-9)


def test_a_robot_whose_feet_are_above_the_floor_stays_where_it_is() -> None:
    start = start_state(Reference(standing(5, height=ON_THE_FLOOR + 0.05)))
    assert start.lift == 0.0
    assert start.qpos[2] == pytest.approx(ON_THE_FLOOR + 0.05, abs=1e-6)


def test_velocities_are_the_differences_of_the_first_two_frames() -> None:
    qpos = np.zeros((3, 36))
    qpos[:, 2], qpos[:, 7:] = ON_THE_FLOOR, g1.KNEES_BENT
    qpos[:, 0] = [0.0, 0.02, 0.06]  # 2 cm in 20 ms: 1 m/s
    qpos[:, 7] += [0.0, 0.01, 0.01]  # 0.5 rad/s
    qpos[:, 3:7] = quat_from_yaw(np.pi / 2 + np.array([0.0, 0.04, 0.0]))  # 2 rad/s
    qvel = start_state(Reference(Motion.from_qpos(qpos))).qvel
    np.testing.assert_allclose(qvel[:3], [1.0, 0.0, 0.0], atol=1e-5)
    np.testing.assert_allclose(qvel[3:6], [0.0, 0.0, 2.0], atol=1e-4)
    np.testing.assert_allclose(qvel[6], 0.5, atol=1e-5)
    np.testing.assert_allclose(qvel[7:], 0.0, atol=1e-5)


def test_a_turn_rate_is_given_in_the_frame_of_the_pelvis() -> None:
    # Lying on the face, the pelvis's x axis points down: a yaw is a turn about -x.
    down = np.array([np.cos(np.pi / 4), 0.0, np.sin(np.pi / 4), 0.0])
    qpos = np.zeros((3, 36))
    qpos[:, 2], qpos[:, 3:7] = 0.4, down
    turned = np.array([down, *(_yawed(down, angle) for angle in (0.04, 0.08))])
    qpos[:, 3:7] = turned
    qvel = start_state(Reference(Motion.from_qpos(qpos))).qvel
    np.testing.assert_allclose(qvel[3:6], [-2.0, 0.0, 0.0], atol=1e-3)


def _yawed(quat: np.ndarray, angle: float) -> np.ndarray:
    from texedo.motion.rotations import quat_multiply

    return quat_multiply(quat_from_yaw(np.array(angle)), quat)


def test_two_frames_are_too_few() -> None:
    with pytest.raises(MotionError, match="at least 3 frames, got 2"):
        start_state(Reference(standing(2)))


@pytest.mark.parametrize(
    ("height", "message"),
    [
        (ON_THE_FLOOR - 0.3, "starts under the floor: .*foot.* 0.30 m below"),
        (-0.2, "starts under the floor: its pelvis is at -0.20 m"),
        (ON_THE_FLOOR + 0.4, "starts in mid-air: its lowest point is 0.40 m"),
    ],
)
def test_a_start_that_makes_no_sense_is_refused(height: float, message: str) -> None:
    with pytest.raises(MotionError, match=message):
        start_state(Reference(standing(5, height=height)))


def test_many_starts_are_checked_at_once_as_they_are_one_by_one() -> None:
    motions = [
        standing(5),
        standing(2),
        *(standing(5, height=ON_THE_FLOOR + h) for h in (-0.3, -1.0, 0.4, -0.05, 0.2)),
    ]
    wanted: list[str | None] = []
    for motion in motions:
        try:
            start_state(Reference(motion))
            wanted.append(None)
        except MotionError as error:
            wanted.append(str(error))
    assert start_errors(motions) == wanted
    assert [error is None for error in wanted] == [True, *[False] * 4, True, True]
    assert start_errors([]) == []
