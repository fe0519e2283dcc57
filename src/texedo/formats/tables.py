"""Tables of numbers in text: bounded, strict, and with messages that name the line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError
from texedo.formats.dialect import (
    MAX_LINE,
    Dialect,
    find_dialect,
    first_lines,
    is_header,
    is_number,
    oddity,
)
from texedo.motion import MAX_FRAMES

_NUMBER_BYTES = 18
"""Of a number while a table grows."""
_SLOWEST, _FASTEST = 5.0, 1000.0
"""Rates that a column of seconds can mean [Hz]."""
_EVEN = 0.02
"""Times in one column may be so far from even, as a part of a step."""


class Rows(NamedTuple):
    """A table without a header."""

    values: NDArray[np.float64]
    """(T, columns)."""
    counted: bool = False
    """Whether a first column counted frames or seconds; it is left out."""
    fps: float | None = None
    """What a first column of seconds says; None if there is none."""


def read_rows(path: Path, *, columns: int) -> Rows:
    """The numbers of a table that has no header, (T, columns).

    One column more is taken for what it is if it counts the frames or the seconds.
    """
    dialect = find_dialect(path)
    if dialect.names:
        raise FileFormatError(_about_header(path, dialect, columns))
    counted = has_counter(path, dialect, columns=columns)
    table = _read(path, dialect, columns=columns + counted, budget=Budget.of(path))
    if not counted:
        return Rows(table)
    return Rows(table[:, 1:], True, _rate(path, table[:, 0]))


def read_table(
    path: Path, *, columns: int | None = None, budget: Budget | None = None
) -> NDArray[np.float64]:
    """All numbers of a table with a header line, (T, columns)."""
    dialect = find_dialect(path)
    if not dialect.names:
        # A header of numbers (0, 1, 2, ...) is one too.
        dialect = dialect._replace(names=dialect.fields)
    budget = budget or Budget.of(path)
    return _read(path, dialect, columns=columns, budget=budget)


def has_counter(path: Path, dialect: Dialect, *, columns: int) -> bool:
    """Whether there is one column too many, and it is the first, counting."""
    if len(dialect.fields) != columns + 1:
        return False
    first = [dialect.split(line)[0] for line in first_lines(path, 3)]
    if len(first) < 2 or not all(map(is_number, first)):
        return False
    steps = np.diff([float(field) for field in first])
    return bool((steps > 0).all() and steps.max() <= 2 * steps.min())


def _rate(path: Path, counter: NDArray[np.float64]) -> float | None:
    """Frames per second of a column of times; None of a column of frame numbers."""
    steps = np.diff(counter)
    step = float((counter[-1] - counter[0]) / max(len(steps), 1))
    if (steps == 1.0).all():
        return None
    # Times are written with so many digits, and are off by as much.
    digits = next((d for d in range(6) if (counter == counter.round(d)).all()), 6)
    slack = max(_EVEN * step, 1.1 * 10.0**-digits)
    if not (step > 0 and (np.abs(steps - step) <= slack).all()):
        raise FileFormatError(
            f"{path}: its first column looks like a time, but does not grow evenly "
            f"({step:.4g} from row to row on average); sample the motion at one rate, "
            "and leave the column out."
        )
    rate = 1 / step
    if not _SLOWEST <= rate <= _FASTEST:
        raise FileFormatError(
            f"{path}: its first column grows by {step:.4g} from row to row, which are "
            "neither frames nor seconds; leave it out, and give the fps."
        )
    whole = round(rate)
    near = math.isclose(rate, whole, rel_tol=2e-3)
    return float(whole) if near else rate


def _read(
    path: Path, dialect: Dialect, *, columns: int | None, budget: Budget
) -> NDArray[np.float64]:
    header = bool(dialect.names)
    lines = _count_lines(path, budget)
    if lines <= header:
        raise FileFormatError(f"{path}: holds no numbers; export it again.")
    width = len(dialect.fields)
    budget.take(lines * width * _NUMBER_BYTES, "its table")
    if columns is not None and width != columns:
        raise FileFormatError(_about_width(path, dialect, columns))
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as handle:
            table = np.loadtxt(
                _checked_lines(handle, dialect, width=width),
                delimiter=dialect.separator,
                comments=None,
                usecols=range(width) if dialect.trailing else None,
                ndmin=2,
            )
    except ValueError:
        raise _explain(path, dialect, width=width) from None
    budget.check_time("its table")
    return table


def _checked_lines(
    handle: Iterable[str], dialect: Dialect, *, width: int
) -> Iterable[str]:
    """The lines of numbers; a longer one would be cut where a separator is at the end."""
    separator, skip = dialect.separator, bool(dialect.names)
    for line in handle:
        if line.isspace():
            continue
        if skip:
            skip = False
            continue
        if dialect.trailing and separator and line.count(separator) > width:
            raise ValueError
        yield line


def write_table(
    path: Path, table: NDArray[Any], *, header: Iterable[str] = (), digits: str
) -> None:
    """Write rows of numbers; `digits` is a printf format such as '%.9g'."""
    names = ",".join(header)
    with open(path, "w", encoding="ascii", newline="\n") as handle:
        if names:
            handle.write(names + "\n")
        np.savetxt(handle, table, fmt=digits, delimiter=",")


def _count_lines(path: Path, budget: Budget) -> int:
    """Lines that hold something; too many and too long ones are refused unread."""
    lines = 0
    with open(path, encoding="latin-1") as handle:
        while line := handle.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise FileFormatError(
                    f"{path}: has a line of more than {MAX_LINE} characters; "
                    "this is no table of joint angles."
                )
            lines += not line.isspace()
            if lines > MAX_FRAMES + 1:
                raise FileFormatError(
                    f"{path}: has more than {MAX_FRAMES} frames; split the file."
                )
    budget.check_time("its table")
    return lines


def _about_header(path: Path, dialect: Dialect, columns: int) -> str:
    shown = ",".join(dialect.names)[:40]
    start = f"{path}: starts with a line of names ({shown!r}...)"
    width = len(dialect.fields)
    if width != columns:
        return (
            f"{start}, and has {width} columns, not {columns}; name the format it "
            "really is."
        )
    return (
        f"{start}, and this format has none: nothing tells whether its columns are in "
        "the order of this format. Name the format it really is; if this is the one, "
        "export it without the line of names."
    )


def _about_width(path: Path, dialect: Dialect, columns: int) -> str:
    width = len(dialect.fields)
    start = f"{path}: has {width} columns (between {dialect.words}), not {columns}"
    odd = next((o for o in map(oddity, dialect.fields) if o), "")
    if odd:
        return f"{start}, and numbers {odd}."
    if width == 2 * columns and dialect.separator == ",":
        return (
            f"{start}: are these decimal commas? Export decimal points, or semicolons "
            "between the columns."
        )
    if width == columns + 1:
        return (
            f"{start}; one column too many, and the first does not count frames or "
            "seconds. Leave out what is no root position, quaternion or joint."
        )
    return f"{start}; name the format it really is."


def _explain(path: Path, dialect: Dialect, *, width: int) -> FileFormatError:
    """Find the line that numpy stumbled over and say what is wrong with it."""
    header = bool(dialect.names)
    with open(path, encoding="utf-8-sig", errors="replace") as handle:
        for number, line in enumerate(handle, start=1):
            if line.isspace():
                continue
            if header:
                header = False
                continue
            fields = dialect.split(line)
            if len(fields) != width:
                what = f"line {number} has {len(fields)} columns, not {width}"
                if is_header(line, fields):
                    what = (
                        f"line {number} is no line of numbers ({line[:20].strip()!r})"
                    )
                return FileFormatError(
                    f"{path}: {what}; repair it, or name the format it really is."
                )
            for column, field in enumerate(fields, start=1):
                if is_number(field):
                    continue
                odd = oddity(field)
                wrong = f"written {odd}" if odd else "not a number; repair it"
                return FileFormatError(
                    f"{path}: line {number}, column {column} is {field[:20]!r}, {wrong}."
                )
    return FileFormatError(f"{path}: holds no numbers; export it again.")
