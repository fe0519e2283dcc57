"""What phrases for postures are made of: a regular expression, and what a match says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from texedo.data.captions.postures.types import Posture, read_posture

WHOSE = r"(?:(?:the|their|his|her|its|your|both|own|of|my) )*"
THE = r"(?:(?:the|their|his|her|its|your|own) )?"
SIDE = r"(?P<side>left|right|one|other|opposite|free)"
OTHER = {"left": "right", "right": "left"}
IS = r"(?:(?:is|are|being) )?"


class Told(NamedTuple):
    """What a phrase says."""

    posture: Posture
    open: bool = False
    """On whichever side."""
    swaps: bool = False
    """On one side and then on the other."""


@dataclass(frozen=True, eq=False)
class Phrase:
    """A pattern, and what it says."""

    pattern: re.Pattern[str]
    tell: Callable[[re.Match[str]], Told | None]
    deed: bool = False
    """It may be a deed by itself."""


@cache
def posture_words() -> dict[str, Any]:
    """The lists of `words.toml`."""
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def compiled(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=^)|(?<=[ ,.:]))(?:{words})(?=$|[ ,.:;])")


def _filled(text: str, side: str) -> Posture:
    """A posture whose side is filled in."""
    said = text.replace("{side}", side).replace("{other}", OTHER[side])
    return read_posture(said)


def by_side(text: str) -> Callable[[re.Match[str]], Told]:
    """A posture of words.toml on the side that a match names; else on either."""

    def tell(match: re.Match[str]) -> Told:
        side = side_of(match)
        posture = _filled(text, side or "right")
        return Told(posture, not side and posture.sided)

    return tell


def side_of(match: re.Match[str]) -> str:
    """Left or right, where it is said which."""
    said = match.groupdict()
    side = said.get("side") or said.get("side2") or ""
    return side if side in OTHER else ""
