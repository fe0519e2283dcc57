"""`texedo evaluate diversity`: how different the candidates of a prompt are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.evaluation.generation import TEMPERATURES, diversity_report
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import read_prompts
from texedo.tracker.policies.find import OURS as OUR_TRACKER


@dataclass(frozen=True)
class Cfg:
    """How different the candidates of a prompt are, and how many of them the tracker
    performs to the end.

    Example: texedo evaluate diversity -n 32 -o report
    """

    out: options.OutFolder
    """Folder for diversity.json and diversity.md, samples and rollouts."""
    generator: options.NameOrPath = OUR_GENERATOR
    """The generator, as in `texedo generate`."""
    tracker: options.NameOrPath = OUR_TRACKER
    """The controller, as in `texedo rollout`."""
    num: options.NumCandidates = 32
    """Candidates per prompt."""
    temperatures: tuple[float, ...] = TEMPERATURES
    """One row of the table each."""
    prompts_file: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Prompts, one per line; if not given, the thirty of the paper's real robot."""
    workers: int | None = None
    """Threads that roll out; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    texts = REAL_ROBOT if cfg.prompts_file is None else read_prompts(cfg.prompts_file)
    with options.bench(cfg.generator, cfg.tracker, cfg.out, cfg.workers) as bench:
        found = diversity_report(bench, texts, n=cfg.num, temperatures=cfg.temperatures)
    options.tell(cfg.out, "diversity", found, found["rows"], json=cfg.json)
    return 0
