"""Semantic verifiers by name and folder, and as scorers of the pipeline."""

import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.support.generators import StandingGenerator, TableScorer
from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier, longest
from texedo.core.errors import CheckpointError
from texedo.pipeline import PerformedAndRead, default_rule, generate
from texedo.pipeline.scorers import measured_dynamics
from texedo.see.scores import Gives, Scores
from texedo.see.semantics import find
from texedo.see.semantics.find import find_semantics, has_semantics
from texedo.see.semantics.scorer import SemanticScorer

KNOWN = ("dynamics", "semantics", "quality")


@pytest.fixture
def loaders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A bundle with nothing in it, and loaders that say what they were given."""
    pytest.importorskip("torch")

    def loader(kind: str):  # type: ignore[no-untyped-def]
        def load(folder: Path) -> FakeVerifier:
            return FakeVerifier(longest, name=folder.name, digest=kind)

        return load

    module = ModuleType("fake_loaders")
    module.__spec__ = ModuleSpec("fake_loaders", None)
    module.default, module.paper = loader("d"), loader("p")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fake_loaders", module)
    monkeypatch.setattr(
        find,
        "LOADERS",
        {
            "semantics": "fake_loaders:default",
            "semantics-paper": "fake_loaders:paper",
        },
    )
    bundle = tmp_path / "bundled"
    monkeypatch.setattr(find, "BUNDLED", bundle)
    monkeypatch.setattr("texedo.checkpoints.bundled.BUNDLED", bundle)
    return bundle


def store(folder: Path, kind: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"kind": kind}))
    return folder


def test_the_verifiers_that_ship_have_names(loaders: Path) -> None:
    assert not has_semantics() and not has_semantics("paper")
    with pytest.raises(CheckpointError, match="no semantics of its own"):
        find_semantics()
    store(loaders / "semantics", "semantics")
    store(loaders / "semantics-paper", "semantics-paper")
    assert has_semantics() and has_semantics("paper")
    found = [find_semantics(), find_semantics("paper"), find_semantics(variant="paper")]
    assert [(v.name, v.digest) for v in found] == [
        ("semantics", "d"),
        ("semantics-paper", "p"),
        ("semantics-paper", "p"),
    ]


def test_a_folder_says_itself_what_it_holds(loaders: Path, tmp_path: Path) -> None:
    own = store(tmp_path / "mine", "semantics-paper")
    assert find_semantics(str(own)).digest == "p"
    assert find_semantics(str(own)).name == "mine"
    run = tmp_path / "run"
    store(run / "semantics", "semantics")
    assert find_semantics(str(run)).digest == "d"
    with pytest.raises(CheckpointError, match="semantics-paper/config.json is there"):
        find_semantics(str(run), variant="paper")


@pytest.mark.parametrize(
    ("which", "variant", "said"),
    [
        (
            "nobody",
            None,
            "neither a semantic verifier's name .texedo, paper, official. n",
        ),
        ("paper", "default", "is of the variant 'paper', not 'default'"),
        (None, "best", "no variant 'best'; there are default, paper"),
        ("{tmp}", None, "holds no semantic verifier"),
        ("{tmp}/tracker", None, "holds 'tracker', which is no semantic verifier"),
        ("{tmp}/mine", "default", "is of the variant 'paper'"),
    ],
)
def test_what_is_no_verifier_is_named(
    loaders: Path, tmp_path: Path, which: str | None, variant: str | None, said: str
) -> None:
    store(tmp_path / "tracker", "tracker")
    store(tmp_path / "mine", "semantics-paper")
    asked = None if which is None else which.format(tmp=tmp_path)
    with pytest.raises(CheckpointError, match=said):
        find_semantics(asked, variant=variant)


def test_a_kind_without_code_is_refused(
    loaders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(find.LOADERS, "semantics", "texedo.nowhere.at_all:load")
    store(loaders / "semantics", "semantics")
    assert not has_semantics()
    with pytest.raises(CheckpointError, match="no code for verifiers of the kind"):
        find_semantics()


# As a scorer


def test_a_verifier_scores_meaning_and_nothing_else() -> None:
    scorer = SemanticScorer(FakeVerifier(longest, remark="Cut short."))
    scores = scorer.score("walk", [standing(100), standing(200)])
    assert scores.semantics.tolist() == [0.1, 0.2]
    assert np.isnan(scores.dynamics).all() and np.isnan(scores.quality).all()
    assert scores.survived is None and scores.remarks == ("Cut short.",)
    assert scorer.gives == {"semantics"} and scorer.digest == "v0"


def judged(values: list[float]) -> FakeVerifier:
    """R_text of the candidates of the standing generator, in their order."""
    motions = StandingGenerator().sample("walk", len(values))
    marks = [motion.joint_pos[-1, 20] for motion in motions]

    def judge(text: str, motion: object) -> float:
        mark = motion.joint_pos[-1, 20]  # type: ignore[attr-defined]
        return values[int(np.argmin(np.abs(np.array(marks) - mark)))]

    return FakeVerifier(judge)


def chosen(quality: list[float], text: list[float], **options: object) -> int:
    scorer = PerformedAndRead(
        TableScorer(lambda _: quality), SemanticScorer(judged(text))
    )
    found = generate("walk", StandingGenerator(), scorer, n=3, **options)  # type: ignore[call-overload]
    assert found.scores.semantics.tolist() == text
    return int(found.selection.index)


def test_the_best_aligned_of_the_survivors_is_chosen() -> None:
    # Survival is a quality of a half: candidate 2 fits best, and falls.
    assert chosen([0.7, 0.9, 0.2], [0.6, 0.5, 0.9]) == 0
    assert chosen([0.7, 0.9, 0.2], [0.6, 0.5, 0.9], rule="oracle") == 1


def test_if_nobody_survives_the_highest_quality_is_chosen() -> None:
    assert chosen([0.1, 0.3, 0.2], [0.6, 0.5, 0.9]) == 1


def test_two_scorers_are_one_with_the_scores_of_both() -> None:
    both = PerformedAndRead(
        TableScorer(lambda _: [0.7]), SemanticScorer(FakeVerifier(longest))
    )
    assert isinstance(both, Gives) and both.gives == set(KNOWN)
    assert default_rule(both) == "texedo"
    assert default_rule(TableScorer(lambda _: [0.7])) == "oracle"
    assert (both.name, both.digest) == ("table, R_text of fake", "s0+v0")
    scores = both.score("walk", [standing(100)])
    assert (scores.dynamics[0], scores.semantics[0], scores.quality[0]) == (1, 0.1, 0.7)


def test_a_prediction_of_the_dynamics_is_kept() -> None:
    scores = Scores(
        dynamics=np.array([0.3, np.nan, np.nan]),
        semantics=np.zeros(3),
        quality=np.array([0.9, 0.8, np.nan]),
        survived=np.array([True, True, False]),
    )
    found = measured_dynamics(scores)
    assert found[:2].tolist() == [0.3, 1.0] and np.isnan(found[2])
