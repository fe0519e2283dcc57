"""What is asked of the networks in a step.

Ours, a survival likelihood in two parts: whether a robot fails (cross-entropy on the
product over all frames), and when, given that it does; for the robot as it is and for
perturbed ones. Beside them the tracking errors, q_d, the order of motions by their
errors, and the causes at the failure.

Why the order: candidates of one prompt differ in q_d by a few hundredths, and the choice
among them is nothing else. A motion performed again with joints that are off by 1e-4 rad
has nearly the same errors, so that there is much to be learnt down to the last percent;
distances that are squares near zero would stop caring long before.

The paper's: balanced cross-entropy on success, 0.6 of the squared error of q_d, and 0.8
of that of progress on failures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.see.dynamics.features import inside
from texedo.see.dynamics.hazard.net import Outlook
from texedo.see.dynamics.paper.net import Heads
from texedo.see.learn.dynamics.batches import Batch

PAPER_QUALITY = 0.6
PAPER_PROGRESS = 0.8
_ROBUST = 0.5
_CAUSES = 0.1
_LEAST_RISK = 1e-7
_NEAR = 0.5
"""Pairs whose errors are farther apart are told apart anyway [log]."""
_SAME = 0.01
"""Those nearer than this are in no order [log]."""
_SHARP = 0.1
"""How far apart a pair is to be put [log]."""


class Loss(NamedTuple):
    """The parts of it."""

    total: Tensor
    success: Tensor
    """Whether it fails [nat]."""
    timing: Tensor
    """When it fails [nat]; the paper's: squared error of progress on failures."""
    robust: Tensor
    """Whether and when perturbed robots fail [nat]."""
    quality: Tensor
    """How far off q_d is; the paper's: squared."""


class Survival(NamedTuple):
    """Negative log-likelihoods of B x D roll-outs [nat]."""

    whether: Tensor
    when: Tensor
    """Zero for those that did not fail."""


def survival(
    logits: Tensor, lengths: Tensor, executed: Tensor, failed: Tensor
) -> Survival:
    """For hazards (B, T) and roll-outs (B, D) that ended at `executed`."""
    there = inside(logits, lengths)
    there = there & (torch.arange(logits.shape[1], device=logits.device) > 0)
    risk = torch.where(there, F.softplus(logits), 0.0)
    cumulated = risk.cumsum(1)
    total = cumulated[:, -1:].clamp(min=_LEAST_RISK)
    fails = _log_of_rest(total)
    whether = torch.where(failed, -fails, total)
    at = executed.clamp(max=logits.shape[1] - 1)
    before = (cumulated - risk).gather(1, at)
    there_and_then = F.logsigmoid(logits.gather(1, at)) - before
    when = torch.where(failed, fails - there_and_then, 0.0)
    return Survival(whether, when)


def hazard_loss(
    table: Tensor,
    batch: Batch,
    *,
    timing: float,
    errors: float = 0.7,
    order: float = 0.0,
) -> Loss:
    """Of the network's table (B, T, COLUMNS).

    `timing` weighs when beside whether, `errors` the tracking errors and twice q_d,
    `order` which of two motions has the larger errors.
    """
    look, weight = Outlook.of(table), batch.weight
    own = survival(
        look.hazard, batch.lengths, batch.executed[:, :1], batch.failed[:, :1]
    )
    success = (weight * own.whether[:, 0]).mean()
    when = (weight * own.when[:, 0]).mean()
    shaken = survival(
        look.perturbed, batch.lengths, batch.executed[:, 1:], batch.failed[:, 1:]
    )
    known = weight[:, None] * batch.known[:, 1:]
    count = batch.known[:, 1:].sum().clamp(min=1)
    robust = (known * (shaken.whether + timing * shaken.when)).sum() / count
    mean = mean_errors(look, batch)
    log_error, quality = _error_losses(mean, batch)
    causes = _cause_loss(look, batch)
    total = success + timing * when + _ROBUST * robust + _CAUSES * causes
    total = total + errors * (log_error + 2.0 * quality)
    if order:
        total = total + order * order_loss(mean, batch.errors)
    return Loss(total, success, when, robust, quality)


