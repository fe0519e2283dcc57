"""`texedo data sample`: a few dozen clips of a corpus in a small file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.sample import write_sample


@dataclass(frozen=True)
class Cfg:
    """Write some captured clips of a corpus, spread over actions and splits, to a file.

    The same corpus, number and seed give the same file. It is a packed corpus: commands
    that take a corpus take it, and `texedo.data.corpus.corpus_file.open_corpus` opens it.

    Example: texedo data sample corpus -o sample.npz --clips 36
    """

    corpus: tyro.conf.Positional[Path]
    """Corpus folder, or a packed corpus (.npz)."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """File to write (.npz)."""
    clips: int = 36
    """How many clips."""
    seed: int = 0
    """Chooses among the clips of an action."""


def run(cfg: Cfg) -> int:
    size = write_sample(
        open_corpus(cfg.corpus), cfg.out, clips=cfg.clips, seed=cfg.seed
    )
    sample = open_corpus(cfg.out)
    splits = Counter(clip.split for clip in sample)
    families = len({clip.family for clip in sample})
    parts = ", ".join(f"{name} {number}" for name, number in sorted(splits.items()))
    print(f"{cfg.out}: {sample!r}, {families} actions, {parts}, {size / 1e3:.0f} kB")
    return 0
