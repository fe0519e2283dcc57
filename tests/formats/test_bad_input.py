"""Bad files: one line that names the file and the way out, and never a crash."""

from __future__ import annotations

import os
import pickle
import random
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.formats.conftest import Written
from tests.support.motions import random_motion
from tests.support.written_elsewhere import LIBRARY
from texedo.core.errors import (
    FileFormatError,
    MotionError,
    TexedoError,
    UnsafeFileError,
)
from texedo.formats import (
    detect,
    formats,
    load_motion,
    load_motions,
    save_motion,
    writable_formats,
)

GOOD_ROW = "0,0,0.8,0,0,0,1" + ",0" * 29


def refused(path: Path, words: str, *, format: str | None = None) -> None:
    """The file is refused in one line that names it and says `words`."""
    with pytest.raises(FileFormatError, match=words) as caught:
        load_motion(path, format=format)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert message.endswith(".")


def csv(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "clip.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("name", [None, *formats()])
def test_a_missing_file(name: str | None, tmp_path: Path) -> None:
    refused(tmp_path / "nothing.npz", "no such file; check the path", format=name)


@pytest.mark.parametrize("name", [None, *formats()])
def test_an_empty_file(name: str | None, tmp_path: Path) -> None:
    path = tmp_path / "empty.npz"
    path.touch()
    refused(path, "is empty; export or copy it again", format=name)


@pytest.mark.parametrize("name", sorted(set(formats()) - {"sonic"}))
def test_a_folder_where_a_file_is_expected(name: str, tmp_path: Path) -> None:
    refused(tmp_path, "is a folder", format=name)


def test_a_folder_that_is_no_clip(tmp_path: Path) -> None:
    refused(tmp_path, "no SONIC clip .* give a file")


def test_a_file_where_a_folder_is_expected(written: Written) -> None:
    refused(
        written("texedo"), "is an npz archive, and sonic is a folder", format="sonic"
    )


def test_a_git_lfs_pointer(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\n")
    refused(path, "git lfs pull")


def test_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    refused(path, "no regular file")


def test_a_binary_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    refused(path, "fits no format known here")


BINARY = ("npz", "npy", "pickle")


@pytest.mark.parametrize(
    "name", [n for n in writable_formats() if formats()[n].kind in BINARY]
)
@pytest.mark.parametrize("keep", [0.05, 0.5, 0.97])
def test_a_cut_off_binary_file(name: str, keep: float, written: Written) -> None:
    path = written(name)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    refused(path, "cut off|cut-off|damaged", format=name)


@pytest.mark.parametrize(
    "name", [n for n in writable_formats() if formats()[n].kind == "text"]
)
def test_a_csv_cut_off_inside_a_line(name: str, written: Written) -> None:
    path = written(name)
    path.write_text(path.read_text().rsplit(",", 9)[0])
    refused(path, "line [0-9]+ has .* columns, not", format=name)


def test_a_csv_with_a_wrong_number_of_columns(tmp_path: Path) -> None:
    path = csv(tmp_path, "1,2,3", "1,2,3")
    refused(path, "has 3 columns .*, not 36", format="unitree-csv")
    refused(path, "a text file with 3 columns of numbers .*, and fits no format")


def test_a_csv_with_one_short_line_names_the_line(tmp_path: Path) -> None:
    path = csv(tmp_path, GOOD_ROW, GOOD_ROW, GOOD_ROW[:-2])
    refused(path, "line 3 has 35 columns, not 36", format="unitree-csv")


def test_a_csv_with_a_word_names_the_place(tmp_path: Path) -> None:
    path = csv(tmp_path, GOOD_ROW, GOOD_ROW.replace("0.8", "high"))
    refused(path, "line 2, column 3 is 'high'", format="unitree-csv")


def test_a_header_where_none_belongs(tmp_path: Path) -> None:
    names = ",".join(f"column_{i}" for i in range(36))
    path = csv(tmp_path, names, GOOD_ROW, GOOD_ROW)
    refused(path, "starts with a line of names", format="unitree-csv")
    refused(path, "a text file with 36 columns and a header .*, and fits no format")
    path.write_text(f"# {GOOD_ROW}\n{GOOD_ROW}\n{GOOD_ROW}\n")
    refused(path, "starts with a line of names", format="unitree-csv")


def test_a_csv_without_numbers(tmp_path: Path) -> None:
    refused(csv(tmp_path, "", "  "), "holds no numbers", format="unitree-csv")


def test_a_csv_from_windows_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    path.write_bytes(("\ufeff" + f"{GOOD_ROW}\r\n" * 3).encode())
    assert len(load_motion(path, format="texedo-csv")) == 3


def test_a_header_with_missing_columns(written: Written) -> None:
    path = written("bones-seed-csv")
    path.write_text(path.read_text().replace("waist_yaw_joint_dof", "waist"))
    refused(path, "lacks 1 columns .*waist_yaw_joint_dof")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "NaN"])
