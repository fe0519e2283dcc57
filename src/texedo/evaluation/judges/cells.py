"""A figure with its interval as cells of a table."""

from __future__ import annotations

from texedo.evaluation.tables import Record


def cells(name: str, found: tuple[float | None, list[float] | None]) -> Record:
    """Two cells: the figure, and its 95 % interval in words."""
    value, interval = found
    text = "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
    return {name: value, f"{name} 95%": text}
