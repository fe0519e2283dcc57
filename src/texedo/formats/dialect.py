"""How a table of numbers is written: what stands between them, before them, after them.

Spreadsheets and scripts write one table in many ways. Tabs, semicolons or blanks between
the columns, a separator too many at the end of every line and any line end leave no doubt
and are read. Decimal commas, numbers in quotes, full-width digits and typographic minus
signs are recognised and named, never taken for a header.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

from texedo.core.errors import FileFormatError

MAX_LINE = 1 << 16
_LOOK_LINES = 4
_COMMENT = ("#", "%", "//")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", None: "blanks"}


class Dialect(NamedTuple):
    """What the first lines of a table show."""

    separator: str | None
    """Between the columns; None is any white space."""
    trailing: bool
    """A separator also stands at the end of every line."""
    names: tuple[str, ...]
    """The fields of a header line; empty if the table begins with numbers."""
    fields: tuple[str, ...]
    """The fields of the first line of numbers, or of all that there is."""

    @property
    def words(self) -> str:
        """What stands between the columns, in words."""
        return _WORDS[self.separator]

    def split(self, line: str) -> list[str]:
        """The fields of a line, without the empty one that a last separator makes."""
        fields = split_fields(line, self.separator)
        if self.trailing and len(fields) > 1 and not fields[-1]:
            fields.pop()
        return fields


def split_fields(line: str, separator: str | None) -> list[str]:
    line = line.strip(" \r\n") if separator == "\t" else line.strip()
    return [field.strip() for field in line.split(separator)] or [""]


def is_number(field: str) -> bool:
    """Whether it is a number as programs write it: plain digits and a point."""
    if not field.isascii() or "_" in field:
        return False
    try:
        float(field)
    except ValueError:
        return False
    return True


def oddity(field: str) -> str:
    """What is wrong with a number that a person would still read; "" if it is none."""
    bare = field.strip("\"'")
    if bare != field and is_number(bare):
        return f"in quotes; export numbers without quotes ({bare[:20]})"
    if _DECIMAL_COMMA.fullmatch(field):
        point = field.replace(",", ".")[:20]
        return f"with a decimal comma; export decimal points ({point})"
    plain = unicodedata.normalize("NFKC", field).replace("\u2212", "-")
    if plain != field and is_number(plain):
        if "\u2212" in field and plain == field.replace("\u2212", "-"):
            return f"with a typographic minus sign; write a plain one ({plain[:20]})"
        return f"in full-width characters; write plain digits ({plain[:20]})"
    return ""


def is_header(line: str, fields: list[str] | tuple[str, ...]) -> bool:
    """A comment, or a line of words: one bad number among good ones is no header."""
    filled = [field for field in fields if field]
    if line.lstrip().startswith(_COMMENT):
        return True
    words = [field for field in filled if not is_number(field) and not oddity(field)]
    return 2 * len(words) > len(filled)


def find_dialect(path: Path) -> Dialect:
    """How the table in a text file is written."""
    lines = first_lines(path, _LOOK_LINES)
    if not lines:
        return Dialect(",", False, (), ())
    separator = _separator(lines[-1])
    rows = [split_fields(line, separator) for line in lines]
    header = is_header(lines[0], rows[0])
    data = rows[1:] if header else rows
    trailing = bool(data) and all(len(row) > 1 and not row[-1] for row in data)
    dialect = Dialect(separator, trailing, (), ())
    names = tuple(dialect.split(lines[0])) if header else ()
    shown = lines[min(int(header), len(lines) - 1)]
    return dialect._replace(names=names, fields=tuple(dialect.split(shown)))


def _separator(line: str) -> str | None:
    """What stands between the columns of a line of numbers.

    It leaves the most fields that a person would read as numbers: in "0,5;0,3" the
    commas are decimal ones.
    """

    def reading(mark: str | None) -> tuple[float, int]:
        fields = [field for field in split_fields(line, mark) if field]
        good = sum(is_number(field) or bool(oddity(field)) for field in fields)
        return good / max(len(fields), 1), len(fields)

    marks = [mark for mark in (",", ";", "\t") if mark in line]
    return max((*marks, None), key=reading) if marks or " " in line else ","


def first_lines(path: Path, count: int) -> list[str]:
    """The first lines that hold something, whatever ends them; none is very long."""
    lines: list[str] = []
    with open(path, encoding="utf-8-sig", errors="replace") as handle:
        while len(lines) < count and (line := handle.readline(MAX_LINE + 1)):
            if len(line) > MAX_LINE:
                raise FileFormatError(
                    f"{path}: has a line of more than {MAX_LINE} characters; "
                    "this is no table of joint angles."
                )
            if not line.isspace():
                lines.append(line.rstrip("\n"))
    return lines
