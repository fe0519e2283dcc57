"""Batches: clips, a true sentence of each, and false ones, cut on the device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.language.word_pieces import WordPiece
from texedo.see.learn.semantics.cfg import CrossTrainCfg
from texedo.see.learn.semantics.data import ClipRows
from texedo.see.learn.semantics.texts import Texts
from texedo.see.semantics.cross.frames import (
    FRAME_SIZE,
    HEADING,
    MIRROR_INDEX,
    MIRROR_SIGN,
    PLACE,
    TURNED,
    TURNING,
    VELOCITY,
)

MAX_FRAMES = 400
"""Frames of a clip that are looked at in training, 16 s."""
MAX_PIECES = 48
FALSE_TEXTS = 3
"""False sentences per clip that were made for it."""

Int64 = NDArray[np.int64]


class Batch(NamedTuple):
    """B clips with one true sentence each, and B * FALSE_TEXTS false ones."""

    frames: Tensor
    """(B, T, 80)."""
    lengths: Tensor
    """(B,)."""
    pieces: Tensor
    """Word pieces of the true sentences, then of the false ones, (B + B F, S)."""
    piece_mask: Tensor
    """True at word pieces, (B + B F, S)."""
    false: Tensor
    """Which of the false sentences are there, (B, F)."""
    sided: Tensor
    """Sentences that are not true of the mirrored motion, (B,)."""
    mirrorable: Tensor
    """Sentences of which it is known whether they are true of it, (B,)."""
    timed: Tensor
    """Sentences that may not be true of the reversed motion, (B,)."""
    groups: Tensor
    """Numbers of the clips' groups, (B,)."""
    texts: Tensor
    """Numbers of the true sentences, (B,)."""
    rivals: Tensor
    """Places of clips of the same prompt of which the sentence is not true, -1 for none,
    (B,)."""


