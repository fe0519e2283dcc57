"""The whole report on a verifier that reads a caption off a motion's length."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.standing import standing
from tests.support.verifiers import FakeVerifier
from texedo.apps import cli
from texedo.apps.evaluate import semantics as app
from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.evaluation.semantics import held_out, report
from texedo.evaluation.semantics.held_out import (
    OTHER_CLIP,
    captured_group,
    composed_group,
    our_contraries,
    written_group,
)
from texedo.evaluation.semantics.page import page
from texedo.evaluation.semantics.report import alike, semantics_report
from texedo.motion import Motion

NAMES = [f"person {letter}" for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"]


def clip(i: int, captions: tuple[str, ...], **changes: object) -> Clip:
    made = Clip(
        id=f"clip{i}",
        trial=f"{i}_01",
        subject="01",
        start=0.0,
        end=0.24,
        first_frame=0,
        num_frames=12 + i,
        family="stand",
        split="test",
        group=f"{i}_01",
        captions=captions,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """36 captured clips, 4 composed ones, a copy; the length is the number of the clip.

    "LEFT k" is what clip k does; odd ones turn left, which their caption says.
    """
    clips = [clip(i, (f"LEFT {i} left",)) for i in range(36)]
    clips += [
        clip(i, (f"LEFT {i} twice", f"walks {i}"), kind="authored")
        for i in range(36, 40)
    ]
    clips += [clip(40, ("walks",), kind="authored")]
    clips += [clip(41, ("LEFT 41",), copy_of="0_01")]
    clips += [clip(42, ("LEFT 42",), split="train"), clip(43, ())]
    frames = [standing(c.num_frames, seed=i).to_qpos() for i, c in enumerate(clips)]
    write_corpus(tmp_path / "corpus", clips, frames)
    return Corpus.load(tmp_path / "corpus")


def contraries(text: str) -> list[tuple[str, str]]:
    found = []
    if " left" in text:
        found.append(("side", text.replace(" left", " right")))
    if "twice" in text:
        found.append(("count", text.replace("twice", "three times")))
    return found


def judge(text: str, motion: Motion) -> float:
    """Knows the clip and its number of times, and nothing of sides."""
    own = f"LEFT {len(motion) - 12}"
    if not text.startswith(own + " "):
        return 0.1
    return 0.4 if "three" in text else 0.9


def test_a_group_has_one_question_of_each_kind_for_each_clip(corpus: Corpus) -> None:
    group = captured_group(corpus, "test", contraries)
    assert group.clips == list(range(36))
    kinds = [question.kind for question in group.questions]
    assert (kinds.count("side"), kinds.count(OTHER_CLIP)) == (36, 36)
    assert len(group.sided) == 36
    for question in group.questions:
        assert question.true == f"LEFT {question.clip} left" != question.false
    assert captured_group(corpus, "test", contraries) == group
    assert len(captured_group(corpus, "test", contraries, limit=10).clips) == 10


def test_composed_clips_are_asked_by_the_captions_that_state_a_number(
    corpus: Corpus,
) -> None:
    group = composed_group(corpus, "test", contraries)
    assert group.captions == [f"LEFT {i} twice" for i in range(36, 40)]
    assert {q.kind for q in group.questions} == {"count", OTHER_CLIP}


def test_a_clip_is_asked_by_its_main_captions_where_some_weigh_more(
    tmp_path: Path, corpus: Corpus
) -> None:
    said = ("walks left", "turns left", "hops right")
    heavy = [
        clip(i, said, caption_weights=(1.0, 0.25, 0.25), group=f"{i}") for i in range(3)
    ]
    write_corpus(tmp_path / "w", heavy, [standing(12 + i).to_qpos() for i in range(3)])
    weighed = Corpus.load(tmp_path / "w")
    group = written_group(weighed, "test", contraries)
    assert group.captions == ["walks left"] * 3
    assert {q.true for q in group.questions} == {"walks left"}
    assert group.sided == dict.fromkeys(range(3), "walks left")
    asked = {q.true for q in captured_group(weighed, "test", contraries).questions}
    assert asked <= {"walks left", "turns left"}
    # In the other corpus all captions weigh alike: there is no such group.
    assert written_group(corpus, "test", contraries).clips == []
    found = semantics_report(
        FakeVerifier(judge), weighed, contraries=contraries, only_pairs=True
    )
    assert set(found["groups"]) == {"captured", "written"}
    assert set(found["groups"]["written"]) == {"clips", "pairs"}
    assert "Retrieval" not in page(found)


def test_what_another_caption_of_the_clip_says_is_no_contrary(tmp_path: Path) -> None:
    both = clip(0, ("walks left", "walks right"))
    write_corpus(tmp_path, [both], [standing(12).to_qpos()])
    group = captured_group(Corpus.load(tmp_path), "test", contraries)
    assert group.questions == []


def test_what_is_true_of_the_mirror_image_too_is_not_asked_about_it(
    tmp_path: Path,
) -> None:
    said = ("a person turns left", "he looks left and right", "standing right away")
    clips = [clip(i, (text,)) for i, text in enumerate(said)]
    frames = [standing(c.num_frames).to_qpos() for c in clips]
    write_corpus(tmp_path, clips, frames)
    group = captured_group(Corpus.load(tmp_path), "test", our_contraries)
    assert group.sided == {0: "a person turns left"}


def test_the_report_knows_what_the_verifier_knows(corpus: Corpus) -> None:
    verifier = FakeVerifier(judge)
    found = semantics_report(verifier, corpus, contraries=contraries)
    assert verifier.calls == 2  # Once for each group.
    captured, composed = found["groups"]["captured"], found["groups"]["composed"]
    pairs = captured["pairs"]
    assert (pairs["side"]["accuracy"], pairs["side"]["ties"]) == (0.5, 36)
    assert pairs[OTHER_CLIP]["accuracy"] == 1.0
    assert pairs["all"]["accuracy"] == 0.75 and pairs["all"]["n"] == 72
    assert pairs["mirrored motion"]["accuracy"] == 0.5
    assert composed["pairs"]["count"]["accuracy"] == 1.0
    assert composed["pairs"]["count"]["margin"] == pytest.approx(0.5)
    assert captured["retrieval"]["motion to text"]["R@1"] == 1.0
    assert captured["retrieval"]["text to motion"]["R@1"] == 1.0
    assert captured["retrieval"]["motion to text, shuffled"]["R@3"] < 0.1
    assert captured["matching"]["true pairs"] == pytest.approx(0.9)
    assert captured["matching"]["gap"] == pytest.approx(0.8)
    assert captured["captions alike"] == 0.0
    # True pairs have 0.9; of the changed ones half have 0.9 and half 0.1.
    assert captured["calibration"]["ece"] == pytest.approx(
        0.75 * abs(2 / 3 - 0.9) + 0.25 * 0.1
    )
    json.dumps(found, allow_nan=False)


def test_the_page_has_the_papers_figures_marked_as_theirs(corpus: Corpus) -> None:
    said = page(semantics_report(FakeVerifier(judge), corpus, contraries=contraries))
    assert "| side | 36 | 0.500 [" in said
    assert (
        "| the paper's own figures, on its own data | 9116 | 32 | 0.747 | 0.935" in said
    )
    assert "## composed, 4 clips" in said
    assert "gap 0.800" in said


def test_counts_are_told_apart_where_sentence_vectors_are_not() -> None:
    texts = ["jumps twice", "jumps three times", "leaps twice", "jumps twice."]
    near = alike(texts, lambda texts: np.ones((len(texts), 1)))
    assert near[0].tolist() == [True, False, True, True]
    assert alike(texts, None)[0].tolist() == [True, False, False, True]


def test_a_split_without_clips_is_named(corpus: Corpus) -> None:
    with pytest.raises(TexedoError, match="split 'val' has 0 captured clips"):
        semantics_report(
            FakeVerifier(judge), corpus, split="val", contraries=contraries
        )


def test_contraries_are_those_of_the_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def contraries(text: str) -> list[object]:
            return [type("C", (), {"kind": "side", "text": f"not {text}"})()]

    monkeypatch.setattr(held_out.importlib, "import_module", lambda name: Module)
    assert our_contraries("walks") == [("side", "not walks")]

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(held_out.importlib, "import_module", missing)
    with pytest.raises(TexedoError, match="has no texedo.data.captions.contrary"):
        our_contraries("walks")


def test_the_command_writes_both_files(
    corpus: Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def quick(verifier: object, corpus: object, **options: object) -> object:
        options |= {"encode": None, "contraries": contraries}
        return report.semantics_report(verifier, corpus, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(app, "semantics_report", quick)
    monkeypatch.setattr(app, "_sentences", lambda: None)
    monkeypatch.setattr(
        app, "find_semantics", lambda which, *, variant: FakeVerifier(judge)
    )
    out = tmp_path / "report"
    command = ["evaluate", "semantics", str(tmp_path / "corpus"), "-o", str(out)]
    assert cli.main(command) == 0
    assert (out / "semantics-test.md").read_text() in capsys.readouterr().out
    assert cli.main([*command, "--json"]) == 0
    stored = json.loads((out / "semantics-test.json").read_text())
    assert json.loads(capsys.readouterr().out) == stored
    assert stored["groups"]["captured"]["clips"] == 36
