"""The folder that `texedo generate` writes, as far as others read it.

A run folder stands for the motion in it: whoever takes a motion file takes the folder
too. What else a run holds is said in its `run.json`, and nothing that is not named there
counts.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

RUN_FILE, MOTION_FILE, CANDIDATES = "run.json", "motion.npz", "candidates"
_MAX_BYTES = 16 << 20
"""The record of 4,096 candidates has a tenth of this."""
_CANDIDATE = re.compile(rf"{CANDIDATES}/[0-9]{{3,4}}\.npz")


def run_record(folder: Path) -> dict[str, Any] | None:
    """What `run.json` says; None if there is none, or none that a run wrote."""
    path = folder / RUN_FILE
    try:
        if path.is_symlink() or not path.is_file():
            return None
        if path.stat().st_size > _MAX_BYTES:
            return None
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("request"), dict):
        return None
    return record if isinstance(record.get("files"), dict | list) else None


def run_motion(folder: Path) -> Path | None:
    """The motion file of a run folder; None if the folder is none."""
    motion = folder / MOTION_FILE
    try:
        if not folder.is_dir() or not motion.is_file():
            return None
    except OSError:  # A folder that may not be entered.
        return None
    record = run_record(folder)
    return motion if record is not None and MOTION_FILE in record["files"] else None


def run_candidates(folder: Path) -> list[Path]:
    """The candidates that a run kept, in their order; empty if it kept none."""
    record = run_record(folder)
    names = [] if record is None else record["files"]
    kept = (n for n in names if isinstance(n, str) and _CANDIDATE.fullmatch(n))
    return [path for path in (folder / n for n in sorted(kept)) if path.is_file()]
