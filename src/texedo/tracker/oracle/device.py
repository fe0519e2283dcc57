"""A tracker of ours on one device, ready to roll out packed clips by the thousand.

Imports MuJoCo-Warp: import this module only where a roll-out starts.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.tracker.oracle.batch import Outcomes, Watch, roll_out, unwatched
from texedo.tracker.oracle.drawn import DrawnRobots, draw_robots
from texedo.tracker.oracle.recording import Recording
from texedo.tracker.policies.actor import Actor
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Actuation, Policy
from texedo.tracker.policies.weaken import WeakenedPolicy
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.perturb import Perturbation
from texedo.tracker.sim.reference_library import ReferenceLibrary
from texedo.tracker.sim.warp import WarpSim

WORLDS = 8192
"""Robots at once at most; twice as many are hardly faster."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class DeviceOracle:
    """Worlds that are made with the first clips and kept for all that follow."""

    def __init__(
        self,
        policy: Policy,
        *,
        device: str,
        worlds: int = WORLDS,
        perturbation: Perturbation | None = None,
    ) -> None:
        # Warp and torch want a number.
        self.device = torch.device("cuda:0" if device == "cuda" else device)
        self.worlds, self.perturbation = worlds, perturbation
        network, self._late = policy, 0
        if isinstance(policy, WeakenedPolicy):
            network, self._late = policy.policy, policy.late
        if not isinstance(network, TrackerPolicy):
            raise PolicyError(
                f"Policy {policy.name!r} runs on the CPU alone; the GPU takes trackers "
                "that were trained here."
            )
        # Written to the model only where they differ: rounding is a change too.
        ours = policy.actuation.to_bytes() == Actuation().to_bytes()
        self._motors = None if ours else policy.actuation
        # A copy: the policy keeps its own on the CPU.
        actor = Actor(network.actor.spec)
        actor.load_state_dict(network.actor.state_dict())
        self._actor = actor.eval().requires_grad_(False)
        self._sim: WarpSim | None = None

    def perform(
        self,
        qpos: Floats,
        lengths: Ints,
        *,
        keys: Ints | None = None,
        nominal: bool = True,
        record: Recording | None = None,
        watch: Watch = unwatched,
    ) -> Outcomes:
        """Roll out clips of `lengths` (n,) that lie one after the other in `qpos`.

        Each by the nominal robot unless that is not wanted, then by the perturbed ones
        with `keys` (n, draws, 3, 2). Outcomes are clip after clip, and so is what
        `record` wants to be kept.
        """
        draws = 0 if keys is None else keys.shape[1]
        each = draws + nominal
        # A short list needs no more worlds than it has roll-outs.
        sim = self.make_worlds(each * len(lengths))
        library = ReferenceLibrary.build(
            qpos, np.cumsum(lengths) - lengths, lengths, device=self.device
        )
        clips = torch.arange(len(lengths)).repeat_interleave(each)
        robots = None if keys is None else self._robots(keys, lengths, nominal=nominal)
        loop = ClosedLoop(sim, library, self._actor.spec, late=self._late)
        return roll_out(
            loop, self._actor, clips, robots=robots, record=record, watch=watch
        )

    def make_worlds(self, most: int) -> WarpSim:
        """Those there are, or `most` if there are none; compiles on the first time."""
        if self._sim is None:
            self.worlds = max(1, min(self.worlds, most))
            self._sim = WarpSim(
                self.worlds,
                device=str(self.device),
                randomized=self.perturbation is not None,
                actuation=self._motors,
            )
            self._actor.to(self.device)
        return self._sim

    def _robots(self, keys: Ints, lengths: Ints, *, nominal: bool) -> DrawnRobots:
        if self.perturbation is None:
            raise ValueError("Keys of perturbed robots, but no perturbation.")
        plain = np.zeros((len(keys), keys.shape[1] + nominal), dtype=np.bool_)
        if nominal:  # A robot that is not drawn needs no key.
            plain[:, 0] = True
            own = np.zeros((len(keys), 1, *keys.shape[2:]), dtype=keys.dtype)
            keys = np.concatenate((own, keys), axis=1)
        return draw_robots(
            self.perturbation,
            keys.reshape(-1, *keys.shape[2:]),
            np.repeat(lengths, plain.shape[1]),
            device=self.device,
            nominal=plain.ravel(),
        )
