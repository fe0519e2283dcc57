"""The other commands of `texedo evaluate` as steps of `texedo evaluate all`.

Each writes to a folder of its own in the results; what one needs and nobody gave is why it
is left out.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from texedo.apps.evaluate import (
    dynamics,
    generator,
    semantics,
    tokenizer,
    tracker,
    understanding,
    words,
)
from texedo.checkpoints.bundled import BUNDLED, TOKENIZER
from texedo.core.files import write_whole
from texedo.evaluation.suites.prompts import Part
from texedo.text.generators.ours import OURS

_FEW = 140
"""Clips of a group for `semantics`."""

Steps = dict[str, Callable[[], object]]


class Given(NamedTuple):
    """What the user named."""

    out: Path
    part: Part
    generator: str
    tracker: str
    dynamics: str
    semantics: str
    corpus: Path | None
    trials: Path | None
    embedding: Path | None
    seed: int
    device: str
    workers: int | None


def steps(given: Given, *, candidates: int) -> tuple[Steps, dict[str, str]]:
    """What can be run, and why the rest cannot."""
    found: Steps = {
        "understanding": lambda: understanding.run(
            understanding.Cfg(
                out=given.out / "understanding",
                part=given.part,
                generator=given.generator,
                num=candidates,
                seed=given.seed,
                semantics=(given.semantics,),
            )
        ),
        "words": lambda: words.run(
            words.Cfg(
                out=given.out / "words", generator=given.generator, num=candidates
            )
        ),
    }
    left_out: dict[str, str] = {}
    if given.corpus is None:
        left_out |= dict.fromkeys(("tracker", "tokenizer", "semantics"), "no --corpus.")
    else:
        found |= _by_corpus(given, given.corpus)
    if given.corpus is None or given.embedding is None:
        left_out["generator"] = "no --corpus with an --embedding."
    else:
        found |= _by_embedding(given, given.corpus, given.embedding)
    if given.trials is None:
        left_out["dynamics"] = "no --trials."
    else:
        found |= _by_trials(given, given.trials)
    return found, left_out


def pages(out: Path) -> dict[str, Path]:
    """What they wrote, by heading."""
    return {
        "Understanding, dev": out / "understanding" / "understanding-dev.md",
        "Understanding, test": out / "understanding" / "understanding-test.md",
        "Words": out / "words" / "words.md",
        "Tracker": out / "tracker" / "tracker.md",
        "Tokenizer": out / "tokenizer" / "tokenizer.md",
        "Semantic verifier": out / "semantics" / "semantics-test.md",
        "Generator": out / "generator" / "generator-test.md",
        "Dynamic verifier": out / "dynamics" / "dynamics.md",
    }


def _by_corpus(given: Given, corpus: Path) -> Steps:
    return {
        "tracker": lambda: _track(given, corpus),
        "tokenizer": lambda: _decode(given, corpus),
        "semantics": lambda: semantics.run(
            semantics.Cfg(
                corpus=corpus,
                out=given.out / "semantics",
                semantics=given.semantics,
                limit=_FEW,
                seed=given.seed,
            )
        ),
    }


def _track(given: Given, corpus: Path) -> None:
    folder = given.out / "tracker"
    folder.mkdir(parents=True, exist_ok=True)
    tracker.run(
        tracker.Cfg(
            corpus=corpus,
            labels=folder / "labels.jsonl",
            out=folder / "tracker.md",
            tracker=given.tracker,
            nominal_only=given.device == "cpu",
            device=given.device,
            workers=given.workers,
        )
    )


def _decode(given: Given, corpus: Path) -> None:
    """What it prints is its page."""
    weights = BUNDLED if given.generator == OURS else Path(given.generator)
    cfg = tokenizer.Cfg(
        tokenizer=weights / TOKENIZER, data=str(corpus), device=given.device
    )
    with redirect_stdout(io.StringIO()) as said:
        tokenizer.run(cfg)
    text = "\n".join(f"    {line}" for line in said.getvalue().splitlines())
    folder = given.out / "tokenizer"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "tokenizer.md", f"{text}\n".encode())


def _by_embedding(given: Given, corpus: Path, embedding: Path) -> Steps:
    return {
        "generator": lambda: generator.run(
            generator.Cfg(
                corpus=corpus,
                embedding=embedding,
                out=given.out / "generator",
                generator=given.generator,
                tracker=given.tracker,
                temperatures=(1.0,),
                workers=given.workers,
            )
        )
    }


def _by_trials(given: Given, trials: Path) -> Steps:
    return {
        "dynamics": lambda: dynamics.run(
            dynamics.Cfg(
                trials=trials,
                out=given.out / "dynamics",
                dynamics=(given.dynamics,),
                tracker=given.tracker,
                device=given.device,
            )
        )
    }
