"""Deeds made false: another deed, another limb, or the opposite of what is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texedo.data.captions.banks import load_tables
from texedo.data.captions.contrary.types import END, OWN, denied
from texedo.data.captions.grammar import Subject, conjugate
from texedo.data.captions.readings import read, verb_forms

_BANK = load_tables("contrary")
_ORDERED = re.compile(
    r"(?:^|[,;] |\b(?:and|then|you|please|now|first|[a-z]+ly|they) )$"
)
"""Before the base of a verb, where it is no noun."""
_TOLD = re.compile(
    r"(?:^|[,;] |\b(?:and|then|person|someone|somebody|he|she|it|man|woman|figure|robot|"
    r"humanoid|subject|character|individual|human|dancer|boxer|body|also|first|just|next|"
    r"finally|[a-z]+ly) |^(?:an?|the) (?:[a-z'-]+ ){1,2})$",
    re.I,
)
"""Before the third person of a verb, where it is no plural."""
_THING = re.compile(
    r"\b(?:an?|the|his|her|their|its|your|with|of|no|one|two|three|four|five|six|\d+|small|"
    r"big|left|right|full|half|quick|slow|front|side|high|more|some|few|several|short|"
    r"long|little|jumping|karate|into|in|deep|low|[a-z]+-[a-z]+) $"
)


class _Row(NamedTuple):
    """Verbs, what may follow them, and what is told instead."""

    after: re.Pattern[str]
    to: str
    """The new verb with a tilde, and the rest as a template of the match."""
    new: str


def _filled(pattern: str) -> str:
    return pattern.replace("<own>", OWN).replace("<end>", END)


def _rows() -> dict[str, list[tuple[_Row, int]]]:
    """Every form of a verb with what may be told instead, and which form it is."""
    found: dict[str, list[tuple[_Row, int]]] = {}
    for row in _BANK["action"]:
        new, _, rest = row["to"].partition(" ")
        after = re.compile(_filled(row["after"]))
        for verb in row["verbs"]:
            for form, said in enumerate(verb_forms(verb)):
                to = verb_forms(new)[form] + (f" {rest}" if rest else "")
                found.setdefault(said, []).append((_Row(after, to, new), form))
    return found


_ACTIONS = _rows()
_VERBS = re.compile(
    rf"(?<![-\w])(?:{'|'.join(sorted(_ACTIONS, key=len, reverse=True))})\b"
)
_WHOLE = frozenset(_BANK["whole"]["verbs"].split())
_NEGATIONS = [(re.compile(_filled(r["pattern"])), r["to"]) for r in _BANK["negation"]]


def actions(text: str) -> Iterator[str]:
    """Another deed in place of one; each deed of the sentence in its turn."""
    hits = 0
    for match in _VERBS.finditer(text):
        at = match.start()
        for row, form in _ACTIONS[match.group()]:
            after = row.after.match(text, match.end())
            if after is None or not _is_deed(text, at, form) or denied(text, at):
                continue
            if row.new[:4] in text:
                continue  # somebody who squats and jumps does both
            hits += 1
            yield text[:at] + after.expand(row.to) + text[after.end() :]
            break
    if not hits:
        yield from _whole(text)


def _is_deed(text: str, at: int, form: int) -> bool:
    start = max(0, at - 14)
    if form == 0:
        return _ORDERED.search(text, start, at) is not None
    if form == 1:
        return _TOLD.search(text, 0, at) is not None
    return _THING.search(text, start, at) is None


def _whole(text: str) -> Iterator[str]:
    """Jumping jacks for a deed that is told as a whole."""
    if "jump" in text or not _WHOLE_HINT.search(text):
        return
    reading = read(text)
    if reading is None or reading.lead or reading.phrase.count("~") != 1:
        return
    if reading.phrase.startswith("~") and reading.phrase[1:].split()[0] in _WHOLE:
        stop = text[len(text.rstrip(".!")) :]
        said = conjugate(_BANK["whole"]["to"], reading.told, Subject("", "", "", ""))
        tail = _TAIL.search(reading.phrase)
        kept = reading.phrase[tail.start() :] if tail else ""
        if "{" not in kept:
            yield reading.opening + said + kept + stop


_TAIL = re.compile(r",| while | before | followed by | after ")
"""Where something else begins that may stay true."""
_WHOLE_HINT = re.compile(
    "|".join(rf"\b{stem[:4]}" for stem in sorted({*_BANK["whole"]["verbs"].split()}))
)
_MOVES = (
    r"(?:rais|lift|swing|shak|mov|extend|stretch|hold|keep|wav|throw|put|lower|bring)"
    r"(?:e|es|s|ing)?(?: out| up)?"
)
_BOTH = re.compile(rf"\b(?:{_MOVES}|with|using|uses?) both (?P<what>hands|arms|feet)\b")
_ONE = re.compile(
    rf"\b(?:{_MOVES}) (?P<which>{OWN} (?:left|right)|one) (?P<what>hand|arm)\b(?![- ]sig)"
)
_LEG = re.compile(
    rf"\b(?:rais|lift)(?:e|es|s|ing) {OWN} (?:left|right) (?P<what>knee|leg|foot)\b(?=<end>)".replace(
        "<end>", END
    )
)
_ON_ONE = re.compile(
    rf"\b(?:stand|balanc)(?:e|es|s|ing)? on (?:{OWN} (?:left|right)|one) (?P<what>leg|foot)\b"
)
_PLURAL = re.compile(
    r"\b(?:them|they|each|apart|together|wide|both|sides|shoulder|one)\b"
)
_SINGLE = re.compile(r"\b(?:it|its|other|both|hands|arms|one after)\b")
_OTHER_ONE = re.compile(
    rf"(?<!to )(?<!toward )(?<!towards )\b{OWN} (?:left|right)\b"
    r"(?! (?:hand|arm|foot|leg|side|knee|hip|shoulder|ear|fist|elbow))"
)
"""A hand that is not called one: "the right arm, then the left"."""
_LOWER = re.compile(r"\b(?:legs?|foot|feet|knees?|kick\w*)\b")


def limbs(text: str) -> Iterator[str]:
    """One hand for both, both for one, a foot for a hand."""
    if match := _BOTH.search(text):
        plural = _PLURAL.search(text, match.end()) or _OTHER_ONE.search(
            text, match.end()
        )
        if not denied(text, match.start()) and not plural:
            one = {"hands": "one hand", "arms": "one arm", "feet": "one foot"}
            start, end = match.start("what") - len("both "), match.end("what")
            yield text[:start] + one[match["what"]] + text[end:]
    elif (match := _ONE.search(text)) and not denied(text, match.start()):
        if _OTHER_ONE.search(text):
            return
        start, end = match.start("which"), match.end()
        others = len(re.findall(r"\b(?:hand|arm|elbow|fist)\b", text))
        if others == 1 and not _SINGLE.search(text, end):
            yield f"{text[:start]}both {match['what']}s{text[end:]}"
        if others == 1 and not _LOWER.search(text) and match["which"] != "one":
            leg = "foot" if match["what"] == "hand" else "leg"
            if not re.search(r"^wav|^put|^throw", match.group()):
                yield f"{text[: match.start('what')]}{leg}{text[end:]}"
    elif (match := _LEG.search(text)) and not re.search(r"\b(?:arms?|hands?)\b", text):
        if not denied(text, match.start()):
            yield f"{text[: match.start('what')]}arm{text[match.end() :]}"
    match = _ON_ONE.search(text)
    if (
        match
        and not denied(text, match.start())
        and not _LOWER.search(text, match.end())
    ):
        both = "both legs" if match["what"] == "leg" else "both feet"
        on = text.index(" on ", match.start()) + len(" on ")
        yield text[:on] + both + text[match.end() :]


def negations(text: str) -> Iterator[str]:
    """The opposite of what is said to happen, or not to."""
    for pattern, to in _NEGATIONS:
        if match := pattern.search(text):
            joined = " ".join((text[: match.start()] + " " + match.expand(to)).split())
            yield joined + text[match.end() :]
            return
