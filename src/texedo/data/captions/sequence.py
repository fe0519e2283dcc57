"""What a sentence tells one after the other: "walks, then turns" is two parts."""

from __future__ import annotations

import re

from texedo.data.captions.readings import Reading, verb_of_ing

_ADVERBS = r"(?:[a-z]+ly )?"
_THEN = re.compile(
    r"(?:,? and then|, then| then|,? and after that|, after that|,? and afterwards|"
    rf", afterwards|,? and subsequently|,? and next|,? and finally) (?={_ADVERBS}~)"
)
_BEFORE = re.compile(r",? (?:before|followed by) (?=([a-z]+ing)\b)")
_AFTER = re.compile(r"after ([a-z]+ing)\b(.*), $")
_MORE = re.compile(
    r"(?:,|\band|\bor|\bbut|\bbefore|\bafter) (?:[a-z]+ly )?(?:\w+ing\b|~)"
)
"""A second deed inside a part."""


def sequence(reading: Reading) -> tuple[str, ...]:
    """The phrases that follow one another; a single one if nothing says that they do."""
    phrase = reading.phrase
    if "{pron}" in phrase:
        return (phrase,)
    if reading.lead:
        match = _AFTER.match(reading.lead)
        base = verb_of_ing(match[1]) if match else None
        if match is None or base is None or _MORE.search(match[2]):
            return (phrase,)
        return (f"~{base}{match[2]}", *_split(phrase))
    return _split(phrase)


def is_simple(part: str) -> bool:
    """Whether a part tells of one deed, so that its form can be changed alone."""
    return _MORE.search(part) is None and " while " not in part


def _split(phrase: str) -> tuple[str, ...]:
    parts = _THEN.split(phrase)
    if len(parts) > 1:
        return (parts[0].removeprefix("first ").rstrip(","), *parts[1:])
    match = _BEFORE.search(phrase)
    base = verb_of_ing(match[1]) if match else None
    if match is None or base is None or _MORE.search(phrase, match.end(1)):
        return (phrase,)
    return (phrase[: match.start()], f"~{base}{phrase[match.end(1) :]}")
