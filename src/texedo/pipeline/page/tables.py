"""The tables of the page: all candidates, settings, hashes, seconds."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any, NamedTuple

from texedo.pipeline.account import Account, CandidateAccount, Performance
from texedo.pipeline.page.figures import (
    UNKNOWN,
    cause,
    number,
    outcome,
    passes,
    performance,
    share,
)


class Column(NamedTuple):
    """A column of the table of candidates."""

    name: str
    hint: str
    value: Callable[[CandidateAccount], float | str]
    """By which it is sorted; NaN and the empty text are unknown."""
    show: Callable[[float], str] | None = None
    """How a number is told."""


def candidate_table(account: Account) -> str:
    """A row for each; a column of which nothing is known is named below instead."""
    columns, unknown = [], []
    for column in _columns(account):
        if any(_known(column.value(c)) for c in account.candidates):
            columns.append(column)
        else:
            unknown.append(column.name)
    head = "".join(_header(column) for column in columns)
    rows = "".join(_row(c, account, columns) for c in ranked(account))
    note = ""
    if unknown:
        names = ", ".join(unknown)
        note = f'<p class="soft">Known of no candidate: {escape(names)}.</p>'
    return (
        '<div class="wide" role="region" aria-label="All candidates" tabindex="0">'
        f'<table id="candidates"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def ranked(account: Account) -> list[CandidateAccount]:
    """The chosen one, the runners-up, then those that pass, the best R_text first."""
    named = [account.chosen, *account.runners_up]

    def place(candidate: CandidateAccount) -> tuple[int, bool, float, int]:
        i, r_text = candidate.index, candidate.r_text
        order = named.index(i) if i in named else len(named)
        score = -r_text if math.isfinite(r_text) else math.inf
        return order, passes(candidate, account) is False, score, i

    return sorted(account.candidates, key=place)


def pair_table(pairs: Iterable[tuple[str, str]], *, name: str = "pairs") -> str:
    """Names and values; a hash may be long and is set in a type of its own."""
    rows = "".join(
        f'<tr><th scope="row">{escape(key)}</th><td>{escape(value)}</td></tr>'
        for key, value in pairs
    )
    return f'<table class="{name}"><tbody>{rows}</tbody></table>' if rows else ""


def plain(settings: Mapping[str, Any], inside: str = "") -> list[tuple[str, str]]:
    """Settings as pairs of texts; those inside others carry both names."""
    pairs: list[tuple[str, str]] = []
    for key, value in settings.items():
        name = f"{inside}{key}".replace("_", " ")
        if isinstance(value, Mapping):
            pairs += plain(value, f"{name}: ")
        elif value is None:
            pairs.append((name, "not given"))
        elif isinstance(value, str):
            pairs.append((name, value))
        else:
            pairs.append((name, json.dumps(value, default=str, ensure_ascii=False)))
    return pairs


def _columns(account: Account) -> list[Column]:
    def physics(value: Callable[[Performance], float]) -> Callable[..., float]:
        return lambda c: math.nan if c.performed is None else value(c.performed)

    def digits(count: int, unit: str = "") -> Callable[[float], str]:
        return lambda value: number(value, count, unit)

    origin = Column(
        "from", "an edit, joined steps, written, or other words", lambda c: c.origin
    )
    return [
        Column("candidate", "", lambda c: float(c.index), digits(0)),
        Column("what became of it", "", lambda c: outcome(c, account)),
        *([] if all(c.is_drawn for c in account.candidates) else [origin]),
        Column("R_text", "does it mean what was said", lambda c: c.r_text, digits(4)),
        Column("R_dyn", "will the robot manage it", lambda c: c.r_dyn, digits(4)),
        Column("finishes", "expected", lambda c: c.success, share),
        Column(
            "perturbed finish", "expected, share of robots", lambda c: c.robust, share
        ),
        Column("quality", "expected", lambda c: c.quality, digits(3)),
        Column("riskiest at", "expected", lambda c: c.riskiest_second, digits(1, "s")),
        Column("likely cause", "of a fall, should there be one", cause),
        Column("check", "of the motion file", lambda c: c.check_verdict),
        Column("length", "", lambda c: c.motion.duration, digits(2, "s")),
        Column("in physics", "performed by the controller", performance),
        Column(
            "robots", "perturbed, that finished", physics(lambda p: p.robust), share
        ),
        Column("E_mpjpe", "mm", physics(lambda p: p.e_mpjpe), digits(1)),
        Column("E_vel", "mm/frame", physics(lambda p: p.e_vel), digits(2)),
        Column("E_acc", "mm/frame²", physics(lambda p: p.e_acc), digits(2)),
        Column("Q*", "of the performance", physics(lambda p: p.q_star), digits(3)),
        Column("why", "", lambda c: c.reason),
    ]


def _known(value: float | str) -> bool:
    return bool(value) if isinstance(value, str) else math.isfinite(value)


def _header(column: Column) -> str:
    kind = ' class="figure"' if column.show else ""
    hint = f' title="{escape(column.hint, quote=True)}"' if column.hint else ""
    return (
        f'<th scope="col"{kind}{hint}><button type="button">'
        f"{escape(column.name)}</button></th>"
    )


def _row(candidate: CandidateAccount, account: Account, columns: list[Column]) -> str:
    cells = [_first_cell(candidate.index)]
    cells += [_cell(column, column.value(candidate)) for column in columns[1:]]
    names = []
    if candidate.index == account.chosen:
        names.append("best")
    if passes(candidate, account) is False:
        names.append("fails")
    kind = f' class="{" ".join(names)}"' if names else ""
    return f'<tr data-candidate="{candidate.index}"{kind}>{"".join(cells)}</tr>'


def _first_cell(index: int) -> str:
    return (
        f'<td class="figure" data-value="{index}"><button type="button" '
        f'aria-label="show candidate {index}">{index}</button></td>'
    )


def _cell(column: Column, value: float | str) -> str:
    if not _known(value):
        kind = ' class="figure unknown"' if column.show else ' class="unknown"'
        return f'<td{kind} data-value="" title="unknown">{UNKNOWN}</td>'
    if isinstance(value, str):
        return f'<td data-value="{escape(value, quote=True)}">{escape(value)}</td>'
    said = column.show(value) if column.show else str(value)
    return f'<td class="figure" data-value="{value!r}">{escape(said)}</td>'
