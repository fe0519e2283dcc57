"""`texedo label`: the oracle's verdict on every clip of a corpus or folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from texedo.apps.bars import Bar
from texedo.apps.tracker.label_job import Item, Job
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    LabelWriter,
    clip_hash,
    read_labels,
)
from texedo.data.corpus.store import INDEX_FILE, Corpus
from texedo.formats import (
    Reading,
    find_sources,
    motion_from_clip,
    read_clips,
    tally,
)
from texedo.motion import Motion
from texedo.quality import ORACLE_VERSION, fit_normalizers
from texedo.tracker.oracle.cpu import Finished
from texedo.tracker.oracle.rollout import rollout_stream
from texedo.tracker.policies.find import OURS, find_policy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import find_perturbation


@dataclass(frozen=True)
class Cfg:
    """Roll out every clip of a corpus, or every motion file of a folder, and keep the
    verdicts in a table.

    One JSON line per rollout: success, progress, reason and frame of failure, errors,
    the tracker's name and hash. Ctrl-C keeps what is done; the same command
    resumes. A clip that the table has for this tracker is not rolled out again.

    Example: texedo label corpus --tracker texedo --out labels.jsonl
    """

    source: tyro.conf.Positional[Path]
    """Corpus folder, or a folder of motion files."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The table; rows are appended."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller, as in `texedo rollout`: a name, a folder, or an ONNX policy."""
    perturb: bool = False
    """Five perturbed robots per clip instead of the nominal one."""
    seed: int = 0
    """Which five."""
    split: str | None = None
    """Only this split of a corpus: train, val, test or test-subject."""
    kind: str | None = None
    """Only this kind of clip of a corpus: captured, mirrored, composed, ..."""
    limit: int | None = None
    """At most this many clips."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the files of a folder, where they do not identify it."""
    fps: float | None = None
    """Their frame rate [Hz], instead of what the file or format says."""
    freeze_normalizers: bool = False
    """Afterwards store with the tracker what its Q* is measured by: the 95th
    percentiles of its errors over all captured training clips, copies left out."""
    force: bool = False
    """Let --freeze-normalizers replace stored values; every Q* changes."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where to roll out; `cuda` takes thousands at once, for our own trackers."""
    workers: int | None = None
    """Threads on the CPU; all cores if not given."""


def run(cfg: Cfg) -> int:
    for name, value in (("workers", cfg.workers), ("limit", cfg.limit)):
        if value is not None and value < 1:
            raise TexedoError(f"--{name} must be at least 1, got {value}.")
    check_device(cfg.device)
    policy = find_policy(cfg.tracker)
    if cfg.freeze_normalizers:
        _check_freeze(cfg, policy)
    items = _items(cfg)[: cfg.limit]
    if not items:
        raise FileFormatError(f"{cfg.source}: holds nothing to label.")
    with (
        LabelWriter(cfg.out) as table,
        Bar("labelling", total=len(items), long=True) as bar,
    ):
        job = Job(
            policy,
            table,
            items,
            bar,
            ranges=find_perturbation("default") if cfg.perturb else None,
            seed=cfg.seed,
            device=cfg.device,
        )
        try:
            job.work(partial(_roll_out, cfg, job))
        finally:
            bar.stop()
            print(job.summary())
    if cfg.freeze_normalizers:
        print(_freeze(cfg, policy))
    return 2 if job.errors else 0


def _roll_out(
    cfg: Cfg, job: Job, motions: Iterator[Motion]
) -> Generator[Finished, None, None]:
    if cfg.device == "cpu":
        return rollout_stream(
            motions,
            job.policy,
            perturbation=job.ranges,
            seed=job.seed,
            workers=cfg.workers,
        )
    # Here and not above: compiling for a GPU is only for those who have one.
    from texedo.tracker.oracle.stream import warp_stream

    return warp_stream(
        motions,
        job.policy,
        perturbation=job.ranges,
        seed=job.seed,
        device=cfg.device,
    )


