"""Comma-separated numbers: bounded, strict, and with messages that name the line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.motion import MAX_FRAMES

_MAX_LINE = 1 << 16


def split_line(line: str) -> list[str]:
    """The fields of one line."""
    return [field.strip() for field in line.strip().split(",")]


def is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def first_line(path: Path) -> str:
    """The first line of a text file, without its end."""
    with open(path, "rb") as handle:
        line = handle.readline(_MAX_LINE)
    return line.decode("utf-8-sig", errors="replace").rstrip("\r\n")


def read_table(path: Path, *, columns: int | None, header: bool) -> NDArray[np.float64]:
    """All numbers of a csv file, (T, columns).

    `header` says whether a first line of names belongs there; it is skipped.
    """
    if _count_lines(path) <= header:
        raise FileFormatError(f"{path}: holds no numbers; export it again.")
    has_names = not all(map(is_number, split_line(first_line(path))))
    if has_names and not header:
        raise FileFormatError(
            f"{path}: starts with a header line ({first_line(path)[:40]!r}...), and "
            "this format has none; delete the line, or name the format it really is."
        )
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as handle:
            if header:
                handle.readline()
            table = np.loadtxt(handle, delimiter=",", comments=None, ndmin=2)
    except ValueError:
        raise _explain(path, columns=columns, header=header) from None
    if columns is not None and table.shape[1] != columns:
        raise FileFormatError(
            f"{path}: has {table.shape[1]} columns, not {columns}; "
            f"{_separator_hint(path)}name the format it really is."
        )
    return table


def write_table(
    path: Path, table: NDArray[Any], *, header: Iterable[str] = (), digits: str
) -> None:
    """Write rows of numbers; `digits` is a printf format such as '%.9g'."""
    names = ",".join(header)
    with open(path, "w", encoding="ascii", newline="\n") as handle:
        if names:
            handle.write(names + "\n")
        np.savetxt(handle, table, fmt=digits, delimiter=",")


def _count_lines(path: Path) -> int:
    """Lines that hold something; too many and too long ones are refused unread."""
    lines = 0
    with open(path, "rb") as handle:
        while line := handle.readline(_MAX_LINE + 1):
            if len(line) > _MAX_LINE:
                raise FileFormatError(
                    f"{path}: has a line of more than {_MAX_LINE} characters; "
                    "this is no table of joint angles."
                )
            lines += not line.isspace()
            if lines > MAX_FRAMES + 1:
                raise FileFormatError(
                    f"{path}: has more than {MAX_FRAMES} frames; split the file."
                )
    return lines


def _explain(path: Path, *, columns: int | None, header: bool) -> FileFormatError:
    """Find the line that numpy stumbled over and say what is wrong with it."""
    with open(path, encoding="utf-8-sig", errors="replace") as handle:
        for number, line in enumerate(handle, start=1):
            fields = split_line(line)
            if (number == 1 and header) or fields == [""]:
                continue
            columns = columns or len(fields)
            if len(fields) != columns:
                return FileFormatError(
                    f"{path}: line {number} has {len(fields)} columns, not {columns}; "
                    f"{_separator_hint(path)}repair it, or name the format it really is."
                )
            for column, field in enumerate(fields, start=1):
                if not is_number(field):
                    return FileFormatError(
                        f"{path}: line {number}, column {column} is {field[:20]!r} and "
                        "not a number; repair it."
                    )
    return FileFormatError(f"{path}: holds no numbers; export it again.")


def _separator_hint(path: Path) -> str:
    line = first_line(path)
    if "," in line or not any(mark in line for mark in ";\t "):
        return ""
    return "its columns must be separated by commas; "
