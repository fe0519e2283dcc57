"""Means over prompts with 95 % intervals, by class and between wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.understanding.body import Floats
from texedo.evaluation.understanding.suite import CLASSES, FORMS, OUT_OF_REACH, Prompt

_DRAWS = 2000
"""Of the bootstrap."""


RANDOM, AVAILABLE, CHOSEN = "random survivor", "available", "chosen by "
"""Figures of a prompt; the last is the beginning of one for each way to choose."""


class Score(NamedTuple):
    """What was measured on one prompt: each figure is between 0 and 1."""

    prompt: Prompt
    figures: Mapping[str, float]


def table(scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    """Rows of the classes and of all prompts that have a rule."""
    found = dict.fromkeys(score.prompt.name for score in scores)
    order = dict.fromkeys((*(name for name in CLASSES if name in found), *found))
    classes = [name for name in order if name != OUT_OF_REACH]
    groups = {name: [s for s in scores if s.prompt.name == name] for name in classes}
    groups["all"] = list(scores)
    return {name: _row(group) for name, group in groups.items() if group}


def pairs(scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    """Other wordings against the plain ones of the same items, in points of 1."""
    plain = {s.prompt.item: s for s in scores if s.prompt.form == "plain"}
    rows: dict[str, dict[str, Any]] = {}
    for form in FORMS[1:]:
        both = [
            (s, plain[s.prompt.item])
            for s in scores
            if s.prompt.form == form and s.prompt.item in plain
        ]
        if both:
            rows[form] = {
                "n": len(both),
                **{
                    key: part
                    for name in ("right", "available")
                    for key, part in _difference(name, both).items()
                },
            }
    return rows


def ways(scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    """How far each way to choose comes from a random survivor to the best there is.

    0: no better than a random one. 1: a right candidate is chosen wherever there is one.
    """
    names = [name for name in scores[0].figures if name.startswith(CHOSEN)]
    rows: dict[str, dict[str, Any]] = {}
    for name in names:
        chosen, random, available = (
            np.array([score.figures[figure] for score in scores])
            for figure in (name, RANDOM, AVAILABLE)
        )
        rows[name.removeprefix(CHOSEN)] = {
            "n": len(scores),
            "right": float(chosen.mean()),
            "right 95%": list(interval(chosen)),
            **_way(chosen, random, available),
        }
    return rows


def _way(chosen: Floats, random: Floats, available: Floats) -> dict[str, Any]:
    """The share of the way, of means over prompts; None if there is no way to go."""
    gained, possible = chosen - random, available - random
    if possible.mean() <= 0:
        return {"way": None, "way 95%": None}
    draws = _draws(len(chosen), seed=0)
    lengths = possible[draws].mean(axis=1)
    shares = gained[draws].mean(axis=1)[lengths > 0] / lengths[lengths > 0]
    low, high = np.quantile(shares, [0.025, 0.975])
    return {
        "way": float(gained.mean() / possible.mean()),
        "way 95%": [float(low), float(high)],
    }


def interval(values: Floats, *, seed: int = 0) -> tuple[float, float]:
    """95 % of the means of samples drawn with replacement."""
    means = values[_draws(len(values), seed=seed)].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def _draws(count: int, *, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(count, size=(_DRAWS, count))


def _row(scores: Sequence[Score]) -> dict[str, Any]:
    row: dict[str, Any] = {"n": len(scores)}
    for name in scores[0].figures:
        values = np.array([score.figures[name] for score in scores])
        low, high = interval(values)
        row[name] = float(values.mean())
        row[f"{name} 95%"] = [low, high]
    return row


def _difference(name: str, both: Sequence[tuple[Score, Score]]) -> dict[str, Any]:
    own = np.array([score.figures[name] for score, _ in both])
    plain = np.array([score.figures[name] for _, score in both])
    low, high = interval(own - plain)
    return {
        name: float(own.mean()),
        f"{name}, plain": float(plain.mean()),
        f"{name}, change": float((own - plain).mean()),
        f"{name}, change 95%": [low, high],
    }
