"""Time and memory by size, on models that can be foretold."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.support.suites import UnevenGenerator, small_base
from texedo.core.errors import TexedoError
from texedo.evaluation.suites.cost import scale
from texedo.evaluation.suites.cost.growth import growth, last_growth
from texedo.evaluation.suites.cost.memory import PeakMemory
from texedo.evaluation.suites.cost.scale import Plan, Size, scale_report

TEXTS = ["stand", "stay", "wait"]
PLAN = Plan(counts=(1, 4), prompts=(1, 7), few=2, repeats=1)

# Growth


def test_the_exponent_of_a_power_is_the_power() -> None:
    sizes = [1, 4, 16, 64]
    found = growth(sizes, [3 * size**1.5 for size in sizes])
    assert found.value == pytest.approx(1.5) and found.n == 4
    assert found.interval == pytest.approx((1.5, 1.5))


def test_the_exponent_and_its_interval_are_those_of_scipy() -> None:
    sizes, costs = [1, 4, 16, 64, 256], [0.2, 0.7, 2.9, 9.0, 44.0]
    wanted = stats.linregress(np.log(sizes), np.log(costs))
    half = stats.t.ppf(0.975, 3) * wanted.stderr
    found = growth(sizes, costs)
    assert found.value == pytest.approx(wanted.slope)
    ends = (wanted.slope - half, wanted.slope + half)
    assert found.interval == pytest.approx(ends)


def test_what_is_paid_once_hides_the_growth_of_small_sizes() -> None:
    sizes = [1, 10, 100, 1000]
    costs = [10 + size for size in sizes]
    # log10(1010 / 110) = 0.963
    assert last_growth(sizes, costs).value == pytest.approx(0.963, abs=1e-3)
    assert (growth(sizes, costs).value or 0) < 0.8


def test_two_sizes_have_a_slope_without_an_interval_and_one_has_none() -> None:
    assert growth([1, 2], [1, 4]).value == pytest.approx(2)
    assert growth([1, 2], [1, 4]).interval is None
    assert growth([1], [1]).value is None
    assert growth([1, 2, 4], [0, 1, np.nan]).value is None


# Memory


def test_a_hundred_megabytes_are_seen_and_forgotten() -> None:
    # In a process of its own: a large idle one may lose more to the system meanwhile.
    program = (
        "import numpy as np; "
        "from texedo.evaluation.suites.cost.memory import PeakMemory; "
        "before = PeakMemory('cpu').host(); peak = PeakMemory('cpu'); "
        "block = np.ones(100_000_000, dtype=np.uint8); "
        "print(peak.host() - before); del block; "
        "print(PeakMemory('cpu').host() - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    seen, after = map(float, done.stdout.split())
    assert seen > 0.09 and after < 0.05
    assert PeakMemory("cpu").gpu() is None


# Sizes


def test_small_sizes_come_first_and_none_twice() -> None:
    plan = Plan(counts=(16, 4, 1, 4), prompts=(1, 10), few=4)
    assert plan.sizes() == [Size(1, 1), Size(1, 4), Size(1, 16), Size(10, 4)]


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ({"counts": (0,)}, "--counts must be 1 or more, got 0"),
        ({"prompts": (10, -1)}, "--prompts must be 1 or more, got -1"),
        ({"counts": (100_000,)}, "1 to 4096"),
        ({"repeats": 0}, "--repeats"),
        ({"counts": (), "prompts": ()}, "no size to measure"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(plan: dict[str, int], says: str) -> None:
    with pytest.raises(TexedoError, match=says):
        Plan(**plan)  # type: ignore[arg-type]


def test_every_size_has_its_seconds_and_its_memory(tmp_path: Path) -> None:
    report = scale_report(small_base(tmp_path), TEXTS, PLAN)
    candidates, prompts, exponents = report.tables
    assert list(candidates.rows) == ["N = 1", "N = 4"]
    assert list(prompts.rows) == ["P = 1", "P = 7"]
    row = prompts.rows["P = 7"]
    steps = sum(row[step].value or 0 for step in scale.STEPS)
    total = row[scale.IN_ALL].value or 0
    assert 0 < steps <= total
    assert row[scale.EACH].value == pytest.approx(1000 * total / 14)
    assert (row[scale.MEMORY].value or 0) > 0.05 and scale.GPU_MEMORY not in row
    assert list(exponents.rows) == ["candidates", "prompts"]
    assert exponents.rows["prompts"][scale.CPU_TIME + scale.LAST].n == 2
    assert set(report.charts) == {"candidates.svg", "prompts.svg"}


def test_seven_prompts_of_a_list_of_three_are_drawn_with_new_seeds(
    tmp_path: Path,
) -> None:
    seeds: list[tuple[int, list[str]]] = []

    class Noting(UnevenGenerator):
        def sample_many(self, prompts, n, *, seed=0, **_):  # type: ignore[no-untyped-def]
            seeds.append((seed, list(prompts)))
            return super().sample_many(prompts, n, seed=seed)

    plan = Plan(counts=(), prompts=(7,), few=2, repeats=1)
    report = scale_report(small_base(tmp_path, generator=Noting()), TEXTS, plan)
    assert [table.name for table in report.tables] == ["prompts", "growth"]
    # The second half is what counts; the first was of the same shape, to warm up.
    assert seeds[3:] == [(0, TEXTS), (1000, TEXTS), (2000, TEXTS[:1])] == seeds[:3]


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    base = small_base(tmp_path)
    first = scale_report(base, TEXTS, Plan(counts=(1,), prompts=(), repeats=1))
    generator = UnevenGenerator()
    more = small_base(tmp_path, generator=generator)
    second = scale_report(more, TEXTS, Plan(counts=(1, 2), prompts=(), repeats=1))
    assert second.tables[0].rows["N = 1"] == first.tables[0].rows["N = 1"]
    # N = 2 to warm up, and once more.
    assert len(generator.batches) == 2


def test_a_size_that_takes_long_is_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(counts=(1,), prompts=(), repeats=3)
    report = scale_report(small_base(tmp_path / "a"), TEXTS, plan)
    assert report.tables[0].rows["N = 1"][scale.IN_ALL].n == 3
    monkeypatch.setattr(scale, "_ENOUGH", 0.0)
    report = scale_report(small_base(tmp_path / "b"), TEXTS, plan)
    own = report.tables[0].rows["N = 1"][scale.IN_ALL]
    assert own.n == 1 and own.interval is None
