"""The main table: one sample, each verifier alone, and the two together.

Base takes the first candidate. Success and errors are of the nominal robot; perturbed
robots perform the choice as well. Errors are means over the choices that succeed, Q* and
all else over all prompts. `right` is the share of choices that do what the prompt asks
for, by the rules of `texedo evaluate understanding`, where a prompt has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from texedo.data.corpus.label_table import clip_hash
from texedo.do import select_best
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import (
    Base,
    Bools,
    Chosen,
    Float64,
    Performed,
    Pool,
    pick,
)
from texedo.evaluation.suites.figures import Figure, Row, Table
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.paper import FALLBACK
from texedo.evaluation.suites.prompts import Asked
from texedo.see.dynamics.protocol import FILTER_NAMES, filter_of

BASE, DYNAMICS, SEMANTICS = "base", "dynamics only", "semantics only"
TEXEDO, CHECKED = "Texedo", "Texedo, checks first"
RULES = {BASE: "first", DYNAMICS: "dynamics", SEMANTICS: "semantics", TEXEDO: "texedo"}
"""Of `texedo.do`, by row."""
_SHARES = ("success", "perturbed", "right", "right, performed")
NOTE = (
    "E_mpjpe-l in mm, E_vel in mm/frame, E_acc in mm/frame^2, over the choices that "
    "succeed; perturbed: share of perturbed robots that finish; right: by rules, where a "
    "prompt has one; fallback: no candidate above the threshold; refused: `texedo "
    "generate` would give no motion, here it is chosen all the same. `Texedo, checks "
    "first` prefers candidates that pass `texedo check`, as `texedo generate` does."
)


class Choice(NamedTuple):
    """Who is chosen for each prompt, and where nobody was feasible."""

    chosen: Chosen
    fallback: Bools


def choices(pool: Pool) -> dict[str, Choice]:
    """By every row of the table."""
    found = {name: choose(pool, rule) for name, rule in RULES.items()}
    return {**found, CHECKED: choose_checked(pool)}


def choose_checked(pool: Pool) -> Choice:
    """As `texedo generate` chooses: candidates that pass its checks come first."""
    chosen, fallback = zip(*pool.checked, strict=True)
    return Choice(np.array(chosen, dtype=np.int64), np.array(fallback, dtype=np.bool_))


def choose(pool: Pool, rule: str) -> Choice:
    """One candidate for each prompt."""
    selections = [
        select_best(
            pool.r_dyn[i],
            pool.r_text[i],
            threshold=pool.threshold(i),
            rule=rule,
            prompt=own.text,
        )
        for i, own in enumerate(pool.asked)
    ]
    return Choice(
        np.array([own.index for own in selections], dtype=np.int64),
        np.array([own.fallback for own in selections], dtype=np.bool_),
    )


class Measured(NamedTuple):
    """Choices, performed."""

    pool: Pool
    chosen: Mapping[str, Choice]
    performed: Performed
    robust: Float64
    judged: Mapping[str, Float64]


def measure(base: Base, asked: Sequence[Asked], n: int) -> Measured:
    """Choose, and perform what was chosen by anybody."""
    pool = base.pool(asked, n)
    chosen = choices(pool)
    wanted = np.zeros(pool.shape, dtype=np.bool_)
    for own in chosen.values():
        np.put_along_axis(wanted, own.chosen[:, None], True, axis=1)
    pool.prepare(wanted)
    performed = pool.perform(wanted)
    return Measured(pool, chosen, performed, pool.robust(wanted), pool.judged(wanted))


def selection_report(
    base: Base,
    asked: Sequence[Asked],
    *,
    n: int,
    suite: str = "selection",
    title: str = "Selection: one sample, one verifier, both",
    paper: Mapping[str, Row] | None = None,
) -> Report:
    """The table over all prompts, by kind of prompt, and what choosing changes."""
    found = measure(base, asked, n)
    return Report(
        suite=suite,
        title=title,
        settings={**base.settings(), "prompts": len(asked), "candidates": n},
        words=_words(found),
        tables=_tables(found, f"{len(asked)} prompts, N = {n}", paper or {}),
        details={"choices": details(found)},
    )


def _tables(found: Measured, title: str, paper: Mapping[str, Row]) -> tuple[Table, ...]:
    rows = table_rows(found, np.ones(len(found.pool.asked), dtype=np.bool_))
    return (
        Table(
            name="main",
            title=title,
            rows={**rows, **paper},
            note=NOTE,
            theirs=tuple(paper),
        ),
        Table(
            name="gain",
            title="Against base, prompt by prompt",
            rows=gain_rows(found),
            note="Differences of the same prompts; an interval without 0 is a change.",
        ),
        *_kept_table(found),
        *_parts(found),
    )


def _kept_table(found: Measured) -> list[Table]:
    if np.isnan(found.pool.right).all():
        return []
    return [
        Table(
            name="kept",
            title="What both verifiers keep of semantics alone",
            rows=kept_rows(found),
            note="Over prompts with a rule; ratio: choices of both that are right, to "
            "those of semantics only.",
        )
    ]


def _parts(found: Measured) -> list[Table]:
    """The same over prompts that are answered, and by kind."""
    tables = []
    answered = ~found.pool.refused
    if answered.any() and not answered.all():
        tables.append(
            Table(
                name="answered",
                title="Prompts that are not refused",
                rows=table_rows(found, answered),
                note="`texedo generate` answers some prompts with no motion; the others:",
            )
        )
    asked = found.pool.asked
    kinds = list(dict.fromkeys(own.kind for own in asked))
    for kind in kinds if len(kinds) > 1 else []:
        own = np.array([one.kind == kind for one in asked])
        tables.append(
            Table(name=kind, title=f"Of them: {kind}", rows=table_rows(found, own))
        )
    return tables


def table_rows(found: Measured, own: Bools) -> dict[str, Row]:
    """The rows of the prompts `own` (P,)."""
    return {
        name: _row(found, choice, own) | _unanswered(found, name, choice, own)
        for name, choice in found.chosen.items()
    }


def gain_rows(found: Measured) -> dict[str, Row]:
    """What each way to choose changes, of pairs."""
    values = {name: _values(found, own) for name, own in found.chosen.items()}
    first = values.pop(BASE)
    return {
        name: {
            key: fig.mean(column - first[key])
            for key, column in own.items()
            if not np.isnan(column).all()
        }
        for name, own in values.items()
    }


def _values(found: Measured, choice: Choice) -> dict[str, Float64]:
    """Figures that every prompt has by itself, (P,) each."""
    return {
        "success": pick(found.performed.success, choice.chosen),
        "perturbed": pick(found.robust, choice.chosen),
        "Q*": pick(found.performed.q_star, choice.chosen),
        "R_text": pick(found.pool.r_text, choice.chosen),
        "right": pick(found.pool.right, choice.chosen),
        **{
            f"judge ({name})": pick(scores, choice.chosen)
            for name, scores in found.judged.items()
        },
    }


def _row(found: Measured, choice: Choice, own: Bools) -> Row:
    values = {name: column[own] for name, column in _values(found, choice).items()}
    success = values["success"]
    if not np.isnan(values["right"]).all():
        values["right, performed"] = values["right"] * success
    row: Row = {}
    for name, column in values.items():
        if name == "Q*":
            row |= _errors(found, choice, own, success)
        if not np.isnan(column).all():
            row[name] = fig.share(column) if name in _SHARES else fig.mean(column)
    return row


def _errors(found: Measured, choice: Choice, own: Bools, success: Float64) -> Row:
    columns = {
        "E_mpjpe-l": found.performed.mpjpe,
        "E_vel": found.performed.e_vel,
        "E_acc": found.performed.e_acc,
    }
    return {
        name: errors(pick(column, choice.chosen)[own], success)
        for name, column in columns.items()
    }


def errors(values: Float64, success: Float64) -> Figure:
    """Mean error over the successes, prompts drawn again."""
    known = np.where(np.isnan(values), 0.0, success)
    return fig.ratio(np.nan_to_num(values) * known, known, digits=2)


def _unanswered(found: Measured, name: str, choice: Choice, own: Bools) -> Row:
    """Where nobody is feasible, and where `texedo generate` gives no motion at all."""
    if RULES.get(name, "texedo") != "texedo":
        return {"fallback": Figure(value=None)}
    row = {"fallback": fig.share(choice.fallback[own].astype(np.float64))}
    if found.pool.base.refuser is not None:
        row["refused"] = fig.share(found.pool.refused[own].astype(np.float64))
    return row


def kept_rows(found: Measured) -> dict[str, Row]:
    """How much of what semantics alone gets right both verifiers keep."""
    right = found.pool.right
    ruled = ~np.isnan(right).all(axis=1)
    alone = pick(right, found.chosen[SEMANTICS].chosen)[ruled]
    rows: dict[str, Row] = {}
    for name in (TEXEDO, CHECKED):
        both = pick(right, found.chosen[name].chosen)[ruled]
        rows[name] = {
            "right": fig.share(both),
            f"right, {SEMANTICS}": fig.share(alone),
            "ratio": replace(fig.ratio(both, alone), n=int(ruled.sum())),
        }
    return rows


def _words(found: Measured) -> tuple[str, ...]:
    kinds: dict[str, int] = {}
    for own in found.pool.asked:
        kinds[own.kind] = kinds.get(own.kind, 0) + 1
    said = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    theta, refused = found.pool.base.dynamics.threshold, int(found.pool.refused.sum())
    screen = FILTER_NAMES[filter_of(found.pool.base.dynamics)]
    more: tuple[str, ...] = ()
    if found.pool.base.refuser is not None:
        more = (
            f"`texedo generate` refuses {refused} of these {len(found.pool.asked)} "
            "prompts; here they are answered all the same.",
        )
    return (
        f"Prompts: {said}. A candidate is feasible if its {screen} is above {theta:.3f}; "
        f"the paper falls back on {100 * FALLBACK:.2f} % of its prompts.",
        *more,
    )


def details(found: Measured) -> list[dict[str, Any]]:
    """Every prompt that may be spoken of: who was chosen, and how it went."""
    rows = []
    columns = {name: _values(found, own) for name, own in found.chosen.items()}
    for i, own in enumerate(found.pool.asked):
        if not own.shown:
            continue
        rows.append(
            {
                "prompt": own.text,
                "choices": {
                    name: {
                        "candidate": int(choice.chosen[i]),
                        "clip": clip_hash(found.pool.motions[i][choice.chosen[i]]),
                        "R_dyn": float(found.pool.r_dyn[i, choice.chosen[i]]),
                        **{key: float(v[i]) for key, v in columns[name].items()},
                    }
                    for name, choice in found.chosen.items()
                },
            }
        )
    return rows
