"""A file is whole or absent, and nothing is left beside it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from texedo.core.files import atomic_path, free_sibling, write_whole


def test_a_file_takes_its_place_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    with atomic_path(path) as temporary:
        temporary.write_bytes(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_an_error_passes_as_it_is_and_the_old_file_stays(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "a.bin"
    write_whole(path, b"old")
    with pytest.raises(error):
        with atomic_path(path) as temporary:
            temporary.write_bytes(b"half")
            raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_is_not_there_is_found_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        with atomic_path(tmp_path / "no" / "a.bin"):
            pytest.fail("the work began")


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    with atomic_path(path) as first, atomic_path(path) as second:
        first.write_bytes(b"first")
        second.write_bytes(b"second")
    assert path.read_bytes() == b"first"  # the outer block ends last
    assert list(tmp_path.iterdir()) == [path]


def test_a_sibling_is_hidden_and_its_name_fits_any_disk(tmp_path: Path) -> None:
    sibling = free_sibling(tmp_path / ("長" * 80 + ".npz"))
    assert sibling.parent == tmp_path
    assert sibling.name.startswith(".長") and sibling.suffix == ".tmp"
    assert len(sibling.name) == 58  # a dot, 40 of the name, a dot, 12, and .tmp
    assert len(sibling.name.encode()) == 138  # disks take 255 bytes
    assert free_sibling(tmp_path) != free_sibling(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="no modes of this kind")
def test_others_may_read_what_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.bin", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o640
