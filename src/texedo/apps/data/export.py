"""`texedo data export`: a corpus in the folder layout of others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.exchange.write import Layout, export_dataset


@dataclass(frozen=True)
class Cfg:
    """Write a corpus as a dataset folder that other code can train on.

    Motions become .npy files in the TEXEDO order, captions HumanML3D text lines with
    lemmas and parts of speech where the tagger is installed (pip install
    'texedo[data]'). `texedo data import` reads the folder back.

    Example: texedo data export corpus -o dataset --layout texedo
    """

    corpus: tyro.conf.Positional[Path]
    """Corpus folder, or a packed corpus (.npz)."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder to write; it must not hold anything yet."""
    layout: Layout = "texedo"
    """Folders and lists of the TEXEDO dataset, or of HumanML3D (new_joint_vecs/)."""
    untagged: bool = False
    """Leave out lemmas and parts of speech."""


def run(cfg: Cfg) -> int:
    corpus = open_corpus(cfg.corpus)
    with progress_bar("writing") as report:
        done = export_dataset(
            corpus,
            cfg.out,
            layout=cfg.layout,
            tagged=False if cfg.untagged else None,
            report=report,
        )
    tags = "tagged" if done.tagged else "not tagged"
    print(f"{cfg.out}: {done.num_clips} motions, {done.num_captions} captions, {tags}")
    if not done.tagged and not cfg.untagged:
        print("no tagger is installed; pip install 'texedo[data]' brings one")
    return 0
