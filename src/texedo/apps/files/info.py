"""`texedo info`: what is in a motion file, or what it might be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.core.errors import AmbiguousFormatError, TexedoError
from texedo.formats import (
    FileClip,
    detect,
    find_sources,
    get_format,
    load_clip,
    motion_from_clip,
    read_clips,
)
from texedo.motion import FPS, Motion, relative_yaw
from texedo.motion.rotations import quat_normalize, quat_rotate
from texedo.robot.g1 import (
    BODY_INDEX,
    JOINT_LOWER,
    JOINT_UPPER,
    SOLE_HEIGHT,
    SPEED_LIMIT,
)
from texedo.robot.kinematics import forward_kinematics

_MAX_ROWS = 30
_LOOK_FRAMES = 500
_FEET = [BODY_INDEX[f"{side}_ankle_roll_link"] for side in ("left", "right")]


@dataclass(frozen=True)
class Cfg:
    """Say which format each file has and what moves in it.

    A file that does not prove its layout is shown under every layout it may have, so
    that you can see which one is plausible. Exit code 1: some file could not be
    understood.

    Example: texedo info walk.npz dance.csv --from lafan1
    """

    files: tyro.conf.Positional[tuple[Path, ...]]
    """Motion files, SONIC clips, or folders of them."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Their format, where a file does not identify it."""
    fps: float | None = None
    """Frame rate of the files [Hz], instead of what the file or format says."""
    json: bool = False
    """A JSON list with one object per file on standard output."""


def run(cfg: Cfg) -> int:
    if not cfg.files:
        raise TexedoError("nothing to look at: name at least one motion file.")
    paths = [path for item in cfg.files for path in _expand(item)]
    reports = [_report(path, format=cfg.from_, fps=cfg.fps) for path in paths]
    if cfg.json:
        print(json.dumps(reports, indent=2))
    else:
        _print(reports)
    return 1 if any("error" in report for report in reports) else 0


def _expand(path: Path) -> list[Path]:
    # An empty folder stands for itself, so that it is reported and not dropped.
    return find_sources(path).sources or [path]


def _report(path: Path, *, format: str | None, fps: float | None) -> dict[str, Any]:
    report: dict[str, Any] = {"file": str(path)}
    try:
        loaded = read_clips(path, format=format, fps=fps)
        report["format"] = loaded.format.name
        report["evidence"] = loaded.evidence
        if proof := next(iter(loaded.clips.values())).proof:
            report["proof"] = proof
        report["clips"] = [
            {"name": name, **_summary(clip, motion_from_clip(clip, path))}
            for name, clip in loaded.clips.items()
        ]
    except AmbiguousFormatError as error:
        report["error"] = str(error)
        report["rates"] = _rates(path, detect(path)[0].format)
        report["candidates"] = [
            {
                "format": candidate.format,
                "evidence": candidate.evidence,
                "description": get_format(candidate.format).description,
                **_look(path, candidate.format, fps=fps),
            }
            for candidate in detect(path)
        ]
    except TexedoError as error:
        report["error"] = str(error)
    return report


def _summary(clip: FileClip, motion: Motion) -> dict[str, Any]:
    height = motion.root_pos_w[:, 2]
    steps = np.diff(motion.root_pos_w[:, :2].astype(np.float64), axis=0)
    return {
        "frames": len(clip),
        **clip.reading.to_dict(),
        "root_height_m": [round(float(h), 4) for h in (height.min(), height.max())],
        "distance_m": round(float(np.linalg.norm(steps, axis=1).sum()), 4),
        "yaw_change_deg": round(float(np.rad2deg(relative_yaw(motion)[-1])), 2),
    }


def _rates(path: Path, format: str) -> list[dict[str, float]]:
    """What a file that states no rate would be at the usual ones."""
    try:
        clip = load_clip(path, format=format)
    except TexedoError:
        return []
    if clip.rate.origin != "format":
        return []
    return [
        {
            "fps": choice.fps,
            "duration_s": round(choice.duration, 6),
            "top_joint_speed_rad_s": round(choice.top_speed, 4),
        }
        for choice in clip.at_usual_rates()
    ]


def _look(path: Path, format: str, *, fps: float | None) -> dict[str, Any]:
    """What a file would be in one layout: does it stand, and can a G1 move so?"""
    try:
        try:
            clips = read_clips(path, format=format, fps=fps).clips
        except TexedoError:
            # A rate that nothing tells must not hide whether the layout fits.
            clips = read_clips(path, format=format, fps=FPS).clips
            unknown = {"fps": None, "top_joint_speed_percent": None}
            return {**_impression(next(iter(clips.values()))), **unknown}
        return _impression(next(iter(clips.values())))
    except TexedoError as error:
        return {"problem": str(error).removeprefix(f"{path}: ")}


