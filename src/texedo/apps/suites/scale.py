"""`texedo evaluate scale`: how time and memory grow with candidates and prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import tyro

from texedo.apps.evaluate.options import NumCandidates
from texedo.apps.suites import options
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.cost.scale import Plan, scale_report
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.ood import ood_asked
from texedo.evaluation.suites.prompts import Asked, ruled

_PLAN = Plan()


@dataclass(frozen=True)
class Cfg(options.SuiteCfg):
    """Time and peak memory of the way from a prompt to a choice, for 1 to 1,024 candidates
    of a prompt and for 1 to 1,000 prompts, and the exponents that they grow with.

    Nothing is performed. What was measured is kept, size by size. Measure on a machine that
    does nothing else; on one that does, go by the CPU seconds.

    Example: texedo evaluate scale --counts 1 4 16 64 --prompts 1 10 -o results
    """

    counts: Annotated[tuple[int, ...], tyro.conf.arg(metavar="N ...")] = _PLAN.counts
    """Candidates of one prompt; nothing after it leaves this table out."""
    prompts: Annotated[tuple[int, ...], tyro.conf.arg(metavar="P ...")] = _PLAN.prompts
    """Prompts of --num candidates each; nothing after it leaves this table out."""
    num: NumCandidates = _PLAN.few
    """Candidates per prompt where the number of prompts grows."""
    repeats: int = _PLAN.repeats
    """Times that a size is measured; once more only while that took less than 20 s."""
    prompts_file: options.PromptsFile = None
    """Your own prompts, one a line. A list that is too short is asked again from its
    beginning, with another seed."""
    draws: tyro.conf.Suppress[int] = 0


def run(cfg: Cfg) -> int:
    plan = _plan(cfg)  # Before anything is loaded.
    with options.open_base(cfg) as base:
        options.tell(cfg, _report(cfg, base, plan))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    return _report(cfg, base, _plan(cfg))


def _plan(cfg: Cfg) -> Plan:
    return Plan(
        counts=cfg.counts, prompts=cfg.prompts, few=cfg.num, repeats=cfg.repeats
    )


def _report(cfg: Cfg, base: Base, plan: Plan) -> Report:
    texts = [own.text for own in options.few(_mixed(), cfg.prompts_file, cfg.limit)]
    return scale_report(base, texts, plan, device=cfg.device)


def _mixed() -> list[Asked]:
    """All prompts that come with the package and may be looked at, in mixed order: the
    first ten should be like the first hundred."""
    robot = [Asked(text=text, kind="robot") for text in REAL_ROBOT]
    asked = [*ruled("dev"), *robot, *ood_asked()]
    return [asked[i] for i in np.random.default_rng(0).permutation(len(asked))]
