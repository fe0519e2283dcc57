"""`read`: a sentence as clauses in the order of time."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from texedo.data.captions.reader.lexicon import PATTERNS, PLAIN, plain_text
from texedo.data.captions.reader.modifiers import modified
from texedo.data.captions.reader.types import Clause, Link, Wanted

_BREAK = re.compile(
    r"(?<!\S)(?:(?P<then>(?:[,;.:] )?(?:and )?(?:(?:then|next|afterwards|subsequently|finally"
    r"|after that|after which|at last|later|follow(?:ed)? by|before|until)(?: ,)?)"
    r"|[.;!?])(?= |$)"
    r"|(?P<after>(?:, )?(?:shortly |immediately |right )?after)(?= )"
    r"|(?P<while>(?:, )?(?:and )?(?:while|as|when|whilst)(?! if))(?= )"
    r"|(?P<and>, and|and|,|but)(?= |$))"
)
_LINKS: dict[str, Link] = {"then": "then", "while": "while"}
_NOT = re.compile(r"\b(?:not|without|no)(?: any)?(?= )")
_MODIFIER = re.compile(
    r"\d+|left|right|forward|ahead|backward|sideways|diagonally|\w*clockwise|degree|time"
    r"|slow|fast|meter|metre|in_place|alternating|side_to_side|to_fro|many_times|hand|arm"
    r"|fist|knee|high|low|straight|overhead|above|head|same_time|slightly|that|apart"
)
_LEADING = re.compile(
    r"(?:(?:with|through|in|by|of) )?(?:(?:left|right|both|\d+|degree|small|full|slow|fast"
    r"|sharp|deep|\w*clockwise|long|short|high|big|sideways) )+$"
)
"""Words before a noun that are its own: "with two small jumps"."""
_MANNER = re.compile(r"like(?: \w+){0,3}|\w+ly|style")
_INHERITS = {"wave": "arm", "arm": "wave", "punch": "arm", "head": "arm"}


@dataclass(frozen=True)
class _Segment:
    text: str
    link: Link


def read(text: str) -> Wanted:
    """The clauses of a text, and the words that no clause accounts for."""
    clauses: list[Clause] = []
    unread: list[str] = []
    for segment in _segments(plain_text(text)):
        found, rest = _clauses(segment)
        if not found and rest and not clauses:
            found = [Clause(action="other", link=segment.link, text=segment.text)]
        clauses += found
        unread += rest
    return Wanted(clauses=tuple(_with_sides(clauses)), unread=tuple(unread))


def _segments(plain: str) -> list[_Segment]:
    """Pieces between connectives, in order of time; a piece without an action joins on."""
    pieces: list[_Segment] = []
    link: Link = "then"
    swap = False
    start = 0
    opened: Link | None = None
    at_once = "same_time" in plain
    for match in [*_BREAK.finditer(plain), None]:
        piece = plain[start : match.start() if match else len(plain)].strip(" ,.;:!?")
        if piece:
            _add(pieces, _Segment(piece, link), swap=swap)
            swap = False
        if match is None:
            break
        start = match.end()
        kind = match.lastgroup
        if not pieces and kind in ("after", "while"):
            opened = "then" if kind == "after" else "while"
        elif opened is not None and match.group() == ",":
            link, opened = opened, None
        elif kind == "after":
            link, swap = "then", bool(pieces)
        elif not (kind == "and" and link == "then" and not piece):
            link = _LINKS.get(kind or "", "and")
            if at_once and link == "and":
                link = "while"
    return pieces


def _add(pieces: list[_Segment], new: _Segment, *, swap: bool) -> None:
    if not _acts(new.text) and (_foreign(new.text) or not pieces):
        pieces.append(new)
    elif pieces and not _acts(new.text):
        pieces[-1] = replace(pieces[-1], text=f"{pieces[-1].text} {new.text}")
    elif pieces and not _acts(pieces[-1].text) and not _foreign(pieces[-1].text):
        last = pieces[-1]
        pieces[-1] = replace(last, text=f"{last.text} {new.text}")
    elif swap and pieces:
        last = pieces.pop()
        pieces += [replace(new, link=last.link), replace(last, link="then")]
    else:
        pieces.append(new)


def _foreign(text: str) -> bool:
    """It has words that are more than a where, how or how often."""
    return any(not _MODIFIER.fullmatch(word) for word in _content(text))


def _acts(text: str) -> bool:
    return any(p.search(text) for _, patterns in PATTERNS for p in patterns)


def _matches(text: str) -> list[tuple[int, int, str]]:
    """Actions of a piece, none overlapping, as they come."""
    found: list[tuple[int, int, str]] = []
    for name, patterns in PATTERNS:
        for pattern in patterns:
            for match in pattern.finditer(text):
                start, end = match.span()
                if all(end <= a or b <= start for a, b, _ in found):
                    found.append((start, end, name))
    return _without_repeats(sorted(found))


def _without_repeats(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """ "Takes a step": the walk of a walk, the gait of a run, are told once."""
    kept: list[tuple[int, int, str]] = []
    for start, end, name in found:
        before = kept[-1][2] if kept else ""
        travels = {"walk", "run", "move"}
        if before == name or (before in travels and name in travels):
            best = "run" if "run" in (before, name) else "walk"
            kept[-1] = (kept[-1][0], kept[-1][1], best if name in travels else name)
        else:
            kept.append((start, end, name))
    return kept


def _clauses(segment: _Segment) -> tuple[list[Clause], list[str]]:
    text, found = segment.text, _matches(segment.text)
    if not found:
        return [], _content(text)
    clauses: list[Clause] = []
    unread: list[str] = []
    for i, (start, _, name) in enumerate(found):
        first = 0 if i == 0 else _lead(text, start, found[i - 1][1])
        last = len(text)
        if i + 1 < len(found):
            last = _lead(text, found[i + 1][0], found[i][1])
        link = segment.link if i == 0 else "while"
        clause = Clause(action=name, link=link, text=text[first:last].strip())
        if _NOT.search(clause.text[: start - first + 1]) or (
            i and re.search(r"\b(?:not|without|no)(?: any)? $", text[:start])
        ):
            clause = replace(clause, negated=True)
        clause, rest = modified(clause)
        unread += _content(rest)
        unsure = bool(_content(_MANNER.sub(" ", rest)))
        clauses.append(replace(clause, unsure=unsure))
    return clauses, unread


def _lead(text: str, start: int, least: int) -> int:
    """Where the words of an action begin that starts at `start`."""
    match = _LEADING.search(text[least:start])
    return start if match is None else least + match.start()


def _content(text: str) -> list[str]:
    """Words with a meaning of their own."""
    words = re.findall(r"[\w'.-]+", _NOT.sub(" ", text))
    return [word for word in words if word not in PLAIN]


def _with_sides(clauses: list[Clause]) -> list[Clause]:
    """ "Raises the left hand and waves": the wave is the left hand's."""
    told: list[Clause] = []
    for clause in clauses:
        if told and clause.side is None:
            before = told[-1]
            if _INHERITS.get(clause.action) == before.action and before.side:
                clause = replace(clause, side=before.side)
        told.append(clause)
    return told
