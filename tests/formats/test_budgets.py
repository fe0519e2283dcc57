"""Small files that would cost gigabytes are refused before anything is made of them."""

from __future__ import annotations

import os
import pickle
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.formats.conftest import Written
from texedo.core import budget
from texedo.core.errors import FileFormatError
from texedo.formats import load_motion, load_motions, read_clips

MB = 1_000_000


def refused(path: Path, words: str, *, most: int = 300 * MB, **options: Any) -> str:
    """The file is refused in one line, and less than `most` bytes were in use."""
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match=words) as caught:
            read_clips(path, **options)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most
    message = str(caught.value)
    assert message.startswith(str(path)) and "\n" not in message
    return message


def test_a_small_npz_that_holds_a_large_one(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    frames = 60_000  # 73 MB of rotations, which take 1 GB on their way to angles
    np.savez_compressed(
        path,
        local_rot_mats=np.zeros((frames, 34, 3, 3), np.float32),
        root_positions=np.zeros((frames, 3), np.float32),
    )
    assert path.stat().st_size < 1 * MB
    refused(path, "to read local_rot_mats takes more than 25. MB", most=10 * MB)


def test_a_pickle_whose_clips_share_one_buffer(tmp_path: Path) -> None:
    clip = {
        "root_trans_offset": np.zeros((20_000, 3), np.int8),
        "root_rot": np.ones((20_000, 4), np.int8),
        "dof": np.zeros((20_000, 29), np.int8),
        "fps": 50,
    }
    path = tmp_path / "library.pkl"
    path.write_bytes(zlib.compress(pickle.dumps({f"c{i}": clip for i in range(900)})))
    assert path.stat().st_size < 8_000  # and 5 GB, if every clip had its own numbers
    refused(path, "to read dof takes more than 250 MB")


def test_containers_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "BASE_BYTES", MB)
    path = tmp_path / "many.pkl"
    path.write_bytes(b"\x80\x04" + b"}" * 100_000 + b".")
    refused(path, "to read its pickle takes more than 1 MB", most=20 * MB)


def test_text_in_four_bytes_a_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "BASE_BYTES", MB)
    monkeypatch.setattr(budget, "PER_BYTE", 1)
    path = tmp_path / "text.pkl"
    path.write_bytes(pickle.dumps({"a": "a" * MB + "\U0001f600"}))  # 4 MB of text
    refused(path, "to read its pickle takes more than 2 MB", most=20 * MB)
    path = tmp_path / "text.npz"
    np.savez(path, joint_pos=np.array("a" * 10_000))
    refused(path, "joint_pos is of type <U10000; save plain numbers", most=20 * MB)


def test_numbers_made_to_collide_are_no_keys(tmp_path: Path) -> None:
    # All multiples of this number have the hash 0: each is compared with all others.
    keys = [i * (2**61 - 1) for i in range(1, 4000)]
    assert {hash(key) for key in keys} == {0}
    path = tmp_path / "keys.pkl"
    path.write_bytes(pickle.dumps(dict.fromkeys(keys)))
    refused(path, "a dict key of type int", most=50 * MB)


def test_arrays_compressed_as_numpy_never_does(written: Written) -> None:
    path = written("texedo")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    refused(path, "compressed in a way that numpy does not write", most=10 * MB)


def test_a_directory_of_a_hundred_thousand_arrays(tmp_path: Path) -> None:
    path = tmp_path / "many.npz"
    entry = struct.pack(
        *("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0),
        *(5, 0, 0, 0, 0, 0, 0),
    )
    directory = (entry + b"a.npy") * 100_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 30, 0)
    path.write_bytes(b"PK\x03\x04" + bytes(26) + directory + end)
    refused(path, "a directory of 5100000 bytes", most=10 * MB)
    path = tmp_path / "some.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(1001):
            archive.writestr(f"{i}.npy", b"")
    refused(path, "holds 1001 arrays, and at most 1000", most=10 * MB)


def test_a_rate_that_makes_hours_of_seconds(written: Written) -> None:
    path = written("texedo")
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    np.savez(path, **{**arrays, "fps": np.array(0.0101)})  # 61 frames: 1.65 hours
    refused(path, "to read its longest motion takes more than", most=10 * MB)
    for fps in (5e-324, 1e-310, 1e308):
        np.savez(path, **{**arrays, "fps": np.array(fps)})
        refused(path, "its fps is .*give the right fps", most=10 * MB)


BAD_ARRAYS = {
    "text": np.array([["0.5"] * 4] * 61),
    "one number": np.array(0.5),
    "three numbers": np.zeros((61, 3)),
    "one axis": np.zeros(244),
    "no numbers": np.array([[True] * 4] * 61),
    "fewer": np.tile([1.0, 0, 0, 0], (7, 1)),
    "nine axes": np.zeros((1,) * 9),
}


@pytest.mark.parametrize("what", BAD_ARRAYS)
@pytest.mark.parametrize("order", ["wxyz", "xyzw"])
def test_quaternions_that_are_none(what: str, order: str, written: Written) -> None:
    path = written("texedo")
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    arrays |= {"root_quat_w": BAD_ARRAYS[what], "quat_order": np.array(order)}
    np.savez(path, **arrays)
    refused(path, "quaternion|root_quat_w", most=10 * MB)


@pytest.mark.parametrize("what", BAD_ARRAYS)
@pytest.mark.parametrize("key", ["root_pos", "root_rot", "dof_pos"])
def test_pickled_arrays_that_are_none(what: str, key: str, written: Written) -> None:
    path = written("gmr-pkl")
    data = pickle.loads(path.read_bytes())
    path.write_bytes(pickle.dumps({**data, key: _columns(BAD_ARRAYS[what], key)}))
    with pytest.raises(FileFormatError) as caught:
        load_motion(path)
    assert "\n" not in str(caught.value)


def _columns(array: np.ndarray, key: str) -> np.ndarray:
    """Three numbers are right for a position; two are not."""
    right = key == "root_pos" and array.shape == (61, 3)
    return array[:, :2] if right else array


def test_a_list_inside_itself_sixty_times_over_is_no_rate(written: Written) -> None:
    path = written("gmr-pkl")
    nested: Any = [50.0]
    for _ in range(60):
        nested = [nested, nested]
    data = pickle.loads(path.read_bytes())
    path.write_bytes(pickle.dumps({**data, "fps": nested}))
    refused(path, "its fps is not a number", most=10 * MB)


def test_pipes_inside_a_sonic_clip(written: Written) -> None:
    path = written("sonic")
    for name in ("metadata.txt", "body_quat.csv"):
        (path / name).unlink()
        os.mkfifo(path / name)
    with pytest.raises(FileFormatError, match="no regular file"):
        load_motions(path)


def test_an_honest_file_is_far_from_its_budget(written: Written) -> None:
    assert len(load_motion(written("kimodo-npz"))) == len(written.motion)
