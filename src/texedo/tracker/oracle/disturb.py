"""The oracle's perturbations on a GPU: bodies, pushes and sensor noise of each world.

The noise of a step is made on the device just before it, from the key of the robot and
the frame that it is at; nothing is stored.
"""

from __future__ import annotations

import torch
from torch import Tensor

from texedo.tracker.oracle.drawn import DrawnRobots
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.domain import Domain, nominal_domain
from texedo.tracker.sim.perturb import NUM_MEASURED
from texedo.tracker.sim.philox import Streams


class Disturbance:
    """Which robot each world has, at fixed addresses."""

    def __init__(self, robots: DrawnRobots, loop: ClosedLoop, frame: Tensor) -> None:
        """`frame` (N,) is where each world is in its clip; it is only read."""
        self._robots, self._loop = robots, loop
        worlds, device = loop.sim.num_worlds, loop.sim.device

        def room(like: Tensor) -> Tensor:
            return like.new_zeros((worlds, *like.shape[1:]))

        self._push_frames, self._push_vel = map(room, robots[1:3])
        self._keys, self._widths = map(room, robots[3:])
        self._streams = Streams(self._keys, frame, width=NUM_MEASURED)
        nominal = nominal_domain(worlds, device=device)
        loop.set_domain(Domain(*(part.clone() for part in nominal)))

    def give(self, worlds: Tensor, tasks: Tensor) -> None:
        """The worlds (n,) become the robots with these numbers (n,)."""
        robots, domain = self._robots, self._loop.domain
        mine = (self._push_frames, self._push_vel, self._keys, self._widths)
        for home, value in zip(
            (*domain, *mine), (*robots.domain, *robots[1:]), strict=True
        ):
            home[worlds] = value[tasks]
        self._loop.set_domain(domain)

    def prepare(self) -> None:
        """Make the noise of the frames where the robots are now."""
        self._streams.read()

    def noise(self, frame: Tensor) -> Tensor:
        """What is added to the measurements at `frame` (N,), (N, 70)."""
        both_ways = 2.0 * self._streams.uniform(frame) - 1.0
        return both_ways.float() * self._widths

    def push(self, qvel: Tensor, frame: Tensor) -> None:
        """Add the pushes of `frame` (N,) to root velocities, in place."""
        felt = (self._push_frames == frame[:, None])[..., None]
        qvel[:, :2] += torch.where(felt, self._push_vel, 0.0).sum(1)
