"""`texedo data label-trials`: every motion of a folder of trials, tried in physics."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import NDArray
from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.bars import Bar
from texedo.apps.console import make_console
from texedo.apps.tracker.label import check_device
from texedo.core.errors import TexedoError
from texedo.data.corpus.trials import (
    TrialLabels,
    count_trials,
    read_labels,
    read_said,
    trial_parts,
    write_labels,
)
from texedo.motion import FPS
from texedo.tracker.oracle.label_parts import (
    LabelOptions,
    Tempo,
    label_parts,
    open_labels,
    unlabelled,
)
from texedo.tracker.policies.find import OURS, find_policy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.weaken import weaken


@dataclass(frozen=True)
class Cfg:
    """Try the motions of `texedo data trials`: on the nominal robot and on perturbed ones.

    For each motion the table says whether the controller finished it, how far it came,
    which limb or tilt ended it, and how it went on robots with other friction, masses,
    motors, delays and pushes. The labels of a controller lie in a folder of their own,
    part by part. Ctrl-C keeps the parts that are done; the same command goes on.

    Example: texedo data label-trials trials --device cuda
    """

    folder: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR")]]
    """Folder with the motions."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller, as in `texedo rollout`: a name, a folder, or an ONNX policy."""
    gains: float = 1.0
    """Weaken the controller: its motors' stiffness and damping times this."""
    delay_ms: int = 0
    """Weaken the controller: each target takes effect so much later, in steps of 20 ms."""
    draws: int = 5
    """Perturbed robots a motion; 0 for the nominal one alone."""
    seed: int = 0
    """Which perturbed robots."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where to roll out; `cuda` takes thousands at once, for our own trackers."""
    worlds: int = 8192
    """Robots at once on a GPU."""
    workers: int | None = None
    """Threads on the CPU; all cores if not given."""
    limit_parts: int | None = None
    """At most this many parts in this call."""
    minutes: float | None = None
    """Begin nothing that would not be done by then."""


def run(cfg: Cfg) -> int:
    for name in ("worlds", "workers", "limit_parts"):
        value = getattr(cfg, name)
        if value is not None and value < 1:
            flag = name.replace("_", "-")
            raise TexedoError(f"--{flag} must be at least 1, got {value}.")
    if cfg.draws < 0:
        raise TexedoError(f"--draws must be at least 0, got {cfg.draws}.")
    check_device(cfg.device)
    policy = weaken(find_policy(cfg.tracker), gains=cfg.gains, delay_ms=cfg.delay_ms)
    options = LabelOptions(
        draws=cfg.draws,
        seed=cfg.seed,
        device=cfg.device,
        worlds=cfg.worlds,
        workers=cfg.workers,
    )
    parts = trial_parts(cfg.folder)
    labels = open_labels(cfg.folder, policy, options)
    todo = unlabelled(cfg.folder, labels)[: cfg.limit_parts]
    tempo = _label(cfg, todo, policy, options, labels)
    done = [path for path in parts if (labels / path.name).exists()]
    if done:
        make_console(width=100).print(_table(done, labels))
    print(f"{labels}: labels of {len(done)} of {len(parts)} parts")
    if tempo.frames:
        print(
            f"{tempo.rate:,.0f} control steps per second, "
            f"worlds {100 * tempo.busy:.0f} % busy"
        )
    return 0


def _label(
    cfg: Cfg, todo: list[Path], policy: Policy, options: LabelOptions, labels: Path
) -> Tempo:
    """Write the labels of the parts that have none; how fast that went."""
    seconds = math.inf if cfg.minutes is None else 60.0 * cfg.minutes
    total = sum(map(count_trials, todo))
    with Bar("labelling", total=total, long=True) as bar:
        last, successes, tried = Tempo(), 0, 0

        def report(tempo: Tempo) -> None:
            nonlocal last
            last = tempo
            rate = f"success {successes / tried:.3f}, " if tried else ""
            note = f"{rate}{tempo.rate / 1000:.1f}k steps/s"
            at_work = tempo.begun // (1 + cfg.draws)
            bar.show(tempo.motions + at_work, note=note)

        stream = label_parts(todo, policy, options, report=report, seconds=seconds)
        for path, found in stream:
            write_labels(labels / path.name, found)
            successes += int(found.success[found.valid].sum())
            tried += int(found.valid.sum())
    return last


def _table(parts: list[Path], labels: Path) -> Table:
    """How each recipe's motions went."""
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for path in parts:
        found = read_labels(labels / path.name)
        for trial, row in zip(read_said(path), _rows(found), strict=True):
            rows[trial.recipe].append(row)
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("recipe")
    for name in ("motions", "not tried", "fail", "fail perturbed", "seconds"):
        table.add_column(name, justify="right")
    everything = [row for group in rows.values() for row in group]
    for name, group in [*sorted(rows.items()), ("all", everything)]:
        valid, fails, perturbed, frames = np.array(group).T
        tried = valid > 0
        table.add_row(
            escape(name),
            str(len(group)),
            str(int((~tried).sum())),
            _percent(fails[tried]),
            _percent(perturbed[tried]),
            f"{frames.mean() / FPS:.1f}",
        )
    return table


Row = tuple[float, float, float, float]
"""Whether it could be tried, whether it failed, share of the perturbed robots that
failed, frames."""


def _rows(labels: TrialLabels) -> list[Row]:
    draws = labels.perturbed_success.shape[1]
    kept = labels.perturbed_success.sum(axis=1)
    perturbed = 1 - kept / draws if draws else np.full(len(kept), np.nan)
    columns = (labels.valid, ~labels.success, perturbed, labels.frames)
    return list(
        zip(*(column.astype(float).tolist() for column in columns), strict=True)
    )


def _percent(share: NDArray[np.float64]) -> str:
    return (
        "-"
        if np.isnan(share).any() or not len(share)
        else f"{100 * share.mean():.1f} %"
    )
