"""The oracle's perturbations on a GPU: bodies, pushes and sensor noise of each world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.domain import Domain, nominal_domain
from texedo.tracker.sim.perturb import Draw


class Disturbance:
    """Which draw each world has, at fixed addresses."""

    def __init__(self, draws: Sequence[Draw], loop: ClosedLoop) -> None:
        self._draws, self._loop = draws, loop
        worlds, device = loop.sim.num_worlds, loop.sim.device
        frames = max((len(draw.noise) for draw in draws), default=1)
        self._noise = torch.zeros(worlds, frames, 70, device=device)
        self._push = torch.zeros(worlds, frames, 2, device=device)
        self._rows = torch.arange(worlds, device=device)
        self._last = frames - 1
        nominal = nominal_domain(worlds, device=device)
        loop.set_domain(Domain(*(part.clone() for part in nominal)))

    def give(self, worlds: Tensor, draws: list[int]) -> None:
        """The worlds (n,) become the robots with these numbers."""
        chosen = [self._draws[i] for i in draws]
        device = self._noise.device

        def put(values: object) -> Tensor:
            return torch.as_tensor(np.array(values), dtype=torch.float32).to(device)

        domain = self._loop.domain
        domain.friction[worlds] = put([d.sole_friction for d in chosen])
        domain.torso_mass[worlds] = put([d.torso_mass for d in chosen])
        domain.torso_com[worlds] = put([d.torso_com for d in chosen])
        domain.motor_strength[worlds] = put([d.motor_strength for d in chosen])
        domain.delay[worlds] = put([d.delay for d in chosen]).long()
        self._loop.set_domain(domain)
        noise = np.zeros((len(chosen), *self._noise.shape[1:]), dtype=np.float32)
        push = np.zeros((len(chosen), *self._push.shape[1:]), dtype=np.float32)
        for row, draw in enumerate(chosen):
            noise[row, : len(draw.noise)] = draw.noise
            push[row, draw.push_frames] = draw.push_vel_w
        self._noise[worlds], self._push[worlds] = put(noise), put(push)

    def noise(self, frame: Tensor) -> Tensor:
        """What is added to the measurements at `frame` (N,), (N, 70)."""
        return self._noise[self._rows, frame.clamp(max=self._last)]

    def push(self, qvel: Tensor, frame: Tensor) -> None:
        """Add the pushes of `frame` (N,) to root velocities, in place."""
        felt = (frame <= self._last)[:, None]
        push = self._push[self._rows, frame.clamp(max=self._last)]
        qvel[:, :2] += torch.where(felt, push, 0.0)
