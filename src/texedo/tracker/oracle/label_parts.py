"""Parts of motions through a tracker and into its folder of labels, on any device.

    folder = open_labels("trials", policy, options)
    for path, labels in label_parts(unlabelled("trials", folder), policy, options):
        write_labels(folder / path.name, labels)

On a GPU many parts are rolled out together: a robot that has ended takes the next
motion, so the worlds are full but for the last seconds of each load. The next load is
read meanwhile.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from texedo.core.errors import FileFormatError
from texedo.core.files import write_whole
from texedo.core.threads import one_ahead
from texedo.data.corpus.trials import TrialLabels, labels_folder, trial_parts
from texedo.quality import ORACLE_VERSION
from texedo.tracker.oracle.trials import (
    Load,
    Verdicts,
    cpu_verdicts,
    device_verdicts,
    labels_of,
    loads,
)
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import PERTURBATIONS

SETTINGS_FILE = "labels.json"
_MIN_LOAD = 16_384
"""Motions of a load on a GPU: fewer would leave the worlds empty for too long at its
end."""


@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """How motions are tried."""

    draws: int = 5
    """Perturbed robots a motion."""
    seed: int = 0
    """Of the perturbed robots."""
    perturbation: str = "default"
    device: str = "cpu"
    worlds: int = 8192
    """Robots at once on a GPU."""
    workers: int | None = None
    """Threads on a CPU; all cores if not given."""

    def settings(self) -> dict[str, Any]:
        """What labels depend on."""
        return {
            "oracle_version": ORACLE_VERSION,
            "perturbation": self.perturbation,
            "draws": self.draws,
            "seed": self.seed,
        }


@dataclass(kw_only=True)
class Tempo:
    """How far the labelling is, and how fast; changes while it goes on."""

    live: float = 0.0
    """Control steps per second of the load at hand, idle worlds included."""
    begun: int = 0
    """Roll-outs of the load at hand that no longer wait."""
    motions: int = 0
    """Motions of all loads that are done."""
    frames: int = 0
    """Control steps that counted, in all loads that are done."""
    seconds: float = 0.0
    """Time that they took."""
    room: int = 0
    """Control steps of all worlds meanwhile; 0 on a CPU, where none is idle."""

    @property
    def rate(self) -> float:
        """Control steps per second."""
        return self.frames / self.seconds if self.seconds else 0.0

    def seconds_for(self, motions: int) -> float:
        """What so many more will take, if they go as those before; 0 before any."""
        return motions * self.seconds / self.motions if self.motions else 0.0

    @property
    def busy(self) -> float:
        """Share of the worlds' steps that counted."""
        return self.frames / self.room if self.room else 1.0


Report = Callable[[Tempo], None]
"""Hears of every change."""


def open_labels(folder: Path | str, policy: Policy, options: LabelOptions) -> Path:
    """The folder for the labels of a tracker; refused if it has other ones."""
    path = labels_folder(folder, policy.digest)
    wanted = {"tracker": policy.name, "digest": policy.digest, **options.settings()}
    file = path / SETTINGS_FILE
    if not file.exists():
        path.mkdir(parents=True, exist_ok=True)
        write_whole(file, (json.dumps(wanted, indent=1) + "\n").encode())
        return path
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        found = {key: stored[key] for key in options.settings()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FileFormatError(f"{file}: cannot be read ({error}).") from error
    for key, value in options.settings().items():
        if found[key] != value:
            raise FileFormatError(
                f"{path}: holds labels with {key} {found[key]}, not {value}; ask for "
                "the same, or move that folder away."
            )
    return path


def unlabelled(folder: Path | str, labels: Path) -> list[Path]:
    """Parts that have no labels yet, mixed: whoever stops early has some of every kind."""
    missing = [p for p in trial_parts(folder) if not (labels / p.name).exists()]
    return sorted(missing, key=lambda path: crc32(path.name.encode()))


def label_parts(
    paths: Sequence[Path],
    policy: Policy,
    options: LabelOptions,
    *,
    report: Report = lambda tempo: None,
    seconds: float = math.inf,
) -> Iterator[tuple[Path, TrialLabels]]:
    """Labels part by part, each as soon as all its motions are done.

    Begins no load that would not be done after so many seconds.
    """
    end = time.monotonic() + seconds
    if not paths:  # Worlds take a while to make.
        return
    on_gpu, tempo = options.device != "cpu", Tempo()
    size = max(_MIN_LOAD, 2 * options.worlds) if on_gpu else 1
    coming = loads(paths, motions=size, draws=options.draws, seed=options.seed)
    ahead = one_ahead(coming)  # Reads while the kernels are compiled.
    judge = _on_device(policy, options) if on_gpu else _on_cpu(policy, options)
    for load in ahead:
        started = time.monotonic()
        if started + tempo.seconds_for(len(load.frames)) > end:
            return
        verdicts = judge(load, tempo, report)
        tempo.seconds += time.monotonic() - started
        tempo.frames += int(verdicts.executed.sum())
        tempo.motions += len(load.frames)
        tempo.begun = 0
        report(tempo)
        yield from labels_of(load, verdicts)


Judge = Callable[[Load, Tempo, Report], Verdicts]


def _on_device(policy: Policy, options: LabelOptions) -> Judge:
    # Here and not above: it loads torch and MuJoCo-Warp.
    from texedo.tracker.oracle.device import DeviceOracle

    ranges = replace(PERTURBATIONS[options.perturbation], draws=options.draws)
    oracle = DeviceOracle(
        policy,
        device=options.device,
        worlds=options.worlds,
        perturbation=ranges if options.draws else None,
    )
    if options.device != "cpu":
        oracle.make_worlds(options.worlds)

    def judge(load: Load, tempo: Tempo, report: Report) -> Verdicts:
        before, started = tempo.room, time.monotonic()

        def watch(steps: int, begun: int) -> None:
            room = steps * oracle.worlds
            tempo.room, tempo.begun = before + room, begun
            tempo.live = room / max(time.monotonic() - started, 1e-9)
            report(tempo)

        return device_verdicts(load, oracle, watch=watch)

    return judge


def _on_cpu(policy: Policy, options: LabelOptions) -> Judge:
    ranges = replace(PERTURBATIONS[options.perturbation], draws=options.draws)

    def judge(load: Load, tempo: Tempo, report: Report) -> Verdicts:
        started = time.monotonic()

        def watch(steps: int, begun: int) -> None:
            tempo.begun = begun
            tempo.live = steps / max(time.monotonic() - started, 1e-9)
            report(tempo)

        return cpu_verdicts(
            load,
            policy,
            perturbation=ranges,
            seed=options.seed,
            workers=options.workers,
            watch=watch,
        )

    return judge
