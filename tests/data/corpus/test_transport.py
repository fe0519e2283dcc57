"""The corpus on its way to another machine."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.data.corpus.test_store import LENGTHS, make_clip, write_sample
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.data.corpus.store import Corpus, write_corpus
from texedo.data.corpus.transport import (
    MAX_ERROR,
    export_training_clips,
    load_training_clips,
    pack_transport,
    restore_corpus,
    unpack_transport,
)
from texedo.motion.rotations import quat_angle


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.load(write_sample(tmp_path / "corpus"))


def test_a_round_trip_is_exact_to_a_tenth_of_a_millimetre(
    corpus: Corpus, tmp_path: Path
) -> None:
    size = pack_transport(corpus, tmp_path / "t.npz")
    arrived = unpack_transport(tmp_path / "t.npz")
    assert size == (tmp_path / "t.npz").stat().st_size < corpus.qpos.nbytes / 2
    assert arrived.clips == corpus.clips
    assert np.array_equal(arrived.starts, corpus.starts)
    gap = np.abs(arrived.qpos - corpus.qpos)
    assert gap[:, :3].max() < MAX_ERROR
    assert gap[:, 7:].max() < MAX_ERROR
    turn = quat_angle(
        arrived.qpos[:, 3:7].astype(float), np.asarray(corpus.qpos[:, 3:7], float)
    )
    assert turn.max() < MAX_ERROR


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
    pack_transport(Corpus.load(folder), folder / "t.npz")
    arrived = unpack_transport(folder / "t.npz")
    # Half a step, and what float32 itself rounds off numbers of this size.
    assert np.abs(arrived.qpos - qpos).max() < MAX_ERROR + 3e-5


def test_a_column_is_low_bytes_then_high_and_a_jump_is_kept_apart(
    tmp_path: Path,
) -> None:
    qpos = np.zeros((4, 36), dtype=np.float32)
    qpos[:, 0] = [0.0, 1.9e-4, 5.7e-4, 20.0]
    write_corpus(tmp_path / "c", [make_clip(0, 4)], [qpos])
    pack_transport(Corpus.load(tmp_path / "c"), tmp_path / "t.npz")
    arrays = np.load(tmp_path / "t.npz")
    # Whole steps 0, 1, 3, 105263; second differences 0, 1, 1, 105258; folded, 0, 2, 2.
    column = lzma.decompress(arrays["column00"].tobytes())
    assert list(column) == [0, 2, 2, 255, 0, 0, 0, 255]
    assert arrays["escapes"].tolist() == [105258]
    assert arrays["num_escapes"].tolist() == [1] + [0] * 35


def test_packing_again_what_arrived_changes_nothing(
    corpus: Corpus, tmp_path: Path
) -> None:
    """Joints and positions do not drift, however often they are carried."""
    pack_transport(corpus, tmp_path / "a.npz")
    once = restore_corpus(tmp_path / "a.npz", tmp_path / "once")
    pack_transport(once, tmp_path / "b.npz")
    twice = unpack_transport(tmp_path / "b.npz")
    assert np.array_equal(once.qpos[:, 7:], twice.qpos[:, 7:])
    assert np.array_equal(once.qpos[:, :3], twice.qpos[:, :3])


def test_a_corpus_is_restored_with_its_records(corpus: Corpus, tmp_path: Path) -> None:
    pack_transport(corpus, tmp_path / "t.npz")
    restored = restore_corpus(tmp_path / "t.npz", tmp_path / "restored")
    assert restored.clips == corpus.clips
    assert restored.info["restored_from"]["note"] == "sample"


def test_one_split_can_travel_alone(corpus: Corpus, tmp_path: Path) -> None:
    pack_transport(corpus, tmp_path / "t.npz", split=("test", "val"))
    arrived = unpack_transport(tmp_path / "t.npz")
    assert [clip.split for clip in arrived.clips] == ["test", "val"]
    assert list(arrived.starts) == [0, 120]
    np.testing.assert_allclose(
        arrived.qpos[120:, 7:], corpus.frames(3)[:, 7:], atol=MAX_ERROR
    )


def test_derived_clips_stay_at_home(tmp_path: Path) -> None:
    clips = [make_clip(0, 100), make_clip(1, 100, parents=("01_00-00",))]
    frames = [random_motion(i).to_qpos() for i in range(2)]
    write_corpus(tmp_path / "c", clips, frames)
    pack_transport(Corpus.load(tmp_path / "c"), tmp_path / "t.npz")
    assert [c.id for c in unpack_transport(tmp_path / "t.npz").clips] == ["01_00-00"]


@pytest.mark.parametrize("writer", [export_training_clips, pack_transport])
def test_a_trainer_reads_either_file(
    corpus: Corpus, tmp_path: Path, writer: object
) -> None:
    writer(corpus, tmp_path / "clips.npz", split="train")  # type: ignore[operator]
    clips = load_training_clips(tmp_path / "clips.npz")
    assert list(clips.lengths) == list(LENGTHS[:2])
    assert list(clips.starts) == [0, 100]
    assert list(clips.ids) == ["01_00-00", "01_01-00"]
    assert list(clips.families) == ["walk", "jump"]
    assert list(clips.splits) == ["train", "train"]
    np.testing.assert_allclose(clips.qpos, corpus.qpos[:250], atol=MAX_ERROR)


def test_an_empty_choice_is_an_error(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="test-subject"):
        export_training_clips(corpus, tmp_path / "x.npz", split="test-subject")


def test_damaged_and_foreign_files_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    pack_transport(corpus, path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], b"", b"no archive at all"):
        path.write_bytes(data)
        with pytest.raises(FileFormatError):
            unpack_transport(path)
    path.write_bytes(whole)
    np.savez(path, **{**np.load(path), "lengths": np.array([5])})
    with pytest.raises(FileFormatError, match=r"t\.npz is damaged .*\(2, 36, 5\)"):
        unpack_transport(path)
    np.savez(path, other=np.zeros(3))
    with pytest.raises(FileFormatError, match="no columns"):
        unpack_transport(path)
    with pytest.raises(FileFormatError, match="not a training file"):
        load_training_clips(path)
    with pytest.raises(FileFormatError):
        unpack_transport(tmp_path / "absent.npz")
