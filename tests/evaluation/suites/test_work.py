"""What worker processes do, and the same for many prompts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.support.standing import standing
from tests.support.suites import KnowingVerifier, small_base
from tests.support.verifiers import FakeVerifier
from texedo.do import select_best
from texedo.evaluation.suites import work
from texedo.evaluation.suites.prompts import Asked
from texedo.evaluation.suites.scoring import (
    dynamics_source,
    judge_source,
    text_source,
)
from texedo.motion import Motion
from texedo.see.semantics.measured.verifier import MeasuringVerifier
from texedo.see.semantics.protocol import Pairs, all_pairs, r_text

ROWS = [
    ("walk", [standing(40), standing(60)]),
    ("a person stands", [standing(80, seed=1), standing(100, seed=2)]),
]


def in_this_process(function: Any, calls: Sequence[Any], what: str) -> list[Any]:
    return [function(*call) for call in calls]


@pytest.mark.parametrize("seed", range(40))
def test_checking_only_who_would_win_chooses_as_if_all_were_checked(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    motions = [standing(30 + i) for i in range(6)]
    passing = rng.random(6) < 0.4
    looked: list[int] = []

    def check(motion: Motion) -> Any:
        number = len(motion) - 30
        looked.append(number)
        return SimpleNamespace(verdict="pass" if passing[number] else "fail")

    monkeypatch.setattr(work, "check_motion", check)
    chance = work.Chance(rng.random(6), rng.random(6), rng.choice([0.3, 0.95]), "walk")
    wanted = select_best(
        chance.r_dyn,
        chance.r_text,
        threshold=chance.threshold,
        rule="texedo",
        prompt="walk",
        preferred=passing,
    )
    assert work.choose_checked(motions, chance) == (wanted.index, wanted.fallback)
    assert len(looked) == len(set(looked))


class Odds:
    """A network whose log-odds are a tenth of the number of frames."""

    name, digest = "odds", "o0"

    def __init__(self) -> None:
        self.metadata: dict[str, Any] = {}
        self.calls = 0

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Any:
        self.calls += 1
        return np.array([len(motions[j]) / 10 - 5 * i for i, j in pairs])

    def normal(self, text: str) -> str:
        return text

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return ()


def test_r_text_of_many_prompts_is_that_of_each() -> None:
    network = Odds()
    verifier = MeasuringVerifier(network)
    source = text_source(verifier, "R_text", in_this_process)
    assert source.many is not None
    found = source.many(ROWS)
    assert network.calls == 1
    for i, (_, motions) in enumerate(ROWS):
        texts = [text for text, _ in ROWS]
        pairs = all_pairs(2, 2)[2 * i : 2 * i + 2]
        wanted = verifier.compare(texts, motions, pairs)
        np.testing.assert_allclose(found[i]["R_text"], wanted)
    plain = FakeVerifier(lambda text, motion: len(motion) / 100)
    other = text_source(plain, "R_text", in_this_process)
    assert other.many is not None
    (first, second), calls = other.many(ROWS), plain.calls
    assert calls == 1 and first["R_text"].tolist() == [0.4, 0.6]
    np.testing.assert_array_equal(second["R_text"], r_text(plain, *ROWS[1]))


def test_r_dyn_of_many_prompts_is_one_forecast() -> None:
    verifier = KnowingVerifier()
    source = dynamics_source(verifier, "R_dyn", True)
    assert source.many is not None
    found = source.many(ROWS)
    assert verifier.calls == 1
    np.testing.assert_allclose(found[1]["R_dyn"], [0.82, 0.8])
    assert dynamics_source(verifier, "R_dyn", False).many is None


def test_only_a_judge_that_measures_is_sent_to_workers() -> None:
    class Asks:
        name, digest = "asks", "a0"

        def score(self, prompt: str, motions: Sequence[Motion]) -> Any:
            return np.full(len(motions), 3.0)

    assert judge_source(Asks(), in_this_process).many is None
    own = Asks()
    own.name, own.measures = "kinematic", True  # type: ignore[attr-defined]
    many = judge_source(own, in_this_process).many
    assert many is not None
    said = many(ROWS[1:])[0]["kinematic"]
    assert len(said) == 2 and (1 <= said).all() and (said <= 10).all()


def test_many_prompts_at_once_give_the_table_of_each(tmp_path: Path) -> None:
    asked = [Asked(text=text, kind="file") for text in ("stand", "stay", "mystery")]
    one = small_base(tmp_path / "one").pool(asked, 4)
    base = replace(small_base(tmp_path / "many"), together=64)
    many = base.pool(asked, 4)
    np.testing.assert_array_equal(many.r_dyn, one.r_dyn)
    np.testing.assert_array_equal(many.r_text, one.r_text)
    assert many.checked == one.checked
    assert base.generator.batches == [["stand", "stay", "mystery"]]  # type: ignore[attr-defined]
    assert base.dynamics.calls == 1  # type: ignore[attr-defined]
