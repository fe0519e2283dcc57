"""Random draws that belong to a candidate, not to a batch.

Every candidate has its own stream of uniform numbers, keyed by seed, prompt and
candidate; step t takes the t-th. A token is the point where the cumulated probability
passes that number. So candidate 2 of a prompt is the same alone, among 32, or beside
other prompts, as far as the logits are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.text.generators.prompts import MAX_GUIDANCE
from texedo.text.streams import candidate_stream


@dataclass(frozen=True, kw_only=True)
class SamplingCfg:
    """How to draw from logits, with every setting decided; by default from all of it."""

    temperature: float = 1.0
    """Below 1 sharpens, above 1 flattens."""
    top_k: int = 0
    """Keep the top k tokens; 0 keeps all."""
    top_p: float = 1.0
    """Of these, keep the most likely up to this total probability; 1 keeps all."""
    guidance: float = 1.0
    """How far the logits go from those without a text to those with it, and past them:
    1 stops there, 2 goes as far again. Anything but 1 costs a second pass."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"temperature must be > 0, got {self.temperature}.")
        if self.top_k < 0:
            raise ValueError(f"top_k must be >= 0 (0 keeps all), got {self.top_k}.")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be in (0, 1], got {self.top_p}.")
        if not 0 <= self.guidance <= MAX_GUIDANCE:
            raise ValueError(
                f"guidance must be 0 to {MAX_GUIDANCE:g}, got {self.guidance}."
            )

    @property
    def guided(self) -> bool:
        """Whether the logits without a text are needed as well."""
        return self.guidance != 1.0


def uniforms(
    prompt: str, candidates: range, steps: int, *, seed: int
) -> NDArray[np.float32]:
    """Numbers in [0, 1) for each candidate and step, (N, steps).

    More candidates or steps add numbers and change none.
    """
    rows = [_stream(seed, prompt, candidate, steps) for candidate in candidates]
    return np.stack(rows) if rows else np.zeros((0, steps), dtype=np.float32)


def _stream(seed: int, prompt: str, candidate: int, steps: int) -> NDArray[np.float32]:
    raw = candidate_stream(seed, prompt, candidate).random_raw(steps)
    # 24 bits are what a float32 below 1 holds without rounding up to 1.
    return (np.asarray(raw) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


def draw(logits: Tensor, uniform: Tensor, cfg: SamplingCfg) -> Tensor:
    """One token per row, (R,) int64, from logits (R, V) and uniform numbers (R,).

    Nothing here waits for the device. Rows must hold at least one finite logit; -inf is
    never drawn. At most `top_k` tokens are kept even where logits tie.
    """
    size = logits.shape[-1]
    if 0 < cfg.top_k < size:
        # The selection reads its input once per byte of a number: widen what is left.
        values, order = logits.topk(cfg.top_k, dim=-1)
        values = values.float()
    elif cfg.top_p < 1:
        values, order = logits.float().sort(dim=-1, descending=True, stable=True)
    else:
        return _at(_probabilities(logits.float(), cfg), uniform)
    probabilities = _probabilities(values, cfg)
    if cfg.top_p < 1:
        before = probabilities.cumsum(-1) - probabilities
        keep = before < cfg.top_p
        keep[:, 0] = True  # Rounding must not drop the most likely.
        probabilities = probabilities * keep
    return order.gather(-1, _at(probabilities, uniform)[:, None])[:, 0]


def _probabilities(logits: Tensor, cfg: SamplingCfg) -> Tensor:
    # The maximum goes first, so that no temperature makes it overflow.
    shifted = logits - logits.amax(-1, keepdim=True)
    return torch.softmax(shifted / max(cfg.temperature, 1e-30), dim=-1)


def _at(probabilities: Tensor, uniform: Tensor) -> Tensor:
    """Where the cumulated probability passes `uniform` of its total, (R,)."""
    total = probabilities.cumsum(-1)
    target = uniform[:, None] * total[:, -1:]
    found = (total <= target).sum(-1)
    # Rounding may push the target to the very end, behind the last possible token.
    possible = probabilities > 0
    last = torch.where(
        possible, torch.arange(possible.shape[-1], device=total.device), 0
    ).amax(-1)
    return torch.minimum(found, last)
