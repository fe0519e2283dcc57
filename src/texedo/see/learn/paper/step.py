"""One step of each stage. Seed and step number decide what is drawn, so that a resumed
run sees what it would have seen."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.see.learn.paper.loss import distances, match_loss
from texedo.see.learn.paper.movement import movement_loss
from texedo.see.learn.paper.parts import Parts
from texedo.see.learn.paper.retrieval import share_a_caption
from texedo.see.semantics.paper.features import FRAMES_PER_CODE, whole_codes
from texedo.see.semantics.paper.model import pad_texts
from texedo.see.semantics.paper.words import SPECIAL, UNKNOWN, Tokens

Int64 = NDArray[np.int64]


def learn(parts: Parts, step: int, done: float) -> dict[str, float]:
    """One step of the stage that the run is in, `done` of the run before it."""
    torch.manual_seed(hash((parts.cfg.seed, step)))
    rng = np.random.default_rng((parts.cfg.seed, step))
    if parts.matching_from is None:
        share = done / max(parts.cfg.movement_share, 1e-9)
        rate = parts.cfg.movement_learning_rate * schedule(parts, step, share)
        loss, figures = _movement(parts, rng)
    else:
        after = parts.matching_after
        share = (done - after) / max(1.0 - after, 1e-9)
        since = step - parts.matching_from
        rate = parts.cfg.learning_rate * schedule(parts, since, share)
        loss, figures = _matching(parts, rng, since)
    for group in parts.optimizer.param_groups:
        group["lr"] = rate
    parts.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(parts.learnt().values(), 1.0)
    parts.optimizer.step()
    return {name: float(value.detach()) for name, value in figures.items()}


def schedule(parts: Parts, step: int, share: float) -> float:
    """Up in a line, then down in half a cosine; `share` of the stage is done."""
    rising = min((step + 1) / max(parts.cfg.warm_up, 1), 1.0)
    falling = 0.5 * (1.0 + math.cos(math.pi * min(max(share, 0.0), 1.0)))
    return rising * (0.02 + 0.98 * falling)


def _movement(
    parts: Parts, rng: np.random.Generator
) -> tuple[Tensor, dict[str, Tensor]]:
    """Reconstruct windows that may begin at any frame of any clip."""
    cfg, clips = parts.cfg, parts.train
    window = whole_codes(min(cfg.movement_window, int(clips.lengths.min())))
    room = clips.lengths - window + 1
    drawn = rng.choice(len(clips), cfg.movement_batch, p=room / room.sum())
    starts = clips.starts[drawn] + rng.integers(room[drawn])
    lengths = np.full(len(drawn), window)
    frames, lengths_there = gather(parts.features, starts, lengths)
    parts.net.train()
    loss, error = movement_loss(
        parts.net.movement,
        parts.decoder,
        parts.net.normalised(frames, lengths_there),
        sparsity=cfg.sparsity,
        smoothness=cfg.smoothness,
    )
    return loss, {"movement_loss": loss, "movement_error": error}


def _matching(
    parts: Parts, rng: np.random.Generator, since: int
) -> tuple[Tensor, dict[str, Tensor]]:
    cfg, clips = parts.cfg, parts.train
    drawn = draw_clips(len(clips), cfg.batch, since, cfg.seed)
    # The first frame moves a little, so that a code does not always begin alike.
    shift = rng.integers(FRAMES_PER_CODE, size=len(drawn))
    shift = np.minimum(shift, clips.lengths[drawn] - FRAMES_PER_CODE)
    left = (clips.lengths[drawn] - shift) // FRAMES_PER_CODE * FRAMES_PER_CODE
    frames, lengths = gather(parts.features, clips.starts[drawn] + shift, left)
    said = [rng.choice(clips.captions[i], p=clips.weights[i]) for i in drawn]
    tokens = [forget(parts.train_tokens[i], cfg.word_dropout, rng) for i in said]
    same = share_a_caption([clips.keys[clips.captions[i]] for i in drawn])
    device = parts.net.device
    parts.net.train()
    parts.net.movement.eval()
    texts = parts.net.texts(*(tensor.to(device) for tensor in pad_texts(tokens)))
    distance = distances(texts, parts.net.motions(frames, lengths))
    loss = match_loss(
        distance, margin=cfg.margin, same=torch.from_numpy(same).to(device)
    )
    own = distance.diagonal().mean()
    return loss, {"loss": loss, "own": own, "mean_distance": distance.mean()}


def draw_clips(count: int, batch: int, step: int, seed: int) -> Int64:
    """Different clips of one step; every clip comes once in an epoch, but for a rest."""
    batch = min(batch, count)
    epoch, at = divmod(step, count // batch)
    order = np.random.default_rng((seed, 1 << 20, epoch)).permutation(count)
    return np.asarray(order[at * batch : (at + 1) * batch])


def forget(tokens: Tokens, share: float, rng: np.random.Generator) -> Tokens:
    """The sentence with this share of its words unknown, its ends left alone."""
    lost = (rng.random(len(tokens.words)) < share) & (tokens.words >= len(SPECIAL))
    return tokens._replace(words=np.where(lost, UNKNOWN, tokens.words))


def gather(features: Tensor, starts: Int64, lengths: Int64) -> tuple[Tensor, Tensor]:
    """Frames (B, T, 36) of pieces, and their lengths (B,), where the features are.

    Past the end of a piece is whatever comes next: the network does not look there.
    """
    first = torch.from_numpy(starts).to(features.device)
    count = torch.from_numpy(lengths).to(features.device)
    at = first[:, None] + torch.arange(int(lengths.max()), device=features.device)
    return features[at.clamp(max=len(features) - 1)], count
