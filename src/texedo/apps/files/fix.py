"""`texedo fix`: motions repaired rather than rejected."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.apps.files import convert
from texedo.apps.files.check import COLOUR
from texedo.core.files import atomic_path
from texedo.formats import FileClip, Format, Reading, motion_from_clip, save_clip
from texedo.formats.clip import clip_from_motion
from texedo.formats.motion_file import MotionFile
from texedo.formats.registry import choose
from texedo.formats.runs import run_motion
from texedo.motion import Motion
from texedo.robot.check import VERDICTS, short_number
from texedo.robot.render import render_motion
from texedo.robot.render.files import check_suffix
from texedo.robot.repair import RepairRecord, repair


@dataclass(frozen=True)
class Cfg(convert.Cfg):
    """Repair motions: floor, ranges, motor speeds, overlap, jumps, sliding feet.

    The clip is put on its floor, joints are kept within their ranges and their motors'
    speeds, overlapping limbs are moved apart, jumps are smoothed, and feet that stand
    no longer slide. Everything is done where the fault is, with the least change; what
    `texedo check` finds nothing in is written as it was. What no repair can help, such
    as a jump that is too high, is left to `texedo check` to tell.
    Files and folders are read and written as by `texedo convert`, but without --to one
    file keeps its format where the ending of OUT allows that. Exit code 0: nothing
    that was written fails. 1: something still fails, or could not be read.

    Example: texedo fix dance.npz -o fixed.npz --video dance.mp4

    Example: texedo fix clips -o fixed --brief
    """

    video: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Film what was changed, the motion as it was as a ghost: mp4, gif or png."""
    brief: bool = False
    """One line per motion instead of a table."""
    json: bool = False
    """A JSON list with one object per motion on standard output."""


def run(cfg: Cfg) -> int:
    if cfg.video is not None:
        check_suffix(cfg.video)  # Before the work, not after it.
    cfg = _in_same_format(cfg)
    jobs: list[_FixJob] = []

    def make_job(_: convert.Cfg, target: Format, num_sources: int) -> _FixJob:
        jobs.append(_FixJob(cfg, target, num_sources))
        return jobs[0]

    code = convert.rewrite(cfg, make_job)
    done = jobs[0].done
    if cfg.json:
        rows = [
            {"file": item.name, **item.reading.to_dict(), **_to_dict(item.record)}
            for item in done
        ]
        print(json.dumps(rows, indent=2))
    elif len(done) > 1:
        make_console(soft_wrap=True).print(_summary(done))
    failing = any(item.record.after.verdict == "fail" for item in done)
    return 1 if code or failing else 0


def _in_same_format(cfg: Cfg) -> Cfg:
    """A repaired file is what it was, unless something else is asked for."""
    path = run_motion(cfg.input) or cfg.input
    if cfg.to is not None or not path.is_file() or cfg.output.is_dir():
        return cfg
    came_in, _ = choose(MotionFile(path), cfg.from_, fps=cfg.fps)
    fits = came_in.write and cfg.output.suffix.lower() in came_in.extensions
    return replace(cfg, to=came_in.name) if fits else cfg


@dataclass(frozen=True, kw_only=True)
class _Fixed:
    name: str
    reading: Reading
    record: RepairRecord