def test_nan_and_infinity(value: str, tmp_path: Path) -> None:
    path = csv(tmp_path, GOOD_ROW, GOOD_ROW.replace("0.8", value), GOOD_ROW)
    refused(path, "NaN or infinity in 1 of 3 frames, first in frame 1", format="lafan1")


def test_a_zero_quaternion(tmp_path: Path) -> None:
    path = csv(tmp_path, GOOD_ROW, "0,0,0.8,0,0,0,0" + ",0" * 29)
    refused(path, "root_quat_w is not a rotation in frame 1", format="unitree-csv")


def test_a_single_frame(tmp_path: Path) -> None:
    refused(csv(tmp_path, GOOD_ROW), "needs 2 frames, got 1", format="unitree-csv")


@pytest.mark.parametrize("bad", ["nan", "zero", "one frame"])
@pytest.mark.parametrize(
    "name", ["texedo", "mjlab-npz", "beyondmimic-npz", "texedo-npy", "gmr-pkl"]
)
def test_bad_numbers_in_binary_files(name: str, bad: str, written: Written) -> None:
    path = written(name)
    spoil = {"nan": np.nan, "zero": 0.0}.get(bad)

    def spoiled(key: str, array: np.ndarray) -> np.ndarray:
        if array.ndim < 2:
            return array
        array = np.array(array)
        if bad == "one frame":
            return array[:1]
        if "quat" in key or key == "root_rot":
            array[...] = spoil
        if key == "rows":
            array[:, 3:7] = spoil
        return array

    if path.suffix == ".npy":
        np.save(path, spoiled("rows", np.load(path)))
    elif path.suffix == ".pkl":
        data = pickle.loads(path.read_bytes())
        data |= {k: spoiled(k, v) for k, v in data.items() if isinstance(v, np.ndarray)}
        path.write_bytes(pickle.dumps(data))
    else:
        with np.load(path) as data:
            arrays = {key: spoiled(key, data[key]) for key in data.files}
        np.savez(path, **arrays)
    refused(path, "makes no motion", format=name)


@pytest.mark.parametrize("fps", [0, -30, np.nan, np.inf, 1e9, "fast", [30, 30]])
def test_an_impossible_fps_in_a_file(fps: object, written: Written) -> None:
    path = written("gmr-pkl")
    data = pickle.loads(path.read_bytes())
    path.write_bytes(pickle.dumps({**data, "fps": fps}))
    refused(path, "its fps is .*give the right fps")
    assert len(load_motion(path, fps=50)) == len(written.motion)
    if not isinstance(fps, str):
        npz = written("texedo")
        with np.load(npz) as data:
            arrays = {key: data[key] for key in data.files}
        np.savez(npz, **{**arrays, "fps": np.array(fps)})
        refused(npz, "its fps is .*give the right fps")


def test_a_file_that_says_no_fps(written: Written) -> None:
    path = written("gmr-pkl")
    data = pickle.loads(path.read_bytes())
    del data["fps"]
    path.write_bytes(pickle.dumps(data))
    refused(path, "give the fps")


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan")])
def test_an_impossible_fps_from_the_caller(fps: float, written: Written) -> None:
    path = written("texedo")
    with pytest.raises(MotionError, match="fps must be from 0.01"):
        load_motion(path, fps=fps)
    with pytest.raises(MotionError, match="fps must be from 0.01"):
        save_motion(written.motion, path, fps=fps)


def test_too_low_a_rate_to_write_says_so(tmp_path: Path) -> None:
    with pytest.raises(MotionError, match="less than two frames at 5 fps"):
        save_motion(random_motion(0, 5), tmp_path / "a.npz", fps=5)


def test_ten_million_frames_in_an_npy_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "long.npy"
    np.save(path, np.zeros((2, 36), np.float32))
    head = path.read_bytes()[:128].replace(b"(2, 36), }       ", b"(10000000, 36), }")
    with open(path, "wb") as handle:
        handle.write(head)
        handle.truncate(128 + 10_000_000 * 36 * 4)  # a hole: it takes no disk
    refused(path, r"\(10000000, 36\); at most 1000000 frames", format="texedo-npy")


@pytest.mark.parametrize("name", ["texedo", "mjlab-npz", "kimodo-npz"])
def test_ten_million_frames_in_an_npz_are_refused_unread(
    name: str, written: Written
) -> None:
    path = written(name, fps=50)
    with zipfile.ZipFile(path) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for item, data in members.items():
            # The header keeps its length: six digits for six spaces of padding.
            longer = data.replace(b"'shape': (61,", b"'shape': (10000000,")
            changed = data if longer == data else longer.replace(b" " * 6, b"", 1)
            archive.writestr(item, changed)
    refused(path, "at most 1000000 frames are read", format=name)


