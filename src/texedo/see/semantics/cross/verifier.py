"""The default verifier in use: sentences and motions in, R_text out.

R_text of a pair is a probability: the logistic function of the network's logit, after a
line fitted on held-out pairs (`Calibration`). Motions of more than 20 s are looked at in
overlapping windows, and their logits averaged: what is said must hold of the whole.

The candidates of one prompt take a short way (`quick`), all else the general one: texts
and windows are read in batches, then their pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from texedo.core.errors import TexedoError
from texedo.language.encoder import TextEncoder, padded_ids
from texedo.language.reading import Reader
from texedo.language.word_pieces import WordPiece
from texedo.motion import Motion
from texedo.see.semantics.cross.frames import RATE, batches, frames_on, looked_at
from texedo.see.semantics.cross.net import CrossNet, Read
from texedo.see.semantics.cross.quick import PromptScorer, tf32_on
from texedo.see.semantics.cross.stages import fits
from texedo.see.semantics.protocol import Float64, Pairs

WINDOW = round(20 * RATE)
"""Frames that are looked at together: the longest motion of the generator."""
_STRIDE = WINDOW // 2
_BATCH_FRAMES = 1 << 13
"""Frames of motions that are read at once, padding included."""
_BATCH_ONE = 1 << 14
"""The same where one prompt is compared with its candidates."""
_BATCH_PAIRS = 256
_PROMPTS = 1024
"""Prompts whose reading is remembered."""

Clips = list[NDArray[np.float32]]


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
        self._readings: dict[str, _Prompt] = {}
        self._quick = PromptScorer(self.net, self._encoder)
        self.calibration = calibration
        self.name, self.digest = name, digest
        self.metadata: dict[str, Any] = {}

    @property
    def device(self) -> torch.device:
        return self.net.frame_mean.device

    def to(self, device: str | torch.device) -> CrossVerifier:
        """Move it, in place."""
        if torch.device(device) != self.device:
            self.net.to(device)
            # Others may have the same text encoder, and stay where they are.
            self._encoder = deepcopy(self._encoder).to(device)
            self._quick = PromptScorer(self.net, self._encoder)
        return self

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair (text, motion), (P,)."""
        return 1.0 / (1.0 + np.exp(-self.log_odds(texts, motions, pairs)))

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """The same before the logistic function, (P,)."""
        slope, offset = self.calibration
        return slope * self.logits(texts, motions, pairs) + offset

    def normal(self, text: str) -> str:
        """A sentence as it is read: typos put right, in the third person."""
        return text if self._reader is None else self._reader.read(text).text

    @torch.inference_mode()
    def logits(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """The network's own numbers, before calibration, (P,)."""
        if not len(pairs):
            return np.zeros(0)
        clips = _clips(motions)
        with tf32_on(self.device):
            if _is_one_prompt(texts, clips, pairs):
                found = self._quick.logits(self._read(texts[0]).ids, clips)
                return found.astype(np.float64)
            return self._general(texts, clips, pairs)

    @torch.inference_mode()
    def step_log_odds(self, steps: Sequence[str], motions: Sequence[Motion]) -> Float64:
        """Of each step in the stage of each motion that is its own, if they come one
        after the other, (N, steps)."""
        slope, offset = self.calibration
        with tf32_on(self.device):
            frames = frames_on(self.device, _clips(motions))
            return fits(
                frames,
                len(steps),
                lambda rows, pairs: slope * self._seen(steps, rows, pairs) + offset,
            )

    def _general(self, texts: Sequence[str], clips: Clips, pairs: Pairs) -> Float64:
        return self._seen(texts, frames_on(self.device, clips), pairs)

    def _seen(
        self, texts: Sequence[str], frames: Sequence[Tensor], pairs: Pairs
    ) -> Float64:
        rows, owners = _windows(frames)
        said = self._read_texts(texts)
        sums, counts = np.zeros(len(pairs)), np.zeros(len(pairs))
        order = np.argsort(pairs[:, 1], kind="stable")
        numbers = np.searchsorted(pairs[order, 1], np.arange(len(frames) + 1))
        wanted = [order[a:b] for a, b in pairwise(numbers)]
        for batch in batches([len(row) for row in rows], _BATCH_FRAMES):
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
        return self._read(prompt).remarks

    def _read(self, text: str) -> _Prompt:
        """A prompt's word pieces; what was read lately is not read again."""
        if (known := self._readings.get(text)) is not None:
            return known
        remarks: tuple[str, ...] = ()
        said = text
        if self._reader is not None:
            reading = self._reader.read(text)
            said, remarks = reading.text, reading.remarks
        if len(self._readings) >= _PROMPTS:
            self._readings.clear()
        self._readings[text] = _Prompt(self._words.read(said).ids, remarks)
        return self._readings[text]

    def _read_texts(self, texts: Sequence[str]) -> Read:
        pieces = [self._read(text).ids for text in texts]
        longest = max(map(len, pieces))
        ids, mask = (part.to(self.device) for part in padded_ids(pieces, longest))
        parts = [
            self.net.read_texts(self._encoder(ids[i : i + 256], own), own)
            for i in range(0, len(ids), 256)
            for own in (mask[i : i + 256],)
        ]
        return Read(*(torch.cat(part) for part in zip(*parts, strict=True)))

    def _read_motions(self, rows: Sequence[Tensor]) -> Read:
        lengths = torch.tensor([len(row) for row in rows], device=self.device)
        frames = pad_sequence(list(rows), batch_first=True)
        return self.net.read_motions(frames, lengths)

    def _index(self, numbers: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(self.device)


class _Prompt(NamedTuple):
    """A prompt as it was read."""

    ids: list[int]
    remarks: tuple[str, ...]


def _is_one_prompt(texts: Sequence[str], clips: Clips, pairs: Pairs) -> bool:
    """Whether it is each motion once, in order, with one text, and in one window."""
    frames = [looked_at(len(qpos)) for qpos in clips]
    return (
        len(texts) == 1
        and len(pairs) == len(clips)
        and max(frames) <= WINDOW
        and len(clips) * max(frames) <= _BATCH_ONE
        and not pairs[:, 0].any()
        and bool((pairs[:, 1] == np.arange(len(clips))).all())
    )


def _clips(motions: Sequence[Motion]) -> Clips:
    """Poses (T, 36) of motions, all of them numbers."""
    clips = []
    for i, motion in enumerate(motions):
        qpos = motion.to_qpos()
        if not np.isfinite(qpos).all():
            bad = int(np.flatnonzero(~np.isfinite(qpos).all(axis=1))[0])
            raise TexedoError(f"Motion {i} has a number that is none in frame {bad}.")
        clips.append(qpos)
    return clips


def _windows(clips: Sequence[Tensor]) -> tuple[list[Tensor], list[int]]:
    """All windows of the frames of all motions, and whose each one is."""
    rows, owners = [], []
    for i, frames in enumerate(clips):
        for window in _cut(frames):
            rows.append(window)
            owners.append(i)
    return rows, owners


def _cut(frames: Tensor) -> Iterator[Tensor]:
    if len(frames) <= WINDOW:
        yield frames
        return
    last = len(frames) - WINDOW
    for start in [*range(0, last, _STRIDE), last]:
        yield frames[start : start + WINDOW]
