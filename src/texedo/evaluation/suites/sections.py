"""Pages that other commands wrote, as sections of the page of results.

They are Markdown of a simple kind: headings, paragraphs, tables and indented lines that
are shown as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby


def markdown_section(title: str, text: str) -> str:
    """Under a heading of its own; its own headings go below that."""
    lines = text.strip().splitlines()
    # A page that says what it is about needs no second title.
    if lines and lines[0].startswith("# "):
        title, lines = lines[0].removeprefix("# "), lines[1:]
    lowered = [f"#{line}" if line.startswith("#") else line for line in lines]
    return "\n".join([f"## {title}", "", *lowered, ""])


def html_section(title: str, text: str) -> str:
    """The same as HTML."""
    lines = markdown_section(title, text).splitlines()
    found: list[str] = []
    for kind, block in groupby(lines, _kind):
        found += _SHOWN[kind](list(block))
    return "".join(found)


def _kind(line: str) -> str:
    if not line.strip():
        return "nothing"
    if line.startswith("#"):
        return "heading"
    if line.startswith("|"):
        return "table"
    return "plain" if line.startswith("    ") else "words"


def _headings(lines: list[str]) -> Iterator[str]:
    for line in lines:
        # The section is at level 2 of the Markdown, and a suite's title is an h1.
        level = min(len(line) - len(line.lstrip("#")), 7) - 1
        yield f"<h{level}>{_inline(line.lstrip('#').strip())}</h{level}>"


def _table(lines: list[str]) -> Iterator[str]:
    rows = [_cells(line) for line in lines]
    head, body = rows[0], rows[2:]
    yield f"<table><thead><tr>{_row(head, 'th')}</tr></thead><tbody>"
    yield from (f"<tr>{_row(row, 'td')}</tr>" for row in body)
    yield "</tbody></table>"


def _cells(line: str) -> list[str]:
    parts = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [part.strip().replace("\\|", "|") for part in parts]


def _row(cells: list[str], tag: str) -> str:
    return "".join(f"<{tag}>{_inline(cell)}</{tag}>" for cell in cells)


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _words(lines: list[str]) -> list[str]:
    return [f"<p>{_inline(' '.join(lines))}</p>"]


def _plain(lines: list[str]) -> list[str]:
    return [f"<pre>{escape(chr(10).join(line[4:] for line in lines))}</pre>"]


_SHOWN = {
    "nothing": lambda lines: [],
    "heading": _headings,
    "table": _table,
    "words": _words,
    "plain": _plain,
}
