"""The actor with its weights laid out once for the CPU (`learning.packed_linear`)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from texedo.learning.packed_linear import pack_weight, packed_linear, packing_works
from texedo.tracker.policies.actor import EPSILON, Actor

_ROWS = 128
"""Block size that the layout is made for; it serves all sizes."""


class PackedActor:
    """(n, actor_obs_size) -> action (n, 29), as the actor itself."""

    def __init__(self, actor: Actor) -> None:
        normalizer = actor.normalizer
        self._mean = normalizer.mean
        self._scale = torch.rsqrt(normalizer.var + EPSILON)
        self._limit = normalizer.limit, actor.spec.action_limit
        linear = [layer for layer in actor.network if isinstance(layer, nn.Linear)]
        self._weights = [pack_weight(layer.weight, _ROWS) for layer in linear]
        self._bias = [layer.bias.detach() for layer in linear]

    def __call__(self, observation: Tensor) -> Tensor:
        observed, action = self._limit
        x = (observation - self._mean).mul_(self._scale).clamp_(-observed, observed)
        last = len(self._weights) - 1
        for i, (weight, bias) in enumerate(zip(self._weights, self._bias, strict=True)):
            x = packed_linear(x, weight, bias)
            if i < last:
                x = nn.functional.elu_(x)
        return x.clamp_(-action, action)


@torch.inference_mode()
def fast_network(actor: Actor) -> Callable[[Tensor], Tensor]:
    """The packed actor where this build of torch can pack, or the actor.

    The choice depends on the machine alone, for the bits depend on it.
    """
    return PackedActor(actor) if packing_works() else actor
