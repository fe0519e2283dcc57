"""SEE by name: `verifier` knows how a performance will go, `oracle` performs it.

Both take R_text from the semantic verifier. The first loads no simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from texedo.core.errors import GenerationError
from texedo.pipeline.scorers import PerformedAndRead
from texedo.see.dynamics.find import find_dynamics, has_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.see.dynamics.scorer import DynamicsScorer, guarantee_of
from texedo.see.scores import Scorer
from texedo.see.semantics.find import find_semantics, has_semantics
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.see.semantics.scorer import SemanticScorer

VERIFIER, ORACLE = "verifier", "oracle"
SCORERS = (VERIFIER, ORACLE)
NONE = "none"
"""Instead of a semantic verifier: go without."""


class Seeing(NamedTuple):
    """A scorer, and what it is made of."""

    scorer: Scorer
    weights: dict[str, str]
    """Hashes of everything that was loaded, by part."""
    guarantee: Mapping[str, Any] | None = None
    """How often what the verifier lets pass fails at most, if its weights say so."""


def default_scorer(*, dynamics: str | None = None, tracker: str | None = None) -> str:
    """The verifier if one is named, or came with this installation; else the oracle.

    A verifier knows one tracker: whoever names another wants it to perform.
    """
    if dynamics is not None or (tracker is None and has_dynamics()):
        return VERIFIER
    return ORACLE


def find_scorer(
    which: str | None = None,
    *,
    dynamics: str | None = None,
    semantics: str | None = None,
    tracker: str | None = None,
    workers: int | None = None,
) -> Seeing:
    """A scorer by its name; nothing said: `default_scorer`.

    `dynamics`, `semantics` and `tracker` are names or folders, ours if nothing is said;
    `semantics` may be `none`. The oracle performs with `workers` threads.
    """
    which = which or default_scorer(dynamics=dynamics, tracker=tracker)
    if which == VERIFIER:
        seeing = _foreseeing(find_dynamics(dynamics), tracker)
    elif which == ORACLE:
        if dynamics is not None:
            raise GenerationError(
                f"The oracle performs all candidates and needs no verifier ({dynamics}): "
                "leave one of them out."
            )
        seeing = _performing(tracker, workers)
    else:
        raise GenerationError(
            f"There is no scorer {which!r}; there are {', '.join(SCORERS)}."
        )
    verifier = _semantics(semantics)
    if verifier is None:
        return seeing
    both = PerformedAndRead(seeing.scorer, SemanticScorer(verifier))
    weights = seeing.weights | {"semantics": verifier.digest}
    return seeing._replace(scorer=both, weights=weights)


def _foreseeing(verifier: DynamicsVerifier, tracker: str | None) -> Seeing:
    if tracker is not None:
        from texedo.tracker.policies.find import find_policy

        # A verifier may know no more than how the digest begins.
        if not find_policy(tracker).digest.startswith(verifier.tracker):
            raise GenerationError(
                f"{verifier.name}: does not know the tracker {tracker}, only the one "
                "that it learnt from. Let the oracle perform (--scorer oracle), or "
                f"teach it: texedo adapt --tracker {tracker}."
            )
    known = {"dynamics": verifier.digest, "tracker": verifier.tracker}
    return Seeing(DynamicsScorer(verifier), known, guarantee_of(verifier))


def _performing(tracker: str | None, workers: int | None) -> Seeing:
    # Here and not above: they load the simulator.
    from texedo.pipeline.oracle import OracleScorer
    from texedo.tracker.policies.find import OURS, find_policy

    policy = find_policy(tracker or OURS)
    scorer = OracleScorer(policy, workers=workers)
    return Seeing(scorer, {"tracker": policy.digest})


def _semantics(which: str | None) -> SemanticVerifier | None:
    """What is named; ours where nothing is said and it is installed."""
    if which == NONE or (which is None and not has_semantics()):
        return None
    return find_semantics(which)
