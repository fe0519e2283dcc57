"""How fast R_text is: 32 candidates of 5 s in one batch, beside one at a time.

    python benchmarks/semantics.py [cpu|cuda] [VERIFIER ...]

From the prompt and the motions to the scores, features included. Verifiers are `texedo`,
`paper`, or folders.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import torch

from texedo.motion import Motion
from texedo.see.semantics.find import find_semantics
from texedo.see.semantics.protocol import SemanticVerifier, r_text
from texedo.text.generators.find import find_generator

PROMPT = "a person walks forward and waves with the right hand"
CANDIDATES, SECONDS, ROUNDS = 32, 5.0, 15


def main(place: str, names: list[str]) -> None:
    drawn = find_generator("texedo").sample(PROMPT, 4, seed=0, duration=SECONDS)
    motions = [drawn[i % len(drawn)] for i in range(CANDIDATES)]
    print(
        f"{CANDIDATES} candidates of {SECONDS:g} s on {place}, median of {ROUNDS} [ms]"
    )
    for name in names:
        verifier = find_semantics(name)
        if place != "cpu" and hasattr(verifier, "to"):
            verifier.to(place)
        together = _milliseconds(partial(r_text, verifier, PROMPT, motions), place)
        alone = _milliseconds(partial(_one_by_one, verifier, motions), place)
        print(
            f"{name}: {together:.1f}; one at a time {alone / together:.1f} times that"
        )


def _one_by_one(verifier: SemanticVerifier, motions: Sequence[Motion]) -> None:
    for motion in motions:
        r_text(verifier, PROMPT, [motion])


def _milliseconds(run: Callable[[], object], place: str) -> float:
    times = []
    for _ in range(ROUNDS + 2):
        start = time.perf_counter()
        run()
        if place != "cpu":
            torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[2:])


if __name__ == "__main__":
    given = sys.argv[1:] or ["cpu"]
    main(given[0], given[1:] or ["texedo", "paper"])
