"""What a sentence claims that can be measured, and whether a motion does it.

Two readers, both written down as rules: one takes sentences apart (walks, turns, jumps,
counts, sides, orders: `data.captions.reader`), the other knows everyday requests word for
word (`data.captions.activities`). Each says yes, no, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from texedo.data.captions.activities.judge import judge
from texedo.data.captions.activities.recognise import recognise
from texedo.data.captions.activities.rules import Rule
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.reader import Wanted, check, read
from texedo.data.events import Facts, measure
from texedo.motion import Motion
from texedo.motion.edit import canonicalize

VERSION = 1
"""Raise it when the same motion may be answered differently."""
MIN_SECONDS, MAX_SECONDS = 0.4, 60.0
"""Of shorter motions nothing can be said, of longer ones nobody asks such things."""
_VALUES = {"yes": 1, "perhaps": 0, "no": -1}


@dataclass(frozen=True, kw_only=True)
class Claims:
    """Of one sentence."""

    wanted: Wanted | None
    """What is asked for, as the reader has it; None if it can measure none of it."""
    rule: Rule | None
    """That of the request; None if it is not among those that are known."""

    @property
    def empty(self) -> bool:
        """Nothing can be measured."""
        return self.wanted is None and self.rule is None


def claims_of(text: str) -> Claims:
    """Of a sentence in its normal form."""
    wanted = read(text)
    measurable = any(clause.action != "other" for clause in wanted.clauses)
    return Claims(wanted=wanted if measurable else None, rule=recognise(text))


class Measured:
    """A motion; it is measured when the first claim about it is looked at."""

    def __init__(self, motion: Motion) -> None:
        self._motion = motion
        self._facts: Facts | None = None
        self._scene: Scene | None = None

    def does(self, claims: Claims) -> int:
        """2: both readers say yes; -2: both say no; 0: nobody says anything."""
        if claims.empty or not MIN_SECONDS <= self._motion.duration <= MAX_SECONDS:
            return 0
        self._look(curves=claims.rule is not None)
        found = 0
        if claims.wanted is not None and self._facts is not None:
            found += _VALUES[check(claims.wanted, self._facts).answer]
        if claims.rule is not None and self._scene is not None:
            found += _VALUES[judge(claims.rule, self._scene)]
        return found

    def _look(self, *, curves: bool) -> None:
        """Measure what is not known yet; the curves cost as much again as the events."""
        # From one place and heading, so that rounding cannot decide a close case.
        if curves and self._scene is None:
            self._scene = Scene.of(canonicalize(self._motion))
            self._facts = self._scene.facts
        elif self._facts is None:
            self._facts = measure(canonicalize(self._motion))
