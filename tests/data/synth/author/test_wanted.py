"""The third grid: single legs, poses that are kept, longer ways, and all of it in order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from texedo.data import events as ev
from texedo.data.captions.activities.scene import Scene
from texedo.data.corpus.splits import TEST, TRAIN, SplitCfg
from texedo.data.events import measure
from texedo.data.synth.author import Spec, author, spec_captions
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.requested import asked_for, fulfils
from texedo.data.synth.author.wanted import wanted_specs
from texedo.data.synth.compose.make import split_of, unlike_spec

WANTED = list(wanted_specs(0))


def free(kind: str, **fields: object) -> Spec:
    return Spec(kind=kind, free=True, **fields)  # type: ignore[arg-type]


def held(way: str, deed: Spec, side: str = "both") -> Spec:
    pose = Spec(kind="hold_pose", way=way, side=side)
    return free("posed", parts=(pose, deed))


def test_the_grid_is_the_same_every_time() -> None:
    assert [spec.id for spec in WANTED] == [spec.id for spec in wanted_specs(0)]
    assert len({spec.id for spec in WANTED}) > 4000


@pytest.mark.parametrize(
    "spec",
    [
        free("stomp", side="left", count=3),
        free("butt_kicks", count=6),
        free("jog_place", count=12),
        free("jog_place", way="high", count=8),
        free("leg_out", way="back", side="right"),
        free("lunge", side="left"),
        free("wide_stance", take=1),
        free("side_to_side", count=2),
        free("crouch", way="squat", count=2, take=1),
        free("jump", way="left", count=2),
        free("walk", way="forward", manner="soldier", count=6),
    ],
    ids=lambda spec: f"{spec.kind}-{spec.way or spec.manner}",
)
def test_what_is_asked_for_is_done(spec: Spec) -> None:
    assert asked_for(spec) is not None
    assert unlike_spec(author(spec)) == ""


def test_standing_is_no_butt_kick() -> None:
    still = Scene.of(author(free("stand", count=3)).motion)
    assert not fulfils(free("butt_kicks", count=6), still)


def test_who_crouches_and_stays_ends_low_and_the_other_does_not() -> None:
    ends = [
        author(free("crouch", count=1, take=take)).motion.root_pos_w[-1, 2]
        for take in (0, 1)
    ]
    assert ends[0] - ends[1] > 0.15


def test_hands_stay_on_the_hips_while_three_squats_are_done() -> None:
    made = author(held("hips", free("squat", count=3)))
    facts = measure(made.motion)
    assert sum(squat.count for squat in facts.of(ev.Squat)) == 3
    assert [event.side for event in facts.of(ev.HandOnHip)] == ["both"]  # type: ignore[attr-defined]


def test_a_pose_and_a_deed_are_told_together_and_the_deed_alone() -> None:
    said = phrases(held("crossed", free("turn", angle=90)))
    with_arms = [phrase for phrase in said if "arms" in phrase]
    assert 0 < len(said) - len(with_arms) < len(with_arms)


def test_an_about_face_takes_two_pairs_of_steps() -> None:
    made = author(free("turn", way="about", angle=180, manner="brisk"))
    facts = measure(made.motion)
    assert facts.turned == pytest.approx(180, abs=8)
    assert facts.steps <= 5
    assert any("about" in p for p in phrases(made.spec))


def test_a_jump_aside_goes_to_the_side_that_is_named() -> None:
    left = author(free("jump", way="left", count=2)).motion
    assert left.root_pos_w[-1, 1] > 0.25
    assert abs(left.root_pos_w[-1, 0]) < 0.1


def test_marching_on_the_spot_goes_nowhere() -> None:
    made = author(free("wave", side="right", count=2, base="march"))
    gone = made.motion.root_pos_w[-1, :2] - made.motion.root_pos_w[0, :2]
    assert np.linalg.norm(gone) < 0.15
    assert measure(made.motion).steps >= 4


def test_a_lesson_is_learned_from_and_what_it_shares_a_name_with_stays_withheld() -> (
    None
):
    squats = Spec(kind="squat", count=3)
    assert split_of(squats, SplitCfg()) == TEST
    lesson = held("hips", squats)
    assert split_of(lesson, SplitCfg()) == TEST
    assert split_of(Spec(**{**lesson.__dict__, "lesson": True}), SplitCfg()) == TRAIN


def test_no_group_of_a_lesson_is_in_a_test() -> None:
    splits: dict[str, set[str]] = {}
    for spec in WANTED:
        splits.setdefault(spec.group, set()).add(split_of(spec, SplitCfg()))
    assert all(len(found) == 1 for found in splits.values())
    lessons = {spec.group for spec in WANTED if spec.lesson}
    assert all(splits[group] == {TRAIN} for group in lessons)


def test_every_spec_has_captions_and_no_slot_is_left_open() -> None:
    kinds = Counter(spec.kind for spec in WANTED)
    for spec in WANTED[:: len(WANTED) // 300]:
        texts = spec_captions(spec)
        assert texts, spec
        assert not any(mark in text for text in texts for mark in "{}~"), spec
    assert kinds["sequence"] > 1000 and kinds["routine"] > 1000


def test_pairs_are_done_in_both_orders() -> None:
    pairs = {s.parts for s in WANTED if s.kind == "sequence" and len(s.parts) == 2}
    both = sum(parts[::-1] in pairs for parts in pairs)
    assert both / len(pairs) > 0.8
