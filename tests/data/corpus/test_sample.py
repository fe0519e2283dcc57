"""A few clips of a corpus in a small file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.data.corpus.test_store import make_clip, write_sample
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.data.corpus import sample
from texedo.data.corpus.clip_file import COARSE, read_clips
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.store import Clip, Corpus

FRAMES = 20
SPLITS = ("train", "train", "train", "val", "test", "test-subject")


def make_corpus(clips: list[Clip]) -> Corpus:
    """Every clip of 20 frames."""
    block = random_motion(0, FRAMES).to_qpos()
    placed = [replace(c, first_frame=i * FRAMES) for i, c in enumerate(clips)]
    return Corpus(placed, np.tile(block, (len(clips), 1)), info={})


def many() -> list[Clip]:
    """36 walks, 18 jumps and 12 waves over all splits."""
    families = ["walk"] * 36 + ["jump"] * 18 + ["wave"] * 12
    return [
        make_clip(i, FRAMES, id=f"c{i:02d}", family=family, split=SPLITS[i % 6])
        for i, family in enumerate(families)
    ]


def test_families_take_turns_and_half_is_for_training() -> None:
    corpus = make_corpus(many())
    chosen = [corpus.clips[i] for i in sample.choose_sample(corpus, clips=12)]
    assert Counter(clip.family for clip in chosen) == {"walk": 4, "jump": 4, "wave": 4}
    assert Counter(clip.split for clip in chosen) == {
        "train": 6,
        "val": 2,
        "test": 2,
        "test-subject": 2,
    }


def test_large_families_go_first_when_there_are_not_enough_places() -> None:
    corpus = make_corpus(many())
    chosen = [corpus.clips[i] for i in sample.choose_sample(corpus, clips=2)]
    assert {clip.family for clip in chosen} == {"walk", "jump"}


def test_the_choice_hangs_on_the_seed_and_not_on_the_order() -> None:
    clips = many()
    forwards, backwards = make_corpus(clips), make_corpus(clips[::-1])

    def ids(corpus: Corpus, seed: int) -> set[str]:
        chosen = sample.choose_sample(corpus, clips=6, seed=seed)
        return {corpus.clips[i].id for i in chosen}

    assert ids(forwards, 0) == ids(backwards, 0)
    assert ids(forwards, 0) != ids(forwards, 1)


def test_copies_and_derived_clips_are_not_chosen() -> None:
    clips = many()[:4]
    clips[1] = replace(clips[1], copy_of="01_00")
    clips[2] = replace(clips[2], kind="mirrored", parents=("c00",))
    corpus = make_corpus(clips)
    assert sample.choose_sample(corpus, clips=2) == [0, 3]
    with pytest.raises(FileFormatError, match="2 captured clips .* fewer than the 3"):
        sample.choose_sample(corpus, clips=3)
    with pytest.raises(FileFormatError, match="at least one clip"):
        sample.choose_sample(corpus, clips=0)


def test_the_file_is_the_same_each_time_and_reads_as_packed_clips(
    tmp_path: Path,
) -> None:
    corpus = Corpus.load(write_sample(tmp_path / "corpus"))
    size = sample.write_sample(corpus, tmp_path / "a.npz", clips=2)
    sample.write_sample(corpus, tmp_path / "b.npz", clips=2)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert size == (tmp_path / "a.npz").stat().st_size
    arrived = read_clips(tmp_path / "a.npz")
    opened = open_corpus(tmp_path / "a.npz")
    assert opened.info["sample"] == {"of_clips": 4, "seed": 0}
    assert [c.id for c in opened] == [c.id for c in arrived.records]
    for i, clip in enumerate(opened):
        frames = corpus.frames(corpus.index(clip.id))
        np.testing.assert_allclose(opened.frames(i), frames, atol=COARSE)
    with pytest.raises(ValueError, match="read-only"):
        opened.frames(0)[0, 0] = 1.0


def test_a_sample_that_is_too_large_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus.load(write_sample(tmp_path / "corpus"))
    path = tmp_path / "a.npz"
    path.write_bytes(b"old")
    monkeypatch.setattr(sample, "MAX_BYTES", 1000)
    with pytest.raises(FileFormatError, match=r"4 clips make 0\.\d MB"):
        sample.write_sample(corpus, path, clips=4)
    assert path.read_bytes() == b"old"
    with pytest.raises(FileFormatError, match="there is no folder"):
        sample.write_sample(corpus, tmp_path / "no/a.npz", clips=1)


def test_the_packaged_sample_opens_or_its_absence_is_stated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cmu_sample.npz"
    monkeypatch.setattr(sample, "SAMPLE_FILE", path)
    with pytest.raises(FileFormatError, match="no sample. Make one with"):
        sample.load_sample()
    corpus = Corpus.load(write_sample(tmp_path / "corpus"))
    sample.write_sample(corpus, path, clips=3)
    assert len(sample.load_sample()) == 3


@pytest.mark.skipif(not sample.SAMPLE_FILE.is_file(), reason="no sample is packaged")
def test_the_packaged_sample_is_small_and_spread_over_all_splits() -> None:
    packaged = sample.load_sample()
    assert 24 <= len(packaged) <= 60
    assert sample.SAMPLE_FILE.stat().st_size < sample.MAX_BYTES
    assert {clip.split for clip in packaged} == set(sample.SPLIT_WEIGHTS)
    assert len({clip.family for clip in packaged}) >= 20
    assert {clip.kind for clip in packaged} == {"captured"}
