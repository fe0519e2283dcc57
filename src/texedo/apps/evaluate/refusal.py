"""`texedo evaluate refusal`: is what nothing is known of refused, and nothing else?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.core.errors import CheckpointError
from texedo.data.corpus.store import Corpus
from texedo.evaluation.refusal.figures import Fits, refusal_report
from texedo.evaluation.refusal.prompts import foreign_prompts, held_out_captions
from texedo.pipeline.refusal import find_refuser
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics


@dataclass(frozen=True)
class Cfg:
    """Measure how many of 100 sentences that ask for something no clip shows, or for
    nothing at all, are refused, and how many held-out captions.

    Candidates are drawn for sentences whose answer R_text can change, and kept in
    OUT/samples with their scores in OUT/scores.

    Example: texedo evaluate refusal corpus -o report
    """

    corpus: options.Corpus
    """Corpus folder."""
    out: options.OutFolder
    """Folder for refusal-PART.json and .md."""
    part: Annotated[str, tyro.conf.arg(metavar="development|test")] = "test"
    """The list of sentences; captions are of the split test, or of val. Choose and tune
    on development."""
    num: options.NumCandidates = 32
    """Candidates per sentence."""
    captions: int = 300
    """Held-out captions."""
    rule: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Folder of a rule that `texedo train refusal` wrote; the one that ships if not
    given."""
    generator: options.NameOrPath = "texedo"
    """Whose candidates."""
    semantics: options.NameOrPath = OUR_SEMANTICS
    """The semantic verifier that gives R_text."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    if cfg.part not in ("development", "test"):
        raise CheckpointError(
            f"--part {cfg.part}: there are two lists, development and test."
        )
    verifier = find_semantics(cfg.semantics)
    refuser = find_refuser(cfg.rule, semantics=verifier.digest)
    if refuser is None:
        raise CheckpointError(
            "This installation has no rule for its text encoder: texedo train refusal "
            "writes one, and --rule names it."
        )
    foreign = foreign_prompts("test" if cfg.part == "test" else "development")
    split = "test" if cfg.part == "test" else "val"
    captions = held_out_captions(Corpus.load(cfg.corpus), split, cfg.captions)
    with options.bench(cfg.generator, None, cfg.out, None) as bench:
        fits = Fits(bench, verifier, cfg.num)
        report = refusal_report(refuser, foreign, captions, fits.of)
    report |= {"part": cfg.part, "candidates": cfg.num, "semantics": verifier.digest}
    options.tell(cfg.out, f"refusal-{cfg.part}", report, report["rows"], json=cfg.json)
    return 0
