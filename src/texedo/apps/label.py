"""`texedo label`: the oracle's verdict on every clip of a corpus or folder."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from texedo.data.corpus import INDEX_FILE, Corpus
from texedo.data.labels import (
    NO_PERTURBATION,
    Label,
    LabelKey,
    LabelWriter,
    clip_hash,
    number_or_none,
    read_labels,
)
from texedo.errors import FileFormatError, TexedoError
from texedo.formats import find_sources, motion_from_clip, read_clips
from texedo.motion import Motion
from texedo.quality import (
    ORACLE_VERSION,
    fit_normalizers,
    reason_names,
    wilson_interval,
)
from texedo.tracker.cpu import Finished
from texedo.tracker.find import OURS, find_policy
from texedo.tracker.perturb import Perturbation, find_perturbation
from texedo.tracker.policy import Policy
from texedo.tracker.rollout import rollout_stream

_LOG_SECONDS = 20.0


@dataclass(frozen=True)
class Cfg:
    """Roll out every clip of a corpus, or every motion file of a folder, and keep the
    verdicts in a table.

    One JSON line a roll-out: success, progress, reason and frame of failure, errors,
    the tracker's name and hash. Ctrl-C keeps what is done; the same command goes on
    from there. A clip that the table has for this tracker is not rolled out again.

    Example: texedo label corpus --tracker texedo --out labels.jsonl
    """

    source: tyro.conf.Positional[Path]
    """Corpus folder, or a folder of motion files."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The table; rows are appended."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller, as in `texedo rollout`: a name, a folder, or an ONNX policy."""
    perturb: bool = False
    """Five perturbed robots a clip instead of the nominal one."""
    seed: int = 0
    """Which five."""
    split: str | None = None
    """Only this split of a corpus: train, val, test or test-subject."""
    kind: str | None = None
    """Only this kind of clip of a corpus: captured, mirrored, composed, ..."""
    limit: int | None = None
    """At most so many clips."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the files of a folder, where they do not prove their own."""
    fps: float | None = None
    """Their frame rate [Hz], instead of what the file or format says."""
    freeze_normalizers: bool = False
    """Afterwards store with the tracker what its Q* is measured by: the 95th
    percentiles of its errors on the captured training clips (--split train --kind
    captured)."""
    workers: int | None = None
    """Threads; all cores if not given."""


def run(cfg: Cfg) -> int:
    for name, value in (("workers", cfg.workers), ("limit", cfg.limit)):
        if value is not None and value < 1:
            raise TexedoError(f"--{name} must be at least 1, got {value}.")
    if cfg.freeze_normalizers:
        _check_freeze(cfg)
    policy = find_policy(cfg.tracker)
    items = _items(cfg)[: cfg.limit]
    if not items:
        raise FileFormatError(f"{cfg.source}: holds nothing to label.")
    with LabelWriter(cfg.out) as table, _Bar(len(items)) as bar:
        job = _Job(policy, table, items, bar, cfg)
        try:
            job.work()
        finally:
            bar.stop()
            print(job.summary())
    if cfg.freeze_normalizers:
        print(_freeze(cfg, policy))
    return 2 if job.errors else 0


def _check_freeze(cfg: Cfg) -> None:
    clips = cfg.split == "train" and cfg.kind == "captured" and cfg.limit is None
    if not clips or cfg.perturb or not Path(cfg.tracker).is_dir():
        raise TexedoError(
            "--freeze-normalizers needs --split train --kind captured, all clips, no "
            "--perturb, and the folder of a tracker."
        )


def _freeze(cfg: Cfg, policy: Policy) -> str:
    """Fit the normalisers to the labels of this run and store them."""
    from texedo.tracker.our_policy import freeze_normalizers

    clips = {clip_hash(get()) for _, get in _items(cfg)}
    labels = [
        label
        for label in read_labels(cfg.out)
        if label.clip in clips
        and label.tracker_hash == policy.digest
        and label.oracle_version == ORACLE_VERSION
        and label.perturbation == NO_PERTURBATION
    ]
    e_acc, e_vel = (
        [np.nan if value is None else value for value in column]
        for column in zip(
            *((label.e_acc, label.e_vel) for label in labels), strict=True
        )
    )
    fitted = fit_normalizers(e_acc, e_vel)
    freeze_normalizers(cfg.tracker, fitted)
    return (
        f"{cfg.tracker}: e95 over {len(labels)} clips is {fitted.e_acc:.4g} mm/frame^2 "
        f"and {fitted.e_vel:.4g} mm/frame"
    )


Item = tuple[str, Callable[[], Motion]]
"""A clip's name, and how to get it."""


def _items(cfg: Cfg) -> list[Item]:
    if (cfg.source / INDEX_FILE).is_file():
        corpus = Corpus.load(cfg.source)
        chosen = corpus.select(split=cfg.split, kind=cfg.kind)
        return [(corpus.clips[i].id, partial(corpus.motion, i)) for i in chosen]
    if cfg.split is not None or cfg.kind is not None:
        raise FileFormatError(
            f"{cfg.source}: is no corpus (it has no {INDEX_FILE}), so --split and "
            "--kind say nothing about it."
        )
    if not cfg.source.exists():
        raise FileFormatError(f"{cfg.source}: there is no such file or folder.")
    items: list[Item] = []
    for path in find_sources(cfg.source).sources:
        items += _file_items(path, cfg)
    return items


