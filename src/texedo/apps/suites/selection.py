"""`texedo evaluate selection`: the main table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.suites import options
from texedo.data.corpus.store import Corpus
from texedo.evaluation.suites import paper
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.prompts import (
    CAPTIONS,
    Asked,
    Part,
    captions,
    from_file,
    ruled,
)
from texedo.evaluation.suites.selection import selection_report


@dataclass(frozen=True)
class PromptsCfg(options.SuiteCfg):
    """Prompts of the main table."""

    part: Part = "dev"
    """Half of the prompts of `texedo evaluate understanding`. Choose and tune on dev; run
    test once, in the end: its report holds no single prompts."""
    corpus: Annotated[Path | None, tyro.conf.arg(metavar="CORPUS")] = None
    """Corpus whose held-out captions are prompts too."""
    split: str = "test"
    """Split of the corpus."""
    captions: options.PromptsFile = None
    """The same captions from a file, one a line, where there is no corpus."""
    prompts_file: options.PromptsFile = None
    """Prompts in place of all these, one a line."""


@dataclass(frozen=True)
class Cfg(PromptsCfg):
    """One sample, the best by R_dyn, the best by R_text, and both together: success on
    the nominal and on perturbed robots, errors, Q*, R_text, the share of choices that do
    what the prompt asks for, and how often no candidate is good enough.

    What was chosen by anybody is performed in physics. Everything is kept; a command that
    was stopped goes on.

    Example: texedo evaluate selection --part test -n 32 -o results
    """


def run(cfg: Cfg) -> int:
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    return selection_report(base, asked_for(cfg), n=cfg.num, paper=paper.SELECTION)


def asked_for(cfg: PromptsCfg) -> list[Asked]:
    """The prompts that are named."""
    asked = ruled(cfg.part)
    if cfg.captions is not None:
        asked += from_file(cfg.captions, kind=CAPTIONS, shown=False)
    elif cfg.corpus is not None and cfg.prompts_file is None:
        asked += captions(Corpus.load(cfg.corpus), cfg.split)
    return options.few(asked, cfg.prompts_file, cfg.limit)
