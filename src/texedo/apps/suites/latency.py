"""`texedo evaluate latency`: how long each step takes on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.suites import options
from texedo.evaluation.dynamics.choosing import COUNTS
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.cost.latency import latency_report
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.prompts import ruled, spread, unique


@dataclass(frozen=True)
class Cfg(options.SuiteCfg):
    """Time sampling, checking, R_text, R_dyn, choosing and performing for N = 1, 2, 4, ...
    candidates of a prompt, prompt by prompt.

    Measure on a machine that does nothing else.

    Example: texedo evaluate latency -n 32 --limit 5 -o results
    """

    limit: int | None = 3
    """Prompts to time."""


def run(cfg: Cfg) -> int:
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    texts = [own.text for own in spread(unique(ruled("dev")), cfg.limit)]
    counts = [n for n in COUNTS if n <= cfg.num]
    return latency_report(base, texts, counts, device=cfg.device)
