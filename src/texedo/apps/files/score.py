"""`texedo score`: how well motions fit a sentence, by a semantic verifier."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from numpy.typing import NDArray
from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.apps.files.sources import Sources, read_sources
from texedo.core.errors import GenerationError
from texedo.see.semantics.find import VARIANTS, find_semantics
from texedo.see.semantics.scorer import SemanticScorer
from texedo.text.generators.prompts import check_prompts


@dataclass(frozen=True)
class Cfg:
    """Score motions by what they mean: R_text, from 0 to 1, is how well each fits a
    sentence. The best one is marked.

    The first argument is the sentence, unless a file or folder of that name exists or
    --prompt gives the sentence; all others are motions.
    Exit code 0: every motion has a score. 2: a file could not be read; the others are
    scored all the same.

    Example: texedo score "a person waves" wave.npz out/generate
    """

    items: tyro.conf.Positional[
        Annotated[tuple[str, ...], tyro.conf.arg(metavar="PROMPT MOTION...")]
    ]
    """A sentence, then motion files, SONIC clips, run folders, or folders of them."""
    prompt: Annotated[str | None, tyro.conf.arg(metavar="TEXT")] = None
    """The sentence; then all arguments are motions."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The semantic verifier: `texedo` (ours), `paper`, or the folder of a trained one."""
    variant: Annotated[str | None, tyro.conf.arg(metavar="|".join(VARIANTS))] = None
    """Which of the verifiers that ship, or of those in the folder of --semantics."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motions, where a file does not identify it."""
    fps: float | None = None
    """Their frame rate [Hz], instead of what the file or format says."""
    json: bool = False
    """A JSON object with the prompt, the verifier and a list of motions on standard
    output."""


def run(cfg: Cfg) -> int:
    prompt, paths = split_items(cfg.items, cfg.prompt)
    scorer = SemanticScorer(find_semantics(cfg.semantics, variant=cfg.variant))
    found = read_sources(paths, format=cfg.from_, fps=cfg.fps)
    if not found.motions:
        return 2
    scores = scorer.score(prompt, found.motions)
    best = best_of(scores.semantics)
    if cfg.json:
        record = {
            "prompt": prompt,
            "semantics": scorer.verifier.name,
            "semantics_hash": scorer.digest,
            "motions": _rows(found, scores.semantics, best),
            "remarks": list(scores.remarks),
        }
        print(json.dumps(record, indent=2, ensure_ascii=False))
        return 2 if found.errors else 0
    console = make_console(width=140)
    console.print(_table(prompt, scorer.verifier.name, found, scores.semantics, best))
    for remark in scores.remarks:
        console.print(f"note: {remark}", markup=False, soft_wrap=True)
    return 2 if found.errors else 0


def split_items(
    items: tuple[str, ...], prompt: str | None
) -> tuple[str, tuple[Path, ...]]:
    """The sentence and the motions; raises `GenerationError` if either is missing."""
    motions = items
    if prompt is None and items and not _exists(items[0]):
        prompt, motions = items[0], items[1:]
    if prompt is None:
        raise GenerationError(
            "no sentence: say first what the motions should show, as in texedo score "
            '"a person waves" wave.npz, or with --prompt.'
        )
    if not motions:
        raise GenerationError(
            f"nothing to score: {prompt!r} is read as the sentence, and no motion "
            "file follows."
        )
    return check_prompts([prompt])[0], tuple(map(Path, motions))


def _exists(item: str) -> bool:
    try:
        return Path(item).exists()
    except OSError:  # A sentence may be longer than any file's name.
        return False


def best_of(scores: NDArray[np.float64]) -> int | None:
    """The first with the highest score; None if nobody has one."""
    return None if np.isnan(scores).all() else int(np.nanargmax(scores))


def _rows(
    found: Sources, scores: NDArray[np.float64], best: int | None
) -> list[dict[str, Any]]:
    return [
        {
            "file": name,
            "duration_s": round(motion.duration, 3),
            "r_text": float(value) if np.isfinite(value) else None,
            "best": i == best,
        }
        for i, (name, motion, value) in enumerate(
            zip(found.names, found.motions, scores, strict=True)
        )
    ]


def _table(
    prompt: str,
    verifier: str,
    found: Sources,
    scores: NDArray[np.float64],
    best: int | None,
) -> Table:
    title = f"{escape(prompt[:200])} (R_text of {escape(verifier)})"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column("motion", overflow="fold")
    table.add_column("length", justify="right")
    table.add_column("R_text", justify="right")
    for i, row in enumerate(_rows(found, scores, best)):
        value = row["r_text"]
        table.add_row(
            ">" if i == best else "",
            escape(row["file"]),
            f"{row['duration_s']:.2f} s",
            "-" if value is None else f"{value:.3f}",
            style="bold" if i == best else "",
        )
    return table
