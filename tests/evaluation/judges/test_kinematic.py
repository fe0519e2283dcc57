"""The judge that measures, on motions whose facts are known."""

import ast
from pathlib import Path

import numpy as np
import pytest

import texedo.evaluation.judges.kinematic as package
from tests.support.events_moves import Pose, bump, squat_angles, walk
from texedo.evaluation.judges.kinematic import KinematicJudge
from texedo.evaluation.judges.kinematic.lexicon import UNSEEN, actions, base
from texedo.evaluation.judges.kinematic.looks.deeds import LOOKS
from texedo.evaluation.judges.kinematic.parse import parse
from texedo.evaluation.judges.protocol import Category, Judge, Judgement, Label
from texedo.motion import Motion
from texedo.robot.mirror import mirror

JUDGE = KinematicJudge()


def labels(found: Judgement) -> dict[str, str]:
    return {unit.content: unit.label.value for unit in found.units}


def squats(number: int) -> Motion:
    pose = Pose().stand()
    for _ in range(number):
        pose = pose.phase(1.6, **squat_angles(1.0)).stand()
    return pose.motion()


def raising(side: str) -> Motion:
    up = {f"{side}_shoulder_pitch": lambda n: -2.9 * bump(n)}
    return Pose().stand().phase(1.6, **up).stand().motion()


def turning(degrees: float) -> Motion:
    return Pose().stand().phase(2.0, turn=np.radians(degrees)).stand().motion()


def backwards(motion: Motion) -> Motion:
    return Motion.from_qpos(motion.to_qpos()[::-1])


# Reading


def test_every_action_has_a_measure_or_says_that_it_has_none() -> None:
    assert {action.see for action in actions().values()} <= {*LOOKS, UNSEEN}


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("jumping", "jump"),
        ("hopped", "hop"),
        ("waves", "wave"),
        ("waving", "wave"),
        ("went", "go"),
        ("feet", "foot"),
        ("punches", "punch"),
        ("carries", "carry"),
    ],
)
def test_words_are_brought_to_their_base_form(word: str, form: str) -> None:
    assert base(word) == form


def test_a_prompt_is_taken_apart() -> None:
    walking, waving = parse("walk forward slowly, then wave twice with the left hand")
    assert (walking.action.name, walking.phase) == ("walk", 0)
    assert walking.values("way") == ["forward"] and walking.values("pace") == ["slow"]
    assert (waving.action.name, waving.phase) == ("wave", 1)
    assert waving.values("limb") == ["left arm"] and waving.values("count") == ["2"]


@pytest.mark.parametrize(
    "prompt",
    [
        "bow, then wave",
        "after bowing, wave",
        "wave after bowing",
        "before waving, bow",
        "bow before waving",
        "bow followed by a wave",
    ],
)
def test_orders_are_read_however_they_are_said(prompt: str) -> None:
    phase = {one.action.name: one.phase for one in parse(prompt)}
    assert phase["bow"] < phase["wave"]


def test_a_side_without_a_noun_is_of_the_limb_before_it() -> None:
    first, second = parse("raise the left arm, then the right")
    assert first.values("limb") == ["left arm"]
    assert (second.values("limb"), second.phase) == (["right arm"], 1)
    assert parse("turn to the right")[0].values("side") == ["right"]


def test_a_not_reaches_no_further_than_its_part_of_the_sentence() -> None:
    lifting = parse("stand still without moving before pulling up the left knee")[-1]
    assert lifting.action.name == "raise_knee" and not lifting.negated


def test_what_is_done_now_and_then_is_in_no_order() -> None:
    assert {one.phase for one in parse("walk, bowing now and then, and wave")} == {0}


def test_typos_are_put_right_before_reading() -> None:
    assert [one.action.name for one in parse("a persno jmups")] == ["jump"]


# Judging


def test_the_right_motion_scores_ten_and_an_unrelated_one_does_not() -> None:
    assert JUDGE.judge("walk forward", walk(6).motion()).score == 10
    assert (JUDGE.judge("do a squat", walk(6).motion()).score or 0) <= 3


def test_the_opposite_direction_scores_three_at_most() -> None:
    found = JUDGE.judge("a person walks forward", walk(6, stride=-0.35).motion())
    assert labels(found)["forward"] == "MISMATCH" and (found.score or 0) <= 3


