"""Other versions of a motion that mean the same: a few thousand captured clips are few.

tempo    a little faster or slower, with its velocities
offset   every number of a clip is off by its own constant: another body, another style
hidden   joints, or where the bodies are: one tells the other
noise    on every frame
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from texedo.see.learn.semantics.cfg import CrossTrainCfg
from texedo.see.semantics.cross.frames import BODIES, JOINTS, TURNING, VELOCITY


def augment(
    frames: Tensor, lengths: Tensor, mean: Tensor, std: Tensor, cfg: CrossTrainCfg
) -> tuple[Tensor, Tensor]:
    """Frames (B, T', 80) and lengths (B,) of varied motions; mean and std are (80,)."""
    if cfg.tempo > 0:
        spread = math.log(1.0 + cfg.tempo)
        rate = (spread * (2 * torch.rand(len(frames), device=frames.device) - 1)).exp()
        frames, lengths = at_tempo(frames, lengths, rate, longest=1.0 + cfg.tempo)
    offset = torch.randn_like(frames[:, :1]) * cfg.clip_noise
    noise = torch.randn_like(frames) * cfg.frame_noise
    frames = frames + (offset + noise) * std
    return hide(frames, mean, cfg.hidden), lengths


def at_tempo(
    frames: Tensor, lengths: Tensor, rate: Tensor, *, longest: float
) -> tuple[Tensor, Tensor]:
    """Played `rate` (B,) times as fast; none becomes more than `longest` times as long."""
    most = math.ceil(frames.shape[1] * longest)
    last = (lengths - 1)[:, None].to(rate.dtype)
    at = torch.arange(most, device=frames.device, dtype=rate.dtype) * rate[:, None]
    at = torch.minimum(at, last)
    low = at.floor()
    part = (at - low)[..., None].to(frames.dtype)
    low = low.long()
    high = torch.minimum(low + 1, (lengths - 1)[:, None])

    def taken(where: Tensor) -> Tensor:
        return frames.gather(1, where[..., None].expand(-1, -1, frames.shape[2]))

    out = taken(low).lerp(taken(high), part)
    speed = rate[:, None].to(frames.dtype)
    out[..., VELOCITY] *= speed[..., None]
    out[..., TURNING] *= speed
    # Rounded down, with some room for the rounding of the division itself.
    length = ((lengths - 1) / rate + 1e-4).floor().long() + 1
    inside = torch.arange(most, device=frames.device) < length[:, None]
    return out * inside[..., None], length


def hide(frames: Tensor, mean: Tensor, share: float) -> Tensor:
    """Joints of that share of the clips are hidden, and bodies of as many others."""
    if share <= 0:
        return frames
    chance = torch.rand(len(frames), 1, 1, device=frames.device)
    out = frames.clone()
    for part, there in ((JOINTS, chance < share), (BODIES, chance > 1 - share)):
        out[..., part] = torch.where(there, mean[part], frames[..., part])
    return out
