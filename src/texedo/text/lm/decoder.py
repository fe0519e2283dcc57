"""The motion language model's own half: text states in, logits over motion tokens out.

Tokens are the tokenizer's codes 0 .. K-1, then the end, the start and the mask. A step
also hears how many tokens are still to come, if the caller fixed the length; else it
hears "unknown" and ends when it wants to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from texedo.text.lm.code_table import CodeTable
from texedo.text.lm.decode_step import DecoderWeights
from texedo.text.lm.t5 import T5Cfg, T5Stack, init_t5
from texedo.text.tokenizer.fsq import LEVELS

_EXACT, _PER_DOUBLING, NUM_REMAINING = 16, 4, 34
"""Numbers of tokens to come: 0..16 exactly, then four steps per doubling, up to 256."""


@dataclass(frozen=True, kw_only=True)
class MotionDecoderCfg:
    """Sizes and limits of the decoder."""

    levels: Sequence[int] = LEVELS
    """Levels of the tokenizer's code; their product is the number of codes."""
    text_size: int = 384
    """Width of the text states."""
    stack: T5Cfg = field(default_factory=T5Cfg)
    tied: bool = False
    """Tie input embeddings and output head."""
    min_tokens: int = 4
    """No motion is shorter."""
    max_tokens: int = 256
    """No motion is longer."""


def remaining_buckets(count: Tensor) -> Tensor:
    """Which embedding tells that `count` tokens are to come; 0 tells nothing."""
    ratio = count.clamp(min=1).float() / _EXACT
    far = _EXACT + 1 + torch.ceil(_PER_DOUBLING * torch.log2(ratio) - 1e-4).long()
    near = count.long() + 1
    return torch.where(count <= _EXACT, near, far).clamp(max=NUM_REMAINING - 1)


class MotionDecoder(nn.Module):
    """A T5 decoder over motion tokens."""

    def __init__(self, cfg: MotionDecoderCfg) -> None:
        super().__init__()
        self.cfg = cfg
        size = cfg.stack.d_model
        self.text_projection = nn.Linear(cfg.text_size, size, bias=False)
        self.decoder = T5Stack(cfg.stack, decoder=True)
        init_t5(self.decoder, cfg.stack)
        self.inputs = CodeTable(cfg.levels, size, std=1.0)
        self.outputs = (
            self.inputs if cfg.tied else CodeTable(cfg.levels, size, std=size**-0.5)
        )
        self.remaining = nn.Embedding(NUM_REMAINING, size)
        nn.init.normal_(self.remaining.weight, std=0.1)

    @property
    def num_codes(self) -> int:
        return self.inputs.num_codes

    @property
    def end(self) -> int:
        return self.num_codes

    @property
    def start(self) -> int:
        return self.num_codes + 1

    @property
    def mask(self) -> int:
        """Stands for a token that is hidden from the model."""
        return self.num_codes + 2

    def forward(
        self, tokens: Tensor, remaining: Tensor, text: Tensor, text_mask: Tensor
    ) -> Tensor:
        """Logits (B, T, K + 1) over codes and end for what follows each input.

        `tokens` (B, T) begin with the start; `remaining` (B, T) are buckets; `text`
        (B, S, text size) and `text_mask` (B, S) come from the text encoder.
        """
        x = nn.functional.embedding(tokens, self.inputs.table())
        x = x + self.remaining(remaining)
        x = self.decoder(x, None, self.text_projection(text), text_mask)
        logits: Tensor = nn.functional.linear(x, self.head())
        return logits

    def head(self) -> Tensor:
        """Output vectors of the codes and the end, (K + 1, D)."""
        head = self.outputs.table()[: self.num_codes + 1]
        return head * self.cfg.stack.d_model**-0.5 if self.cfg.tied else head

    def weights(self) -> DecoderWeights:
        """For sampling."""
        with torch.no_grad():
            table, head = self.inputs.table(), self.head()
        return DecoderWeights(self.decoder, table, head, self.start)

    @torch.no_grad()
    def step_inputs(self, steps: int, *, known: bool) -> Tensor:
        """What each step hears about the number of tokens to come, (steps, D)."""
        device = self.remaining.weight.device
        count = steps - torch.arange(steps, device=device)
        bucket = remaining_buckets(count) if known else torch.zeros_like(count)
        rows: Tensor = self.remaining(bucket)
        return rows
