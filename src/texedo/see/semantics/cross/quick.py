"""One prompt against its candidates, from poses to logits in one go.

This is what the verifier does most, and on a GPU it consists of some three hundred small
operators that cost more to call than to run. There they are recorded as one CUDA graph.
A graph has fixed shapes, so candidates, frames and word pieces are padded to a few sizes
each (`Shape.padded`), and the last few graphs are kept. On a CPU there is no padding and
no graph; the function is the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.language.encoder import TextEncoder
from texedo.learning.cuda_graph import Replayed
from texedo.see.semantics.cross.frames import (
    fill_poses,
    looked_at,
    motion_frames,
    padded_poses,
)
from texedo.see.semantics.cross.net import CrossNet

_POSE = 36
_FRAMES, _PIECES = 32, 16
"""Frames and word pieces of graphs are multiples of these; candidates powers of two."""
_MOST_CANDIDATES, _MOST_FRAMES = 64, 1 << 14
"""Beyond that the operators take longer to run than to call."""
_KEPT = 8
"""Graphs; each has its own memory, some tens of megabytes."""

Float32 = NDArray[np.float32]


@contextmanager
def tf32_on(device: torch.device) -> Iterator[None]:
    """Products of matrices with ten bits behind the point where a GPU does the work.

    They cost it a third, and change a score by 7e-4 at most (bfloat16: by 8e-3).
    """
    if device.type != "cuda":
        yield
        return
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


class Shape(NamedTuple):
    """What a graph is made for."""

    candidates: int
    frames: int
    """Of 0.04 s, of the longest candidate."""
    pieces: int
    """Word pieces of the prompt."""

    def padded(self, most_pieces: int) -> Shape:
        """The next of the few sizes that graphs are made for."""
        return Shape(
            1 << (self.candidates - 1).bit_length(),
            self.frames + -self.frames % _FRAMES,
            min(self.pieces + -self.pieces % _PIECES, most_pieces),
        )

    @property
    def is_usual(self) -> bool:
        """Whether it is worth a graph."""
        whole = self.candidates * self.frames
        return self.candidates <= _MOST_CANDIDATES and whole <= _MOST_FRAMES


class PromptScorer:
    """Logits of the candidates of one prompt, whose windows are all one."""

    def __init__(self, net: CrossNet, encoder: TextEncoder) -> None:
        self._net, self._encoder = net, encoder
        self._slots: OrderedDict[Shape, Slot] = OrderedDict()
        self._lock, self._home = Lock(), 0
        self.records = True
        """Whether graphs are still tried; not after one could not be made."""

    def forget(self) -> None:
        """Drop all graphs, which know their weights by their place in memory."""
        self._slots.clear()
        self.records = True

    @torch.inference_mode()
    def logits(self, ids: Sequence[int], clips: Sequence[NDArray[Any]]) -> Float32:
        """Of a prompt's word pieces and of clips (T, 36), (N,)."""
        frames = max(looked_at(len(qpos)) for qpos in clips)
        shape = Shape(len(clips), frames, len(ids))
        device = self._net.frame_mean.device
        if device.type == "cuda" and self.records:
            padded = shape.padded(self._encoder.cfg.max_tokens)
            if padded.is_usual:
                with self._lock:
                    return self.recorded(padded, device, ids, clips)
        poses = torch.from_numpy(padded_poses(clips, frames)).to(device)
        lengths = torch.tensor([looked_at(len(qpos)) for qpos in clips], device=device)
        words = torch.tensor([list(ids)], device=device)
        found = self.compute(
            words, torch.ones_like(words, dtype=torch.bool), poses, lengths
        )
        return np.asarray(found.float().cpu().numpy())

    def recorded(
        self,
        shape: Shape,
        device: torch.device,
        ids: Sequence[int],
        clips: Sequence[NDArray[Any]],
    ) -> Float32:
        """By the graph of that shape, made if there is none; on a CPU without one."""
        if self._home != (home := self._net.patches.weight.data_ptr()):
            self.forget()
            self._home = home
        slot = self._slots.pop(shape, None) or Slot(self, shape, device)
        self._slots[shape] = slot
        while len(self._slots) > _KEPT:
            self._slots.popitem(last=False)
        found = slot.run(ids, clips)
        if slot.replayed.failed:
            self.records = False
            self._slots.clear()
        return found

    def compute(
        self, ids: Tensor, mask: Tensor, poses: Tensor, lengths: Tensor
    ) -> Tensor:
        """Logits (N,) of word pieces (1, S) and poses (N, T, 36) at 25 Hz."""
        said = self._net.read_texts(self._encoder(ids, mask), mask)
        seen = self._net.read_motions(motion_frames(poses), lengths)
        return self._net.logits(said.repeat(len(poses)), seen)


class Slot:
    """The memory that a graph reads and writes, and the graph."""

    def __init__(
        self, scorer: PromptScorer, shape: Shape, device: torch.device
    ) -> None:
        self.shape, self._scorer = shape, scorer
        size = (shape.candidates, shape.frames, _POSE)
        # Lengths of the candidates, the word pieces and their number: one copy for all.
        count = shape.candidates + shape.pieces + 1
        pin = device.type == "cuda"
        self._host_poses = torch.zeros(size, pin_memory=pin)
        self._host_numbers = torch.zeros(count, dtype=torch.long, pin_memory=pin)
        # Written in place as numpy, which is quicker for small parts.
        self._rows, self._numbers = self._host_poses.numpy(), self._host_numbers.numpy()
        self._poses = torch.zeros(size, device=device)
        self._given = torch.zeros(count, dtype=torch.long, device=device)
        self._out = torch.zeros(shape.candidates, device=device)
        self.replayed = Replayed(self._compute, device)

    def run(self, ids: Sequence[int], clips: Sequence[NDArray[Any]]) -> Float32:
        """Logits of the clips, (N,), where N is no more than there is room for."""
        count = self.shape.candidates
        lengths, pieces = self._numbers[:count], self._numbers[count:-1]
        lengths[:] = 1  # Of a row that is not used: whatever is there is finite.
        for i, qpos in enumerate(clips):
            fill_poses(self._rows[i], qpos)
            lengths[i] = looked_at(len(qpos))
        pieces[:] = 0
        pieces[: len(ids)] = ids
        self._numbers[-1] = len(ids)
        self._poses.copy_(self._host_poses, non_blocking=True)
        self._given.copy_(self._host_numbers, non_blocking=True)
        self.replayed()
        # Waits for the device, so what is pinned may be written again.
        return np.array(self._out[: len(clips)].cpu().numpy())

    def _compute(self) -> None:
        count = self.shape.candidates
        lengths, pieces = self._given[:count], self._given[count:-1]
        mask = torch.arange(len(pieces), device=pieces.device) < self._given[-1]
        self._out.copy_(
            self._scorer.compute(pieces[None], mask[None], self._poses, lengths)
        )