def check_device(device: str) -> None:
    """Raise unless rollouts can be done there."""
    if device == "cpu":
        return
    if not device.startswith("cuda"):
        raise TexedoError(f"--device must be cpu or cuda, got {device!r}.")
    for package in ("torch", "mujoco_warp"):
        if importlib.util.find_spec(package) is None:
            raise TexedoError(
                f"--device {device} needs {package.replace('_', '-')}: "
                f"pip install {package.replace('_', '-')}."
            )
    import torch

    if not torch.cuda.is_available():
        raise TexedoError(
            f"--device {device}: this machine has no GPU that torch can use; leave "
            "the option out."
        )


def _check_freeze(cfg: Cfg, policy: Policy) -> None:
    """Before the work, not after it."""
    whole = cfg.split in (None, "train") and cfg.kind in (None, "captured")
    corpus = (cfg.source / INDEX_FILE).is_file()
    if not (corpus and whole) or cfg.limit is not None or cfg.perturb:
        raise TexedoError(
            "--freeze-normalizers needs all captured training clips of a corpus: "
            "--split train --kind captured, no --limit, no --perturb."
        )
    if not Path(cfg.tracker).is_dir():
        raise TexedoError(
            "--freeze-normalizers needs the folder of a tracker, got "
            f"--tracker {cfg.tracker}."
        )
    if policy.normalizers is not None and not cfg.force:
        raise TexedoError(
            f"{cfg.tracker}: has normalisers already, and every Q* so far rests on "
            "them. --force replaces them."
        )


def _freeze(cfg: Cfg, policy: Policy) -> str:
    """Fit the normalisers to the labels of this tracker and store them."""
    from texedo.tracker.policies.ours import freeze_normalizers

    corpus = Corpus.load(cfg.source)
    chosen = corpus.select(split="train", kind="captured", copies=False)
    clips = {clip_hash(corpus.motion(i)) for i in chosen}
    labels = [
        label
        for label in read_labels(cfg.out)
        if label.clip in clips
        and label.tracker_hash == policy.digest
        and label.oracle_version == ORACLE_VERSION
        and label.perturbation == NO_PERTURBATION
    ]
    if not labels:
        raise TexedoError(f"{cfg.source}: no captured training clip was rolled out.")
    e_acc, e_vel = np.array([(x.e_acc, x.e_vel) for x in labels], dtype=np.float64).T
    fitted = fit_normalizers(e_acc, e_vel)
    freeze_normalizers(cfg.tracker, fitted, roll_outs=len(labels), replace=cfg.force)
    return (
        f"{cfg.tracker}: e95 over {len(labels)} captured training clips is "
        f"{fitted.e_acc:.4g} mm/frame^2 and {fitted.e_vel:.4g} mm/frame"
    )


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
    readings: list[Reading] = []
    for path in find_sources(cfg.source).sources:
        items += _file_items(path, cfg, readings)
    if readings:
        print(f"read: {tally(readings)}")
    return items


def _file_items(path: Path, cfg: Cfg, readings: list[Reading]) -> list[Item]:
    """The motions of a file; one that cannot be read is an item that says so."""
    try:
        clips = read_clips(path, format=cfg.from_, fps=cfg.fps).clips
    except TexedoError as error:
        return [(str(path), partial(_fail, error))]
    readings += [clip.reading for clip in clips.values()]
    if len(clips) == 1:
        return [(str(path), partial(_read, path, next(iter(clips)), cfg))]
    return [(f"{path} ({name})", partial(_read, path, name, cfg)) for name in clips]


def _read(path: Path, name: str, cfg: Cfg) -> Motion:
    clips = read_clips(path, format=cfg.from_, fps=cfg.fps).clips
    return motion_from_clip(clips[name], path)


def _fail(error: TexedoError) -> Motion:
    raise error
