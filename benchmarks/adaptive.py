"""Adaptive sampling against plain sampling: draws, R_text, and the share of right choices.

    texedo evaluate understanding --part test -n 32 --semantics texedo -o FOLDER
    python benchmarks/adaptive.py FOLDER [PART] [CANDIDATES] [DYNAMICS] [tune]

Takes the candidates and R_text that `texedo evaluate understanding` kept in FOLDER (part
test, 32 of each prompt) and judges every candidate by its prompt's rule. DYNAMICS is a
dynamic verifier whose R_dyn says who passes; without one everybody does. Intervals are of
95 %, by prompts; changes are against the best of all candidates.

`tune` tries other constants of the rule, for the development half: which share of a
budget of 32 they draw at most (a prompt that has not stopped when the kept candidates are
used up counts as one that takes all 32), and what they give up against all that were kept.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from meaning import best, cells, meaning, passing, with_a_rule
from texedo.evaluation.generation import Bench
from texedo.evaluation.tables import markdown
from texedo.evaluation.understanding.page import markdown as with_intervals
from texedo.evaluation.understanding.suite import Part
from texedo.pipeline.adaptive import Adaptive
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
BUDGET = 32
FIRST, AHEAD = (4, 8), (4, 6, 8, 12)
WORTH = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04)
"""Constants to try."""


def kept(folder: Path, part: Part, n: int, dynamics: str | None) -> tuple[Float64, ...]:
    """R_text, who is right and who passes, (prompts, n) each."""
    prompts = with_a_rule(part)
    bench = Bench(generator=find_generator(OURS), policy=None, folder=folder)
    drawn = bench.sample([prompt.text for prompt in prompts], n, 1.0)
    r_text, right = meaning(prompts, drawn, folder)
    passes = np.ones_like(right)
    if dynamics is not None:
        passes = passing(drawn, dynamics)
    return r_text, right.astype(np.float64), passes.astype(np.float64)


def stops(
    r_text: Float64, passes: Bools, adaptive: Adaptive, *, otherwise: int
) -> NDArray[np.int64]:
    """How many candidates of each prompt are drawn, (prompts,)."""
    budget = r_text.shape[1]
    found = np.full(len(r_text), otherwise)
    for i, (scores, own) in enumerate(zip(r_text, passes, strict=True)):
        for part in adaptive.parts(budget):
            if adaptive.is_enough(scores[: part.stop], own[: part.stop]):
                found[i] = part.stop
                break
    return found


def chosen(r_text: Float64, passes: Bools, draws: NDArray[np.int64]) -> list[int]:
    """The best of the first draws of each prompt."""
    rows = zip(r_text, passes, draws, strict=True)
    return [best(scores[:k], own[:k]) for scores, own, k in rows]


def tuned(r_text: Float64, right: Float64, passes: Bools) -> dict[str, dict[str, Any]]:
    """A row for each choice of constants."""
    every, kept_of_each = np.arange(len(r_text)), r_text.shape[1]
    whole = chosen(r_text, passes, np.full(len(r_text), kept_of_each))
    rows = {}
    for first, ahead, worth in product(FIRST, AHEAD, WORTH):
        adaptive = Adaptive(first=first, ahead=ahead, worth=worth)
        draws = stops(r_text, passes, adaptive, otherwise=BUDGET)
        picks = chosen(r_text, passes, draws)
        lost = r_text[every, picks] - r_text[every, whole]
        rows[f"first {first}, ahead {ahead}, worth {worth:g}"] = {
            "share drawn": round(float(draws.mean()) / BUDGET, 3),
            "all 32": round(float((draws == BUDGET).mean()), 3),
            "R_text, change": round(float(lost.mean()), 4),
            "right, change": round(
                float((right[every, picks] - right[every, whole]).mean()), 4
            ),
        }
    return rows


def main() -> int:
    given = [*sys.argv[1:], *(None,) * 5][:5]
    if given[0] is None:
        print(__doc__)
        return 2
    part: Part = next(p for p in get_args(Part) if p == (given[1] or "test"))
    n = int(given[2] or 32)
    r_text, right, passing = kept(Path(given[0]), part, n, given[3])
    if given[4] == "tune":
        print(markdown(tuned(r_text, right, passing > 0)))
        return 0
    passes, every = passing > 0, np.arange(len(r_text))
    ways = {f"best of {k}": np.full(len(r_text), k) for k in (1, 8, 12, 16, n)}
    ways["adaptive"] = stops(r_text, passes, Adaptive(), otherwise=n)
    picks = {name: chosen(r_text, passes, draws) for name, draws in ways.items()}
    whole = picks[f"best of {n}"]
    rows = {}
    for name, draws in ways.items():
        scores, done = r_text[every, picks[name]], right[every, picks[name]]
        rows[name] = {
            "draws": f"{draws.mean():.3g}",
            "of all": f"{100 * draws.mean() / n:.0f} %",
            **cells("R_text", scores),
            **cells("right", done),
            **cells("R_text, change", scores - r_text[every, whole]),
            **cells("right, change", done - right[every, whole]),
        }
    print(with_intervals(rows, digits=3))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
