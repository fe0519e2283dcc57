"""`texedo evaluate reconstruction`: do motions survive their own codes?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import stage_bar
from texedo.apps.evaluate import options
from texedo.data.corpus.store import Corpus
from texedo.evaluation.reconstruction import reconstruction_report
from texedo.tracker.policies.find import OURS, find_policy


@dataclass(frozen=True)
class Cfg:
    """Captured test clips in the tracker: as they are, decoded from their own codes, and
    post-processed.

    Example: texedo evaluate reconstruction corpus --tokenizer run/tokenizer -o report
    """

    corpus: options.Corpus
    """Corpus folder."""
    tokenizer: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Folder of the tokenizer."""
    out: options.OutFolder
    """Folder for reconstruction.json and .md, and the table of rollouts."""
    tracker: options.NameOrPath = OURS
    """The controller, as in `texedo rollout`."""
    splits: tuple[str, ...] = options.TEST_SPLITS
    """Splits to measure on."""
    limit: int | None = None
    """At most this many clips per split."""
    workers: int | None = None
    """Threads that roll out; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    # Here and not above: it loads torch.
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    policy = find_policy(cfg.tracker)
    with stage_bar() as tell:
        found = reconstruction_report(
            Corpus.load(cfg.corpus),
            load_tokenizer(cfg.tokenizer),
            policy,
            cfg.out / "labels.jsonl",
            splits=cfg.splits,
            limit=cfg.limit,
            workers=cfg.workers,
            report=tell,
        )
    rows = {
        f"{split}, {version}": figures
        for split, part in found.items()
        for version, figures in part.items()
    }
    report = {"tracker": policy.digest, "splits": found}
    options.tell(cfg.out, "reconstruction", report, rows, json=cfg.json)
    return 0
