"""Words and short phrases that can stand for one another, from `paraphrase.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from texedo.data.captions.banks import load_tables
from texedo.data.captions.choice import Choice
from texedo.data.captions.readings import verb_forms

_CHANCE = 0.5
_ENDS = (
    r"(?=$|[.,;!?]| (?:and|then|while|before|after|to|in|on(?= \w)|with|for|at|as|until|by|"
    r"once|twice|again)\b)"
)
# "Slowly walks" is not "at a slow pace walks", and "very slowly" is more than slowly.
_NOT_AFTER = re.compile(
    r"(?:^|[,;] |\b(?:and|then|is|person|someone|somebody|man|he|she|while|very|more|too|so|"
    r"quite|as|how|over|around|bit|fairly|rather|first|now|please|you) )$",
    re.I,
)
_ORDERED = re.compile(r"(?:^|[,;] |\b(?:and|then|to|you|please|now) )$", re.I)
_COUNTED = re.compile(
    r"\b(?:an?|the|his|her|their|your|with|of|two|three|four|five|six|\d+|small|big|left|"
    r"right|full|half|quarter|quick|slow) $",
    re.I,
)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _rows(entry: str) -> dict[str, list[str]]:
    """Every word that can be replaced, with what can replace it."""
    found: dict[str, list[str]] = {}
    for row in load_tables("paraphrase")[entry]:
        for word in row.get("from", row["words"]):
            found[word] = [w for w in row["words"] if w != word]
    return found


def _verb_rows() -> dict[str, list[tuple[re.Pattern[str], bool, list[str]]]]:
    """Every form of a verb: in front of what, whether it is the base, and the others."""
    found: dict[str, list[tuple[re.Pattern[str], bool, list[str]]]] = {}
    for row in load_tables("paraphrase")["verbs"]:
        before = re.compile(row["before"])
        forms = [_phrase_forms(verb) for verb in row["words"]]
        for verb in forms:
            for i, said in enumerate(verb):
                others = [other[i] for other in forms if other[i] != said]
                found.setdefault(said, []).append((before, i == 0, others))
    return found


def _phrase_forms(phrase: str) -> tuple[str, ...]:
    verb, space, rest = phrase.partition(" ")
    return tuple(form + space + rest for form in verb_forms(verb))


_SAME, _ENDING, _VERBS = _rows("same"), _rows("ending"), _verb_rows()
_SAME_WORDS = re.compile(rf"\b(?:{_any(_SAME)})\b")
_ENDINGS = re.compile(rf"\b(?:{_any(_ENDING)})\b{_ENDS}")
_VERB_FORMS = re.compile(rf"\b(?:{_any(_VERBS)})(?= )")


def reword(text: str, choice: Choice) -> str:
    """The sentence with some of its words changed for others that mean the same."""
    text = _SAME_WORDS.sub(partial(_swap, _SAME, choice), text)
    text = _ENDINGS.sub(partial(_end, choice), text)
    return _VERB_FORMS.sub(partial(_verb, choice), text)


def _swap(rows: dict[str, list[str]], choice: Choice, match: re.Match[str]) -> str:
    if not choice.chance(_CHANCE):
        return match.group()
    other = choice.one(rows[match.group()])
    doubled = other.startswith("a ") and match.string.endswith("a ", 0, match.start())
    return match.group() if doubled else other


def _end(choice: Choice, match: re.Match[str]) -> str:
    if _NOT_AFTER.search(match.string, max(0, match.start() - 10), match.start()):
        return match.group()
    return _swap(_ENDING, choice, match)


def _verb(choice: Choice, match: re.Match[str]) -> str:
    said, text, at = match.group(), match.string, match.start()
    for before, base, others in _VERBS[said]:
        start = max(0, at - 10)
        deed = (
            _ORDERED.search(text, start, at) is not None
            if base
            else _COUNTED.search(text, start, at) is None
        )
        if deed and before.match(text, match.end() + 1) and choice.chance(_CHANCE):
            return choice.one(others)
    return said
