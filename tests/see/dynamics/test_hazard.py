"""Hazards of frames and what follows from them."""

import numpy as np
import pytest
import torch

from tests.support.dynamics import small_net
from tests.support.motions import random_motion
from texedo.see.dynamics.calibration import Line, fit_line
from texedo.see.dynamics.hazard.forecast import followed, summarize
from texedo.see.dynamics.hazard.net import COLUMNS


def logit(p: float) -> float:
    return float(np.log(p / (1 - p)))


def table(hazards: list[float], *, errors: float = 0.0) -> torch.Tensor:
    rows = torch.zeros(1, len(hazards), COLUMNS)
    rows[0, :, 0] = torch.tensor([logit(h) for h in hazards])
    rows[0, :, 1] = rows[0, :, 0]
    rows[0, :, 2:4] = errors
    return rows


def test_success_is_the_product_of_what_hazards_leave_and_frame_0_never_fails() -> None:
    rows = summarize(table([0.9, 0.1, 0.5, 0.2]), torch.tensor([4]), Line(), Line())
    success, robust, _, progress = rows[0, :4].tolist()
    assert success == pytest.approx(0.9 * 0.5 * 0.8) == pytest.approx(robust)
    # Fails at frame 1, 2, 3 with 0.1, 0.45, 0.09; given that it does, at the geometric
    # mean of these: 1.9 of 4.
    expected = (1**0.1 * 2**0.45 * 3**0.09) ** (1 / 0.64) / 4
    assert progress == pytest.approx(expected)
    np.testing.assert_allclose(rows[0, 11:].numpy(), [0, 0.1, 0.5, 0.2], atol=1e-6)


def test_frames_beyond_the_end_count_for_nothing() -> None:
    short = summarize(table([0.1, 0.1]), torch.tensor([2]), Line(), Line())
    padded = summarize(table([0.1, 0.1, 0.9]), torch.tensor([2]), Line(), Line())
    np.testing.assert_allclose(short[0, :11].numpy(), padded[0, :11].numpy())


def test_quality_falls_with_the_expected_errors() -> None:
    # Errors of a quarter of their normalisers: q_d is 0.75.
    rows = summarize(
        table([0.01] * 5, errors=float(np.log(0.25))), torch.tensor([5]), Line(), Line()
    )
    assert float(rows[0, 2]) == pytest.approx(0.75)


def test_calibration_scales_the_total_risk_and_hazards_with_it() -> None:
    twice = Line(1.0, float(np.log(2.0)))
    rows = summarize(table([0.1, 0.1, 0.5]), torch.tensor([3]), twice, Line())
    assert float(rows[0, 0]) == pytest.approx((0.9 * 0.5) ** 2)
    assert float(rows[0, 11 + 2]) == pytest.approx(0.75)
    assert float(rows[0, 1]) == pytest.approx(0.45)


@pytest.mark.parametrize(("ahead", "reach"), [(0.0, 40), (0.16, 32), (-1.0, 0)])
def test_a_hazard_sees_no_further_than_it_may(ahead: float, reach: int) -> None:
    net = small_net(look_ahead=ahead)
    qpos = torch.from_numpy(random_motion(1, 60).to_qpos())[None]
    features = net.features(qpos, torch.tensor([60]), torch.tensor([True]))
    changed = features.clone()
    changed[:, 40:] += 1.0
    lengths = torch.tensor([60])
    with torch.inference_mode():
        gap = (net(features, lengths) - net(changed, lengths)).abs().amax(-1)[0]
    assert (gap[:reach] == 0).all() and (gap[reach:] > 0).any()
    assert (gap[40:] > 0).all()


@pytest.mark.parametrize("link", ["logit", "log-hazard"])
def test_a_line_is_found_again(link: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(-1.0, 2.0, 4000)
    eta = 0.7 * x + 0.4
    p = 1 / (1 + np.exp(-eta)) if link == "logit" else -np.expm1(-np.exp(eta))
    came = (rng.random(4000) < p).astype(np.float64)
    line = fit_line(x, came, link=link)  # type: ignore[arg-type]
    assert line.slope == pytest.approx(0.7, abs=0.06)
    assert line.offset == pytest.approx(0.4, abs=0.1)


def test_outcomes_that_are_all_alike_give_a_line_all_the_same() -> None:
    x = np.linspace(-3, 3, 50)
    line = fit_line(x, np.zeros(50), link="log-hazard")
    assert np.isfinite(line).all() and line.slope > 0


def test_what_is_followed_worse_than_the_normaliser_has_no_q_d_but_an_order() -> None:
    errors = torch.tensor([0.0, 0.5, 0.95, 1.0, 2.0, 8.0], dtype=torch.float64)
    # From 0.95 on 0.05 / (1 + 20 (error - 0.95)): at 1, 2 and 8 over 2, 22 and 142.
    wanted = [1.0, 0.5, 0.05, 0.05 / 2, 0.05 / 22, 0.05 / 142]
    np.testing.assert_allclose(followed(errors).numpy(), wanted)
    many = followed(torch.linspace(0.0, 50.0, 4001, dtype=torch.float64))
    assert (many.diff() < 0).all() and many.min() > 0
