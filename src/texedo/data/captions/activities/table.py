"""The requests: text tables in the folder `requests`, read and checked here.

    raise-hand | Asc | ~raise {poss} {side} hand; ~lift {poss} {side} arm up | raises(side, n)

An id; a kind with `s` where left and right can be asked for and `c` where counts can; the
wordings ("~" marks a verb, which is put in all its forms; a wording without one is said as
it stands); and the rule. A line `NAME = RULE` gives a rule a name for the lines below it.
The kinds say what must not happen beside:

    A  arms and trunk, standing    B  on the spot, may go low    J  jumps on the spot
    D  dances                      W  walks, no jumps            G  goes anywhere
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from texedo.core.errors import FileFormatError
from texedo.data.captions.activities.rules import (
    Binding,
    Joined,
    Rule,
    RuleError,
    all_of,
    bind,
    parse,
)

FILES = (
    "body",
    "dance",
    "everyday",
    "going",
    "hands",
    "legs",
    "manner",
    "sport",
    "work",
)
KINDS: dict[str, Rule | None] = {
    "A": parse("rest_feet(0.8) and no_jump() and tall(0.85) and feet_down()"),
    "B": parse("rest_feet(1.5) and no_jump()"),
    "J": parse("rest_feet(2.0)"),
    "D": parse("rest_feet(4.0)"),
    "W": parse("no_jump() and tall(0.8)"),
    "G": None,
}
_SLOT = re.compile(r"\{([a-z]+)\}")
_SLOTS = frozenset(("poss", "refl", "side", "other"))
_FIELDS = 4
_NAMED = re.compile(r"([A-Z]+) = (.+)")
_OPPOSITE = {"left": "right", "right": "left"}


@dataclass(frozen=True, kw_only=True)
class Request:
    """Something people ask for, and how to see whether it was done."""

    id: str
    kind: str
    """A letter of `KINDS`."""
    sided: bool
    counted: bool
    wordings: tuple[str, ...]
    rule: Rule
    """Without what its kind forbids."""

    @property
    def measurable(self) -> bool:
        """The rule can say yes."""
        return not (isinstance(self.rule, Joined) and self.rule.how == "maybe")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request of one side and count."""

    request: Request
    side: str = ""
    """left, right, one (not both), or "" where it is left open."""
    count: int = 0
    """How often exactly; 0: any number of times."""

    @property
    def bare(self) -> Rule:
        """What must be seen."""
        values: Binding = {
            "side": self.side or "either",
            "other": _OPPOSITE.get(self.side, "either"),
            "n": float(self.count),
        }
        return bind(self.request.rule, values)

    @property
    def rule(self) -> Rule:
        """The same, and what its kind forbids."""
        limits = KINDS[self.request.kind]
        return self.bare if limits is None else all_of(self.bare, limits)

    @property
    def wordings(self) -> tuple[str, ...]:
        """With the side filled in; verbs and owner are still open.

        A wording that does not name the side would ask for either.
        """
        found = [w for w in self.request.wordings if not self.side or "{side}" in w]
        return tuple(_with_side(wording, self.side) for wording in found)


def _with_side(wording: str, side: str) -> str:
    if side:
        return wording.replace("{side}", side).replace("{other}", _OPPOSITE[side])
    # "To the side" is the only place where leaving the word out breaks the sentence.
    text = re.sub(r"to the \{(side|other)\}(?! side)", "to one side", wording)
    text = re.sub(r"\{poss\} \{other\}", "{poss} other", text)
    text = re.sub(r"([a-z]) \{side\}$", r"\1 to one side", text)
    return re.sub(r"\s+", " ", re.sub(r"\{(side|other)\} ?", "", text)).strip()


@cache
def load_requests() -> tuple[Request, ...]:
    """All of them; `FileFormatError` names the line that is wrong."""
    found: dict[str, Request] = {}
    for name in FILES:
        path = files(__package__) / "requests" / f"{name}.txt"
        lines = path.read_text(encoding="utf-8").splitlines()
        known: dict[str, Rule] = {}
        for number, line in enumerate(lines, start=1):
            if named := _NAMED.fullmatch(line):
                known[named[1]] = parse(named[2], known)
            elif line.strip() and not line.startswith("#"):
                request = read_request(line, f"{name}.txt, line {number}", known)
                if request.id in found:
                    raise FileFormatError(
                        f"{name}.txt, line {number}: {request.id!r} is there already."
                    )
                found[request.id] = request
    return tuple(found.values())


def read_request(
    line: str, place: str, known: Mapping[str, Rule] | None = None
) -> Request:
    """One line of a table."""
    fields = [field.strip() for field in line.split(" | ")]
    if len(fields) != _FIELDS:
        raise FileFormatError(
            f"{place}: {len(fields)} fields; a request is ID | KIND | WORDING; ... | RULE."
        )
    name, kind, wordings, rule = fields
    if not re.fullmatch(r"[ABJDWG]s?c?", kind):
        raise FileFormatError(f"{place}: {kind!r} is no kind; it is a letter, s and c.")
    unknown = set(_SLOT.findall(wordings)) - _SLOTS
    if unknown or re.search(r"~(?![a-z])", wordings):
        raise FileFormatError(
            f"{place}: the wordings may hold {', '.join(sorted(_SLOTS))} in braces, and "
            "~ before a verb."
        )
    try:
        parsed = parse(rule, known)
    except RuleError as error:
        raise FileFormatError(f"{place}: {error}") from error
    return Request(
        id=name,
        kind=kind[0],
        sided="s" in kind[1:],
        counted="c" in kind[1:],
        wordings=tuple(text.strip() for text in wordings.split(";")),
        rule=parsed,
    )


@cache
def find_request(name: str) -> Request:
    """By its id; `KeyError` if there is none."""
    return {request.id: request for request in load_requests()}[name]


def asked_of(request: Request, counts: tuple[int, ...] = ()) -> tuple[Asked, ...]:
    """Its sides, and each of the given counts on each."""
    sides = ("", "left", "right") if request.sided else ("",)
    numbers = (0, *counts) if request.counted else (0,)
    found = [Asked(request=request, side=s, count=n) for s in sides for n in numbers]
    return tuple(asked for asked in found if asked.wordings)
