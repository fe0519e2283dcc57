"""The winner is performed in physics before it is handed out, and the next if it fails.

    tracker = Tracker(find_policy("texedo"))
    found = confirm(order, motions, tracker, tries=3)
    found.holding, found.performed

A verifier foresees; this looks. A candidate holds if the controller performs it to the
end and, where perturbed robots try it too, if each of those does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from texedo.core.errors import GenerationError
from texedo.do import Selection, Verdict
from texedo.motion import Motion
from texedo.see.scores import Performance, Progress

if TYPE_CHECKING:  # They load the simulator.
    from texedo.tracker.policies.protocol import Policy

TRIES = 3
"""Candidates that are performed at most for each motion that is handed out."""


class Performs(Protocol):
    """Whatever can show how a motion goes."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything that its performances depend on."""
        ...

    def perform(self, motion: Motion, *, robust: bool = False) -> Performance:
        """Once in physics; with `robust` also once per perturbed robot."""
        ...


class Tracker:
    """A controller in MuJoCo, nominal and perturbed as the oracle defines it."""

    def __init__(self, policy: Policy, *, workers: int | None = None) -> None:
        self.policy, self._workers = policy, workers
        self.name, self.digest = policy.name, policy.digest

    def perform(self, motion: Motion, *, robust: bool = False) -> Performance:
        """To the same bit each time; the perturbed robots belong to the motion."""
        # Here and not above: they load the simulator.
        from texedo.pipeline.oracle import STAND_IN, performance
        from texedo.tracker.oracle.rollout import rollout

        result = rollout([motion], self.policy, workers=1)
        if (error := result.errors[0]) is not None:
            return Performance(success=False, verdict=f"not performed: {error}")
        done = performance(result, 0, motion, self.policy.normalizers or STAND_IN)
        if not robust:
            return done
        shaken = rollout(
            [motion],
            self.policy,
            perturbation="default",
            workers=self._workers,
            keep_states=False,
        )
        robots = shaken.success.shape[1]
        finished = int(shaken.success.sum())
        told = f"{done.verdict}; {finished} of {robots} perturbed robots finish"
        return replace(done, robust=finished / robots, robots=robots, verdict=told)


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """Whether and how candidates are performed before they are handed out."""

    performer: Performs
    tries: int = TRIES
    """Candidates that are performed at most for each motion that is handed out."""
    robust: bool = False
    """Under perturbations, too."""

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise GenerationError(
                f"At least one candidate is performed, got {self.tries}; to perform "
                "none ask for no confirmation."
            )


class Confirmed(NamedTuple):
    """What came of it."""

    holding: tuple[int, ...]
    """Candidates that hold, in their order."""
    performed: dict[int, Performance]
    """All that were tried."""


def confirm(
    order: Sequence[int],
    motions: Sequence[Motion],
    how: Confirmation,
    *,
    top: int = 1,
    progress: Progress | None = None,
) -> Confirmed:
    """Perform candidates in this order until `top` of them hold, or tries are spent."""
    holding: list[int] = []
    performed: dict[int, Performance] = {}
    for index in order[: how.tries * top]:
        if progress is not None:
            progress(len(performed), how.tries * top)
        performed[index] = how.performer.perform(motions[index], robust=how.robust)
        if performed[index].holds:
            holding.append(index)
        if len(holding) == top:
            break
    return Confirmed(tuple(holding), performed)


def reselect(selection: Selection, found: Confirmed) -> Selection:
    """The choice after all that is known: the first that holds.

    If nobody does, the one of which most robots finish; the rule's own choice among
    equals.
    """
    if not found.performed:
        return selection
    tried = list(found.performed)
    best = found.holding[0] if found.holding else _least_bad(tried, found.performed)
    verdicts = list(selection.verdicts)
    for i, done in found.performed.items():
        if i != best and not done.holds:
            verdicts[i] = Verdict("fails_in_physics", _sentence(done))
    if best != selection.index:
        before = [i for i in tried[: tried.index(best)] if not found.performed[i].holds]
        verdicts[best] = _promoted(selection, best, before)
    return replace(selection, index=best, verdicts=tuple(verdicts))


def _least_bad(tried: Sequence[int], performed: Mapping[int, Performance]) -> int:
    def finished(i: int) -> tuple[bool, float]:
        return performed[i].success, float(np.nan_to_num(performed[i].robust))

    return max(tried, key=finished)  # The first of equals.


def _promoted(selection: Selection, best: int, before: Sequence[int]) -> Verdict:
    """Why one is chosen that was not the rule's first choice."""
    place = selection.order.index(best) + 1
    who = ", ".join(map(str, before))
    plural = "s" if len(before) > 1 else ""
    outcome = selection.verdicts[selection.index].outcome
    said = f"Number {place} by rule {selection.rule}"
    if before:
        said += f"; candidate{plural} {who} before it did not hold in physics"
    return Verdict(outcome, said + ".")


def _sentence(done: Performance) -> str:
    return f"Performed to confirm it: {done.verdict}."
