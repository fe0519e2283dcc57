"""Which of the requests a sentence is, whoever says it and in whatever form.

Sentences are compared by what is left of them without articles, owners, politeness and
endings: "can you raise your left hand?" and "a man is raising his left hand" are the same.
Several requests in a row ("... then ...") are recognised one by one. What is not known
word for word is not recognised: nobody is judged by a rule for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from texedo.data.captions.activities.compose import steps
from texedo.data.captions.activities.phrasing import order, with_count
from texedo.data.captions.activities.rules import Rule
from texedo.data.captions.activities.table import Asked, asked_of, load_requests

Key = tuple[str, ...]

_COUNTS = (1, 2, 3, 4, 5, 6)
_NUMBERS = {
    **{"once": "1", "twice": "2", "thrice": "3"},
    **{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"},
}
_SILENT = frozenset(
    "a an the of is are was be please can could you i want now just go ahead "
    "person people someone somebody man woman guy girl boy human humanoid robot figure "
    "character he she it they him his her its their theirs your my one's "
    "himself herself itself themselves yourself time times x some".split()
)
_ENDINGS = ("ing", "es", "ed", "s")
_SHORTEST = 3
"""Letters of a stem: "bring" has no ending."""
_THEN = re.compile(
    r"\s*[,.;]?\s*\b(?:and )?(?:then|after that|afterwards|next|finally|followed by)\b,?"
)


def recognise(text: str) -> Rule | None:
    """The rule of what is asked for, or None if that is not among the requests."""
    parts = [part for part in _THEN.split(text) if part.strip(" ,.;")]
    found = [_requests().get(key_of(part)) for part in parts]
    asked = [one for one in found if one is not None]
    if not asked or len(asked) < len(found):
        return None
    return asked[0].rule if len(asked) == 1 else steps(asked)


@lru_cache(4096)
def key_of(text: str) -> Key:
    """What two wordings of the same thing share."""
    words = re.sub(r"[^a-z0-9 ]", " ", text.lower().replace("'", "")).split()
    plain = (_NUMBERS.get(word, word) for word in words)
    return tuple(_stem(word) for word in plain if word not in _SILENT)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            if len(word) > _SHORTEST and word[-1] == word[-2]:  # "hopp", "runn".
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


@cache
def _requests() -> dict[Key, Asked | None]:
    """By key; None where two requests that differ are said alike."""
    found: dict[Key, Asked | None] = {}
    for request in load_requests():
        if request.measurable:
            for asked in asked_of(request, _COUNTS):
                for key in set(_keys(asked)):
                    known = found.setdefault(key, asked)
                    if known is not None and known.rule != asked.rule:
                        found[key] = None
    return found


def _keys(asked: Asked) -> Iterator[Key]:
    for wording in asked.wordings:
        said = with_count(wording, asked.count)
        if said:
            yield key_of(order(said) if "~" in said else said.replace("{poss}", ""))
