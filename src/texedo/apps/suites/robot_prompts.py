"""`texedo evaluate robot-prompts`: the thirty prompts of the paper's real robot."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.suites import options
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
        report = robot_report(base, n=cfg.num, limit=cfg.limit)
    options.tell(cfg, report)
    return 0
