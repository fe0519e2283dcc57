"""Sentences about composed motions, made from the phrases of their parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from texedo.data.captions.choice import Choice
from texedo.data.captions.sentences import Part, sentence

_PACE = re.compile(
    r"\b(slow\w*|quick\w*|fast\w*|brisk\w*|hurr\w*|rush\w*|rapid\w*|unhurried\w*|speed\w*"
    r"|leisure\w*|gradual\w*|sudden\w*|pace|run|jog\w*|sprint\w*|stroll\w*|still|stand"
    r"|pause|wait\w*|hold|keep|stay|remain\w*|motionless|at rest|ambl\w*|saunter\w*"
    r"|trudg\w*|plod\w*|dash\w*|dart\w*|race|relaxed|laid-back|careful\w*|panic)\b"
)
_ARMS = re.compile(
    r"\b(arms?|hands?|fists?|elbow\w*|finger\w*|shoulder\w*|wav\w+|carr\w+|hold\w*|punch\w*"
    r"|clap\w*|box\w*|throw\w*|reach\w*|point\w*|swing\w*|gestur\w+|objects?|box|something"
    r"|drink\w*|phone|push\w*|pull\w*|catch\w*|lift\w*|grab\w*|pick\w*|flap\w*|dribbl\w*"
    r"|sweep\w*|salut\w*|stretch\w*|danc\w*|jump\w*|hop\w*|act\w*|imitat\w*|mim\w+|like)\b"
)
"""Words after which the arms are not free for something else."""


def is_simple(phrase: str) -> bool:
    """Whether a phrase tells of one thing only, so that a word can be added to it."""
    return "," not in phrase and " while " not in phrase


def arms_are_free(phrase: str) -> bool:
    """Whether a phrase says nothing that other arms would make false."""
    return is_simple(phrase) and _ARMS.search(phrase) is None


def join_captions(
    parts: Sequence[Sequence[str]], *, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences that tell the parts in order; each part is given by its phrases."""
    drawn = [choice.shuffled(list(phrases)) for phrases in parts]
    out: list[str] = []
    for i in range(number):
        chosen = [Part(phrases[i % len(phrases)]) for phrases in drawn]
        out.append(sentence(chosen, choice))
    return tuple(dict.fromkeys(out))


def overlay_captions(
    legs: Sequence[str], arms: Sequence[str], *, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences that tell of two things at once, the legs' being the longer one."""
    drawn = choice.shuffled(list(legs)), choice.shuffled(list(arms))
    out = []
    for i in range(number):
        during = drawn[1][i % len(drawn[1])]
        out.append(sentence([Part(drawn[0][i % len(drawn[0])], during)], choice))
    return tuple(dict.fromkeys(out))


_QUICK = "quickly|fast|at a quick pace|rapidly|swiftly|in a hurry|with haste|speedily"
_SLOW = "slowly|at a slow pace|unhurriedly|in slow motion|without haste|leisurely"


def pace_captions(
    phrases: Sequence[str], *, quick: bool, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences with a word for the tempo, from phrases that have none yet."""
    phrases = [p for p in phrases if is_simple(p) and not _PACE.search(p)]
    out = []
    for i in range(number if phrases else 0):
        how = choice.text(f"[{_QUICK if quick else _SLOW}]")
        phrase = phrases[i % len(phrases)]
        if how.endswith("ly") and choice.chance(0.3):
            text = f"{how} {phrase}"
        else:
            text = f"{phrase} {how}"
        out.append(sentence([Part(text)], choice))
    return tuple(dict.fromkeys(out))
