"""Quality against the number of labels: how many are enough?

The quality that labels bring is what a verifier gains over the one that it began as. So
many are enough with which, and with every larger number, the gain is 95 % of that of all.
"""

from __future__ import annotations

from typing import NamedTuple

from rich import box
from rich.table import Table

from texedo.apps.adapt.judge import Figures

ENOUGH = 0.95
"""Share of the gain that counts as nearly all."""
FIGURES = ("auroc", "tau")
_NAMES = {"auroc": "AUROC", "tau": "tau"}
_BAR = 20


class Point(NamedTuple):
    """A verifier that has seen so many labels."""

    labels: int
    """0 for the one that it began as."""
    figures: Figures


def gains(points: list[Point], figure: str) -> list[float]:
    """Share of the whole gain that each point has; NaN if there is no gain at all."""
    first, *_, last = [float(getattr(p.figures, figure)) for p in points]
    whole = last - first
    if not whole > 0:
        return [float("nan")] * len(points)
    return [(float(getattr(p.figures, figure)) - first) / whole for p in points]


def enough_labels(
    points: list[Point], figure: str, *, share: float = ENOUGH
) -> int | None:
    """The fewest labels that are enough; None if labels bring nothing."""
    found = None
    known = list(zip(points, gains(points, figure), strict=True))
    for point, gain in reversed(known):
        if not gain >= share:
            return found
        found = point.labels
    return found


def sentences(points: list[Point]) -> list[str]:
    """What the curve says, a sentence for each figure."""
    said = []
    for figure in FIGURES:
        first, last = (getattr(p.figures, figure) for p in (points[0], points[-1]))
        name, enough = _NAMES[figure], enough_labels(points, figure)
        if enough is None:
            said.append(
                f"{name}: {first:.3f} as it was, {last:.3f} with "
                f"{points[-1].labels:,} labels: no gain to speak of."
            )
        else:
            said.append(
                f"{name}: {first:.3f} as it was, {last:.3f} with "
                f"{points[-1].labels:,} labels; {enough:,} give {100 * ENOUGH:g} % of "
                "the gain."
            )
    return said


def curve_table(points: list[Point], *, title: str) -> Table:
    """A row for each number of labels, with its share of the gain as a bar."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("labels", justify="right")
    for figure in FIGURES:
        table.add_column(_NAMES[figure], justify="right")
        table.add_column("of the gain")
    shares = {figure: gains(points, figure) for figure in FIGURES}
    for i, point in enumerate(points):
        cells = []
        for figure in FIGURES:
            cells += [_number(getattr(point.figures, figure)), _bar(shares[figure][i])]
        table.add_row(f"{point.labels:,}" if point.labels else "as it was", *cells)
    return table


def _number(value: float) -> str:
    return "-" if value != value else f"{value:.3f}"


def _bar(share: float) -> str:
    if share != share:
        return ""
    filled = round(_BAR * min(max(share, 0.0), 1.0))
    return f"{'█' * filled}{'·' * (_BAR - filled)} {100 * share:4.0f} %"
