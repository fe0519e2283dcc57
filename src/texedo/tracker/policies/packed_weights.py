"""The actor with its weights laid out once for the CPU's matrix kernels.

Torch hands a linear layer to a library that arranges the weights anew in every call;
for a few robots that costs more than the product. Here oneDNN is given weights in its
own layout, which on top makes a row's bits the same in blocks of any size.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from texedo.tracker.policies.actor import EPSILON, Actor

_ROWS = 128
"""Block size that the layout is made for; it serves all sizes."""
_TOLERANCE = 1e-4
"""Largest difference to the plain network that is rounding."""


class PackedActor:
    """(n, actor_obs_size) -> action (n, 29), as the actor itself."""

    def __init__(self, actor: Actor) -> None:
        normalizer = actor.normalizer
        self._mean = normalizer.mean
        self._scale = torch.rsqrt(normalizer.var + EPSILON)
        self._limit = normalizer.limit, actor.spec.action_limit
        linear = [layer for layer in actor.network if isinstance(layer, nn.Linear)]
        pack = torch.ops.mkldnn._reorder_linear_weight
        self._weights = [pack(layer.weight.detach(), _ROWS) for layer in linear]
        self._bias = [layer.bias.detach() for layer in linear]
        self._linear = torch.ops.mkldnn._linear_pointwise

    def __call__(self, observation: Tensor) -> Tensor:
        observed, action = self._limit
        x = (observation - self._mean).mul_(self._scale).clamp_(-observed, observed)
        last = len(self._weights) - 1
        for i, (weight, bias) in enumerate(zip(self._weights, self._bias, strict=True)):
            x = self._linear(x, weight, bias, "none", [], "")
            if i < last:
                x = nn.functional.elu_(x)
        return x.clamp_(-action, action)


@torch.inference_mode()
def fast_network(actor: Actor) -> Callable[[Tensor], Tensor]:
    """The packed actor where this build of torch has it and it is right, or the actor.

    The choice depends on the machine alone, for the bits depend on it.
    """
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(5, actor.spec.actor_obs_size, generator=generator)
    try:
        packed = PackedActor(actor)
        right = torch.allclose(packed(rows), actor(rows), atol=_TOLERANCE)
    except (AttributeError, NotImplementedError, RuntimeError):
        return actor
    return packed if right else actor
