"""Options that the suites share, the models that they name, and what is printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

import tyro

from texedo.apps.bars import stage_bar
from texedo.apps.evaluate.options import NameOrPath, NumCandidates, OutFolder
from texedo.apps.tracker.label import check_device
from texedo.core.errors import TexedoError
from texedo.core.pool import Crew
from texedo.evaluation.device import CPU, DevicePhysics
from texedo.evaluation.samples import TOGETHER
from texedo.evaluation.suites.base import Base, Refuser
from texedo.evaluation.suites.folder import KEPT, Report, open_results, write_report
from texedo.evaluation.suites.judging import find_judges
from texedo.evaluation.suites.page import INTERVALS
from texedo.evaluation.suites.prompts import Asked, from_file, spread, unique
from texedo.see.dynamics.find import DEFAULT_DYNAMICS, find_dynamics
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import check_count
from texedo.text.generators.protocol import Generator
from texedo.tracker.policies.find import OURS as OUR_TRACKER
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import Perturbation, find_perturbation

_ON_GPU = 64
"""Prompts that are drawn and scored at once there."""

PromptsFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE")]
Judges = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="NAME"), tyro.conf.UseAppendAction
]


@dataclass(frozen=True)
class ModelsCfg:
    """Which models, where to, and on what."""

    out: OutFolder = Path("results")
    """Folder of results; suites that share it share candidates, scores and roll-outs."""
    generator: NameOrPath = OUR_GENERATOR
    """The generator, as in `texedo generate`; yours goes into the same tables."""
    tracker: NameOrPath = OUR_TRACKER
    """The controller that performs, as in `texedo rollout`."""
    dynamics: NameOrPath = DEFAULT_DYNAMICS
    """The dynamic verifier, as in `texedo score`."""
    semantics: NameOrPath = OUR_SEMANTICS
    """The semantic verifier, as in `texedo score`."""
    judge: Judges = ()
    """Who says from 1 to 10 how well a performance shows what was asked for; may be given
    several times, `none` for nobody. Unless given, `kinematic`, which measures it; `vlm`
    asks models, by keys in the environment."""
    seed: int = 0
    """Of the sampling, and of the perturbed robots."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where generator, verifiers and roll-outs run; `cuda` takes many prompts at once."""
    physics: Annotated[str | None, tyro.conf.arg(metavar="cpu|cuda")] = None
    """Where roll-outs are done, if not on --device. The CPU is the reference, and takes
    any tracker. Roll-outs of the two are kept apart, and the tables say which it was."""
    workers: int | None = None
    """Threads that roll out, and processes that post-process, check and judge; all cores
    if not given."""


@dataclass(frozen=True)
class SuiteCfg(ModelsCfg):
    """Options of every suite."""

    num: NumCandidates = 32
    """Candidates per prompt."""
    limit: int | None = None
    """At most this many prompts, from all over the list."""
    draws: int = 5
    """Perturbed robots that perform what was chosen; 0 for none."""
    json: bool = False
    """Print the report as JSON."""


@runtime_checkable
class Movable(Protocol):
    """A verifier that can run on a GPU."""

    def to(self, device: str) -> object: ...


@contextmanager
def open_base(cfg: SuiteCfg) -> Iterator[Base]:
    """The models by name, the folder, and a bar."""
    check_count(cfg.num)
    if cfg.draws < 0:
        raise TexedoError(f"--draws must be 0 or more, got {cfg.draws}.")
    if cfg.workers is not None and cfg.workers < 1:
        raise TexedoError(f"--workers must be at least 1, got {cfg.workers}.")
    for device in {cfg.device, cfg.physics or cfg.device}:
        check_device(device)
    verifiers = find_dynamics(cfg.dynamics), find_semantics(cfg.semantics)
    for own in verifiers:
        if cfg.device != CPU and isinstance(own, Movable):
            own.to(cfg.device)
    out, policy = open_results(cfg.out), find_policy(cfg.tracker)
    ranges = find_perturbation("default")
    perturbation = replace(ranges, draws=cfg.draws) if cfg.draws else None
    generator = find_one(cfg.generator, cfg.device)
    with stage_bar() as tell, Crew(cfg.workers) as crew:
        yield Base(
            generator=generator,
            policy=policy,
            dynamics=verifiers[0],
            semantics=verifiers[1],
            folder=out / KEPT,
            seed=cfg.seed,
            judges=find_judges(cfg.judge),
            refuser=_refuser(generator, verifiers[1]),
            perturbation=perturbation,
            workers=cfg.workers,
            physics=_physics(cfg, policy, perturbation),
            crew=crew,
            together=TOGETHER if cfg.device == CPU else _ON_GPU,
            report=tell,
        )


def find_one(which: str, device: str) -> Generator:
    """The generator of that name; on a GPU if so wanted, or if there is one."""
    return find_generator(which, device="auto" if device == CPU else device)


def _physics(
    cfg: SuiteCfg, policy: Policy, perturbation: Perturbation | None
) -> DevicePhysics | None:
    """None: the CPU."""
    device = cfg.physics or cfg.device
    if device == CPU:
        return None
    return DevicePhysics(policy, device=device, perturbation=perturbation)


def _refuser(generator: Generator, semantics: SemanticVerifier) -> Refuser | None:
    """The rule that ships knows what our own generator has learnt, and no other."""
    if generator.name != OUR_GENERATOR:
        return None
    # Here and not above: it loads the text encoder.
    from texedo.pipeline.refusal import find_refuser

    return find_refuser(semantics=semantics.digest)


def few(asked: list[Asked], file: Path | None, limit: int | None) -> list[Asked]:
    """The prompts of the file in their place if there is one, each once."""
    return spread(unique(asked if file is None else from_file(file)), limit)


def tell(cfg: SuiteCfg, report: Report) -> None:
    """Write all files of the suite, and print the tables."""
    folder = write_report(cfg.out, report)
    if cfg.json:
        print((folder / f"{report.suite}.json").read_text(encoding="utf-8"), end="")
        return
    print((folder / f"{report.suite}.md").read_text(encoding="utf-8"))
    print(INTERVALS.replace("*", ""))
    print(f"{folder}: {report.suite}.json, .md, .csv and index.html")
