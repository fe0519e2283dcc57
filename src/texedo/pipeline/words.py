"""An account in words: one screen that says what was chosen, and why."""

from __future__ import annotations

from collections.abc import Iterator

from texedo.motion import FPS
from texedo.pipeline.account import Account, CandidateAccount
from texedo.pipeline.telling import is_known
from texedo.see.dynamics.scorer import guarantee_text

ORDER = (
    "load",
    "sample",
    "check",
    "perform",
    "score",
    "choose",
    "confirm",
    "write",
)
"""Stages as they come."""


def explain(account: Account) -> str:
    """The choice, why, the runners-up, what was rejected, and the time it took."""
    lines = [account.prompt, reading_line(account)]
    lines += _table([table_head(account), *candidate_rows(account)])
    lines += [choice_line(account), rejected_line(account), drawn_line(account)]
    if account.guarantee is not None:
        lines.append(guarantee_text(account.guarantee))
    lines += [f"note: {remark}" for remark in account.remarks]
    lines.append(seconds_line(account))
    return "\n".join(line for line in lines if line)


def table_head(account: Account) -> tuple[str, ...]:
    """Names of the columns of `candidate_rows`."""
    # Where all were performed R_dyn is no forecast, and Q* says more.
    score = "Q*" if _all_performed(account) else "R_dyn"
    return ("", "length", "R_text", score, "robot", "check")


def _all_performed(account: Account) -> bool:
    done = (one.performed is not None for one in account.candidates)
    return len(account.candidates) > 1 and all(done)


def candidate_rows(account: Account) -> Iterator[tuple[str, ...]]:
    """The winner and the runners-up, cell by cell."""
    performed = _all_performed(account)
    for index in (account.chosen, *account.runners_up):
        one = account.candidates[index]
        yield (
            f"> {index}" if index == account.chosen else str(index),
            f"{(len(one.motion) - 1) / FPS:.2f} s",
            _score(one.r_text),
            _score(one.performed.q_star if performed and one.performed else one.r_dyn),
            robot_text(one),
            one.check_verdict,
        )


def robot_text(one: CandidateAccount) -> str:
    """How the robot did, or is expected to do."""
    return one.outlook if one.performed is None else one.performed.verdict


def reading_line(account: Account) -> str:
    """What was made of the prompt; empty if it was read as it stands."""
    same = account.read_as.lower() == account.prompt.lower().rstrip(".")
    return "" if same else f"read as: {account.read_as}"


def drawn_line(account: Account) -> str:
    """How many candidates were drawn, where that was not settled before."""
    if not account.settings.get("adaptive"):
        return ""
    most = account.settings["candidates"]
    drawn = sum(one.is_drawn for one in account.candidates)
    return f"drawn: {drawn} candidates of {most} at most"


def choice_line(account: Account) -> str:
    """Who was chosen, and why."""
    return f"chosen: candidate {account.chosen}. {account.why}"


def rejected_line(account: Account) -> str:
    """How many were not, by the reason; empty if there was nobody else."""
    total = sum(account.rejected.values())
    if not total:
        return ""
    said = ", ".join(f"{count} {why}" for why, count in account.rejected.items())
    return f"not chosen: {total} of {len(account.candidates)}: {said}"


def seconds_line(account: Account) -> str:
    """The time of each stage."""
    took = account.seconds
    said = ", ".join(f"{name} {took[name]:.2f} s" for name in ORDER if name in took)
    return f"{said}; {sum(took.values()):.1f} s in all" if said else ""


def _score(value: float) -> str:
    return f"{value:.3f}" if is_known(value) else "-"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(w) if i > 3 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
