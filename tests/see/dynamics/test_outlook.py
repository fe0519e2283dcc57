"""What a forecast says in words and in seconds."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics, by_length, spike
from tests.support.standing import standing
from texedo.see.dynamics.outlook import (
    Outlook,
    fall_time,
    outlooks,
    riskiest_second,
    survival_curve,
)
from texedo.see.dynamics.protocol import Forecast
from texedo.see.dynamics.scorer import (
    DynamicsScorer,
    foresee,
    guarantee_of,
    guarantee_text,
)

FALLS = Outlook(
    r_dyn=0.2,
    success=0.1,
    robust=0.05,
    quality=0.5,
    progress=0.4,
    fall_s=2.14,
    riskiest_s=2.2,
    risk=0.8,
    part="right foot",
    termination="ee_body_pos",
)


def test_a_peak_is_where_the_riskiest_second_is() -> None:
    when, risk = riskiest_second(spike(200, 0.6, at=3))
    assert when == pytest.approx(0.06, abs=1e-3) and risk == pytest.approx(0.6)
    # Twice 0.3 within a second is worse than 0.4 once: 1 - 0.7 * 0.7 = 0.51.
    hazard = spike(200, 0.4, at=10) + spike(200, 0.3, at=150) + spike(200, 0.3, at=160)
    when, risk = riskiest_second(hazard)
    assert when == pytest.approx(3.1, abs=1e-3) and risk == pytest.approx(0.51)


def test_the_riskiest_second_looks_at_those_who_get_there() -> None:
    # A sure fall at 0.2 s hides nothing of what comes after.
    hazard = spike(300, 1.0, at=10)
    assert riskiest_second(hazard)[1] == pytest.approx(1.0)
    short = spike(12, 0.5, at=6)
    assert riskiest_second(short) == pytest.approx((0.12, 0.5))


def test_half_of_the_falls_come_before_the_time_of_the_fall() -> None:
    # 0.2 fall at frame 10; of the other 0.8 a half at frame 100: 0.2 of 0.6 is a third.
    hazard = spike(200, 0.2, at=10) + spike(200, 0.5, at=100)
    assert survival_curve(hazard)[-1] == pytest.approx(0.4)
    assert fall_time(hazard) == 2.0
    assert fall_time(spike(200, 0.3, at=10)) == 0.2
    assert fall_time(spike(200, 0.0)) is None


def test_an_outlook_is_told_in_a_phrase() -> None:
    finishes = replace(FALLS, success=0.98)
    assert FALLS.in_words() == "expected to fall at 2.1 s: right foot height"
    assert finishes.in_words() == "expected to finish (0.98)"
    assert replace(FALLS, success=0.7).in_words() == (
        "expected to finish (0.70), riskiest at 2.2 s: right foot height"
    )
    tilts = replace(FALLS, part="pelvis", termination="anchor_ori")
    assert tilts.cause == "pelvis tilt"
    assert replace(FALLS, part=None).cause == "hand or foot height"
    silent = replace(FALLS, part=None, termination=None, fall_s=None)
    assert silent.in_words() == "expected to fall"


def test_what_cannot_be_read_has_no_outlook() -> None:
    empty = [np.full(1, np.nan, dtype=np.float32)]
    (found,) = outlooks(Forecast.unknown(1, hazard=empty))
    assert not found.readable and not found.finishes
    assert found.in_words().startswith("cannot be foreseen")
    assert set(found.to_dict().values()) == {None}


def test_the_part_is_the_pelvis_unless_a_limb_ends_it() -> None:
    forecast = FakeDynamics(lambda _: 0.2).foresee([standing(60)] * 2)
    forecast.reasons[1] = [0.8, 0.1, 0.1]
    limb, pelvis = outlooks(forecast)
    assert (limb.part, limb.termination) == ("right foot", "ee_body_pos")
    assert (pelvis.part, pelvis.termination) == ("pelvis", "anchor_pos")
    forecast.limbs[0] = np.nan
    assert next(outlooks(forecast)).cause == "hand or foot height"


def test_without_a_hazard_the_fall_is_where_the_progress_ends() -> None:
    verifier = FakeDynamics(lambda _: 0.1, hazard=False)
    _, (found,) = foresee(verifier, [standing(101)])
    assert found.fall_s == 1.0 and found.riskiest_s is None  # Half of two seconds.
    assert found.robust is None


def test_a_dynamic_verifier_is_a_scorer_that_performs_nothing() -> None:
    verifier = FakeDynamics(by_length(f101=1.0, f60=0.0, f50=float("nan")))
    scorer = DynamicsScorer(verifier)
    scores = scorer.score("walk", [standing(101), standing(60), standing(50)])
    np.testing.assert_allclose(scores.dynamics[:2], [1.2 / 1.4, 0.15])
    assert np.isnan(scores.dynamics[2]) and np.isnan(scores.semantics).all()
    assert scores.survived is None and scores.performances is not None
    assert scores.performances[:2] == [
        "expected to finish (1.00)",
        "expected to fall at 0.4 s: right foot height",
    ]
    assert scores.columns["expected_success"] == [1.0, 0.0, None]
    assert scores.columns["expected_termination"][1] == "ee_body_pos"
    assert scores.columns["error"][:2] == [None, None] and scores.columns["error"][2]
    assert (scorer.name, scorer.digest) == ("R_dyn of fake", "d0")
    assert scorer.gives == {"dynamics"} and scorer.threshold == 0.6


def test_a_guarantee_is_a_sentence_with_its_numbers() -> None:
    promise = {"max_failure": 0.01, "threshold": 0.83, "n": 1000, "level": 0.95}
    verifier = FakeDynamics(lambda _: 0.9, guarantee=promise)
    assert guarantee_of(verifier) == promise
    assert guarantee_of(FakeDynamics(lambda _: 0.9)) is None
    assert guarantee_text(promise) == (
        "At most 1 % of the motions that are chosen so fail: R_dyn above 0.83, by 1,000 "
        "prompts, with 95 % confidence."
    )
