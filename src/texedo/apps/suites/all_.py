"""`texedo evaluate all`: every suite that can be run with what is at hand, and one page."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import tyro

from texedo import __version__
from texedo.apps.suites import (
    best_of_n,
    latency,
    ood,
    options,
    others,
    robot_prompts,
    scale,
    selection,
    unseen_generator,
)
from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.folder import open_results
from texedo.evaluation.suites.prompts import Part
from texedo.evaluation.suites.results import copy_page, results_page, write_results

Steps = dict[str, Callable[[], object]]
SizeName = Literal["tiny", "small", "full"]


class Size(NamedTuple):
    """How much is measured."""

    num: int
    """Candidates per prompt."""
    draws: int
    """Perturbed robots."""
    prompts: int | None
    """Of each list; None: all."""
    robot: int | None
    """Of the thirty."""
    timed: int
    """Prompts that are timed."""
    others: int
    """Candidates per prompt of `understanding` and `words`."""
    counts: tuple[int, ...]
    """Candidates of a prompt in `scale`."""
    many: tuple[int, ...]
    """Prompts in `scale`."""


SIZES: dict[SizeName, Size] = {
    "tiny": Size(
        num=4,
        draws=1,
        prompts=4,
        robot=4,
        timed=1,
        others=1,
        counts=(1, 4),
        many=(1, 2),
    ),
    "small": Size(
        num=16,
        draws=2,
        prompts=24,
        robot=30,
        timed=2,
        others=4,
        counts=(1, 4, 16, 64),
        many=(1, 10),
    ),
    "full": Size(
        num=32,
        draws=5,
        prompts=None,
        robot=None,
        timed=3,
        others=32,
        counts=(1, 4, 16, 64, 256, 1024),
        many=(1, 10, 100, 1000),
    ),
}
"""`small` is for two CPU cores; `full` is for a GPU and many cores."""


@dataclass(frozen=True)
class Cfg(options.ModelsCfg):
    """Run all suites with the models that ship, or with those that are named, and write
    all tables to one page. What was done is kept: a command that was stopped goes on, and
    gives the same tables.

    `tiny` is a try, `small` takes half an hour of a CPU core, `full` is for a machine with
    a GPU and many cores. Suites that need a corpus, labelled motions or an embedding run
    if one is given; the page says what was left out.

    Example: texedo evaluate all --size small -o results
    """

    size: SizeName = "small"
    """How many prompts, candidates and robots."""
    part: Part = "dev"
    """Half of the prompts of `texedo evaluate understanding`."""
    corpus: Annotated[Path | None, tyro.conf.arg(metavar="CORPUS")] = None
    """For `selection` with held-out captions, `tracker`, `tokenizer` and `semantics`."""
    captions: options.PromptsFile = None
    """Held-out captions for `selection` from a file, one a line, without a corpus."""
    trials: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Labelled motions, for `dynamics`."""
    embedding: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """The evaluation embedding, for `generator`; needs --corpus."""
    unseen: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """A generator that the verifiers have never seen, for `unseen-generator`."""
    only: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="SUITE"), tyro.conf.UseAppendAction
    ] = ()
    """Only these suites; may be given several times."""
    page: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Write the page here too, its pictures beside it, as for docs/results.md."""


def run(cfg: Cfg) -> int:
    size, out = SIZES[cfg.size], open_results(cfg.out)
    first = options.SuiteCfg(**_shared(cfg, size))
    with ExitStack() as stack:
        # Opened by the first suite that needs them, and kept for the others.
        models = _Models(lambda: stack.enter_context(options.open_base(first)))
        steps, left_out = _steps(cfg, size, models)
        failed = _run_all(steps)
    _write_page(cfg, out, {**left_out, **failed})
    print(f"{out}: results.md and index.html, {len(steps) - len(failed)} suites")
    return 1 if failed else 0


def _run_all(steps: Steps) -> dict[str, str]:
    """Every suite; what is wrong with those that could not be run."""
    failed: dict[str, str] = {}
    for number, (name, step) in enumerate(steps.items(), start=1):
        print(f"{number}/{len(steps)} {name}", file=sys.stderr, flush=True)
        started = time.monotonic()
        try:
            # Tables go to the page; what else is printed is no part of it.
            with redirect_stdout(io.StringIO()):
                step()
        except TexedoError as error:
            failed[name] = str(error)
            print(f"{name}: {error}", file=sys.stderr)
            continue
        seconds = time.monotonic() - started
        print(f"{name}: {seconds:.0f} s", file=sys.stderr, flush=True)
    return failed


class _Models:
    """The base that the suites share."""

    def __init__(self, open_them: Callable[[], Base]) -> None:
        self._open = open_them

    @cached_property
    def base(self) -> Base:
        return self._open()


def _steps(cfg: Cfg, size: Size, models: _Models) -> tuple[Steps, dict[str, str]]:
    """What to run, and why not the others."""
    own: Steps = {
        name: partial(_tell, suite, report, models)
        for name, (suite, report) in _suites(cfg, size).items()
    }
    given = _given(cfg)
    more, left_out = others.steps(given, candidates=size.others)
    if cfg.unseen is None:
        left_out[unseen_generator.SUITE] = "no --unseen generator."
    for name, step in more.items():
        own[name] = partial(_once, given, name, size.others, step)
    if unknown := [name for name in cfg.only if name not in own | left_out]:
        raise TexedoError(
            f"There is no suite {unknown[0]!r} to run; there are {', '.join(own)}."
        )
    if cfg.only:
        left_out = {k: why for k, why in left_out.items() if k in cfg.only}
        own = {name: step for name, step in own.items() if name in cfg.only}
    return own, left_out


def _suites(cfg: Cfg, size: Size) -> dict[str, tuple[options.SuiteCfg, Any]]:
    """Options of each, and who makes its report of them and of the models."""
    shared = _shared(cfg, size)
    prompts: dict[str, Any] = {**shared, "limit": size.prompts, "part": cfg.part}
    held_out: dict[str, Any] = {"corpus": cfg.corpus, "captions": cfg.captions}
    found: dict[str, tuple[options.SuiteCfg, Any]] = {
        "selection": (selection.Cfg(**prompts, **held_out), selection.report),
        "best-of-n": (best_of_n.Cfg(**prompts), best_of_n.report),
        "ood": (ood.Cfg(**shared, limit=size.prompts), ood.report),
        "robot-prompts": (
            robot_prompts.Cfg(**shared, limit=size.robot),
            robot_prompts.report,
        ),
    }
    if cfg.unseen is not None:
        found[unseen_generator.SUITE] = (
            unseen_generator.Cfg(**prompts, **held_out, unseen=cfg.unseen),
            unseen_generator.report,
        )
    found["latency"] = latency.Cfg(**shared, limit=size.timed), latency.report
    sizes: dict[str, Any] = {**shared, "num": min(size.num, scale.Cfg.num)}
    found["scale"] = (
        scale.Cfg(**sizes, counts=size.counts, prompts=size.many),
        scale.report,
    )
    return found


def _tell(cfg: options.SuiteCfg, report: Any, models: _Models) -> None:
    options.tell(cfg, report(cfg, models.base))


def _shared(cfg: Cfg, size: Size) -> dict[str, Any]:
    names = [own.name for own in fields(options.ModelsCfg)]
    given = {name: getattr(cfg, name) for name in names}
    return {**given, "num": size.num, "draws": size.draws}


def _given(cfg: Cfg) -> others.Given:
    return others.Given(**{name: getattr(cfg, name) for name in others.Given._fields})


def _once(
    given: others.Given, name: str, candidates: int, step: Callable[[], object]
) -> None:
    """A suite that may not keep what it did: not done again with the same settings."""
    named = {**given._asdict(), "out": None, "candidates": candidates}
    text = json.dumps([__version__, named], sort_keys=True, default=str)
    mark = hashlib.sha256(text.encode()).hexdigest()
    path = given.out / name / "done.txt"
    if path.is_file() and path.read_text() == mark:
        return
    step()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, mark.encode())


def _write_page(cfg: Cfg, out: Path, left_out: Mapping[str, str]) -> None:
    given = "" if cfg.corpus is None else " --corpus CORPUS"
    given += "" if cfg.captions is None else " --captions FILE"
    given += "" if cfg.unseen is None else " --unseen GENERATOR"
    given += "" if cfg.device == "cpu" else f" --device {cfg.device}"
    given += "".join(f" --only {name}" for name in cfg.only)
    command = f"texedo evaluate all --size {cfg.size} --part {cfg.part}{given}"
    pages = others.pages(out)
    text = results_page(out, command=command, others=pages, left_out=left_out)
    write_results(out, text, others=pages)
    if cfg.page is not None:
        place = f"images/{cfg.page.stem}/"
        text = results_page(
            out, command=command, others=pages, left_out=left_out, pictures=place
        )
        copy_page(text, out, cfg.page)
