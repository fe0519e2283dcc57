"""What a sentence and its candidates tell about whether anything known was asked for.

Four numbers, each of which a person can check:

    near      how near the sentence is to the nearest group of training captions
    unknown   share of its words that no training caption has
    action    whether it names a movement that can be measured, as in "turns left"
    fits      how well its candidates fit it, by R_text

The first three need no candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from texedo.data.captions.reader import read
from texedo.language import Reading
from texedo.language.reading import is_common
from texedo.language.vocabulary import words_of

NAMES = ("near", "unknown", "action", "fits")
WORST, BEST = -1.0, 1.0
"""Log-odds of R_text (0.27 and 0.73) beyond which it says no more: a verifier may be sure
of sentences that it does not know, so R_text saves few and condemns more."""
_QUARTER = 4
"""One candidate of so many is among the best, whose R_text counts."""
_SUBJECTS = frozenset(
    "person persons people man men woman women someone somebody figure figures humanoid "
    "human humans robot character individual subject guy".split()
)


class Evidence(NamedTuple):
    """Of one sentence."""

    near: float
    """Cosine, up to 1."""
    unknown: float
    """From 0 to 1; 1 if no word is left that says anything."""
    action: float
    """1 or 0."""
    fits: float | None = None
    """Mean log-odds of the best quarter's R_text, from `WORST` to `BEST`; None if
    nobody gave one."""

    def values(self) -> list[float]:
        """Those that are there, in the order of `NAMES`."""
        return [float(value) for value in self if value is not None]


def unknown_share(reading: Reading) -> float:
    """Of the words that say what is done: neither "the" nor "person" count."""
    words = [w for w in words_of(reading.text) if not is_common(w)]
    words = [w for w in words if w not in _SUBJECTS and len(w) > 1]
    if not words:
        return 1.0
    return sum(word in reading.unknown for word in words) / len(words)


def names_action(reading: Reading) -> bool:
    """Whether the rules that measure motions know an action of the sentence."""
    return any(clause.action != "other" for clause in read(reading.text).clauses)


def fit_of(r_text: ArrayLike | None) -> float | None:
    """`Evidence.fits` of the candidates' R_text, (N,).

    The best one alone would be the better the more candidates there are; of the best
    quarter the mean hardly depends on their number.
    """
    if r_text is None:
        return None
    known = np.asarray(r_text, dtype=np.float64)
    known = np.sort(known[np.isfinite(known)])
    if not len(known):
        return None
    best = known[-max(round(len(known) / _QUARTER), 1) :].clip(1e-6, 1 - 1e-6)
    odds = np.log(best / (1 - best)).clip(WORST, BEST)
    return float(odds.mean())


def differs(text: str, others: Sequence[str]) -> bool:
    """Whether a phrase has a word of its own that none of the others has."""
    taken = {word for other in others for word in words_of(other)}
    own = [word for word in words_of(text) if not is_common(word)]
    return any(word not in taken and word not in _SUBJECTS for word in own)
