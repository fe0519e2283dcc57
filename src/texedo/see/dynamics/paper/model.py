"""The paper's network in use, on whole motions and on long ones."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from texedo.see.dynamics.calibration import Line
from texedo.see.dynamics.paper.net import PaperNet
from texedo.see.dynamics.windows import cut, window_starts

UNKNOWN = 7
"""Terminations and limbs, of which it has no opinion."""


@dataclass(frozen=True, eq=False)
class PaperModel:
    """A trained network and its calibration."""

    net: PaperNet
    success: Line = Line()

    @property
    def frames(self) -> int:
        """The longest motion that it is shown at once."""
        return self.net.cfg.frames

    def whole(self, qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
        """Forecasts of motions (B, T, 36), (B, 11); NaN for what it does not know."""
        heads = self.net(self.net.features(qpos, lengths, fresh), lengths)
        return self.rows(torch.stack(heads, dim=-1))

    def long(self, qpos: Tensor) -> Tensor:
        """The forecast of one motion (T, 36) from overlapping windows, (1, 11).

        Success and quality are the least of all windows, and progress is where the
        window with the least success expects the failure.
        """
        starts = window_starts(len(qpos), self.frames)
        rows = self.rows(cut(self.net, qpos, starts, self.frames))
        joined = rows.amin(0, keepdim=True)
        worst = int(rows[:, 0].argmin())
        failed = starts[worst] + rows[worst, 3] * self.frames
        joined[0, 3] = failed / len(qpos)
        return joined

    def rows(self, logits: Tensor) -> Tensor:
        """Success, robust, quality, progress, terminations, limbs, (B, 11)."""
        logits = logits.double()
        success = self.success.slope * logits[:, 0] + self.success.offset
        unknown = torch.full_like(logits[:, :1], torch.nan)
        rest = unknown.expand(-1, UNKNOWN)
        known = torch.stack((success, logits[:, 1], logits[:, 2]), dim=1).sigmoid()
        return torch.cat((known[:, :1], unknown, known[:, 1:], rest), dim=1)
