"""Figures on the validation split while the verifier learns, and its calibration."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from texedo.language.encoder import TextEncoder
from texedo.see.learn.semantics.batches import DeviceData, rivals_of
from texedo.see.learn.semantics.texts import Texts
from texedo.see.semantics.cross.net import CrossNet, Read
from texedo.see.semantics.cross.verifier import Calibration

POOL = 32
MAX_CLIPS, MAX_SENTENCES = 640, 1600
RIVALS, MAX_RIVALS = 4, 1200
_BATCH = 512

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Held:
    """Pairs of the validation split."""

    clips: Int64
    texts: Int64
    """A true sentence of each, (C,)."""
    made: dict[str, tuple[Int64, Int64]]
    """By kind of change: places in `clips`, and the false sentences."""
    mirrored: Int64
    """Places whose sentence names a side."""
    pools: Int64
    """For each clip 31 others that say something else, (C, 31)."""
    rivals: Int64
    """Drawn candidates, in pairs: one that does what its prompt says and one that does
    not, (R, 2)."""


def hold_out(
    data: DeviceData,
    texts: Texts,
    *,
    seed: int,
    split: str = "val",
    captured: bool = False,
) -> Held:
    """Captured and composed clips of a split, never drawn ones, one sentence each; or
    captured ones alone, with all their sentences."""
    rows = data.rows
    rng = np.random.default_rng((seed, 3))
    clips = np.array(
        [
            i
            for i in range(len(rows))
            if rows.splits[i] == split
            and (rows.kinds[i] == "captured" if captured else rows.kinds[i] != "drawn")
        ],
        dtype=np.int64,
    )
    if captured:
        said = [(c, text) for c in clips for text in dict.fromkeys(rows.true[c])]
        chosen = np.sort(rng.permutation(len(said))[:MAX_SENTENCES])
        clips, own = np.array(said, dtype=np.int64).reshape(-1, 2)[chosen].T
    else:
        clips = np.sort(rng.permutation(clips)[:MAX_CLIPS])
        own = np.array(
            [rows.true[c][int(rng.integers(len(rows.true[c])))] for c in clips]
        )
    return _held(data, texts, clips, own, rng, split=None if captured else split)


def _held(
    data: DeviceData,
    texts: Texts,
    clips: Int64,
    own: Int64,
    rng: np.random.Generator,
    *,
    split: str | None,
) -> Held:
    """Everything that is asked about clips and their sentences; without a split, nothing
    about drawn candidates."""
    made: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for place, text in enumerate(own):
        for kind, false in texts.false_kinds.get(int(text), []):
            made[kind][0].append(place)
            made[kind][1].append(false)
    words = [set(texts.all[t].lower().split()) for t in own]
    pools = np.zeros((len(clips), POOL - 1), dtype=np.int64)
    for place in range(len(clips)):
        order = rng.permutation(len(clips))
        other = [
            k
            for k in order
            if data.groups[clips[k]] != data.groups[clips[place]]
            and len(words[k] & words[place]) < 0.8 * len(words[k] | words[place])
        ]
        pools[place] = np.resize(other[: POOL - 1], POOL - 1)
    return Held(
        clips,
        own,
        {kind: (np.array(a), np.array(b)) for kind, (a, b) in sorted(made.items())},
        np.flatnonzero(data.sided[own]),
        pools,
        np.zeros((0, 2), np.int64) if split is None else _rivals(data, split, rng),
    )


def _rivals(data: DeviceData, split: str, rng: np.random.Generator) -> Int64:
    """At most RIVALS pairs of each held-out prompt, and MAX_RIVALS in all."""
    rows = data.rows
    among = [i for i in range(len(rows)) if rows.splits[i] == split]
    pairs = [
        (rng.choice(yes), rng.choice(no))
        for yes, no in rivals_of(rows, among)
        for _ in range(min(RIVALS, len(yes), len(no)))
    ]
    chosen = rng.permutation(len(pairs))[:MAX_RIVALS]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)[chosen]


class Evaluation:
    """All figures of one network."""

    def __init__(self, net: CrossNet, encoder: TextEncoder, data: DeviceData) -> None:
        self._net, self._encoder, self._data = net, encoder, data

    @torch.inference_mode()
    def figures(self, held: Held) -> tuple[dict[str, float], Float64, Float64]:
        """Shares by name; logits of true pairs and of false ones."""
        straight = np.zeros(len(held.clips), dtype=np.bool_)
        motions = self._motions(held.clips, straight)
        images = self._motions(held.clips[held.mirrored], ~straight[held.mirrored])
        own = self._texts(held.texts)
        places = np.arange(len(held.clips))
        true = self._logits(own, places, motions, places)
        false: list[Float64] = []
        figures: dict[str, float] = {}
        for kind, (where, texts) in held.made.items():
            other = self._logits(
                self._texts(texts), np.arange(len(texts)), motions, where
            )
            figures[f"not {kind}"] = _wins(true[where], other)
            false.append(other)
        if len(held.mirrored):
            other = self._logits(
                own, held.mirrored, images, np.arange(len(held.mirrored))
            )
            figures["not mirrored"] = _wins(true[held.mirrored], other)
        rows = np.repeat(places, POOL - 1)
        grid = self._logits(own, held.pools.ravel(), motions, rows).reshape(
            -1, POOL - 1
        )
        figures["not another's"] = _wins(true[:, None], grid)
        rank = (grid >= true[:, None]).sum(axis=1)
        figures |= {"R@1": float((rank < 1).mean()), "R@3": float((rank < 3).mean())}
        if len(held.rivals):
            good, bad = self._rivals(held.rivals)
            figures["not a rival"] = _wins(good, bad)
            true = np.concatenate((true, good))
            false.append(bad)
        false.append(grid[:, :2].ravel())
        return figures, true, np.concatenate(false)

    def _rivals(self, rivals: Int64) -> tuple[Float64, Float64]:
        """Logits of those that do what the prompt says, and of those that do not."""
        texts = self._texts(np.array(self._data.rows.prompts)[rivals[:, 0]])
        places = np.arange(len(rivals))
        straight = np.zeros(len(rivals), dtype=np.bool_)
        good, bad = (self._motions(column, straight) for column in rivals.T)
        return (
            self._logits(texts, places, good, places),
            self._logits(texts, places, bad, places),
        )

    def _motions(self, clips: Int64, mirrored: NDArray[np.bool_]) -> Read:
        parts = [
            self._net.read_motions(
                *self._data.clips(clips[i : i + 64], mirrored[i : i + 64])
            )
            for i in range(0, len(clips), 64)
        ]
        return _joined(parts)

    def _texts(self, texts: Int64) -> Read:
        parts = []
        for i in range(0, len(texts), 256):
            pieces, mask = self._data.pieces(texts[i : i + 256])
            parts.append(self._net.read_texts(self._encoder(pieces, mask), mask))
        return _joined(parts)

    def _logits(self, texts: Read, t: Int64, motions: Read, m: Int64) -> Float64:
        def send(numbers: Int64) -> torch.Tensor:
            return torch.from_numpy(np.ascontiguousarray(numbers)).to(self._data.device)

        parts = [
            self._net.logits(
                texts.take(send(t[i : i + _BATCH])),
                motions.take(send(m[i : i + _BATCH])),
            )
            for i in range(0, len(t), _BATCH)
        ]
        return np.asarray(torch.cat(parts).float().cpu().numpy(), dtype=np.float64)


def _joined(parts: list[Read]) -> Read:
    """Parts of different lengths, padded to the longest."""
    longest = max(part.states.shape[1] for part in parts)
    padded = [
        Read(
            torch.nn.functional.pad(
                part.states, (0, 0, 0, longest - part.states.shape[1])
            ),
            torch.nn.functional.pad(part.mask, (0, longest - part.mask.shape[1])),
            part.vectors,
        )
        for part in parts
    ]
    return Read(*(torch.cat(column) for column in zip(*padded, strict=True)))


def _wins(true: Float64, false: Float64) -> float:
    """Share of pairs in which the true one has more; a tie is half a win."""
    return float(np.mean((true > false) + 0.5 * (true == false)))


def calibrate(true: Float64, false: Float64, *, rounds: int = 50) -> Calibration:
    """Slope and offset that make logits probabilities where half of the pairs are true.

    Newton's method on the weighted log-likelihood, two unknowns.
    """
    x = np.concatenate((true, false))
    y = np.concatenate((np.ones(len(true)), np.zeros(len(false))))
    weight = np.where(y > 0, 0.5 / len(true), 0.5 / len(false))
    design = np.stack((x, np.ones_like(x)), axis=1)
    line = np.array([1.0, 0.0])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(design @ line, -30, 30)))
        gradient = design.T @ (weight * (y - p)) - 1e-6 * line
        curvature = (design * (weight * p * (1 - p))[:, None]).T @ design
        line = line + np.linalg.solve(curvature + 1e-6 * np.eye(2), gradient)
    return Calibration(float(line[0]), float(line[1]))
