"""`texedo evaluate best-of-n`: what N candidates are worth, from 1 to 32."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.suites import options
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.best_of import best_of_report
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.prompts import Part, ruled


@dataclass(frozen=True)
class Cfg(options.SuiteCfg):
    """Perform all candidates of every prompt, and see what is chosen from N of them: at
    random, by R_dyn, by R_text, by both, and by an oracle that knows how each went.

    Success, Q* and tracking errors for each N, the share of the oracle's gain, and how
    often the choice does what the prompt asks for. Everything is kept; a command that
    was stopped goes on.

    Example: texedo evaluate best-of-n -n 32 --limit 100 -o results
    """

    part: Part = "dev"
    """Half of the prompts of `texedo evaluate understanding`."""
    prompts_file: options.PromptsFile = None
    """Prompts in their place, one a line."""


def run(cfg: Cfg) -> int:
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    asked = options.few(ruled(cfg.part), cfg.prompts_file, cfg.limit)
    return best_of_report(base, asked, n=cfg.num)
