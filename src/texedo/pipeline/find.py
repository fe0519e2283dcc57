"""SEE by name: `verifier` knows how a performance will go, `oracle` performs it.

Both take R_text from the semantic verifier. The first loads no simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from texedo.core.errors import GenerationError
from texedo.pipeline.scorers import PerformedAndRead
from texedo.see.dynamics.find import find_dynamics, has_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.see.dynamics.scorer import DynamicsScorer, guarantee_of
from texedo.see.scores import Scorer
from texedo.see.semantics.find import find_semantics, has_semantics
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.see.semantics.scorer import SemanticScorer
from texedo.text.generators.ours import device_named

if TYPE_CHECKING:  # It loads the simulator.
    from texedo.tracker.policies.protocol import Policy

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


Dynamics = str | DynamicsVerifier | None
"""A verifier, its name or folder; None for ours."""
Semantics = str | SemanticVerifier | None


def default_scorer(*, dynamics: object = None, tracker: object = None) -> str:
    """The verifier if one is named, or came with this installation; else the oracle.

    A verifier knows one tracker: whoever names another wants it to perform.
    """
    if dynamics is not None or (tracker is None and has_dynamics()):
        return VERIFIER
    return ORACLE


def find_scorer(
    which: str | None = None,
    *,
    dynamics: Dynamics = None,
    semantics: Semantics = None,
    tracker: str | Policy | None = None,
    workers: int | None = None,
    device: str = "cpu",
) -> Seeing:
    """A scorer by its name; nothing said: `default_scorer`.

    `dynamics`, `semantics` and `tracker` are names, folders or objects, ours if nothing
    is said; `semantics` may be `none`. The oracle performs with `workers` threads;
    verifiers compute on the `device` if they can be moved, `auto` for the GPU if there
    is one.
    """
    which = which or default_scorer(dynamics=dynamics, tracker=tracker)
    if which == VERIFIER:
        seeing = _foreseeing(_on(_dynamics(dynamics), device), tracker)
    elif which == ORACLE:
        if dynamics is not None:
            raise GenerationError(
                "The oracle performs all candidates and needs no verifier "
                f"({named(dynamics)}): leave one of them out."
            )
        seeing = _performing(tracker, workers)
    else:
        raise GenerationError(
            f"There is no scorer {which!r}; there are {', '.join(SCORERS)}."
        )
    verifier = _semantics(semantics)
    if verifier is None:
        return seeing
    verifier = _on(verifier, device)
    both = PerformedAndRead(seeing.scorer, SemanticScorer(verifier))
    weights = seeing.weights | {"semantics": verifier.digest}
    return seeing._replace(scorer=both, weights=weights)


def find_tracker(which: str | Policy | None = None) -> Policy:
    """A controller by its name, or the one that is given; nothing said: ours."""
    # Here and not above: they load the simulator.
    from texedo.tracker.policies import find

    if which is None or isinstance(which, str):
        return find.find_policy(which or find.OURS)
    return which


def named(part: object) -> str:
    """What people call a part that is a name or an object."""
    return part if isinstance(part, str) else str(getattr(part, "name", part))


def _on(verifier: Any, device: str) -> Any:
    """The same on another device, if it can be moved."""
    if device == "cpu" or not hasattr(verifier, "to"):
        return verifier
    place = device_named(device)
    return verifier if place == "cpu" else verifier.to(place)


def _dynamics(which: Dynamics) -> DynamicsVerifier:
    return find_dynamics(which) if which is None or isinstance(which, str) else which


def _foreseeing(verifier: DynamicsVerifier, tracker: str | Policy | None) -> Seeing:
    # A verifier may know no more than how the digest begins.
    if tracker is not None and not find_tracker(tracker).digest.startswith(
        verifier.tracker
    ):
        raise GenerationError(
            f"{verifier.name}: does not know the tracker {named(tracker)}, only the "
            "one that it learnt from. Let the oracle perform (--scorer oracle), or "
            f"teach it: texedo adapt --tracker {named(tracker)}."
        )
    known = {"dynamics": verifier.digest, "tracker": verifier.tracker}
    return Seeing(DynamicsScorer(verifier), known, guarantee_of(verifier))


def _performing(tracker: str | Policy | None, workers: int | None) -> Seeing:
    # Here and not above: it loads the simulator.
    from texedo.pipeline.oracle import OracleScorer

    policy = find_tracker(tracker)
    scorer = OracleScorer(policy, workers=workers)
    return Seeing(scorer, {"tracker": policy.digest})


def _semantics(which: Semantics) -> SemanticVerifier | None:
    """What is named or given; ours where nothing is said and it is installed."""
    if which is not None and not isinstance(which, str):
        return which
    if which == NONE or (which is None and not has_semantics()):
        return None
    return find_semantics(which)
