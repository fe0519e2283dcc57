"""How worlds differ from the nominal one: what a policy must be robust against.

A `Domain` holds one draw per world. Ranges are those of the oracle's default
perturbations, a little wider for training; `strength` from 0 to 1 narrows all of them
towards the nominal robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from texedo.motion.motion import NUM_JOINTS
from texedo.robot.mjcf import SOLE_FRICTION


@dataclass(frozen=True, kw_only=True)
class DomainRanges:
    """Extremes of the uniform draws at full strength."""

    friction: tuple[float, float] = (0.35, 1.2)
    """Sliding friction of the soles."""
    torso_mass: float = 0.12
    """Relative change of the torso's mass."""
    torso_com: float = 0.035
    """Shift of the torso's centre of mass along each axis [m]."""
    motor_strength: float = 0.12
    """Relative change of each joint's gains; weak ones lose torque as well."""
    encoder_bias: float = 0.01
    """Constant error of each joint's measured angle [rad]."""
    max_delay: int = 4
    """Physics steps (5 ms) until a new target takes effect."""
    push_speed: float = 0.5
    """Change of the root's planar speed by a push [m/s]."""
    push_turn: float = 0.4
    """Change of the root's turn rate by a push [rad/s]."""
    push_interval: float = 3.0
    """Mean time between pushes [s]."""


class Domain(NamedTuple):
    """One draw per world."""

    friction: Tensor
    """(N,)."""
    torso_mass: Tensor
    """Factor, (N,)."""
    torso_com: Tensor
    """(N, 3) [m]."""
    motor_strength: Tensor
    """Factor, (N, 29)."""
    encoder_bias: Tensor
    """Added to measured angles, (N, 29) [rad]."""
    delay: Tensor
    """Physics steps, (N,) int64."""


def nominal_domain(num_worlds: int, *, device: torch.device | str) -> Domain:
    """The unperturbed robot."""
    one = torch.ones(num_worlds, device=device)
    return Domain(
        friction=one * SOLE_FRICTION,
        torso_mass=one,
        torso_com=torch.zeros(num_worlds, 3, device=device),
        motor_strength=one[:, None].repeat(1, NUM_JOINTS),
        encoder_bias=torch.zeros(num_worlds, NUM_JOINTS, device=device),
        delay=torch.zeros(num_worlds, dtype=torch.int64, device=device),
    )


def sample_domain(
    num_worlds: int,
    ranges: DomainRanges,
    *,
    strength: Tensor,
) -> Domain:
    """Independent draws from torch's current generator, `strength` (N,) for each."""
    device = strength.device

    def spread(*shape: int) -> Tensor:
        """Uniform in -strength .. strength."""
        draw = torch.rand(num_worlds, *shape, device=device)
        return (2.0 * draw - 1.0) * strength.view(-1, *(1,) * len(shape))

    low, high = ranges.friction
    share = torch.rand(num_worlds, device=device)
    friction = low + (high - low) * share
    delay = torch.rand(num_worlds, device=device) * (ranges.max_delay * strength + 1.0)
    return Domain(
        friction=SOLE_FRICTION + strength * (friction - SOLE_FRICTION),
        torso_mass=1.0 + ranges.torso_mass * spread(),
        torso_com=ranges.torso_com * spread(3),
        motor_strength=1.0 + ranges.motor_strength * spread(NUM_JOINTS),
        encoder_bias=ranges.encoder_bias * spread(NUM_JOINTS),
        delay=delay.long().clamp(max=ranges.max_delay),
    )