class _FixJob(convert.Job):
    """Like converting, with a repair before each motion is written."""

    verb = "repairing"
    same_rate = ""

    def __init__(self, cfg: Cfg, target: Format, num_sources: int) -> None:
        super().__init__(cfg, target, num_sources)
        self.fix = cfg
        self.done: list[_Fixed] = []
        self.console = make_console(width=120)
        self.quiet = cfg.json

    def save(self, clip: FileClip, output: Path, *, where: str) -> None:
        self.refuse_twice(output, where)
        motion = motion_from_clip(clip, where)
        (fixed,), (record,) = repair([motion], [clip])
        if record.changed:
            # Repaired at 50 Hz, written at the rate that it came in.
            at = clip_from_motion(fixed).at_rate(clip.fps)
            saved = save_clip(at, output, format=self.target.name, fps=self.cfg.to_fps)
            self.note(output, read=clip.reading, saved=saved.reading)
        elif self._same_file():
            assert self.source is not None
            with atomic_path(output) as temporary:
                shutil.copyfile(self.source, temporary)
            self.note(output, read=clip.reading, saved=clip.reading)
        else:
            super().save(clip, output, where=where)
        self.done.append(_Fixed(name=where, reading=clip.reading, record=record))
        if not self.quiet:
            name = f"{where} ({clip.reading.brief})"
            _print(self.console, name, record, brief=self.fix.brief)
        if record.changed and self.fix.video is not None:
            self._film(motion, fixed, output)

    def _same_file(self) -> bool:
        """Whether the output is to be what the input is, so that it can be copied."""
        loaded, cfg = self.loaded, self.fix
        if loaded is None or self.source is None or not self.source.is_file():
            return False
        asked = cfg.fps is not None or cfg.to_fps is not None
        same = loaded.format.name == self.target.name
        return same and not asked and len(loaded.clips) == 1

    def _film(self, before: Motion, after: Motion, output: Path) -> None:
        video = self.fix.video
        assert video is not None
        if self.total > 1:
            video = video.with_name(f"{video.stem}-{output.stem}{video.suffix}")
        render_motion(after, video, ghost=before)
        if not self.quiet:
            self.console.print(f"filmed {escape(str(video))}; the ghost is as it was")


def _print(console: Console, name: str, record: RepairRecord, *, brief: bool) -> None:
    if brief or not record.changed:
        console.print(_line(name, record), soft_wrap=True)
        return
    console.print(_table(name, record))
    console.print(_changes(record))


def _line(name: str, record: RepairRecord) -> str:
    before, after = record.before.verdict, record.after.verdict
    if not record.changed:
        said = "nothing to repair" if before == "pass" else "left as it was"
        return f"[{COLOUR[before]}]{before}[/] {escape(name)}: {said}"
    what = ", ".join(record.repaired)
    return (
        f"{before} -> [{COLOUR[after]}]{after}[/] {escape(name)}: {what}; "
        f"poses changed by {100 * record.pose_change:.1f} cm"
    )


def _table(name: str, record: RepairRecord) -> Table:
    """Every check that found something before or after."""
    table = Table(title=escape(name), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("check")
    for column in ("before", "after"):
        table.add_column(column, justify="right")
    table.add_column("unit")
    table.add_column("verdict")
    for was, now in zip(record.before.items, record.after.items, strict=True):
        if was.verdict == now.verdict == "pass":
            continue
        table.add_row(
            was.name,
            f"[{COLOUR[was.verdict]}]{short_number(was.value)}[/]",
            f"[{COLOUR[now.verdict]}]{short_number(now.value)}[/]",
            was.unit,
            f"{was.verdict} -> [{COLOUR[now.verdict]}]{now.verdict}[/]",
        )
    return table


def _changes(record: RepairRecord) -> str:
    return (
        f"poses changed by {100 * record.pose_change:.1f} cm in the mean, joints by "
        f"{record.largest_turn:.2f} rad at most; raised by "
        f"{100 * record.floor_shift:.1f} cm; path moved by "
        f"{100 * record.path_change:.0f} cm at most"
        + (f"; {record.seconds_added:.2f} s longer" if record.seconds_added else "")
    )


def _summary(done: list[_Fixed]) -> str:
    """How many motions have which verdict, before and after."""
    parts = []
    for when in ("before", "after"):
        count = Counter(getattr(item.record, when).verdict for item in done)
        told = [f"{count[name]} {name}" for name in VERDICTS if count[name]]
        parts.append(f"{when}: {', '.join(told)}")
    return "; ".join(parts)


def _to_dict(record: RepairRecord) -> dict[str, Any]:
    checks = [
        {"name": was.name, "unit": was.unit, "before": was.value, "after": now.value}
        for was, now in zip(record.before.items, record.after.items, strict=True)
    ]
    return {**record.to_dict(), "checks": checks}
