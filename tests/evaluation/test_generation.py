"""Samples on disk, roll-outs with their figures, and the reports on a generator."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.generators import StandingGenerator
from tests.support.standing import standing, stiff
from texedo.core.errors import GenerationError
from texedo.data.corpus.label_table import Label
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.evaluation.generation import Bench, diversity_report
from texedo.evaluation.performance import perform, tracking_figures
from texedo.evaluation.reconstruction import compared, reconstruction_report
from texedo.evaluation.samples import Request, draw
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.text.generators.prompts import Sampling

PROMPTS = [f"prompt {i}" for i in range(10)]


def label(success: bool, *, mpjpe: float = 20.0, progress: float = 1.0) -> Label:
    return Label(
        clip="",
        name="",
        tracker="",
        tracker_hash="",
        oracle_version=1,
        perturbation="none",
        seed=0,
        draw=0,
        num_frames=100,
        success=success,
        progress=progress,
        frame=100,
        reason="",
        mpjpe=mpjpe,
        e_vel=4.0,
        e_acc=2.0,
    )


# Samples


def test_what_was_drawn_is_not_drawn_again(tmp_path: Path) -> None:
    generator = StandingGenerator()
    first = draw(generator, PROMPTS[:3], Request(n=2), tmp_path)
    again = draw(generator, PROMPTS, Request(n=2), tmp_path)
    assert generator.batches == [PROMPTS[:3], PROMPTS[3:]]
    assert [len(row) for row in again] == [2] * 10
    assert again[:3] == first
    assert first[1] == generator.sample("prompt 1", 2)


def test_other_settings_are_other_samples(tmp_path: Path) -> None:
    generator = StandingGenerator()
    for request in (
        Request(),
        Request(seed=1),
        Request(sampling=Sampling(temperature=0.7)),
    ):
        draw(generator, PROMPTS[:1], request, tmp_path)
    assert len(generator.batches) == 3
    assert len(list(tmp_path.glob("*/request.json"))) == 3


def test_an_interruption_costs_at_most_eight_prompts(tmp_path: Path) -> None:
    class Tired(StandingGenerator):
        def sample_many(self, *args: object, **kwargs: object) -> list[list[Motion]]:
            if self.batches:
                raise KeyboardInterrupt
            return super().sample_many(*args, **kwargs)  # type: ignore[arg-type]

    with pytest.raises(KeyboardInterrupt):
        draw(Tired(), PROMPTS, Request(), tmp_path)
    assert len(list(tmp_path.glob("*/*.npz"))) == 8


def test_a_generator_with_too_few_candidates_is_named(tmp_path: Path) -> None:
    class Poor(StandingGenerator):
        def sample_many(self, *args: object, **kwargs: object) -> list[list[Motion]]:
            return [[] for _ in PROMPTS[:1]]

    with pytest.raises(GenerationError, match="standing: has 0 candidates for 'prompt"):
        draw(Poor(), PROMPTS[:1], Request(), tmp_path)


# Roll-outs


def test_a_statue_stands_and_is_not_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    motions = [("a", standing(12)), ("b", standing(12, seed=1)), ("a", standing(12))]
    table = tmp_path / "labels.jsonl"
    labels = perform(motions, stiff(), table, workers=1)
    assert [row is not None and row.success for row in labels] == [True] * 3
    assert len(table.read_text().splitlines()) == 2

    def nothing(motions: Iterator[Motion], *_: object, **__: object) -> Iterator[None]:
        assert not list(motions)
        yield from ()

    monkeypatch.setattr("texedo.tracker.oracle.rollout.rollout_stream", nothing)
    assert perform(motions, stiff(), table, workers=1) == labels


def test_what_cannot_be_performed_has_no_label_and_counts_as_a_failure(
    tmp_path: Path,
) -> None:
    in_the_air = standing(12, height=3.0)
    labels = perform([("high", in_the_air)], stiff(), tmp_path / "t.jsonl", workers=1)
    assert labels == [None]
    figures = tracking_figures(labels, None)
    assert (figures["success"], figures["not_performed"]) == (0.0, 1)


def test_errors_are_means_over_the_successes() -> None:
    rows = [label(True, mpjpe=10), label(True, mpjpe=30), label(False, mpjpe=500), None]
    figures = tracking_figures(rows, None)
    assert figures["success"] == 0.5
    assert figures["e_mpjpe_mm"] == 20
    assert figures["q_star"] is None


def test_quality_counts_a_motion_that_was_not_performed_as_nothing() -> None:
    one = tracking_figures([label(True)], Normalizers(e_acc=4, e_vel=8))["q_star"]
    two = tracking_figures([label(True), None], Normalizers(e_acc=4, e_vel=8))["q_star"]
    assert two == pytest.approx(one / 2)


def test_pairs_that_were_lost_and_gained_are_counted() -> None:
    yes, no = label(True), label(False)
    before, after = [yes, yes, no, yes], [yes, no, yes, replace(yes, mpjpe=26.0)]
    found = compared(before, after)
    assert (found["lost"], found["gained"], found["both_succeed"]) == (1, 1, 2)
    assert found["change_points"] == 0
    assert found["e_mpjpe_mm_change"] == 3  # 0 and 6 mm.
    # Differences -100 and 100 among four: 70.7 points, over the root of 4, times 1.96.
    assert found["change_points_high"] == pytest.approx(69.3, abs=0.1)


# Reports


def test_a_diversity_report_has_a_row_for_each_temperature(tmp_path: Path) -> None:
    bench = Bench(
        generator=StandingGenerator(frames=12),
        policy=stiff(),
        folder=tmp_path,
        workers=1,
    )
    report = diversity_report(bench, PROMPTS[:2], n=3, temperatures=(0.7, 1.0))
    rows = report["rows"]
    assert list(rows) == ["temperature 0.7", "temperature 1"]
    assert rows["temperature 1"]["success"] == 1.0
    assert rows["temperature 1"]["motions"] == 6
    spreads = [row["spread_cm"] for row in rows["temperature 1"]["prompts"].values()]
    assert rows["temperature 1"]["spread_cm"] == pytest.approx(np.mean(spreads))
    assert 0 < spreads[0] < 10  # Arms that swing by a tenth of a radian.


def held_out_corpus(folder: Path, count: int) -> Corpus:
    motions = [standing(12, seed=i) for i in range(count)]
    clips = [
        Clip(
            id=f"clip{i}",
            trial="01_01",
            subject="01",
            start=0.0,
            end=0.24,
            first_frame=0,
            num_frames=12,
            family="stand",
            split="test",
            group="01_01",
            captions=(f"person {'abcdefghijklmnopqrst'[i % 20]} {i // 20}",),
        )
        for i in range(count)
    ]
    write_corpus(folder, clips, [motion.to_qpos() for motion in motions])
    return Corpus.load(folder)


class Same:
    """A tokenizer that loses nothing, and adds frames as a real one does."""

    def encode(self, motions: list[Motion]) -> list[np.ndarray]:  # type: ignore[type-arg]
        return [motion.to_qpos() for motion in motions]

    def decode(self, rows: list[np.ndarray]) -> list[np.ndarray]:  # type: ignore[type-arg]
        return [np.concatenate((row, row[-1:])) for row in rows]


def test_a_tokenizer_that_loses_nothing_changes_nothing(tmp_path: Path) -> None:
    report = reconstruction_report(
        held_out_corpus(tmp_path / "corpus", 3),
        Same(),  # type: ignore[arg-type]
        stiff(),
        tmp_path / "labels.jsonl",
        splits=("test",),
        workers=1,
    )
    rows = report["test"]
    assert rows["decoded"]["change_points"] == 0
    assert rows["decoded"]["e_mpjpe_mm"] == rows["original"]["e_mpjpe_mm"]
    assert rows["decoded"]["both_succeed"] == 3


def test_a_base_report_sets_single_samples_against_the_truth(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.evaluation.test_embedding import unrelated
    from texedo.evaluation.generation import TRUTH, base_report

    bench = Bench(
        generator=StandingGenerator(frames=12), policy=None, folder=tmp_path / "out"
    )
    corpus = held_out_corpus(tmp_path / "corpus", 40)
    report = base_report(bench, corpus, unrelated(), temperatures=(1.0,))
    assert report["prompts"] == 40
    sample = report["rows"]["temperature 1"]
    assert report["rows"][TRUTH]["fid"] == 0 < sample["fid"]
    assert 0 <= sample["r1"] <= sample["r2"] <= sample["r3"] <= 1
    assert sample["duration_s"] == pytest.approx(0.22)


def test_a_remade_truth_that_is_the_truth_has_its_figures(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.evaluation.test_embedding import unrelated
    from texedo.evaluation.alignment import truth_report

    report = truth_report(
        held_out_corpus(tmp_path, 40), unrelated(), splits=("test",), remake=list
    )
    assert list(report) == [
        "test, captured",
        "test, captured, remade",
        "test, all kinds",
    ]
    remade = report["test, captured, remade"]
    assert remade["fid"] == pytest.approx(0, abs=1e-6)
    assert remade["r3"] == report["test, captured"]["r3"]


def test_a_likelihood_report_knows_own_captions_from_others(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.support.small_lm import small_model
    from texedo.evaluation.likelihood import likelihood_report, shifted

    class ThreeCodes:
        num_codes = 36

        def encode(self, motions: list[Motion]) -> list[np.ndarray]:  # type: ignore[type-arg]
            return [np.array([i, 2, 3]) for i in range(len(motions))]

    corpus = held_out_corpus(tmp_path, 4)
    model = small_model()
    report = likelihood_report(
        corpus,
        model,
        ThreeCodes(),  # type: ignore[arg-type]
        splits=("test",),
    )
    own, others = report["test"]["own captions"], report["test"]["others' captions"]
    assert own["tokens"] == others["tokens"] == 4 * (3 + 1)  # The end is a token too.
    assert own["perplexity"] == pytest.approx(np.exp(own["nll"]))
    assert own["nll"] != others["nll"]
    sums = [
        model.log_likelihood(clip.captions[0], [np.array([i, 2, 3])])[0]
        for i, clip in enumerate(corpus)
    ]
    assert own["nll"] == pytest.approx(-sum(sums) / 16, abs=1e-5)
    from texedo.evaluation.likelihood import held_out_tokens

    data = held_out_tokens(corpus, ThreeCodes(), [0, 1, 2])  # type: ignore[arg-type]
    captions = [row[0] for row in data.captions]
    assert [row[0] for row in shifted(data).captions] == captions[1:] + captions[:1]
