"""What a motion did, by rules, against motions that were written down by hand."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.generators import StandingGenerator
from tests.support.standing import standing
from texedo.evaluation.generation import Bench
from texedo.evaluation.words import CONTRASTS, deeds_of, words_report
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot.g1 import JOINT_INDEX
from texedo.robot.mirror import mirror

RULES = {pair.one: pair.rule for pair in CONTRASTS}
STILL = standing(101, swing=0.0).to_qpos().astype(np.float64)


def moving(*, along: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0) -> Motion:
    """Two seconds of gliding by so many metres, seen from a robot that faces `yaw`."""
    qpos = STILL.copy()
    qpos[:, :2] += np.linspace(0.0, 1.0, 101)[:, None] * along
    qpos[:, 3:7] = quat_from_yaw(np.full(101, yaw))
    return Motion.from_qpos(qpos)


def turning(degrees: float) -> Motion:
    qpos = STILL.copy()
    qpos[:, 3:7] = quat_from_yaw(np.radians(np.linspace(10.0, 10.0 + degrees, 101)))
    return Motion.from_qpos(qpos)


def bending(joint: str, angle: float, *, frames: int) -> Motion:
    """One joint goes to `angle` within so many frames and stays there."""
    qpos = STILL.copy()
    column = 7 + JOINT_INDEX[joint]
    share = np.minimum(np.arange(101) / frames, 1.0)
    qpos[:, column] += (angle - qpos[0, column]) * share
    return Motion.from_qpos(qpos)


def test_who_faces_north_and_goes_north_goes_ahead() -> None:
    deeds = deeds_of(moving(along=(0.0, 0.8), yaw=np.pi / 2))
    assert (deeds.ahead, deeds.aside) == (
        pytest.approx(0.8),
        pytest.approx(0.0, abs=1e-6),
    )
    assert RULES["a person walks forward."](deeds) == 1
    assert RULES["a person moves sideways to the left."](deeds) == 0


def test_who_faces_east_and_goes_north_goes_to_the_left() -> None:
    deeds = deeds_of(moving(along=(0.0, 0.5)))
    assert (deeds.ahead, deeds.aside) == (
        pytest.approx(0.0, abs=1e-6),
        pytest.approx(0.5),
    )
    assert RULES["a person moves sideways to the left."](deeds) == 1


def test_backward_is_the_other_sentence() -> None:
    assert RULES["a person walks forward."](deeds_of(moving(along=(-0.6, 0.0)))) == -1


@pytest.mark.parametrize(("degrees", "turn", "circle"), [(200, 1, 1), (40, 1, 0)])
def test_turns_are_counted_all_the_way_round(
    degrees: float, turn: int, circle: int
) -> None:
    for sign in (1, -1):
        deeds = deeds_of(turning(sign * degrees))
        assert deeds.turned == pytest.approx(np.radians(sign * degrees))
        assert RULES["a person turns left."](deeds) == sign * turn
        name = "a person walks in a circle counterclockwise."
        assert RULES[name](deeds) == sign * circle


def test_twenty_degrees_are_no_turn() -> None:
    assert RULES["a person turns left."](deeds_of(turning(20.0))) == 0


def test_an_arm_over_the_head_is_raised_and_no_kick() -> None:
    deeds = deeds_of(bending("left_shoulder_pitch_joint", -2.8, frames=50))
    assert deeds.hands[0] > 0.4 > 0.1 > deeds.hands[1]
    assert RULES["a person raises the left arm."](deeds) == 1
    assert RULES["a person kicks with the left foot."](deeds) == 0


def test_a_quick_arm_punches_and_a_slow_one_does_not() -> None:
    joint = "right_shoulder_pitch_joint"
    for frames, verdict in ((8, -1), (100, 0)):
        deeds = deeds_of(bending(joint, -1.4, frames=frames))
        assert RULES["a person punches with the left hand."](deeds) == verdict


def test_a_thigh_at_the_horizontal_kicks() -> None:
    deeds = deeds_of(bending("right_hip_pitch_joint", -1.6, frames=25))
    assert RULES["a person kicks with the left foot."](deeds) == -1


def test_a_mirror_exchanges_the_sentences_of_a_side() -> None:
    lively = [
        moving(along=(0.0, 0.5)),
        turning(200.0),
        bending("left_shoulder_pitch_joint", -2.8, frames=8),
        bending("left_hip_pitch_joint", -1.6, frames=25),
    ]
    for motion in lively:
        one, other = deeds_of(motion), deeds_of(mirror(motion))
        for pair in CONTRASTS:
            sign = -1 if "left" in pair.one or "circle" in pair.one else 1
            assert pair.rule(other) == sign * pair.rule(one), pair.one


def test_who_stands_does_none_of_it(tmp_path: Path) -> None:
    bench = Bench(generator=StandingGenerator(), policy=None, folder=tmp_path)
    report = words_report(bench, n=2)
    assert len(report["rows"]) == 19
    assert report["rows"]["mean"] == {"done": 0.0, "opposite": 0.0}
