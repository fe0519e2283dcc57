"""`texedo train refusal`: fit the rule that says when nothing known was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from texedo.apps.evaluate import options
from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Corpus
from texedo.evaluation.refusal.figures import Fits, refusal_report
from texedo.evaluation.refusal.fit import (
    GROUPS,
    Fitting,
    learn_known,
    training_captions,
)
from texedo.evaluation.refusal.prompts import (
    Foreign,
    foreign_prompts,
    held_out_captions,
)
from texedo.evaluation.tables import markdown
from texedo.language import read_prompt
from texedo.pipeline import Report
from texedo.pipeline.refusal.evidence import Evidence
from texedo.pipeline.refusal.known import Known
from texedo.pipeline.refusal.refuser import (
    Fitted,
    Refuser,
    Sentences,
    encoder_hash,
    save_fitted,
    text_evidence,
)
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics

SPLIT = "val"


@dataclass(frozen=True)
class Cfg:
    """Fit the rule by which `texedo generate` refuses a sentence: groups of training
    captions that stand for what is known, and weights of what speaks for and against a
    sentence. Fitted on 100 sentences that should be refused and on held-out captions
    of the split val, for the text encoder and the semantic verifier of this installation.

    Candidates are kept in OUT/samples and their scores in OUT/scores: the same command
    goes on where it was interrupted. The rule is written to OUT/refusal.

    Example: texedo train refusal corpus -o run
    """

    corpus: options.Corpus
    """Corpus folder."""
    out: options.OutFolder
    """Folder for the rule, and for what was drawn."""
    num: options.NumCandidates = 8
    """Candidates per sentence."""
    max_refused: float = 0.02
    """Share of the held-out captions that may be refused."""
    groups: int = GROUPS
    """Groups of training captions."""
    generator: options.NameOrPath = "texedo"
    """Whose candidates."""
    semantics: options.NameOrPath = OUR_SEMANTICS
    """The semantic verifier that gives R_text."""


def run(cfg: Cfg) -> int:
    if not 0 < cfg.max_refused < 1:
        raise TexedoError(
            f"--max-refused must be between 0 and 1, got {cfg.max_refused:g}."
        )
    corpus, verifier = Corpus.load(cfg.corpus), find_semantics(cfg.semantics)
    foreign = foreign_prompts("development")
    captions = held_out_captions(corpus, SPLIT)
    with options.bench(cfg.generator, None, cfg.out, None) as bench:
        known, told = _read(corpus, foreign, captions, cfg.groups, bench.report)
        fits = Fits(bench, verifier, cfg.num).of
        fitting = Fitting(
            told=told,
            foreign=[row.prompt for row in foreign],
            captions=captions,
            some=captions[: len(captions) // 2 : 4],
            fits=fits,
            max_refused=cfg.max_refused,
        )
        fitted = Fitted(
            known=known,
            with_r_text=fitting.with_r_text(),
            without=fitting.without_r_text(),
            text_encoder=encoder_hash(),
            semantics=verifier.digest,
            figures={},
        )
        refuser = Refuser(fitted, semantics=verifier.digest)
        rows = refusal_report(refuser, foreign, captions, fits)["rows"]
    folder = save_fitted(cfg.out / "refusal", replace(fitted, figures=rows))
    print(f"{markdown(rows)}\n{folder}")
    return 0


def _read(
    corpus: Corpus,
    foreign: Sequence[Foreign],
    captions: Sequence[str],
    groups: int,
    report: Report,
) -> tuple[Known, dict[str, Evidence]]:
    """What is known, and what each sentence tells by itself."""
    sentences = Sentences()
    learnt = training_captions(corpus)
    vectors = sentences.vectors(
        [read_prompt(text).text for text in learnt],
        progress=lambda done, total: report("read captions", done, total),
    )
    known = learn_known(learnt, vectors, groups)
    prompts = [*(row.prompt for row in foreign), *captions]
    readings = [read_prompt(prompt) for prompt in prompts]
    near = known.near(sentences.vectors([reading.text for reading in readings]))
    rows = zip(prompts, readings, near, strict=True)
    return known, {p: text_evidence(r, float(at)) for p, r, at in rows}
