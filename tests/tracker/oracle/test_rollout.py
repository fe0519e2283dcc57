from __future__ import annotations

import numpy as np
import pytest

from tests.support.standing import ON_THE_FLOOR, standing, stiff
from tests.tracker.policies.test_ours import small_actor
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.tracker.oracle.rollout import Rollouts, rollout
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import PERTURBATIONS, Perturbation

MOTIONS = [standing(40 + 7 * k, swing=0.2, seed=k) for k in range(6)]


def _network() -> TrackerPolicy:
    return TrackerPolicy(small_actor(), name="small")


def _identical(a: Rollouts, i: int, b: Rollouts, j: int) -> bool:
    """Whether motion i of one call is bit for bit motion j of another."""
    draws = [d for (motion, d) in a.states if motion == i]
    same_paths = all(np.array_equal(a.states[i, d], b.states[j, d]) for d in draws)
    columns = [
        (getattr(a.quality, name)[i], getattr(b.quality, name)[j])
        for name in a.quality._fields
    ]
    columns += [
        (getattr(a, name)[i], getattr(b, name)[j])
        for name in ("planar_drift", "saturation", "peak_torque", "foot_slip")
    ]
    return same_paths and all(
        np.array_equal(x, y, equal_nan=x.dtype == np.float64) for x, y in columns
    )


@pytest.mark.parametrize("perturbation", [None, "default"])
@pytest.mark.parametrize("policy", [OpenLoopPolicy(), _network()], ids=["open", "net"])
def test_the_number_of_workers_changes_no_bit(
    policy: Policy, perturbation: str | None
) -> None:
    one, two, four = (
        rollout(MOTIONS[:4], policy, perturbation=perturbation, workers=n)
        for n in (1, 2, 4)
    )
    for i in range(4):
        assert _identical(one, i, two, i)
        assert _identical(one, i, four, i)


@pytest.mark.parametrize("perturbation", [None, "default"])
def test_the_rest_of_the_batch_changes_no_bit(perturbation: str | None) -> None:
    policy = _network()
    every = rollout(MOTIONS, policy, perturbation=perturbation, workers=2)
    backwards = rollout(MOTIONS[::-1], policy, perturbation=perturbation, workers=1)
    alone = rollout(MOTIONS[2:3], policy, perturbation=perturbation)
    crowd = rollout(MOTIONS[2:4] * 20, policy, workers=1) if not perturbation else None
    for i in range(6):
        assert _identical(every, i, backwards, 5 - i)
    assert _identical(every, 2, alone, 0)
    if crowd is not None:  # More motions than slots: slots are used again.
        assert all(_identical(every, 2 + i % 2, crowd, i) for i in range(40))


def test_the_actor_is_asked_about_more_than_itself() -> None:
    # The test above would be empty if the network did not matter.
    ours, open_loop = (
        rollout(MOTIONS[:1], _network()),
        rollout(MOTIONS[:1], OpenLoopPolicy()),
    )
    assert not np.allclose(
        ours.states[0, 0][:20], open_loop.states[0, 0][:20], atol=1e-3
    )


def test_bad_motions_get_an_error_and_the_others_a_verdict() -> None:
    short = Motion.from_qpos(standing(5).to_qpos()[:2])
    floating = standing(30, height=ON_THE_FLOOR + 1.0)
    buried = standing(30, height=ON_THE_FLOOR - 0.4)
    result = rollout([MOTIONS[0], short, floating, buried, MOTIONS[1]], stiff())
    assert result.errors[0] is None and result.errors[4] is None
    assert "at least 3 frames" in (result.errors[1] or "")
    assert "mid-air" in (result.errors[2] or "")
    assert "under the floor" in (result.errors[3] or "")
    np.testing.assert_array_equal(result.valid, [True, False, False, False, True])
    assert result.success[[0, 4]].all() and not result.success[1:4].any()
    assert np.isnan(result.quality.progress[1:4]).all()
    assert (result.quality.failure_frame[1:4] == -1).all()
    assert set(result.states) == {(0, 0), (4, 0)}


def test_a_success_has_no_reason_and_a_failure_has_one() -> None:
    motion = standing(120, swing=0.0)
    good, bad = rollout([motion], stiff()), rollout([motion], OpenLoopPolicy())
    assert good.success[0] and good.reason(0) == ""
    assert good.quality.progress[0] == 1.0 and len(good.executed(0)) == 120
    assert not bad.success[0]
    assert set(bad.reason(0).split("+")) <= {"anchor_pos", "anchor_ori", "ee_body_pos"}
    assert len(bad.executed(0)) == bad.quality.failure_frame[0] + 1


def test_q_star_is_known_only_with_normalisers() -> None:
    motion = standing(30, swing=0.0)
    assert np.isnan(rollout([motion], stiff()).quality.q_star[0])
    graded = OpenLoopPolicy(
        actuation=stiff().actuation, normalizers=Normalizers(e_acc=10.0, e_vel=100.0)
    )
    result = rollout([motion], graded)
    q_d = result.quality.q_d[0]
    assert 0.9 < q_d <= 1.0
    assert result.quality.q_star[0] == pytest.approx((1 + 0.4 * q_d) / 1.4)


def test_robust_success_over_five_robots_is_one_call() -> None:
    # The stiff robot stands on any floor, and the pushes come after two seconds.
    result = rollout([standing(30, swing=0.0)] * 2, stiff(), perturbation="default")
    assert result.shape == (2, 5) == result.success.shape
    assert result.perturbation == "default"
    np.testing.assert_array_equal(result.robust_success, [1.0, 1.0])
    paths = [result.states[0, d][-1] for d in range(5)]
    assert all(not np.array_equal(paths[0], other) for other in paths[1:])
    for d in range(5):  # The same motion is the same motion, wherever it stands.
        np.testing.assert_array_equal(result.states[0, d], result.states[1, d])


def test_another_seed_draws_other_robots() -> None:
    few = Perturbation(draws=1)
    runs = [
        rollout(MOTIONS[:1], OpenLoopPolicy(), perturbation=few, seed=seed)
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(runs[0].states[0, 0], runs[1].states[0, 0])
    assert not np.array_equal(runs[0].states[0, 0][:9], runs[2].states[0, 0][:9])


def test_the_torque_limit_holds_for_strong_motors_too() -> None:
    always_strong = Perturbation(draws=2, motor_strength=0.1)
    quick = standing(60, swing=3.0)
    result = rollout([quick], OpenLoopPolicy(), perturbation=always_strong)
    assert (result.peak_torque <= 1.0 + 1e-12).all()


def test_states_are_kept_only_if_asked_for() -> None:
    assert rollout(MOTIONS[:1], stiff(), keep_states=False).states == {}


def test_progress_counts_to_the_total() -> None:
    calls: list[tuple[int, int]] = []
    rollout(MOTIONS[:3], stiff(), progress=lambda n, total: calls.append((n, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_no_motions_are_no_error() -> None:
    result = rollout([], stiff())
    assert result.shape == (0,) and result.quality.reasons.shape == (0, 3)
    assert rollout([], stiff(), perturbation="default").shape == (0, 5)


def test_a_wrong_number_of_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="workers must be at least 1, got 0"):
        rollout(MOTIONS[:1], stiff(), workers=0)


def test_the_default_perturbation_has_five_draws() -> None:
    assert PERTURBATIONS["default"].draws == 5
