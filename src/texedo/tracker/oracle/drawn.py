"""Perturbed robots by the hundred thousand: what `perturb.draw` gives, as tensors.

One robot drawn with numpy takes a third of a millisecond, far more than its share of a
roll-out on a GPU. Here all robots of a queue are drawn at once on the device, with the
numbers that `perturb.draw` would have given them; only their keys are made in Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.motion.motion import FPS, NUM_JOINTS
from texedo.tracker.sim.domain import Domain, nominal_domain
from texedo.tracker.sim.perturb import Perturbation, max_pushes
from texedo.tracker.sim.philox import first_numbers, unit_interval

_BODY = 1 + 1 + 3 + NUM_JOINTS
"""Numbers of a body that are not whole: friction, mass, centre of mass, motors."""
_NEVER = -1
"""In place of a frame."""


class DrawnRobots(NamedTuple):
    """M robots on a device, some of them nominal."""

    domain: Domain
    """Friction, torso, motors and delay of each."""
    push_frames: Tensor
    """Frames at which it is pushed, (M, P) int64; -1 for no push."""
    push_vel: Tensor
    """Horizontal velocity that each push adds, (M, P, 2) [m/s]."""
    noise_keys: Tensor
    """Of the stream of its sensors' noise, (M, 2) int64."""
    noise_widths: Tensor
    """Half width of each measured number's noise, (M, 70); 0 on nominal robots."""


def draw_robots(
    perturbation: Perturbation,
    keys: NDArray[np.int64],
    lengths: NDArray[np.int64],
    *,
    device: torch.device,
    nominal: NDArray[np.bool_] | None = None,
) -> DrawnRobots:
    """Robots with `keys` (M, 3, 2) for motions of `lengths` (M,) frames.

    Those that are `nominal` (M,) are not perturbed at all.
    """
    count = len(keys)
    if nominal is None:
        nominal = np.zeros(count, dtype=np.bool_)
    body, push, noise = torch.from_numpy(keys.copy()).to(device).unbind(1)
    plain = torch.from_numpy(nominal).to(device)
    drawn = _bodies(perturbation, first_numbers(body.contiguous(), _BODY + 1))
    usual = nominal_domain(count, device=device)
    domain = Domain(
        *(
            torch.where(plain.view(-1, *(1,) * (a.ndim - 1)), b, a)
            for a, b in zip(drawn, usual, strict=True)
        )
    )
    frames, velocity = _pushes(perturbation, push.contiguous(), lengths)
    widths = torch.as_tensor(perturbation.noise.widths(), dtype=torch.float32)
    return DrawnRobots(
        domain,
        push_frames=frames.masked_fill(plain[:, None], _NEVER),
        push_vel=velocity,
        noise_keys=noise.contiguous(),
        noise_widths=torch.where(plain[:, None], 0.0, widths.to(device)),
    )


def _bodies(ranges: Perturbation, bits: Tensor) -> Domain:
    """From the first numbers of the streams of bodies, (M, 35)."""
    share = unit_interval(bits[:, :_BODY])
    both_ways = 2.0 * share - 1.0
    low, high = ranges.sole_friction
    # A whole number takes the lower half of the bits, as numpy does.
    whole = (bits[:, _BODY] & 0xFFFFFFFF) * (ranges.max_delay + 1) >> 32
    return Domain(
        friction=(low + (high - low) * share[:, 0]).float(),
        torso_mass=(1.0 + ranges.torso_mass * both_ways[:, 1]).float(),
        torso_com=(ranges.torso_com * both_ways[:, 2:5]).float(),
        motor_strength=(1.0 + ranges.motor_strength * both_ways[:, 5:]).float(),
        encoder_bias=torch.zeros(len(bits), NUM_JOINTS, device=bits.device),
        delay=whole,
    )


def _pushes(
    ranges: Perturbation, keys: Tensor, lengths: NDArray[np.int64]
) -> tuple[Tensor, Tensor]:
    """Frames (M, P) and velocities (M, P, 2)."""
    count = max_pushes(ranges, int(lengths.max(initial=0)))
    share = unit_interval(first_numbers(keys, 3 * count)).view(-1, count, 3)
    waits, angle, speed = share.unbind(-1)
    low, high = ranges.push_every
    frames = (torch.cumsum(low + (high - low) * waits, 1) * FPS).round().long()
    # The last frame is where a roll-out ends: a push there would not be felt.
    last = torch.from_numpy(lengths - 1).to(keys.device)
    frames = torch.where(frames < last[:, None], frames, _NEVER)
    angle, speed = 2 * torch.pi * angle, ranges.push_speed * speed
    velocity = torch.stack((speed * angle.cos(), speed * angle.sin()), dim=-1)
    return frames, velocity.float()
