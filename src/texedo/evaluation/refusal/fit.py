"""The rule that refuses, fitted: what is known, and how the evidence is weighed.

Groups and phrases come from the captions of the training clips. Weights are those of a
logistic regression, with as much weight on sentences that should be refused as on held-out
captions. R_text is weighed against what the sentence alone tells, in a second regression of
two numbers: it needs candidates, so there are fewer captions to fit it on. Then the bound is
moved to where so many of the captions are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.store import Clip, Corpus
from texedo.language import read_prompt
from texedo.language.vocabulary import words_of
from texedo.pipeline.refusal.evidence import WORST, Evidence, fit_of
from texedo.pipeline.refusal.known import Float32, Known, group, phrases_of
from texedo.pipeline.refusal.refuser import Weighing

Float64 = NDArray[np.float64]
FitsOf = Callable[[Sequence[str]], Mapping[str, Float64]]
"""R_text of the candidates of prompts."""

GROUPS = 1024
_WORDS = 7
"""A longer caption is no phrase to suggest."""
_RIDGE = 0.01
"""Keeps a weight finite where a number alone would tell both sides apart."""
_STEPS = 60
_MORE = 4
"""Captions that are drawn beside those at the top."""


def training_captions(corpus: Corpus) -> list[str]:
    """What was learnt in words: captions of captured clips that somebody wrote, and one
    of each authored clip."""
    found: dict[str, None] = {}
    for i in corpus.select(split="train", kind=("captured", "authored"), copies=False):
        clip = corpus.clips[i]
        if clip.kind == "authored":
            found |= dict.fromkeys(clip.captions[:1])
            continue
        found |= dict.fromkeys(written(clip))
    return list(found)


def written(clip: Clip) -> list[str]:
    """The captions of a clip that count fully."""
    weights = clip.caption_weights or (1.0,) * len(clip.captions)
    full = max(weights, default=1.0)
    return [c for c, w in zip(clip.captions, weights, strict=True) if w == full]


def learn_known(texts: Sequence[str], vectors: Float32, count: int = GROUPS) -> Known:
    """Groups of captions (B, hidden), and the short ones among them as phrases."""
    groups = group(vectors, count)
    short = [i for i, text in enumerate(texts) if is_phrase(text)]
    phrases = phrases_of(groups, vectors[short], [texts[i] for i in short])
    return Known(groups, phrases)


def is_phrase(text: str) -> bool:
    """Whether a caption is short, plain and all in known words."""
    count = len(words_of(text))
    plain = not set(text) & set('.,;:!?"()')
    return 2 <= count <= _WORDS and plain and not read_prompt(text).unknown


@dataclass(frozen=True, kw_only=True)
class Fitting:
    """What a rule is fitted on; sentences by their text."""

    told: Mapping[str, Evidence]
    """Of every sentence, without R_text."""
    foreign: Sequence[str]
    """Those that should be refused."""
    captions: Sequence[str]
    """Those that should not: the bound is set by them."""
    some: Sequence[str]
    """Those of the captions that R_text is weighed by."""
    fits: FitsOf
    """Draws candidates, and gives R_text of them by prompt."""
    max_refused: float
    """Share of the captions that may be refused."""

    def without_r_text(self) -> Weighing:
        """The rule for sentences alone."""
        rule = self._by_sentence
        odds = sorted((rule.odds(self.told[p]) for p in self.captions), reverse=True)
        return rule._replace(bound=odds[self._allowed])

    def with_r_text(self) -> Weighing:
        """The rule for sentences with candidates."""
        known = self._fits([*self.foreign, *self.some])
        rule = self._with_fits(known)
        while True:
            # Nobody can be higher than with candidates that do not fit at all: only
            # those at the top have to be drawn.
            odds = {
                p: rule.odds(self.told[p]._replace(fits=known.get(p, WORST)))
                for p in self.captions
            }
            ranked = sorted(odds, key=lambda p: -odds[p])
            first = ranked[: self._allowed + 1]
            if all(p in known for p in first):
                return rule._replace(bound=odds[first[-1]])
            # A few more than needed: several are drawn as fast as one.
            more = ranked[: self._allowed + 1 + _MORE]
            known |= self._fits([p for p in more if p not in known])

    @cached_property
    def _by_sentence(self) -> Weighing:
        sides = (self.foreign, self.captions)
        return weigh(*([self.told[p].values() for p in own] for own in sides))

    def _with_fits(self, known: Mapping[str, float | None]) -> Weighing:
        """The sentence's own odds and R_text, weighed against each other."""
        first = self._by_sentence
        rows = [
            [[first.odds(self.told[p]), known[p] or 0.0] for p in own]
            for own in (self.foreign, self.some)
        ]
        both = weigh(*rows)
        slope, fits = both.weights
        return Weighing(
            (*(slope * weight for weight in first.weights), fits),
            slope * first.offset + both.offset,
            0.0,
        )

    @property
    def _allowed(self) -> int:
        return int(self.max_refused * len(self.captions))

    def _fits(self, prompts: Sequence[str]) -> dict[str, float | None]:
        return {p: fit_of(r_text) for p, r_text in self.fits(prompts).items()}


def weigh(refused: Sequence[list[float]], answered: Sequence[list[float]]) -> Weighing:
    """Weights that tell rows of numbers apart; the bound is where they are even."""
    values = np.array([*refused, *answered])
    counts = [len(refused), len(answered)]
    target = np.repeat([1.0, 0.0], counts)
    weights = len(values) / (2.0 * np.repeat(counts, counts))
    fitted = _logistic(values, target, weights)
    return Weighing(tuple(map(float, fitted[:-1])), float(fitted[-1]), 0.0)


def _logistic(values: Float64, target: Float64, weights: Float64) -> Float64:
    """Weights of each column and the offset, by Newton's method on scaled columns."""
    mean, std = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    rows = np.c_[(values - mean) / std, np.ones(len(values))]
    ridge = _RIDGE * len(values) * np.r_[np.ones(values.shape[1]), 0.0]
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (chance - target)) + ridge * found
        curve = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows
        found -= np.linalg.solve(curve + np.diag(ridge + 1e-9), slope)
    own = found[:-1] / std
    return np.append(own, found[-1] - own @ mean)
