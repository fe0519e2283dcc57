"""The paper's network.

    94 features    four groups to 128 each, together to 256
    4 layers       causal, pre-norm, no positions
    pooling        mean and attention, to 256
    three heads    success, dynamics (q_d), progress: logits

Parameters are named as in the released checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from texedo.motion import NUM_JOINTS
from texedo.see.dynamics.features import (
    PAPER_SIZE,
    ROOT_SIZE,
    Frames,
    inside,
    paper_features,
    standardized,
)
from texedo.see.dynamics.transformer import Layer


@dataclass(frozen=True, kw_only=True)
class PaperCfg:
    """Sizes of the network; those of the paper by default."""

    width: int = 256
    group_width: int = 128
    heads: int = 4
    layers: int = 4
    head_width: int = 64
    dropout: float = 0.1
    frames: int = 500
    """Frames that it is shown at most."""


class Heads(NamedTuple):
    """Logits of B motions, (B,) each."""

    success: Tensor
    quality: Tensor
    progress: Tensor


class InputProjection(nn.Module):
    """Each group of features by itself, then all together."""

    def __init__(self, cfg: PaperCfg) -> None:
        super().__init__()
        group = cfg.group_width
        self.root_proj = nn.Linear(ROOT_SIZE, group)
        self.joint_pos_proj = nn.Linear(NUM_JOINTS, group)
        self.joint_vel_proj = nn.Linear(NUM_JOINTS, group)
        self.joint_acc_proj = nn.Linear(NUM_JOINTS, group)
        self.fusion = nn.Sequential(
            nn.Linear(4 * group, cfg.width), nn.GELU(), nn.LayerNorm(cfg.width)
        )

    def forward(self, features: Tensor) -> Tensor:
        root, pos, vel, acc = torch.split(
            features, [ROOT_SIZE, *[NUM_JOINTS] * 3], dim=-1
        )
        groups = (
            self.root_proj(root),
            self.joint_pos_proj(pos),
            self.joint_vel_proj(vel),
            self.joint_acc_proj(acc),
        )
        out: Tensor = self.fusion(torch.cat(groups, dim=-1))
        return out


class Pooling(nn.Module):
    """The mean of all states beside their mean by attention."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.attn_score = nn.Linear(width, 1)
        self.proj = nn.Sequential(
            nn.Linear(2 * width, width), nn.GELU(), nn.LayerNorm(width)
        )

    def forward(self, x: Tensor, there: Tensor) -> Tensor:
        weight = there[..., None].to(x.dtype)
        mean = (x * weight).sum(1) / weight.sum(1).clamp(min=1.0)
        score = self.attn_score(x).masked_fill(~there[..., None], -1e4)
        out: Tensor = self.proj(torch.cat((mean, (x * score.softmax(1)).sum(1)), -1))
        return out


class Stack(nn.Module):
    """The layers, under the name that they have in the released checkpoint."""

    def __init__(self, cfg: PaperCfg) -> None:
        super().__init__()
        self.encoder = nn.Module()
        self.encoder.layers = nn.ModuleList(
            Layer(cfg.width, cfg.heads, cfg.dropout) for _ in range(cfg.layers)
        )

    def forward(self, x: Tensor) -> Tensor:
        layers = self.encoder.layers
        assert isinstance(layers, nn.ModuleList)
        # Padding comes last, and a state sees none that comes later.
        for layer in layers:
            x = layer(x)
        return x


class PaperNet(nn.Module):
    """Poses to the logits of the three heads."""

    feature_mean: Tensor
    feature_std: Tensor

    def __init__(self, cfg: PaperCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.input_proj = InputProjection(cfg)
        self.encoder = Stack(cfg)
        self.pooling = Pooling(cfg.width)
        self.success_head = _head(cfg)
        self.dynamics_head = _head(cfg)
        self.progress_head = _head(cfg)
        self.register_buffer("feature_mean", torch.zeros(PAPER_SIZE))
        self.register_buffer("feature_std", torch.ones(PAPER_SIZE))

    @staticmethod
    def features(qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
        """Of poses (B, T, 36), before they are standardised, (B, T, 94)."""
        return paper_features(Frames(qpos))

    def forward(self, features: Tensor, lengths: Tensor) -> Heads:
        """Of features (B, T, 94), the first `lengths` (B,) of which are there."""
        x = standardized(features, lengths, self.feature_mean, self.feature_std)
        x = self.encoder(self.input_proj(x))
        pooled = self.pooling(x, inside(x, lengths))
        heads = (self.success_head, self.dynamics_head, self.progress_head)
        return Heads(*(head(pooled).squeeze(-1).float() for head in heads))


def _head(cfg: PaperCfg) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(cfg.width, cfg.head_width), nn.GELU(), nn.Linear(cfg.head_width, 1)
    )
