"""`texedo evaluate dynamics`: does a verifier know what the robot will manage?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

import tyro

from texedo.apps.bars import stage_bar
from texedo.apps.evaluate import options
from texedo.checkpoints.artifact import read_config
from texedo.checkpoints.bundled import BUNDLED, GENERATOR
from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.data.corpus.trials import labels_folder
from texedo.evaluation.dynamics.curve import reliability_svg
from texedo.evaluation.dynamics.page import page
from texedo.evaluation.dynamics.report import Bench, dynamics_report, guarantee_report
from texedo.evaluation.dynamics.rollouts import SUITES
from texedo.evaluation.tables import json_text
from texedo.see.dynamics.find import DEFAULT_DYNAMICS, find_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.text.generators.prompts import DEFAULT_SAMPLING
from texedo.tracker.policies.find import OURS, find_policy

FORECASTS = "forecasts"
"""Folder of what verifiers said, in the output folder."""

Verifiers = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="NAME|PATH"), tyro.conf.UseAppendAction
]
Labels = Annotated[Path | None, tyro.conf.arg(metavar="DIR")]
Trials = tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="TRIALS")]]
Device = Annotated[str, tyro.conf.arg(metavar="cpu|cuda")]


@dataclass(frozen=True)
class Cfg:
    """Measure dynamic verifiers on labelled motions that were held out, each test set by
    itself: the heads, the order within a prompt, the choice from N, calibration, the time
    of the fall. The paper's own figures stand beside them.

    What a verifier says of the motions is kept in the output folder and not asked again.

    Example: texedo evaluate dynamics trials --dynamics texedo --dynamics paper -o report
    """

    trials: Trials
    """Folder of labelled motions."""
    out: options.OutFolder = Path("dynamics-report")
    """Folder for dynamics.json, dynamics.md, reliability curves (SVG) and forecasts."""
    dynamics: Verifiers = ()
    """A dynamic verifier, as in `texedo score`; may be given several times. Ours unless
    given."""
    suite: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="NAME"), tyro.conf.UseAppendAction
    ] = ()
    """A test set; may be given several times. All unless given: plain, lively, foreign."""
    labels: Labels = None
    """Folder of labels; those of --tracker in TRIALS unless given."""
    tracker: options.NameOrPath = OURS
    """The controller that performed the motions: Q* rests on its error limits."""
    guarantee: bool = False
    """Choose a threshold on half of the prompts of the test sets but `foreign`, and see
    whether it holds on the others, 100 times."""
    max_failure: float = 0.01
    """With --guarantee: the failure rate that is promised."""
    confidence: float = 0.95
    """With --guarantee: how often a threshold may not be wrong."""
    each: bool = False
    """With --guarantee: promise it of each test set by itself, not of all together."""
    boldness: bool = False
    """How far joints travel by temperature and guidance, among candidates for captions of
    `val`."""
    device: Device = "cpu"
    """Where the verifiers run."""
    json: bool = False
    """Print the report as JSON."""


@runtime_checkable
class Movable(Protocol):
    """A verifier that can run on a GPU."""

    def to(self, device: str) -> object: ...


def run(cfg: Cfg) -> int:
    names, suites = cfg.dynamics or (DEFAULT_DYNAMICS,), cfg.suite or SUITES
    verifiers = {which: find_on(which, cfg.device) for which in names}
    check_rate(cfg.max_failure, cfg.confidence)
    with open_bench(cfg.trials, cfg.labels, cfg.tracker, cfg.out) as bench:
        report = dynamics_report(
            bench,
            verifiers,
            suites=suites,
            shipped=shipped_settings() if cfg.boldness else None,
        )
        if cfg.guarantee:
            report["guarantee"] = guarantee_report(
                bench,
                verifiers,
                suites=[name for name in suites if name != "foreign"],
                max_failure=cfg.max_failure,
                confidence=cfg.confidence,
                each=cfg.each,
            )
    _write(cfg.out, report)
    said = json_text(report) if cfg.json else f"{page(report)}\n{cfg.out}/dynamics.json"
    print(said)
    return 0


def find_on(which: str, device: str) -> DynamicsVerifier:
    """The verifier, on that device."""
    verifier = find_dynamics(which)
    if isinstance(verifier, Movable):
        verifier.to(device)
    return verifier


@contextmanager
def open_bench(
    trials: Path, labels: Path | None, tracker: str, out: Path
) -> Iterator[Bench]:
    """Labelled motions with the limits of the tracker that performed them, and a bar."""
    policy = find_policy(tracker)
    own = labels_folder(trials, policy.digest)
    if policy.normalizers is None:
        raise TexedoError(
            f"Tracker {policy.name!r} has no error limits for Q*; name another --tracker."
        )
    if labels is not None and labels.name.startswith("labels-"):
        if labels.name != own.name:
            raise TexedoError(
                f"{labels}: not by tracker {policy.name!r} ({own.name}); name the "
                "--tracker that made them."
            )
    elif labels is None and not own.is_dir():
        raise TexedoError(
            f"{own}: is missing: tracker {policy.name!r} has labelled nothing there; "
            "name the --tracker that has."
        )
    with stage_bar() as report:
        yield Bench(
            trials=trials,
            labels=labels or own,
            normalizers=policy.normalizers,
            folder=out / FORECASTS,
            report=report,
        )


def check_rate(max_failure: float, confidence: float) -> None:
    """Both must be real shares."""
    for name, value in (("--max-failure", max_failure), ("--confidence", confidence)):
        if not 0 < value < 1:
            raise TexedoError(f"{name} must be between 0 and 1, got {value:g}.")


def shipped_settings() -> tuple[float, float]:
    """Temperature and guidance of the generator that ships, if nothing else is said."""
    config = read_config(BUNDLED / GENERATOR, kind="motion-language-model")
    return float(DEFAULT_SAMPLING.temperature or 1.0), float(config["guidance"])


def _write(out: Path, report: Mapping[str, Any]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "dynamics.json", (json_text(dict(report)) + "\n").encode())
    write_whole(out / "dynamics.md", page(report).encode())
    for suite, found in report["suites"].items():
        for kind in ("success", "perturbed robots"):
            curves = {
                name: own["calibration"][kind]["bins"]
                for name, own in found.items()
                if kind in own["calibration"]
            }
            if curves:
                picture = reliability_svg(curves, title=f"{suite}: {kind}")
                name = f"reliability-{suite}-{kind.replace(' ', '-')}.svg"
                write_whole(out / name, picture.encode())
