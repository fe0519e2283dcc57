"""Refusals on the way from prompts to motions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.generators import StandingGenerator, TableScorer
from tests.support.refusal import PlaneRefuser
from texedo.motion import Motion
from texedo.pipeline import Failed, Generated, Scores
from texedo.pipeline.pipe import Pipeline, make_choice
from texedo.pipeline.refusal import Refusal
from texedo.pipeline.stream import Ask, Parts, run_stream

PLACES = {
    "asdf": [-1.0, -1.0],
    "a person hovers": [-0.8, 0.6],
    "a person waves": [0.0, 1.0],
}
"""Refused at once; refused unless the candidates fit; answered."""


class Fitting(TableScorer):
    """Every candidate has the same R_text."""

    def __init__(self, r_text: float) -> None:
        super().__init__(lambda _: [0.9, 0.8, 0.7])
        self._r_text = r_text

    def score(self, prompt: str, candidates: list[Motion], **_: object) -> Scores:  # type: ignore[override]
        found = super().score(prompt, candidates)
        return replace(found, semantics=np.full(len(candidates), self._r_text))


def parts(r_text: float, *, anyway: bool = False) -> Parts:
    scorer = Fitting(r_text)
    refuser = PlaneRefuser(PLACES.__getitem__)
    choice = make_choice(scorer)
    return Parts(StandingGenerator(), scorer, choice, None, refuser, anyway)


def test_refused_prompts_come_in_their_place_and_the_others_go_on() -> None:
    own = parts(0.5)
    results = list(run_stream(["asdf", "a person waves", "hover"], own, Ask(n=3)))
    assert [r.prompt for r in results] == ["asdf", "a person waves", "hover"]
    assert [type(r) for r in results] == [Failed, Generated, Failed]
    assert all(isinstance(results[i].error, Refusal) for i in (0, 2))  # type: ignore[union-attr]


def test_nothing_is_drawn_for_a_prompt_that_nothing_could_save() -> None:
    own = parts(0.5)
    list(run_stream(["asdf", "a person waves"], own, Ask(n=3)))
    list(run_stream(["asdf"], own, Ask(n=3)))
    assert own.generator.batches == [["a person waves"]]  # type: ignore[attr-defined]


def test_candidates_that_fit_save_a_prompt() -> None:
    (result,) = run_stream(["hover"], parts(0.9), Ask(n=3))
    assert isinstance(result, Generated) and not result.remarks


def test_anyway_refuses_nothing_and_says_so() -> None:
    one, two = run_stream(["asdf", "a person waves"], parts(0.5, anyway=True), Ask(n=3))
    assert isinstance(one, Generated) and isinstance(two, Generated)
    assert "handed out anyway" in one.remarks[0] and not two.remarks


def test_in_python_a_refusal_is_raised() -> None:
    pipe = Pipeline(StandingGenerator(), scorer=Fitting(0.5), confirm=0)
    pipe.parts = parts(0.5)
    with pytest.raises(Refusal, match='I know: "a person waves"'):
        pipe("asdf", n=3)


def test_others_generators_without_our_verifier_are_not_judged() -> None:
    pipe = Pipeline(StandingGenerator(), scorer=Fitting(0.5), confirm=0)
    assert pipe.parts.refuser is None
