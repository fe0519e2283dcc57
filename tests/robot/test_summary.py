"""What a motion does, against motions that were made to do it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.standing import ON_THE_FLOOR, standing
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot.g1 import JOINT_NAMES, KNEES_BENT
from texedo.robot.summary import count_jumps, idle_share, summarize


def moving(
    xy: NDArray[np.float64] | None = None,
    yaw: NDArray[np.float64] | None = None,
    lift: NDArray[np.float64] | None = None,
    frames: int = 101,
) -> Motion:
    """The bent-knees pose, carried along a path."""
    still = np.zeros(frames)
    path = np.zeros((frames, 2)) if xy is None else xy
    height = ON_THE_FLOOR + (still if lift is None else lift)
    return Motion(
        root_pos_w=np.concatenate((path, height[:, None]), axis=1),
        root_quat_w=quat_from_yaw(still if yaw is None else yaw),
        joint_pos=np.tile(KNEES_BENT, (frames, 1)),
    )


def test_there_and_back_again_is_no_displacement() -> None:
    t = np.linspace(0, 1, 101)
    there = np.stack((3 * t, 4 * t), axis=1)
    assert summarize(moving(there)).displacement == pytest.approx(5.0, abs=1e-5)
    back = np.concatenate((there[::2], there[::-2]))[:101]
    assert summarize(moving(back)).displacement == pytest.approx(0.0, abs=0.11)


def test_one_and_a_half_turns_to_the_right_are_minus_540_degrees() -> None:
    yaw = -np.linspace(0, 3 * np.pi, 101)
    assert summarize(moving(yaw=yaw)).turn == pytest.approx(-540.0, abs=0.01)


def test_an_arm_that_is_raised_takes_the_hand_above_the_head() -> None:
    low = standing(60, swing=0.0)
    joints = low.joint_pos.copy()
    joints[30:, JOINT_NAMES.index("left_shoulder_pitch_joint")] = -3.0
    high = Motion(
        root_pos_w=low.root_pos_w, root_quat_w=low.root_quat_w, joint_pos=joints
    )
    assert summarize(low).hand_height < 1.0
    assert summarize(high).hand_height > 1.2
    assert summarize(high).foot_height == pytest.approx(0.0, abs=0.005)


def test_a_robot_that_does_nothing_is_idle_all_the_time() -> None:
    summary = summarize(standing(100, swing=0.0))
    assert summary.idle_share == 1.0 and summary.jumps == 0
    assert summary.displacement == 0.0 and summary.turn == 0.0


def test_half_a_walk_is_half_idle() -> None:
    # 1 m/s for the first of two seconds.
    x = np.minimum(np.arange(101) / 50, 1.0)
    summary = summarize(moving(np.stack((x, 0 * x), axis=1)))
    assert summary.idle_share == pytest.approx(0.5, abs=0.03)


def test_a_tenth_of_a_metre_per_second_is_the_limit_of_standing_still() -> None:
    frames = np.arange(101)[:, None, None]
    along = np.array([1.0, 0.0, 0.0])
    assert idle_share(0.09 / 50 * frames * along) == 1.0
    assert idle_share(0.11 / 50 * frames * along) == 0.0
    # A millimetre to and fro from frame to frame is 5 cm/s each way, and no motion.
    assert idle_share(0.001 * (frames % 2) * along) == 1.0
    assert idle_share(np.zeros((2, 1, 3))) == 1.0


def test_a_jump_is_a_flight_from_both_feet_or_to_both_feet() -> None:
    t = np.clip((np.arange(101) - 40) / 20, 0, 1)  # In the air for 0.4 s.
    summary = summarize(moving(lift=0.2 * 4 * t * (1 - t)))
    assert summary.jumps == 1
    assert summary.foot_height == pytest.approx(0.2, abs=0.005)


def touching(*spans: tuple[str, int]) -> NDArray[np.bool_]:
    """Which soles touch the floor: `LR`, `L`, `R` or `` for so many frames."""
    rows = [["L" in feet, "R" in feet] for feet, count in spans for _ in range(count)]
    return np.array(rows)


@pytest.mark.parametrize(
    ("spans", "jumps"),
    [
        ([("LR", 20), ("", 10), ("LR", 20)], 1),
        ([("LR", 20), ("", 10), ("L", 20)], 1),
        ([("LR", 20), ("", 10), ("LR", 9), ("", 10), ("LR", 20)], 2),
        ([("LR", 20), ("", 4), ("LR", 20)], 0),  # 0.08 s are noise.
        ([("LR", 20), ("", 60), ("LR", 20)], 0),  # 1.2 s are hovering.
        ([("L", 20), ("", 8), ("R", 20), ("", 8), ("L", 20)], 0),  # A run.
        ([("L", 20), ("", 20), ("R", 20)], 1),  # 0.4 s: a leap.
        ([("L", 20), ("", 20), ("L", 20)], 0),  # A hop.
        ([("", 10), ("LR", 20), ("", 10)], 0),  # Cut off at both ends.
    ],
)
def test_strides_hops_and_noise_are_no_jumps(
    spans: list[tuple[str, int]], jumps: int
) -> None:
    assert count_jumps(touching(*spans)) == jumps


def test_names_say_their_units() -> None:
    assert summarize(standing(20, swing=0.0)).to_dict() == {
        "displacement_m": 0.0,
        "turn_deg": 0.0,
        "hand_height_m": pytest.approx(0.8, abs=0.2),
        "foot_height_m": pytest.approx(0.0, abs=0.005),
        "jumps": 0,
        "idle_share": 1.0,
    }
