"""`texedo evaluate robot-prompts`: the thirty prompts of the paper's real robot."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.suites import options
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.robot import robot_report


@dataclass(frozen=True)
class Cfg(options.SuiteCfg):
    """Choose a motion for each of the thirty prompts as `texedo generate` does, perform
    it on the nominal and on perturbed robots, and compare the errors with those that the
    paper measured on a real robot.

    `texedo evaluate prompts` draws pictures of them.

    Example: texedo evaluate robot-prompts -n 32 -o results
    """


def run(cfg: Cfg) -> int:
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already."""
    return robot_report(base, n=cfg.num, limit=cfg.limit)
