"""Judges by name."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.core.errors import TexedoError
from texedo.evaluation.suites import judging
from texedo.motion import Motion


class Short:
    """Gives 10 to a motion of fewer than 50 frames, and does not know of others."""

    name = "short-1"

    def judge(self, prompt: str, motion: Motion) -> SimpleNamespace:
        return SimpleNamespace(score=10 if len(motion) < 50 else None)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "JUDGES", {"short": f"{__name__}:Short"})


@pytest.mark.usefixtures("short")
def test_a_judge_that_labels_is_asked_about_each_motion() -> None:
    (judge,) = judging.find_judges([])
    scores = judge.score("stand", [standing(40), standing(60)])
    np.testing.assert_array_equal(scores, [10.0, np.nan])
    assert judge.name == "short" and len(judge.digest) == 64


@pytest.mark.usefixtures("short")
def test_nobody_judges_where_nobody_should() -> None:
    assert judging.find_judges(["none"]) == ()


@pytest.mark.usefixtures("short")
def test_an_unknown_judge_is_refused_with_those_there_are() -> None:
    with pytest.raises(TexedoError, match="'solomon'; there are short, none"):
        judging.find_judges(["solomon"])


def test_a_judge_that_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judging, "JUDGES", {"lost": "texedo.nowhere.lost:Lost"})
    assert judging.find_judges([]) == ()


def test_models_are_asked_only_by_name_and_with_their_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert [own.name for own in judging.find_judges([])] == ["kinematic"]
    with pytest.raises(TexedoError, match="needs a key: set OPENAI_API_KEY"):
        judging.find_judges(["vlm"])
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    (judge,) = judging.find_judges(["vlm"])
    assert judge.name == "vlm" and not judge.measures  # type: ignore[attr-defined]