def _impression(clip: FileClip) -> dict[str, Any]:
    quat = np.asarray(clip.root_quat_w[:_LOOK_FRAMES], dtype=np.float64)
    joints = np.asarray(clip.joint_pos[:_LOOK_FRAMES], dtype=np.float64)
    pos = np.asarray(clip.root_pos_w[:_LOOK_FRAMES], dtype=np.float64)
    norm = np.linalg.norm(quat, axis=1)
    if not all(np.isfinite(a).all() for a in (pos, quat, joints)) or norm.min() < 0.1:
        return {"problem": "holds NaN, infinity or a zero quaternion"}
    quat = quat_normalize(quat)
    up = quat_rotate(quat, np.array([0.0, 0.0, 1.0]))[:, 2]
    feet = forward_kinematics(pos, quat, joints).pos_w[:, _FEET, 2].min(axis=1)
    outside = (joints < JOINT_LOWER - 1e-3) | (joints > JOINT_UPPER + 1e-3)
    speed = np.abs(np.diff(joints, axis=0)) * clip.fps / SPEED_LIMIT
    return {
        "fps": clip.fps,
        "quaternion_length": [round(float(n), 4) for n in (norm.min(), norm.max())],
        "lean_deg": round(
            float(np.rad2deg(np.arccos(np.clip(np.median(up), -1, 1)))), 1
        ),
        "root_height_m": round(float(np.median(pos[:, 2])), 3),
        "sole_height_m": round(float(np.median(feet)) + SOLE_HEIGHT, 3),
        "joints_outside_range_percent": round(float(100 * outside.mean()), 1),
        "top_joint_speed_percent": round(float(100 * speed.max(initial=0.0)), 1),
    }


def _print(reports: list[dict[str, Any]]) -> None:
    console = make_console(width=160)
    good = [report for report in reports if "clips" in report]
    if good:
        console.print(_table(good))
    for report in reports:
        if "error" not in report:
            continue
        console.print(f"[bold red]{escape(report['error'])}[/]", soft_wrap=True)
        if report.get("candidates"):
            console.print(_candidate_table(report))


def _table(reports: list[dict[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("file", "format", "evidence"):
        table.add_column(name, overflow="fold")
    for name in ("frames", "fps", "lasts", "root height", "path", "turn"):
        table.add_column(name, justify="right", no_wrap=True)
    for report in reports:
        clips = report["clips"]
        for clip in clips[:_MAX_ROWS]:
            several = f": {clip['name']}" if len(clips) > 1 else ""
            low, high = clip["root_height_m"]
            table.add_row(
                escape(report["file"] + several),
                report["format"],
                escape("; ".join((report["evidence"], *_proof(report)))),
                str(clip["frames"]),
                f"{clip['fps']:g} {clip['fps_is']}",
                f"{clip['duration_s']:.2f} s",
                f"{low:.2f} to {high:.2f} m",
                f"{clip['distance_m']:.2f} m",
                f"{clip['yaw_change_deg']:+.0f} deg",
            )
        if len(clips) > _MAX_ROWS:
            table.add_row(
                f"... and {len(clips) - _MAX_ROWS} more clips (all in --json)"
            )
    return table


def _proof(report: dict[str, Any]) -> list[str]:
    return [report["proof"]] if "proof" in report else []


def _candidate_table(report: dict[str, Any]) -> Table:
    table = Table(
        title="read as ...", title_justify="left", box=box.SIMPLE_HEAD, title_style=""
    )
    table.add_column("format", no_wrap=True)
    names = ("|quat|", "lean", "root at", "soles at", "joints out", "top speed", "fps")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("layout, and what speaks for or against it", overflow="fold")
    for row in report["candidates"]:
        note = f"{row['description']}; {row.get('problem') or row['evidence']}"
        table.add_row(row["format"], *_impression_cells(row), escape(note))
    table.caption = (
        "A robot that stands leans little, has its soles near 0 m, its joints in range, "
        "and moves below 100 % of what its motors can."
    )
    table.caption_justify = "left"
    return table


def _impression_cells(row: dict[str, Any]) -> list[str]:
    if "problem" in row:
        return ["-"] * 7
    low, high = row["quaternion_length"]
    fps, speed = row["fps"], row["top_joint_speed_percent"]
    return [
        f"{low:.2f} to {high:.2f}",
        f"{row['lean_deg']:.0f} deg",
        f"{row['root_height_m']:.2f} m",
        f"{row['sole_height_m']:+.2f} m",
        f"{row['joints_outside_range_percent']:.0f} %",
        "?" if speed is None else f"{speed:.0f} %",
        "?" if fps is None else f"{fps:g}",
    ]
