"""Phrases for travel, circles and turns."""

from __future__ import annotations

from texedo.data.captions.banks import load_bank
from texedo.data.captions.beats import Beat
from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import number_word
from texedo.data.captions.wording import Wording, fill
from texedo.data.events import Circle, Direction, Still, Travel, Turn

_BANK = load_bank("travel")
SLOW_WALK, FAST_WALK = 0.42, 1.0
"""A tenth of the captured walks are slower, a tenth are faster [m/s]."""
SLOW_RUN, FAST_RUN = 1.45, 1.95
"""Jogging below, sprinting above [m/s]; a quarter and a tenth of the captured runs."""
SLOW_SIDE, FAST_SIDE = 0.28, 0.6
"""The same for walking backward or sideways [m/s]."""
STRAIGHT_DISTANCE = 1.5
"""Below, nobody can tell a straight line [m]."""
SHARP_VEER, WIDE_VEER = 60.0, 150.0
"""Less is a curve, then it is a turn, and more goes around [degrees]."""
COUNTED_STEPS, SHUFFLE = 8, 0.2
"""People count no further; and steps of a slower walk run into each other [m/s]."""


def pace(travel: Travel) -> str:
    """ "slow", "normal" or "fast" for its gait and direction."""
    if travel.gait == "run":
        slow, fast = SLOW_RUN, FAST_RUN
    elif travel.direction.startswith("forward"):
        slow, fast = SLOW_WALK, FAST_WALK
    else:
        slow, fast = SLOW_SIDE, FAST_SIDE
    return (
        "slow" if travel.speed < slow else "fast" if travel.speed > fast else "normal"
    )


def direction_words(direction: Direction, *, straight: bool = False) -> str:
    """A template for a direction; sides are filled in."""
    main, _, side = direction.partition("-")
    if side:
        return _BANK.text(f"diagonal.{main}").replace("{side}", side)
    if main in ("left", "right"):
        return _BANK.text("sideways").replace("{side}", main)
    if main == "backward":
        return _BANK.text("backward")
    return _BANK.text("straight" if straight else "forward")


def travel_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """ "walks forward with quick steps, veering to the left"."""
    travel = beat.event
    assert isinstance(travel, Travel)
    ahead = travel.direction.startswith("forward")
    veers = travel.veer is not None and travel.direction == "forward"
    straight = (
        travel.direction == "forward"
        and travel.straight
        and travel.distance > STRAIGHT_DISTANCE
        and choice.chance(0.35)
    )
    words = direction_words(travel.direction, straight=straight)
    text = fill(
        choice,
        _templates(travel, choice, wording),
        count=travel.steps,
        slots={"dir": words},
    )
    if veers and travel.veer is not None and choice.chance(0.9):
        return f"{text} {fill(choice, _veer(travel, choice), side=travel.veer)}"
    if ahead and travel.distance >= 1.0 and choice.chance(0.06):
        meters = {"n": distance_in_words(travel.distance)}
        return " ".join((text, fill(choice, _BANK["distance"], slots=meters)))
    if isinstance(beat.extra, Still) and choice.chance(0.3):
        return text + choice.one(
            (" and ~stop", " and then ~stop", " and ~come to a stop")
        )
    return text


def _veer(travel: Travel, choice: Choice) -> tuple[str, ...]:
    if travel.veer_angle >= WIDE_VEER:
        return _BANK["veer_wide"]
    if 70 <= travel.veer_angle <= 112 and choice.chance(0.45):
        return _BANK["veer_corner"]
    return _BANK["veer_sharp"] if travel.veer_angle >= SHARP_VEER else _BANK["veer"]


def _templates(
    travel: Travel, choice: Choice, wording: Wording
) -> tuple[str, ...] | str:
    manner = wording.manner
    if manner is not None and travel.gait == "walk" and choice.chance(0.85):
        return _styled(travel, choice, wording)
    if travel.low and choice.chance(0.85):
        return _BANK["walk_low"]
    speed = pace(travel)
    if travel.gait == "run":
        return _BANK[f"run.{speed}"]
    if _counted(travel) and choice.chance(0.35):
        return _BANK["one_step"] if travel.steps == 1 else _BANK["walk_steps"]
    if travel.direction.startswith("forward"):
        return _BANK[f"walk_forward.{speed}"]
    if travel.direction in ("left", "right"):
        return _BANK[f"walk_side.{speed}"]
    if travel.direction == "backward":
        return _BANK[f"walk_back.{speed}"]
    return "[~step|~move|~walk] {dir}"


def _styled(travel: Travel, choice: Choice, wording: Wording) -> str:
    """A verb of the style, a manner, or both."""
    manner = wording.manner
    assert manner is not None
    verb = f"~{choice.one(manner.verbs)}" if manner.verbs and choice.chance(0.6) else ""
    if verb and choice.chance(0.4):
        return f"{verb} {{dir}}"
    verb = verb or choice.one(("~walk", "~walk", "~move", "~step", "~go"))
    how = choice.one(manner.manners)
    if how.endswith("ly") and " " not in how and choice.chance(0.35):
        return f"{how} {verb} {{dir}}"
    return f"{verb} {{dir}} {how}"


def _counted(travel: Travel) -> bool:
    """The steps can be told: the travel begins within the motion, and is no shuffle."""
    sure = travel.start > 0.3 and travel.speed > SHUFFLE
    return sure and 1 <= travel.steps <= COUNTED_STEPS


def distance_in_words(distance: float) -> str:
    """Meters to the nearest half, "two and a half meters"."""
    half = round(distance * 2) / 2
    whole = int(half)
    if half == whole:
        return f"{number_word(whole)} {'meter' if whole == 1 else 'meters'}"
    return f"{number_word(whole)} and a half meters"


def circle_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """ "walks in a circle clockwise"."""
    circle, travel = beat.event, beat.extra
    assert isinstance(circle, Circle)
    runs = isinstance(travel, Travel) and travel.gait == "run"
    gait = "[~run|~jog]" if runs else "[~walk|~walk|~move|~go|~step]"
    if wording.manner is not None and not runs and wording.manner.verbs:
        gait = f"[~walk|~{choice.one(wording.manner.verbs)}]"
    laps = round(circle.laps)
    templates = _BANK["circles"] if laps >= 2 else _BANK["circle"]
    return fill(
        choice,
        templates,
        side=circle.side,
        count=laps,
        slots={"gait": gait, "noun": "run" if runs else "walk"},
    )


def turn_phrase(beat: Beat, choice: Choice, wording: Wording) -> str:
    """ "turns ninety degrees to the left"."""
    turn = beat.event
    assert isinstance(turn, Turn)
    templates: tuple[str, ...] = _BANK["turn"]
    if not turn.travelling and choice.chance(0.35):
        templates = _BANK["turn_spot"]
    for low, high, named in (
        (70, 112, _BANK["turn_quarter"]),
        (150, 215, _BANK["turn_half"]),
        (245, 300, _BANK["turn_three_quarter"]),
        (325, 400, _BANK["turn_full"]),
        (400, 1e9, _BANK["turn_many"]),
    ):
        if low <= turn.angle <= high and choice.chance(0.6):
            templates = named
    text = fill(choice, templates, side=turn.side)
    if wording.manner is not None and choice.chance(0.25):
        text = f"{text} {choice.one(wording.manner.manners)}"
    return text
