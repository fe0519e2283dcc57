"""How good a generator is by itself: single samples, and the variety of many.

Motions are post-processed, as the pipeline does it. Everything is kept on disk as it is
done: samples in `Bench.folder/samples`, roll-outs in `Bench.folder/labels.jsonl`, scores in
`Bench.folder/scores`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from texedo.data.corpus.label_table import Label
from texedo.data.corpus.store import Corpus
from texedo.evaluation.alignment import Aligner, choose_prompts
from texedo.evaluation.columns import Columns, Source, score_all
from texedo.evaluation.performance import perform, tracking_figures
from texedo.evaluation.samples import Request, draw
from texedo.evaluation.spread import spread_cm
from texedo.motion import Motion
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator
from texedo.text.postprocess import postprocess

if TYPE_CHECKING:
    from texedo.evaluation.embedding.model import TextMotionEmbedding
    from texedo.tracker.policies.protocol import Policy

TEMPERATURES = (0.7, 1.0, 1.3)
TRUTH = "captured motion"


@dataclass(frozen=True, kw_only=True, eq=False)
class Bench:
    """What is measured, by what, and where the work is kept."""

    generator: Generator
    policy: Policy | None
    """None: nothing is performed."""
    folder: Path
    seed: int = 0
    workers: int | None = None
    report: Callable[[str, int, int], None] = lambda what, done, total: None

    def sample(
        self, prompts: Sequence[str], n: int, temperature: float
    ) -> list[list[Motion]]:
        """Post-processed candidates of every prompt."""
        rows = draw(
            self.generator,
            prompts,
            Request(n=n, seed=self.seed, sampling=Sampling(temperature=temperature)),
            self.folder / "samples",
            progress=self._about(f"sample at {temperature:g}"),
        )
        return [list(postprocess(row)[0]) for row in rows]

    def score(
        self,
        sources: Sequence[Source],
        prompts: Sequence[str],
        drawn: Sequence[Sequence[Motion]],
    ) -> dict[str, Columns]:
        """What each source thinks of the candidates of every prompt."""
        return score_all(
            sources,
            prompts,
            drawn,
            self.folder / "scores",
            progress=self._about("score"),
        )

    def perform(
        self, names: Sequence[str], motions: Sequence[Motion]
    ) -> dict[str, Any]:
        """Figures of the roll-outs; nothing without a tracker."""
        if self.policy is None:
            return {}
        return tracking_figures(self.labels(names, motions), self.policy.normalizers)

    def labels(
        self, names: Sequence[str], motions: Sequence[Motion]
    ) -> list[Label | None]:
        assert self.policy is not None
        return perform(
            list(zip(names, motions, strict=True)),
            self.policy,
            self.folder / "labels.jsonl",
            workers=self.workers,
            progress=self._about("perform"),
        )

    def hashes(self) -> dict[str, str | None]:
        """What the figures depend on."""
        tracker = None if self.policy is None else self.policy.digest
        return {"generator": self.generator.digest, "tracker": tracker}

    def _about(self, what: str) -> Callable[[int, int], None]:
        return lambda done, total: self.report(what, done, total)


def base_report(
    bench: Bench,
    corpus: Corpus,
    embedding: TextMotionEmbedding,
    *,
    split: str = "test",
    temperatures: Sequence[float] = TEMPERATURES,
    limit: int | None = None,
) -> dict[str, Any]:
    """One sample for each held-out caption: alignment, FID, success (the Base row)."""
    chosen = choose_prompts(corpus, split, limit=limit)
    truth = [corpus.motion(i) for i in chosen.clips]
    aligner = Aligner(embedding, chosen.prompts, truth)
    ids = [corpus.clips[i].id for i in chosen.clips]
    rows = {TRUTH: aligner.truth() | {"fid": 0.0} | bench.perform(ids, truth)}
    rows[TRUTH] |= _lengths(truth)
    for temperature in temperatures:
        drawn = bench.sample(chosen.prompts, 1, temperature)
        motions = [row[0] for row in drawn]
        rows[f"temperature {temperature:g}"] = (
            aligner.figures(motions)
            | bench.perform(chosen.prompts, motions)
            | _lengths(motions)
        )
    return {
        "split": split,
        "prompts": len(chosen.prompts),
        **bench.hashes(),
        "embedding": embedding.digest,
        "rows": rows,
    }


def diversity_report(
    bench: Bench,
    prompts: Sequence[str],
    *,
    n: int = 32,
    temperatures: Sequence[float] = TEMPERATURES,
) -> dict[str, Any]:
    """Spread of n candidates at each temperature, and how many the tracker manages."""
    rows: dict[str, Any] = {}
    for temperature in temperatures:
        drawn = bench.sample(prompts, n, temperature)
        spreads = [spread_cm(motions) for motions in drawn]
        flat = [motion for motions in drawn for motion in motions]
        names = [prompt for prompt in prompts for _ in range(n)]
        rows[f"temperature {temperature:g}"] = {
            "spread_cm": float(np.mean(spreads)),
            **bench.perform(names, flat),
            **_lengths(flat),
            "prompts": {
                prompt: {"spread_cm": spread}
                for prompt, spread in zip(prompts, spreads, strict=True)
            },
        }
    return {"prompts": len(prompts), "candidates": n, **bench.hashes(), "rows": rows}


def _lengths(motions: Sequence[Motion]) -> dict[str, float]:
    seconds = [motion.duration for motion in motions]
    return {
        "duration_s": float(np.mean(seconds)),
        "duration_std_s": float(np.std(seconds)),
    }
