"""What sentences ask for: counts, angles, distances, order, speed, and what is not done."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from texedo.data import events as ev
from texedo.data.captions.choice import Choice
from texedo.data.corpus.splits import SplitCfg, place_group
from texedo.data.events import measure
from texedo.data.events.types import Facts
from texedo.data.synth.author import Spec, author, spec_captions
from texedo.data.synth.author.asked import asked_specs
from texedo.data.synth.author.check import disagreement
from texedo.data.synth.author.jumps import jump_heights
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.phrases.sentences import digits
from texedo.data.synth.compose.make import split_of, unlike_spec
from texedo.robot.mass import GRAVITY

ASKED = list(asked_specs(0))


def facts(*events: ev.Event, turned: float = 0.0, steps: int = 0) -> Facts:
    return Facts(
        duration=5.0,
        events=events,
        distance=0.0,
        displacement=0.0,
        turned=turned,
        steps=steps,
        hand_path=(0.0, 0.0),
        lowest=1.0,
    )


def kick(side: ev.Side, count: int = 1, start: float = 1.0) -> ev.Kick:
    return ev.Kick(
        start=start, end=start + 1, side=side, count=count, level="waist", way="front"
    )


def test_names_and_groups_of_older_specs_have_not_changed() -> None:
    assert Spec(kind="wave", side="right", count=3).id == "au-wave-327e9ab766"
    walk = Spec(kind="walk", way="forward-left", count=4)
    assert walk.group == "au-walk-27b9745286"


def test_a_free_take_shares_the_group_of_the_others() -> None:
    spec = Spec(kind="wave", side="right", count=3)
    free = Spec(kind="wave", side="left", count=3, free=True)
    assert spec.id != free.id and spec.group == free.group


@pytest.mark.parametrize("way", ["forward", "backward", "left", "right"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_steps_are_as_many_as_it_says(way: str, count: int) -> None:
    made = author(Spec(kind="steps", way=way, count=count, size=1.1, free=True))
    assert measure(made.motion).steps == count
    assert unlike_spec(made) == ""


@pytest.mark.parametrize("count", [1, 3, 6])
def test_jumps_are_counted(count: int) -> None:
    made = author(Spec(kind="jump", count=count, free=True))
    (jump,) = measure(made.motion).of(ev.Jump)
    assert jump.count == count and jump.direction is None


def test_a_jump_ahead_goes_ahead() -> None:
    made = author(Spec(kind="jump", way="forward", count=2, free=True))
    (jump,) = measure(made.motion).of(ev.Jump)
    assert (jump.count, jump.direction) == (2, "forward")
    assert 0.3 < made.motion.root_pos_w[-1, 0] < 0.55


@pytest.mark.parametrize("side, other", [("left", "right"), ("right", "left")])
def test_a_hop_is_on_the_foot_that_is_named(side: str, other: str) -> None:
    made = author(Spec(kind="hop", side=side, count=3, free=True))
    (hop,) = measure(made.motion).of(ev.Hop)
    assert (hop.side, hop.count) == (side, 3)
    assert all(other not in text for text in spec_captions(made.spec))


def test_a_jump_falls_as_everything_does() -> None:
    rise = jump_heights(0.26, 0.24, 1)
    start = round((0.42 + 0.26) * 50)
    air = rise[start : start + 13]
    assert air[0] == pytest.approx(0.0, abs=0.01)
    assert air.max() == pytest.approx(GRAVITY * 0.24**2 / 8, abs=0.001)  # 7 cm
    assert np.diff(air, 2)[1:-1] * 50**2 == pytest.approx(-GRAVITY, abs=0.01)
    assert rise.min() == pytest.approx(-GRAVITY * 0.24 / 2 * 0.26 / 2, abs=0.002)


@pytest.mark.parametrize(
    "way, far", [("forward", 150), ("left", 50), ("backward", 100)]
)
def test_a_walk_is_as_long_as_it_says(way: str, far: int) -> None:
    motion = author(Spec(kind="walk_far", way=way, count=far, free=True)).motion
    gone = np.linalg.norm(motion.root_pos_w[-1, :2] - motion.root_pos_w[0, :2])
    assert gone == pytest.approx(far / 100, abs=0.04)


@pytest.mark.parametrize("angle", [45, -90, 180, -270])
def test_a_bend_of_a_walk_is_as_wide_as_it_says(angle: int) -> None:
    made = author(Spec(kind="walk_turn", angle=angle, count=2, free=True))
    assert measure(made.motion).turned == pytest.approx(angle, abs=5.0)


def test_a_pause_lies_between_two_walks() -> None:
    made = author(Spec(kind="walk_pause", way="forward", count=3, free=True))
    order = [
        type(event)
        for event in measure(made.motion).events
        if isinstance(event, (ev.Travel, ev.Still))
    ]
    assert order[:3] == [ev.Travel, ev.Still, ev.Travel]


def test_quiet_arms_are_quiet_and_others_swing() -> None:
    still = Spec(kind="hold_pose", way="still", side="both", base="walk", count=6)
    plain = Spec(kind="walk", way="forward", count=6)
    assert max(measure(author(still).motion).hand_path) < 0.2
    assert min(measure(author(plain).motion).hand_path) > 0.3


def test_two_orders_have_the_same_parts_and_opposite_times() -> None:
    squat = Spec(kind="squat")
    jump = Spec(kind="jump")
    starts = {}
    for parts in ((squat, jump), (jump, squat)):
        made = author(Spec(kind="sequence", parts=parts, free=True))
        assert unlike_spec(made) == ""
        seen = measure(made.motion)
        found = [next(seen.of(kind)).start for kind in (ev.Squat, ev.Jump)]
        starts[parts[0].kind] = found[0] < found[1]
    assert starts == {"squat": True, "jump": False}


def test_sequences_come_in_both_orders() -> None:
    orders = defaultdict(set)
    for spec in ASKED:
        if len(spec.parts) == 2 and spec.parts[0].kind != "stand":
            orders[frozenset(spec.parts)].add(spec.parts)
    assert len(orders) > 400
    assert set(Counter(len(both) for both in orders.values())) == {2}


def test_fast_and_slow_differ_in_nothing_else() -> None:
    pairs = defaultdict(set)
    for spec in ASKED:
        if spec.kind == "twist" and not 0.75 < spec.tempo < 1.35:
            pairs[spec.side, spec.take].add(spec.tempo)
    for tempos in pairs.values():
        slow, quick = sorted(tempos)
        assert slow <= 0.7 and quick >= 1.35


@pytest.mark.parametrize(
    "tempo, word", [(0.6, "slow|hurry"), (1.5, "quick|fast|rapid")]
)
def test_a_clear_tempo_is_said_in_every_caption(tempo: float, word: str) -> None:
    spec = Spec(kind="raise_hand", way="up", side="left", tempo=tempo)
    assert len(phrases(spec)) >= 4
    assert all(re.search(word, phrase) for phrase in phrases(spec))


def test_every_asked_spec_has_three_or_more_captions() -> None:
    for spec in ASKED[::5]:
        captions = spec_captions(spec)
        assert len(set(captions)) >= 3, spec
        assert all(not set(text) & set("~{}[]|") for text in captions)


def test_a_sequence_is_told_in_its_order() -> None:
    parts = (Spec(kind="squat"), Spec(kind="wave", side="left", count=2))
    for phrase in phrases(Spec(kind="sequence", parts=parts)):
        words = phrase.split(" and then ")
        assert "left" not in words[0] and "left" in words[1]


def test_numbers_are_now_and_then_digits() -> None:
    said = {digits("~jump twice", Choice(i)) for i in range(40)}
    assert said == {"~jump twice", "~jump 2 times"}
    assert {digits("~take three steps", Choice(i)) for i in range(40)} == {
        "~take three steps",
        "~take 3 steps",
    }


def test_the_check_tells_counts_sides_and_angles() -> None:
    spec = Spec(kind="kick", side="left", count=2)
    written = (kick("left"), kick("left", start=2.5))
    assert disagreement(spec, written, facts(kick("left", 2))) == ""
    assert disagreement(spec, written, facts(kick("left", 1))) == "kick count"
    assert disagreement(spec, written, facts(kick("right", 2))) == "no kick"
    assert disagreement(spec, written, facts()) == "no kick"
    both = facts(kick("left", 2), kick("right", start=2.0))
    assert disagreement(spec, written, both) == "kick of the other side"
    wide = facts(kick("left", 2), turned=16.0)
    assert disagreement(spec, written, wide) == "angle"


def test_the_check_tells_what_nobody_asked_for() -> None:
    spec = Spec(kind="stand", manner="planted")
    assert disagreement(spec, (), facts(kick("left"))) == "unasked kick"
    raised = Spec(kind="raise_hand", manner="planted")
    assert disagreement(raised, (), facts(steps=1)) == "feet move"


def test_a_turn_may_miss_by_fifteen_degrees() -> None:
    spec = Spec(kind="turn", angle=-90)
    turn = ev.Turn(start=0.5, end=2.0, side="right", angle=90.0, travelling=False)
    assert disagreement(spec, (turn,), facts(turned=-80.0)) == ""
    assert disagreement(spec, (turn,), facts(turned=-70.0)) == "angle"
    assert disagreement(spec, (turn,), facts(turned=90.0)) == "angle"


def test_a_sequence_is_withheld_with_any_of_its_parts() -> None:
    splits = SplitCfg()
    places = {"train": Spec(kind="bow"), "test": Spec(kind="bow")}
    for count in range(1, 60):
        spec = Spec(kind="squat", count=count)
        places[place_group(spec.group, splits)] = spec
    parts = (places["train"], places["test"])
    for order in (parts, parts[::-1]):
        assert split_of(Spec(kind="sequence", parts=order), splits) == "test"
    trained = Spec(kind="sequence", parts=(places["train"],) * 2)
    assert split_of(trained, splits) == "train"