def _file_items(path: Path, cfg: Cfg) -> list[Item]:
    """The motions of a file; one that cannot be read is an item that says so."""
    try:
        names = list(read_clips(path, format=cfg.from_, fps=cfg.fps).clips)
    except TexedoError as error:
        return [(str(path), partial(_fail, error))]
    if len(names) == 1:
        return [(str(path), partial(_read, path, names[0], cfg))]
    return [(f"{path} ({name})", partial(_read, path, name, cfg)) for name in names]


def _read(path: Path, name: str, cfg: Cfg) -> Motion:
    clips = read_clips(path, format=cfg.from_, fps=cfg.fps).clips
    return motion_from_clip(clips[name], path)


def _fail(error: TexedoError) -> Motion:
    raise error


class _Job:
    """The clips on their way into the table."""

    def __init__(
        self,
        policy: Policy,
        table: LabelWriter,
        items: list[Item],
        bar: _Bar,
        cfg: Cfg,
    ) -> None:
        self.policy, self.table, self.items, self.bar = policy, table, items, bar
        self.workers = cfg.workers
        self.ranges = find_perturbation("default") if cfg.perturb else None
        self.seed = cfg.seed if cfg.perturb else 0
        self.written = self.skipped = self.successes = 0
        self.errors: list[str] = []
        self._at_work: dict[int, tuple[str, str, int]] = {}
        """Name, hash and length of each motion that was handed out."""
        self._open: Counter[int] = Counter()
        self._seen: set[str] = set()

    def work(self) -> None:
        stream = rollout_stream(
            self._motions(),
            self.policy,
            perturbation=self.ranges,
            seed=self.seed,
            workers=self.workers,
        )
        try:
            for finished in stream:
                self._enter(finished)
        finally:
            stream.close()

    def _motions(self) -> Iterator[Motion]:
        """Clips that have no label yet; called from the threads that roll out."""
        number = 0
        for name, get in self.items:
            try:
                motion = get()
            except TexedoError as error:
                self._complain(name, str(error))
                continue
            clip = clip_hash(motion)
            keys = (self._key(clip, d) for d in range(self._draws))
            # The same clip may be there twice, under two names.
            if clip in self._seen or all(key in self.table for key in keys):
                self.skipped += 1
                self.bar.advance(self)
                continue
            self._seen.add(clip)
            self._at_work[number] = (name, clip, len(motion))
            number += 1
            yield motion

    @property
    def _draws(self) -> int:
        return 1 if self.ranges is None else self.ranges.draws

    def _key(self, clip: str, draw: int) -> LabelKey:
        return LabelKey(
            clip=clip,
            tracker_hash=self.policy.digest,
            oracle_version=ORACLE_VERSION,
            perturbation=_perturbation_name(self.ranges),
            seed=self.seed,
            draw=draw,
        )

    def _enter(self, finished: Finished) -> None:
        name, clip, frames = self._at_work[finished.motion]
        self._open[finished.motion] += 1
        last = self._open[finished.motion] == self._draws
        if last:  # Forgotten, or memory would grow with the corpus.
            del self._open[finished.motion], self._at_work[finished.motion]
        if finished.measures is None:
            if last:
                self._complain(name, finished.error or "")
            return
        quality = finished.measures.quality
        label = Label(
            **self._key(clip, finished.draw_index)._asdict(),
            name=name,
            tracker=self.policy.name,
            num_frames=frames,
            success=bool(quality.success),
            progress=float(quality.progress),
            frame=int(quality.failure_frame),
            reason="+".join(reason_names(quality.reasons)),
            mpjpe=number_or_none(float(quality.mpjpe_l)),
            e_vel=number_or_none(float(quality.e_vel)),
            e_acc=number_or_none(float(quality.e_acc)),
            planar_drift=number_or_none(finished.measures.planar_drift),
            saturation=number_or_none(finished.measures.saturation),
            foot_slip=number_or_none(finished.measures.foot_slip),
        )
        if self.table.write(label):
            self.written += 1
            self.successes += label.success
        if last:
            self.bar.advance(self)

    def _complain(self, name: str, error: str) -> None:
        self.errors.append(name)
        self.bar.complain(f"error: {error if name in error else f'{name}: {error}'}")
        self.bar.advance(self)

    def summary(self) -> str:
        text = f"{self.written} labels written, {self.skipped} clips had theirs"
        if self.written:
            low, high = wilson_interval(self.successes, self.written)
            rate = self.successes / self.written
            text += f"; success {rate:.3f} [{low:.3f}, {high:.3f}]"
        if self.errors:
            text += f"; {len(self.errors)} clips could not be rolled out"
        return f"{text}; {self.table.path} holds {len(self.table)}"


def _perturbation_name(ranges: Perturbation | None) -> str:
    return NO_PERTURBATION if ranges is None else ranges.name


class _Bar:
    """Clips done; in a log file a line now and then."""

    def __init__(self, total: int) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._progress = Progress(
            TextColumn("labelling"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task("", total=total, rate="")
        self._total, self._done = total, 0
        self._logged = time.monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._progress.stop()

    def complain(self, text: str) -> None:
        if self._console.is_terminal:
            self._console.print(text, markup=False)
        else:
            print(text, file=sys.stderr)

    def advance(self, job: _Job) -> None:
        with self._lock:  # Clips are skipped by one thread and finished by another.
            self._done += 1
        rate = job.successes / job.written if job.written else np.nan
        text = f"success {rate:.3f}" if job.written else ""
        self._progress.update(self._task, completed=self._done, rate=text)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._logged > _LOG_SECONDS:
            self._logged = now
            print(f"{self._done}/{self._total} {text}", file=sys.stderr)
