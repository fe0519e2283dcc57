"""One step of a T5 decoder for many candidates: a token each in, logits each out.

Written for sampling. Shapes never change, nothing waits for the device, and the position
is a number on the device, so that a GPU can replay the whole step as one graph. The norms'
gains and the q, k, v of one layer are merged into single matrices. Keys and values of the
text are computed once per prompt and looked at by all its candidates in place: N
candidates with one query each are one attention with N queries.

P prompts, N candidates each, R = P * N rows; H heads of K; S text tokens; L cached steps.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.text.lm.linear import FixedLinear
from texedo.text.lm.t5 import (
    CrossAttentionLayer,
    FeedForwardLayer,
    SelfAttentionLayer,
    T5Stack,
    blocked,
)

STEP_MULTIPLE = 64
"""Room for steps comes in multiples of this: attention kernels like round lengths."""


class DecoderWeights(NamedTuple):
    """What a decoder is made of, apart from its code."""

    stack: T5Stack
    inputs: Tensor
    """Vector of each input token, (V + specials, D)."""
    head: Tensor
    """Logits are `head @ state`, (V, D); row v is input token v, the last one the end."""
    start: int
    """Input token that begins every sequence."""


class Layer(NamedTuple):
    """The matrices of one decoder layer, norm gains multiplied in."""

    qkv: FixedLinear
    out: FixedLinear
    text_query: FixedLinear
    text_out: FixedLinear
    gate_up: FixedLinear
    down: FixedLinear


class Memory(NamedTuple):
    """What candidates see of the text, per decoder layer."""

    keys: list[Tensor]
    """(P, H, S, K) each."""
    values: list[Tensor]
    bias: Tensor
    """-inf where there is no text, (P, 1, 1, S)."""


class StepNet:
    """The decoder, merged, and on a CPU packed for about `rows` rows."""

    def __init__(
        self, weights: DecoderWeights, *, max_steps: int, rows: int = 16
    ) -> None:
        cfg = weights.stack.cfg
        self.max_steps = -(-max_steps // STEP_MULTIPLE) * STEP_MULTIPLE
        self.num_heads, self.d_kv, self.eps = cfg.num_heads, cfg.d_kv, cfg.eps
        self.size = cfg.d_model
        self.inputs = weights.inputs.detach()
        self.start = weights.start
        gain = weights.stack.final_layer_norm.weight.detach()
        self.head_size = len(weights.head)
        """Tokens that can be drawn; the last one is the end."""
        self.head = FixedLinear(weights.head.detach() * gain, rows)
        self.layers = [_merge(block.layer, rows) for block in weights.stack.block]
        with torch.no_grad():
            bias = weights.stack.position_bias(self.max_steps)
        self.position_bias = bias.to(self.inputs.dtype)  # (1, H, L, L)

    def new_cache(self, rows: int, steps: int) -> list[tuple[Tensor, Tensor]]:
        """Room for keys and values of every layer, (R, H, L, K) each."""
        shape = (rows, self.num_heads, steps, self.d_kv)
        # Zeros, not empty: masked places are multiplied by 0, and 0 * NaN is NaN.
        return [
            (self.inputs.new_zeros(shape), self.inputs.new_zeros(shape))
            for _ in self.layers
        ]

    def __call__(
        self,
        x: Tensor,
        at: Tensor,
        window: int,
        cache: list[tuple[Tensor, Tensor]],
        memory: Memory,
    ) -> Tensor:
        """Logits (R, V) after inputs x (R, D) at position `at` (1,), below `window`."""
        return self.head(self.states(x, at, window, cache, memory))

    def states(
        self,
        x: Tensor,
        at: Tensor,
        window: int,
        cache: list[tuple[Tensor, Tensor]],
        memory: Memory,
    ) -> Tensor:
        """What the head makes logits of, (R, D); on a GPU x is overwritten."""
        bias = self.position_bias[..., :window].index_select(2, at)
        bias = bias.expand(len(x), -1, -1, -1)
        for i, layer in enumerate(self.layers):
            q, k, v = self._heads(layer.qkv(self._norm(x)), 3)  # (R, H, 1, K) each
            keys, values = cache[i]
            keys.index_copy_(2, at, k)
            values.index_copy_(2, at, v)
            mixed = _attend(q, keys[:, :, :window], values[:, :, :window], bias)
            x = layer.out(mixed.flatten(1), x)
            x = self._look_at_text(x, layer, memory, i)
            gate, up = layer.gate_up(self._norm(x)).chunk(2, dim=-1)
            x = layer.down(F.gelu(gate, approximate="tanh") * up, x)
        return self._norm(x)

    def _look_at_text(self, x: Tensor, layer: Layer, memory: Memory, i: int) -> Tensor:
        prompts = len(memory.bias)
        q = layer.text_query(self._norm(x))
        q = q.view(prompts, -1, self.num_heads, self.d_kv).transpose(1, 2)
        bias = memory.bias.expand(-1, self.num_heads, q.shape[2], -1)
        mixed = _attend(q, memory.keys[i], memory.values[i], bias)  # (P, H, N, K)
        return layer.text_out(mixed.transpose(1, 2).reshape(len(x), -1), x)

    def _norm(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (self.size,), None, self.eps)

    def _heads(self, x: Tensor, parts: int) -> list[Tensor]:
        split = x.view(len(x), parts, self.num_heads, 1, self.d_kv)
        return [split[:, i] for i in range(parts)]


def _attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=1.0)


@torch.no_grad()
def text_memory(stack: T5Stack, states: Tensor, mask: Tensor) -> Memory:
    """Keys and values of text states (P, S, D), computed once; mask (P, S)."""
    keys, values = [], []
    for block in stack.block:
        attention = _cross(block.layer).EncDecAttention  # type: ignore[arg-type]
        keys.append(attention.heads(attention.k(states)).contiguous())
        values.append(attention.heads(attention.v(states)).contiguous())
    return Memory(keys, values, blocked(mask).to(states.dtype))


def _merge(parts: object, rows: int) -> Layer:
    assert isinstance(parts, torch.nn.ModuleList)
    mine, text, feed = parts
    assert isinstance(mine, SelfAttentionLayer) and isinstance(feed, FeedForwardLayer)
    assert isinstance(text, CrossAttentionLayer)
    own, other, dense = mine.SelfAttention, text.EncDecAttention, feed.DenseReluDense

    def linear(gain: Tensor | None, *weights: Tensor) -> FixedLinear:
        merged = torch.cat([w.detach() for w in weights])
        return FixedLinear(merged if gain is None else merged * gain.detach(), rows)

    return Layer(
        qkv=linear(mine.layer_norm.weight, own.q.weight, own.k.weight, own.v.weight),
        out=linear(None, own.o.weight),
        text_query=linear(text.layer_norm.weight, other.q.weight),
        text_out=linear(None, other.o.weight),
        gate_up=linear(feed.layer_norm.weight, dense.wi_0.weight, dense.wi_1.weight),
        down=linear(None, dense.wo.weight),
    )


def _cross(parts: torch.nn.ModuleList) -> CrossAttentionLayer:
    layer = parts[1]
    assert isinstance(layer, CrossAttentionLayer)
    return layer
