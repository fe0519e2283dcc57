"""What `texedo generate` prints."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from texedo.apps.faults import fault_text
from texedo.apps.generate.run_folder import TABLE_FILE, table_rows
from texedo.pipeline import Generated
from texedo.see.dynamics.scorer import guarantee_text

_COLOUR = {"pass": "green", "warn": "yellow", "offset": "cyan", "fail": "bold red"}
_MOST_ROWS = 40
"""The rest of a longer table is in the file."""


def print_run(console: Console, result: Generated, record: dict[str, Any]) -> None:
    """The candidates, the choice and the time it took."""
    if not console.is_terminal:
        console.width = 140  # A table in a file or a pipe is not folded.
    console.print(_table(result))
    count = len(result.candidates)
    if left_out := count - len(_shown(result)):
        console.print(f"{left_out} of {count} rows are left out; {TABLE_FILE} has all.")
    console.print(f"chosen: candidate {record['chosen']}. {escape(record['why'])}")
    if record.get("expected") is not None:
        console.print(f"not performed: {escape(record['verdict'])}.")
    if "guarantee" in record:
        console.print(guarantee_text(record["guarantee"]), soft_wrap=True)
    took = record["seconds"]
    order = ("load", "sample", "check", "perform", "score", "choose", "write")
    said = ", ".join(f"{name} {took[name]:.2f} s" for name in order if name in took)
    console.print(f"{said}; {sum(took.values()):.1f} s in all")


def print_line(
    console: Console,
    record: dict[str, Any],
    folder: Path,
    *,
    was_finished: bool = False,
) -> None:
    """Where the motion of a prompt is, and what to think of it."""
    said = f"{folder}: {record['prompt'][:100]!r}"
    if record["survivors"] is not None:
        alive, count = record["survivors"], record["candidates"]
        said += f", {alive} of {count} candidates performed to the end"
    if was_finished:
        said += " (was finished)"
    console.print(escape(said), soft_wrap=True)
    row = record["table_row"]
    if row["check"] == "fail":
        console.print(
            f"[bold red]it fails `texedo check`[/]: {escape(row['check_problems'])}",
            soft_wrap=True,
        )
    if record["survived"] is False:
        nobody = "no candidate survives." if not record["survivors"] else "it falls."
        console.print(
            f"[bold red]{nobody}[/] The motion is the best of them and "
            f"{escape(record['verdict'])}. Try more candidates (-n), another seed, or "
            "other words.",
            soft_wrap=True,
        )
    if record.get("expected") is False:
        console.print(
            "[bold red]no candidate passes.[/] The motion is the best of them: R_dyn "
            f"{row['r_dyn']:.3f} is not above {record['request']['threshold']:g}, "
            f"{escape(record['verdict'])}. Try more candidates (-n), another seed or "
            "other words, or let the controller perform them (--scorer oracle).",
            soft_wrap=True,
        )


def print_failure(prompt: str, error: Exception) -> None:
    print(f"error: {prompt[:60]!r}: {fault_text(error)}", file=sys.stderr)


def _shown(result: Generated) -> list[int]:
    """Which rows are printed: the winner's always."""
    first = range(min(_MOST_ROWS, len(result.candidates)))
    return sorted({*first, result.selection.index})


def _table(result: Generated) -> Table:
    table = Table(
        title=f"{escape(result.prompt[:200])}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    rows, winner = table_rows(result), result.selection.index
    read = any(row["r_text"] is not None for row in rows)
    # Where candidates were performed R_dyn is not a prediction, and Q* says more.
    foreseen = result.scores.survived is None
    names = [*(["R_text"] if read else []), "R_dyn" if foreseen else "Q*"]
    for name in ("", "length", *names):
        table.add_column(name, justify="right")
    for name in ("outlook" if foreseen else "performance", "check", "problems"):
        table.add_column(name, overflow="fold")
    for i in _shown(result):
        row, chosen = rows[i], i == winner
        alive = row["survived"]
        if foreseen:
            alive = (row["r_dyn"] or 0.0) > result.threshold
        colour = "green" if alive else "red"
        table.add_row(
            f"> {i}" if chosen else str(i),
            f"{row['duration_s']:.2f} s",
            *([_score(row["r_text"])] if read else []),
            _score(row["r_dyn" if foreseen else "q_star"]),
            f"[{colour}]{escape(result.scores.performance(i))}[/]",
            f"[{_COLOUR[row['check']]}]{row['check']}[/]",
            escape(row["check_problems"]),
            style="bold" if chosen else "",
        )
    return table


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
