"""`texedo data report`: what a corpus holds, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.report import read_rejected, write_report


@dataclass(frozen=True)
class Cfg:
    """Write one HTML page about a corpus: counts, durations, actions, words, quality,
    what was rejected, and pictures of random clips beside their captions.

    The page holds everything it shows and can be sent as it is.

    Example: texedo data report corpus -o report.html
    """

    corpus: tyro.conf.Positional[Path]
    """Corpus folder, or a packed corpus (.npz)."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = Path(
        "report.html"
    )
    """What to write."""
    sheets: int = 24
    """Clips to draw; a strip of six pictures takes 20 to 30 kB."""
    seed: int = 0
    """Chooses the clips to draw."""


def run(cfg: Cfg) -> int:
    corpus = open_corpus(cfg.corpus)
    rejected = read_rejected(cfg.corpus)
    with progress_bar("drawing") as report:
        size = write_report(
            corpus,
            cfg.out,
            rejected=rejected,
            sheets=cfg.sheets,
            seed=cfg.seed,
            report=report,
        )
    print(f"{cfg.out}: {corpus!r}, {size / 1e6:.2f} MB")
    return 0
