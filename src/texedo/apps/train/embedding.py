"""`texedo train embedding`: the space that sentences and motions are compared in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.train.before import need_packages
from texedo.apps.train.next_step import say_next


@dataclass(frozen=True)
class Cfg:
    """Train the embedding that `texedo evaluate truth` and `texedo evaluate generator`
    measure in. The defaults take about eight minutes on one core.

    Example: texedo train embedding corpus --minilm minilm -o run
    """

    corpus: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder."""
    minilm: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Text encoder: a BERT folder, or one packed by `texedo export text-encoder`."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder for embedding/, the state and the log; a run that is there is resumed."""
    steps: int = 800
    """Steps to train for."""
    seed: int = 0
    """Random seed."""


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors", "tokenizers")
    from texedo.evaluation.embedding.train import (
        EMBEDDING_FOLDER,
        EmbeddingTrainCfg,
        train_embedding,
    )

    train_embedding(
        EmbeddingTrainCfg(
            corpus=cfg.corpus,
            text_encoder=cfg.minilm,
            out=str(cfg.out),
            steps=cfg.steps,
            seed=cfg.seed,
        )
    )
    folder = cfg.out / EMBEDDING_FOLDER
    say_next("evaluate", "truth", cfg.corpus, "--embedding", folder, "-o", "report")
    return 0
