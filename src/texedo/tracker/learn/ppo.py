"""Proximal policy optimisation with an asymmetric critic, in plain torch.

The policy is a Gaussian about the actor's output with one learned width per joint. The
observation normalisers stand still while data is collected and used, and move after it:
the ratio of new to old probabilities is then exact. The learning rate follows the
divergence between the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import Tensor, nn

from texedo.learning.precision import rounded
from texedo.motion.motion import NUM_JOINTS
from texedo.tracker.policies.actor import Actor, Normalizer, mlp
from texedo.tracker.policies.spec import TrackerSpec

_LOG_2PI = math.log(2 * math.pi)
_MIN_LOG_STD, _MAX_LOG_STD = -2.7, 0.3
_MIN_RATE, _MAX_RATE = 2e-6, 2e-3
_CRITIC_RATE = 5e-4
"""Learning rate while the critic learns alone."""
_WIDER = 2.0
"""Growth of a number's spread beyond which the old one is given up."""
_REMEMBERED = 2e7
"""Rows that the normaliser of an actor that was taken over counts for, at most."""
_SETTLED = 0.25
"""Divergence per update once a policy settles, as a share of the one before."""


@dataclass(frozen=True, kw_only=True)
class PPOCfg:
    """Constants of the algorithm."""

    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    epochs: int = 5
    minibatches: int = 4
    learning_rate: float = 3e-4
    """Initial learning rate; it adapts afterwards."""
    target_kl: float = 0.015
    entropy: float = 0.002
    max_grad_norm: float = 1.0
    initial_std: float = 0.45
    memory: float = 0.99
    """Decay of the moving average of the actor, which is what ships: the last
    update of a policy that still explores is rarely its best."""
    bf16: bool = True
    """Hidden layers in bfloat16 where the machine is made for it."""


class Batch(NamedTuple):
    """T steps of N worlds."""

    actor_obs: Tensor
    critic_obs: Tensor
    actions: Tensor
    means: Tensor
    log_probs: Tensor
    values: Tensor
    rewards: Tensor
    """Of cut episodes with the estimated value of what would have followed."""
    dones: Tensor
    """1 where an episode ended, whatever the reason, (T, N)."""


class UpdateStats(NamedTuple):
    """Means over the minibatches of one update."""

    kl: float
    value_loss: float
    policy_loss: float
    finite: bool
    """False if an update had to be abandoned."""


def advantages(
    rewards: Tensor,
    values: Tensor,
    dones: Tensor,
    last_value: Tensor,
    *,
    gamma: float,
    gae_lambda: float,
) -> Tensor:
    """Generalised advantage estimates, (T, N)."""
    result = torch.zeros_like(rewards)
    following, carried = last_value, torch.zeros_like(last_value)
    for t in reversed(range(len(rewards))):
        goes_on = 1.0 - dones[t]
        delta = rewards[t] + gamma * goes_on * following - values[t]
        carried = delta + gamma * gae_lambda * goes_on * carried
        result[t], following = carried, values[t]
    return result


