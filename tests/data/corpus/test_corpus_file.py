"""The corpus on its way to another machine."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.data.corpus.test_store import make_clip, write_sample
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.data.corpus.clip_file import COARSE, read_clips
from texedo.data.corpus.corpus_file import open_corpus, pack_corpus, restore_corpus
from texedo.data.corpus.store import Corpus, write_corpus
from texedo.motion.rotations import quat_angle


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.load(write_sample(tmp_path / "corpus"))


def test_a_round_trip_is_exact_to_a_tenth_of_a_millimetre(
    corpus: Corpus, tmp_path: Path
) -> None:
    size = pack_corpus(corpus, tmp_path / "t.npz")
    arrived = read_clips(tmp_path / "t.npz")
    assert size == (tmp_path / "t.npz").stat().st_size < corpus.qpos.nbytes / 2
    assert arrived.records == corpus.clips
    assert np.array_equal(arrived.starts, corpus.starts)
    gap = np.abs(arrived.qpos - corpus.qpos)
    assert gap[:, :3].max() < COARSE
    assert gap[:, 7:].max() < COARSE
    turn = quat_angle(
        arrived.qpos[:, 3:7].astype(float), np.asarray(corpus.qpos[:, 3:7], float)
    )
    assert turn.max() < COARSE


@settings(max_examples=20, deadline=None)
@given(
    qpos=hnp.arrays(
        np.float32, (130, 36), elements=st.floats(-300, 300, width=32), fill=st.just(1)
    )
)
def test_even_wild_jumps_survive(
    qpos: np.ndarray, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("wild")
    qpos[:, 3:7] = [1, 0, 0, 0]
    clips = [make_clip(0, 2), make_clip(1, 128)]
    write_corpus(folder, clips, [qpos[:2], qpos[2:]])
    pack_corpus(Corpus.load(folder), folder / "t.npz")
    arrived = read_clips(folder / "t.npz")
    # Half a step, and what float32 itself rounds off numbers of this size.
    assert np.abs(arrived.qpos - qpos).max() < COARSE + 3e-5


def test_a_column_is_low_bytes_then_high_and_a_jump_is_kept_apart(
    tmp_path: Path,
) -> None:
    qpos = np.zeros((4, 36), dtype=np.float32)
    qpos[:, 0] = [0.0, 1.9e-4, 5.7e-4, 20.0]
    write_corpus(tmp_path / "c", [make_clip(0, 4)], [qpos])
    pack_corpus(Corpus.load(tmp_path / "c"), tmp_path / "t.npz")
    arrays = np.load(tmp_path / "t.npz")
    # Whole steps 0, 1, 3, 105263; second differences 0, 1, 1, 105258; folded, 0, 2, 2.
    column = lzma.decompress(arrays["column00"].tobytes())
    assert list(column) == [0, 2, 2, 255, 0, 0, 0, 255]
    assert arrays["escapes"].tolist() == [105258]


def test_packing_again_what_arrived_changes_nothing(
    corpus: Corpus, tmp_path: Path
) -> None:
    """Joints and positions do not drift, however often they are carried."""
    pack_corpus(corpus, tmp_path / "a.npz")
    once = restore_corpus(tmp_path / "a.npz", tmp_path / "once")
    pack_corpus(once, tmp_path / "b.npz")
    twice = read_clips(tmp_path / "b.npz")
    assert np.array_equal(once.qpos[:, 7:], twice.qpos[:, 7:])
    assert np.array_equal(once.qpos[:, :3], twice.qpos[:, :3])


def test_a_corpus_is_restored_with_its_records(corpus: Corpus, tmp_path: Path) -> None:
    pack_corpus(corpus, tmp_path / "t.npz")
    restored = restore_corpus(tmp_path / "t.npz", tmp_path / "restored")
    assert restored.clips == corpus.clips
    assert restored.info["restored_from"]["note"] == "sample"


def test_one_split_can_travel_alone(corpus: Corpus, tmp_path: Path) -> None:
    pack_corpus(corpus, tmp_path / "t.npz", split=("test", "val"))
    arrived = read_clips(tmp_path / "t.npz")
    assert [clip.split for clip in arrived.records] == ["test", "val"]
    assert list(arrived.starts) == [0, 120]
    np.testing.assert_allclose(
        arrived.qpos[120:, 7:], corpus.frames(3)[:, 7:], atol=COARSE
    )


def test_derived_clips_stay_at_home(tmp_path: Path) -> None:
    clips = [make_clip(0, 100), make_clip(1, 100, parents=("01_00-00",))]
    frames = [random_motion(i).to_qpos() for i in range(2)]
    write_corpus(tmp_path / "c", clips, frames)
    pack_corpus(Corpus.load(tmp_path / "c"), tmp_path / "t.npz")
    assert [c.id for c in read_clips(tmp_path / "t.npz").records] == ["01_00-00"]


def test_clips_that_are_packed_for_a_tracker_are_no_corpus(
    corpus: Corpus, tmp_path: Path
) -> None:
    from dataclasses import replace

    from texedo.data.corpus.clip_file import write_clips
    from texedo.data.corpus.corpus_file import pack_clips

    bare = replace(pack_clips(corpus, [0, 2]), records=())
    write_clips(tmp_path / "bare.npz", bare)
    with pytest.raises(FileFormatError, match="without captions and sources"):
        open_corpus(tmp_path / "bare.npz")
    with pytest.raises(FileFormatError, match="without captions and sources"):
        restore_corpus(tmp_path / "bare.npz", tmp_path / "folder")


def test_a_packed_corpus_opens_like_its_folder(corpus: Corpus, tmp_path: Path) -> None:
    pack_corpus(corpus, tmp_path / "t.npz")
    opened = open_corpus(tmp_path / "t.npz")
    assert opened.clips == corpus.clips
    np.testing.assert_allclose(opened.qpos, corpus.qpos, atol=COARSE)
    assert len(open_corpus(tmp_path / "corpus")) == len(corpus)
