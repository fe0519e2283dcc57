"""From a database of motion capture to a corpus, in steps that survive being killed.

    survey      read the source once: what is there, and what has been done before
    retarget    missing recordings, on all cores; one result file each
    assemble    cut into clips, screen, group near-duplicates, split
    caption     say what each clip shows
    derive      authored, mirrored and composed clips on top, if wanted
    write       pack the accepted clips; state what was rejected and why

The result depends on the source and the settings alone: not on the number of workers,
nor on how often the build was interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.core.pool import batch_by_size, map_unordered
from texedo.data.capture.dataset import CaptionSource, Dataset, Recording
from texedo.data.corpus.assemble import Assembly, assemble
from texedo.data.corpus.duplicates import DuplicateCfg
from texedo.data.corpus.enrich import (
    ENRICH_VERSION,
    add_derived,
    caption_captured,
    count_words,
)
from texedo.data.corpus.screening import ScreenCfg
from texedo.data.corpus.splits import SplitCfg
from texedo.data.corpus.store import INDEX_FILE, Corpus, write_corpus
from texedo.data.retarget.trials import (
    RetargetSolver,
    Solver,
    TrialTask,
    process_batch,
    saved_key,
    trial_key,
)

BUILD_VERSION = 1
"""Raise when cutting, screening, grouping or splitting change."""
TRIALS_FOLDER, DERIVED_FOLDER = "trials", "derived"
REJECTED_FILE = "rejected.jsonl"


class Progress(NamedTuple):
    """How far a build is."""

    stage: str
    """"survey", "retarget", "assemble", "caption" or "derive"."""
    done: int
    """Recordings, then clips, then chunks of derived clips."""
    total: int
    """Of the same; 0 while unknown."""
    seconds: float
    """Motion retargeted so far in this run [s]."""
    failed: int


@dataclass(frozen=True)
class BuildCfg:
    """What is built, and how strictly."""

    screen: ScreenCfg = field(default_factory=ScreenCfg)
    duplicates: DuplicateCfg = field(default_factory=DuplicateCfg)
    splits: SplitCfg | None = None
    """Who is learned from and who is tested on; None is what the database says."""
    captions: CaptionSource | None = None
    """Which captions the captured clips get; None is what the database says."""
    derive: bool = False
    """Author, mirror and compose clips on top of the captured ones."""
    seed: int = 0
    """Random seed of captions and derived clips."""
    batch_size: int = 32
    """Recordings solved side by side. Results may depend on it in the last bit, so it
    does not follow the number of workers."""


class BuildResult(NamedTuple):
    """A finished corpus."""

    corpus: Corpus
    was_up_to_date: bool
    """Nothing had to be done."""


def build_corpus(
    dataset: Dataset,
    out: Path,
    *,
    cfg: BuildCfg | None = None,
    solver: Solver | None = None,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> BuildResult:
    """Build the corpus of a database in the folder `out`, or find that it is there."""
    cfg, solver = cfg or BuildCfg(), solver or RetargetSolver()
    report = report or (lambda progress: None)
    splits, captions = cfg.splits or dataset.splits, cfg.captions
    cfg = replace(cfg, splits=splits, captions=captions or dataset.caption_source)
    inputs = _inputs(dataset, cfg, solver)
    if _is_up_to_date(out, inputs):
        return BuildResult(Corpus.load(out), True)
    folder = out / TRIALS_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    keys = _survey(dataset, solver, report)
    batches = _Batches(dataset, keys, folder, solver, cfg.batch_size)
    _retarget(batches, workers=workers, report=report)
    trials = sorted(keys, key=dataset.order)
    report(Progress("assemble", 0, len(trials), 0.0, 0))
    assembly = assemble(
        trials,
        folder,
        dataset=dataset,
        cfg=(cfg.screen, cfg.duplicates, splits),
    )
    report(Progress("assemble", len(trials), len(trials), 0.0, 0))
    _enrich(assembly, dataset, cfg, out=out, workers=workers, report=report)
    _write(out, assembly, inputs)
    return BuildResult(Corpus.load(out), False)


def _enrich(
    assembly: Assembly,
    dataset: Dataset,
    cfg: BuildCfg,
    *,
    out: Path,
    workers: int | None,
    report: Callable[[Progress], None],
) -> None:
    caption_captured(
        assembly,
        dataset,
        source=cfg.captions or dataset.caption_source,
        seed=cfg.seed,
        report=_stage("caption", report),
    )
    if cfg.derive:
        add_derived(
            assembly,
            seed=cfg.seed,
            splits=cfg.splits or dataset.splits,
            workers=workers,
            folder=out / DERIVED_FOLDER,
            report=_stage("derive", report),
        )


def _stage(name: str, report: Callable[[Progress], None]) -> Callable[[int, int], None]:
    return lambda done, total: report(Progress(name, done, total, 0.0, 0))


def _inputs(dataset: Dataset, cfg: BuildCfg, solver: Solver) -> dict[str, Any]:
    """All that the result depends on, cheap to find out."""
    inputs = {
        "build_version": BUILD_VERSION,
        "enrich_version": ENRICH_VERSION,
        "solver": solver.version,
        "dataset": dataset.name,
        "source": dataset.fingerprint(),
        "settings": asdict(cfg),
    }
    # As it comes back from a file: tuples become lists there.
    restored: dict[str, Any] = json.loads(json.dumps(inputs))
    return restored


def _is_up_to_date(out: Path, inputs: dict[str, Any]) -> bool:
    try:
        info = json.loads((out / INDEX_FILE).read_text(encoding="utf-8"))
        return bool(info["inputs"] == inputs and info["complete"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _survey(
    dataset: Dataset, solver: Solver, report: Callable[[Progress], None]
) -> dict[str, str]:
    """The key of every recording to be used, in the order of the source."""
    keys: dict[str, str] = {}
    for file in dataset.recordings():
        info = dataset.info(file.trial)
        if info.label.keep:
            keys[file.trial] = trial_key(
                file.data, time_stretch=info.time_stretch, version=solver.version
            )
            report(Progress("survey", len(keys), 0, 0.0, 0))
    if not keys:
        raise FileFormatError("No recording in the source is marked to be kept.")
    return keys


@dataclass(frozen=True)
class _Batches:
    """The calls that make the result files which are missing."""

    dataset: Dataset
    keys: dict[str, str]
    folder: Path
    solver: Solver
    size: int

    def missing(self) -> set[str]:
        return {t for t, key in self.keys.items() if saved_key(self.folder, t) != key}

    def calls(
        self, missing: set[str]
    ) -> Iterator[tuple[list[TrialTask], Path, Solver]]:
        files = (f for f in self.dataset.recordings() if f.trial in self.keys)
        for batch in batch_by_size(files, lambda f: len(f.data), batch=self.size):
            # A batch is done anew as a whole: its members meet the same company in
            # every run, and so come out the same to the last bit.
            if any(file.trial in missing for file in batch):
                yield [self._task(file) for file in batch], self.folder, self.solver

    def _task(self, file: Recording) -> TrialTask:
        return TrialTask(
            trial=file.trial,
            key=self.keys[file.trial],
            data=file.data,
            time_stretch=self.dataset.info(file.trial).time_stretch,
        )


def _retarget(
    batches: _Batches, *, workers: int | None, report: Callable[[Progress], None]
) -> None:
    missing, total = batches.missing(), len(batches.keys)
    done, seconds, failed = total - len(missing), 0.0, 0
    report(Progress("retarget", done, total, seconds, failed))
    if not missing:
        return
    for outcomes in map_unordered(
        process_batch, batches.calls(missing), workers=workers
    ):
        done += sum(outcome.trial in missing for outcome in outcomes)
        seconds += sum(outcome.seconds for outcome in outcomes)
        failed += sum(outcome.error is not None for outcome in outcomes)
        report(Progress("retarget", done, total, seconds, failed))


def _write(out: Path, assembly: Assembly, inputs: dict[str, Any]) -> None:
    if not assembly.clips:
        reasons = ", ".join(f"{n} x {r}" for r, n in assembly.reasons().most_common(3))
        detail = next((row.detail for row in assembly.rejected if row.detail), "")
        raise FileFormatError(f"No clip was accepted: {reasons}. {detail}".rstrip())
    with atomic_file(out / REJECTED_FILE) as temporary:
        rows = (
            json.dumps(row._asdict(), ensure_ascii=False) for row in assembly.rejected
        )
        temporary.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    extra = {
        "summary": assembly.summary() | {"words": count_words(assembly.clips)},
        "complete": not assembly.broken,
        "dataset": inputs["dataset"],
        "inputs": inputs,
    }
    write_corpus(out, assembly.clips, assembly.frames, extra=extra)
