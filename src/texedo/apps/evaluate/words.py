"""`texedo evaluate words`: left or right, forward or backward, by rules."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.evaluate import options
from texedo.evaluation.words import words_report
from texedo.text.generators.ours import OURS


@dataclass(frozen=True)
class Cfg:
    """Sentences that differ in one word, such as left and right: the share of candidates
    that do what the sentence says, and the share that do the opposite.

    Example: texedo evaluate words -o report
    """

    out: options.OutFolder
    """Folder for words.json and words.md, and the samples."""
    generator: options.NameOrPath = OURS
    """The generator, as in `texedo generate`."""
    num: options.NumCandidates = 32
    """Candidates per sentence."""
    temperature: float = 1.0
    """Of the sampling."""
    semantics: options.Semantics = ()
    """A semantic verifier, as in `texedo score`: does the candidate with the highest R_text
    do it? May be given several times."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    sources = options.sources(cfg.semantics)
    with options.bench(cfg.generator, None, cfg.out, None) as bench:
        found = words_report(
            bench, n=cfg.num, temperature=cfg.temperature, sources=sources
        )
    options.tell(cfg.out, "words", found, found["rows"], json=cfg.json)
    return 0
