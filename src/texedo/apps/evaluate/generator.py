"""`texedo evaluate generator`: single samples of held-out captions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.data.corpus.store import Corpus
from texedo.evaluation.generation import TEMPERATURES, base_report
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.tracker.policies.find import OURS as OUR_TRACKER


@dataclass(frozen=True)
class Cfg:
    """Sample one motion for each held-out caption: R-precision and FID in the embedding,
    and success in the tracker, before anything is chosen.

    Samples and rollouts are kept in the output folder and not done again.

    Example: texedo evaluate generator corpus --embedding run/embedding -o report
    """

    corpus: options.Corpus
    """Corpus folder."""
    embedding: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Trained by `texedo train embedding`."""
    out: options.OutFolder
    """Folder for generator-SPLIT.json and .md, samples and rollouts."""
    generator: options.NameOrPath = OUR_GENERATOR
    """The generator, as in `texedo generate`."""
    tracker: options.NameOrPath = OUR_TRACKER
    """The controller, as in `texedo rollout`."""
    split: str = "test"
    """Split whose captions are the prompts."""
    temperatures: tuple[float, ...] = TEMPERATURES
    """One row of the table each."""
    limit: int | None = None
    """At most this many prompts."""
    workers: int | None = None
    """Threads that roll out; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    # Here and not above: it loads torch.
    from texedo.evaluation.embedding.model import load_embedding

    with options.bench(cfg.generator, cfg.tracker, cfg.out, cfg.workers) as bench:
        found = base_report(
            bench,
            Corpus.load(cfg.corpus),
            load_embedding(cfg.embedding),
            split=cfg.split,
            temperatures=cfg.temperatures,
            limit=cfg.limit,
        )
    name = f"generator-{cfg.split}"
    options.tell(cfg.out, name, found, found["rows"], json=cfg.json)
    return 0