def gaussian_log_prob(action: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    """Log density summed over the joints, (...)."""
    scaled = (action - mean) / std
    return (-0.5 * scaled.square() - std.log() - 0.5 * _LOG_2PI).sum(-1)


def gaussian_kl(mean: Tensor, std: Tensor, old_mean: Tensor, old_std: Tensor) -> Tensor:
    """KL divergence of the old distribution from the new one, (...)."""
    spread = (old_std.square() + (old_mean - mean).square()) / (2 * std.square())
    return ((std / old_std).log() + spread - 0.5).sum(-1)


class Learner(nn.Module):
    """Actor, critic and exploration, with their optimiser."""

    def __init__(self, spec: TrackerSpec, cfg: PPOCfg) -> None:
        super().__init__()
        self.cfg = cfg
        self.actor = Actor(spec)
        self.critic_normalizer = Normalizer(
            spec.critic_obs_size, limit=spec.observation_limit
        )
        self.critic = mlp((spec.critic_obs_size, *spec.hidden_sizes, 1), last_gain=1.0)
        self.log_std = nn.Parameter(
            torch.full((NUM_JOINTS,), math.log(cfg.initial_std))
        )
        # Last, so that the optimiser's numbering of the others does not depend on it.
        self.mean_actor = Actor(spec).requires_grad_(False)
        self.mean_actor.load_state_dict(self.actor.state_dict())
        self.learning_rate = cfg.learning_rate
        self.critic_only = False
        """While the critic is worth nothing, the policy is better left alone."""
        self.optimizer: torch.optim.Optimizer | None = None

    def make_optimizer(self) -> torch.optim.Optimizer:
        """Call once the parameters are on their device."""
        fused = self.log_std.is_cuda
        self.optimizer = torch.optim.Adam(
            [p for p in self.parameters() if p.requires_grad],
            lr=self.learning_rate,
            eps=1e-6,
            fused=fused,
        )
        return self.optimizer

    @torch.no_grad()
    def start_from(self, actor: Actor) -> None:
        """Take over a trained actor; call it when the normalisers have a first estimate.

        Numbers that vary far more in these data than in those it was trained on keep the
        new estimate: divided by the old spread they would all be clipped.
        """
        fresh = self.actor.normalizer
        mean, var = fresh.mean.clone(), fresh.var.clone()
        self.actor.load_state_dict(actor.state_dict())
        wider = var > _WIDER**2 * self.actor.normalizer.var
        self.actor.normalizer.mean[wider] = mean[wider]
        self.actor.normalizer.var[wider] = var[wider]
        self.actor.normalizer.count.clamp_(max=_REMEMBERED)
        self.mean_actor.load_state_dict(self.actor.state_dict())

    def settle(self) -> None:
        """From here on: no entropy bonus, and smaller steps."""
        self.cfg = replace(
            self.cfg, entropy=0.0, target_kl=_SETTLED * self.cfg.target_kl
        )

    def std(self) -> Tensor:
        return self.log_std.clamp(_MIN_LOG_STD, _MAX_LOG_STD).exp()

    def mean(self, actor_obs: Tensor) -> Tensor:
        """The unclipped centre of the policy; the environment clips actions."""
        return self._run(self.actor.network, self.actor.normalizer(actor_obs))

    def value(self, critic_obs: Tensor) -> Tensor:
        return self._run(self.critic, self.critic_normalizer(critic_obs))[:, 0]

    def _run(self, network: nn.Sequential, x: Tensor) -> Tensor:
        # The last layer stays in float32: rounding a mean to bfloat16 would look like a
        # divergence, the more so the narrower the policy gets.
        with rounded(x.device, enabled=self.cfg.bf16):
            hidden = network[:-1](x)
        out: Tensor = network[-1](hidden.float())
        return out

    @torch.no_grad()
    def observe(self, actor_obs: Tensor, critic_obs: Tensor) -> None:
        """Move the normalisers towards these rows."""
        self.actor.normalizer.update(actor_obs)
        self.critic_normalizer.update(critic_obs)

    @torch.no_grad()
    def follow(self) -> None:
        """Move the mean of the actors of late towards the present one."""
        share = 1.0 - self.cfg.memory
        torch._foreach_lerp_(
            list(self.mean_actor.parameters()), list(self.actor.parameters()), share
        )
        for mean, now in zip(
            self.mean_actor.buffers(), self.actor.buffers(), strict=True
        ):
            mean.copy_(now)

    def update(self, batch: Batch, last_value: Tensor) -> UpdateStats:
        """Learn from one batch; leaves the weights alone if it is not finite."""
        cfg = self.cfg
        gain = advantages(
            batch.rewards,
            batch.values,
            batch.dones,
            last_value,
            gamma=cfg.gamma,
            gae_lambda=cfg.gae_lambda,
        )
        returns = (gain + batch.values).flatten()
        gain = ((gain - gain.mean()) / (gain.std() + 1e-6)).flatten()
        flat = Batch(*(x.flatten(0, 1) for x in batch))
        old_std = self.std().detach()
        size = len(gain) // cfg.minibatches
        sums = torch.zeros(3, device=gain.device)
        for _ in range(cfg.epochs):
            order = torch.randperm(len(gain), device=gain.device)
            for part in torch.split(order, size)[: cfg.minibatches]:
                losses = self._minibatch(flat, part, gain, returns, old_std)
                if losses is None:
                    return UpdateStats(math.nan, math.nan, math.nan, finite=False)
                sums += losses
        self.observe(flat.actor_obs, flat.critic_obs)
        self.follow()
        kl, value_loss, policy_loss = (sums / (cfg.epochs * cfg.minibatches)).tolist()
        return UpdateStats(kl, value_loss, policy_loss, finite=True)

    def _minibatch(
        self, flat: Batch, part: Tensor, gain: Tensor, returns: Tensor, old_std: Tensor
    ) -> Tensor | None:
        cfg, optimizer = self.cfg, self.optimizer
        if optimizer is None:
            raise AssertionError("make_optimizer first")
        mean = self.mean(flat.actor_obs[part])
        value = self.value(flat.critic_obs[part])
        std = self.std()
        with torch.no_grad():
            kl = gaussian_kl(mean, std, flat.means[part], old_std).mean()
            if not self._adapt(float(kl)):
                return None
        log_prob = gaussian_log_prob(flat.actions[part], mean, std)
        ratio = (log_prob - flat.log_probs[part]).clamp(-10.0, 10.0).exp()
        clipped = ratio.clamp(1 - cfg.clip, 1 + cfg.clip)
        policy_loss = -torch.minimum(ratio * gain[part], clipped * gain[part]).mean()
        old_value, goal = flat.values[part], returns[part]
        near = old_value + (value - old_value).clamp(-cfg.clip, cfg.clip)
        value_loss = torch.maximum((value - goal).square(), (near - goal).square())
        entropy = (std.log() + 0.5 + 0.5 * _LOG_2PI).sum()
        loss = value_loss.mean()
        if not self.critic_only:
            loss = loss + policy_loss - cfg.entropy * entropy
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.parameters(), cfg.max_grad_norm)
        if not bool(torch.isfinite(norm)):
            return None
        optimizer.step()
        return torch.stack((kl, value_loss.mean().detach(), policy_loss.detach()))

    def _adapt(self, kl: float) -> bool:
        """Set the learning rate by the divergence; false if that is not a number."""
        if not math.isfinite(kl):
            return False
        if self.critic_only:  # Nothing diverges, which says nothing about the rate.
            self._set_rate(_CRITIC_RATE)
            return True
        if kl > 2.0 * self.cfg.target_kl:
            self.learning_rate = max(_MIN_RATE, self.learning_rate / 1.5)
        elif 0.0 < kl < 0.5 * self.cfg.target_kl:
            self.learning_rate = min(_MAX_RATE, self.learning_rate * 1.5)
        self._set_rate(self.learning_rate)
        return True

    def _set_rate(self, rate: float) -> None:
        if self.optimizer is not None:
            for group in self.optimizer.param_groups:
                group["lr"] = rate
