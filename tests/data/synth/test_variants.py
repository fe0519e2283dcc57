"""Recordings done again in other ways, and the files that the tracker trains on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.rigs import motion_builder_names, t_pose_first, walker, write_rig
from texedo.apps import cli
from texedo.data.capture.cmu import Cmu
from texedo.data.corpus.build import build_corpus
from texedo.data.corpus.clip_file import clips_from
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.retarget.solver import LOWER, UPPER
from texedo.data.synth import variants
from texedo.data.synth.variants import (
    VariantTask,
    make_batch,
    make_variants,
    plan_variants,
)

CLIP = Clip(
    id="13_01-00",
    trial="13_01",
    subject="13",
    start=0.0,
    end=3.0,
    first_frame=0,
    num_frames=150,
    family="walk",
    split="train",
    group="13_01",
    quality={
        "airborne_max_s": 0.0,
        "pelvis_min_m": 0.7,
        "joint_speed_ratio_max": 0.3,
    },
)


def recording(seconds: float = 2.6) -> bytes:
    person = t_pose_first(walker(frames=round(seconds * 30) + 1))
    return write_rig(person, motion_builder_names()).encode()


def task(number: int = 1) -> VariantTask:
    return VariantTask(
        trial="13_01",
        number=number,
        family="hop",
        atomic=False,
        data=recording(),
        donor=recording(2.2),
        donor_trial="14_01",
        segments=(),
        exact_segments=False,
        stretches=(1.0, 1.0),
        seed=0,
    )


def test_rare_kinds_get_more_variants_and_calm_walks_none() -> None:
    clips = [
        CLIP,
        replace(CLIP, trial="13_02", family="hop"),
        replace(CLIP, trial="13_03", family="dance"),
    ]
    plans = plan_variants(clips)
    assert {trial: plan.variants for trial, plan in plans.items()} == {
        "13_02": 8,
        "13_03": 2,
    }


@pytest.mark.parametrize(
    "measure",
    [{"airborne_max_s": 0.2}, {"pelvis_min_m": 0.5}, {"joint_speed_ratio_max": 0.7}],
)
def test_a_walk_that_flies_sinks_or_is_quick_gets_three(
    measure: dict[str, float],
) -> None:
    lively = replace(CLIP, quality={**CLIP.quality, **measure})
    assert plan_variants([CLIP, lively])["13_01"].variants == 3


@pytest.mark.parametrize(
    "change",
    [
        {"split": "test-subject"},
        {"split": "val"},
        {"kind": "mirrored"},
        {"copy_of": "1"},
    ],
)
def test_held_out_clips_copies_and_made_ones_get_none(change: dict[str, Any]) -> None:
    assert plan_variants([replace(CLIP, family="hop", **change)]) == {}


def test_a_variant_is_a_motion_of_the_robot_that_differs_from_the_next() -> None:
    clips = make_batch([task(1), task(2)])
    assert set(clips.ids) == {"13_01-00~v1", "13_01-00~v2"}
    assert clips.families == ("hop", "hop")
    assert clips.splits == ("train", "train")
    joints = clips.qpos[:, 7:]
    assert (joints >= LOWER - 1e-3).all()
    assert (joints <= UPPER + 1e-3).all()
    np.testing.assert_allclose(clips.qpos[clips.starts, :2], 0.0, atol=1e-6)
    # 2.6 s at the tempos 1.25 and 0.915 of these two; the second pauses for 2.12 s.
    np.testing.assert_allclose(clips.lengths, [104, 142 + 106], atol=2)


def test_a_recording_that_cannot_be_read_costs_only_itself() -> None:
    broken = task()._replace(data=b"no BVH")
    assert len(make_batch([broken])) == 0


@pytest.fixture
def walks(tmp_path: Path) -> tuple[Path, Path]:
    """A corpus of one hop, and its source."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "13_01.bvh").write_bytes(recording())
    row = {"description": "hop", "trials": ["13_01"], "action": "hop"}
    (source / "labels.jsonl").write_text(json.dumps(row) + "\n")
    corpus = tmp_path / "corpus"
    build_corpus(Cmu.open(source), corpus, workers=1)
    return corpus, source


def test_finished_batches_are_not_made_again(
    walks: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, source = walks
    made: list[int] = []

    def fake(batch: list[VariantTask]) -> PackedClips:
        made.append(len(batch))
        return clips_from(corpus)

    monkeypatch.setattr(variants, "make_batch", fake)
    split = Corpus.load(corpus).clips[0].split
    assert split == "train"
    for _ in range(2):
        clips = make_variants(corpus, source, tmp_path / "parts", workers=1)
    assert made == [8]
    assert len(clips) == 1


def test_packing_writes_a_file_for_each_kind_of_data(
    walks: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    corpus, source = walks
    captured = clips_from(corpus)
    monkeypatch.setattr(variants, "make_batch", lambda batch: captured)
    out = tmp_path / "pack"
    options = ["--source", str(source), "--drills", "0", "--workers", "1"]
    command = ["data", "pack", str(corpus), "--target", "tracker", "-o", str(out)]
    assert cli.main([*command, *options]) == 0
    files = {file.stem for file in out.glob("*.npz")}
    assert files == {"captured", "extra", "variants"}
    assert len(clips_from(out / "variants.npz")) == 1
    assert f"{out / 'variants.npz'}: 0.0 MB" in capsys.readouterr().out


def test_packing_without_a_corpus_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, out = str(tmp_path / "none"), tmp_path / "out"
    for target in ("tracker", "tokenizer"):
        command = ["data", "pack", missing, "--target", target, "-o", str(out)]
        assert cli.main(command) == 2
        assert "none" in capsys.readouterr().err
        assert not out.exists()
