"""The judge's own list of words (`words.toml`), and how words are brought to a base form."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

_IRREGULAR = {
    "goes": "go",
    "went": "go", "gone": "go", "took": "take", "taken": "take", "made": "make",
    "came": "come", "ran": "run", "stood": "stand", "bent": "bend", "threw": "throw",
    "thrown": "throw", "swung": "swing", "held": "hold", "kept": "keep", "put": "put",
    "brought": "bring", "spun": "spin", "left": "left", "leapt": "leap", "sat": "sit",
    "rose": "rise", "risen": "rise", "wound": "wind", "hung": "hang", "got": "get",
    "crept": "creep", "strode": "stride", "struck": "strike", "knelt": "kneel",
    "leant": "lean", "sang": "sing", "drew": "draw", "drawn": "draw", "shook": "shake",
    "feet": "foot", "teeth": "tooth", "men": "man", "is": "be", "are": "be",
    "was": "be", "were": "be", "has": "have", "does": "do", "did": "do",
    "forwards": "forward", "backwards": "backward", "towards": "toward",
    "afterwards": "afterwards", "sideways": "sideways", "always": "always",
    "his": "their", "her": "their", "its": "their", "your": "their", "my": "their",
    "our": "their", "meters": "metre", "meter": "metre", "across": "across",
    "this": "this", "us": "us", "yes": "yes", "its'": "their", "during": "during",
    "swept": "sweep", "slid": "slide", "shot": "shoot", "flung": "fling",
    "wove": "weave", "caught": "catch", "dug": "dig", "crossed": "cross",
    "lay": "lie", "froze": "freeze", "frozen": "freeze", "dove": "dive",
}  # fmt: skip
UNSEEN = "unseen"
"""What `see` says of actions that nobody can measure."""
_WORD = re.compile(r"[0-9]+\.[0-9]+|[a-z0-9]+(?:'[a-z]+)?|[,.;:!?]")


@dataclass(frozen=True)
class Action:
    """Something that people ask for, and the measure that looks for it."""

    name: str
    see: str
    say: tuple[str, ...]
    way: str | None = None
    angle: float | None = None
    limb: str | None = None


@cache
def actions() -> dict[str, Action]:
    """By name."""
    text = resources.files(__package__).joinpath("words.toml").read_text("utf-8")
    return {
        name: Action(name=name, **{**row, "say": tuple(row["say"])})
        for name, row in tomllib.loads(text)["actions"].items()
    }


@cache
def patterns() -> tuple[tuple[re.Pattern[str], Action], ...]:
    """All phrases as patterns over base forms, the most specific first."""
    rows = [(phrase, action) for action in actions().values() for phrase in action.say]
    rows.sort(key=lambda row: (-_weight(row[0]), row[0]))
    return tuple((re.compile(_pattern(phrase)), action) for phrase, action in rows)


def _weight(phrase: str) -> int:
    return sum(word != "*" for word in phrase.split())


def _pattern(phrase: str) -> str:
    """Words are separated by one space; * is up to four of them, none a mark."""
    parts: list[str] = []
    for word in phrase.split():
        if word == "*":
            parts.append(r"(?: [a-z0-9']+){0,4}?")
        else:
            # A group for each word: what it skips stays free for other phrases.
            parts.append(f"( (?:{word}))")
    return "".join(parts) + r"(?= |$)"


@cache
def _known() -> frozenset[str]:
    """Every word of the phrases."""
    said = " ".join(phrase for a in actions().values() for phrase in a.say)
    return frozenset(re.findall(r"[a-z0-9]+", said))


@cache
def base(word: str) -> str:
    """The base form, of those that the list has if it has one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    options = list(_bases(word))
    return next((form for form in options if form in _known()), options[-1])


def _bases(word: str) -> Iterator[str]:
    """Forms that it may be of, the word itself, then the likeliest one."""
    yield word
    if len(word) > 4 and word.endswith("ies"):
        yield word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        yield word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 2:
            yield stem + "e"
            if len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]
            if ending == "ed" and stem.endswith("i"):
                yield stem[:-1] + "y"
            yield stem


def tokens(text: str) -> list[str]:
    """Base forms and marks, in lower case."""
    text = (
        text.lower().replace("-", " ").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )
    return [base(word) for word in _WORD.findall(text)]
