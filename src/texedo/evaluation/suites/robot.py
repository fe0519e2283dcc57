"""The thirty prompts of the paper's real robot: the choice of each, performed in physics.

The paper's errors are measured on a real Unitree G1 with another controller; ours are of
the simulated robot, nominal and perturbed. `overall` weighs prompts by executed frames,
as the paper's table does.
"""

from __future__ import annotations

import numpy as np

from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import Base, Chosen, Float64, Pool, pick
from texedo.evaluation.suites.figures import Figure, Row, Table, theirs
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.paper import ROBOT_ERRORS, ROBOT_OVERALL
from texedo.evaluation.suites.prompts import Asked
from texedo.evaluation.suites.selection import choose_checked

ERRORS = ("E_mpjpe-l", "E_vel", "E_acc")
OVERALL = "overall"
_THEIRS = "paper: "


def robot_asked() -> list[Asked]:
    """The thirty, in the paper's order and spelling."""
    return [Asked(text=text, kind="real robot") for text in REAL_ROBOT]


def robot_report(base: Base, *, n: int, limit: int | None = None) -> Report:
    """A row per prompt, and all of them together."""
    asked = robot_asked()[:limit]
    pool = base.pool(asked, n)
    choice = choose_checked(pool)
    columns = _columns(pool, choice.chosen)
    rows = {own.text: _row(columns, i) for i, own in enumerate(asked)}
    rows[OVERALL] = overall(columns) | _paper(ROBOT_OVERALL)
    return Report(
        suite="robot-prompts",
        title="The prompts of the real robot",
        settings={**base.settings(), "prompts": len(asked), "candidates": n},
        words=(
            f"The best of {n} candidates by R_dyn and R_text, performed in simulation: "
            f"{int(columns['success'].sum())} of {len(asked)} succeed; on the paper's "
            "robot 30 of 30. Prompts without a candidate above the threshold: "
            f"{int(choice.fallback.sum())}.",
        ),
        tables=(
            Table(
                name="prompts",
                title="Prompt by prompt",
                rows=rows,
                note="Errors in mm, mm/frame and mm/frame^2 up to the end or the fall; "
                "perturbed: share of perturbed robots that finish. Columns that begin "
                "with paper are its own, on a real robot with another controller.",
            ),
        ),
    )


def _columns(pool: Pool, chosen: Chosen) -> dict[str, Float64]:
    """What is known of the choices, performed, (P,) each."""
    wanted = np.zeros(pool.shape, dtype=np.bool_)
    np.put_along_axis(wanted, chosen[:, None], True, axis=1)
    pool.prepare(wanted)
    done = pool.perform(wanted)
    known = {
        "success": done.success,
        "perturbed": pool.robust(wanted),
        "E_mpjpe-l": done.mpjpe,
        "E_vel": done.e_vel,
        "E_acc": done.e_acc,
        "Q*": done.q_star,
        "frames": done.frames,
        "R_dyn": pool.r_dyn,
        "R_text": pool.r_text,
        **{f"judge ({name})": own for name, own in pool.judged(wanted).items()},
    }
    return {name: pick(values, chosen) for name, values in known.items()}


def overall(columns: dict[str, Float64]) -> Row:
    """Means over prompts; errors weighted by the frames that were executed."""
    row: Row = {}
    for name, values in columns.items():
        if name == "frames" or np.isnan(values).all():
            continue
        if name in ERRORS:
            frames = np.where(np.isnan(values), 0.0, columns["frames"])
            row[name] = fig.ratio(np.nan_to_num(values) * frames, frames, digits=2)
        elif name in ("success", "perturbed"):
            row[name] = fig.share(values)
        else:
            row[name] = fig.mean(values)
    return row


def _row(columns: dict[str, Float64], i: int) -> Row:
    digits = {**dict.fromkeys(ERRORS, 2), "success": 0, "frames": 0}
    known = {name: values for name, values in columns.items() if name != "frames"}
    row = {
        name: Figure(value=_or_none(values[i]), digits=digits.get(name, 3), n=1)
        for name, values in known.items()
        if not np.isnan(values).all()
    }
    return row | _paper(ROBOT_ERRORS[i])


def _paper(values: tuple[float, float, float]) -> Row:
    return {
        f"{_THEIRS}{name}": theirs(value, digits=2)
        for name, value in zip(ERRORS, values, strict=True)
    }


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
