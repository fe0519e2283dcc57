"""Clips and captions on the device, and batches cut out of them there.

All frames of the corpus lie on the device as normalized features at 50 Hz. A clip of a
batch is every second frame of it, from its first or second on, sometimes a little faster
or slower; its caption is drawn by weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Corpus
from texedo.language.word_pieces import WordPiece
from texedo.learning.features import NUM_FEATURES, VELOCITY, features_from_qpos
from texedo.learning.run import clips_digest
from texedo.text.diffusion.denoiser import DenoiserCfg
from texedo.text.diffusion.model import EVERY
from texedo.text.learn.captions import CaptionTable, padded, to_device
from texedo.text.learn.lm.data import described
from texedo.text.learn.lm.pack import flies
from texedo.text.learn.tokenizer.windows import scales

Int64 = NDArray[np.int64]
Float32 = NDArray[np.float32]

_SOME = 500_000
"""Frames that scales are measured on."""
_FINE = 1 << 20
"""Paces travel to the device as whole numbers of this part."""


class Clips(NamedTuple):
    """The captioned clips of train and val, frames back to back."""

    features: Float32
    """(F, 37) at 50 Hz, not normalized."""
    lengths: Int64
    splits: tuple[str, ...]
    flying: NDArray[np.bool_]
    """Clips whose pace is gravity's."""
    captions: list[list[str]]
    weights: list[list[float]]
    digest: str
    """Names them by ids and lengths."""

    def of_split(self, split: str) -> Int64:
        return np.flatnonzero(np.array(self.splits) == split)

    def some_frames(self) -> Int64:
        """Frames of training clips, evenly from all, that are not the last of a clip."""
        within = self.lengths - EVERY
        ends = np.repeat(self.lengths.cumsum() - EVERY, self.lengths)
        learnt = np.repeat(
            (np.array(self.splits) == "train") & (within > 0), self.lengths
        )
        frames = np.flatnonzero(learnt & (np.arange(len(ends)) < ends))
        return frames[:: -(-len(frames) // _SOME)]


class Batch(NamedTuple):
    """B motions of up to L places, and a caption each."""

    motion: Tensor
    """Normalized features (B, L * stride, 37); behind the end the last frame."""
    tokens: Tensor
    """Places of each, (B,)."""
    pieces: Tensor
    """Word pieces, (B, S)."""
    piece_mask: Tensor


def read_corpus(folder: str) -> Clips:
    """Features and captions of a corpus; raises `TexedoError` if a split is missing."""
    corpus = Corpus.load(folder)
    chosen = [
        i
        for i, clip in enumerate(corpus)
        if clip.captions and clip.split in ("train", "val")
    ]
    clips = [corpus.clips[i] for i in chosen]
    splits = tuple(clip.split for clip in clips)
    if set(splits) != {"train", "val"}:
        raise TexedoError(
            f"{folder}: needs captioned clips of the splits 'train' and 'val'; it has "
            f"{sorted(set(splits))}."
        )
    lengths = np.array([clip.num_frames for clip in clips], dtype=np.int64)
    features = np.empty((int(lengths.sum()), NUM_FEATURES), dtype=np.float32)
    at = 0
    for i, length in zip(chosen, lengths, strict=True):
        features[at : at + length] = features_from_qpos(corpus.frames(i))
        at += length
    told = [described(clip) for clip in clips]
    return Clips(
        features=features,
        lengths=lengths,
        splits=splits,
        flying=np.array([flies(clip) for clip in clips]),
        captions=[own["captions"] for own in told],
        weights=[own.get("weights", [1.0] * len(own["captions"])) for own in told],
        digest=clips_digest([clip.id for clip in clips], lengths),
    )


class DeviceClips:
    """All clips as tensors on the device."""

    def __init__(
        self, clips: Clips, words: WordPiece, device: torch.device, *, pace: float
    ) -> None:
        """The features of `clips` are used up."""
        self.lengths, self.pace, self._flying = clips.lengths, pace, clips.flying
        self._firsts = clips.lengths.cumsum() - clips.lengths
        some = clips.some_frames()
        self.mean, self.std = scales(clips.features[some])
        step = clips.features[some + EVERY] - clips.features[some]
        step_std = np.sqrt((step**2).mean(axis=0)) / self.std
        self.step_std = torch.from_numpy(np.maximum(step_std, 0.02)).to(device)
        """Size of the change from one frame of the model to the next, normalized."""
        # In place, on a CPU in the memory of `clips`: it is the largest thing there is.
        frames = torch.from_numpy(clips.features).to(device)
        self._frames = frames.sub_(torch.from_numpy(self.mean).to(device))
        self._frames.div_(torch.from_numpy(self.std).to(device))
        self._zero_speed = torch.from_numpy(-self.mean / self.std).to(device)
        self.captions = CaptionTable(clips.captions, clips.weights, words, device)
        self.device = device

    def tokens_of(self, clips: Int64, cfg: DenoiserCfg) -> Int64:
        """Places of clips at their own pace, (B,)."""
        frames = (self.lengths[clips] - 1) // EVERY + 1
        tokens: Int64 = np.clip(frames // cfg.stride, 1, cfg.max_tokens)
        return tokens

    def batch(
        self, clips: Int64, cfg: DenoiserCfg, rng: np.random.Generator | None
    ) -> Batch:
        """These clips (B,), with what chance adds; None: the first caption, no chance."""
        count = len(clips)
        pace, phase = np.ones(count), np.zeros(count, dtype=np.int64)
        caption = np.zeros(count, dtype=np.int64)
        if rng is not None:
            pace = (1.0 + self.pace) ** rng.uniform(-1.0, 1.0, count)
            pace[self._flying[clips]] = 1.0
            phase = rng.integers(EVERY, size=count)
            caption = self.captions.draw(clips, rng.integers(1 << 30, size=count))
        room = np.maximum(self.lengths[clips] - 1 - phase, 0)
        frames = (room / (EVERY * pace) + 1e-6).astype(np.int64) + 1
        tokens = np.clip(frames // cfg.stride, 1, cfg.max_tokens)
        text = self.captions.number(clips, caption)
        sizes = self.captions.sizes[text]
        first, last = self._firsts[clips] + phase, self._firsts[clips] + room + phase
        fine = np.round(pace * _FINE)
        columns = (first, last, fine, tokens, text, sizes)
        begin, end, speed, places, rows, size = to_device(columns, self.device)
        longest = min(padded(int(tokens.max())), cfg.max_tokens) * cfg.stride
        pieces, mask = self.captions.pieces(rows, size, padded(int(sizes.max())))
        motion = self._motion(begin, end, speed.float() / _FINE, longest)
        return Batch(motion, places, pieces, mask)

    def _motion(self, first: Tensor, last: Tensor, pace: Tensor, frames: int) -> Tensor:
        """Frames (B, frames, 37) from `first` on, at a pace each, up to `last`."""
        offset = EVERY * torch.arange(frames, device=first.device) * pace[:, None]
        whole = offset.floor()
        before = torch.minimum(first[:, None] + whole.long(), last[:, None])
        after = torch.minimum(before + 1, last[:, None])
        share = (offset - whole)[..., None]
        motion = self._frames[before].lerp(self._frames[after], share)
        # Speeds grow with the pace; they are normalized already.
        still = self._zero_speed[VELOCITY]
        speed = motion[..., VELOCITY]
        motion[..., VELOCITY] = still + (speed - still) * pace[:, None, None]
        return motion
