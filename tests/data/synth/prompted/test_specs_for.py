"""Sentences as specs of motions that can be written: sides, counts, angles, order."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.core.errors import FileFormatError
from texedo.data import events as ev
from texedo.data.captions.asked.patterns import reading_requests
from texedo.data.events import measure
from texedo.data.synth.author import Spec, motions_of
from texedo.data.synth.prompted import specs_for, told
from texedo.data.synth.prompted.table import read_way, with_side


def first(text: str) -> Spec:
    return specs_for(text, number=1)[0]


def parts(text: str) -> list[tuple[str, str, str, int, int]]:
    (spec,) = specs_for(text, number=1)
    return [(p.kind, p.way, p.side, p.count, p.angle) for p in spec.parts or (spec,)]


@pytest.mark.parametrize(
    "text, kind, fields",
    [
        ("a person does three squats", "squat", {"count": 3}),
        ("a person hops on the left foot four times", "hop", {"side": "left", "count": 4}),
        ("a person stomps their right foot twice", "stomp", {"side": "right", "count": 2}),
        ("a person turns left by 45 degrees", "turn", {"angle": 45}),
        ("a person turns to the right", "turn", {"angle": -90}),
        ("a person spins two full turns to the left", "turn", {"angle": 720}),
        ("a person walks two meters forward", "walk_far", {"way": "forward", "count": 200}),
        ("a person takes four steps backward", "steps", {"way": "backward", "count": 4}),
        ("a person walks in a circle clockwise", "walk", {"angle": -360}),
        ("a person walks slowly forward", "walk", {"manner": "slow", "way": "forward"}),
        ("a person salutes with the left hand", "routine", {"way": "salute", "side": "left"}),
        ("a person waves with the right hand", "wave", {"side": "right"}),
    ],
)  # fmt: skip
def test_one_thing_is_one_spec_with_its_side_count_and_angle(
    text: str, kind: str, fields: dict[str, object]
) -> None:
    spec = first(text)
    assert spec.kind == kind
    assert {name: getattr(spec, name) for name in fields} == fields


def test_steps_come_in_their_order() -> None:
    assert parts("a person takes two steps forward, turns to the left and bows") == [
        ("steps", "forward", "", 2, 0),
        ("turn", "", "", 1, 90),
        ("bow", "", "", 1, 0),
    ]


def test_what_ends_a_thing_is_no_thing_of_its_own() -> None:
    text = "a person hops on the right foot twice, then stands still"
    assert parts(text) == [("hop", "", "right", 2, 0)]
    assert parts("a person stands still")[0][0] == "stand"


def test_arms_do_theirs_while_the_legs_go() -> None:
    spec = first("a person walks backward while waving with the left hand")
    assert (spec.kind, spec.side, spec.base) == ("wave", "left", "backward")
    spec = first("a person squats with their hands on their hips")
    assert spec.kind == "posed"
    assert [(p.kind, p.way) for p in spec.parts] == [
        ("posture", "left=hip right=hip"),
        ("squat", ""),
    ]


def test_where_no_side_is_asked_for_both_are_tried() -> None:
    sides = {spec.side for spec in specs_for("a person waves", number=6)}
    assert sides == {"left", "right"}
    assert {spec.side for spec in specs_for("a person salutes", number=6)} == {"right"}


def test_takes_differ_and_the_same_seed_gives_the_same() -> None:
    text = "a person does three squats"
    one, two = (specs_for(text, number=6, seed=s) for s in (0, 1))
    assert len({spec.id for spec in one}) == 6
    assert one == specs_for(text, number=6)
    assert [spec.tempo for spec in one] != [spec.tempo for spec in two]


@pytest.mark.parametrize(
    "text",
    [
        "a person is lost in thought",
        "a person kneels on both knees",
        "a person walks forward, then does a backflip",
        "",
    ],
)
def test_what_nobody_knows_how_to_do_has_none(text: str) -> None:
    assert specs_for(text, number=4) == []


def test_the_motions_do_what_was_said() -> None:
    (motion,) = motions_of(specs_for("a person squats three times", number=1))
    assert sum(e.count for e in measure(motion).of(ev.Squat)) == 3
    text = "a person takes four steps forward, then turns right by 90 degrees"
    (motion,) = motions_of(specs_for(text, number=1))
    assert measure(motion).turned == pytest.approx(-90, abs=12)
    gone = motion.root_pos_w[-1, :2] - motion.root_pos_w[0, :2]
    assert 0.5 < np.linalg.norm(gone) < 2.0


def test_a_turn_without_words_in_the_corpus_can_be_written() -> None:
    (motion,) = motions_of([Spec(kind="turn", angle=720)])
    assert measure(motion).turned == pytest.approx(720, abs=20)


def test_specs_are_told_in_a_few_words() -> None:
    steps = Spec(kind="steps", way="forward", count=3)
    turn = Spec(kind="turn", angle=180)
    assert told(Spec(kind="sequence", parts=(steps, turn))) == (
        "steps forward 3, then turn 180"
    )
    held = Spec(kind="hold_pose", way="hips", side="both")
    posed = Spec(kind="posed", parts=(held, Spec(kind="squat", count=2)))
    assert told(posed) == "squat 2 with hold pose hips both"


def test_every_request_of_the_table_is_one_and_its_specs_can_be_read() -> None:
    from texedo.data.synth.prompted.table import _ways

    known = {request.id for request in reading_requests()}
    assert set(_ways()) <= known and len(_ways()) > 300


@pytest.mark.parametrize("text", ["fly", "squat times=3", "squat + somersault"])
def test_a_row_that_is_no_spec_is_an_error_that_names_it(text: str) -> None:
    with pytest.raises(FileFormatError, match="squats"):
        read_way(text, "squats")


def test_kinds_with_sides_have_one_to_be_filled_in() -> None:
    assert with_side(Spec(kind="kick")).side == "{side}"
    assert with_side(Spec(kind="kick", side="both")).side == "both"
    assert with_side(Spec(kind="squat")).side == ""
