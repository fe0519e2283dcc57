"""`texedo check`: measure motions against what the robot can do at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.apps.files.sources import read_sources
from texedo.core.errors import TexedoError
from texedo.core.visible import visible
from texedo.formats import Reading
from texedo.motion import Motion
from texedo.robot.check import CheckReport, check_motion, short_number

if TYPE_CHECKING:
    from texedo.apps.files.check_physics import Physics

COLOUR = {"pass": "green", "warn": "yellow", "offset": "cyan", "fail": "bold red"}


@dataclass(frozen=True)
class Cfg:
    """Check a motion before any controller runs it.

    Measures joint ranges and speeds, self-collision, floor, foot skate, jumps, balance,
    turns, and how far the first frame is from standing. `fail`: no controller could do
    it. `offset`: a fault that `texedo fix` takes away. `warn`: a controller may forgive
    it. Steps and jumps are measured between the frames of the file, at its own rate.
    With --physics also whether a controller can perform it, as `texedo rollout` does.
    Exit code 0: nothing fails. 1: something fails, or with --strict does not pass. 2: a
    file could not be read, or a motion not be rolled out.

    Example: texedo check dance.csv --from lafan1 --physics

    Example: texedo check motions --report motions.html
    """

    motions: tyro.conf.Positional[
        Annotated[tuple[Path, ...], tyro.conf.arg(metavar="MOTION...")]
    ]
    """Motion files, SONIC clips, or folders of them."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Their format, where a file does not identify it."""
    fps: float | None = None
    """Frame rate of the files [Hz], instead of what the file or format says."""
    brief: bool = False
    """One line per motion instead of a table."""
    json: bool = False
    """A JSON list with one object per motion on standard output."""
    strict: bool = False
    """Exit code 1 for anything but `pass`."""
    explain: bool = False
    """Explain every number and the reason for its limits."""
    physics: bool = False
    """Also perform the motions with a controller in simulation."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = "texedo"
    """The controller of --physics, as in `texedo rollout`."""
    report: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html")] = None
    """One page about all motions: verdicts, the worst with pictures, every file."""
    watch: bool = False
    """Go on checking files that are new or have changed, until Ctrl-C."""


def run(cfg: Cfg) -> int:
    if not cfg.motions:
        raise TexedoError("nothing to check: name at least one motion file.")
    if cfg.report is not None or cfg.watch:
        return _run_folder(cfg)
    console = make_console(width=140)
    reports: list[dict[str, Any]] = []
    found = read_sources(cfg.motions, format=cfg.from_, fps=cfg.fps)
    errors = found.errors
    physics = _physics(cfg, found.names, found.motions)
    rows = zip(found.names, found.motions, found.clips, physics, strict=True)
    for name, motion, clip, performed in rows:
        reading = clip.reading
        report = check_motion(motion, clip)
        record = _record(report, performed)
        reports.append({"file": name, **reading.to_dict(), **record})
        if not cfg.json:
            _print(console, (name, reading), report, performed, cfg)
        if performed is not None and performed.error is not None:
            print(f"error: {visible(name)}: {performed.error}", file=sys.stderr)
            errors += 1
    if cfg.json:
        print(json.dumps(reports, indent=2))
    bad = ("warn", "offset", "fail") if cfg.strict else ("fail",)
    return 2 if errors else int(any(r["verdict"] in bad for r in reports))


def _run_folder(cfg: Cfg) -> int:
    """Thousands of files: one line each, a page about all."""
    # Here and not above: a few files do without.
    from texedo.apps.files.check_many import check_many

    for name in ("json", "physics", "explain"):
        if getattr(cfg, name):
            raise TexedoError(
                f"--{name} is about single motions; leave it out, or --report and "
                "--watch."
            )
    return check_many(
        cfg.motions, format=cfg.from_, fps=cfg.fps, report=cfg.report, watch=cfg.watch
    )


def _physics(
    cfg: Cfg, names: list[str], motions: list[Motion]
) -> Sequence[Physics | None]:
    if not cfg.physics:
        return [None] * len(motions)
    # Here and not above: the other checks do without a simulator.
    from texedo.apps.files.check_physics import try_in_physics
    from texedo.tracker.policies.find import find_policy

    return try_in_physics(names, motions, find_policy(cfg.tracker))


def _record(report: CheckReport, physics: Physics | None) -> dict[str, Any]:
    record = report.to_dict()
    if physics is not None:
        record["physics"] = physics.record
        if physics.verdict == "fail":
            record["verdict"] = "fail"
    return record


def _print(
    console: Console,
    file: tuple[str, Reading],
    report: CheckReport,
    physics: Physics | None,
    cfg: Cfg,
) -> None:
    if cfg.brief:
        console.print(_line(*file, report, physics), soft_wrap=True)
        return
    table = _table(*file, report)
    notes = [(item.name, item.verdict, item.why) for item in report.items]
    if physics is not None:
        colour = COLOUR[physics.verdict]
        value, *cells = (escape(cell) for cell in physics.cells)
        verdict = f"[{colour}]{physics.verdict}[/]"
        table.add_row("physics", f"[{colour}]{value}[/]", *cells, verdict)
        notes.append(("physics", physics.verdict, physics.why))
    console.print(table)
    for check, verdict, why in notes:
        if cfg.explain or verdict != "pass":
            console.print(f"[{COLOUR[verdict]}]{check}[/]: {escape(why)}")


def _table(name: str, reading: Reading, report: CheckReport) -> Table:
    table = Table(
        title=f"{escape(visible(name))}: {reading.frames} frames at {reading}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("check")
    for name in ("worst", "offset >", "warn >", "fail >"):
        table.add_column(name, justify="right")
    table.add_column("unit")
    table.add_column("frame", justify="right")
    table.add_column("time", justify="right")
    table.add_column("where")
    table.add_column("frames over", justify="right")
    table.add_column("verdict")
    for item in report.items:
        colour = COLOUR[item.verdict]
        table.add_row(
            item.name,
            f"[{colour}]{short_number(item.value)}[/]",
            short_number(item.offset),
            short_number(item.warn),
            short_number(item.fail),
            item.unit,
            str(item.frame),
            f"{item.time:.2f} s",
            item.where,
            str(item.frames_over),
            f"[{colour}]{item.verdict}[/]",
        )
    return table


def _line(
    name: str, reading: Reading, report: CheckReport, physics: Physics | None
) -> str:
    bad = [item.phrase for item in report.items if item.verdict != "pass"]
    verdict = report.verdict
    if physics is not None and physics.verdict == "fail":
        verdict = "fail"
        bad.append(physics.phrase)
    tail = f": {'; '.join(bad)}" if bad else ""
    shown = f"{escape(visible(name))} ({reading.brief})"
    return f"[{COLOUR[verdict]}]{verdict}[/] {shown}{tail}"
