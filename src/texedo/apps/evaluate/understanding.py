"""`texedo evaluate understanding`: does the robot do what people ask for?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar, stage_bar
from texedo.apps.evaluate import options
from texedo.core.errors import FileFormatError
from texedo.core.files import write_whole
from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.columns import Source, embedding_source, likelihood_source
from texedo.evaluation.generation import Bench
from texedo.evaluation.tables import json_text
from texedo.evaluation.understanding.choices import read_columns
from texedo.evaluation.understanding.page import markdown, page
from texedo.evaluation.understanding.report import understanding_report
from texedo.evaluation.understanding.suite import Part, prompts_of
from texedo.evaluation.understanding.validate import validation_report
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import check_count
from texedo.text.generators.protocol import Generator
from texedo.tracker.policies.find import OURS as OUR_TRACKER
from texedo.tracker.policies.find import find_policy


@dataclass(frozen=True)
class Cfg:
    """Judge the candidates of some two hundred prompts by rules that measure the motion.

    Prompts are written as people ask: captions, commands, telegraphic, with typos. Each
    has a rule that says right, partly or wrong. The table gives, by class, the share of
    right candidates, whether a right one is among them, whether the chosen one is right,
    and what candidates of other prompts score by the same rules. Samples and rollouts
    are kept in the output folder and not done again.

    Example: texedo evaluate understanding -n 16 -o report
    """

    out: options.OutFolder = Path("understanding")
    """Folder for understanding-PART.json and .md, samples and rollouts."""
    part: Part = "dev"
    """Half of the prompts. Choose and tune on dev; run test once, in the end: its report
    holds no single prompts. Three more sets are by other authors: steps, several things one
    after the other or at once, visitors, everyday requests, and strangers, what six kinds
    of people ask for."""
    generator: options.NameOrPath = OUR_GENERATOR
    """The generator, as in `texedo generate`."""
    num: options.NumCandidates = 16
    """Candidates per prompt."""
    seed: int = 0
    """Of the sampling."""
    physics: bool = False
    """Perform all candidates in simulation: only survivors may be chosen, and Q* is one
    more way to choose."""
    tracker: options.NameOrPath = OUR_TRACKER
    """The controller of --physics, as in `texedo rollout`."""
    semantics: options.Semantics = ()
    """A semantic verifier, as in `texedo score`, whose R_text is one more way to choose;
    may be given several times. R_text is kept in the output folder."""
    embedding: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """The evaluation embedding, trained by `texedo train embedding`, as one more way to
    choose."""
    likelihood: bool = False
    """Two more ways to choose: what the generator itself thinks of its candidates, log p
    per token, and log p with the prompt less log p without."""
    scores: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Scores by which to choose, a line per prompt: {"prompt": TEXT, "scores": {NAME:
    [one number per candidate]}}."""
    validate: Annotated[Path | None, tyro.conf.arg(metavar="CORPUS")] = None
    """Test the rules instead of a generator, on the captured clips of a corpus."""
    captions: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """With --validate: captions to go by instead of the corpus's own, a line per clip:
    {"window": CLIP_ID, "captions": [...]}."""
    workers: int | None = None
    """Threads that roll out; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    return _evaluate(cfg) if cfg.validate is None else _validate(cfg, cfg.validate)


def _evaluate(cfg: Cfg) -> int:
    check_count(cfg.num)
    prompts = prompts_of(cfg.part)
    ruled = [prompt.text for prompt in prompts if prompt.rule is not None]
    columns = None if cfg.scores is None else read_columns(cfg.scores, ruled, cfg.num)
    generator = find_generator(cfg.generator)
    sources = _sources(cfg, generator)
    with stage_bar() as tell:
        bench = Bench(
            generator=generator,
            policy=find_policy(cfg.tracker) if cfg.physics else None,
            folder=cfg.out,
            seed=cfg.seed,
            workers=cfg.workers,
            report=tell,
        )
        report = understanding_report(
            bench,
            prompts,
            n=cfg.num,
            part=cfg.part,
            columns=columns,
            sources=sources,
        )
    name = f"understanding-{cfg.part}"
    write_whole(cfg.out / f"{name}.json", (json_text(report) + "\n").encode())
    write_whole(cfg.out / f"{name}.md", page(report).encode())
    print(
        json_text(report) if cfg.json else f"{page(report)}\n{cfg.out / name}.json, .md"
    )
    return 0


def _sources(cfg: Cfg, generator: Generator) -> list[Source]:
    sources = options.sources(cfg.semantics)
    if cfg.embedding is not None:
        # Here and not above: it loads torch.
        from texedo.evaluation.embedding.model import load_embedding

        sources.append(embedding_source(load_embedding(cfg.embedding)))
    if cfg.likelihood:
        sources.append(likelihood_source(generator))
    return sources


def _validate(cfg: Cfg, corpus: Path) -> int:
    written = None if cfg.captions is None else _read_captions(cfg.captions)
    with progress_bar("judge") as tell:
        report = validation_report(open_corpus(corpus), written=written, progress=tell)
    print(json_text(report) if cfg.json else markdown(report["rows"]))
    return 0


def _read_captions(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = json.loads(line)
            found[str(record["window"])] = [str(text) for text in record["captions"]]
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f'{path}, line {number}: should be {{"window": CLIP_ID, "captions": '
                f"[...]}} ({error})."
            ) from error
    return found
