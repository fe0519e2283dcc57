"""Sentences about composed motions, made from the phrases of their parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from texedo.data.captions.choice import Choice
from texedo.data.captions.sentences import Part, sentence
from texedo.data.captions.weights import part_weight

WORDS_VERSION = 2
"""Raise when sentences about composed motions change."""

_PACE = re.compile(
    r"\b(slow\w*|quick\w*|fast\w*|brisk\w*|hurr\w*|rush\w*|rapid\w*|unhurried\w*|speed\w*"
    r"|leisure\w*|gradual\w*|sudden\w*|pace|run|jog\w*|sprint\w*|stroll\w*|still|stand"
    r"|pause|wait\w*|hold|keep|stay|remain\w*|motionless|at rest|ambl\w*|saunter\w*"
    r"|trudg\w*|plod\w*|dash\w*|dart\w*|race|relaxed|laid-back|careful\w*|panic|tempo|seconds?|moment\w*|brief\w*|swift\w*"
    r"|stead\w+|gentl\w+|eas(?:y|ily)|normal\w*|ordinar\w+|regular\w*|usual\w*|medium"
    r"|moderate\w*|lively|sluggish\w*|laz\w+|patient\w*|sharp\w*|abrupt\w*|smart\w*"
    r"|energetic\w*|vigorous\w*|snapp\w+|fren\w+|creep\w*|calm\w*|wear\w+|tired\w*"
    r"|bounc\w*|scurr\w+|scuttl\w+|shuffl\w+|drag\w*|rest\w*|freez\w*|jerk\w*|heav\w+"
    r"|punchy|drows\w+|measured|natural\w*|casual\w*|excit\w+|march\w*|metres?)\b"
)
_ARMS = re.compile(
    r"\b(arms?|hands?|fists?|elbow\w*|finger\w*|shoulder\w*|wav\w+|carr\w+|hold\w*|punch\w*"
    r"|clap\w*|box\w*|throw\w*|reach\w*|point\w*|swing\w*|gestur\w+|objects?|box|something"
    r"|drink\w*|phone|push\w*|pull\w*|catch\w*|lift\w*|grab\w*|pick\w*|flap\w*|dribbl\w*"
    r"|sweep\w*|salut\w*|stretch\w*|wip\w+|wash\w*|scratch\w*|play\w*|conduct\w*|paws?|wings?|palms?"
    r"|wrists?|bag|suitcase|rope|broom|ball|sword|knock\w*|brush\w*|scoop\w*|head|face"
    r"|pretend\w*|hips?|chest|rais\w+|read\w*|paint\w*|mop\w*|drag\w*|turn\w* the|danc\w*|jump\w*|hop\w*|act\w*|imitat\w*|mim\w+|like)\b"
)
"""Words after which the arms are not free for something else."""


def is_simple(phrase: str) -> bool:
    """Whether a phrase tells of one thing only, so that a word can be added to it."""
    return "," not in phrase and " while " not in phrase


def is_single(phrase: str) -> bool:
    """Whether it has one verb: "walk and turn slowly" does not say which is slow."""
    return is_simple(phrase) and phrase.count("~") == 1


def arms_are_free(phrase: str) -> bool:
    """Whether a phrase says nothing that other arms would make false."""
    return is_simple(phrase) and _ARMS.search(phrase) is None


def _drawn(phrases: Sequence[str], written: int, choice: Choice) -> list[str]:
    """The phrases shuffled, those that somebody wrote (the first) before the others."""
    own, others = list(phrases[:written]), list(phrases[written:])
    return choice.shuffled(own) + choice.shuffled(others)


def join_captions(
    parts: Sequence[Sequence[str]],
    *,
    number: int,
    choice: Choice,
    written: Sequence[int] = (),
) -> dict[str, float]:
    """Sentences that tell the parts in order, and how much each of them weighs.

    Each part is given by its phrases; the first `written` of them are somebody's own.
    """
    counts = written or [0] * len(parts)
    drawn = [_drawn(p, n, choice) for p, n in zip(parts, counts, strict=True)]
    out: dict[str, float] = {}
    for i in range(number):
        at = [i % len(phrases) for phrases in drawn]
        chosen = [Part(phrases[k]) for phrases, k in zip(drawn, at, strict=True)]
        whose = [k < n for k, n in zip(at, counts, strict=True)]
        out.setdefault(sentence(chosen, choice), part_weight(whose))
    return out


def overlay_captions(
    legs: Sequence[str],
    arms: Sequence[str],
    *,
    number: int,
    choice: Choice,
    written: int = 0,
) -> dict[str, float]:
    """Sentences that tell of two things at once, the legs' being the longer one."""
    drawn = _drawn(legs, written, choice), choice.shuffled(list(arms))
    out: dict[str, float] = {}
    for i in range(number):
        at = i % len(drawn[0])
        during = drawn[1][i % len(drawn[1])]
        said = sentence([Part(drawn[0][at], during)], choice)
        out.setdefault(said, part_weight([at < written]))
    return out


_QUICK = "quickly|fast|at a quick pace|rapidly|swiftly|in a hurry|with haste|speedily"
_SLOW = "slowly|at a slow pace|unhurriedly|in slow motion|without haste|leisurely"


def pace_captions(
    phrases: Sequence[str],
    *,
    quick: bool,
    number: int,
    choice: Choice,
    written: int = 0,
) -> dict[str, float]:
    """Sentences with a word for the tempo, from phrases that have none yet."""
    own = phrases[:written]
    phrases = [p for p in phrases if is_single(p) and not _PACE.search(p)]
    out: dict[str, float] = {}
    for i in range(number if phrases else 0):
        how = choice.text(f"[{_QUICK if quick else _SLOW}]")
        phrase = phrases[i % len(phrases)]
        if how.endswith("ly") and choice.chance(0.3):
            text = f"{how} {phrase}"
        else:
            text = f"{phrase} {how}"
        out.setdefault(sentence([Part(text)], choice), part_weight([phrase in own]))
    return out
