"""What a verifier in training has, whichever it is: network, optimiser, running mean."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from texedo.learning.run import Saved
from texedo.learning.running_mean import weights_in_place
from texedo.learning.state import Arrays
from texedo.learning.weights import (
    array_of,
    pack_module,
    pack_optimizer,
    restore_module,
    restore_optimizer,
)


@dataclass(eq=False, kw_only=True)
class InTraining:
    """A network on its way; what is saved of it, and how it goes on."""

    optimizer: torch.optim.Optimizer
    mean: list[Tensor]
    """Running mean of the parameters, which is what ships."""
    step: int = 0
    best: float = -math.inf

    @property
    def network(self) -> nn.Module:
        raise NotImplementedError

    @property
    def parameters(self) -> list[nn.Parameter]:
        return list(self.network.parameters())

    @contextmanager
    def mean_weights(self) -> Iterator[None]:
        """Put the running mean in place meanwhile, ready to evaluate."""
        with weights_in_place(self.parameters, self.mean):
            self.network.eval()
            yield
        self.network.train()

    def pack(self) -> Arrays:
        """Everything that is needed to go on."""
        own = dict(self.network.named_parameters())
        means = zip(own, self.mean, strict=True)
        return (
            pack_module("net", self.network)
            | pack_optimizer(self.optimizer, own)
            | {f"mean.{name}": array_of(tensor) for name, tensor in means}
            | {"best": np.array([self.best])}
        )

    def restore(self, saved: Saved) -> None:
        """Go on where a run stopped."""
        restore_module("net", self.network, saved.tensors, folder=saved.folder)
        own = dict(self.network.named_parameters())
        restore_optimizer(self.optimizer, own, saved.tensors)
        for name, tensor in zip(own, self.mean, strict=True):
            tensor.copy_(torch.as_tensor(saved.tensors[f"mean.{name}"]))
        self.step, self.best = saved.step, float(saved.tensors["best"][0])


def rate_share(done: float, warm_up: float) -> float:
    """Of the peak learning rate: a warm-up, then a cosine down to a fiftieth."""
    if done < warm_up:
        return done / warm_up
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
