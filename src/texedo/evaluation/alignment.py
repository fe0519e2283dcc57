"""Do motions show what their texts say? Figures in the embedding, against the truth.

A test set is one caption for each captured clip of a split, copies of recordings left
out. The truth is the clip itself: its R-precision is the mark, and 1, 2 and 3 in 32
is chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Corpus
from texedo.evaluation.embedding.texts import say_the_same, swap_sides
from texedo.evaluation.metrics import POOL, frechet_distance, matching, r_precision
from texedo.motion import Motion

if TYPE_CHECKING:
    from texedo.evaluation.embedding.model import TextMotionEmbedding

SPLITS = ("val", "test", "test-subject")
CAPTURED = ("captured",)

Float32 = NDArray[np.float32]


class HeldOut(NamedTuple):
    """Clips of a split, and one caption for each."""

    clips: list[int]
    """Positions in the corpus."""
    prompts: list[str]


def choose_prompts(
    corpus: Corpus,
    split: str,
    *,
    kinds: Collection[str] | None = CAPTURED,
    turn: int = 0,
    limit: int | None = None,
) -> HeldOut:
    """One caption per clip: the clip's id says which, and `turn` goes on from there."""
    chosen = corpus.select(split=split, kind=kinds, copies=False)
    clips = [i for i in chosen if corpus.clips[i].captions]
    if limit is not None and limit < len(clips):
        # Spread over the corpus: neighbours are of one recording.
        clips = [clips[k * len(clips) // limit] for k in range(limit)]
    prompts = []
    for i in clips:
        captions = list(dict.fromkeys(corpus.clips[i].captions))
        prompts.append(captions[(_number(corpus.clips[i].id) + turn) % len(captions)])
    return HeldOut(clips, prompts)


class Aligner:
    """Texts of a test set in the embedding, and the truth they belong to."""

    def __init__(
        self,
        embedding: TextMotionEmbedding,
        prompts: Sequence[str],
        truth: Sequence[Motion],
    ) -> None:
        self._embedding = embedding
        sentences = embedding.sentences(prompts)
        self._same = say_the_same(prompts, sentences)
        others = int((~self._same).sum(axis=1).min(initial=len(prompts)))
        if others < POOL - 1:
            raise TexedoError(
                f"R-precision sets each of the {len(prompts)} prompts against "
                f"{POOL - 1} that say something else, and one has only {others} of "
                "them: take another split, or a higher limit."
            )
        self._texts = embedding.from_sentences(sentences)
        swapped = [swap_sides(prompt) for prompt in prompts]
        self._sided = [i for i, prompt in enumerate(prompts) if prompt != swapped[i]]
        self._swapped = embedding.texts([swapped[i] for i in self._sided])
        self._truth = embedding.motions(truth)

    def truth(self) -> dict[str, float]:
        """Figures of the captured motions themselves."""
        return self._figures(self._truth)

    def figures(self, motions: Sequence[Motion]) -> dict[str, float]:
        """R-precision, mean cosine with the text, FID against the truth."""
        return self.figures_of(self._embedding.motions(motions))

    def figures_of(self, vectors: Float32) -> dict[str, float]:
        """The same of motions that are in the embedding already, (N, size)."""
        return self._figures(vectors) | {"fid": self.fid(vectors)}

    def fid(self, vectors: Float32) -> float:
        """Distance of the distribution of vectors (N, size) from that of the truth."""
        return frechet_distance(vectors, self._truth)

    def _figures(self, vectors: Float32) -> dict[str, float]:
        found = r_precision(vectors, self._texts, same=self._same)
        return {f"r{k}": value for k, value in found.items()} | {
            "cosine": matching(vectors, self._texts),
            "sides": self._sides(vectors),
        }

    def _sides(self, vectors: Float32) -> float:
        """Share of motions nearer to their text than to it with the sides swapped.

        Only texts with a side in them count; a half is chance.
        """
        own, texts = vectors[self._sided], self._texts[self._sided]
        right = (own * texts).sum(axis=1) > (own * self._swapped).sum(axis=1)
        return float(right.mean()) if len(right) else float("nan")


Remake = Callable[[Sequence[Motion]], Sequence[Motion]]
"""Motions to versions of them, such as those that their codes decode to."""


def truth_report(
    corpus: Corpus,
    embedding: TextMotionEmbedding,
    *,
    splits: Sequence[str] = SPLITS,
    turns: int = 3,
    remake: Remake | None = None,
) -> dict[str, Any]:
    """The truth on each split: captured clips, all kinds, and captured ones remade.

    Means over `turns` choices of a caption for each clip.
    """
    report: dict[str, Any] = {}
    for split in splits:
        for name, kinds in (("captured", CAPTURED), ("all kinds", None)):
            sets = [
                choose_prompts(corpus, split, kinds=kinds, turn=turn)
                for turn in range(turns)
            ]
            truth = [corpus.motion(i) for i in sets[0].clips]
            aligners = [Aligner(embedding, own.prompts, truth) for own in sets]
            rows = {name: [aligner.truth() for aligner in aligners]}
            if remake is not None and kinds is CAPTURED:
                made = remake(truth)
                rows[f"{name}, remade"] = [a.figures(made) for a in aligners]
            for row, figures in rows.items():
                report[f"{split}, {row}"] = {"clips": len(truth), **_means(figures)}
    return report


def _means(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}


def _number(text: str) -> int:
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
