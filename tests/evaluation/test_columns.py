"""Scores of candidates that are kept, and the ways to choose that they make."""

from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.understanding.test_report import PROMPTS, Obedient
from tests.support.generators import StandingGenerator
from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier, longest
from texedo.core.errors import GenerationError
from texedo.evaluation.columns import (
    PER_TOKEN,
    RATIO,
    Source,
    embedding_source,
    likelihood_source,
    score_all,
    semantic_sources,
)
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.figures import Score, ways
from texedo.evaluation.understanding.page import page
from texedo.evaluation.understanding.report import understanding_report
from texedo.evaluation.words import words_report
from texedo.motion import Motion
from texedo.text.generators.protocol import LogLikelihood

ROWS = [[standing(100), standing(200)], [standing(300), standing(50)]]


def test_what_was_scored_is_not_scored_again(tmp_path: Path) -> None:
    verifier = FakeVerifier(longest)
    sources = semantic_sources({"fake": verifier})
    once = score_all(sources, ["walk", "run"], ROWS, tmp_path)
    again = score_all(sources, ["walk", "run"], ROWS, tmp_path)
    assert once["run"]["R_text (fake)"].tolist() == [0.3, 0.05]
    assert again["walk"]["R_text (fake)"].tolist() == [0.1, 0.2]
    assert verifier.calls == 2
    score_all(sources, ["walk"], ROWS[1:], tmp_path)  # Other candidates.
    score_all(
        semantic_sources({"fake": FakeVerifier(longest, digest="v1")}), [], [], tmp_path
    )
    assert verifier.calls == 3


def test_a_score_that_is_not_a_number_stays_so(tmp_path: Path) -> None:
    source = Source("s", lambda prompt, motions: {"x": np.array([np.nan, 1.0])})
    for _ in range(2):
        found = score_all([source], ["walk"], ROWS[:1], tmp_path)["walk"]["x"]
        assert np.isnan(found[0]) and found[1] == 1.0


def test_an_embedding_scores_by_its_cosine() -> None:
    class Space:
        digest = "e"

        def texts(self, texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
            return np.array([[0.6, 0.8]], dtype=np.float32)

        def motions(self, motions: list[Motion]) -> np.ndarray:  # type: ignore[type-arg]
            return np.eye(2, dtype=np.float32)

    found = embedding_source(Space()).score("walk", ROWS[0])  # type: ignore[arg-type]
    assert found["cosine"] == pytest.approx([0.6, 0.8])


def test_a_generator_scores_by_what_it_finds_likely() -> None:
    class Knowing(StandingGenerator):
        def log_likelihood(self, prompt: str, motions: list[Motion]) -> LogLikelihood:
            return LogLikelihood(
                np.array([-10.0, -30.0]), np.array([-12.0, -29.0]), np.array([5, 10])
            )

    found = likelihood_source(Knowing()).score("walk", ROWS[0])
    assert found[PER_TOKEN].tolist() == [-2.0, -3.0]
    assert found[RATIO].tolist() == [2.0, -1.0]
    with pytest.raises(GenerationError, match="cannot tell how likely"):
        likelihood_source(StandingGenerator())


# As ways to choose


def test_r_text_is_one_more_way_to_choose(tmp_path: Path) -> None:
    bench = Bench(generator=Obedient(), policy=None, folder=tmp_path)
    # Who walks goes further than half a metre.
    verifier = FakeVerifier(lambda text, motion: float(motion.root_pos_w[-1, 0] > 0.5))
    sources = semantic_sources({"fake": verifier})
    report = understanding_report(bench, PROMPTS, n=4, part="dev", sources=sources)
    row = report["rows"]["locomotion"]
    assert (row["chosen by first"], row["chosen by R_text (fake)"]) == (0.0, 1.0)
    # "walk": 2 of 4 are right; "wlak": none; "freeze": all. From 1.5 / 3 to 2 / 3.
    assert report["ways"]["R_text (fake)"]["way"] == pytest.approx(1.0)
    assert report["ways"]["first"]["way"] == pytest.approx(-1.0)
    assert "| R_text (fake) | 3 | 0.67 [" in page(report)
    assert verifier.calls == 3
    assert understanding_report(bench, PROMPTS, n=4, part="dev", sources=sources) == (
        report
    )
    assert verifier.calls == 3


def test_the_way_is_between_a_random_choice_and_the_best_there_is() -> None:
    rows = [(1.0, 0.5, 1.0), (0.0, 0.5, 1.0), (1.0, 0.25, 1.0), (0.0, 0.0, 0.0)]
    scores = [
        Score(
            PROMPTS[0],
            {"chosen by x": chosen, "random survivor": random, "available": best},
        )
        for chosen, random, best in rows
    ]
    found = ways(scores)["x"]
    # 0.5 - 0.3125 of 0.75 - 0.3125.
    assert found["way"] == pytest.approx(3 / 7)
    low, high = found["way 95%"]
    assert low < 3 / 7 < high <= 1
    assert ways(scores[3:])["x"]["way"] is None


def test_the_words_are_asked_of_the_candidate_with_the_highest_score(
    tmp_path: Path,
) -> None:
    bench = Bench(generator=Obedient(), policy=None, folder=tmp_path)
    report = words_report(
        bench, n=2, sources=semantic_sources({"fake": FakeVerifier(longest)})
    )
    row = report["rows"]["a person walks forward."]
    assert row["R_text (fake), done"] == 0.0  # It stands: nobody said "walk" alone.
    assert set(report["rows"]["mean"]) == set(row)
