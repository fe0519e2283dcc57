"""`texedo evaluate tracker`: the reference figures of a controller, on test clips."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.apps.tracker import label
from texedo.core.files import write_whole
from texedo.data.corpus.label_table import read_labels
from texedo.data.corpus.store import Corpus
from texedo.evaluation.tables import json_text
from texedo.evaluation.tracker.figures import SPLITS, tracker_report
from texedo.evaluation.tracker.page import markdown
from texedo.tracker.policies.find import OURS, find_policy


@dataclass(frozen=True)
class Cfg:
    """How a tracker does on the captured test clips: success, errors, Q*, by split, by
    group and by kind of action, with the failures.

    Rolls out `test` and `test-subject` (copies of recordings left out) once on the
    nominal robot and five times on perturbed ones, through `texedo label`: what the
    table holds already is not done again.

    Example: texedo evaluate tracker corpus --labels labels.jsonl -o report.md
    """

    corpus: options.Corpus
    """Corpus folder."""
    labels: Annotated[Path, tyro.conf.arg(metavar="FILE")]
    """Table of rollouts, as of `texedo label`; rows are appended."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = Path(
        "tracker_report.md"
    )
    """The page; the same as JSON is written beside it."""
    tracker: options.NameOrPath = OURS
    """The controller, as in `texedo rollout`."""
    nominal_only: bool = False
    """Leave out the perturbed robots."""
    only_report: bool = False
    """Roll out nothing: report what the table holds."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where to roll out."""
    workers: int | None = None
    """Threads on the CPU; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    policy, corpus = find_policy(cfg.tracker), Corpus.load(cfg.corpus)
    if not cfg.only_report:
        # What it prints on the way is no part of the report.
        with redirect_stdout(sys.stderr):
            _roll_out(cfg, corpus)
    report = tracker_report(corpus, read_labels(cfg.labels), policy, folder=cfg.corpus)
    write_whole(cfg.out, markdown(report).encode())
    beside = cfg.out.with_suffix(".json")
    write_whole(beside, (json_text(report) + "\n").encode())
    print(json_text(report) if cfg.json else f"{cfg.out} and {beside}")
    return 0


def _roll_out(cfg: Cfg, corpus: Corpus) -> None:
    there = [s for s in SPLITS if corpus.select(split=s, kind="captured")]
    for perturb in (False,) if cfg.nominal_only else (False, True):
        for split in there:
            label.run(
                label.Cfg(
                    source=cfg.corpus,
                    out=cfg.labels,
                    tracker=cfg.tracker,
                    split=split,
                    kind="captured",
                    perturb=perturb,
                    device=cfg.device,
                    workers=cfg.workers,
                )
            )