def paper_loss(heads: Heads, batch: Batch, *, positive: float) -> Loss:
    """`positive` is the weight of a success, which are many."""
    failed = batch.failed[:, 0].float()
    success = F.binary_cross_entropy_with_logits(
        heads.success, 1 - failed, pos_weight=heads.success.new_tensor(positive)
    )
    quality = _mean_known(heads.quality.sigmoid(), batch.quality, F.mse_loss)
    late = (heads.progress.sigmoid() - batch.progress).square()
    progress = (failed * late).sum() / failed.sum().clamp(min=1)
    total = success + PAPER_QUALITY * quality + PAPER_PROGRESS * progress
    return Loss(total, success, progress, torch.zeros_like(total), quality)


def mean_errors(look: Outlook, batch: Batch) -> Tensor:
    """Expected E_acc and E_vel over the frames that were performed, (B, 2)."""
    at = torch.arange(look.hazard.shape[1], device=look.hazard.device)
    done = (at < batch.executed[:, :1]).float()[..., None]
    return (done * look.errors.exp()).sum(1) / done.sum(1)


def order_loss(mean: Tensor, wanted: Tensor) -> Tensor:
    """How often, softly, two motions of a batch are in the wrong order [nat].

    For errors (B, 2) as expected and as they were; each of the two by itself.
    """
    known = ~wanted.isnan().any(1)
    # Rows that are not known are no pair of anybody; sizes stay as they are.
    truth = torch.where(known[:, None], wanted, 1.0).clamp(min=1e-3).log()
    said = mean.clamp(min=1e-6).log()
    apart = truth[:, None] - truth[None]
    far = said[:, None] - said[None]
    near = (apart.abs() < _NEAR) & (apart.abs() > _SAME)
    pair = (near & (known[:, None] & known[None])[..., None]).float()
    wrong = F.softplus(-far * apart.sign() / _SHARP)
    return (pair * wrong).sum() / pair.sum().clamp(min=1)


def _error_losses(mean: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """How far off the errors are on a logarithmic scale, and q_d."""
    wanted = batch.errors.clamp(min=1e-3)
    log_error = _mean_known(mean.clamp(min=1e-6), wanted, _log_distance)
    quality = (1 - mean).clamp(0.0, 1.0).mean(-1)
    return log_error, _mean_known(quality, batch.quality, _distance)


def _cause_loss(look: Outlook, batch: Batch) -> Tensor:
    """Of the failures, at the frame of each."""
    last = look.hazard.shape[1] - 1
    at = batch.executed[:, 0].clamp(max=last)[:, None, None]
    said = look.causes.gather(1, at.expand(-1, -1, look.causes.shape[-1]))[:, 0]
    each = F.binary_cross_entropy_with_logits(said, batch.causes, reduction="none")
    failed = batch.failed[:, :1].float()
    return (failed * each).sum() / failed.sum().clamp(min=1)


def _log_distance(said: Tensor, wanted: Tensor, reduction: str) -> Tensor:
    return F.smooth_l1_loss(said.log(), wanted.log(), reduction=reduction, beta=0.05)


def _distance(said: Tensor, wanted: Tensor, reduction: str) -> Tensor:
    # Nearly absolute: squares of what is off by a few hundredths would weigh nothing.
    return F.smooth_l1_loss(said, wanted, reduction=reduction, beta=0.01)


def _mean_known(
    said: Tensor, wanted: Tensor, distance: Callable[..., Tensor]
) -> Tensor:
    """Over the targets that are numbers; a NaN must not reach a gradient either."""
    known = ~wanted.isnan()
    each = distance(said, torch.where(known, wanted, 1.0), reduction="none")
    return (each * known).sum() / known.sum().clamp(min=1)


def _log_of_rest(total: Tensor) -> Tensor:
    """log(1 - exp(-total)), exact at both ends."""
    small = total < 0.693
    few = torch.where(small, total, 0.5)
    many = torch.where(small, 1.0, total)
    return torch.where(small, (-torch.expm1(-few)).log(), torch.log1p(-(-many).exp()))
