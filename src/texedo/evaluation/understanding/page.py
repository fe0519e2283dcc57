"""The report as tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_INTERVAL = " 95%"


def page(report: Mapping[str, Any]) -> str:
    """The table by class, the pairs, and what was counted apart, in Markdown."""
    out = report["out_of_reach"]
    return "\n".join(
        (
            f"{report['part']}: {report['candidates']} candidates per prompt, seed "
            f"{report['seed']}; survivors: {report['survivors']}.",
            "",
            markdown(report["rows"]),
            "Other wordings against the plain ones of the same prompts:",
            "",
            markdown(report["pairs"]),
            f"Out of reach: {out['n']} prompts without a right motion; the generator "
            f"remarks on {out['noted']}.",
            "",
        )
    )


def markdown(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """A table; a figure and its interval share a cell."""
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns = [name for name in names if not name.endswith(_INTERVAL)]
    lines = [f"| | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    for name, row in rows.items():
        cells = [
            _cell(row.get(column), row.get(column + _INTERVAL)) for column in columns
        ]
        lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: Any, interval: list[float] | None) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if interval is None:
        return f"{value:.2f}"
    return f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
