"""What is asked of a dynamic verifier, by numbers one can check."""

import numpy as np
import pytest
import torch

from tests.support.dynamics import small_labels
from tests.support.motions import random_motion
from texedo.data.corpus.trials import Trial
from texedo.quality import Normalizers
from texedo.robot.mirror import mirror_qpos
from texedo.see.dynamics.hazard.net import COLUMNS
from texedo.see.dynamics.paper.net import Heads
from texedo.see.learn.dynamics.batches import DeviceRollOuts, Drawer
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
from texedo.see.learn.dynamics.data import RollOuts
from texedo.see.learn.dynamics.figures import (
    auroc,
    average_precision,
    calibration_error,
    kendall_within,
    spearman,
)
from texedo.see.learn.dynamics.loss import (
    hazard_loss,
    order_loss,
    paper_loss,
    survival,
)

NORMALIZERS = Normalizers(e_acc=2.0, e_vel=4.0)


def logits(*hazards: float) -> torch.Tensor:
    h = torch.tensor([hazards])
    return torch.log(h / (1 - h))


def rollouts(frames: list[int], executed: list[int], split: str = "train") -> RollOuts:
    labels = small_labels(np.array(frames), np.array(executed))
    poses = np.concatenate(
        [random_motion(i, n).to_qpos() for i, n in enumerate(frames)]
    )
    trials = [
        Trial(
            id=str(i),
            recipe="captured",
            split=split,
            suite="",
            group="g",
            prompt="",
            family="",
            source="",
            settings={},
        )
        for i in range(len(frames))
    ]
    starts = np.cumsum([0, *frames[:-1]])
    return RollOuts(torch.from_numpy(poses), starts, trials, labels, "abc")


def test_the_likelihood_of_a_failure_is_that_it_happens_and_that_it_happens_then() -> (
    None
):
    found = survival(
        logits(0.9, 0.1, 0.5, 0.2),
        torch.tensor([4]),
        torch.tensor([[2, 4]]),
        torch.tensor([[True, False]]),
    )
    # Frame 0 is given. It finishes with 0.9 * 0.5 * 0.8, and fails at 2 with 0.45.
    assert found.whether[0].tolist() == pytest.approx([-np.log(0.64), -np.log(0.36)])
    assert found.when[0].tolist() == pytest.approx([-np.log(0.45 / 0.64), 0.0])
    total = float(found.whether[0, 0] + found.when[0, 0])
    assert total == pytest.approx(-np.log(0.9 * 0.5))


def test_a_hazard_that_is_almost_nothing_has_a_finite_likelihood_and_slope() -> None:
    hazard = torch.full((1, 3), -60.0, requires_grad=True)
    found = survival(
        hazard, torch.tensor([3]), torch.tensor([[1]]), torch.tensor([[True]])
    )
    total = (found.whether + found.when).sum()
    total.backward()  # type: ignore[no-untyped-call]
    assert torch.isfinite(total) and hazard.grad is not None
    assert torch.isfinite(hazard.grad).all()


def test_labels_that_nobody_knows_reach_no_gradient() -> None:
    data = DeviceRollOuts(rollouts([30, 30], [1, 30]), NORMALIZERS)
    batch = data.batch(torch.tensor([0, 1]), torch.tensor([0, 0]), 30)
    assert batch.errors[0].isnan().any()  # One frame has no acceleration.
    table = torch.zeros(2, 30, COLUMNS, requires_grad=True)
    hazard_loss(table, batch, timing=0.3).total.backward()  # type: ignore[no-untyped-call]
    assert table.grad is not None and torch.isfinite(table.grad).all()
    assert (table.grad[:, :, 2:4] != 0).any()


def test_the_papers_loss_is_the_papers() -> None:
    data = DeviceRollOuts(rollouts([40, 40], [10, 40]), NORMALIZERS)
    batch = data.batch(torch.tensor([0, 1]), torch.tensor([0, 0]), 40)
    zero = torch.zeros(2)
    loss = paper_loss(Heads(zero, zero, zero), batch, positive=0.5)
    # Errors are 1 and 3 mm/frame (0.5, 1.5 mm/frame^2): q_d 0.75 and 0.25.
    assert batch.quality.tolist() == pytest.approx([0.75, 0.25])
    assert float(loss.success) == pytest.approx((1 + 0.5) / 2 * np.log(2))
    assert float(loss.quality) == pytest.approx(0.0625)
    assert float(loss.timing) == pytest.approx(0.25**2)  # 0.5 against 10 of 40.
    total = float(loss.success) + 0.6 * 0.0625 + 0.8 * 0.0625
    assert float(loss.total) == pytest.approx(total)


