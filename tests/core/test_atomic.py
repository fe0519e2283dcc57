"""Outputs are whole or not there, and nothing is left beside them."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.core.atomic import atomic_file, atomic_folder
from texedo.core.errors import FileFormatError
from texedo.formats import load_motion, save_motion
from texedo.formats.layouts import sonic

MOTION = random_motion(1, 10)
OTHER = random_motion(2, 10)


def full_disk(handle: Any, *_: Any, **__: Any) -> None:
    handle.write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_failed_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(FileFormatError, match=r"a.npz: cannot be written \(No space"):
        save_motion(MOTION, tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.npz"
    save_motion(MOTION, path)
    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(FileFormatError):
        save_motion(OTHER, path)
    assert load_motion(path) == MOTION
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        with atomic_file(tmp_path / "a.npz") as path:
            path.write_bytes(b"half")
            raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_by_a_good_one(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_motion(MOTION, path)
    save_motion(OTHER, path)
    assert load_motion(path) == OTHER
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"there is no folder .*make it first"):
        save_motion(MOTION, tmp_path / "new" / "a.npz")
    (tmp_path / "file").touch()
    with pytest.raises(FileFormatError, match="there is no folder"):
        save_motion(MOTION, tmp_path / "file" / "a.npz")


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.npz").mkdir()
    with pytest.raises(FileFormatError, match="is a folder; name a file"):
        save_motion(MOTION, tmp_path / "a.npz")


def test_a_failed_clip_folder_leaves_nothing_and_keeps_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "clip"
    save_motion(MOTION, path, format="sonic")
    real, calls = sonic.write_table, []

    def fails_later(*args: Any, **kwargs: Any) -> None:
        calls.append(args)
        if len(calls) > 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*args, **kwargs)

    monkeypatch.setattr(sonic, "write_table", fails_later)
    for target in (path, tmp_path / "fresh"):
        calls.clear()
        with pytest.raises(FileFormatError, match="No space"):
            save_motion(OTHER, target, format="sonic")
    assert list(tmp_path.iterdir()) == [path]
    np.testing.assert_allclose(load_motion(path).joint_pos, MOTION.joint_pos, atol=1e-6)


def test_a_clip_folder_is_replaced_by_a_good_one(tmp_path: Path) -> None:
    path = tmp_path / "clip"
    save_motion(MOTION, path, format="sonic")
    save_motion(OTHER, path, format="sonic")
    np.testing.assert_allclose(load_motion(path).joint_pos, OTHER.joint_pos, atol=1e-6)
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_of_other_things_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "thesis"
    path.mkdir()
    (path / "chapter.tex").write_text("years of work")
    with pytest.raises(FileFormatError, match="already holds other things"):
        save_motion(MOTION, path, format="sonic")
    assert (path / "chapter.tex").read_text() == "years of work"
    with pytest.raises(FileFormatError, match="is a file; name a folder"):
        with atomic_folder(path / "chapter.tex", owned=frozenset()):
            pass
