"""Files that somebody names, read whole: regular ones only, and not too large.

A pipe would block for ever, a device never ends, and neither is what anybody means. All
faults are an `OSError` with a reason in words, so that whoever reads files already knows
what to say.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

CONFIG_BYTES = 16 << 20
"""Most for a file of settings: ours have a thousandth of it, or a vocabulary inside."""


def read_regular(path: Path, *, limit: int) -> bytes:
    """All bytes of a regular file of at most `limit` bytes; `OSError` otherwise."""
    with open(path, "rb", opener=_open_at_once) as stream:
        _check(os.fstat(stream.fileno()), path, limit)
        data = stream.read(limit + 1)
    if len(data) > limit:  # It grew, or its size was a lie (as in /proc).
        raise _too_large(path, limit)
    return data


def check_regular(path: Path, *, limit: int) -> None:
    """Raise `OSError` unless the path is a regular file of at most `limit` bytes."""
    _check(os.stat(path), path, limit)


def read_json(path: Path, *, limit: int = CONFIG_BYTES) -> Any:
    """The content of a JSON file; `OSError` or `ValueError` if there is none."""
    return parse_json(read_regular(path, limit=limit))


def parse_json(data: bytes | str) -> Any:
    """`json.loads` whose faults are all a `ValueError` of one line."""
    try:
        if isinstance(data, bytes):
            data = data.decode("utf-8-sig")
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text: {error.reason}") from None


def _open_at_once(path: str, flags: int) -> int:
    # Opening a pipe waits for a writer otherwise.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check(found: os.stat_result, path: Path, limit: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a file", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "is no regular file", str(path))
    if found.st_size > limit:
        raise _too_large(path, limit)


def _too_large(path: Path, limit: int) -> OSError:
    size = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit} bytes"
    return OSError(errno.EFBIG, f"is larger than {size}", str(path))
