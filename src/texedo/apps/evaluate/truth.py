"""`texedo evaluate truth`: R-precision of the captured motions themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.data.corpus.store import Corpus
from texedo.evaluation.alignment import SPLITS, truth_report


@dataclass(frozen=True)
class Cfg:
    """Measure how well captured motions match their own captions.

    The reference for every generator.

    Example: texedo evaluate truth corpus --embedding run/embedding -o report
    """

    corpus: options.Corpus
    """Corpus folder."""
    embedding: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Trained by `texedo train embedding`."""
    out: options.OutFolder
    """Folder for truth.json and truth.md."""
    splits: tuple[str, ...] = SPLITS
    """Splits to measure on."""
    tokenizer: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Also measure what the motions' own codes decode to with this tokenizer."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    # Here and not above: they load torch.
    from texedo.evaluation.embedding.model import load_embedding
    from texedo.evaluation.reconstruction import reconstruct
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    space = load_embedding(cfg.embedding)
    remake = None
    if cfg.tokenizer is not None:
        remake = partial(reconstruct, load_tokenizer(cfg.tokenizer))
    rows = truth_report(
        Corpus.load(cfg.corpus), space, splits=cfg.splits, remake=remake
    )
    report = {"embedding": space.digest, "rows": rows}
    options.tell(cfg.out, "truth", report, rows, json=cfg.json)
    return 0
