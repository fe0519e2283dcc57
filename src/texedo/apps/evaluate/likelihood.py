"""`texedo evaluate likelihood`: how well the language model predicts held-out motions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.data.corpus.store import Corpus


@dataclass(frozen=True)
class Cfg:
    """Perplexity and top-1 accuracy of the motion tokens of held-out clips, given their
    captions.

    Example: texedo evaluate likelihood corpus --generator run -o report
    """

    corpus: options.Corpus
    """Corpus folder."""
    generator: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Folder with generator/ and tokenizer/ in it."""
    out: options.OutFolder
    """Folder for likelihood.json and likelihood.md."""
    splits: tuple[str, ...] = options.TEST_SPLITS
    """Splits to measure on."""
    captions: int = 0
    """Captions per clip; 0 takes all."""
    limit: int | None = None
    """At most this many clips per split."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    # Here and not above: they load torch.
    from texedo.evaluation.likelihood import likelihood_report
    from texedo.text.lm.artifact import load_language_model
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    found = likelihood_report(
        Corpus.load(cfg.corpus),
        load_language_model(cfg.generator / "generator"),
        load_tokenizer(cfg.generator / "tokenizer"),
        splits=cfg.splits,
        captions=cfg.captions,
        limit=cfg.limit,
    )
    rows = {
        f"{split}, {name}": figures
        for split, part in found.items()
        for name, figures in part.items()
        if isinstance(figures, dict)
    }
    options.tell(cfg.out, "likelihood", {"splits": found}, rows, json=cfg.json)
    return 0
