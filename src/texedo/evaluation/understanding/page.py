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
            markdown({k.replace("_", " "): row for k, row in report["rows"].items()}),
            "Ways to choose: the share of right choices, and how far from a random "
            "survivor (0) to a right one wherever there is one (1):",
            "",
            markdown(report["ways"]),
            "Other wordings against the plain ones of the same prompts:",
            "",
            markdown(report["pairs"]),
            f"Out of reach: {out['n']} prompts without a right motion; the generator "
            f"remarks on {out['noted']}.",
            "",
        )
    )


def markdown(rows: Mapping[str, Mapping[str, Any]], *, digits: int = 2) -> str:
    """A table; a figure and its interval share a cell."""
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns = [name for name in names if not name.endswith(_INTERVAL)]
    lines = [f"| | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    for name, row in rows.items():
        cells = [
            _cell(row.get(column), row.get(column + _INTERVAL), digits)
            for column in columns
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: Any, interval: list[float] | None, digits: int) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    said = f"{value:.{digits}f}"
    if interval is None:
        return said
    return f"{said} [{interval[0]:.{digits}f}, {interval[1]:.{digits}f}]"
