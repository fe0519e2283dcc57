"""A source database is what `Dataset` says: CMU's lists, and one made up here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.data.corpus.test_build import Stub, bvh_text
from texedo.core.errors import FileFormatError
from texedo.data.captions import written_about
from texedo.data.capture.cmu import Cmu, read_written
from texedo.data.capture.dataset import (
    CaptionSource,
    Recording,
    RecordingInfo,
    TrialLabel,
    WrittenCaptions,
)
from texedo.data.corpus.build import BuildCfg, build_corpus
from texedo.data.corpus.splits import SplitCfg
from texedo.data.corpus.store import Clip

CLIP = Clip(
    id="35_01-00",
    trial="35_01",
    subject="35",
    start=2.0,
    end=7.0,
    first_frame=0,
    num_frames=250,
    family="walk",
    split="train",
    group="35_01",
)


class Studio:
    """A database of one file, which says twice the rate it was recorded at."""

    name = "studio"
    splits = SplitCfg(test=1.0)
    caption_source: CaptionSource = "written"

    def fingerprint(self) -> list[list[object]]:
        return [["take", 1]]

    def recordings(self) -> Iterator[Recording]:
        yield Recording("take", bvh_text(2.5).encode())
        yield Recording("spoilt", b"")

    def info(self, trial: str) -> RecordingInfo:
        label = TrialLabel(family="march", keep=trial != "spoilt")
        said = WrittenCaptions(0.0, 5.0, ("left, two, three, four",))
        return RecordingInfo(
            subject="actor", label=label, time_stretch=2.0, written=(said,)
        )

    def order(self, trial: str) -> tuple[str]:
        return (trial,)


def test_a_database_of_its_own_needs_nothing_but_itself(tmp_path: Path) -> None:
    corpus = build_corpus(Studio(), tmp_path, solver=Stub(), workers=1).corpus
    (clip,) = corpus
    assert (clip.id, clip.subject, clip.split) == ("take-00", "actor", "test")
    assert clip.captions == ("left, two, three, four",)
    assert clip.duration == pytest.approx(5.0, abs=0.1)  # 2.5 s, slowed down
    assert corpus.info["dataset"] == "studio"


def test_written_captions_belong_to_the_clip_of_their_seconds() -> None:
    near, far, whole, rest = (
        WrittenCaptions(2.2, 6.9, ("a walk", "a walk")),
        WrittenCaptions(0.0, 5.0, ("the way there",)),
        WrittenCaptions(0.0, -1.0, ("all of it",)),
        WrittenCaptions(2.5, -1.0, ("to the end",)),
    )
    written = (near, far, whole, rest)
    # 4.7 of 5 s are shared with the first, 3 of 7 with the second, 4.5 of 5 with the last.
    assert written_about(CLIP, written) == ("a walk", "to the end")
    assert written_about(replace(CLIP, label_scope="trial"), [whole]) == ("all of it",)
    assert written_about(CLIP, ()) == ()


def test_cmu_reads_what_was_written_about_its_windows(tmp_path: Path) -> None:
    (tmp_path / "35_01.bvh").write_text(bvh_text(4.0))
    row = {"trial": "35_01", "start": 0.0, "end": 4.0, "captions": ["a short walk"]}
    (tmp_path / "written.jsonl").write_text(json.dumps(row) + "\n")
    dataset = Cmu.open(tmp_path)
    expected = (WrittenCaptions(0.0, 4.0, ("a short walk",)),)
    assert dataset.info("35_01").written == expected
    said = {}
    for source in ("generated", "written", "both"):
        cfg = BuildCfg(captions=source)  # type: ignore[arg-type]
        out = tmp_path / source
        corpus = build_corpus(dataset, out, cfg=cfg, solver=Stub(), workers=1).corpus
        said[source] = corpus.clips[0].captions
    assert said["written"] == ("a short walk",)
    assert "a short walk" not in said["generated"]
    assert said["both"] == ("a short walk", *said["generated"])
    assert dataset.caption_source == "both"


def test_a_damaged_line_of_written_captions_is_named(tmp_path: Path) -> None:
    path = tmp_path / "written.jsonl"
    path.write_text('{"trial": "35_01", "start": 0.0}\n')
    with pytest.raises(FileFormatError, match=r"written\.jsonl, line 1: .*captions"):
        read_written(path)
