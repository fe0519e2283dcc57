"""Policy and physics coupled: place robots, observe, act, step. On one device, N worlds.

Training and evaluation differ in where robots start and what is made of each step; what
happens within a step is the same for both and is written here once.
"""

from __future__ import annotations

import torch
from torch import Tensor

from texedo.motion.motion import NUM_JOINTS
from texedo.tracker.policies.actor import action_scale, joint_targets
from texedo.tracker.policies.spec import PROPRIOCEPTION_SIZE, TrackerSpec
from texedo.tracker.sim import observation
from texedo.tracker.sim.domain import Domain, nominal_domain
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.perturb import SUBSTEPS
from texedo.tracker.sim.protocol import Simulation
from texedo.tracker.sim.reference_library import ReferenceLibrary


class ClosedLoop:
    """N robots, each somewhere in a clip of the library."""

    def __init__(
        self,
        sim: Simulation,
        library: ReferenceLibrary,
        spec: TrackerSpec,
        *,
        late: int = 0,
    ) -> None:
        """With `late` a target waits for so many control steps before it is sent."""
        self.sim, self.library, self.spec = sim, library, spec
        worlds, device = sim.num_worlds, sim.device
        self.frames = library.starts.new_zeros(worlds)
        """The reference frame each robot is at, (N,) global index."""
        self.last_action = torch.zeros(worlds, NUM_JOINTS, device=device)
        self._last_target = torch.zeros(worlds, NUM_JOINTS, device=device)
        self._waiting = torch.zeros(worlds, late, NUM_JOINTS, device=device)
        shape = (worlds, spec.history_length, PROPRIOCEPTION_SIZE)
        self._history = torch.zeros(shape, device=device)
        self._fresh = torch.ones(worlds, dtype=torch.bool, device=device)
        self._scale = action_scale(device)
        self._substeps = torch.arange(SUBSTEPS, device=device)[:, None, None]
        self.domain = nominal_domain(worlds, device=device)

    def set_domain(self, domain: Domain) -> None:
        """Change friction, torso, motors, encoders and delays of all worlds."""
        self.sim.set_domain(domain)
        self.domain = domain

    def place(self, where: Tensor, frames: Tensor, qpos: Tensor, qvel: Tensor) -> None:
        """Start the worlds `where` (N,) at `frames` in the given states."""
        mask = where[:, None]
        self.sim.place(where, qpos, qvel)
        self.frames = torch.where(where, frames, self.frames)
        self.last_action = self.last_action.masked_fill(mask, 0.0)
        # A delayed first target must be the pose the robot starts in.
        self._last_target = torch.where(mask, qpos[:, 7:], self._last_target)
        self._waiting = torch.where(
            where[:, None, None], qpos[:, None, 7:], self._waiting
        )
        self._fresh = self._fresh | where

    def start_states(self, frames: Tensor) -> tuple[Tensor, Tensor]:
        """The reference's own states at `frames`, lifted out of the floor."""
        qpos, qvel = self.library.qpos[frames].clone(), self.library.qvel[frames]
        qpos[:, 2] += self.library.sole_depth[frames]
        return qpos, qvel

    def observe(self, state: SimState, noise: Tensor | None = None) -> Tensor:
        """Actor observations (N, actor_obs_size); call it once per step.

        `noise` (N, 70) is added to what the robots measure, with their encoders' bias.
        """
        qpos, qvel = state.qpos, state.qvel
        if noise is not None:
            qpos, qvel = observation.measured(qpos, qvel, noise)
        bias = self.domain.encoder_bias
        qpos = torch.cat((qpos[:, :7], qpos[:, 7:] + bias), dim=-1)
        latest = self._proprioception(qpos, qvel)
        self._history = observation.push_history(
            self._history, latest, fresh=self._fresh
        )
        self._fresh = torch.zeros_like(self._fresh)
        ahead = observation.command(self.library, self.frames, qpos[:, 3:7], self.spec)
        return observation.actor_observation(self._history, ahead)

    def critic_observe(self, state: SimState, *, steps_left: Tensor) -> Tensor:
        """What the critic sees, (N, critic_obs_size), without noise."""
        own = self._proprioception(state.qpos, state.qvel)
        quat = state.qpos[:, 3:7]
        ahead = observation.command(self.library, self.frames, quat, self.spec)
        hidden = observation.privileged(
            self.library, self.frames, state, steps_left=steps_left
        )
        return torch.cat((own, ahead, hidden), dim=-1)

    def _proprioception(self, qpos: Tensor, qvel: Tensor) -> Tensor:
        origin = observation.joint_origin(self.library, self.frames, self.spec)
        return observation.proprioception(
            qpos, qvel, self.last_action, origin=origin, spec=self.spec
        )

    def step(self, action: Tensor) -> None:
        """Act for one control step; every robot moves on to its next frame."""
        self.act(action)
        self.sim.step()

    def act(self, action: Tensor) -> None:
        """Hand the targets to the simulation, which has yet to take the step."""
        end = self.library.ends[self.library.clip_of[self.frames]]
        following = torch.minimum(self.frames + 1, end)
        target = joint_targets(
            self.library.qpos[following, 7:],
            action,
            scale=self._scale,
            limit=self.spec.action_limit,
        )
        if self._waiting.shape[1]:
            queue = torch.cat((self._waiting, target[:, None]), dim=1)
            target, self._waiting = queue[:, 0], queue[:, 1:]
        # The motor's own loop reads the same biased encoder.
        target = target - self.domain.encoder_bias
        arrived = self._substeps >= self.domain.delay[None, :, None]
        self.sim.stage.copy_(torch.where(arrived, target, self._last_target))
        self._last_target, self.last_action = target, action
        self.frames = following
