"""Orders told as what somebody does: "raise your hand" is "a person raises their hand".

Most captions are about a person, and a model follows those best. Which words are verbs
is not listed: a word is taken for one if captions know it in all three forms, as in
"wave", "waves" and "waving". What does not begin with a verb is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Knows = Callable[[str], bool]

_THIRD = {"go": "goes", "do": "does", "have": "has", "be": "is"}
_ING = {"be": "being", "lie": "lying", "die": "dying", "tie": "tying"}
_NO_VERB = frozenset(
    "slow light still even calm double low clean clear dry empty warm cool back head face "
    "hand arm leg foot hip knee side one two three four five six left right forward backward "
    "sideways up down fast quick quickly slowly round circle motion start end front".split()
)
"""Words that seldom give an order where they come first, whatever forms they have."""
_DOUBLED = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdgmnprt]$")
_YOURS = {"your": "their", "yourself": "themselves", "you": "they", "yours": "theirs"}
_JOINED = re.compile(r"(?:,|\.|\band|\bthen|\bbut)$")
_WORD = re.compile(r"[a-z]+|[^a-z]+")


def third_person(text: str, knows: Knows) -> str:
    """An order in small letters as a sentence about a person; anything else as it is."""
    parts = _WORD.findall(text)
    words = [i for i, part in enumerate(parts) if part.isalpha()]
    if not words:
        return text
    first = 0
    while first < len(words) - 1 and parts[words[first]].endswith("ly"):
        first += 1
    if parts[words[0]] == "do" and len(words) > 2 and parts[words[1]] == "not":
        parts[words[0]] = "does"
    elif is_verb(parts[words[first]], knows):
        for number, i in enumerate(words[first:], first):
            if number == first or _follows(parts, i, knows):
                parts[i] = _third(parts[i])
    else:
        return text
    said = "".join(_YOURS.get(part, part) for part in parts)
    return f"a person {said}"


def _follows(parts: list[str], at: int, knows: Knows) -> bool:
    """Whether the word is a verb behind one that joins two orders."""
    if not is_verb(parts[at], knows):
        return False
    before = "".join(parts[:at]).rstrip()
    stripped = re.sub(r"\s*\b\w+ly$", "", before)  # "and slowly turn"
    return bool(_JOINED.search(before) or _JOINED.search(stripped))


def is_verb(word: str, knows: Knows) -> bool:
    """Whether captions have it as "wave", "waves" and "waving"."""
    if word in _THIRD:
        return True
    known = word not in _NO_VERB and knows(word) and knows(_third(word))
    return known and knows(_ing(word))


def _third(word: str) -> str:
    if word in _THIRD:
        return _THIRD[word]
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def _ing(word: str) -> str:
    if word in _ING:
        return _ING[word]
    if word.endswith("e") and not word.endswith(("ee", "oe", "ye")):
        return f"{word[:-1]}ing"
    if _DOUBLED.search(word):
        return f"{word}{word[-1]}ing"
    return f"{word}ing"
