"""How likely a language model holds given codes, with a prompt and without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from texedo.language.encoder import text_states

if TYPE_CHECKING:
    from texedo.text.lm.model import MotionLanguageModel

_BATCH_TOKENS = 2048
"""Of a batch, padding included: logits over all codes are many numbers."""
_IGNORED = -100


@torch.inference_mode()
def log_likelihood(
    model: MotionLanguageModel, prompt: str, rows: Sequence[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """log p of the codes of each row and of the end after them, (N,) [nat].

    The empty prompt stands for no prompt, as in guidance. Of a row that is longer than
    any motion of the model the first part counts, and no end.
    """
    length = model.text_length(prompt)
    states, mask = text_states(model.text_encoder, model.read(prompt).ids, length)
    found = np.zeros(len(rows))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    while order:
        longest = min(len(rows[order[-1]]), model.decoder.cfg.max_tokens) + 1
        size = max(1, _BATCH_TOKENS // longest)
        batch, order = order[-size:], order[:-size]
        inputs, targets = _tables([rows[i] for i in batch], model)
        count = len(batch)
        logits = model.decoder(
            inputs,
            torch.zeros_like(inputs),
            states.expand(count, -1, -1),
            mask.expand(count, -1),
        )
        loss = F.cross_entropy(
            logits.float().transpose(1, 2),
            targets,
            ignore_index=_IGNORED,
            reduction="none",
        )
        found[batch] = -loss.double().sum(1).cpu().numpy()
    return found


def scored_tokens(model: MotionLanguageModel, codes: int) -> int:
    """Tokens that count of a row of so many codes."""
    return min(codes + 1, model.decoder.cfg.max_tokens)


def _tables(
    rows: Sequence[NDArray[np.int64]], model: MotionLanguageModel
) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs, the start first, and what follows each, (B, T)."""
    decoder, limit = model.decoder, model.decoder.cfg.max_tokens
    width = max(scored_tokens(model, len(row)) for row in rows)
    inputs = torch.full((len(rows), width), decoder.end, dtype=torch.long)
    targets = torch.full((len(rows), width), _IGNORED, dtype=torch.long)
    for i, row in enumerate(rows):
        tokens = torch.tensor([decoder.start, *row.tolist(), decoder.end])[: limit + 1]
        inputs[i, : len(tokens) - 1] = tokens[:-1]
        targets[i, : len(tokens) - 1] = tokens[1:]
    return inputs.to(model.device), targets.to(model.device)
