"""From hazards to a forecast: success, when and why it fails, how well it is tracked."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.see.dynamics.calibration import Line
from texedo.see.dynamics.features import inside
from texedo.see.dynamics.hazard.net import Outlook

FORECAST_VERSION = 3
"""Raise it when the same network may give another forecast."""
_TINY = 1e-30
_TAIL = 0.05
"""q_d below which it falls ever more slowly."""


def risk(logits: Tensor, lengths: Tensor) -> Tensor:
    """-log(1 - h) of each frame (B, T), float64; frame 0 is given and never fails."""
    there = inside(logits, lengths)
    there = there & (torch.arange(logits.shape[1], device=logits.device) > 0)
    return torch.where(there, F.softplus(logits.double()), 0.0)


def summarize(table: Tensor, lengths: Tensor, nominal: Line, robust: Line) -> Tensor:
    """Forecasts of whole motions from the network's table (B, T, COLUMNS).

    Rows of success, robust, quality, progress, three terminations, four limbs, then the
    hazard of each frame: (B, 11 + T), float64.
    """
    look = Outlook.of(table)
    steps = _calibrated(risk(look.hazard, lengths), nominal)
    shaken = _calibrated(risk(look.perturbed, lengths), robust)
    alive, share = alive_and_share(steps)
    # The geometric mean: what comes early decides, as for those who fail there.
    at = torch.arange(steps.shape[1], device=steps.device).clamp(min=1)
    progress = (share * at.double().log()).sum(1).exp() / lengths
    weight = (alive * inside(steps, lengths))[..., None]
    errors = (weight * look.errors.double().exp()).sum(1) / weight.sum(1)
    quality = followed(errors).mean(-1)
    causes = (share[..., None] * look.causes.double().sigmoid()).sum(1)
    columns = [(-steps.sum(1)).exp(), (-shaken.sum(1)).exp(), quality, progress]
    return torch.cat((torch.stack(columns, 1), causes, -torch.expm1(-steps)), dim=1)


def followed(errors: Tensor) -> Tensor:
    """1 less the errors, from 0 to 1, but never quite 0: q_d of what is followed badly.

    Two motions with errors beyond the normaliser both have q_d 0, and the worse of them
    is still the worse: below `_TAIL` the line goes over, as steep, into a hyperbola.
    """
    over = (errors - (1.0 - _TAIL)).clamp(min=0.0) / _TAIL
    return torch.where(over > 0, _TAIL / (1.0 + over), 1.0 - errors).clamp(0.0, 1.0)


def alive_and_share(steps: Tensor) -> tuple[Tensor, Tensor]:
    """For risks (B, T): who gets to each frame, and which share of all failures is
    there."""
    alive = (steps - steps.cumsum(1)).exp()
    fails = alive * -torch.expm1(-steps)
    return alive, fails / fails.sum(1, keepdim=True).clamp(min=_TINY)


def _calibrated(steps: Tensor, line: Line) -> Tensor:
    """Risks whose total is on the line; all frames of a motion by the same factor."""
    total = steps.sum(1, keepdim=True).clamp(min=_TINY)
    return steps * ((line.slope - 1.0) * total.log() + line.offset).exp()