def test_ten_million_frames_in_a_csv_are_refused_while_counting(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    line = b"0," * 35 + b"0\n"
    with open(path, "wb") as handle:
        for _ in range(11):
            handle.write(line * 100_000)
        handle.truncate(10_000_000 * len(line))
    refused(path, "more than 1000000 frames; split", format="unitree-csv")


def test_ten_million_frames_in_a_pickle_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.pkl"
    flat = np.zeros((10_000_000, 1), np.int8)
    path.write_bytes(pickle.dumps({"root_pos": flat}))
    refused(path, "10000000 frames, and at most 1000000")


def test_a_csv_with_one_endless_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    path.write_bytes(b"0," * 2_000_000)
    refused(path, "no table of joint angles|fits no format", format="unitree-csv")


def test_an_npz_whose_member_lies_about_its_size(written: Written) -> None:
    path = written("texedo")
    with zipfile.ZipFile(path) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    members["joint_pos.npy"] += b"\0" * 1000
    with zipfile.ZipFile(path, "w") as archive:
        for item, data in members.items():
            archive.writestr(item, data)
    refused(path, "joint_pos should take .* bytes and takes")


def test_object_arrays_are_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "objects.npy"
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(UnsafeFileError, match="holds Python objects"):
        load_motion(path)
    path = tmp_path / "objects.npz"
    np.savez(path, joint_pos=np.array([print], dtype=object))
    with pytest.raises(UnsafeFileError, match="joint_pos holds Python objects"):
        load_motion(path)


def test_a_sonic_clip_with_files_that_do_not_agree(written: Written) -> None:
    path = written("sonic")
    quats = path / "body_quat.csv"
    lines = quats.read_text().splitlines()
    quats.write_text("\n".join(lines[:-1]))
    with pytest.raises(FileFormatError, match="has 60 rows, and joint_pos.csv has 61"):
        load_motion(path)
    quats.unlink()
    with pytest.raises(FileFormatError, match=r"body_quat.csv: there is no such file"):
        load_motion(path)


def test_a_matrix_that_is_no_rotation(written: Written) -> None:
    path = written("kimodo-npz")
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    np.savez(path, **{**arrays, "local_rot_mats": 2 * arrays["local_rot_mats"]})
    refused(path, "no rotations")


def mangle(data: bytes, seed: int) -> bytes:
    """Cut, flip, repeat or drop pieces of a file, reproducibly."""
    rng = random.Random(seed)
    mangled = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(max(1, len(mangled)))
        action = rng.randrange(4)
        if action == 0:
            mangled[at : at + 1] = bytes([rng.randrange(256)])
        elif action == 1:
            del mangled[at : at + rng.randint(1, 40)]
        elif action == 2:
            mangled[at:at] = mangled[at // 2 : at // 2 + rng.randint(1, 40)]
        else:
            mangled[at:at] = rng.randbytes(rng.randint(1, 8))
    return bytes(mangled)


def originals() -> dict[str, bytes]:
    files = {"motion-lib-pkl": LIBRARY}
    motion = random_motion(5, 4)
    with tempfile.TemporaryDirectory() as folder:
        for name in writable_formats():
            if name != "sonic":
                path = Path(folder) / ("clip" + formats()[name].extensions[0])
                save_motion(motion, path, format=name)
                files[name] = path.read_bytes()
    return files


ORIGINALS = originals()


@pytest.mark.parametrize("name", ORIGINALS)
@given(seed=st.integers(0, 2**32 - 1))
@example(seed=5739)  # A signalling NaN, of float32.
@settings(max_examples=40, deadline=None)
def test_a_mangled_file_is_read_or_refused_but_never_crashes(
    name: str, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("clip" + formats()[name].extensions[0])
        path.write_bytes(mangle(ORIGINALS[name], seed))
        attempts: list[Callable[[], object]] = [
            lambda: detect(path),
            lambda: load_motions(path, format=name, fps=50),
            lambda: load_motions(path),
        ]
        for attempt in attempts:
            try:
                attempt()
            except TexedoError as error:
                assert "\n" not in str(error)


def test_a_link_that_leads_nowhere_says_so(tmp_path: Path) -> None:
    path = tmp_path / "clip.npz"
    path.symlink_to("gone.npz")
    refused(path, "is a link to gone.npz, and nothing is there; mend the link")


def test_a_list_of_words_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    path.write_text("name\nwalk\n")
    refused(path, "is a text file with one column and a header, and fits no format")
