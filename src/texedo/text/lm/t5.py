"""The T5 transformer (version 1.1, as in Flan-T5), for training and for whole sequences.

Modules carry the names of the Hugging Face weights (`block.0.layer.1.EncDecAttention.q`),
so that a stored T5 loads without a translation table. What sets T5 apart: attention
scores are not scaled, positions enter as a learned bias per head and distance that all
layers share, norms divide by the root mean square and have no bias, nor has any linear
layer, and the feed-forward part is a gated GELU.

Sampling does not run through here but through `decode_step`, with the same weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.checkpoints.sizes import WRONG_CONFIG
from texedo.core.errors import CheckpointError
from texedo.core.regular import read_json
from texedo.core.visible import visible


@dataclass(frozen=True, kw_only=True)
class T5Cfg:
    """Sizes of one stack; the names are those of a T5 `config.json`."""

    d_model: int = 384
    d_kv: int = 64
    d_ff: int = 1024
    num_layers: int = 6
    num_heads: int = 6
    num_buckets: int = 32
    """Distances of the position bias, from exact to logarithmic."""
    max_distance: int = 128
    """Distance from which on all share one bucket."""
    dropout: float = 0.1
    eps: float = 1e-6


def distance_buckets(
    relative: Tensor, *, bidirectional: bool, num_buckets: int, max_distance: int
) -> Tensor:
    """Bucket of each key position minus query position, same shape, int64.

    Half of the buckets are single distances, the rest grow with the logarithm. A decoder
    knows no future keys: they fall into bucket 0 and are masked elsewhere.
    """
    offset = torch.zeros_like(relative)
    if bidirectional:
        num_buckets //= 2
        offset = (relative > 0).long() * num_buckets
        distance = relative.abs()
    else:
        distance = (-relative).clamp(min=0)
    exact = num_buckets // 2
    growth = torch.log(distance.clamp(min=1).float() / exact) / math.log(
        max_distance / exact
    )
    far = (exact + (growth * (num_buckets - exact)).long()).clamp(max=num_buckets - 1)
    return offset + torch.where(distance < exact, distance, far)


class RMSNorm(nn.Module):
    """Division by the root mean square of the last axis, and a gain."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        # The mean of squares needs float32 even where the rest runs in half precision.
        y = F.rms_norm(x.float(), x.shape[-1:], self.weight.float(), self.eps)
        return y.to(self.weight.dtype)


class Attention(nn.Module):
    """Unscaled attention of x (B, T, D) over `memory` (B, S, D)."""

    def __init__(self, cfg: T5Cfg, *, position_bias: bool) -> None:
        super().__init__()
        inner = cfg.num_heads * cfg.d_kv
        self.num_heads, self.d_kv, self.dropout = cfg.num_heads, cfg.d_kv, cfg.dropout
        self.q = nn.Linear(cfg.d_model, inner, bias=False)
        self.k = nn.Linear(cfg.d_model, inner, bias=False)
        self.v = nn.Linear(cfg.d_model, inner, bias=False)
        self.o = nn.Linear(inner, cfg.d_model, bias=False)
        if position_bias:
            self.relative_attention_bias = nn.Embedding(cfg.num_buckets, cfg.num_heads)

    def forward(self, x: Tensor, memory: Tensor, bias: Tensor) -> Tensor:
        """`bias` is added to the scores and broadcasts to (B, H, T, S)."""
        q, k, v = (
            self.heads(f(y))
            for f, y in ((self.q, x), (self.k, memory), (self.v, memory))
        )
        out = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=bias.to(q.dtype).expand(len(q), self.num_heads, -1, -1),
            dropout_p=self.dropout if self.training else 0.0,
            scale=1.0,
        )
        answer: Tensor = self.o(out.transpose(1, 2).flatten(2))
        return answer

    def heads(self, x: Tensor) -> Tensor:
        """(B, T, H * K) to (B, H, T, K)."""
        split = x.view(*x.shape[:-1], self.num_heads, self.d_kv)
        return split.transpose(1, 2)


class GatedGelu(nn.Module):
    """wo(gelu(wi_0 x) * wi_1 x), with the tanh form of GELU."""

    def __init__(self, cfg: T5Cfg) -> None:
        super().__init__()
        self.wi_0 = nn.Linear(cfg.d_model, cfg.d_ff, bias=False)
        self.wi_1 = nn.Linear(cfg.d_model, cfg.d_ff, bias=False)
        self.wo = nn.Linear(cfg.d_ff, cfg.d_model, bias=False)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor) -> Tensor:
        gate = F.gelu(self.wi_0(x), approximate="tanh")
        answer: Tensor = self.wo(self.drop(gate * self.wi_1(x)))
        return answer


