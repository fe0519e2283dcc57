"""The text front: BERT in plain torch, one state per word piece.

Modules carry the names of the Hugging Face weights, so that a stored BERT such as MiniLM
loads as it is. Of the positions only the first `max_tokens` are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.core.errors import CheckpointError

MAX_TOKENS = 64
"""Word pieces of a prompt, the two marks at its ends included."""
_LENGTHS = (16, 32, 64)
"""Prompts are padded to one of these, so that a prompt's shape is its own affair."""


@dataclass(frozen=True, kw_only=True)
class BertCfg:
    """Sizes of the text encoder; the defaults are MiniLM's."""

    vocab_size: int = 30522
    hidden_size: int = 384
    num_hidden_layers: int = 6
    num_attention_heads: int = 12
    intermediate_size: int = 1536
    layer_norm_eps: float = 1e-12
    max_tokens: int = MAX_TOKENS
    dropout: float = 0.1


class Embeddings(nn.Module):
    """Words, positions and the type of a first sentence, summed and normed."""

    def __init__(self, cfg: BertCfg) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(cfg.vocab_size, cfg.hidden_size)
        self.position_embeddings = nn.Embedding(cfg.max_tokens, cfg.hidden_size)
        self.token_type_embeddings = nn.Embedding(2, cfg.hidden_size)
        self.LayerNorm = nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.word_embeddings(ids) + self.token_type_embeddings.weight[0]
        x = x + self.position_embeddings.weight[: ids.shape[1]]
        out: Tensor = self.drop(self.LayerNorm(x))
        return out


class SelfAttention(nn.Module):
    """The three projections and the mixing."""

    def __init__(self, cfg: BertCfg) -> None:
        super().__init__()
        self.num_heads, self.dropout = cfg.num_attention_heads, cfg.dropout
        self.query = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.key = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.value = nn.Linear(cfg.hidden_size, cfg.hidden_size)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        q, k, v = (
            f(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        drop = self.dropout if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=drop)
        return out.transpose(1, 2).flatten(2)


class AddNorm(nn.Module):
    """A projection, the residual, a norm."""

    def __init__(self, size: int, cfg: BertCfg) -> None:
        super().__init__()
        self.dense = nn.Linear(size, cfg.hidden_size)
        self.LayerNorm = nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        out: Tensor = self.LayerNorm(self.drop(self.dense(x)) + residual)
        return out


class Intermediate(nn.Module):
    """The wide half of the feed-forward part; exact GELU."""

    def __init__(self, cfg: BertCfg) -> None:
        super().__init__()
        self.dense = nn.Linear(cfg.hidden_size, cfg.intermediate_size)

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(self.dense(x))


class BertLayer(nn.Module):
    """Attention and feed-forward, each with its residual and norm."""

    def __init__(self, cfg: BertCfg) -> None:
        super().__init__()
        self.attention = nn.ModuleDict(
            {"self": SelfAttention(cfg), "output": AddNorm(cfg.hidden_size, cfg)}
        )
        self.intermediate = Intermediate(cfg)
        self.output = AddNorm(cfg.intermediate_size, cfg)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.attention["output"](self.attention["self"](x, mask), x)
        x = self.output(self.intermediate(x), x)
        return x


class TextEncoder(nn.Module):
    """Word-piece ids (B, S) to states (B, S, hidden); mask is True at pieces."""

    def __init__(self, cfg: BertCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.embeddings = Embeddings(cfg)
        self.encoder = nn.ModuleDict(
            {
                "layer": nn.ModuleList(
                    BertLayer(cfg) for _ in range(cfg.num_hidden_layers)
                )
            }
        )

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        x = self.embeddings(ids)
        seen = attention_mask(mask, x.dtype)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, seen)
        out: Tensor = x
        return out

    @property
    def layers(self) -> nn.ModuleList:
        found = self.encoder["layer"]
        assert isinstance(found, nn.ModuleList)
        return found


def attention_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """What attention adds where it may look: 0, and minus infinity where it may not.

    Attention makes that of a mask of bools in every layer anew. Under autocast it knows
    best in what precision, and the mask is left as it is.
    """
    if torch.is_autocast_enabled(mask.device.type):
        return mask
    none = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    return none.masked_fill_(~mask, -torch.inf)


def load_bert(folder: Path | str, *, max_tokens: int = MAX_TOKENS) -> TextEncoder:
    """A text encoder from a BERT folder: `config.json` and `model.safetensors`."""
    from safetensors.torch import load_file

    folder = Path(folder)
    try:
        config = json.loads((folder / "config.json").read_text())
        tensors = load_file(folder / "model.safetensors")
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{folder}: not a BERT folder: {error}") from error
    names = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads")
    sizes = {n: config[n] for n in (*names, "intermediate_size", "layer_norm_eps")}
    model = TextEncoder(BertCfg(**sizes, max_tokens=max_tokens))
    return load_bert_tensors(model, tensors, source=str(folder))


def load_bert_tensors(
    model: TextEncoder, tensors: dict[str, Tensor], *, source: str
) -> TextEncoder:
    """Fill a model with Hugging Face tensors; pooler and position numbers are dropped."""
    plain = {name.removeprefix("bert."): x for name, x in tensors.items()}
    positions = "embeddings.position_embeddings.weight"
    if positions in plain:
        plain[positions] = plain[positions][: model.cfg.max_tokens]
    wanted = model.state_dict()
    try:
        model.load_state_dict({k: v for k, v in plain.items() if k in wanted})
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(f"{source}: weights do not fit: {reason}") from None
    return model.eval()


def padded_length(pieces: int, longest: int) -> int:
    """So many places has a prompt of this many pieces: few lengths, by itself alone."""
    return min(longest, next((n for n in _LENGTHS if n >= pieces), longest))


def padded_ids(rows: Sequence[list[int]], length: int) -> tuple[Tensor, Tensor]:
    """Word-piece ids (B, length) of texts, and where they are, (B, length)."""
    counts = torch.tensor([len(own) for own in rows], dtype=torch.long)
    mask = torch.arange(length) < counts[:, None]
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    ids[mask] = torch.tensor(list(chain.from_iterable(rows)), dtype=torch.long)
    return ids, mask


def text_states(
    model: TextEncoder, ids: list[int], length: int
) -> tuple[Tensor, Tensor]:
    """States (1, length, hidden) and mask (1, length) of one prompt."""
    return states_of(model, [ids], length)


@torch.inference_mode()
def states_of(
    model: TextEncoder, rows: Sequence[list[int]], length: int
) -> tuple[Tensor, Tensor]:
    """States (B, length, hidden) and mask (B, length) of prompts in one batch."""
    device = model.embeddings.LayerNorm.weight.device
    ids, mask = (part.to(device) for part in padded_ids(rows, length))
    return model(ids, mask), mask
