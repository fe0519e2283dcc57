"""Right, partly, wrong: on motions whose facts are known."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.events_moves import Pose, bump, squat_angles, walk
from texedo.data.corpus.sample import load_sample
from texedo.evaluation.understanding.body import read_body
from texedo.evaluation.understanding.rules import (
    Clause,
    Compound,
    Rule,
    mirrored,
    parse_rule,
)
from texedo.evaluation.understanding.suite import all_prompts
from texedo.evaluation.understanding.verdict import Verdict, clause_holds, holds, judge
from texedo.motion import Motion
from texedo.robot.mirror import mirror

RIGHT, PARTLY, WRONG = Verdict.RIGHT, Verdict.PARTLY, Verdict.WRONG


def verdict(motion: Motion, *clauses: dict[str, Any]) -> Verdict:
    return judge(parse_rule(clauses), motion)


def raise_arm(pose: Pose, side: str) -> Pose:
    """One hand goes far above the head and comes down again."""
    up = {f"{side}_shoulder_pitch": lambda n: -2.9 * bump(n)}
    return pose.phase(1.6, **up, **{f"{side}_elbow": lambda n: 0.4 * bump(n)})


def turning(degrees: float) -> Motion:
    """On the spot, within two seconds."""
    return Pose().stand().phase(2.0, turn=np.radians(degrees)).stand().motion()


def back_to_front(motion: Motion) -> Motion:
    return Motion.from_qpos(motion.to_qpos()[::-1])


# Travel and turns


def test_walking_forward_is_right_and_backward_is_wrong() -> None:
    forward, backward = walk(6).motion(), walk(6, stride=-0.35).motion()
    clause = {"travel": {"to": "forward", "min": 0.6}}
    assert verdict(forward, clause) == RIGHT
    assert verdict(backward, clause) == WRONG
    assert verdict(backward, {"travel": {"to": "backward", "min": 0.4}}) == RIGHT
    assert verdict(turning(90), clause) == WRONG


def test_a_turn_by_an_angle_is_right_by_that_angle_and_partly_by_another() -> None:
    clause = {"turn": {"to": "left", "angle": 90}}
    assert verdict(turning(90), clause) == RIGHT
    assert verdict(turning(70), clause) == RIGHT
    assert verdict(turning(180), clause) == PARTLY
    assert verdict(turning(-90), clause) == WRONG
    assert verdict(turning(-180), {"turn": {"to": "any", "angle": 180}}) == RIGHT


def test_the_speed_is_a_manner_of_walking() -> None:
    slow = walk(6, seconds=1.2).motion()
    clauses = {"travel": {"to": "forward"}}, {"pace": {"above": 0.9}}
    assert verdict(slow, *clauses) == PARTLY
    assert verdict(slow, clauses[0], {"pace": {"below": 0.5}}) == RIGHT


@pytest.mark.parametrize("number", [2, 4, 6])
def test_steps_are_counted(number: int) -> None:
    motion = walk(number).motion()
    assert verdict(motion, {"steps": {"n": number}}) == RIGHT
    assert verdict(motion, {"steps": {"n": number + 2}}) == PARTLY


def test_who_stands_stands_still() -> None:
    quiet = Pose().stand(3.0).motion()
    assert verdict(quiet, {"still": {}}) == RIGHT
    assert verdict(walk(6).motion(), {"still": {}}) == WRONG
    assert verdict(quiet, {"no": {"travel": {"min": 0.3}}}, {"standing": {}}) == RIGHT


# Counts and sides


@pytest.mark.parametrize("number", [1, 2, 3])
def test_squats_are_counted(number: int) -> None:
    pose = Pose().stand()
    for _ in range(number):
        pose.phase(1.5, **squat_angles(0.9)).stand(0.4)
    assert verdict(pose.motion(), {"squat": {"n": number}}) == RIGHT
    assert verdict(pose.motion(), {"squat": {"n": number + 1}}) == PARTLY


@pytest.mark.parametrize("number", [1, 2])
def test_jumps_are_counted(number: int) -> None:
    pose = Pose().stand()
    for _ in range(number):
        pose.phase(0.5, lift=0.15).stand(0.4)
    assert verdict(pose.motion(), {"jump": {"n": number}}) == RIGHT
    assert verdict(pose.motion(), {"jump": {"n": number + 1}}) == PARTLY


def test_the_other_hand_is_partly_right() -> None:
    left = raise_arm(Pose().stand(), "left").stand().motion()
    clause = {"hand_up": {"side": "left", "level": "head"}}
    assert verdict(left, clause) == RIGHT
    assert verdict(mirror(left), clause) == PARTLY
    assert verdict(left, {"hand_up": {"side": "both"}}) == PARTLY
    assert verdict(walk(4).motion(), clause) == WRONG


# Order and time


def test_order_is_heeded_and_runs_backward_in_time() -> None:
    clauses = [{"hand_up": {"side": "left"}}], [{"hand_up": {"side": "right"}}]
    pose = raise_arm(raise_arm(Pose().stand(), "left").stand(), "right")
    motion = pose.stand().motion()
    assert verdict(motion, {"order": list(clauses)}) == RIGHT
    assert verdict(motion, {"order": list(clauses[::-1])}) == PARTLY
    assert verdict(back_to_front(motion), {"order": list(clauses)}) == PARTLY
    assert verdict(back_to_front(motion), {"order": list(clauses[::-1])}) == RIGHT


def test_one_of_two_actions_is_partly_right() -> None:
    order = {"order": [[{"travel": {"to": "forward"}}], [{"jump": {}}]]}
    assert verdict(walk(6).motion(), order) == PARTLY
    assert verdict(Pose().stand(3).motion(), order) == WRONG


def test_together_means_at_the_same_time() -> None:
    clause = {"together": [{"travel": {"min": 0.3}}, {"hand_up": {"side": "left"}}]}
    after = raise_arm(walk(6), "left").stand().motion()
    assert verdict(after, clause) == PARTLY
    qpos = walk(6).motion().to_qpos()
    while_raised = after.to_qpos()[len(qpos) + 40, 7:]
    qpos[:, 7 + 15 :] = while_raised[15:]
    assert verdict(Motion.from_qpos(qpos), clause) == RIGHT


# What must hold for any motion


def leaves(rule: Rule) -> list[Clause]:
    return [
        leaf
        for clause in rule
        for leaf in (
            [clause]
            if isinstance(clause, Clause)
            else [x for part in clause.lists for x in leaves(part)]
        )
    ]


def every_clause() -> Sequence[Clause]:
    rules = [prompt.rule for prompt in all_prompts() if prompt.rule is not None]
    return list(dict.fromkeys(leaf for rule in rules for leaf in leaves(rule)))


def test_in_a_mirror_every_judge_says_the_same_of_the_other_side() -> None:
    sample = load_sample()
    for i in range(len(sample)):
        motion = sample.motion(i)
        body, other = read_body(motion), read_body(mirror(motion))
        for clause in every_clause():
            assert clause_holds(clause, body) == clause_holds(
                clause.mirrored(), other
            ), (sample.clips[i].id, clause)


def test_place_and_heading_play_no_part() -> None:
    from texedo.motion.edit import place

    sample = load_sample()
    for i in range(0, len(sample), 4):
        motion = sample.motion(i)
        moved = place(motion, xy=np.array([3.0, -2.0]), yaw=2.5)
        body, other = read_body(motion), read_body(moved)
        for clause in every_clause():
            assert clause_holds(clause, body) == clause_holds(clause, other), clause


REVERSED = {"forward": "backward", "backward": "forward", "left": "right"}
REVERSED |= {"right": "left", "any": "any"}
TIMELESS = (
    "squat",
    "hand_up",
    "low",
    "arms_crossed",
    "stance",
    "balance",
    "reach_down",
)


def reversed_in_time(clause: Clause) -> Clause:
    arguments = dict(clause.arguments)
    if clause.judge in ("travel", "turn"):
        arguments["to"] = REVERSED[arguments.get("to", "any")]
    return Clause(clause.judge, tuple(arguments.items()))


def test_backward_in_time_ways_and_turns_are_the_other_way() -> None:
    sample = load_sample()
    clauses = [c for c in every_clause() if c.judge in (*TIMELESS, "travel", "turn")]
    assert len(clauses) >= 60
    for i in range(len(sample)):
        motion = sample.motion(i)
        body, other = read_body(motion), read_body(back_to_front(motion))
        for clause in clauses:
            assert clause_holds(clause, body) == clause_holds(
                reversed_in_time(clause), other
            ), (sample.clips[i].id, clause)


def test_backward_in_time_an_order_is_the_other_order() -> None:
    one = parse_rule([{"travel": {"to": "forward", "min": 0.4}}])
    two = parse_rule([{"turn": {"to": "left", "min": 30}}])
    order = (Compound("order", (one, two)),)
    back = tuple(reversed_in_time(c) for c in two), tuple(map(reversed_in_time, one))
    other = (Compound("order", back),)
    sample = load_sample()
    seen = 0
    for i in range(len(sample)):
        motion = sample.motion(i)
        done = holds(order, read_body(motion))
        assert done == holds(other, read_body(back_to_front(motion)))
        assert done == holds(mirrored(order), read_body(mirror(motion)))
        seen += done
    assert 0 < seen < len(sample)


def test_two_frames_can_be_judged_by_every_rule() -> None:
    short = Motion.from_qpos(Pose().stand().motion().to_qpos()[:2])
    body = read_body(short)
    for prompt in all_prompts():
        if prompt.rule is not None:
            assert judge(prompt.rule, body) in tuple(Verdict)
