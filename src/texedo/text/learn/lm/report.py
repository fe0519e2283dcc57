"""How well a language model predicts held-out motion: nll per token, top-1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from texedo.text.learn.lm.batches import IGNORED, Batch, DeviceData, plan_epoch
from texedo.text.lm.model import MotionLanguageModel

_BATCH_TOKENS = 16384


class Score(NamedTuple):
    """Means over the tokens of a set of clips, the end included."""

    nll: float
    """Negative log likelihood [nat / token]."""
    top1: float
    """Share of tokens that were ranked first."""
    tokens: int

    def as_dict(self) -> dict[str, float]:
        return {
            "nll": self.nll,
            "perplexity": math.exp(min(self.nll, 50.0)),
            "top1": self.top1,
            "tokens": self.tokens,
        }


class Scores:
    """Sums per clip: nll, hits and tokens; ask for the mean over any of the clips."""

    def __init__(self, num_clips: int) -> None:
        self._sums = np.zeros((num_clips, 3))

    def add(self, clips: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
        """Sums (B, 3) of different clips (B,)."""
        self._sums[clips] += sums

    def of(self, clips: Sequence[int]) -> Score:
        nll, hits, tokens = self._sums[list(clips)].sum(0)
        return Score(nll / max(tokens, 1), hits / max(tokens, 1), int(tokens))


@torch.inference_mode()
def score(
    model: MotionLanguageModel,
    data: DeviceData,
    clips: Sequence[int],
    *,
    captions: int,
    known: bool = False,
) -> Scores:
    """Score clips with up to `captions` captions each; 0 takes all there are."""
    scores = Scores(len(data.lengths))
    rounds = captions or int(data.counts[list(clips)].max())
    for number in range(rounds):
        having = [clip for clip in clips if number < data.counts[clip]]
        plan = plan_epoch(data.lengths, having, batch_tokens=_BATCH_TOKENS, rng=None)
        for chosen in plan:
            caption = np.full_like(chosen, number)
            batch = data.batch(chosen, caption, np.full(len(chosen), known))
            scores.add(chosen, _sums(model, batch))
    return scores


def _sums(model: MotionLanguageModel, batch: Batch) -> NDArray[np.float64]:
    """Nll, hits and tokens of each row, (B, 3)."""
    text = model.text_encoder(batch.pieces, batch.piece_mask)
    logits = model.decoder(batch.inputs, batch.remaining, text, batch.piece_mask)
    keep = batch.targets != IGNORED
    loss = F.cross_entropy(
        logits.float().transpose(1, 2),
        batch.targets,
        ignore_index=IGNORED,
        reduction="none",
    )
    hits = (logits.argmax(-1) == batch.targets) & keep
    sums = torch.stack([x.double().sum(1) for x in (loss, hits, keep)], dim=1)
    return np.asarray(sums.cpu().numpy())
