"""`texedo data pack`: what a training needs of a corpus, in files that travel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from texedo.apps.bars import stage_bar
from texedo.core.errors import TexedoError
from texedo.data.corpus.pack import DRILLS, pack
from texedo.data.corpus.store import Corpus

INTERRUPTED = "run the same command again to resume"


@dataclass(frozen=True)
class Cfg:
    """Pack the clips that a training needs, small enough to copy to another machine.

    For the tracker, a folder: captured.npz (recordings of the splits train and val),
    extra.npz (authored and overlaid clips), drills.npz and, with --source, variants.npz;
    all of them go into `texedo train tracker --clips`, separated by commas. For the
    tokenizer, one file for `texedo train tokenizer --data`. Held-out clips are left
    out, or used for evaluation only.

    Example: texedo data pack corpus --target tracker -o pack
    Example: texedo data pack corpus --target tokenizer -o clips.npz
    """

    corpus: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder."""
    target: Literal["tracker", "tokenizer"]
    """What is to be trained."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for the tracker's files, or file for the tokenizer."""
    source: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Tracker: the motion capture that the corpus was built from, for variants."""
    drills: int = DRILLS
    """Tracker: how many drills; 0 for none."""
    seed: int = 0
    """Tracker: of drills and variants."""
    workers: int | None = None
    """Tracker: worker processes; all cores if not given."""


def run(cfg: Cfg) -> int:
    if cfg.workers is not None and cfg.workers < 1:
        raise TexedoError(f"--workers must be at least 1, got {cfg.workers}.")
    if cfg.target == "tokenizer":
        return _for_tokenizer(cfg)
    Corpus.load(cfg.corpus)  # Before the output folder is made.
    with stage_bar() as report:
        pack(
            cfg.corpus,
            cfg.out,
            source=cfg.source,
            drills=cfg.drills,
            seed=cfg.seed,
            workers=cfg.workers,
            report=report,
        )
    for path in sorted(cfg.out.glob("*.npz")):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


def _for_tokenizer(cfg: Cfg) -> int:
    # Here and not above: the tracker's files do without.
    from texedo.text.learn.tokenizer.data import pack_tokenizer_clips

    size = pack_tokenizer_clips(Corpus.load(cfg.corpus), cfg.out)
    print(f"{cfg.out}: {size / 1e6:.1f} MB")
    return 0
