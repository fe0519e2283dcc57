"""The learning algorithm against arithmetic on paper."""

import math

import numpy as np
import pytest
import torch

from texedo.tracker.learn.ppo import (
    Batch,
    Learner,
    PPOCfg,
    advantages,
    gaussian_kl,
    gaussian_log_prob,
)
from texedo.tracker.policies.actor import Actor
from texedo.tracker.policies.spec import TrackerSpec

SPEC = TrackerSpec(hidden_sizes=(16,))


def test_advantages_by_hand() -> None:
    column = torch.tensor
    gain = advantages(
        column([[1.0], [2.0], [3.0]]),
        column([[0.5], [1.0], [1.5]]),
        column([[0.0], [1.0], [0.0]]),
        column([2.0]),
        gamma=0.9,
        gae_lambda=0.5,
    )
    last = 3.0 + 0.9 * 2.0 - 1.5
    middle = 2.0 - 1.0  # the episode ended there: nothing follows
    first = 1.0 + 0.9 * 1.0 - 0.5 + 0.45 * middle
    np.testing.assert_allclose(gain[:, 0].numpy(), [first, middle, last], rtol=1e-6)


def test_a_cut_episode_is_worth_its_reward_and_its_estimated_rest() -> None:
    # Reward 1 and a value of 10 that would have gone on: 1 + 0.99 x 10.
    reward = torch.tensor([[1.0 + 0.99 * 10.0]])
    gain = advantages(
        reward,
        torch.tensor([[10.0]]),
        torch.ones(1, 1),
        torch.tensor([99.0]),
        gamma=0.99,
        gae_lambda=0.95,
    )
    assert float(gain) == pytest.approx(0.9)


def test_log_density_and_divergence_of_gaussians() -> None:
    zero, std = torch.zeros(1, 2), torch.tensor([1.0, 2.0])
    expected = -math.log(2 * math.pi) - math.log(2.0)
    assert float(gaussian_log_prob(zero, zero, std)) == pytest.approx(expected)
    assert float(gaussian_kl(zero, std, zero, std)) == pytest.approx(0.0, abs=1e-6)
    moved = gaussian_kl(zero + 1.0, std, zero, std)
    assert float(moved) == pytest.approx(0.5 * (1.0 + 0.25))


def random_batch(learner: Learner, steps: int = 8, worlds: int = 32) -> Batch:
    with torch.no_grad():
        actor_obs = torch.randn(steps, worlds, SPEC.actor_obs_size)
        critic_obs = torch.randn(steps, worlds, SPEC.critic_obs_size)
        means = learner.mean(actor_obs.flatten(0, 1)).unflatten(0, (steps, worlds))
        actions = means + learner.std() * torch.randn_like(means)
        values = learner.value(critic_obs.flatten(0, 1)).unflatten(0, (steps, worlds))
    return Batch(
        actor_obs,
        critic_obs,
        actions,
        means,
        gaussian_log_prob(actions, means, learner.std().detach()),
        values,
        # Good actions are those with a large first component.
        actions[..., 0].clone(),
        torch.ones(steps, worlds),
    )


def test_learning_moves_the_policy_towards_what_paid() -> None:
    torch.manual_seed(0)
    learner = Learner(SPEC, PPOCfg(entropy=0.0, learning_rate=1e-3))
    learner.make_optimizer()
    before = None
    for _ in range(12):
        batch = random_batch(learner)
        before = before if before is not None else float(batch.means[..., 0].mean())
        stats = learner.update(batch, torch.zeros(32))
        assert stats.finite
    after = float(random_batch(learner).means[..., 0].mean())
    assert after > before + 0.3


def test_the_learning_rate_follows_the_divergence() -> None:
    learner = Learner(SPEC, PPOCfg(learning_rate=1e-3, target_kl=0.01))
    assert learner._adapt(0.05) and learner.learning_rate == pytest.approx(1e-3 / 1.5)
    assert learner._adapt(0.001) and learner.learning_rate == pytest.approx(1e-3)
    assert learner._adapt(0.01) and learner.learning_rate == pytest.approx(1e-3)
    assert not learner._adapt(math.nan)


def test_a_policy_that_settles_explores_no_more_and_takes_quarter_steps() -> None:
    learner = Learner(SPEC, PPOCfg(entropy=0.002, target_kl=0.02))
    learner.settle()
    assert (learner.cfg.entropy, learner.cfg.target_kl) == (0.0, 0.005)


def test_numbers_that_are_not_finite_leave_the_weights_alone() -> None:
    torch.manual_seed(0)
    learner = Learner(SPEC, PPOCfg())
    learner.make_optimizer()
    before = [p.detach().clone() for p in learner.parameters()]
    batch = random_batch(learner)
    batch.rewards[0, 0] = math.nan
    assert not learner.update(batch, torch.zeros(32)).finite
    for old, new in zip(before, learner.parameters(), strict=True):
        torch.testing.assert_close(old, new.detach())


def test_the_actor_that_ships_moves_a_hundredth_of_the_way_to_the_present_one() -> None:
    learner = Learner(TrackerSpec(hidden_sizes=(8,)), PPOCfg(memory=0.99))
    before = [p.clone() for p in learner.mean_actor.parameters()]
    with torch.no_grad():
        for parameter in learner.actor.parameters():
            parameter += 1.0
    learner.follow()
    for old, new in zip(before, learner.mean_actor.parameters(), strict=True):
        torch.testing.assert_close(new, old + 0.01)


def trained(spec: TrackerSpec) -> Actor:
    """An actor that has seen numbers of spread 1 about 0."""
    actor = Actor(spec)
    actor.normalizer.count.fill_(1e9)
    return actor


def test_fine_tuning_takes_over_the_network_and_the_spread_of_what_it_knows() -> None:
    learner = Learner(SPEC, PPOCfg())
    learner.actor.normalizer.var.fill_(0.5)
    actor = trained(SPEC)
    learner.start_from(actor)
    for mine, theirs in zip(
        learner.mean_actor.parameters(), actor.parameters(), strict=True
    ):
        torch.testing.assert_close(mine, theirs)
    torch.testing.assert_close(learner.actor.normalizer.var, actor.normalizer.var)
    assert float(learner.actor.normalizer.count) == 2e7


def test_numbers_that_now_vary_five_times_as_much_keep_the_new_spread() -> None:
    learner = Learner(SPEC, PPOCfg())
    learner.actor.normalizer.var[3] = 25.0
    learner.actor.normalizer.mean[3] = 2.0
    learner.start_from(trained(SPEC))
    normalizer = learner.actor.normalizer
    assert (float(normalizer.var[3]), float(normalizer.mean[3])) == (25.0, 2.0)
    assert (float(normalizer.var[4]), float(normalizer.mean[4])) == (1.0, 0.0)


def test_while_the_critic_learns_alone_the_policy_stays_as_it_is() -> None:
    torch.manual_seed(0)
    learner = Learner(SPEC, PPOCfg())
    learner.make_optimizer()
    before = [p.clone() for p in learner.actor.network.parameters()]
    critic = [p.clone() for p in learner.critic.parameters()]
    learner.critic_only = True
    assert learner.update(random_batch(learner), torch.zeros(32)).finite
    assert all(
        torch.equal(a, b)
        for a, b in zip(before, learner.actor.network.parameters(), strict=True)
    )
    assert not torch.equal(critic[0], next(learner.critic.parameters()))
