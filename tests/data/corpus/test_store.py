"""The packed corpus."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.data.corpus.store import Clip, Corpus, write_corpus

LENGTHS = (100, 150, 120, 300)


def make_clip(i: int, frames: int, **values: object) -> Clip:
    clip = Clip(
        id=f"01_0{i}-00",
        trial=f"01_0{i}",
        subject="01",
        start=1.0,
        end=1.0 + frames / 50,
        first_frame=-1,
        num_frames=frames,
        family=("walk", "jump")[i % 2],
        split=("train", "train", "test", "val")[i % 4],
        group=f"01_0{i}",
        style=("slowly",),
        quality={"foot_error_mean_m": 0.001},
    )
    return replace(clip, **values)  # type: ignore[arg-type]


def write_sample(folder: Path, **values: object) -> Path:
    clips = [make_clip(i, n, **values) for i, n in enumerate(LENGTHS)]
    motions = [random_motion(i, n).to_qpos() for i, n in enumerate(LENGTHS)]
    write_corpus(folder, clips, motions, extra={"note": "sample"})
    return folder


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path))
    assert len(corpus) == 4
    assert list(corpus.starts) == [0, 100, 250, 370]
    assert list(corpus.lengths) == list(LENGTHS)
    for i, n in enumerate(LENGTHS):
        assert np.array_equal(corpus.frames(i), random_motion(i, n).to_qpos())
    assert corpus.clips[1] == make_clip(1, 150, first_frame=100)
    assert corpus.info["note"] == "sample"
    assert corpus.info["splits"] == {"test": 1, "train": 2, "val": 1}


def test_weights_of_captions_come_back_and_are_left_out_where_there_are_none(
    tmp_path: Path,
) -> None:
    said = {"captions": ("a", "b"), "caption_weights": (1.0, 0.25)}
    clip = make_clip(0, 100, **said)
    assert Clip.from_record(json.loads(clip.to_json())) == clip
    assert "caption_weights" not in json.loads(make_clip(0, 100).to_json())
    for wrong in ((1.0,), (1.0, 0.0), (1.0, -1.0)):
        with pytest.raises(ValueError, match="one for each of 2"):
            replace(clip, caption_weights=wrong)


def test_a_clip_is_a_motion(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path))
    i = corpus.index("01_02-00")
    expected = random_motion(2, 120)
    np.testing.assert_allclose(corpus.motion(i).joint_pos, expected.joint_pos)
    assert corpus.clips[i].duration == 2.4
    with pytest.raises(KeyError, match="no clip 'x'"):
        corpus.index("x")


def test_frames_are_mapped_and_read_only(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path))
    assert isinstance(corpus.qpos, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        corpus.frames(0)[0, 0] = 1.0


def test_filters_combine(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path))
    assert corpus.select() == [0, 1, 2, 3]
    assert corpus.select(split="train") == [0, 1]
    assert corpus.select(split=("train", "val"), family="jump") == [1, 3]
    assert corpus.select(kind="mirrored") == []


def test_copies_can_be_left_out(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path, copy_of="00_01"))
    assert corpus.select(copies=False) == []


def test_two_clips_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unique"):
        write_sample(tmp_path, id="x")


def test_frames_that_do_not_fit_their_clip_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has 100 frames"):
        write_corpus(tmp_path, [make_clip(0, 100)], [np.zeros((99, 36))])


def test_a_write_that_fails_leaves_no_index_and_no_litter(tmp_path: Path) -> None:
    write_sample(tmp_path)
    with pytest.raises(ValueError, match="has 100 frames"):
        write_corpus(tmp_path, [make_clip(0, 100)], [np.zeros((99, 36))])
    assert not (tmp_path / "corpus.json").exists()
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".tmp")]
    with pytest.raises(FileFormatError, match="interrupted"):
        Corpus.load(tmp_path)


def test_a_damaged_corpus_is_refused(tmp_path: Path) -> None:
    corpus = Corpus.load(write_sample(tmp_path))
    corpus.verify(tmp_path)
    frames = tmp_path / "frames.npy"
    data = bytearray(frames.read_bytes())
    data[-1] ^= 1
    frames.write_bytes(data)
    with pytest.raises(FileFormatError, match=r"sha256 of frames\.npy"):
        corpus.verify(tmp_path)
    np.save(frames, np.zeros((3, 36), np.float32))
    with pytest.raises(FileFormatError, match="should be float32"):
        Corpus.load(tmp_path)
    (tmp_path / "clips.jsonl").write_text("{}\n")
    with pytest.raises(FileFormatError, match=r"clips\.jsonl is not"):
        Corpus.load(tmp_path)


def test_a_corpus_of_another_version_is_refused(tmp_path: Path) -> None:
    index = write_sample(tmp_path) / "corpus.json"
    index.write_text(json.dumps(json.loads(index.read_text()) | {"version": 99}))
    with pytest.raises(FileFormatError, match="version 99"):
        Corpus.load(tmp_path)
    index.write_text("{")
    with pytest.raises(FileFormatError, match="damaged"):
        Corpus.load(tmp_path)
