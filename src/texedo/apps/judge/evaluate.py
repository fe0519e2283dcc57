"""`texedo evaluate judge`: how far the kinematic judge can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.apps.evaluate import options
from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.judges.agreement import agreement_report
from texedo.evaluation.judges.figures import judge_report
from texedo.evaluation.judges.kinematic import KinematicJudge
from texedo.evaluation.tables import markdown
from texedo.evaluation.understanding.suite import prompts_of


@dataclass(frozen=True)
class Cfg:
    """Test the kinematic judge on captioned clips: how many captions it can measure, how
    often a true caption scores higher than another clip's, and how often a mirrored or
    reversed motion scores lower where the caption names a side or an order.

    `texedo judge` scores single motions.

    Example: texedo evaluate judge corpus --split val -o report
    """

    corpus: options.Corpus
    """Corpus folder, or a packed file of one."""
    out: options.OutFolder
    """Folder for judge-SPLIT.json and .md."""
    split: Annotated[str, tyro.conf.arg(metavar="val|test|test-subject")] = "test"
    """Where the clips are from. Choose and tune on val."""
    limit: int | None = None
    """At most this many clips of a group; all if not given."""
    seed: int = 0
    """Of which captions are taken."""
    samples: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Output folder of `texedo evaluate understanding --part dev`: one more table, how
    often the judge and the rules of that suite say the same of its candidates."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    with progress_bar("judge") as tell:
        report = judge_report(
            KinematicJudge(),
            open_corpus(cfg.corpus),
            split=cfg.split,
            limit=cfg.limit,
            seed=cfg.seed,
            progress=tell,
        )
    if cfg.samples is not None:
        row = agreement_report(KinematicJudge(), prompts_of("dev"), cfg.samples)
        report["agreement"] = {"understanding-dev": row}
        print(markdown(report["agreement"]))
    name = f"judge-{cfg.split}"
    options.tell(cfg.out, name, report, report["rows"], json=cfg.json)
    return 0
