"""The main table, best of N, and the thirty prompts, on models that can be foretold."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tests.support.suites import small_base
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.suites import best_of, paper
from texedo.evaluation.suites.base import Base, Float64
from texedo.evaluation.suites.cost.latency import IN_ALL, STEPS, latency_report
from texedo.evaluation.suites.figures import Figure, Table, mean, ratio, share
from texedo.evaluation.suites.prompts import Asked
from texedo.evaluation.suites.robot import OVERALL, robot_report
from texedo.evaluation.suites.selection import kept_rows, measure, selection_report

ASKED = [
    Asked(text="stand", kind="people"),
    Asked(text="stay", kind="captions", shown=False),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return small_base(tmp_path_factory.mktemp("kept"))


def test_the_main_table_chooses_performs_and_says_who_fell(base: Base) -> None:
    report = selection_report(base, ASKED, n=4, paper=paper.SELECTION)
    rows = report.tables[0].rows
    # R_text likes the longest, candidate 3, which tips over; the longest that stands is 2.
    assert rows["semantics only"]["success"].value == 0
    assert rows["Texedo"]["success"].value == 1
    assert rows["Texedo"]["R_text"].value == pytest.approx(0.34)
    assert rows["dynamics only"]["R_text"].value == pytest.approx(0.30)
    assert rows["base"]["success"].value == 1
    assert rows["Texedo"]["fallback"].value == 0
    assert rows["Texedo"]["success"].n == 2
    assert rows["semantics only"]["E_vel"].value is None  # Nobody succeeds.
    assert rows["paper: Texedo, N = 32"]["success"].value == 0.984
    gain = report.tables[1].rows["semantics only"]["success"]
    assert str(gain) == "-1.000 [-1.000, -1.000]"
    assert [table.name for table in report.tables[2:]] == ["people", "captions"]


def test_a_test_item_is_in_no_report_by_itself(base: Base) -> None:
    report = selection_report(base, ASKED, n=4)
    (own,) = report.details["choices"]
    assert own["prompt"] == "stand"
    assert own["choices"]["Texedo"]["candidate"] == 2
    assert own["choices"]["semantics only"]["success"] == 0


class Stays:
    """Refuses whoever asks to stay."""

    digest = "r0"

    def judge(self, prompt: str, r_text: Float64) -> str | None:
        return "no" if prompt == "stay" and len(r_text) == 4 else None


def test_prompts_that_are_refused_are_counted_and_told_apart(base: Base) -> None:
    report = selection_report(replace(base, refuser=Stays()), ASKED, n=4)
    assert "refuses 1 of these 2 prompts" in report.words[1]
    assert report.tables[2].name == "answered"
    assert report.tables[2].rows["Texedo"]["success"].n == 1
    assert report.settings["refusal"] == "r0"
    assert report.tables[0].rows["Texedo"]["refused"].value == 0.5
    assert "refused" not in report.tables[0].rows["semantics only"]


def test_what_both_keep_of_semantics_alone_is_a_ratio_with_an_interval(
    base: Base,
) -> None:
    found = measure(base, ASKED, 4)
    # By a rule that holds for candidate 3 of the first prompt, and 2 and 3 of the second.
    right: Float64 = np.array([[0.0, 0, 0, 1], [0, 0, 1, 1]])
    found.pool.__dict__["right"] = right
    row = kept_rows(found)["Texedo"]
    # Texedo takes candidate 2 of both, semantics alone candidate 3.
    assert row["right"].value == 0.5 and row["right, semantics only"].value == 1
    assert row["ratio"].value == 0.5 and row["ratio"].n == 2
    assert row["ratio"].interval == (0.0, 1.0)


def test_the_best_of_n_is_what_all_draws_of_n_give_on_average(base: Base) -> None:
    pool = base.pool(ASKED, 4)
    done = pool.perform(pool.everyone)
    success = best_of.physical(done)[0]
    scores = best_of.way_scores(pool)[best_of.SEMANTICS]
    draws = list(combinations(range(4), 2))
    brute = np.mean(
        [
            [done.success[i, max(d, key=lambda k: scores[i, k])] for d in draws]
            for i in range(2)
        ]
    )
    assert best_of.expected(success, scores, 2).value == pytest.approx(brute)
    # Four of the six pairs are won by candidate 1 or 3.
    assert brute == pytest.approx(2 / 6)


def test_errors_are_means_over_successes() -> None:
    values: Float64 = np.array([[2.0, 9.0], [4.0, np.nan]])
    success: Float64 = np.array([[1.0, 0.0], [1.0, 0.0]])
    metric = best_of.Metric("E_vel", "E_vel", values, -values, success, "mm/frame")
    assert best_of.expected(metric, None, 1).value == 3.0
    assert best_of.expected(metric, np.array([[1.0, 0.0]] * 2), 2).value == 3.0


def test_random_is_flat_and_the_verifier_reaches_the_oracle(base: Base) -> None:
    report = best_of.best_of_report(base, ASKED, n=4)
    tables = {table.name: table.rows for table in report.tables}
    success = tables["success"]
    assert {row["random"].value for row in success.values()} == {0.5}
    assert success["N = 4"]["R_dyn"].value == success["N = 4"]["oracle"].value == 1
    assert success["N = 4"][best_of.GAIN].value == 1
    assert success["N = 4"][best_of.GAIN].interval == (1, 1)
    assert success["N = 1"][best_of.GAIN].value is None
    assert success["N = 4"]["Texedo"].value == 1
    assert "judge-length" in tables and "success.svg" in report.charts
    # The judge likes long performances, and so does R_text, until it falls.
    assert tables["judge-length"]["N = 1"]["R_text"].value is not None


def test_the_thirty_prompts_stand_beside_the_papers_errors(base: Base) -> None:
    report = robot_report(base, n=3, limit=2)
    rows = report.tables[0].rows
    assert list(rows) == [*REAL_ROBOT[:2], OVERALL]
    assert rows[REAL_ROBOT[1]]["paper: E_vel"].value == 2.84
    assert rows[OVERALL]["paper: E_mpjpe-l"].value == 37.41
    assert rows[OVERALL]["success"].value == 1
    # Both last the same number of frames, so that the weights are equal.
    own = [rows[prompt]["E_mpjpe-l"].value for prompt in REAL_ROBOT[:2]]
    assert rows[OVERALL]["E_mpjpe-l"].value == pytest.approx(np.mean(own))  # type: ignore[arg-type]
    assert len(paper.ROBOT_ERRORS) == len(REAL_ROBOT) == 30


def test_times_are_kept_and_add_up(tmp_path: Path) -> None:
    base = small_base(tmp_path)
    first = latency_report(base, ["stand"], [1, 2])
    again = latency_report(base, ["stand"], [1, 2])
    assert first.tables == again.tables
    row = first.tables[0].rows["N = 2"]
    total = sum(row[step].value or 0 for step in STEPS)
    assert row[IN_ALL].value == pytest.approx(total)


def test_every_figure_has_an_interval_and_a_number() -> None:
    values = np.array([0.0, 1.0, 1.0, np.nan])
    for own in (mean(values), share(values)):
        assert own.value == pytest.approx(2 / 3) and own.n == 3
        assert own.interval is not None and own.interval[0] <= 2 / 3 <= own.interval[1]
    own = ratio(np.array([2.0, 0.0, 4.0]), np.array([1.0, 0.0, 1.0]))
    assert own.value == 3.0 and own.n == 2
    assert (
        str(Figure(value=0.5, interval=(0.25, 0.75), digits=2)) == "0.50 [0.25, 0.75]"
    )
    assert str(Figure(value=None)) == "-"


def test_an_interval_is_what_scipy_draws() -> None:
    from scipy.stats import bootstrap

    values = np.random.default_rng(0).random(60)
    low, high = bootstrap(
        (values,),
        np.mean,
        method="percentile",
        n_resamples=3000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    own = mean(values).interval
    assert own == pytest.approx((low, high), abs=0.01)
    whole = np.ones(60)
    assert ratio(values, whole).interval == pytest.approx((low, high), abs=0.01)


def test_a_table_is_the_same_after_a_file() -> None:
    table = Table(name="t", title="T", rows={"a": {"x": mean(np.array([1.0, 2.0]))}})
    assert Table.from_dict(table.to_dict()) == table
    assert table.columns == ["x"]
