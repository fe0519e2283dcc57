"""What a sentence claims that can be measured, and how clearly a motion does it.

Three readers, all of them rules: a strict one that takes sentences apart and compares
events ("no" only where something is plainly otherwise: `data.captions.reader`), its
clauses again with grades (`data.captions.asked.clauses`), and one that looks for everyday
requests in free sentences (`data.captions.asked`). Of a sentence with several steps it is
also looked when each is done (`data.captions.asked.when`), and of one with sides in it
which sides the motion is on (`data.captions.asked.sides`); what it says of a posture is
compared with what is held (`data.captions.postures`). Each gives evidence for or
against, in log-odds; what a reader does not understand is no evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.data.captions.activities.rules import Rule, grade_of
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked import Wish, wish_of
from texedo.data.captions.asked.clauses import rule_of_all
from texedo.data.captions.asked.facing import facing_of
from texedo.data.captions.asked.lengths import in_meters
from texedo.data.captions.asked.often import often_of
from texedo.data.captions.asked.parse import parts_of
from texedo.data.captions.asked.sides import Mention, mentions_of, on_its_sides
from texedo.data.captions.asked.tokens import plainer
from texedo.data.captions.asked.when import Deed, deeds_of, in_order
from texedo.data.captions.postures import Taken, fits, postures_said
from texedo.data.captions.reader import Wanted, check, read
from texedo.data.events.measure import measure_many
from texedo.motion import Motion
from texedo.motion.edit import place_qpos

VERSION = 8
"""Raise it when the same motion may be answered differently."""
MIN_SECONDS, MAX_SECONDS = 0.4, 60.0
"""Of shorter motions nothing can be said, of longer ones nobody asks such things."""
ASKED, GRADED, GRADED_STEPS = 1.0, 0.6, 0.3
"""Weights of the evidence of requests, of clauses and of what several steps come to in
all, and of clauses in several steps."""
CHECKED = {"yes": 1.85, "perhaps": 0.4, "no": -1.2}
"""Log-odds of what the strict reader says."""
POSED = 0.8
"""Weight of the evidence of postures, in the mean of all steps that have one."""
ORDERED = 2.1
"""Log-odds of steps that come wholly one after the other."""
SIDED, SURE_OF_SIDES = 0.7, 2.0
"""Log-odds of a motion that is wholly on the sides that are named, and from where on it
is: whether, not how much."""
GRADES = (-1.0, 0.0, 0.5, 1.0, 2.0)
LOG_ODDS = (-1.2, -0.7, 0.6, 1.8, 3.0)
"""Grades as evidence: how much oftener they are seen where a caption is true."""
_DIGITS = 4
"""Of the evidence: rounding must not tell two motions apart that differ in place."""


@dataclass(frozen=True, kw_only=True)
class Claims:
    """Of one sentence."""

    wanted: Wanted | None
    """What is asked for, as the strict reader has it; None if it measures none of it."""
    clauses: Rule | None
    """Its clauses as a rule; None if there is none for them."""
    wish: Wish | None
    """The requests in it; None if there are none that are known."""
    deeds: tuple[Deed, ...] = ()
    """Its steps, if there are several."""
    mentions: tuple[Mention, ...] = ()
    """The sides in it."""
    facing: Rule | None = None
    """Where it faces in the end, if it turns among other things."""
    often: Rule | None = None
    """How often each is done in all, if it does several things."""
    postures: tuple[Taken, ...] = ()
    """What is to be held, of each step that says so."""

    @property
    def empty(self) -> bool:
        """Nothing can be measured."""
        read = (self.wanted, self.clauses, self.wish)
        return all(one is None for one in read) and not (self.mentions or self.postures)


def claims_of(text: str) -> Claims:
    """Of a sentence in its normal form."""
    text = in_meters(plainer(text))
    parts = parts_of(text)
    wanted = read(" then ".join(parts))
    measurable = any(clause.action != "other" for clause in wanted.clauses)
    return Claims(
        wanted=wanted if measurable else None,
        clauses=rule_of_all(wanted),
        wish=wish_of(text),
        deeds=deeds_of(text) if len(parts) > 1 else (),
        mentions=mentions_of(text),
        facing=facing_of(wanted),
        often=often_of(wanted),
        postures=tuple(postures_said(text)),
    )


def log_odds_of(grade: float) -> float:
    """A grade as evidence; it grows on beyond a yes, which is how clearly."""
    return float(np.interp(grade, GRADES, LOG_ODDS))


class Seen:
    """Motions that claims are made about; they are measured when the first one is."""

    def __init__(self, motions: Sequence[Motion]) -> None:
        self._motions = motions
        self._scenes: dict[int, Scene] = {}

    def does(self, claims: Claims, numbers: Sequence[int]) -> list[float]:
        """Evidence that the motions of these numbers do what is claimed [log-odds].

        0: nobody can say.
        """
        if claims.empty:
            return [0.0] * len(numbers)
        scenes = self._look(numbers)
        return [
            evidence(claims, scenes[number]) if number in scenes else 0.0
            for number in numbers
        ]

    def _look(self, numbers: Sequence[int]) -> dict[int, Scene]:
        new = [
            number
            for number in dict.fromkeys(numbers)
            if number not in self._scenes
            and MIN_SECONDS <= self._motions[number].duration <= MAX_SECONDS
        ]
        if new:
            looks = measure_many([_canonical(self._motions[n]) for n in new])
            self._scenes |= {
                number: Scene(*look) for number, look in zip(new, looks, strict=True)
            }
        return self._scenes


def _canonical(motion: Motion) -> NDArray[np.float32]:
    """From one place and heading, so that rounding cannot decide a close case."""
    qpos = place_qpos(motion.to_qpos(), xy=np.zeros(2), yaw=0.0)
    if qpos[0, 3] < 0:
        qpos[:, 3:7] *= -1.0
    return qpos


def _held(taken: Taken, scene: Scene) -> float:
    """On either side where none is asked for."""
    own = fits(taken.posture, scene)
    return max(own, fits(taken.posture.mirrored(), scene)) if taken.open else own


def evidence(claims: Claims, scene: Scene) -> float:
    """For a motion that was measured [log-odds]; 0: nobody can say."""
    found = 0.0
    if claims.wanted is not None:
        found += CHECKED[check(claims.wanted, scene.facts).answer]
    if claims.clauses is not None:
        weight = GRADED_STEPS if claims.deeds else GRADED
        found += weight * log_odds_of(grade_of(claims.clauses, scene))
    for whole in (claims.facing, claims.often):
        if whole is not None:
            found += GRADED * log_odds_of(grade_of(whole, scene))
    if claims.wish is not None:
        # Squared: who knows half of the words mistakes what they are about.
        weight = ASKED * claims.wish.known**2
        found += weight * log_odds_of(claims.wish.grade(scene))
    if claims.postures:
        grades = [_held(one, scene) for one in claims.postures]
        found += POSED * float(np.mean([log_odds_of(grade) for grade in grades]))
    if claims.deeds:
        found += ORDERED * in_order(claims.deeds, scene)
    if claims.mentions:
        sure = on_its_sides(claims.mentions, scene) / SURE_OF_SIDES
        found += SIDED * float(np.tanh(sure))
    return float(np.round(found, _DIGITS))
