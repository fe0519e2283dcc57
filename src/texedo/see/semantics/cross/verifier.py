"""The default verifier in use: sentences and motions in, R_text out.

R_text of a pair is a probability: the logistic function of the network's logit, after a
line fitted on held-out pairs (`Calibration`). Motions of more than 20 s are looked at in
overlapping windows, and their logits averaged: what is said must hold of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.language.encoder import TextEncoder, padded_ids
from texedo.language.reading import Reader
from texedo.language.word_pieces import WordPiece
from texedo.motion import Motion
from texedo.see.semantics.cross.frames import RATE, frames_of
from texedo.see.semantics.cross.net import CrossNet, Read
from texedo.see.semantics.protocol import Float64, Pairs

WINDOW = round(20 * RATE)
"""Frames that are looked at together: the longest motion of the generator."""
_STRIDE = WINDOW // 2
_BATCH_FRAMES = 1 << 13
"""Frames of motions that are read at once, padding included."""
_BATCH_PAIRS = 256
_PIECES = 8
"""Texts are padded to multiples of this."""

Float32 = NDArray[np.float32]


class Calibration(NamedTuple):
    """The line that makes a logit one of a probability."""

    slope: float = 1.0
    offset: float = 0.0


class CrossVerifier:
    """A trained network with the text encoder in front."""

    def __init__(
        self,
        net: CrossNet,
        encoder: TextEncoder,
        words: WordPiece,
        *,
        calibration: Calibration = Calibration(),  # noqa: B008 (immutable)
        name: str = "texedo",
        digest: str = "",
    ) -> None:
        self.net = net.eval().requires_grad_(False)
        self._encoder, self._words = encoder.eval(), words
        # Prompts are read as the generator reads them, typos put right.
        self._reader = Reader(words.vocabulary) if words.normal else None
        self.calibration = calibration
        self.name, self.digest = name, digest
        self.metadata: dict[str, Any] = {}

    @property
    def device(self) -> torch.device:
        return self.net.frame_mean.device

    def to(self, device: str | torch.device) -> CrossVerifier:
        """Move it, in place."""
        self.net.to(device)
        self._encoder.to(device)
        return self

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair (text, motion), (P,)."""
        logits = self.logits(texts, motions, pairs)
        slope, offset = self.calibration
        return 1.0 / (1.0 + np.exp(-(slope * logits + offset)))

    @torch.inference_mode()
    def logits(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """The network's own numbers, before calibration, (P,)."""
        if not len(pairs):
            return np.zeros(0)
        rows, owners = _windows(motions)
        said = self._read_texts(texts)
        sums, counts = np.zeros(len(pairs)), np.zeros(len(pairs))
        wanted = [np.flatnonzero(pairs[:, 1] == i) for i in range(len(motions))]
        for batch in _batches([len(row) for row in rows]):
            seen = self._read_motions([rows[i] for i in batch])
            jobs = [
                (pair, k) for k, i in enumerate(batch) for pair in wanted[owners[i]]
            ]
            for start in range(0, len(jobs), _BATCH_PAIRS):
                own, which = np.array(jobs[start : start + _BATCH_PAIRS]).T
                values = self.net.logits(
                    said.take(self._index(pairs[own, 0])),
                    seen.take(self._index(which)),
                )
                sums[own] += values.float().cpu().numpy()
                counts[own] += 1
        return sums / counts

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What the user should know of how the prompt was read."""
        return () if self._reader is None else self._reader.read(prompt).remarks

    def _read_texts(self, texts: Sequence[str]) -> Read:
        reader = self._reader
        said = [text if reader is None else reader.read(text).text for text in texts]
        pieces = [read.ids for read in self._words.read_all(said)]
        longest = max(map(len, pieces))
        longest += -longest % _PIECES
        ids, mask = (part.to(self.device) for part in padded_ids(pieces, longest))
        parts = [
            self.net.read_texts(self._encoder(ids[i : i + 256], own), own)
            for i in range(0, len(ids), 256)
            for own in (mask[i : i + 256],)
        ]
        return Read(*(torch.cat(part) for part in zip(*parts, strict=True)))

    def _read_motions(self, rows: Sequence[Float32]) -> Read:
        lengths = torch.tensor([len(row) for row in rows])
        frames = torch.zeros(len(rows), int(lengths.max()), rows[0].shape[1])
        for own, row in zip(frames, rows, strict=True):
            own[: len(row)] = torch.from_numpy(row)
        return self.net.read_motions(frames.to(self.device), lengths.to(self.device))

    def _index(self, numbers: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(self.device)


def _windows(motions: Sequence[Motion]) -> tuple[list[Float32], list[int]]:
    """Frames of all windows of all motions, and whose each one is."""
    clips = []
    for i, motion in enumerate(motions):
        qpos = motion.to_qpos()
        if not np.isfinite(qpos).all():
            bad = int(np.flatnonzero(~np.isfinite(qpos).all(axis=1))[0])
            raise TexedoError(f"Motion {i} has a number that is none in frame {bad}.")
        clips.append(qpos)
    rows, owners = [], []
    for i, frames in enumerate(frames_of(clips)):
        for window in _cut(frames):
            rows.append(window)
            owners.append(i)
    return rows, owners


def _cut(frames: Float32) -> Iterator[Float32]:
    if len(frames) <= WINDOW:
        yield frames
        return
    last = len(frames) - WINDOW
    for start in [*range(0, last, _STRIDE), last]:
        yield frames[start : start + WINDOW]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows of like lengths, as many as fit."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    batch: list[int] = []
    for i in order:
        if batch and lengths[i] * (len(batch) + 1) > _BATCH_FRAMES:
            yield batch
            batch = []
        batch.append(i)
    yield batch
