"""The words of a sentence made alike, so that wordings of one thing can be compared.

Stems for words, one word for all that mean the same, limbs with their sides in one piece:
"She quickly lifts both of her arms" is FAST, raise, both_hand.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FAST, SLOW = "FAST", "SLOW"
LIMBS = frozenset(("hand", "leg", "knee", "elbow", "shoulder", "hip", "thigh"))
"""Whose side is a part of them."""
SIDES = {"left": "left", "right": "right", "both": "both", "1": "one", "either": "one"}
_NUMBERS = {
    **{"once": "1", "twice": "2", "thrice": "3", "one": "1", "two": "2", "three": "3"},
    **{"four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"},
    "ten": "10",
}
_PLURALS = {
    **{"hands": "hand", "arms": "hand", "palms": "hand", "fists": "hand"},
    **{"feet": "leg", "legs": "leg", "knees": "knee", "elbows": "elbow"},
    **{"shoulders": "shoulder", "hips": "hip", "thighs": "thigh"},
}
_ENDINGS = ("ing", "es", "ed", "s")
_SHORTEST = 3
"""Letters of a stem: "bring" has no ending."""
_BREAKS = frozenset((",", "and", "while", "but", "as", "when"))
_NOUNS_FOLLOW = frozenset("a an the his her their its your my of on with from".split())


class Token(NamedTuple):
    """A word as it is compared."""

    word: str
    """Its stem, or what it is taken for."""
    named: bool
    """It follows an article or an owner: a thing rather than a deed."""
    clause: int = 0
    """Number of the clause it stands in, by commas, "and" and "while"."""


def _load() -> dict[str, Any]:
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


WORDS = _load()
"""The word lists."""
_PHRASES = [(re.compile(rf"\b(?:{old})\b"), new) for old, new in WORDS["phrases"]]
_IRREGULAR: dict[str, str] = WORDS["irregular"]
_PLAINER = [(re.compile(rf"{old}", re.I), new) for old, new in WORDS["plainer"]]


def plainer(text: str) -> str:
    """The same sentence with phrases that no reader knows said in words that they do."""
    for pattern, new in _PLAINER:
        text = pattern.sub(new, text)
    return text


def stem(word: str) -> str:
    """Without the ending of its form."""
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2]:  # "hopp", "runn", "fall".
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


@cache
def _alike() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in WORDS["alike"]:
        first, *others = row.split()
        found |= {stem(word): first for word in (first, *others)}
    for name, words in ((FAST, WORDS["fast"]), (SLOW, WORDS["slow"])):
        found |= {stem(word): name for word in words.split()}
    return found


_SILENT = frozenset(WORDS["silent"].split())
LIGHT = frozenset(stem(word) for word in WORDS["light"].split())
"""Verbs that say little by themselves."""
THINGS = frozenset(stem(word) for word in WORDS["things"].split())
"""Words that name a thing after an article, and a deed otherwise."""
VAGUE = frozenset(stem(word) for word in WORDS["vague"].split())
"""Words that say nothing without their verb."""
UNREAD = frozenset(WORDS["unread"].split())
"""Requests that are drawn from, but too vague to be found in a sentence."""
PARTICLES = frozenset(stem(word) for word in WORDS["particles"].split())
"""Words that a sentence may add or leave out."""


def with_phrases(text: str) -> str:
    """In lower case, with one word for what several say together."""
    text = text.lower().replace("\u2019", "'").replace("'s", " ").replace("'", "")
    text = " ".join(re.sub(r"[^a-z0-9_,.; ]", " ", text).split())
    for pattern, new in _PHRASES:
        text = pattern.sub(new, text)
    return text


def tokens_of(text: str) -> list[Token]:
    """Of a sentence, or of a part of it."""
    text = re.sub(r"[^a-z0-9_, ]", " ", with_phrases(text)).replace(",", " , ")
    found: list[Token] = []
    side, before = "", ""
    clause = 0
    for raw in text.split():
        if raw in _BREAKS:
            clause += 1
            continue
        word = _NUMBERS.get(raw, raw)
        if word in SIDES:
            if side:
                found.append(Token(side, False, clause))
            side, before = word, raw
            continue
        plural = _PLURALS.get(word)
        named = plural or _alike().get(stem(word), stem(word))
        if named in LIMBS:
            own = SIDES.get(side, "both" if plural else "")
            found.append(Token(f"{own}_{named}" if own else named, True, clause))
            side, before = "", raw
            continue
        if side and word not in ("of", "his", "her", "their", "the", "your", "its"):
            # A side that no limb follows: where to, or how many.
            found.append(Token(side, False, clause))
            side = ""
        if word not in _SILENT:
            found.append(Token(named, before in _NOUNS_FOLLOW, clause))
        before = raw
    if side:
        found.append(Token(side, False, clause))
    return found
