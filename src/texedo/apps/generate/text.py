"""What `texedo generate` prints: one screen per prompt."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from texedo.apps.faults import fault_text
from texedo.pipeline.account import Account, CandidateAccount
from texedo.pipeline.refused import Refusal
from texedo.pipeline.words import (
    candidate_rows,
    choice_line,
    drawn_line,
    reading_line,
    rejected_line,
    seconds_line,
    table_head,
)
from texedo.see.dynamics.scorer import guarantee_text

_COLOUR = {"pass": "green", "offset": "cyan", "warn": "yellow", "fail": "bold red"}


def print_run(console: Console, account: Account) -> None:
    """The winner and the runners-up, the choice, what was rejected, and the time."""
    if not console.is_terminal:
        console.width = 140  # A table in a file or a pipe is not folded.
    console.print(_table(account))
    for said in (
        reading_line(account),
        choice_line(account),
        rejected_line(account),
        drawn_line(account),
    ):
        if said:
            console.print(escape(said))
    if account.winner.performed is None and account.winner.outlook:
        console.print(f"not performed: {escape(account.winner.outlook)}.")
    if account.guarantee is not None:
        console.print(guarantee_text(account.guarantee), soft_wrap=True)
    console.print(seconds_line(account))


def _table(account: Account) -> Table:
    table = Table(
        title=escape(account.prompt[:200]), title_justify="left", box=box.SIMPLE_HEAD
    )
    for i, name in enumerate(table_head(account)):
        side = "right" if i < 4 else "left"
        table.add_column(name, justify=side, overflow="fold")  # type: ignore[arg-type]
    numbers = (account.chosen, *account.runners_up)
    for index, cells in zip(numbers, candidate_rows(account), strict=True):
        one = account.candidates[index]
        *scores, robot, check = map(escape, cells)
        colour = "green" if _is_fine(one, account) else "red"
        table.add_row(
            *scores,
            f"[{colour}]{robot}[/]",
            f"[{_COLOUR[one.check_verdict]}]{check}[/]",
            style="bold" if index == account.chosen else "",
        )
    return table


def _is_fine(one: CandidateAccount, account: Account) -> bool:
    if one.performed is not None:
        return one.performed.holds
    return account.screened(one) > account.threshold


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
    if (more := len(record.get("handed_out", [0]))) > 1:
        said += f", {more} motions"
    if was_finished:
        said += " (was finished)"
    console.print(escape(said), soft_wrap=True)
    row = record["table_row"]
    if "file" in row:
        console.print(escape(f"the motion is that of {row['file']}"), soft_wrap=True)
    if row["check"] == "fail":
        console.print(
            f"[bold red]it fails `texedo check`[/]: {escape(row['check_problems'])}",
            soft_wrap=True,
        )
    if warning := _warning(record):
        console.print(warning, soft_wrap=True)


def _warning(record: dict[str, Any]) -> str:
    """What is wrong with the motion that was handed out; empty if nothing is."""
    told = escape(record["verdict"])
    if record["survived"] is False or record.get("holds") is False:
        if record["survivors"] is not None and not record["survivors"]:
            nobody = "no candidate survives."
        elif len(record.get("performed", {})) > 1:
            nobody = f"none of the {len(record['performed'])} best holds in physics."
        else:
            nobody = "it falls."
        return (
            f"[bold red]{nobody}[/] The motion is the best of them and {told}. Try more "
            "candidates (-n), another seed, or other words."
        )
    if record.get("expected") is False:
        return (
            f"[bold red]no candidate passes.[/] The motion is the best of them, {told}. "
            f"{escape(record['table_row']['why'])} Try more candidates (-n), another "
            "seed or other words, or let the controller perform them (--scorer oracle)."
        )
    return ""


def print_failure(prompt: str, error: Exception) -> None:
    if isinstance(error, Refusal):
        said = f"refused: {prompt[:60]!r}: {error} Nothing is written; --anyway takes"
        print(f"{said} the best candidate all the same.", file=sys.stderr)
        return
    print(f"error: {prompt[:60]!r}: {fault_text(error)}", file=sys.stderr)