def test_a_motion_that_is_cut_forgets_what_lies_outside() -> None:
    data = DeviceRollOuts(rollouts([80, 80, 80], [70, 80, 20]), NORMALIZERS)
    rows, offsets = torch.tensor([0, 0, 1, 2]), torch.tensor([0, 30, 0, 15])
    batch = data.batch(rows, offsets, 60)
    assert batch.lengths.tolist() == [60, 50, 60, 60]
    assert batch.failed[:, 0].tolist() == [False, True, False, True]
    assert batch.executed[:, 0].tolist() == [60, 40, 60, 5]
    assert batch.fresh.tolist() == [True, False, True, False]
    assert batch.quality.isnan().all()  # None of them is whole.
    np.testing.assert_array_equal(batch.qpos[1, :50].numpy(), data.poses[30:80].numpy())
    late = data.batch(torch.tensor([2]), torch.tensor([25]), 60)
    assert not late.known.any() and not late.failed.any()  # It had failed by then.


def test_a_mirrored_motion_fails_with_the_other_limb() -> None:
    data = DeviceRollOuts(rollouts([30, 30], [9, 30]), NORMALIZERS)
    rows, offsets = torch.tensor([0, 0]), torch.tensor([0, 0])
    batch = data.batch(rows, offsets, 30, torch.tensor([False, True]))
    assert batch.causes.tolist() == [[1, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0]]
    image = mirror_qpos(batch.qpos[0].numpy())
    np.testing.assert_allclose(batch.qpos[1].numpy(), image, atol=1e-6)


def test_failures_are_drawn_more_often_and_count_less() -> None:
    known = rollouts([40] * 10, [20] + [40] * 9)
    cfg = DynamicsTrainCfg(data="", batch=2000, failures=0.5, amid=0.0, mirrored=0.0)
    drawer = Drawer(DeviceRollOuts(known, NORMALIZERS), known, cfg)
    batch = drawer.batch(0)
    failed = batch.failed[:, 0]
    assert float(failed.float().mean()) == pytest.approx(0.5, abs=0.05)
    np.testing.assert_allclose(batch.weight[failed].numpy(), 0.2, rtol=1e-6)
    np.testing.assert_allclose(batch.weight[~failed].numpy(), 1.8, rtol=1e-6)
    again = drawer.batch(0)
    assert torch.equal(again.qpos, batch.qpos), "the same step draws the same"


def test_figures_by_hand() -> None:
    score = np.array([0.9, 0.8, 0.3, 0.2])
    fine = np.array([True, False, True, False])
    assert auroc(score, fine) == pytest.approx(0.75)
    assert auroc(np.ones(4), fine) == 0.5 and np.isnan(auroc(score, score > 0))
    assert average_precision(-score, ~fine) == pytest.approx((1 + 2 / 3) / 2)
    sure = np.array([0.99, 0.99, 0.01, 0.01])
    assert calibration_error(sure, fine.astype(float)) == pytest.approx(0.49)
    assert spearman(np.array([1.0, 2, 3]), np.array([1.0, 8, 27])) == pytest.approx(1)
    truth = np.array([4.0, 3.0, 1.0, 2.0])
    tau, groups = kendall_within(["a"] * 4, score, truth)
    assert (tau, groups) == (pytest.approx(4 / 6), 1)


def test_two_motions_in_the_wrong_order_cost_what_a_coin_does_and_more() -> None:
    wanted = torch.tensor([[0.10, 0.30], [0.12, 0.36]])
    same = torch.full((2, 2), 0.2)
    assert float(order_loss(same, wanted)) == pytest.approx(np.log(2))
    # log(0.12 / 0.10) is 0.18, and 0.1 is how far apart a pair is to be put.
    right = float(order_loss(wanted, wanted))
    assert right == pytest.approx(np.log1p(np.exp(-np.log(1.2) / 0.1)))
    assert float(order_loss(wanted.flip(0), wanted)) == pytest.approx(
        right + np.log(1.2) / 0.1
    )


def test_only_pairs_that_are_known_and_near_each_other_have_an_order() -> None:
    said = torch.tensor([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]], requires_grad=True)
    far = torch.tensor([[0.1, 0.1], [0.3, 0.3], [torch.nan, torch.nan]])
    loss = order_loss(said, far)
    assert float(loss.detach()) == 0
    loss.backward()
    assert said.grad is not None and not said.grad.isnan().any()


def test_tau_looks_at_groups_of_every_test_set() -> None:
    # 500 groups in the right order, then as many in the wrong one: every third counts.
    groups = [f"{k:04d}" for k in range(1000) for _ in range(4)]
    truth = np.tile(np.arange(4.0), 1000)
    score = np.where(np.arange(4000) < 2000, truth, -truth)
    tau, counted = kendall_within(groups, score, truth)
    assert counted == 334 and tau == pytest.approx(0.0)
