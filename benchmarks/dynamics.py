"""How fast R_dyn is: 32 candidates of 5 s in one batch, beside one at a time.

    python benchmarks/dynamics.py [cpu|cuda] VERIFIER ...

From motions to forecasts, features included. Verifiers are folders of trained ones, or
names of those that ship. With `perform` among them the tracker that ships performs the
same motions in physics, on all cores.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from common import CANDIDATES, ROUNDS, SECONDS, busy_motion, milliseconds
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier

PERFORM = "perform"


def main(place: str, names: list[str]) -> None:
    motions = [busy_motion(seed) for seed in range(CANDIDATES)]
    print(
        f"{CANDIDATES} candidates of {SECONDS:g} s on {place}, median of {ROUNDS} [ms]"
    )
    fastest = float("inf")
    for name in (name for name in names if name != PERFORM):
        verifier = find_dynamics(name)
        own = verifier.foresee(motions).r_dyn
        if place != "cpu" and hasattr(verifier, "to"):
            verifier.to(place)
        together = milliseconds(partial(verifier.foresee, motions), place)
        alone = milliseconds(partial(_one_by_one, verifier, motions), place)
        fastest = min(fastest, together)
        off = np.abs(verifier.foresee(motions).r_dyn - own).max()
        print(
            f"{name}: {together:.2f}; one at a time {alone / together:.1f} times that; "
            f"within {off:.1e} of the CPU"
        )
    if PERFORM in names:
        taken = _perform(motions)
        print(f"{PERFORM}: {taken:.0f}, {taken / fastest:.0f} times the fastest")


def _one_by_one(verifier: DynamicsVerifier, motions: Sequence[Motion]) -> None:
    for motion in motions:
        verifier.foresee([motion])


def _perform(motions: Sequence[Motion]) -> float:
    from texedo.tracker.oracle.rollout import rollout
    from texedo.tracker.policies.find import find_policy

    policy = find_policy("texedo")
    start = time.perf_counter()
    rollout(motions, policy)
    return 1e3 * (time.perf_counter() - start)


if __name__ == "__main__":
    given = sys.argv[1:] or ["cpu"]
    main(given[0], given[1:] or ["texedo", "paper", PERFORM])