class DeviceData:
    """Frames and word pieces on the device, tables beside them."""

    def __init__(
        self,
        rows: ClipRows,
        texts: Texts,
        words: WordPiece,
        device: str,
        *,
        workers: int | None = 1,
    ) -> None:
        self.mirror = texts.mirror_table()
        self.reworded, self.false = texts.reworded_table(), texts.false_table()
        self.timed, self.sided = texts.timed(), texts.sided(workers=workers)
        self.stating = texts.stating()
        self.rows = rows
        self.lengths = np.minimum(rows.lengths, MAX_FRAMES)
        starts = np.cumsum(rows.lengths) - rows.lengths
        self.starts = starts
        self.groups = np.unique(rows.groups, return_inverse=True)[1]
        self.device = torch.device(device)
        self._frames = torch.from_numpy(np.concatenate(rows.frames)).to(device)
        self._pieces, self.num_pieces = _piece_table(texts, words, workers)
        self._pieces = self._pieces.to(device)
        self._index = torch.from_numpy(MIRROR_INDEX).to(device)
        self._sign = torch.from_numpy(MIRROR_SIGN).to(device)
        mask = {piece: i for i, piece in enumerate(words.vocabulary)}
        self.hidden_piece = mask.get("[MASK]", mask["[UNK]"])

    def clips(self, clips: Int64, mirrored: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
        """Frames (B, T, 80) and lengths (B,) of clips, some of them mirrored."""
        lengths = torch.from_numpy(self.lengths[clips]).to(self.device)
        starts = torch.from_numpy(self.starts[clips]).to(self.device)
        longest = int(self.lengths[clips].max())
        longest += -longest % 32  # Few shapes.
        at = torch.arange(longest, device=self.device)
        inside = at < lengths[:, None]
        where = starts[:, None] + torch.minimum(at, lengths[:, None] - 1)
        frames = self._frames[where].float() * inside[..., None]
        flip = torch.from_numpy(mirrored).to(self.device)
        image = frames[..., self._index] * self._sign
        return torch.where(flip[:, None, None], image, frames), lengths

    def pieces(self, texts: Int64) -> tuple[Tensor, Tensor]:
        """Word pieces (B, S) of sentences and where they are."""
        sizes = self.num_pieces[texts]
        longest = int(sizes.max())
        longest += -longest % 8
        rows = self._pieces[torch.from_numpy(texts).to(self.device), :longest].long()
        size = torch.from_numpy(sizes).to(self.device)
        return rows, torch.arange(longest, device=self.device) < size[:, None]

    def image(self, frames: Tensor) -> Tensor:
        """Mirrored frames."""
        return frames[..., self._index] * self._sign


def _piece_table(
    texts: Texts, words: WordPiece, workers: int | None
) -> tuple[Tensor, Int64]:
    said = texts.normalized(workers=workers) if words.normal else texts.all
    plain = WordPiece(words.vocabulary, words.max_tokens, normal=False)
    table = np.zeros((len(said), MAX_PIECES), dtype=np.int16)
    sizes = np.zeros(len(said), dtype=np.int64)
    for start in range(0, len(said), 20_000):
        for i, read in enumerate(plain.read_all(said[start : start + 20_000]), start):
            ids = read.ids
            if len(ids) > MAX_PIECES:
                ids = [*ids[: MAX_PIECES - 1], ids[-1]]
            table[i, : len(ids)] = ids
            sizes[i] = len(ids)
    return torch.from_numpy(table), sizes


class Drawer:
    """Draws batches of training clips; the same for the same seed and step."""

    def __init__(self, data: DeviceData, cfg: CrossTrainCfg) -> None:
        rows = data.rows
        train = [i for i in range(len(rows)) if rows.splits[i] == "train"]
        self.drawn = np.array([i for i in train if rows.kinds[i] == "drawn"])
        self.clips = np.array([i for i in train if rows.kinds[i] != "drawn"])
        self.captured = np.array([i for i in train if rows.kinds[i] == "captured"])
        self.authored = np.array([i for i in train if rows.kinds[i] == "authored"])
        self.rivals = rivals_of(rows, train)
        self._data, self._cfg = data, cfg
        self._odds = [
            _odds(w, data.stating[own], cfg.stating) if w else np.zeros(0)
            for own, w in zip(rows.true, rows.weights, strict=True)
        ]

    def batch(self, step: int) -> Batch:
        """Batch number `step`."""
        rng = np.random.default_rng((self._cfg.seed, step))
        data, size = self._data, self._cfg.batch
        clips, rivals = self._clips(rng)
        paired = rivals >= 0
        # A pair is mirrored together, or its sentence would not be about both.
        mirrored = rng.random(size) < 0.5
        mirrored[rivals[paired]] = mirrored[paired]
        texts = self._texts(clips, rng)
        texts[paired] = np.array(data.rows.prompts)[clips[paired]]
        false = self._false(clips, texts, rng)
        false[rivals[paired], 0] = texts[paired]
        again = rng.random(size) < self._cfg.reworded
        columns = rng.integers(data.reworded.shape[1], size=size)
        texts = np.where(again, data.reworded[texts, columns], texts)
        texts = np.where(mirrored, data.mirror[texts], texts)
        there = false >= 0
        false = np.where(mirrored[:, None], data.mirror[np.maximum(false, 0)], false)
        every = np.concatenate((texts, np.maximum(false, 0).ravel()))
        pieces, mask = data.pieces(every)
        frames, lengths = data.clips(clips, mirrored)
        columns_of = {
            "false": there,
            "sided": data.sided[texts],
            "mirrorable": data.sided[texts] | (data.mirror[texts] == texts),
            "timed": data.timed[texts],
            "groups": data.groups[clips],
            "texts": texts,
            "rivals": rivals,
        }
        return Batch(
            frames=frames,
            lengths=lengths,
            pieces=pieces,
            piece_mask=mask,
            **{k: torch.from_numpy(v).to(data.device) for k, v in columns_of.items()},
        )

    def _clips(self, rng: np.random.Generator) -> tuple[Int64, Int64]:
        """Clips of a batch, and where the rival of each is."""
        cfg = self._cfg
        drawn = round(cfg.batch * cfg.drawn_share) if len(self.drawn) else 0
        pairs = round(drawn * cfg.rival_share / 2) if self.rivals else 0
        captured = round(cfg.batch * cfg.captured_share) if len(self.captured) else 0
        authored = round(cfg.batch * cfg.authored_share) if len(self.authored) else 0
        chosen = rng.integers(max(len(self.rivals), 1), size=pairs)
        yes = [rng.choice(self.rivals[i][0]) for i in chosen]
        no = [rng.choice(self.rivals[i][1]) for i in chosen]
        rest = (
            _some(rng, self.drawn, drawn - 2 * pairs),
            _some(rng, self.captured, captured),
            _some(rng, self.authored, authored),
            _some(rng, self.clips, cfg.batch - drawn - captured - authored),
        )
        rivals = np.full(cfg.batch, -1, dtype=np.int64)
        rivals[:pairs] = pairs + np.arange(pairs)
        return np.concatenate((yes, no, *rest)).astype(np.int64), rivals

    def _texts(self, clips: Int64, rng: np.random.Generator) -> Int64:
        """A true sentence of each clip, by the sentences' weights."""
        at = 0.999999 * rng.random(len(clips))
        return np.array(
            [
                self._data.rows.true[clip][int(np.searchsorted(self._odds[clip], x))]
                for clip, x in zip(clips, at, strict=True)
            ]
        )

    def _false(self, clips: Int64, texts: Int64, rng: np.random.Generator) -> Int64:
        """Numbers of false sentences, (B, FALSE_TEXTS), -1 for none."""
        found = np.full((len(clips), FALSE_TEXTS), -1, dtype=np.int64)
        for row, clip, text in zip(found, clips, texts, strict=True):
            made = self._data.false[text]
            options = [int(t) for t in made if t >= 0]
            said = self._data.rows.false[clip]
            if said:  # What was measured not to be so comes first.
                row[0] = said[int(rng.integers(len(said)))]
            free = np.flatnonzero(row < 0)
            chosen = rng.permutation(options)[: len(free)]
            row[free[: len(chosen)]] = chosen
        return found


def _odds(
    weights: Sequence[float], stating: NDArray[np.bool_], more: float
) -> NDArray[np.float64]:
    """Cumulative odds of a clip's sentences; those that state something have more."""
    own = np.asarray(weights) * np.where(stating, more, 1.0)
    return np.asarray(np.cumsum(own / own.sum()))


def rivals_of(rows: ClipRows, among: Sequence[int]) -> list[tuple[Int64, Int64]]:
    """For each prompt with both: candidates that do what it says, and that do not."""
    found: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for i in among:
        if rows.obeys[i] in ("yes", "no"):
            found[rows.prompts[i]][rows.obeys[i] == "no"].append(i)
    return [
        (np.array(yes), np.array(no))
        for _, (yes, no) in sorted(found.items())
        if yes and no
    ]


def _some(rng: np.random.Generator, among: Int64, count: int) -> Int64:
    return rng.choice(among, count) if count > 0 else np.zeros(0, dtype=np.int64)


def reversed_frames(frames: Tensor, lengths: Tensor) -> Tensor:
    """The same motions played backwards, (B, T, 80)."""
    at = torch.arange(frames.shape[1], device=frames.device)
    last = (lengths - 1)[:, None]
    where = (last - at).clamp(min=0)
    out = frames.gather(1, where[..., None].expand(-1, -1, FRAME_SIZE)).clone()
    out[..., VELOCITY] *= -1
    out[..., TURNING] *= -1
    end = out[:, :1].clone()
    turned = out[..., TURNED] - end[..., TURNED]
    out[..., TURNED] = turned
    out[..., HEADING] = torch.stack((turned.cos(), turned.sin()), dim=-1)
    way = out[..., PLACE] - end[..., PLACE]
    cosine, sine = end[..., TURNED].cos(), end[..., TURNED].sin()
    x, y = way.unbind(-1)
    out[..., PLACE] = torch.stack(
        (cosine * x + sine * y, cosine * y - sine * x), dim=-1
    )
    return out * (at < lengths[:, None])[..., None]
