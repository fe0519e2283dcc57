"""The Carnegie Mellon motion capture database: labels, segments, and known faults.

"The data used in this project was obtained from mocap.cs.cmu.edu. The database was
created with funding from NSF EIA-0196217."

A recording is called SS_TT: subject and trial. `labels.jsonl` holds a row for each entry
of the database's index, judged for a humanoid on a flat, empty floor; `segments.csv`
holds natural places to cut at (trial, start_s, end_s).
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from texedo.core.errors import FileFormatError
from texedo.data.corpus.splits import SplitCfg

LABELS_FILE, SEGMENTS_FILE = "labels.jsonl", "segments.csv"
UNLABELLED = "unlabelled"

# These subjects were captured at 60 Hz, but the BVH release calls them 120 Hz like the
# others: they play twice as fast. Shown by jumps, whose flights fall at 36 to 42 m/s^2
# (subjects 75, 141, 143; 9.4 to 10.5 in all others), and by the segments, which end at
# twice the length of these recordings and at the length of all others.
HALF_RATE_SUBJECTS = frozenset(
    "60 61 62 74 75 77 79 80 88 93 103 115 139 141 143".split()
)

SPLITS = SplitCfg(
    seed=1193,
    test=0.09,
    val=0.05,
    test_subjects=tuple("15 17 22 31 33 49 76 82 113 120 131 143".split()),
)
"""The division of this database, the same in every build."""


@dataclass(frozen=True, kw_only=True)
class TrialLabel:
    """What the index says about a recording."""

    description: str = ""
    session: str = ""
    family: str = UNLABELLED
    """The kind of action."""
    style: tuple[str, ...] = ()
    atomic: bool = False
    """The description holds for any few seconds of it."""
    captions: tuple[str, ...] = ()
    keep: bool = True
    """It makes sense for one humanoid on a flat, empty floor."""


def read_labels(path: Path) -> dict[str, TrialLabel]:
    """The label of every recording named in a `labels.jsonl`."""
    labels: dict[str, TrialLabel] = {}
    for number, line in enumerate(_read_lines(path), start=1):
        try:
            row = json.loads(line)
            label = TrialLabel(
                description=row["description"],
                session=row.get("session", ""),
                family=row["action"],
                style=tuple(row.get("style", ())),
                atomic=bool(row.get("atomic", False)),
                captions=tuple(row.get("captions", ())),
                keep=bool(row.get("keep", True)),
            )
            labels.update((str(trial), label) for trial in row["trials"])
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f"{path}, line {number}: {error!r}; each line is a JSON object with at "
                "least description, action and trials."
            ) from error
    return labels


def read_segments(path: Path) -> dict[str, list[tuple[float, float]]]:
    """(start, end) in seconds by recording; an end of -1 is the recording's."""
    segments: dict[str, list[tuple[float, float]]] = {}
    reader = csv.DictReader(_read_lines(path))
    for number, row in enumerate(reader, start=2):
        try:
            span = float(row["start_s"]), float(row["end_s"])
            segments.setdefault(row["trial"], []).append(span)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                f"{path}, line {number}: {error!r}; the columns are trial, start_s, end_s."
            ) from error
    return segments


def subject_of(trial: str) -> str:
    """ "35" of "35_01"; a name of another form is a subject of its own."""
    return trial.split("_", 1)[0]


def trial_order(trial: str) -> tuple[int, int, str]:
    """Sort key: by number where subject and trial are numbers, then by name."""
    subject, _, number = trial.partition("_")
    if subject.isdecimal() and number.isdecimal():
        return int(subject), int(number), trial
    return 1_000_000, 0, trial


def time_stretch(trial: str) -> float:
    """What to multiply the frame time of a recording's BVH file by."""
    return 2.0 if subject_of(trial) in HALF_RATE_SUBJECTS else 1.0


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} cannot be read: {error}.") from error