def test_the_wrong_side_scores_lower() -> None:
    prompt, motion = "raise your left hand", raising("left")
    right = JUDGE.judge(prompt, motion)
    wrong = JUDGE.judge(prompt, mirror(motion))
    assert right.score == 10 and labels(wrong)["left arm"] == "MISMATCH"
    assert wrong.fine < right.fine


def test_a_wrong_number_is_a_mismatch() -> None:
    assert labels(JUDGE.judge("do two squats", squats(2)))["2 times"] == "MATCH"
    assert labels(JUDGE.judge("do two squats", squats(4)))["2 times"] == "MISMATCH"


def test_an_angle_may_be_off_by_little() -> None:
    prompt = "turn left 90 degrees"
    assert JUDGE.judge(prompt, turning(80)).score == 10
    assert labels(JUDGE.judge(prompt, turning(175)))["90 degrees"] == "MISMATCH"
    assert (JUDGE.judge(prompt, turning(-90)).score or 0) <= 3


def test_the_wrong_order_scores_lower() -> None:
    up = {"left_shoulder_pitch": lambda n: -2.9 * bump(n)}
    pose = Pose().stand().phase(1.6, **squat_angles(1.0)).stand()
    motion = pose.phase(1.6, **up).stand().motion()
    prompt = "squat, then raise the left arm"
    right, wrong = JUDGE.judge(prompt, motion), JUDGE.judge(prompt, backwards(motion))
    assert right.score == 10 and wrong.fine < right.fine
    assert [u.label for u in wrong.units if u.category is Category.TEMPORAL] == [
        Label.MISMATCH
    ]


def test_a_hand_that_is_up_more_is_the_raised_one() -> None:
    both = {
        "left_shoulder_pitch": lambda n: -2.9 * bump(n),
        "right_shoulder_pitch": lambda n: -1.9 * bump(n),
    }
    motion = Pose().stand().phase(1.6, **both).stand().motion()
    right = JUDGE.judge("raise the left hand", motion)
    wrong = JUDGE.judge("raise the left hand", mirror(motion))
    assert labels(right)["left arm"] == "MATCH" and wrong.fine < right.fine


def test_of_left_then_right_the_left_comes_first() -> None:
    pose = Pose().stand().phase(1.6, turn=1.5).stand().phase(1.6, turn=-1.5).stand()
    motion, prompt = pose.motion(), "turn left, then turn right"
    right, wrong = JUDGE.judge(prompt, motion), JUDGE.judge(prompt, mirror(motion))
    assert right.score == 10 and wrong.fine < right.fine


def test_the_same_label_has_grades() -> None:
    """A turn of 90 degrees is a better quarter than one of 75; both are a MATCH."""
    prompt = "turn left 90 degrees"
    exact, less = (JUDGE.judge(prompt, turning(angle)) for angle in (90, 75))
    assert exact.score == less.score == 10 and exact.fine > less.fine


def test_a_slight_lean_and_a_step_aside_have_their_side() -> None:
    motion = walk(6, stride=0.3).motion()
    qpos = motion.to_qpos().copy()
    qpos[:, 1] += np.linspace(0.0, 0.5, len(qpos))
    drifting = Motion.from_qpos(qpos)
    prompt = "walk forward, a little to the left"
    assert labels(JUDGE.judge(prompt, drifting))["left"] == "MATCH"
    assert labels(JUDGE.judge(prompt, mirror(drifting)))["left"] == "MISMATCH"


def test_what_must_not_be_done_is_looked_for_too() -> None:
    assert JUDGE.judge("turn around without walking", turning(180)).score == 10


def test_a_prompt_without_a_measurable_action_gets_no_score() -> None:
    found = JUDGE.judge("what is the capital of France?", walk(4).motion())
    assert found.score is None and not found.covered
    assert not JUDGE.covers("the man plays the violin")


def test_the_same_pair_is_judged_the_same() -> None:
    first = JUDGE.judge("walk forward", walk(4).motion())
    assert first == KinematicJudge().judge("walk forward", walk(4).motion())
    assert isinstance(JUDGE, Judge)


def test_the_judge_shares_no_rules_and_no_weights_with_the_verifiers() -> None:
    for path in Path(package.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith(
                    ("texedo.see", "texedo.data.captions", "torch")
                )
