"""The folder of one generated motion: what is in it, and whether it is finished.

    motion.npz         the motion to play
    motion-FORMAT.*    the same for others, as asked for
    candidates.csv     every candidate: scores, checks, post-processing, why not chosen
    candidates/        the candidates themselves, if asked for
    performance.mp4    the controller performs it, and the reference is the ghost; or the
                       motion itself, if nobody performed it
    sheet.png          the same as a contact sheet
    run.json           the request, the choice, hashes and timings; written last

A folder whose `run.json` holds the same request is finished. `ownership` says which files
of a folder may be replaced.
"""

from __future__ import annotations

import csv
import importlib.metadata
import io
import platform
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import texedo
from texedo.apps.generate.ownership import (
    RUN_VERSION,
    check_folder,
    file_hashes,
    install,
    owned_files,
    staging_folder,
)
from texedo.apps.tracker.rollout_video import (
    FILM_FPS,
    Scene,
    film_rollout,
    quick_backend,
)
from texedo.core.files import write_whole
from texedo.data.corpus.label_table import clip_hash
from texedo.formats import get_format, save_motion
from texedo.formats.runs import CANDIDATES, MOTION_FILE
from texedo.motion import FPS
from texedo.pipeline import Candidate, Generated
from texedo.robot.render import render_motion

TABLE_FILE = "candidates.csv"
VIDEO_FILE, SHEET_FILE = "performance.mp4", "sheet.png"
FILM_SIZE = (480, 360)
"""Small enough to be drawn without a graphics card while one waits."""
LONG = 8.0
"""A longer performance is filmed with half as many pictures a second [s]."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a run folder should hold beside the motion and the table."""

    formats: tuple[str, ...] = ()
    keep_candidates: bool = False
    video: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {
            "formats": list(self.formats),
            "keep_candidates": self.keep_candidates,
            "video": self.video,
        }

    def places(self) -> list[str]:
        """Names of the files and folders that it needs in a run folder."""
        return [
            MOTION_FILE,
            TABLE_FILE,
            *map(_format_file, self.formats),
            *([CANDIDATES] if self.keep_candidates else []),
            *([SHEET_FILE, VIDEO_FILE] if self.video else []),
        ]


def finished_run(folder: Path, request: dict[str, Any]) -> dict[str, Any] | None:
    """The record of a run of exactly this request, or None."""
    owned = owned_files(folder)
    record = owned.record
    if record is None or record["request"] != request:
        return None
    # Names that are none of ours are not looked for.
    whole = len(owned.hashes) == len(record["files"]) and all(
        (folder / name).exists() for name in owned.hashes
    )
    return record if whole and record.get("state") == "finished" else None


def write_run(
    folder: Path,
    result: Generated,
    *,
    request: dict[str, Any],
    wanted: Wanted,
    extra: dict[str, Any],
    overwrite: bool = False,
) -> dict[str, Any]:
    """Write everything; the record that ends up in `run.json`."""
    started = time.perf_counter()
    check_folder(folder, request, wanted.places(), overwrite=overwrite)
    folder.mkdir(parents=True, exist_ok=True)
    with staging_folder(folder) as stage:
        _write_files(stage, result, wanted)
        files = file_hashes(stage)
        record = to_record(result, request=request, files=files) | extra
        record["seconds"] |= {"write": time.perf_counter() - started}
        install(folder, stage, record)
    return record


def _write_files(stage: Path, result: Generated, wanted: Wanted) -> None:
    save_motion(result.motion, stage / MOTION_FILE)
    write_whole(stage / TABLE_FILE, table_text(result).encode())
    for name in wanted.formats:
        save_motion(result.motion, stage / _format_file(name), format=name)
    if wanted.keep_candidates:
        (stage / CANDIDATES).mkdir()
        for i, candidate in enumerate(result.candidates):
            save_motion(candidate.motion, stage / CANDIDATES / f"{i:03d}.npz")
    if wanted.video:
        for name in (SHEET_FILE, VIDEO_FILE):
            _draw(result, stage / name)


def _format_file(name: str) -> str:
    endings = get_format(name).extensions
    return f"motion-{name}{endings[0] if endings else ''}"


def to_record(
    result: Generated, *, request: dict[str, Any], files: dict[str, str]
) -> dict[str, Any]:
    """The choice, why, and how it came to be, as plain JSON values."""
    index, scores = result.selection.index, result.scores
    survivors = None if scores.survived is None else int(scores.survived.sum())
    return {
        "version": RUN_VERSION,
        "state": "finished",
        "request": request,
        "prompt": result.prompt,
        "candidates": len(result.candidates),
        "survivors": survivors,
        "chosen": index,
        "why": result.selection.reason,
        "survived": result.survived,
        "expected": result.expected,
        "verdict": scores.performance(index),
        "table_row": table_rows(result)[index],
        "motion_sha256": clip_hash(result.motion),
        "remarks": list(result.remarks),
        "seconds": dict(result.seconds),
        "files": files,
        "versions": _versions(),
    }


def table_rows(result: Generated) -> list[dict[str, Any]]:
    """One row per candidate; None where a number is not known."""
    return [_row(result, i, c) for i, c in enumerate(result.candidates)]


def _row(result: Generated, i: int, candidate: Candidate) -> dict[str, Any]:
    scores, outcome = result.scores, result.selection.verdicts[i]
    named = {
        "q_star": scores.quality[i],
        "r_dyn": scores.dynamics[i],
        "r_text": scores.semantics[i],
    }
    problems = [
        f"{item.name} {item.value:.3g} {item.unit} ({item.verdict})"
        for item in candidate.check.items
        if item.verdict != "pass"
    ]
    return {
        "candidate": i,
        "outcome": outcome.outcome,
        "why": outcome.reason,
        **{key: float(v) if v == v else None for key, v in named.items()},
        "survived": None if scores.survived is None else bool(scores.survived[i]),
        **{name: values[i] for name, values in scores.columns.items()},
        "duration_s": round(candidate.motion.duration, 3),
        **candidate.summary.to_dict(),
        "check": candidate.check.verdict,
        "check_problems": "; ".join(problems),
        **candidate.postprocess.to_dict(),
        "sha256": clip_hash(candidate.motion),
    }


def table_text(result: Generated) -> str:
    """The table as CSV."""
    rows = table_rows(result)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _draw(result: Generated, path: Path) -> None:
    index = result.selection.index
    executed = result.scores.executed.get(index)
    if executed is None:  # Nobody performed it: the motion itself has to do.
        render_motion(result.motion, path, backend=quick_backend())
        return
    scene = Scene(
        executed=executed,
        reference=result.motion,
        verdict=result.scores.performance(index),
        success=bool(result.survived),
    )
    long = len(executed) / FPS > LONG
    film_rollout(scene, path, size=FILM_SIZE, fps=FILM_FPS / 2 if long else FILM_FPS)


def _versions() -> dict[str, str]:
    found = {"texedo": texedo.__version__, "python": platform.python_version()}
    for package in ("numpy", "mujoco", "torch"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found | {"machine": f"{platform.system()} {platform.machine()}"}
