"""The training ground: many noisy robots, each tracking some part of the corpus.

An episode starts anywhere in a clip and ends when an oracle termination fires, when the
clip ends, when it has lasted ten seconds, or when the robot has drifted too far in the
plane for position rewards to mean anything. Only the first of these is a failure; the
others cut the episode and its value is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from texedo.learning.rotations_torch import length, quat_from_rotvec, quat_multiply
from texedo.motion.motion import FPS
from texedo.robot.g1 import SOFT_LOWER, SOFT_UPPER
from texedo.tracker.learn.rewards import RewardWeights, penalties, tracking_rewards
from texedo.tracker.learn.start_sampling import StartSampler
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.domain import DomainRanges, sample_domain
from texedo.tracker.sim.failures import failures, reference_at
from texedo.tracker.sim.perturb import StateNoise

CONTROL_STEP = 1.0 / FPS


@dataclass(frozen=True, kw_only=True)
class EnvCfg:
    """The rules of the training ground."""

    episode_steps: int = 500
    """Control steps after which an episode is cut: ten seconds."""
    max_drift: float = 1.0
    """Planar distance to the reference at which an episode is cut [m]."""
    weights: RewardWeights = field(default_factory=RewardWeights)
    ranges: DomainRanges = field(default_factory=DomainRanges)
    noise: StateNoise = field(default_factory=StateNoise)
    start_noise: float = 1.0
    """Factor on the spread of start states."""


class Step(NamedTuple):
    """Outcome of one control step of all worlds."""

    reward: Tensor
    failed: Tensor
    """A termination fired or the simulation blew up, (N,) bool."""
    cut: Tensor
    """The episode ended without a failure, (N,) bool."""
    broken: Tensor
    """The simulation blew up, (N,) bool."""
    body_error: Tensor
    """Mean distance of bodies relative to the pelvis, (N,) [m]."""


# Half widths of start noise: x y z [m], roll pitch yaw [rad], velocities, joints.
_START_POS = (0.03, 0.03, 0.01)
_START_TURN = (0.06, 0.06, 0.12)
_START_VEL = (0.25, 0.25, 0.1, 0.3, 0.3, 0.4)
_START_JOINT = 0.05
_MIN_SHARE = 0.1
"""Share of the disturbances in the calmest world."""


class TrackingEnv:
    """N worlds that restart by themselves.

    `strength` (0..1) scales every disturbance; worlds differ in how much of it they get,
    most of them little, so that the nominal robot stays the best known.
    """

    def __init__(self, loop: ClosedLoop, sampler: StartSampler, cfg: EnvCfg) -> None:
        self.loop, self.sampler, self.cfg = loop, sampler, cfg
        self.strength = 0.0
        self._worlds, self._device = loop.sim.num_worlds, loop.sim.device
        ramp = torch.linspace(0.0, 1.0, self._worlds).square()
        self._share = (_MIN_SHARE + (1.0 - _MIN_SHARE) * ramp).to(self._device)
        self.age = torch.zeros(self._worlds, dtype=torch.int64, device=self._device)
        put = self._constant
        self._noise_width = put(cfg.noise.widths())
        self._start_pos, self._start_turn = put(_START_POS), put(_START_TURN)
        self._start_vel = put(_START_VEL)
        self._soft = put(SOFT_LOWER), put(SOFT_UPPER)
        push = cfg.ranges
        self._push = put([push.push_speed] * 2 + [0.1] + [push.push_turn] * 3)
        self.restart()

    def restart(self) -> None:
        """Place every robot anew; ages are spread so that cuts come in no waves."""
        everyone = torch.ones(self._worlds, dtype=torch.bool, device=self._device)
        self._start(everyone)
        self.age = torch.randint(
            0, self.cfg.episode_steps, (self._worlds,), device=self._device
        )

    def randomize(self) -> None:
        """Draw new bodies, motors, encoders and delays for all worlds."""
        self.loop.set_domain(
            sample_domain(
                self._worlds,
                self.cfg.ranges,
                strength=self.strength * self._share,
            )
        )

    def observe(self) -> tuple[Tensor, Tensor]:
        """Noisy actor and clean critic observations; call it once per step."""
        noise = self._spread(70) * self._noise_width * self._level()
        actor = self.loop.observe(self.loop.sim.state(), noise)
        return _tame(actor), self.observe_critic()

    def observe_critic(self) -> Tensor:
        """The critic's part alone, which leaves the history of the robots as it is."""
        loop = self.loop
        end = loop.library.ends[loop.library.clip_of[loop.frames]]
        left = (end - loop.frames).float()
        return _tame(loop.critic_observe(loop.sim.state(), steps_left=left))

    def step(self, action: Tensor) -> Step:
        """Act, judge, and restart the worlds that are done."""
        loop, cfg = self.loop, self.cfg
        last_action = loop.last_action
        self._disturb()
        loop.step(action)
        self.age = self.age + 1
        broken = loop.sim.broken()
        state = loop.sim.state()
        reference = reference_at(loop.library, loop.frames)
        failed = failures(state, reference).any(-1) | broken
        reward = tracking_rewards(state, reference, cfg.weights) + penalties(
            state,
            action,
            last_action,
            torque=torch.nan_to_num(loop.sim.torque),
            weights=cfg.weights,
        )
        gap = state.body_pos - reference.body_pos
        drift = length(gap[:, 0, :2])[:, 0]
        over = loop.frames >= loop.library.ends[loop.library.clip_of[loop.frames]]
        cut = ~failed & (over | (self.age >= cfg.episode_steps))
        cut = cut | (~failed & (drift > cfg.max_drift))
        self.sampler.record(loop.frames, failed)
        self._start(failed | cut)
        return Step(
            reward=torch.where(broken, 0.0, reward) * CONTROL_STEP
            + cfg.weights.failure * failed,
            failed=failed,
            cut=cut,
            broken=broken,
            body_error=length(gap - gap[:, :1])[..., 0].mean(-1),
        )

    def _disturb(self) -> None:
        """Push some robots: a sudden change of the root's velocity."""
        chance = CONTROL_STEP / self.cfg.ranges.push_interval
        hit = torch.rand(self._worlds, 1, device=self._device) < chance
        change = self._spread(6) * self._push * self._level()
        self.loop.sim.qvel[:, :6] += torch.where(hit, change, 0.0)

    def _start(self, where: Tensor) -> None:
        """Restart worlds near a sampled reference frame."""
        frames = self.sampler.sample(self._worlds)
        qpos, qvel = self.loop.start_states(frames)
        spread = self.cfg.start_noise * (0.25 + 0.75 * self._level())
        turn = quat_from_rotvec(self._spread(3) * self._start_turn * spread)
        joints = qpos[:, 7:] + self._spread(29) * (_START_JOINT * spread)
        # References may sit beyond the soft range: noise must not pull them back in.
        low = torch.minimum(self._soft[0], qpos[:, 7:])
        high = torch.maximum(self._soft[1], qpos[:, 7:])
        qpos = torch.cat(
            (
                qpos[:, :3] + self._spread(3) * self._start_pos * spread,
                quat_multiply(turn, qpos[:, 3:7]),
                torch.minimum(torch.maximum(joints, low), high),
            ),
            dim=-1,
        )
        jolt = self._spread(6) * self._start_vel * spread
        qvel = torch.cat((qvel[:, :6] + jolt, qvel[:, 6:]), dim=-1)
        self.loop.place(where, frames, qpos, qvel)
        self.age = torch.where(where, 0, self.age)

    def _level(self) -> Tensor:
        """Strength of disturbances in each world, (N, 1)."""
        return self.strength * self._share[:, None]

    def _spread(self, size: int) -> Tensor:
        """Uniform in -1..1, (N, size)."""
        return 2.0 * torch.rand(self._worlds, size, device=self._device) - 1.0

    def _constant(self, values: object) -> Tensor:
        return torch.tensor(values, dtype=torch.float32, device=self._device)


def _tame(x: Tensor) -> Tensor:
    """A robot that is about to be restarted must not poison the statistics."""
    return torch.nan_to_num(x, nan=0.0, posinf=0.0, neginf=0.0).clamp(-50.0, 50.0)
