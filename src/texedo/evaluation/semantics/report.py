"""Everything about a semantic verifier on the held-out clips of one split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Corpus
from texedo.evaluation.embedding.texts import plain, say_the_same, sentence_keys
from texedo.evaluation.semantics.accuracy import accuracy_table
from texedo.evaluation.semantics.calibration import calibration_error, reliability
from texedo.evaluation.semantics.held_out import (
    MIRRORED,
    Contraries,
    Group,
    captured_group,
    composed_group,
    our_contraries,
    written_group,
)
from texedo.evaluation.semantics.retrieval import (
    DRAWS,
    PAPER,
    alike_share,
    chance,
    matching,
    retrieval_table,
)
from texedo.motion import Motion
from texedo.robot.mirror import mirror
from texedo.see.semantics.protocol import SemanticVerifier, all_pairs

WRITTEN = "written"
"""The group of captured clips with their main captions: its pairs alone are scored."""
LIMIT = 512
"""Clips of a group at most: their pairs grow with the square."""

NUMBERS = frozenset(
    "one two three four five six seven eight nine ten once twice thrice single couple "
    "few several half quarter full".split()
)
"""Words that a sentence vector hardly tells apart, beside digits."""

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Encode = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""Texts to sentence vectors (N, D) of length 1."""
Pairs = dict[str, tuple[Float64, Float64]]
"""R_text of true and of false pairs by kind of change, (P,) each."""


def semantics_report(
    verifier: SemanticVerifier,
    corpus: Corpus,
    *,
    split: str = "test",
    encode: Encode | None = None,
    contraries: Contraries = our_contraries,
    limit: int | None = LIMIT,
    draws: int = DRAWS,
    seed: int = 0,
    only_pairs: bool = False,
) -> dict[str, Any]:
    """Pair accuracy, retrieval and calibration; without `encode`, captions say the same
    only if their words are the same. `only_pairs`: nothing but the accuracies."""
    captured = captured_group(corpus, split, contraries, limit=limit, seed=seed)
    if len(captured.clips) < 2:
        raise TexedoError(
            f"split {split!r} has {len(captured.clips)} captured clips with a caption; "
            "take another one."
        )
    groups = {
        "captured": captured,
        WRITTEN: written_group(corpus, split, contraries, limit=limit, seed=seed),
        "composed": composed_group(corpus, split, contraries, limit=limit, seed=seed),
    }
    report: dict[str, Any] = {
        "semantics": verifier.name,
        "semantics_hash": verifier.digest,
        "split": split,
        "seed": seed,
        "paper": PAPER,
        "groups": {},
    }
    for name, group in groups.items():
        if len(group.clips) >= 2:
            light = only_pairs or name == WRITTEN
            scored = _Scored(verifier, corpus, group, grid=not light)
            rest = {} if light else _figures(scored, encode, draws=draws, seed=seed)
            report["groups"][name] = _pairs(scored) | rest
    return report


class _Scored:
    """R_text of all pairs of a group that any figure needs, from one call."""

    def __init__(
        self,
        verifier: SemanticVerifier,
        corpus: Corpus,
        group: Group,
        *,
        grid: bool = True,
    ) -> None:
        self.group, count = group, len(group.clips)
        own = [corpus.motion(i) for i in group.clips]
        sided = list(group.sided)
        motions: list[Motion] = [*own, *(mirror(own[k]) for k in sided)]
        more = dict.fromkeys(
            [q.true for q in group.questions]
            + [q.false for q in group.questions]
            + [group.sided[k] for k in sided]
        )
        number = {text: count + i for i, text in enumerate(more)}
        asked = [(number[q.true], q.clip) for q in group.questions]
        asked += [(number[q.false], q.clip) for q in group.questions]
        asked += [(number[group.sided[k]], k) for k in sided]
        asked += [(number[group.sided[k]], count + i) for i, k in enumerate(sided)]
        every = all_pairs(count, count) if grid else np.zeros((0, 2), dtype=np.int64)
        pairs = np.concatenate((every, np.array(asked, dtype=np.int64).reshape(-1, 2)))
        found = np.asarray(
            verifier.compare([*group.captions, *more], motions, pairs), dtype=np.float64
        )
        sizes = [len(group.questions), len(group.questions), len(sided)]
        cuts = np.cumsum([len(every), *sizes])
        parts = np.split(found, cuts)
        self.matrix = parts[0].reshape(-1, count)
        """Captions are rows, motions columns; empty without the grid."""
        self.true, self.false, self.plain, self.mirrored = parts[1:]

    def pairs(self) -> Pairs:
        """By kind of change of the caption."""
        kinds = np.array([q.kind for q in self.group.questions])
        return {
            str(kind): (self.true[kinds == kind], self.false[kinds == kind])
            for kind in np.unique(kinds)
        }


def _pairs(scored: _Scored) -> dict[str, Any]:
    mirrored = accuracy_table({MIRRORED: (scored.plain, scored.mirrored)})
    mirrored.pop("all", None)  # The motion is changed here, not the caption.
    return {
        "clips": len(scored.group.clips),
        "pairs": accuracy_table(scored.pairs()) | mirrored,
    }


def _figures(
    scored: _Scored, encode: Encode | None, *, draws: int, seed: int
) -> dict[str, Any]:
    captions = scored.group.captions
    same = alike(captions, encode)
    rows = reliability(scored.matrix.diagonal(), scored.false)
    retrieval = retrieval_table(scored.matrix, same, draws=draws, seed=seed)
    pool = retrieval["motion to text"]["pool"]
    return {
        "retrieval": retrieval,
        "chance": chance(pool),
        "matching": matching(scored.matrix, same),
        "captions alike": alike_share(same),
        "calibration": {"ece": calibration_error(rows), "bins": rows},
    }


def alike(texts: Sequence[str], encode: Encode | None) -> Bools:
    """Which texts say the same, (N, N); two and three times are not the same."""
    keys = sentence_keys(texts)
    words: Bools = np.asarray(keys[:, None] == keys)
    if encode is None:
        return words
    numbers = [" ".join(w for w in plain(t).split() if _is_number(w)) for t in texts]
    counts = np.unique(numbers, return_inverse=True)[1]
    near = say_the_same(texts, np.asarray(encode(texts)))
    return np.asarray(words | (near & (counts[:, None] == counts)))


def _is_number(word: str) -> bool:
    return word in NUMBERS or word[0].isdigit()
