"""`texedo rollout`: can the controller perform this motion, and where does it fail?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich import box
from rich.markup import escape
from rich.table import Table

from texedo.apps.bars import progress_bar
from texedo.apps.console import make_console
from texedo.apps.files.sources import Sources, read_sources
from texedo.apps.tracker.rollout_video import Scene, film_rollout
from texedo.core.errors import TexedoError
from texedo.motion import FPS, Motion
from texedo.quality import reason_text
from texedo.robot.render.files import check_suffix
from texedo.tracker.oracle.rollout import Rollouts, rollout
from texedo.tracker.policies.find import OURS, find_policy


@dataclass(frozen=True)
class Cfg:
    """Perform motions with a controller in physics and report how it went.

    A rollout has failed when the pelvis is 25 cm too high or low or tilted too far, or
    a hand or foot is 25 cm too high or low. Errors are means over the frames before.
    Exit code 0: all succeed. 1: some fail. 2: some could not be rolled out.

    Example: texedo rollout dance.npz --video dance.mp4
    """

    motions: tyro.conf.Positional[
        Annotated[tuple[Path, ...], tyro.conf.arg(metavar="MOTION...")]
    ]
    """Motion files, or folders of them."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller: `texedo` (ours), `open-loop` (none: joints follow the reference),
    the folder of a trained one, an ONNX policy of BeyondMimic or
    mjlab, or a SONIC folder."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motions, where a file does not identify it."""
    fps: float | None = None
    """Frame rate of the files [Hz], instead of what the file or format says."""
    perturb: bool = False
    """Five robots per motion, each with its own friction, masses, motors, pushes, noise
    and delay, instead of the nominal one."""
    seed: int = 0
    """Which five."""
    video: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Render it: x.mp4, x.gif, or x.png (contact sheet); the reference is the
    blue ghost. With several motions, one file each: x-NAME.mp4."""
    json: bool = False
    """A JSON list with one object per motion on standard output."""
    workers: int | None = None
    """Threads; all cores if not given."""


def run(cfg: Cfg) -> int:
    if cfg.workers is not None and cfg.workers < 1:
        raise TexedoError(f"--workers must be at least 1, got {cfg.workers}.")
    if cfg.video is not None:
        check_suffix(cfg.video)  # Before the work, not after it.
    policy = find_policy(cfg.tracker)
    if not cfg.motions:
        raise TexedoError("nothing to roll out: name at least one motion file.")
    found = read_sources(cfg.motions, format=cfg.from_, fps=cfg.fps)
    motions = found.motions
    with progress_bar("rolling out") as report:
        result = rollout(
            motions,
            policy,
            perturbation="default" if cfg.perturb else None,
            seed=cfg.seed,
            workers=cfg.workers,
            keep_states=cfg.video is not None,
            progress=report,
        )
    _print(cfg, found, result)
    if cfg.video is not None:
        for path in _film(cfg.video, found.names, motions, result):
            print(path, file=sys.stderr if cfg.json else sys.stdout)
    if found.errors or not result.valid.all():
        return 2
    return int(not result.success.all())


def _print(cfg: Cfg, found: Sources, result: Rollouts) -> None:
    if cfg.json:
        records = to_records(found.names, found.motions, result)
        pairs = zip(records, found.readings, strict=True)
        said = [{**record, **reading.to_dict()} for record, reading in pairs]
        print(json.dumps(said, indent=2))
    elif found.motions:
        console = make_console(width=170)
        console.print(_table(found, result))
        if result.normalizers is None:
            console.print("Q* is unknown: this tracker has no normalisers yet.")
    for name, error in zip(found.names, result.errors, strict=True):
        if error is not None:
            print(f"error: {name}: {error}", file=sys.stderr)


def to_records(
    names: list[str], motions: list[Motion], result: Rollouts
) -> list[dict[str, Any]]:
    """Plain JSON values, one object per motion with all its rollouts."""
    records = []
    for i, (name, motion) in enumerate(zip(names, motions, strict=True)):
        error = result.errors[i]
        draws = 0 if error is not None else _draws(result)
        records.append(
            {
                "file": name,
                "num_frames": len(motion),
                "tracker": result.policy_name,
                "tracker_hash": result.policy_digest,
                "oracle_version": result.oracle_version,
                "perturbation": result.perturbation,
                "seed": result.seed,
                "error": error,
                "success": float(result.robust_success[i]) if draws else None,
                "rollouts": [_row(result, i, d) for d in range(draws)],
            }
        )
    return records


def _draws(result: Rollouts) -> int:
    return result.shape[1] if len(result.shape) > 1 else 1


def _row(result: Rollouts, motion: int, index: int) -> dict[str, Any]:
    def number(array: Any) -> float | None:
        value = float(array.reshape(len(result.errors), -1)[motion, index])
        return value if np.isfinite(value) else None

    quality = result.quality
    frame = number(quality.failure_frame)
    success = bool(number(quality.success))
    return {
        "success": success,
        "progress": number(quality.progress),
        "failure_frame": None if success or frame is None else int(frame),
        "reasons": [r for r in result.reason(motion, index).split("+") if r],
        "mpjpe_l_mm": number(quality.mpjpe_l),
        "e_vel_mm_per_frame": number(quality.e_vel),
        "e_acc_mm_per_frame2": number(quality.e_acc),
        "q_d": number(quality.q_d),
        "q_star": number(quality.q_star),
        "planar_drift_m": number(result.planar_drift),
        "torque_saturation": number(result.saturation),
        "foot_slip_m_per_s": number(result.foot_slip),
    }


def _table(found: Sources, result: Rollouts) -> Table:
    title = f"tracker {result.policy_name}"
    if result.perturbation is not None:
        title += f", {_draws(result)} perturbed robots per motion, seed {result.seed}"
    table = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("motion", overflow="fold")
    table.add_column("read at", overflow="fold")
    table.add_column("result")
    for name in ("progress", "failed at"):
        table.add_column(name, justify="right")
    table.add_column("because of")
    for name in ("E_mpjpe-l", "E_vel", "E_acc", "Q*", "drift", "saturated", "slip"):
        table.add_column(name, justify="right")
    for i, (name, reading) in enumerate(zip(found.names, found.readings, strict=True)):
        if result.errors[i] is not None:
            table.add_row(escape(name), reading.brief, "[yellow]not rolled out[/]")
        else:
            table.add_row(escape(name), reading.brief, *_cells(result, i))
    table.caption = (
        "errors in mm, mm/frame, mm/frame²; drift in m; slip in m/s; means over robots"
    )
    return table


def _cells(result: Rollouts, motion: int) -> Iterator[str]:
    rows = [_row(result, motion, d) for d in range(_draws(result))]
    good = sum(row["success"] for row in rows)
    colour = "green" if good == len(rows) else "bold red" if not good else "yellow"
    text = ("success" if good else "fails") if len(rows) == 1 else f"{good}/{len(rows)}"
    yield f"[{colour}]{text}[/]"
    yield _mean(rows, "progress", "{:.0%}")
    first = min((r for r in rows if not r["success"]), key=_failure_frame, default=None)
    if first is None:
        yield from ("", "")
    else:
        frame = first["failure_frame"]
        yield f"{frame} ({frame / FPS:.2f} s)"
        yield reason_text(first["reasons"])
    yield _mean(rows, "mpjpe_l_mm", "{:.1f}")
    yield _mean(rows, "e_vel_mm_per_frame", "{:.2f}")
    yield _mean(rows, "e_acc_mm_per_frame2", "{:.2f}")
    yield _mean(rows, "q_star", "{:.3f}")
    yield _mean(rows, "planar_drift_m", "{:.2f}")
    yield _mean(rows, "torque_saturation", "{:.1%}")
    yield _mean(rows, "foot_slip_m_per_s", "{:.3f}")


def _failure_frame(row: dict[str, Any]) -> int:
    return int(row["failure_frame"])


def _mean(rows: list[dict[str, Any]], key: str, form: str) -> str:
    values = [row[key] for row in rows if row[key] is not None]
    return form.format(sum(values) / len(values)) if values else "-"


def _film(
    video: Path, names: list[str], motions: list[Motion], result: Rollouts
) -> Iterator[Path]:
    """Films of the motions that were rolled out; of five robots, the worst."""
    for i, motion in enumerate(motions):
        if result.errors[i] is not None:
            continue
        progress = result.quality.progress.reshape(len(motions), -1)[i]
        index = int(progress.argmin())
        row = _row(result, i, index)
        verdict = "performed to the end"
        if not row["success"]:
            seconds = row["failure_frame"] / FPS
            verdict = f"failed at {seconds:.2f} s: {reason_text(row['reasons'])}"
        path = video
        if len(motions) > 1:
            path = video.with_name(f"{video.stem}-{_stem(names[i])}{video.suffix}")
        yield film_rollout(
            Scene(
                executed=result.states[i, index],
                reference=motion,
                verdict=verdict,
                success=row["success"],
            ),
            path,
        )


def _stem(name: str) -> str:
    kept = (c if c.isalnum() or c in "-_." else "_" for c in Path(name).stem)
    return "".join(kept)
