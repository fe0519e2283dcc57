"""The folder of one generated motion: what is in it, and whether it is finished.

    motion.npz         the motion to play
    motion-2.npz ...   the next best ones, as many as asked for
    motion-FORMAT.*    the motion for others, as asked for; motion-2-FORMAT.* the next
    report.html        the whole story on one page
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

import errno
import importlib.metadata
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import texedo
from texedo.core.errors import GenerationError, TexedoError
from texedo.core.files import write_whole
from texedo.data.corpus.label_table import clip_hash
from texedo.formats import get_format, save_motion
from texedo.formats.runs import CANDIDATES, MOTION_FILE
from texedo.motion import Motion
from texedo.pipeline.page import report_html
from texedo.pipeline.result import Generated
from texedo.pipeline.run.ownership import (
    RUN_VERSION,
    check_folder,
    file_hashes,
    install,
    owned_files,
    staging_folder,
)
from texedo.pipeline.run.picture import draw
from texedo.see.scores import Performance

TABLE_FILE, PAGE_FILE = "candidates.csv", "report.html"
VIDEO_FILE, SHEET_FILE = "performance.mp4", "sheet.png"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a run folder should hold beside the motion and the table."""

    formats: tuple[str, ...] = ()
    keep_candidates: bool = False
    video: bool = True
    top: int = 1
    """Motions that are handed out."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "formats": list(self.formats),
            "keep_candidates": self.keep_candidates,
            "video": self.video,
        }

    def places(self) -> list[str]:
        """Names of the files and folders that it needs in a run folder."""
        return [
            TABLE_FILE,
            PAGE_FILE,
            *(name for k in range(self.top) for _, name in self.motion_files(k)),
            *([CANDIDATES] if self.keep_candidates else []),
            *([SHEET_FILE, VIDEO_FILE] if self.video else []),
        ]

    def motion_files(self, k: int) -> Iterator[tuple[str | None, str]]:
        """The k-th motion that is handed out, from 0 on: format and name of each file."""
        number = f"-{k + 1}" if k else ""
        own = Path(MOTION_FILE)
        yield None, f"{own.stem}{number}{own.suffix}"
        for name in self.formats:
            endings = get_format(name).extensions
            yield name, f"{own.stem}{number}-{name}{endings[0] if endings else ''}"


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


def run_request(result: Generated, wanted: Wanted) -> dict[str, Any]:
    """All that the files of a run depend on."""
    return {"prompt": result.prompt, **result.about.request, **wanted.to_dict()}


def write_run(
    folder: Path,
    result: Generated,
    *,
    wanted: Wanted,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Write everything; the record that ends up in `run.json`.

    A folder that cannot be written to, or a disk that is full, is a `GenerationError`,
    and leaves what was there as it was.
    """
    started = time.perf_counter()
    request = run_request(result, wanted)
    check_folder(folder, request, wanted.places(), overwrite=overwrite)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with staging_folder(folder) as stage:
            _write_files(stage, result, wanted)
            files = file_hashes(stage)
            record = to_record(result, request=request, files=files)
            record["seconds"] |= {"write": time.perf_counter() - started}
            install(folder, stage, record)
    except (OSError, TexedoError) as error:
        if (reason := _no_place(error)) is None:
            raise
        raise NoPlaceError(
            f"{folder}: cannot be written ({reason}). Make room or choose another "
            "--out; the same command goes on from here."
        ) from error
    return record


def _no_place(error: BaseException | None) -> str | None:
    """What the system says of a place that cannot be written to, whoever met it."""
    while error is not None and not isinstance(error, OSError):
        if (full := os.strerror(errno.ENOSPC)) in str(error):  # As ffmpeg has it.
            return full
        error = error.__cause__
    return None if error is None else error.strerror or str(error)


class NoPlaceError(GenerationError):
    """A folder that cannot be written to, or a full disk: the next run fails as well."""


def _write_files(stage: Path, result: Generated, wanted: Wanted) -> None:
    for k, motion in enumerate(result.motions):
        _write_motion(stage, motion, k, wanted)
    write_whole(stage / TABLE_FILE, result.candidates.to_csv().encode())
    write_whole(stage / PAGE_FILE, report_html(result.account).encode())
    if wanted.keep_candidates:
        (stage / CANDIDATES).mkdir()
        for i, candidate in enumerate(result.offered):
            save_motion(candidate.motion, stage / CANDIDATES / f"{i:03d}.npz")
    if wanted.video:
        for name in (SHEET_FILE, VIDEO_FILE):
            draw(result, stage / name)


def _write_motion(stage: Path, motion: Motion, k: int, wanted: Wanted) -> None:
    for format, name in wanted.motion_files(k):
        if format is None:
            save_motion(motion, stage / name)
        else:
            save_motion(motion, stage / name, format=format)


def to_record(
    result: Generated, *, request: dict[str, Any], files: dict[str, str]
) -> dict[str, Any]:
    """The choice, why, and how it came to be, as plain JSON values."""
    index, scores = result.selection.index, result.scores
    survivors = None if scores.survived is None else int(scores.survived.sum())
    account = result.account
    known = {} if account.guarantee is None else {"guarantee": dict(account.guarantee)}
    return {
        "version": RUN_VERSION,
        "state": "finished",
        "request": request,
        "prompt": result.prompt,
        "read_as": account.read_as,
        "candidates": len(result.offered),
        "survivors": survivors,
        "chosen": index,
        "why": account.why,
        "handed_out": list(result.handed_out or (index,)),
        "runners_up": list(account.runners_up),
        "rejected": dict(account.rejected),
        "survived": result.survived,
        "holds": None if result.performance is None else result.performance.holds,
        "expected": result.expected,
        "verdict": result.verdict,
        "performed": {str(i): _told(done) for i, done in result.performed.items()},
        "table_row": result.candidates.rows[index],
        "motion_sha256": clip_hash(result.motion),
        "remarks": list(result.remarks),
        "seconds": dict(result.seconds),
        "files": files,
        "weights": dict(result.about.weights),
        "versions": _versions(),
        **known,
    }


def _told(done: Performance) -> dict[str, Any]:
    """A performance as plain JSON values; None for a number that nobody knows."""
    numbers = {
        name: getattr(done, name)
        for name in ("robust", "e_mpjpe", "e_vel", "e_acc", "q_star", "seconds")
    }
    return {
        "success": done.success,
        "verdict": done.verdict,
        "robots": done.robots,
        **{k: float(v) if np.isfinite(v) else None for k, v in numbers.items()},
    }


def _versions() -> dict[str, str]:
    found = {"texedo": texedo.__version__, "python": platform.python_version()}
    for package in ("numpy", "mujoco", "torch"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found | {"machine": f"{platform.system()} {platform.machine()}"}
