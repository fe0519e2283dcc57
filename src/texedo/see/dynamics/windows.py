"""Motions longer than a network has learnt from, in overlapping windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor

_BATCH = 16


class WindowNet(Protocol):
    """A network on features of padded motions."""

    @staticmethod
    def features(qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor: ...

    @property
    def __call__(self) -> Callable[[Tensor, Tensor], Any]: ...


def window_starts(frames: int, window: int) -> list[int]:
    """First frames of windows that overlap by half; the last ends with the motion."""
    last = frames - window
    return [*range(0, last, window // 2), last]


def cut(net: WindowNet, qpos: Tensor, starts: list[int], window: int) -> Tensor:
    """What a network says of each window of a motion (T, 36), (W, ...)."""
    parts = []
    for i in range(0, len(starts), _BATCH):
        own = starts[i : i + _BATCH]
        batch = torch.stack([qpos[start : start + window] for start in own])
        lengths = torch.full((len(own),), window, device=qpos.device)
        fresh = torch.tensor([start == 0 for start in own], device=qpos.device)
        said = net(net.features(batch, lengths, fresh), lengths)
        parts.append(said if isinstance(said, Tensor) else torch.stack(said, dim=-1))
    return torch.cat(parts)
