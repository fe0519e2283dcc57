"""The language of the steps: read from `routines.toml` and `more.toml` and checked.

    [knock]
    steps = ["0.8 own=level", ["2-4", "0.15 own=far", "0.15 own=level"]]

A step is a time at tempo 1 [s] and what changes meanwhile: `own`, `other` or `both` goes
to a place ("hang": the arm hangs), and the trunk to a value:

    lean, chest     forward, from the hips and at the waist [rad]
    turn, tip       at the waist, to the arm's own side [rad]
    down, heels     hips lower [m], heels up [rad]

`own@wheel=before:0.15` goes round in a circle of 0.15 m about a place, as a wheel beside
the body (`wheel-back`: the other way), as a clock in `front` of it, or on a `table`. A list begins with how often its
steps are done: a number, a range, or "n", the count that is asked for.

`own.foot=ahead` puts the foot of that side to a place (`feet.SPOTS`), where it stays until
it is put elsewhere; `both.foot` moves one after the other. `own.foot=knee` lifts it and puts
it down where it was (`feet.LIFTS`).

Of the routines in `routines.toml` the corpus has motions; those in `more.toml` came later
and are only written for sentences.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from texedo.core.errors import FileFormatError
from texedo.data.synth.author.routines.feet import LIFTS, SPOTS
from texedo.data.synth.author.routines.places import PLACES

ARMS = ("own", "other", "both")
TRUNK = ("lean", "chest", "turn", "tip", "down", "heels")
PLANES = ("wheel", "wheel-back", "front", "table")
HANG = "hang"
_FOOT = ".foot"
_OF_THE_CORPUS, _LATER = "routines.toml", "more.toml"


@dataclass(frozen=True)
class Circle:
    """Once round about a place."""

    plane: str
    place: str
    radius: float


@dataclass(frozen=True)
class Step:
    """What changes within a time."""

    seconds: float
    arms: tuple[tuple[str, str], ...] = ()
    trunk: tuple[tuple[str, float], ...] = ()
    circles: tuple[tuple[str, Circle], ...] = ()
    feet: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Again:
    """Steps that are repeated: `least` to `most` times; None is the count asked for."""

    times: tuple[int, int] | None
    steps: tuple[Step, ...]


Steps: TypeAlias = tuple[Step | Again, ...]


@dataclass(frozen=True, kw_only=True)
class Routine:
    """Steps for a request."""

    name: str
    request: str
    """Its name in `captions.activities`."""
    steps: Steps
    sides: tuple[str, ...]
    """Of the arms: left and right, both, or "" where it is not said."""
    counts: tuple[int, ...]
    bases: tuple[str, ...]
    """What the legs do meanwhile."""
    takes: int
    ends: bool
    """It goes back to standing; otherwise it stays as it is."""
    words: tuple[str, ...]
    """Verb phrases of its own, beside the wordings of the request."""


@cache
def load_routines() -> Mapping[str, Routine]:
    """All of them by name, in the order of the files."""
    more = _read_file(_LATER)
    if both := more.keys() & corpus_routines().keys():
        raise FileFormatError(
            f"{_LATER}: {', '.join(sorted(both))} is in {_OF_THE_CORPUS} already."
        )
    return {**corpus_routines(), **more}


@cache
def corpus_routines() -> Mapping[str, Routine]:
    """Those of which the corpus has motions."""
    return _read_file(_OF_THE_CORPUS)


def _read_file(name: str) -> Mapping[str, Routine]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return {name: _read(name, entry) for name, entry in tomllib.loads(text).items()}


def _read(name: str, entry: Mapping[str, Any]) -> Routine:
    steps = tuple(_step_or_again(name, item) for item in entry["steps"])
    bases = tuple(entry.get("bases", ("stand",)))
    goes = any(base != "stand" for base in bases)
    if goes and any(step.feet for step in every_step(steps)):
        raise FileFormatError(f"routine {name}: who goes somewhere has no feet to put.")
    return Routine(
        name=name,
        request=entry.get("request", name),
        steps=steps,
        sides=tuple(entry.get("sides", ("",))),
        counts=tuple(entry.get("counts", (1,))),
        bases=bases,
        takes=entry.get("takes", 4),
        ends=entry.get("ends", True),
        words=tuple(entry.get("words", ())),
    )


def every_step(steps: Steps) -> Iterator[Step]:
    """Each once, however often it is done."""
    for item in steps:
        yield from (item,) if isinstance(item, Step) else item.steps


def _step_or_again(name: str, item: str | Sequence[str]) -> Step | Again:
    if isinstance(item, str):
        return read_step(item, name)
    times, *steps = item
    return Again(_times(times, name), tuple(read_step(step, name) for step in steps))


def _times(text: str, name: str) -> tuple[int, int] | None:
    if text == "n":
        return None
    least, _, most = text.partition("-")
    try:
        return int(least), int(most or least)
    except ValueError:
        raise FileFormatError(
            f"routine {name}: {text!r} is no number of times; write 3, 2-4 or n."
        ) from None


def read_step(text: str, name: str = "?") -> Step:
    """One step from its text."""
    seconds, *changes = text.split()
    arms: list[tuple[str, str]] = []
    trunk: list[tuple[str, float]] = []
    circles: list[tuple[str, Circle]] = []
    feet: list[tuple[str, str]] = []
    try:
        for change in changes:
            what, _, value = change.partition("=")
            arm, _, plane = what.partition("@")
            if plane:
                place, _, radius = value.partition(":")
                circles.append((_arm(arm), _circle(plane, place, float(radius))))
            elif what.endswith(_FOOT):
                feet.append((_arm(what.removesuffix(_FOOT)), _foot(value)))
            elif what in TRUNK:
                trunk.append((what, float(value)))
            else:
                arms.append((_arm(what), _place(value)))
        return Step(
            float(seconds), tuple(arms), tuple(trunk), tuple(circles), tuple(feet)
        )
    except (KeyError, ValueError) as error:
        raise FileFormatError(
            f"routine {name}, step {text!r}: {error}. It is a time and changes of "
            f"{', '.join((*ARMS, *TRUNK))}."
        ) from None


def _circle(plane: str, place: str, radius: float) -> Circle:
    if plane not in PLANES or place not in PLACES:
        raise KeyError(f"{plane}={place}")
    return Circle(plane, place, radius)


def _arm(name: str) -> str:
    if name not in ARMS:
        raise KeyError(name)
    return name


def _place(name: str) -> str:
    if name != HANG and name not in PLACES:
        raise KeyError(name)
    return name


def _foot(name: str) -> str:
    if name not in SPOTS and name not in LIFTS:
        raise KeyError(name)
    return name
