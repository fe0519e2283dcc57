"""Random windows out of all clips, cut and augmented on the device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.data.corpus.packed_clips import PackedClips
from texedo.learning.features import (
    HEADING,
    MIN_STD,
    MIRROR_INDEX,
    MIRROR_SIGN,
    NUM_FEATURES,
    VELOCITY,
    features_from_qpos,
)
from texedo.text.learn.tokenizer.augment import Augment, Shares

_TEMPO = 1.25
"""A retimed window is at most this many times as fast, or as slow."""


class Windows:
    """All frames of the chosen clips, resident on the device as features."""

    def __init__(
        self,
        data: PackedClips,
        clips: Sequence[int],
        *,
        lengths: Sequence[int],
        tempo: float = 0.0,
        shares: Shares | None = None,
        device: str | torch.device,
    ) -> None:
        rows = [features_from_qpos(data.frames(i)) for i in clips]
        empty = np.zeros((0, NUM_FEATURES), dtype=np.float32)
        self.features = np.concatenate((empty, *rows))
        self._frames = torch.as_tensor(self.features, device=device)
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        lasts = np.repeat(np.cumsum(sizes) - 1, sizes)
        self._lasts = torch.as_tensor(lasts, device=device)
        starts = {n: _starts(sizes, n) for n in sorted(set(lengths))}
        self._starts = {
            n: torch.as_tensor(s, device=device) for n, s in starts.items() if len(s)
        }
        self.lengths = [n for n in lengths if n in self._starts]
        if not self.lengths:
            raise TexedoError(
                f"No training clip lasts {min(lengths)} frames; give shorter --windows."
            )
        self._tempo = tempo
        self._augment = Augment(device, shares or Shares())

    def draw(self, length: int, count: int, generator: torch.Generator) -> Tensor:
        """Windows (count, length, 37); every place of every clip is equally likely."""
        starts = self._starts[length]
        device = starts.device
        picked = torch.randint(
            len(starts), (count,), generator=generator, device=device
        )
        windows = self._retimed(starts[picked], length, generator)
        return self._augment(windows, generator)

    def _retimed(
        self, first: Tensor, length: int, generator: torch.Generator
    ) -> Tensor:
        """Windows (B, length, 37) from their first frames (B,), some at another pace."""
        frames = torch.arange(length, device=first.device)
        if not self._tempo or length < 2:
            return self._frames[first[:, None] + frames]
        draw = torch.rand(2, len(first), generator=generator, device=first.device)
        pace = torch.where(draw[0] < self._tempo, _TEMPO ** (2.0 * draw[1] - 1.0), 1.0)
        # A window at its own pace fits; a faster one reaches to the end at most.
        last = self._lasts[first]
        pace = torch.minimum(pace, (last - first) / (length - 1))[:, None]
        offset = frames * pace
        before = torch.minimum(
            first[:, None] + offset.floor().to(torch.int64), last[:, None]
        )
        after = torch.minimum(before + 1, last[:, None])
        share = (offset - offset.floor())[..., None]
        windows = self._frames[before].lerp(self._frames[after], share)
        windows[..., VELOCITY] *= pace[..., None]
        return windows


def scales(features: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    """Mean and standard deviation (37,) of features (F, 37) and their mirror image.

    The heading is taken as uniform: whatever it is in the data, any is possible.
    """
    mean, square = features.mean(0, np.float64), (features**2).mean(0, np.float64)
    mean = (mean + mean[MIRROR_INDEX] * MIRROR_SIGN) / 2
    square = (square + square[MIRROR_INDEX]) / 2
    mean[HEADING], square[HEADING] = 0.0, 0.5
    std = np.maximum(np.sqrt(np.maximum(square - mean**2, 0.0)), MIN_STD)
    return mean.astype(np.float32), std.astype(np.float32)


def _starts(sizes: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """First frames at which a whole window of `length` fits into its clip."""
    firsts = np.cumsum(sizes) - sizes
    room = np.maximum(sizes - length + 1, 0)
    within = np.arange(room.sum()) - np.repeat(np.cumsum(room) - room, room)
    return np.asarray(np.repeat(firsts, room) + within, dtype=np.int64)
