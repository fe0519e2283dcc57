"""`texedo evaluate ood`: prompts in words that nobody taught."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.suites import options
from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.suites import ood, paper
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.selection import selection_report


@dataclass(frozen=True)
class Cfg(options.SuiteCfg):
    """The table of `texedo evaluate selection` on prompts out of distribution: each has a
    word that no training caption has, or two frequent words that none has together.

    Example: texedo evaluate ood -n 32 -o results
    """

    prompts_file: options.PromptsFile = None
    """Prompts in their place, one a line; they are checked as well."""
    check: Annotated[Path | None, tyro.conf.arg(metavar="CORPUS")] = None
    """Measure nothing: check the prompts against the training captions of a corpus, and
    say what is new in each."""
    write: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """With --check: write what was counted, for the check without a corpus."""


def run(cfg: Cfg) -> int:
    if cfg.check is not None:
        asked = options.few(ood.ood_asked(), cfg.prompts_file, cfg.limit)
        return _check([own.text for own in asked], cfg.check, cfg.write)
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    return selection_report(
        base,
        options.few(ood.ood_asked(), cfg.prompts_file, cfg.limit),
        n=cfg.num,
        suite="ood",
        title="Out of distribution: words and combinations that nobody taught",
        paper=paper.OOD,
    )


def _check(texts: list[str], corpus: Path, write: Path | None) -> int:
    captions = ood.training_captions(open_corpus(corpus))
    seen = ood.look_up(texts, captions)
    for text in texts:
        fresh, apart = ood.what_is_new(text, seen)
        pairs = [f"{a} + {b}" for a, b in apart]
        said = ", ".join([*fresh, *pairs[:2]]) or "nothing: it is in distribution"
        print(f"{text}: {said}")
    if write is not None:
        ood.write_seen(write, seen)
    old = ood.not_new(texts, seen)
    print(
        f"{len(texts) - len(old)} of {len(texts)} prompts are out of distribution, by "
        f"{len(captions)} captions."
    )
    return 1 if old else 0
