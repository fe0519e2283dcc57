"""Candidates with all that is known of them: found out once, and kept."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.suites import TIPPING, KnowingVerifier, UnevenGenerator, small_base
from texedo.core.errors import TexedoError
from texedo.evaluation.suites.base import Base, Bools, Pool, pick
from texedo.evaluation.suites.prompts import Asked, from_file, ruled, spread, unique

ASKED = [Asked(text=text, kind="file") for text in ("stand", "mystery")]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return small_base(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def pool(base: Base) -> Pool:
    return base.pool(ASKED, 4)


def test_who_tips_over_fails_and_has_no_quality_of_a_success(pool: Pool) -> None:
    done = pool.perform(pool.everyone)
    expected = [float(i not in TIPPING) for i in range(4)]
    np.testing.assert_array_equal(done.success, [expected, expected])
    assert (done.q_star[:, 0] > done.q_star[:, 1]).all()
    assert (done.frames[:, 2] > 30).all()


def test_only_what_is_wanted_is_performed(pool: Pool) -> None:
    wanted: Bools = np.zeros((2, 4), dtype=np.bool_)
    wanted[0, 2] = True
    done = pool.perform(wanted)
    assert done.success[0, 2] == 1 and np.isnan(done.success).sum() == 7


def test_nothing_is_drawn_scored_or_performed_twice(base: Base, pool: Pool) -> None:
    before = pool.r_dyn, pool.perform(pool.everyone), pool.judged(pool.everyone)
    again = small_base(base.folder)
    other = again.pool(ASKED, 4)
    labels = (base.folder / "labels.jsonl").read_bytes()
    np.testing.assert_array_equal(other.r_dyn, before[0])
    done = other.perform(other.everyone)
    np.testing.assert_array_equal(done.q_star, before[1].q_star)
    np.testing.assert_array_equal(
        other.judged(other.everyone)["length"], before[2]["length"]
    )
    assert (base.folder / "labels.jsonl").read_bytes() == labels
    assert isinstance(again.generator, UnevenGenerator) and not again.generator.batches
    assert isinstance(again.dynamics, KnowingVerifier) and not again.dynamics.calls


def test_a_judge_sees_what_was_performed_and_may_not_know(pool: Pool) -> None:
    scores = pool.judged(pool.everyone)["length"]
    assert np.isnan(scores[1]).all()
    # Candidate 2 has 34 frames and is performed whole; candidate 3 ends as it tips over.
    assert scores[0, 2] == pytest.approx(4.4, abs=0.11)
    assert scores[0, 3] < scores[0, 2]


def test_a_lost_performance_is_performed_again(base: Base, pool: Pool) -> None:
    before = pool.judged(pool.everyone)["length"]
    for path in (base.folder / "executed").rglob("*.npy"):
        path.unlink()
    for path in (base.folder / "scores").iterdir():
        path.unlink()
    again = small_base(base.folder).pool(ASKED, 4)
    np.testing.assert_array_equal(again.judged(again.everyone)["length"], before)


def test_perturbed_robots_are_asked_only_if_there_are_any(tmp_path: Path) -> None:
    base = small_base(tmp_path, perturbation=None)
    pool = base.pool(ASKED[:1], 2)
    assert np.isnan(pool.robust(pool.everyone)).all()


def test_the_value_of_the_chosen_one_is_picked() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(pick(values, np.array([1, 0])), [2.0, 3.0])


def test_without_prompts_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(TexedoError, match="no prompt"):
        small_base(tmp_path).pool([], 2)


def test_a_prompt_file_with_blank_lines_and_duplicates_asks_each_thing_once(
    tmp_path: Path,
) -> None:
    path = tmp_path / "prompts.txt"
    path.write_text("\n  walk  \n\n# a remark\nwave\nwalk\n\u00a0\n")
    assert [own.text for own in unique(from_file(path))] == ["walk", "wave"]


def test_a_few_prompts_are_from_all_over_the_list() -> None:
    asked = [Asked(text=str(i), kind="file") for i in range(10)]
    assert [own.text for own in spread(asked, 3)] == ["0", "3", "6"]
    assert spread(asked, None) == asked == spread(asked, 10)
    with pytest.raises(TexedoError, match="--limit"):
        spread(asked, 0)


def test_test_items_are_not_spoken_of_one_by_one() -> None:
    assert all(own.shown for own in ruled("dev"))
    assert not any(own.shown for own in ruled("test"))
    assert len(ruled("dev")) + len(ruled("test")) >= 200
