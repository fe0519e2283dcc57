"""`texedo judge answers`: what people chose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from texedo.evaluation.judges.human.answers import human_report
from texedo.evaluation.tables import json_text


@dataclass(frozen=True)
class Cfg:
    """Read the saved answers of a sheet: wins with a 95 % interval over pairs, and how far
    the readers agree (share of equal answers, Cohen's kappa).

    Example: texedo judge answers study answers-*.json
    """

    sheet: tyro.conf.Positional[Path]
    """Folder of `texedo judge sheet`, with its key.json."""
    files: tyro.conf.Positional[tuple[Path, ...]]
    """Saved answers, one file for each reader."""
    json: bool = False
    """Print JSON."""


def run(cfg: Cfg) -> int:
    report = human_report(cfg.sheet, cfg.files)
    if cfg.json:
        print(json_text(report))
        return 0
    for name, value in report.items():
        if isinstance(value, list):
            cells = [f"{v:.3f}" if isinstance(v, float) else str(v) for v in value]
            value = ", ".join(cells)
        print(
            f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}"
        )
    return 0
