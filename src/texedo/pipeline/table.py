"""The candidates of a prompt: a sequence of them, and a table with a row for each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, overload

from texedo.core.files import write_whole
from texedo.data.corpus.label_table import clip_hash
from texedo.do import Selection
from texedo.motion import Motion
from texedo.robot.check import CheckReport, check_motion
from texedo.robot.summary import Summary, summarize
from texedo.see.scores import Performance, Scores
from texedo.text.postprocess import PostprocessRecord

Row = dict[str, Any]
SHOWN = ("candidate", "outcome", "r_text", "r_dyn", "q_star", "duration_s", "check")
"""Columns of the short table that people see; the file has all."""
_JUMPS = ("joint jump", "root jump", "root turn jump")
"""Checks whose warning is a fault of the motion, even if a controller gets over it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidate:
    """One motion that the generator offered."""

    motion: Motion
    """After it was post-processed."""
    postprocess: PostprocessRecord
    check: CheckReport
    summary: Summary
    """What it does."""

    @property
    def is_in_order(self) -> bool:
        """Whether it fails no check, and jumps from no frame to the next."""
        jumps = any(self.check[name].verdict in ("warn", "fail") for name in _JUMPS)
        return self.check.verdict != "fail" and not jumps


def candidates_of(
    motions: Sequence[Motion], records: Sequence[PostprocessRecord]
) -> list[Candidate]:
    """Motions that were post-processed, looked at."""
    return [
        Candidate(
            motion=motion,
            postprocess=record,
            check=check_motion(motion),
            summary=summarize(motion),
        )
        for motion, record in zip(motions, records, strict=True)
    ]


class CandidateTable(Sequence[Candidate]):
    """Candidates in their order; `table["r_text"]` is a column, `table.rows` the rows."""

    def __init__(self, candidates: Sequence[Candidate], rows: Sequence[Row]) -> None:
        self._candidates, self._rows = tuple(candidates), tuple(rows)

    def __len__(self) -> int:
        return len(self._candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self._candidates)

    @overload
    def __getitem__(self, key: int) -> Candidate: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Candidate, ...]: ...
    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    def __getitem__(
        self, key: int | slice | str
    ) -> Candidate | tuple[Candidate, ...] | list[Any]:
        """A candidate, some of them, or a column by its name."""
        if not isinstance(key, str):
            return self._candidates[key]
        if key not in self.columns:
            raise KeyError(
                f"There is no column {key!r}; there are {', '.join(self.columns)}."
            )
        return [row[key] for row in self._rows]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns."""
        return tuple(self._rows[0]) if self._rows else ()

    @property
    def rows(self) -> list[Row]:
        """A row per candidate as plain values; None where a number is not known."""
        return [dict(row) for row in self._rows]

    def to_csv(self, path: Path | str | None = None) -> str:
        """The table as CSV, written to a file too if one is named."""
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(self.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        text = stream.getvalue()
        if path is not None:
            write_whole(Path(path), text.encode())
        return text

    def __repr__(self) -> str:
        names = [name for name in SHOWN if name in self.columns]
        lines = [names, *([_short(row[name]) for name in names] for row in self._rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True))
            for line in lines
        )

    def _repr_html_(self) -> str:
        """The short table in a notebook."""
        names = [name for name in SHOWN if name in self.columns]
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(_short(row[name]))}</td>" for name in names)
            + "</tr>"
            for row in self._rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def table_of(
    candidates: Sequence[Candidate],
    scores: Scores,
    selection: Selection,
    performed: Mapping[int, Performance],
) -> CandidateTable:
    """Everything that is known of each candidate; `performed` to confirm the choice."""
    rows = [_row(i, one, scores, selection) for i, one in enumerate(candidates)]
    for i, row in enumerate(rows):
        done = performed.get(i)
        row |= {"confirmed": None, "performed": None, "robust_share": None}
        if done is not None:
            row |= {"confirmed": done.holds, "performed": done.verdict}
        if done is not None and done.robots:
            row["robust_share"] = done.robust
    return CandidateTable(candidates, rows)


def _row(i: int, candidate: Candidate, scores: Scores, selection: Selection) -> Row:
    outcome = selection.verdicts[i]
    named = {
        "q_star": scores.quality[i],
        "r_dyn": scores.dynamics[i],
        "r_text": scores.semantics[i],
    }
    problems = [
        f"{item.name} {item.value:.3g} {item.unit} ({item.verdict})"
        for item in candidate.check.items
        if item.verdict != "pass"
    ]
    return {
        "candidate": i,
        "outcome": outcome.outcome,
        "why": outcome.reason,
        **{key: float(v) if v == v else None for key, v in named.items()},
        "survived": None if scores.survived is None else bool(scores.survived[i]),
        **{name: values[i] for name, values in scores.columns.items()},
        "duration_s": round(candidate.motion.duration, 3),
        **candidate.summary.to_dict(),
        "check": candidate.check.verdict,
        "check_problems": "; ".join(problems),
        **candidate.postprocess.to_dict(),
        "sha256": clip_hash(candidate.motion),
    }


def _short(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
