"""A space where a sentence and a motion that shows it lie together. For measuring only.

    embedding = load_embedding("folder")
    texts = embedding.texts(["a person waves"])      # (1, 256), length 1
    motions = embedding.motions([motion])            # (1, 256), length 1

The sentence side is a frozen sentence encoder and a small network; the motion side a
small transformer over patches of 0.32 s. Nothing that is measured with it may be
trained or chosen with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.core.errors import CheckpointError
from texedo.evaluation.embedding.frames import FRAME_SIZE, motion_frames
from texedo.language.encoder import TextEncoder
from texedo.language.front import load_text_front, save_text_front
from texedo.language.vectors import sentence_vectors
from texedo.language.word_pieces import WordPiece
from texedo.motion import Motion

KIND = "text-motion-embedding"
TEXT_FOLDER = "text_encoder"
_BATCH = 64

Float32 = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class EmbeddingCfg:
    """Sizes of the networks."""

    size: int = 256
    """Of the common space."""
    text_size: int = 384
    """Of a sentence vector."""
    width: int = 192
    layers: int = 3
    heads: int = 4
    patch: int = 4
    """Frames of 0.08 s that are read together."""
    dropout: float = 0.1


class MotionNet(nn.Module):
    """Frames (B, T, 39) with mask (B, T) to vectors (B, size)."""

    def __init__(self, cfg: EmbeddingCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.patches = nn.Linear(cfg.patch * FRAME_SIZE, cfg.width)
        layer = nn.TransformerEncoderLayer(
            cfg.width,
            cfg.heads,
            3 * cfg.width,
            cfg.dropout,
            F.gelu,
            batch_first=True,
            norm_first=True,
        )
        self.layers = nn.TransformerEncoder(
            layer, cfg.layers, nn.LayerNorm(cfg.width), enable_nested_tensor=False
        )
        self.out = nn.Linear(2 * cfg.width, cfg.size)

    def forward(self, frames: Tensor, mask: Tensor) -> Tensor:
        missing = -frames.shape[1] % self.cfg.patch
        frames = F.pad(frames * mask[..., None], (0, 0, 0, missing))
        count, patch = len(frames), self.cfg.patch
        x = self.patches(frames.reshape(count, -1, patch * FRAME_SIZE))
        there = F.pad(mask, (0, missing)).reshape(count, -1, patch).any(-1)
        x = x + _positions(x.shape[1], x.shape[2], x)
        x = self.layers(x, src_key_padding_mask=~there)
        weight = there[..., None].to(x.dtype)
        mean = (x * weight).sum(1) / weight.sum(1)
        highest = x.masked_fill(~there[..., None], -torch.inf).amax(1)
        out: Tensor = self.out(torch.cat((mean, highest), dim=-1))
        return out


class EmbeddingNet(nn.Module):
    """Both sides and the scale between them; vectors have length 1."""

    frame_mean: Tensor
    frame_std: Tensor

    def __init__(self, cfg: EmbeddingCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.motion = MotionNet(cfg)
        self.text = nn.Sequential(
            nn.Dropout(cfg.dropout),
            nn.Linear(cfg.text_size, 2 * cfg.size),
            nn.GELU(),
            nn.Dropout(cfg.dropout),
            nn.Linear(2 * cfg.size, cfg.size),
        )
        self.log_scale = nn.Parameter(torch.tensor(float(np.log(1 / 0.07))))
        self.register_buffer("frame_mean", torch.zeros(FRAME_SIZE))
        self.register_buffer("frame_std", torch.ones(FRAME_SIZE))

    def motions(self, frames: Tensor, mask: Tensor) -> Tensor:
        """Unit vectors (B, size) of frames (B, T, 39)."""
        frames = (frames - self.frame_mean) / self.frame_std
        return F.normalize(self.motion(frames, mask), dim=-1)

    def texts(self, vectors: Tensor) -> Tensor:
        """Unit vectors (B, size) of sentence vectors (B, text_size)."""
        # Unit vectors have small numbers; layers start best with numbers of about 1.
        return F.normalize(self.text(vectors * vectors.shape[-1] ** 0.5), dim=-1)

    def motion_rows(self, rows: Sequence[NDArray[Any]]) -> Tensor:
        """Unit vectors (N, size) of frames (T_i, 39) of any lengths, like with like."""
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        parts = [
            self.motions(*padded([rows[i] for i in order[first : first + _BATCH]]))
            for first in range(0, len(order), _BATCH)
        ]
        return torch.cat(parts)[np.argsort(order)]


class TextMotionEmbedding:
    """A trained network with the text encoder in front."""

    def __init__(
        self, net: EmbeddingNet, encoder: TextEncoder, words: WordPiece
    ) -> None:
        self.net = net.eval().requires_grad_(False)
        self._encoder, self._words = encoder.eval(), words
        self.digest = ""
        """The sha256 of the weights, once they are on disk."""
        self.metadata: dict[str, Any] = {}

    def texts(self, texts: Sequence[str]) -> Float32:
        """Unit vectors (N, size)."""
        return self.from_sentences(self.sentences(texts))

    def sentences(self, texts: Sequence[str]) -> Float32:
        """Sentence vectors (N, text_size), before the network."""
        return sentence_vectors(self._encoder, self._words, texts)

    def from_sentences(self, vectors: Float32) -> Float32:
        """Unit vectors (N, size) of sentence vectors."""
        with torch.inference_mode():
            return np.asarray(self.net.texts(torch.from_numpy(vectors)).numpy())

    def motions(self, motions: Sequence[Motion]) -> Float32:
        """Unit vectors (N, size)."""
        rows = [motion_frames(motion.to_qpos()) for motion in motions]
        with torch.inference_mode():
            return np.asarray(self.net.motion_rows(rows).numpy())


def padded(rows: Sequence[NDArray[Any]]) -> tuple[Tensor, Tensor]:
    """Rows (T_i, 39) as one tensor (B, T, 39), and where they are, (B, T)."""
    lengths = torch.tensor([len(row) for row in rows])
    frames = torch.zeros(len(rows), int(lengths.max()), rows[0].shape[1])
    for own, row in zip(frames, rows, strict=True):
        own[: len(row)] = torch.from_numpy(np.asarray(row, dtype=np.float32))
    return frames, torch.arange(frames.shape[1]) < lengths[:, None]


def save_embedding(
    folder: Path | str,
    embedding: TextMotionEmbedding,
    *,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write both artefacts; the outer one comes last."""
    folder = Path(folder)
    save_text_front(folder / TEXT_FOLDER, embedding._encoder, embedding._words)
    config = {"model": asdict(embedding.net.cfg), "metadata": dict(metadata or {})}
    tensors = {k: v.detach().numpy() for k, v in embedding.net.state_dict().items()}
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_embedding(folder: Path | str) -> TextMotionEmbedding:
    """Read what `save_embedding` wrote; raises `CheckpointError`."""
    folder = Path(folder)
    config, tensors = read_artifact(folder, kind=KIND)
    try:
        net = EmbeddingNet(EmbeddingCfg(**config["model"]))
        net.load_state_dict({k: torch.as_tensor(v) for k, v in tensors.items()})
    except (KeyError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {reason}; train it again."
        ) from None
    # An embedding that does not say was trained on captions as they were written.
    front = load_text_front(folder / TEXT_FOLDER, normal=False)
    embedding = TextMotionEmbedding(net, *front)
    embedding.digest = str(config["sha256"])
    embedding.metadata = dict(config.get("metadata", {}))
    return embedding


def _positions(length: int, width: int, like: Tensor) -> Tensor:
    """Sines and cosines of the patch's number, (length, width)."""
    at = torch.arange(length, device=like.device, dtype=like.dtype)[:, None]
    rates = torch.logspace(0, -2.5, width // 2, device=like.device, dtype=like.dtype)
    return torch.cat(((at * rates).sin(), (at * rates).cos()), dim=-1)
