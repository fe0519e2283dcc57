"""The network: patches of frames, a Transformer that looks back, a hazard per frame.

    235 features    plain and logarithmic, each frame to 128, patches of 4 to 256
    first layer     sees all that was, and as much of what comes as a tracker is shown
    other layers    causal
    head            per frame: the hazards and the expected tracking errors; per patch:
                    which termination it would be, and which limb

The hazard of a frame is the probability to fail there, given that the robot got there:
what comes after a failure is no cause of it. The product of what the hazards leave is
the probability of success.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.data.corpus.trials import LIMBS
from texedo.motion import FPS
from texedo.quality import TERMINATIONS
from texedo.see.dynamics.balance import FULL_SIZE, full_features
from texedo.see.dynamics.features import LIMIT, inside, standardized
from texedo.see.dynamics.transformer import Layer, turns_of

CAUSES = len(TERMINATIONS) + len(LIMBS)
COLUMNS = 4 + CAUSES
"""Numbers per frame: two hazards, two errors, causes."""
_LIMIT = 1e4
_RARE = -6.0
"""Logit of the hazard to begin with: a motion of 5 s fails every other time."""


@dataclass(frozen=True, kw_only=True)
class HazardCfg:
    """Sizes of the network."""

    width: int = 256
    frame_width: int = 128
    heads: int = 4
    layers: int = 4
    patch: int = 4
    """Frames that are read together."""
    look_ahead: float = 0.5
    """What the first layer sees of what comes [s]; below 0 every layer sees all."""
    dropout: float = 0.1
    frames: int = 500
    """Frames that it is shown at most."""


class Outlook(NamedTuple):
    """What the network says of the frames of B motions, float32."""

    hazard: Tensor
    """Logits, (B, T)."""
    perturbed: Tensor
    """The same for perturbed robots, (B, T)."""
    errors: Tensor
    """Logarithms of E_acc and E_vel over their normalisers, (B, T, 2)."""
    causes: Tensor
    """Logits of `TERMINATIONS` and `LIMBS`, were it to fail there, (B, T, 7)."""

    @classmethod
    def of(cls, table: Tensor) -> Outlook:
        """From one tensor (B, T, COLUMNS)."""
        return cls(table[..., 0], table[..., 1], table[..., 2:4], table[..., 4:])


class HazardNet(nn.Module):
    """Poses to hazards."""

    feature_mean: Tensor
    feature_std: Tensor

    def __init__(self, cfg: HazardCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.frame = nn.Linear(2 * FULL_SIZE, cfg.frame_width)
        self.patches = nn.Sequential(
            nn.GELU(),
            nn.Linear(cfg.patch * cfg.frame_width, cfg.width),
            nn.LayerNorm(cfg.width),
        )
        self.layers = nn.ModuleList(
            Layer(cfg.width, cfg.heads, cfg.dropout) for _ in range(cfg.layers)
        )
        self.head = nn.Sequential(
            nn.LayerNorm(cfg.width),
            nn.Linear(cfg.width, cfg.width // 2),
            nn.GELU(),
            nn.Linear(cfg.width // 2, 4 * cfg.patch + CAUSES),
        )
        last = self.head[-1]
        assert isinstance(last, nn.Linear)
        with torch.no_grad():
            last.weight.mul_(0.1)
            last.bias.zero_()
            last.bias[: 2 * cfg.patch] = _RARE
            last.bias[2 * cfg.patch : 4 * cfg.patch] = -1.0
        self.register_buffer("feature_mean", torch.zeros(FULL_SIZE))
        self.register_buffer("feature_std", torch.ones(FULL_SIZE))

    @staticmethod
    def features(qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
        """Of poses (B, T, 36), before they are standardised, (B, T, 235)."""
        return full_features(qpos, lengths, fresh)

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Of features (B, T, 235), the first `lengths` (B,) of which are there.

        A table (B, T, COLUMNS) for `Outlook.of`.
        """
        patch, count = self.cfg.patch, features.shape[1]
        # Jerks of spoiled motions are hundreds of times what is usual: a plain scale has
        # thresholds, a logarithmic one tells such from worse.
        x = standardized(
            features, lengths, self.feature_mean, self.feature_std, limit=_LIMIT
        )
        x = self.frame(torch.cat((x.clamp(-LIMIT, LIMIT), x.asinh()), dim=-1))
        # A frame that is not there is no frame, not an average one.
        x = x * inside(x, lengths)[..., None]
        x = F.pad(x, (0, 0, 0, -count % patch))
        x = self.patches(x.reshape(len(x), -1, patch * self.cfg.frame_width))
        size = self.cfg.width // self.cfg.heads
        turns = turns_of(x.shape[1], size, x.device)
        for layer, mask in zip(self.layers, self._masks(x, lengths), strict=True):
            x = layer(x, mask, turns)
        # Bfloat16 has steps of a percent there: as much as candidates differ by.
        with torch.autocast(x.device.type, enabled=False):
            out = self.head(x.float())
        per_frame = out[..., : 4 * patch].unflatten(-1, (4, patch)).transpose(-1, -2)
        causes = out[..., None, 4 * patch :].expand(-1, -1, patch, -1)
        table = torch.cat((per_frame, causes), dim=-1).flatten(1, 2)
        return table[:, :count]

    def _masks(self, x: Tensor, lengths: Tensor) -> list[Tensor | None]:
        """Who sees whom in each layer; None is whoever comes before."""
        cfg, at = self.cfg, torch.arange(x.shape[1], device=x.device)
        there = at * cfg.patch < lengths[:, None]
        wide = there[:, None, None, :]
        if cfg.look_ahead < 0:
            return [wide.expand(-1, -1, x.shape[1], -1)] * cfg.layers
        ahead = round(cfg.look_ahead * FPS / cfg.patch)
        near = at[None, :] <= at[:, None] + ahead
        first = wide & near if ahead else None
        return [first, *[None] * (cfg.layers - 1)]
