"""What `texedo score` knows of motions, as rows, as JSON and as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.files.sources import Sources
from texedo.do import Selection
from texedo.see.dynamics.outlook import Outlook, risk_by_second
from texedo.see.dynamics.protocol import (
    FILTER_NAMES,
    DynamicsVerifier,
    Float32,
    filter_of,
    passing_text,
)
from texedo.see.dynamics.scorer import guarantee_of
from texedo.see.semantics.protocol import SemanticVerifier

Float64 = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """How well the motions fit a sentence."""

    prompt: str
    verifier: SemanticVerifier
    r_text: Float64
    remarks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Feasibility:
    """How the motions will go."""

    verifier: DynamicsVerifier
    threshold: float
    outlooks: list[Outlook]
    hazard: list[Float32] | None

    @property
    def passes(self) -> list[bool]:
        """Who is above the threshold."""
        by = filter_of(self.verifier)
        return [(one.screened(by) or 0.0) > self.threshold for one in self.outlooks]

    @property
    def chance(self) -> list[float] | None:
        """Chance to finish, NaN where nobody knows, if the threshold is of it."""
        if filter_of(self.verifier) != "success":
            return None
        return [float("nan") if o.success is None else o.success for o in self.outlooks]

    @property
    def filters_by(self) -> str:
        """What the threshold is of, for people."""
        return FILTER_NAMES[filter_of(self.verifier)]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """All that is known of the motions that could be read."""

    found: Sources
    meaning: Meaning | None
    feasibility: Feasibility | None
    best: int | None
    """The motion to take; None if there is no sentence, or nobody has a score."""
    selection: Selection | None = None
    """How it was chosen, if by both scores."""
    remarks: tuple[str, ...] = field(default=())

    def rows(self) -> list[dict[str, Any]]:
        """One for each motion, as plain JSON values."""
        return [self._row(i) for i in range(len(self.found.motions))]

    def _row(self, i: int) -> dict[str, Any]:
        row: dict[str, Any] = {
            "file": self.found.names[i],
            **self.found.readings[i].to_dict(),
        }
        if self.meaning is not None:
            value = float(self.meaning.r_text[i])
            row["r_text"] = value if np.isfinite(value) else None
        if self.feasibility is not None:
            outlook = self.feasibility.outlooks[i]
            row |= {
                "r_dyn": outlook.r_dyn,
                "passes": self.feasibility.passes[i],
                "outlook": outlook.in_words(),
                **outlook.to_dict(),
            }
            if self.feasibility.hazard is not None and outlook.readable:
                row["risk_by_second"] = risk_by_second(self.feasibility.hazard[i])
        if self.meaning is not None:
            row["best"] = i == self.best
        return row

    def to_dict(self) -> dict[str, Any]:
        """The motions, and who scored them."""
        record: dict[str, Any] = {}
        if self.meaning is not None:
            record |= {
                "prompt": self.meaning.prompt,
                "semantics": self.meaning.verifier.name,
                "semantics_hash": self.meaning.verifier.digest,
            }
        if self.feasibility is not None:
            verifier = self.feasibility.verifier
            record |= {
                "dynamics": verifier.name,
                "dynamics_hash": verifier.digest,
                "threshold": self.feasibility.threshold,
                "filters_by": filter_of(verifier),
                "guarantee": guarantee_of(verifier),
            }
        if self.selection is not None:
            record["why"] = self.selection.reason
        return record | {"motions": self.rows(), "remarks": list(self.remarks)}

    @property
    def exit_code(self) -> int:
        """2 if something has no score, 1 if what should pass does not."""
        if self.found.errors or self._unread:
            return 2
        if self.feasibility is None:
            return 0
        passes = self.feasibility.passes
        return int(not (all(passes) if self.meaning is None else any(passes)))

    @property
    def _unread(self) -> bool:
        known = self.feasibility.outlooks if self.feasibility is not None else []
        return not all(outlook.readable for outlook in known)


def score_table(scored: Scored) -> Table:
    """A row for each motion, the one to take marked."""
    table = Table(title=_title(scored), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column("motion", overflow="fold")
    for name in ("read at", "length", *_numbers(scored)):
        table.add_column(name, justify="right")
    if scored.feasibility is not None:
        table.add_column("outlook", overflow="fold")
    for i, row in enumerate(scored.rows()):
        table.add_row(
            ">" if i == scored.best else "",
            escape(row["file"]),
            f"{row['fps']:g} fps {row['fps_is']}",
            f"{row['duration_s']:.2f} s",
            *(_number(row[key]) for key in _numbers(scored).values()),
            *_outlook(row),
            style="bold" if i == scored.best else "",
        )
    return table


def _numbers(scored: Scored) -> dict[str, str]:
    """Columns of numbers: their headings, and where they are in a row."""
    names = {} if scored.meaning is None else {"R_text": "r_text"}
    if scored.feasibility is None:
        return names
    names["R_dyn"] = "r_dyn"
    if scored.meaning is None:
        names |= {
            "success": "expected_success",
            "robust": "expected_robust",
            "quality": "expected_quality",
            "progress": "expected_progress",
        }
    return names


def _outlook(row: dict[str, Any]) -> list[str]:
    if "outlook" not in row:
        return []
    said = escape(row["outlook"])
    if row["riskiest_s"] is not None and "riskiest" not in said and row["passes"]:
        said += f"; riskiest second at {row['riskiest_s']:.1f} s"
    colour = "green" if row["passes"] else "red"
    return [f"[{colour}]{said}[/]"]


def _title(scored: Scored) -> str:
    by = []
    if scored.meaning is not None:
        by.append(f"R_text of {escape(scored.meaning.verifier.name)}")
    if scored.feasibility is not None:
        name = escape(scored.feasibility.verifier.name)
        rule = passing_text(
            filter_of(scored.feasibility.verifier), scored.feasibility.threshold
        )
        by.append(f"R_dyn of {name}, {rule}")
    if scored.meaning is None:
        return "; ".join(by)
    return f"{escape(scored.meaning.prompt[:200])} ({'; '.join(by)})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
