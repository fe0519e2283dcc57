"""A report as files: numbers for programs, a table for people."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from texedo.core.files import write_whole

Record = dict[str, Any]


def write_tables(out: Path, name: str, report: Record, rows: dict[str, Record]) -> None:
    """OUT/NAME.json with all of it, OUT/NAME.md with a table of the rows."""
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / f"{name}.json", (json_text(report) + "\n").encode())
    write_whole(out / f"{name}.md", markdown(rows).encode())


def json_text(report: Record) -> str:
    """Plain JSON: what is not a number is null."""
    return json.dumps(_known(report), indent=1, ensure_ascii=False, allow_nan=False)


def _known(value: Any) -> Any:
    """The same with None for what is not a number: JSON has no other word for it."""
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def markdown(rows: dict[str, Record]) -> str:
    """A table of the plain values; columns in the order in which they first come."""
    columns: dict[str, None] = {}
    for row in rows.values():
        columns |= {k: None for k, v in row.items() if not isinstance(v, dict)}
    lines = [f"| | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    for name, row in rows.items():
        cells = [_cell(row.get(column)) for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
