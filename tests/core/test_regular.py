"""Files that somebody names: regular ones only, and not too large."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from texedo.core.regular import check_regular, parse_json, read_json, read_regular


def test_a_small_file_comes_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_regular(path, limit=11) == b'\xef\xbb\xbf{"a": 1}'
    assert read_json(path) == {"a": 1}


def test_a_byte_too_many_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"12345")
    with pytest.raises(OSError, match="is larger than 4 bytes"):
        read_regular(path, limit=4)
    with pytest.raises(OSError, match="is larger than 4 bytes"):
        check_regular(path, limit=4)


def test_pipes_devices_and_folders_are_no_regular_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # Whoever opened it the usual way would wait for ever.
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(OSError, match="is no regular file"):
            read_regular(path, limit=100)
    with pytest.raises(OSError, match="is a folder|Is a directory"):
        read_regular(tmp_path, limit=100)


def test_json_nested_without_end_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(b"[" * 100_000)
    with pytest.raises(ValueError, match="not UTF-8"):
        parse_json(b'{"a": "\xff"}')
