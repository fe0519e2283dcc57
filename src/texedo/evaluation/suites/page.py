"""What suites found, as Markdown, CSV and HTML: records in, text out."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from texedo.evaluation.suites.figures import Figure, Table

Record = Mapping[str, Any]

INTERVALS = (
    "In brackets: 95 % intervals over prompts (drawn again with replacement; Wilson's for "
    "shares); n: prompts a row rests on. Rows that begin with *paper* are the paper's own "
    "figures, of its own generator, controller and prompts."
)
_STYLE = """
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #dde2e6; }
th:first-child, td:first-child { text-align: left; }
tr.theirs { color: #68727c; font-style: italic; }
td small { color: #68727c; display: block; }
"""


def markdown_page(record: Record, *, level: int = 1, pictures: str = "") -> str:
    """The tables of one suite; `pictures` is where the curves lie, seen from the page."""
    head = "#" * level
    lines = [f"{head} {record['title']}", ""]
    lines += [line for word in record["words"] for line in (word, "")]
    for own in record["tables"]:
        table = Table.from_dict(own)
        lines += [f"{head}# {table.title}", ""]
        lines += [table.note, ""] if table.note else []
        lines += [markdown_table(table)]
    lines += [f"![{name}]({pictures}{name})" for name in record["charts"]]
    lines += ["", _settings(record), ""]
    return "\n".join(lines)


def markdown_table(table: Table) -> str:
    """Rows with n and all columns."""
    lines = [f"| | n | {' | '.join(table.columns)} |"]
    lines.append(f"|{'---|' * (len(table.columns) + 2)}")
    for name, row in table.rows.items():
        cells = [_with_n(row.get(column), row) for column in table.columns]
        lines.append(f"| {_cell(name)} | {_n(row)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def csv_text(tables: Sequence[Table]) -> str:
    """A line per figure: table, row, figure, value, low, high, n, whose."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ["table", "row", "figure", "value", "low_95", "high_95", "n", "source"]
    )
    for table in tables:
        for name, row in table.rows.items():
            source = "paper" if name in table.theirs else "texedo"
            for key, own in row.items():
                low, high = own.interval or ("", "")
                value = "" if own.value is None else own.value
                n = "" if own.n is None else own.n
                writer.writerow([table.name, name, key, value, low, high, n, source])
    return stream.getvalue()


def html_page(
    records: Sequence[Record],
    *,
    charts: Path,
    title: str | None = None,
    sections: Sequence[str] = (),
) -> str:
    """One page, pictures inside; `charts` has the SVG files, or a folder per suite, and
    `sections` are HTML of others that follow."""
    parts = []
    for record in records:
        parts.append(f"<h1>{escape(record['title'])}</h1>")
        parts += [f"<p>{escape(word)}</p>" for word in record["words"]]
        for own in record["tables"]:
            parts.append(_html_table(Table.from_dict(own)))
        for name in record["charts"]:
            for path in (charts / name, charts / record["suite"] / name):
                if path.is_file():
                    parts.append(path.read_text(encoding="utf-8"))
                    break
        parts.append(f"<p><small>{escape(_settings(record))}</small></p>")
    parts += sections
    name = escape(title or records[0]["title"])
    said = escape(INTERVALS.replace("*", ""))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{name}</title><style>{_STYLE}</style></head><body>"
        f"{''.join(parts)}<p><small>{said}</small></p></body></html>\n"
    )


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", "n", *table.columns))
    body = []
    for name, row in table.rows.items():
        kind = ' class="theirs"' if name in table.theirs else ""
        cells = "".join(_html_cell(row.get(column)) for column in table.columns)
        body.append(f"<tr{kind}><td>{escape(name)}</td><td>{_n(row)}</td>{cells}</tr>")
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<h2>{escape(table.title)}</h2>{note}<table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def _html_cell(own: Figure | None) -> str:
    if own is None or own.value is None:
        return "<td>-</td>"
    value, _, ends = str(own).partition(" ")
    hint = "" if own.n is None else f' title="n = {own.n}"'
    return f"<td{hint}>{value}<small>{escape(ends)}</small></td>"


def _n(row: Mapping[str, Figure]) -> str:
    known = [own.n for own in row.values() if own.n is not None]
    return str(max(known)) if known else "-"


def _with_n(own: Figure | None, row: Mapping[str, Figure]) -> str:
    """A figure of fewer prompts than the row says so."""
    if own is None:
        return "-"
    fewer = own.n is not None and str(own.n) != _n(row) and own.value is not None
    return f"{own} (n {own.n})" if fewer else str(own)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _settings(record: Record) -> str:
    said = ", ".join(
        f"{name} {_short(value)}"
        for name, value in record["settings"].items()
        if value is not None and not isinstance(value, dict | list)
    )
    return f"texedo {record['texedo']}; {said}."


def _short(value: Any) -> str:
    """Of a digest, which may be several joined, enough to tell it from others."""
    text = str(value)
    return text if len(text) < 32 else hashlib.sha256(text.encode()).hexdigest()[:12]
