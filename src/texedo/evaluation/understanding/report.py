"""Candidates of a generator on one half of the prompts, judged by the rules.

For each prompt: the share of right and of partly right candidates, whether a right one is
among the survivors, whether the one that is chosen is right, for each way of choosing,
and the chance floor: the share of right ones by the same rule among candidates that were
drawn for other sentences about other things.

Samples and roll-outs are kept by the bench, so an interrupted run goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.label_table import Label, label_quality
from texedo.evaluation.columns import Source
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.body import Bools, Floats, read_body
from texedo.evaluation.understanding.choices import Columns, built_in, choose
from texedo.evaluation.understanding.figures import (
    AVAILABLE,
    CHOSEN,
    RANDOM,
    Score,
    pairs,
    table,
    ways,
)
from texedo.evaluation.understanding.suite import OUT_OF_REACH, Part, Prompt, is_shown
from texedo.evaluation.understanding.verdict import Verdict, judge
from texedo.motion import Motion
from texedo.text.generators.protocol import Generator, prompt_remarks

_TEMPERATURE = 1.0

Grid = NDArray[np.int64]
"""Verdicts of candidates, (prompts, N)."""


def understanding_report(
    bench: Bench,
    prompts: Sequence[Prompt],
    *,
    n: int,
    part: Part,
    columns: Mapping[str, Columns] | None = None,
    sources: Sequence[Source] = (),
) -> dict[str, Any]:
    """The table by class, the ways to choose, the pairs, and on `dev` every prompt by
    itself. `columns` are scores by prompt, and `sources` give more of them."""
    ruled = [prompt for prompt in prompts if prompt.rule is not None]
    texts = [prompt.text for prompt in ruled]
    drawn = bench.sample(texts, n, _TEMPERATURE)
    known = bench.score(sources, texts, drawn)
    for text in texts:
        known[text] = {**(columns or {}).get(text, {}), **known[text]}
    survived, quality = performed(bench, ruled, drawn)
    scores = _scores(bench, ruled, drawn, survived, quality, known)
    return {
        "part": f"understanding-{part}",
        "candidates": n,
        "seed": bench.seed,
        "survivors": "by roll-outs" if quality is not None else "all, none performed",
        **bench.hashes(),
        "rows": table(scores),
        "ways": ways(scores),
        "pairs": pairs(scores),
        OUT_OF_REACH: out_of_reach(bench.generator, prompts),
        # Who has read them would choose by them.
        **({"prompts": _details(scores)} if is_shown(part) else {}),
    }


def _scores(
    bench: Bench,
    prompts: Sequence[Prompt],
    drawn: Sequence[Sequence[Motion]],
    survived: Bools,
    quality: NDArray[np.float64] | None,
    known: Mapping[str, Columns],
) -> list[Score]:
    verdicts, floor = judge_all(prompts, drawn, seed=bench.seed, report=bench.report)
    scores = []
    for i, prompt in enumerate(prompts):
        own = built_in(len(drawn[i]), None if quality is None else quality[i])
        figures = _figures(
            verdicts[i],
            survived[i],
            {**own, **known[prompt.text]},
            chance=float((floor[i] == Verdict.RIGHT).mean()),
        )
        scores.append(Score(prompt, figures))
    return scores


def judge_all(
    prompts: Sequence[Prompt],
    drawn: Sequence[Sequence[Motion]],
    *,
    seed: int = 0,
    report: Any = lambda what, done, total: None,
) -> tuple[Grid, Grid]:
    """Verdicts on the own candidates, and on as many of other prompts."""
    n = len(drawn[0]) if drawn else 0
    own = np.zeros((len(prompts), n), dtype=np.int64)
    other = np.zeros_like(own)
    visitors = _visitors(prompts, n, seed)
    for i, motions in enumerate(drawn):
        for k, motion in enumerate(motions):
            body = read_body(motion)
            own[i, k] = judge(_rule(prompts[i]), body)
            for visited, slot in visitors.get((i, k), ()):
                other[visited, slot] = judge(_rule(prompts[visited]), body)
        report("judge", i + 1, len(prompts))
    return own, other


def performed(
    bench: Bench, prompts: Sequence[Prompt], drawn: Sequence[Sequence[Motion]]
) -> tuple[Bools, NDArray[np.float64] | None]:
    """Who survives, and Q*; without a tracker everybody does, and there is none."""
    n = len(drawn[0]) if drawn else 0
    shape = (len(drawn), n)
    if bench.policy is None:
        return np.ones(shape, dtype=bool), None
    names = [f"{prompt.text} #{k}" for prompt in prompts for k in range(n)]
    labels = bench.labels(names, [motion for row in drawn for motion in row])
    survived = np.array([label is not None and label.success for label in labels])
    return survived.reshape(shape), _quality(bench, labels).reshape(shape)


def out_of_reach(generator: Generator, prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Prompts that no motion does: how many there are, and on how many it says a word."""
    hopeless = [prompt for prompt in prompts if prompt.rule is None]
    noted = [bool(prompt_remarks(generator, prompt.text)) for prompt in hopeless]
    return {"n": len(hopeless), "noted": sum(noted)}


def _rule(prompt: Prompt) -> Any:
    assert prompt.rule is not None
    return prompt.rule


def _visitors(
    prompts: Sequence[Prompt], n: int, seed: int
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """For every candidate (prompt, number): whose floor it is a part of, and where."""
    rng = np.random.default_rng(seed)
    found: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for i, prompt in enumerate(prompts):
        others = [
            j
            for j, other in enumerate(prompts)
            if other.topic != prompt.topic and other.rule != prompt.rule
        ]
        for slot in range(n if others else 0):
            place = others[int(rng.integers(len(others)))], int(rng.integers(n))
            found[place].append((i, slot))
    return found


def _figures(
    verdicts: NDArray[np.int64], survived: Bools, columns: Columns, *, chance: float
) -> dict[str, float]:
    right = verdicts == Verdict.RIGHT
    alive = survived if survived.any() else np.ones_like(survived)
    chosen = {
        f"{CHOSEN}{name}": float(right[choose(scores, survived)])
        for name, scores in columns.items()
    }
    return {
        "right": float(right.mean()),
        "partly": float((verdicts == Verdict.PARTLY).mean()),
        AVAILABLE: float((right & alive).any()),
        RANDOM: float(right[alive].mean()),
        **chosen,
        "chance": chance,
    }


def _quality(bench: Bench, labels: Sequence[Label | None]) -> Floats:
    assert bench.policy is not None
    found = np.full(len(labels), np.nan)
    done = [i for i, label in enumerate(labels) if label is not None]
    if bench.policy.normalizers and done:
        known = [label for label in labels if label is not None]
        found[done] = label_quality(known, bench.policy.normalizers).q_star
    return found


def _details(scores: Sequence[Score]) -> list[dict[str, Any]]:
    return [
        {
            "prompt": score.prompt.text,
            "class": score.prompt.name,
            "item": score.prompt.item,
            "form": score.prompt.form,
            **score.figures,
        }
        for score in scores
    ]