class SelfAttentionLayer(nn.Module):
    """Norm, attention over itself, residual."""

    def __init__(self, cfg: T5Cfg, *, position_bias: bool) -> None:
        super().__init__()
        self.SelfAttention = Attention(cfg, position_bias=position_bias)
        self.layer_norm = RMSNorm(cfg.d_model, cfg.eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        y = self.layer_norm(x)
        out: Tensor = x + self.drop(self.SelfAttention(y, y, bias))
        return out


class CrossAttentionLayer(nn.Module):
    """Norm, attention over the text, residual."""

    def __init__(self, cfg: T5Cfg) -> None:
        super().__init__()
        self.EncDecAttention = Attention(cfg, position_bias=False)
        self.layer_norm = RMSNorm(cfg.d_model, cfg.eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor, memory: Tensor, bias: Tensor) -> Tensor:
        y = self.layer_norm(x)
        out: Tensor = x + self.drop(self.EncDecAttention(y, memory, bias))
        return out


class FeedForwardLayer(nn.Module):
    """Norm, gated GELU, residual."""

    def __init__(self, cfg: T5Cfg) -> None:
        super().__init__()
        self.DenseReluDense = GatedGelu(cfg)
        self.layer_norm = RMSNorm(cfg.d_model, cfg.eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.drop(self.DenseReluDense(self.layer_norm(x)))
        return out


class Block(nn.Module):
    """One layer of an encoder (two parts) or of a decoder (three)."""

    def __init__(self, cfg: T5Cfg, *, decoder: bool, position_bias: bool) -> None:
        super().__init__()
        parts: list[nn.Module] = [SelfAttentionLayer(cfg, position_bias=position_bias)]
        if decoder:
            parts.append(CrossAttentionLayer(cfg))
        parts.append(FeedForwardLayer(cfg))
        self.layer = nn.ModuleList(parts)

    def forward(
        self, x: Tensor, bias: Tensor, memory: Tensor | None, memory_bias: Tensor | None
    ) -> Tensor:
        x = self.layer[0](x, bias)
        if memory is not None:
            x = self.layer[1](x, memory, memory_bias)
        x = self.layer[-1](x)
        return x


class T5Stack(nn.Module):
    """An encoder or a decoder, from embeddings (B, T, D) to normed states (B, T, D)."""

    def __init__(self, cfg: T5Cfg, *, decoder: bool) -> None:
        super().__init__()
        self.cfg, self.decoder = cfg, decoder
        self.block = nn.ModuleList(
            Block(cfg, decoder=decoder, position_bias=i == 0)
            for i in range(cfg.num_layers)
        )
        self.final_layer_norm = RMSNorm(cfg.d_model, cfg.eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """Masks are True where there is a token: `mask` (B, T), `memory_mask` (B, S).

        A decoder looks back only, so that padding behind needs no mask.
        """
        bias = self.position_bias(x.shape[1])
        if mask is not None:
            bias = bias + blocked(mask)
        memory_bias = None
        if memory is not None:
            if memory_mask is None:
                memory_mask = memory.new_ones(memory.shape[:2], dtype=torch.bool)
            memory_bias = blocked(memory_mask).expand(-1, -1, x.shape[1], -1)
        x = self.drop(x)
        for block in self.block:
            x = block(x, bias, memory, memory_bias)
        out: Tensor = self.drop(self.final_layer_norm(x))
        return out

    def position_bias(self, length: int) -> Tensor:
        """What positions add to the scores, (1, H, T, T); a decoder's future is -inf."""
        table = self.first_attention.relative_attention_bias
        at = torch.arange(length, device=table.weight.device)
        relative = at[None, :] - at[:, None]
        bias: Tensor = table(self.buckets(relative)).permute(2, 0, 1)[None]
        if self.decoder:
            bias = bias.masked_fill(relative > 0, float("-inf"))
        return bias

    def buckets(self, relative: Tensor) -> Tensor:
        return distance_buckets(
            relative,
            bidirectional=not self.decoder,
            num_buckets=self.cfg.num_buckets,
            max_distance=self.cfg.max_distance,
        )

    @property
    def first_attention(self) -> Attention:
        """The attention that holds the position bias of all layers."""
        found = self.block[0].layer[0].SelfAttention  # type: ignore[union-attr, index]
        assert isinstance(found, Attention)
        return found


def blocked(mask: Tensor) -> Tensor:
    """Scores to add so that only True is looked at: (B, S) to (B, 1, 1, S)."""
    zero = torch.zeros(mask.shape, device=mask.device)
    return zero.masked_fill(~mask, float("-inf"))[:, None, None, :]


def init_t5(module: nn.Module, cfg: T5Cfg) -> None:
    """T5's own starting weights: scores of unit size although nothing scales them."""
    for name, parameter in module.named_parameters():
        if parameter.ndim < 2:
            continue
        if name.endswith("q.weight"):
            std = (cfg.d_model * cfg.d_kv) ** -0.5
        elif name.endswith(".o.weight"):
            std = (cfg.num_heads * cfg.d_kv) ** -0.5
        elif name.endswith("wo.weight"):
            std = cfg.d_ff**-0.5
        else:
            std = cfg.d_model**-0.5
        nn.init.normal_(parameter, std=std)


class T5Model(nn.Module):
    """A whole text-to-text T5, such as Flan-T5: text ids in, logits out."""

    def __init__(self, cfg: T5Cfg, *, vocab_size: int, decoder_layers: int, tied: bool):
        super().__init__()
        self.cfg, self.tied = cfg, tied
        self.shared = nn.Embedding(vocab_size, cfg.d_model)
        self.encoder = T5Stack(cfg, decoder=False)
        sizes = {**vars(cfg), "num_layers": decoder_layers}
        self.decoder = T5Stack(T5Cfg(**sizes), decoder=True)
        self.lm_head = nn.Linear(cfg.d_model, vocab_size, bias=False)
        if tied:
            self.lm_head.weight = self.shared.weight

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Text states (B, S, D) of ids (B, S); mask is True where there is a token."""
        states: Tensor = self.encoder(self.shared(ids), mask)
        return states

    def forward(self, ids: Tensor, mask: Tensor, decoder_ids: Tensor) -> Tensor:
        """Logits (B, T, V) for decoder inputs (B, T)."""
        memory = self.encode(ids, mask)
        x = self.decoder(self.shared(decoder_ids), None, memory, mask)
        logits: Tensor = self.lm_head(x * self.head_scale)
        return logits

    @property
    def head_scale(self) -> float:
        """A head that shares the embeddings expects smaller states."""
        return float(self.cfg.d_model**-0.5) if self.tied else 1.0


def load_t5(folder: Path | str) -> T5Model:
    """A T5 of version 1.1 or Flan from `config.json` and `model.safetensors`."""
    from safetensors.torch import load_file

    folder = Path(folder)
    try:
        config: dict[str, Any] = read_json(folder / "config.json")
        tensors = load_file(folder / "model.safetensors")
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{folder}: not a T5 folder: {error}") from error
    try:
        model = t5_from_config(config)
    except WRONG_CONFIG as error:
        raise CheckpointError(f"{folder}: not the config of a T5: {error}.") from error
    for name in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):
        tensors.pop(name, None)
    if model.tied or "lm_head.weight" not in tensors:
        tensors["lm_head.weight"] = tensors["shared.weight"]
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        reason = visible(str(error).splitlines()[-1].strip())[:200]
        raise CheckpointError(f"{folder}: weights do not fit: {reason}") from None
    return model.eval()


def t5_from_config(config: dict[str, Any]) -> T5Model:
    """An empty model of the sizes in a T5 `config.json`."""
    kind = config.get("feed_forward_proj", "relu")
    if kind != "gated-gelu":
        raise CheckpointError(
            f"A T5 with feed_forward_proj {kind!r} is not supported; "
            "take one of version 1.1 or Flan ('gated-gelu')."
        )
    cfg = T5Cfg(
        d_model=config["d_model"],
        d_kv=config["d_kv"],
        d_ff=config["d_ff"],
        num_layers=config["num_layers"],
        num_heads=config["num_heads"],
        num_buckets=config.get("relative_attention_num_buckets", 32),
        max_distance=config.get("relative_attention_max_distance", 128),
        dropout=config.get("dropout_rate", 0.1),
        eps=config.get("layer_norm_epsilon", 1e-6),
    )
    return T5Model(
        cfg,
        vocab_size=config["vocab_size"],
        decoder_layers=config.get("num_decoder_layers") or config["num_layers"],
        # Newer files say by another name whether the head expects smaller states.
        tied=bool(
            config.get("scale_decoder_outputs", config.get("tie_word_embeddings", True))
        ),
    )
