"""`texedo models`: what is installed, and how good it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.checkpoints.fetch import Released, noted_hash, released_models
from texedo.checkpoints.inventory import Model, bundled_models, missing_parts


@dataclass(frozen=True)
class Cfg:
    """List the weights on this machine: what they are, their licence, size, hash, and what
    was measured when they were made.

    Hashes are computed anew and compared with what each model says of itself. Below them
    are the models of the TEXEDO release, which `texedo models fetch NAME` downloads.
    Exit code 0: all weights are as they should be. 1: some are not.

    Example: texedo models --json
    """

    json: bool = False
    """All of it as JSON, with the whole cards."""
    cards: bool = False
    """Print the card of every model."""


def run(cfg: Cfg) -> int:
    models, released = bundled_models(), list(released_models())
    if cfg.json:
        print(json.dumps(_record(models, released), indent=2))
    else:
        _print(models, released, cards=cfg.cards)
    return int(not all(model.intact for model in models))


def _record(models: list[Model], released: list[Released]) -> dict[str, Any]:
    return {
        "installed": [model.to_dict() for model in models],
        "not_installed": missing_parts(),
        "released": [
            {
                "name": row.name,
                "files": {
                    str(p): {"bytes": p.stat().st_size, "sha256": noted_hash(p)}
                    for p in row.there
                },
                "missing": list(row.missing),
            }
            for row in released
        ],
    }


def _print(models: list[Model], released: list[Released], *, cards: bool) -> None:
    console = make_console(width=140)
    table = Table(box=box.SIMPLE_HEAD, title="with the package", title_justify="left")
    table.add_column("model")
    table.add_column("MB", justify="right")
    for name in ("sha256", "measured", "licence"):
        table.add_column(name, overflow="fold")
    for model in models:
        measured = ", ".join(
            f"{key} {value:.3g}" for key, value in model.quality.items()
        )
        digest = model.sha256[:12]
        table.add_row(
            escape(model.name),
            f"{model.size / 1e6:.1f}",
            digest if model.intact else f"[bold red]{digest} differs[/]",
            escape(measured or "-"),
            escape(model.licence or "-"),
        )
    console.print(table)
    for part in missing_parts():
        console.print(f"not installed: {part}")
    console.print("the TEXEDO release (docs/official.md)")
    for row in released:
        state = "here" if not row.missing else f"lacks {', '.join(row.missing)}"
        size = sum(path.stat().st_size for path in row.there) / 1e6
        amount = f", {size:.1f} MB" if row.there else ""
        console.print(f"  {row.name:20} {state}{amount}")
    if cards:
        for card in dict.fromkeys(model.card for model in models if model.card):
            console.print(f"\n{card.rstrip()}", markup=False)
