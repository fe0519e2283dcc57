"""`texedo evaluate semantics`: how well a semantic verifier tells true from false."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from numpy.typing import NDArray

from texedo.apps.evaluate import options
from texedo.checkpoints.bundled import BUNDLED, GENERATOR, has_bundled
from texedo.core.files import write_whole
from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.semantics.page import page
from texedo.evaluation.semantics.report import LIMIT, semantics_report
from texedo.evaluation.tables import json_text
from texedo.see.semantics.find import VARIANTS, find_semantics


@dataclass(frozen=True)
class Cfg:
    """Measure a semantic verifier on held-out captured clips: how often a true caption
    scores higher than a changed one, by kind of change; how often a motion finds its own
    caption among 32, and a caption its motion; and whether R_text is a probability.

    Two more groups: the same clips with the captions that weigh most, which were written
    for the clip as a whole, and composed clips, whose captions state counts and angles.

    Example: texedo evaluate semantics corpus --split val -o report
    """

    corpus: options.Corpus
    """Corpus folder, or a packed file of one."""
    out: options.OutFolder
    """Folder for semantics-SPLIT.json and .md."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The semantic verifier, as in `texedo score`."""
    variant: Annotated[str | None, tyro.conf.arg(metavar="|".join(VARIANTS))] = None
    """Which of those that ship, or of those in the folder of --semantics."""
    split: Annotated[str, tyro.conf.arg(metavar="val|test|test-subject")] = "test"
    """Where the clips are from. Choose and tune on val."""
    limit: int = LIMIT
    """At most this many clips of a group."""
    seed: int = 0
    """Of the pools, and of which caption of a clip is taken."""
    pairs: bool = False
    """Only true against changed: no retrieval, a tenth of the time."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    report = semantics_report(
        find_semantics(cfg.semantics, variant=cfg.variant),
        open_corpus(cfg.corpus),
        split=cfg.split,
        encode=_sentences(),
        limit=cfg.limit,
        seed=cfg.seed,
        only_pairs=cfg.pairs,
    )
    cfg.out.mkdir(parents=True, exist_ok=True)
    name = f"semantics-{cfg.split}"
    write_whole(cfg.out / f"{name}.json", (json_text(report) + "\n").encode())
    write_whole(cfg.out / f"{name}.md", page(report).encode())
    print(
        json_text(report) if cfg.json else f"{page(report)}\n{cfg.out / name}.json, .md"
    )
    return 0


def _sentences() -> Callable[[Sequence[str]], NDArray[Any]] | None:
    """Sentence vectors by the text encoder that ships; None if there is none."""
    if not has_bundled(GENERATOR):
        return None
    # Here and not above: they load torch.
    from texedo.language.front import load_text_front
    from texedo.language.vectors import sentence_vectors
    from texedo.text.lm.artifact import TEXT_FOLDER

    encoder, words = load_text_front(Path(BUNDLED, GENERATOR, TEXT_FOLDER))
    return lambda texts: sentence_vectors(encoder, words, texts)
