"""A number with its 95 % interval and how many it rests on; tables of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.resample import mean_interval, share_interval

DRAWS = 1000
"""Of prompts, for an interval."""

Float64 = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number of a table."""

    value: float | None
    interval: tuple[float, float] | None = None
    """95 %; none for somebody else's figure."""
    n: int | None = None
    """Prompts that it is a figure of."""
    digits: int = 3

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        said = f"{self.value:.{self.digits}f}"
        if self.interval is None:
            return said
        low, high = (f"{end:.{self.digits}f}" for end in self.interval)
        return f"{said} [{low}, {high}]"


Row = dict[str, Figure]


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of figures under a heading."""

    name: str
    """For files: small letters and dashes."""
    title: str
    rows: Mapping[str, Row]
    note: str = ""
    """What the columns are, in a sentence or two."""
    theirs: tuple[str, ...] = ()
    """Rows that are the paper's own figures, on its own data."""
    columns: list[str] = field(init=False)

    def __post_init__(self) -> None:
        names = dict.fromkeys(name for row in self.rows.values() for name in row)
        object.__setattr__(self, "columns", list(names))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Table:
        rows = {
            name: {key: _figure(own) for key, own in row.items()}
            for name, row in record["rows"].items()
        }
        return cls(
            name=record["name"],
            title=record["title"],
            rows=rows,
            note=record["note"],
            theirs=tuple(record["theirs"]),
        )


def mean(values: Float64, *, digits: int = 3) -> Figure:
    """Over the prompts that have a value; prompts are drawn again for the interval."""
    return _made(mean_interval(values, draws=DRAWS), values, digits)


def share(values: Float64, *, digits: int = 3) -> Figure:
    """The same of shares from 0 to 1, with Wilson's interval: it has a width where all
    prompts went well."""
    return _made(share_interval(values), values, digits)


def ratio(part: Float64, whole: Float64, *, digits: int = 3, seed: int = 0) -> Figure:
    """Sum over sum, prompts drawn again: a mean over those that count, by `whole`."""
    counting = int((whole > 0).sum())
    if not counting:
        return Figure(value=None, n=0, digits=digits)
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(whole), size=(DRAWS, len(whole)))
    parts, wholes = part[drawn].sum(axis=1), whole[drawn].sum(axis=1)
    low, high = np.percentile(parts[wholes > 0] / wholes[wholes > 0], (2.5, 97.5))
    return Figure(
        value=float(part.sum() / whole.sum()),
        interval=(float(low), float(high)),
        n=counting,
        digits=digits,
    )


def theirs(value: float, *, digits: int = 3) -> Figure:
    """The paper's own."""
    return Figure(value=value, digits=digits)


def count(value: int) -> Figure:
    """A number of things."""
    return Figure(value=float(value), digits=0, n=value)


def _made(
    found: tuple[float | None, list[float] | None], values: Float64, digits: int
) -> Figure:
    value, ends = found
    return Figure(
        value=value,
        interval=None if ends is None else (ends[0], ends[1]),
        n=int((~np.isnan(values)).sum()),
        digits=digits,
    )


def _figure(record: Mapping[str, Any]) -> Figure:
    ends = record["interval"]
    return Figure(
        value=record["value"],
        interval=None if ends is None else (ends[0], ends[1]),
        n=record["n"],
        digits=record["digits"],
    )
