"""Files of packed clips: what is written, and all that was ever written before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.data.corpus.test_store import write_sample
from tests.support.reference_clips import (
    packed,
    standing_qpos,
    unversioned_file,
    wavy_qpos,
)
from texedo.core.errors import FileFormatError
from texedo.data.corpus.clip_file import FINE, clips_from, read_clips, write_clips
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.motion.pose_code import encode_poses


@pytest.fixture
def clips() -> PackedClips:
    return packed(standing_qpos(5), wavy_qpos(70), splits=("train", "val"))


def coded_file(path: Path, clips: PackedClips, **changes: Any) -> Path:
    """A file from before the version: `code` and `escapes` in steps of 5e-5, zipped."""
    code = encode_poses(clips.qpos, clips.lengths, steps=np.full(36, 5e-5))
    plain = dict(np.load(unversioned_file(path, clips)))
    del plain["qpos"]
    plain |= {"code": code.planes, "escapes": code.escapes, **changes}
    np.savez_compressed(path, **plain)
    return path


def test_written_clips_come_back_to_a_fortieth_of_a_milliradian(tmp_path: Path) -> None:
    clips = packed(wavy_qpos(500), wavy_qpos(400, seed=3), standing_qpos(3))
    size = write_clips(tmp_path / "small.npz", clips)
    back = read_clips(tmp_path / "small.npz")
    np.testing.assert_allclose(back.qpos, clips.qpos, atol=FINE)
    assert back.lengths.tolist() == [500, 400, 3]
    for name in ("ids", "families", "splits", "kinds"):
        assert getattr(back, name) == getattr(clips, name)
    assert back.records == () and back.info == {}
    assert size == (tmp_path / "small.npz").stat().st_size < 0.35 * clips.qpos.nbytes


def test_a_jump_of_two_metres_is_stored_like_any_other(tmp_path: Path) -> None:
    qpos = standing_qpos(20)
    qpos[10:, 0] = 2.0
    write_clips(tmp_path / "jump.npz", packed(qpos, standing_qpos(3)))
    back = read_clips(tmp_path / "jump.npz")
    escapes = np.load(tmp_path / "jump.npz")["escapes"].tolist()
    # 2 m are 42105 steps of 47.5 um, and w = 1 at a clip's start 83333 of 1.2e-5.
    assert escapes == [42105, -42105, 83333, -83333, 83333, -83333]
    np.testing.assert_allclose(back.qpos[:20, 0], qpos[:, 0], atol=FINE)


def test_no_clips_are_stored_as_well(tmp_path: Path) -> None:
    write_clips(tmp_path / "none.npz", packed(standing_qpos(5)).pick([]))
    assert len(clips_from(tmp_path / "none.npz")) == 0


def test_plain_arrays_of_before_are_read(tmp_path: Path, clips: PackedClips) -> None:
    back = read_clips(unversioned_file(tmp_path / "plain.npz", clips))
    np.testing.assert_array_equal(back.qpos, clips.qpos)
    assert back.ids == clips.ids and back.splits == clips.splits
    assert back.kinds == ("captured", "captured")


def test_coded_poses_of_before_are_read(tmp_path: Path, clips: PackedClips) -> None:
    back = read_clips(coded_file(tmp_path / "coded.npz", clips))
    np.testing.assert_allclose(back.qpos, clips.qpos, atol=2.6e-5)
    assert back.families == clips.families


def test_four_planes_of_before_there_were_escapes_are_read(
    tmp_path: Path, clips: PackedClips
) -> None:
    # Heights of 4 m, 4 m and 3.99995 m: 80000, 80000 and 79999 steps of 5e-5 m, hence
    # first differences 80000, 0, -1 and second ones 80000, -80000, -1.
    code = np.zeros((4, 36, 3), dtype=np.uint8)
    for frame, difference in enumerate((80000, -80000, -1)):
        folded = 2 * difference if difference >= 0 else -2 * difference - 1
        code[:, 2, frame] = list(folded.to_bytes(4, "little"))
    path = coded_file(tmp_path / "x.npz", packed(standing_qpos(3)), code=code)
    arrays = {k: v for k, v in np.load(path).items() if k != "escapes"}
    np.savez(path, **arrays)
    back = read_clips(path)
    np.testing.assert_allclose(back.qpos[:, 2], [4.0, 4.0, 3.99995], rtol=1e-7)
    assert not back.qpos[:, [0, 1, *range(3, 36)]].any()


def test_version_1_is_read_with_its_records() -> None:
    assert int(np.load(SAMPLE_FILE)["version"]) == 1
    sample = read_clips(SAMPLE_FILE)
    assert len(sample) == len(sample.records) == 36
    assert sample.ids[0] == sample.records[0].id
    assert sample.lengths.tolist() == [clip.num_frames for clip in sample.records]
    assert sample.info["sample"]["seed"] == 0


@pytest.mark.parametrize(
    ("key", "value"),
    [("code", np.zeros((2, 36, 4), np.uint8)), ("escapes", np.zeros(1, np.int64))],
)
def test_coded_poses_that_do_not_fit_their_clips_are_refused(
    tmp_path: Path, key: str, value: NDArray[Any]
) -> None:
    path = coded_file(tmp_path / "x.npz", packed(standing_qpos(5)), **{key: value})
    with pytest.raises(FileFormatError, match=r"x\.npz: damaged, pack it again"):
        read_clips(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lengths": np.array([5])}, r"damaged, pack it again: .*\(2, 36, 5\)"),
        ({"column07": np.zeros(4, np.uint8)}, "damaged, pack it again"),
        ({"version": np.array(3)}, "has version 3 .* reads up to 2: install a newer"),
    ],
)
def test_files_that_do_not_fit_together_are_refused(
    tmp_path: Path, clips: PackedClips, changes: dict[str, Any], message: str
) -> None:
    path = tmp_path / "x.npz"
    write_clips(path, clips)
    np.savez(path, **{**np.load(path), **changes})
    with pytest.raises(FileFormatError, match=message):
        read_clips(path)


def test_cut_off_and_foreign_files_are_refused(
    tmp_path: Path, clips: PackedClips
) -> None:
    path = tmp_path / "x.npz"
    write_clips(path, clips)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], b"", b"no archive at all"):
        path.write_bytes(data)
        with pytest.raises(FileFormatError, match=r"x\.npz: cannot be read as \.npz"):
            read_clips(path)
    np.savez(path, qpos=np.zeros((3, 36)))
    with pytest.raises(FileFormatError, match="no 'starts'"):
        read_clips(path)
    with pytest.raises(FileFormatError, match=r"absent\.npz"):
        read_clips(tmp_path / "absent.npz")


def test_files_joined_by_a_comma_are_read_together(tmp_path: Path) -> None:
    write_clips(tmp_path / "a.npz", packed(standing_qpos(5), standing_qpos(7)))
    write_clips(tmp_path / "b.npz", packed(standing_qpos(4), standing_qpos(2)))
    both = clips_from(f"{tmp_path}/a.npz,{tmp_path}/b.npz")
    # Two frames have no acceleration: that clip stays behind.
    assert both.lengths.tolist() == [5, 7, 4]
    assert both.starts.tolist() == [0, 5, 12]


def test_a_corpus_folder_gives_its_captured_clips(tmp_path: Path) -> None:
    clips = clips_from(write_sample(tmp_path / "corpus"))
    assert len(clips) == 4 and set(clips.kinds) == {"captured"}
