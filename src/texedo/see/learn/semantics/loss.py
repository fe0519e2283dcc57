"""What is asked of the network in a step.

Every clip must tell its sentence from false ones: those made of it (another side, count,
angle, order ...), and those of other clips that the two vectors think alike. Every
sentence must tell its motion from the mirrored one (where it names a side), from the one
played backwards (where it speaks of a direction or an order), from other clips, and from
another candidate of the same prompt that was measured not to do it. Pairs count one by one, so that the logit is one of a probability.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.see.learn.semantics.batches import Batch, reversed_frames
from texedo.see.semantics.cross.net import CrossNet

SAME = 0.8
"""Likeness of two sentences, less what all share, from which on they may mean the same."""
MINED = 2
"""Sentences and motions of other clips per clip, of those that are mistaken most, and as
many at random."""
_NEVER = -1e4


class Loss(NamedTuple):
    """The parts of it [nat]."""

    total: Tensor
    pairs: Tensor
    texts: Tensor
    motions: Tensor
    vectors: Tensor


def loss_of(net: CrossNet, batch: Batch, states: Tensor, image: Tensor) -> Loss:
    """`states` are the text encoder's, (B + B F, S, text); `image` the mirrored frames."""
    count, slots = batch.false.shape
    device = batch.frames.device
    said = net.read_texts(states, batch.piece_mask)
    back = reversed_frames(batch.frames, batch.lengths)
    frames = torch.cat((batch.frames, image, back))
    seen = net.read_motions(frames, batch.lengths.repeat(3))
    own = torch.arange(count, device=device)
    other = _may_differ(batch, said_vectors(states, batch.piece_mask)[:count])
    likeness = said.vectors[:count] @ seen.vectors[:count].T
    scale = net.scale.exp().clamp(max=60.0)
    vectors = _both_ways(scale * likeness, other)
    texts, texts_there = _texts_of(batch, likeness.detach(), other, slots)
    motions, motions_there = _motions_of(batch, likeness.detach(), other)
    pairs_text = torch.cat((texts.flatten(), own[:, None].expand_as(motions).flatten()))
    pairs_motion = torch.cat(
        (own[:, None].expand_as(texts).flatten(), motions.flatten())
    )
    logits = net.logits(said.take(pairs_text), seen.take(pairs_motion))
    of_texts = logits[: texts.numel()].view_as(texts)
    of_motions = logits[texts.numel() :].view_as(motions)
    choose_text = _choice(of_texts, texts_there)
    # The mirrored motion is a false one only where a side is named.
    false_motions = motions_there.clone()
    false_motions[:, 0] &= batch.sided
    every = torch.cat((of_texts[:, :1], of_motions), dim=1)
    there = torch.cat((texts_there[:, :1], false_motions), dim=1)
    choose_motion = _choice(every, there)
    pairs = _pairs(of_texts, texts_there, of_motions, motions_there, batch.sided)
    total = pairs + choose_text + choose_motion + 0.3 * vectors
    return Loss(total, pairs, choose_text, choose_motion, vectors)


def said_vectors(states: Tensor, mask: Tensor) -> Tensor:
    """Mean states of the text encoder, less what all share, length 1, (B, text)."""
    weight = mask[..., None].to(states.dtype)
    mean = (states * weight).sum(1) / weight.sum(1)
    return F.normalize((mean - mean.mean(0)).float(), dim=-1)


def _may_differ(batch: Batch, vectors: Tensor) -> Tensor:
    """Where the sentence of one clip is false of another's motion, (B, B)."""
    alike = vectors @ vectors.T > SAME
    alike |= batch.groups[:, None] == batch.groups
    alike |= batch.texts[:, None] == batch.texts
    return ~alike


def _both_ways(logits: Tensor, other: Tensor) -> Tensor:
    """Symmetric contrastive loss over the vectors; rows are sentences."""
    own = torch.eye(len(logits), dtype=torch.bool, device=logits.device)
    logits = logits.masked_fill(~(other | own), _NEVER)
    target = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def _mined(likeness: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Columns of each row that are mistaken most, and random ones, (B, 2 MINED)."""
    # A few of the most likely mistakes, not always the same ones.
    noisy = likeness + 0.1 * torch.rand_like(likeness)
    hard = noisy.masked_fill(~other, _NEVER).topk(MINED, dim=1).indices
    loose = torch.rand_like(likeness).masked_fill(~other, _NEVER)
    both = torch.cat((hard, loose.topk(MINED, dim=1).indices), dim=1)
    return both, other.gather(1, both)


def _texts_of(
    batch: Batch, likeness: Tensor, other: Tensor, slots: int
) -> tuple[Tensor, Tensor]:
    """Sentences that each clip is shown, the true one first; and which are there."""
    count = len(likeness)
    own = torch.arange(count, device=likeness.device)[:, None]
    made = count + own * slots + torch.arange(slots, device=likeness.device)
    mined, there = _mined(likeness.T, other.T)
    numbers = torch.cat((own, made, mined), dim=1)
    return numbers, torch.cat(
        (torch.ones_like(own, dtype=torch.bool), batch.false, there), 1
    )


def _motions_of(batch: Batch, likeness: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Motions that each sentence is shown: mirrored, backwards, its rival, other clips."""
    count = len(likeness)
    own = torch.arange(count, device=likeness.device)[:, None]
    mined, there = _mined(likeness, other)
    rivals = batch.rivals[:, None]
    changed = (own + count, own + 2 * count, rivals.clamp(min=0))
    is_there = (batch.mirrorable[:, None], batch.timed[:, None], rivals >= 0)
    return torch.cat((*changed, mined), dim=1), torch.cat((*is_there, there), dim=1)


def _choice(logits: Tensor, there: Tensor) -> Tensor:
    """The first must win."""
    logits = logits.float().masked_fill(~there, _NEVER)
    target = torch.zeros(len(logits), dtype=torch.long, device=logits.device)
    return F.cross_entropy(logits, target)


def _pairs(
    of_texts: Tensor,
    texts_there: Tensor,
    of_motions: Tensor,
    motions_there: Tensor,
    sided: Tensor,
) -> Tensor:
    """Each pair by itself; true and false ones have the same weight in all."""
    own = torch.ones_like(sided)
    same = motions_there[:, 0] & ~sided
    true = torch.stack((of_texts[:, 0], of_motions[:, 0]), dim=1)
    false_motions = motions_there.clone()
    false_motions[:, 0] &= sided
    false = torch.cat((of_texts[:, 1:], of_motions), dim=1)
    return _mean_of(F.softplus(-true.float()), torch.stack((own, same), dim=1)) + (
        _mean_of(
            F.softplus(false.float()),
            torch.cat((texts_there[:, 1:], false_motions), dim=1),
        )
    )


def _mean_of(values: Tensor, there: Tensor) -> Tensor:
    """Of those that are there; not picked out, which would wait for the device."""
    weight = there.to(values.dtype)
    return (values * weight).sum() / weight.sum().clamp(min=1.0)
