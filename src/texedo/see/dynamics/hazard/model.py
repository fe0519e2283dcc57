"""The default verifier's network in use, on whole motions and on long ones."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from texedo.see.dynamics.calibration import Line
from texedo.see.dynamics.hazard.forecast import summarize
from texedo.see.dynamics.hazard.net import HazardNet
from texedo.see.dynamics.windows import cut, window_starts


@dataclass(frozen=True, eq=False)
class HazardModel:
    """A trained network and its calibration."""

    net: HazardNet
    success: Line = Line()
    robust: Line = Line()

    @property
    def frames(self) -> int:
        """The longest motion that it is shown at once."""
        return self.net.cfg.frames

    def whole(self, qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
        """Forecasts of motions (B, T, 36), (B, 11 + T)."""
        table = self.net(self.net.features(qpos, lengths, fresh), lengths)
        return summarize(table, lengths, self.success, self.robust)

    def long(self, qpos: Tensor) -> Tensor:
        """The forecast of one motion (T, 36) from overlapping windows, (1, 11 + T).

        Every frame is taken from the first window that has half a window before it, so
        hazards are those of one long motion, and success is their product.
        """
        starts = window_starts(len(qpos), self.frames)
        tables = cut(self.net, qpos, starts, self.frames)
        rows, known = [], 0
        for start, table in zip(starts, tables, strict=True):
            rows.append(table[known - start :])
            known = start + self.frames
        joined = torch.cat(rows)[None]
        lengths = torch.tensor([len(qpos)], device=qpos.device)
        return summarize(joined, lengths, self.success, self.robust)
