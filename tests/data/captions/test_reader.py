"""The strict reader: what sentences ask for, and which motions do it."""

from __future__ import annotations

import pytest

from texedo.data.captions.reader import Clause, check, read
from texedo.data.events import (
    ArmRaise,
    Circle,
    Event,
    Facts,
    Jump,
    Kick,
    Punch,
    Side,
    Travel,
    Turn,
    Wave,
)


def facts(*events: Event, turned: float = 0.0) -> Facts:
    way = sum(event.distance for event in events if isinstance(event, Travel))
    return Facts(
        duration=8.0,
        events=tuple(sorted(events, key=lambda event: event.start)),
        distance=way,
        displacement=way,
        turned=turned,
        steps=sum(event.steps for event in events if isinstance(event, Travel)),
        hand_path=(0.1, 0.1),
        lowest=1.0,
    )


def walk(start: float = 0.0, *, steps: int = 4, speed: float = 0.7) -> Travel:
    return Travel(
        start=start,
        end=start + 3,
        gait="walk",
        direction="forward",
        distance=3 * speed,
        speed=speed,
        steps=steps,
    )


def turn(side: Side, angle: float, start: float = 4.0) -> Turn:
    return Turn(start=start, end=start + 1, side=side, angle=angle, travelling=False)


def jump(start: float, count: int = 1) -> Jump:
    return Jump(start=start, end=start + 0.6, count=count, height=0.2)


def raised(side: Side, start: float = 1.0) -> ArmRaise:
    return ArmRaise(start=start, end=start + 2, side=side, level="overhead", way="up")


def only(text: str) -> Clause:
    wanted = read(text)
    assert not wanted.unread
    (clause,) = wanted.clauses
    return clause


def answer(text: str, *events: Event, turned: float = 0.0) -> str:
    return check(read(text), facts(*events, turned=turned)).answer


@pytest.mark.parametrize(
    "text",
    [
        "a person kicks three times with his right leg",
        "Kick three times with your right leg.",
        "kicking 3 times with the right foot",
        "he kicked three times with his right leg",
        "the robot is kicking three times with its right leg",
    ],
)
def test_all_forms_of_a_verb_say_the_same(text: str) -> None:
    clause = only(text)
    assert (clause.action, clause.side, clause.count) == ("kick", "right", 3)


@pytest.mark.parametrize(
    ("text", "angle", "side"),
    [
        ("turn 90 degrees to the left", 90, "left"),
        ("makes a quarter turn clockwise", 90, "right"),
        ("she turns around", 180, None),
        ("turn all the way around counterclockwise", 360, "left"),
        ("he makes a half turn to the right", 180, "right"),
        ("turns about 45 degrees to the right", 45, "right"),
    ],
)
def test_angles_are_read_from_digits_and_from_words(
    text: str, angle: float, side: str | None
) -> None:
    clause = only(text)
    assert clause.action == "turn"
    assert clause.angles == (angle,) and clause.side == side


def test_directions_steps_and_speed() -> None:
    clause = only("slowly take a couple of steps backwards")
    assert (clause.direction, clause.count, clause.speed) == ("backward", 2, "slow")
    assert only("walks diagonally forward to the right").direction == "forward-right"
    assert only("sidestep to your left twice").direction == "left"


def test_clauses_come_in_the_order_of_time() -> None:
    for text in (
        "walk forward, then turn left",
        "after walking forward, a person turns left",
        "a person walks forward before turning left",
        "turn left after walking forward",
    ):
        assert [c.action for c in read(text).clauses] == ["walk", "turn"], text
    first, second = read("walk forward while waving the left hand").clauses
    assert second.link == "while" and second.side == "left" and first.side is None


def test_what_nobody_can_measure_stays_unread() -> None:
    assert "salsa" in read("a person walks forward to salsa music").unread
    assert answer("a person dances", walk()) == "perhaps"


def test_a_negation_is_read() -> None:
    walks, turns = read("walk forward without turning").clauses
    assert turns.action == "turn" and turns.negated and not walks.negated
    assert answer("walk forward without turning", walk()) == "yes"
    assert answer("walk forward without turning", walk(), turn("left", 90)) == "no"


def test_steps_are_exact_up_to_six() -> None:
    assert answer("take four steps forward", walk(steps=4)) == "yes"
    assert answer("take five steps forward", walk(steps=3)) == "no"
    assert answer("take nine steps forward", walk(steps=8)) == "yes"


def test_three_single_jumps_are_three_jumps() -> None:
    three = jump(1), jump(3), jump(5)
    assert answer("jump three times", *three) == "yes"
    assert answer("jump twice", *three) == "no"
    assert answer("jump in place", *three) == "yes"


def test_punches_of_either_hand_add_up() -> None:
    left = Punch(start=1, end=2, side="left", count=2, kind="jab")
    right = Punch(start=3, end=4, side="right", count=1, kind="jab")
    assert answer("throw three punches", left, right) == "yes"
    assert answer("throw two left jabs and then one right jab", left, right) == "yes"
    assert answer("throw three left jabs", left, right) == "no"


def test_a_turn_has_its_side_and_its_angle() -> None:
    left = turn("left", 95)
    assert answer("turn left 90 degrees", left, turned=95) == "yes"
    assert answer("turn right 90 degrees", left, turned=95) == "no"
    assert answer("turn left 180 degrees", left, turned=95) == "no"


def test_the_order_counts() -> None:
    done = turn("left", 90, start=0.0), walk(2.0)
    assert answer("turn left and then walk forward", *done) == "yes"
    assert answer("walk forward, then turn left", *done) == "no"


def test_who_also_does_the_opposite_does_not_obey() -> None:
    both = turn("left", 90, 1.0), turn("right", 90, 4.0)
    wanted = read("turn to the left")
    assert check(wanted, facts(*both)).answer == "no"
    assert check(wanted, facts(*both), extras=False).answer == "yes"
    hands = raised("left"), raised("right", 4.0)
    assert answer("raise your left hand above your head", *hands) == "no"
    assert answer("raise your left hand above your head", hands[0]) == "yes"


def test_who_stands_and_waves_does_not_walk_off() -> None:
    wave = Wave(start=1, end=3, side="right", count=4, level="head")
    assert answer("stand and wave with your right hand", wave) == "yes"
    assert answer("stand and wave with your right hand", wave, walk()) == "no"
    assert answer("stand and wave with your left hand", wave) == "no"


def test_fast_is_not_slow() -> None:
    assert answer("walk slowly forward", walk(speed=1.2)) == "no"
    assert answer("walk forward quickly", walk(speed=1.2)) == "yes"


def test_circles_and_kicks() -> None:
    ring = Circle(start=0, end=6, side="left", laps=1.0, radius=1.0)
    assert answer("walk in a circle counterclockwise", walk(), ring) == "yes"
    assert answer("walk in a circle clockwise", walk(), ring) == "no"
    kick = Kick(start=1, end=2, side="right", count=2, level="waist", way="front")
    assert answer("kick twice with the right leg", kick) == "yes"
    assert answer("kick with the left leg", kick) == "no"
