"""The Carnegie Mellon motion capture database: labels, segments, and known faults.

"The data used in this project was obtained from mocap.cs.cmu.edu. The database was
created with funding from NSF EIA-0196217."

A recording is called SS_TT: subject and trial. `labels.jsonl` holds a row for each entry
of the database's index, judged for a humanoid on a flat, empty floor; `segments.csv`
holds natural places to cut at (trial, start_s, end_s); `written.jsonl` holds captions
that somebody wrote about certain seconds (trial, start, end, captions). Copies, such as
those that subjects 91 and 105 share, are found by content like those of any database.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from texedo.core.errors import FileFormatError
from texedo.data.capture.archives import (
    Source,
    find_source,
    fingerprint,
    read_lines,
    read_source,
)
from texedo.data.capture.dataset import (
    CaptionSource,
    Recording,
    RecordingInfo,
    TrialLabel,
    WrittenCaptions,
)
from texedo.data.corpus.splits import SplitCfg

LABELS_FILE, SEGMENTS_FILE = "labels.jsonl", "segments.csv"
WRITTEN_FILE = "written.jsonl"

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
class Cmu:
    """The database as it lies in a folder; a `Dataset`."""

    source: Source
    beside: tuple[Path, ...]
    """Those of its three lists that are there."""
    labels: Mapping[str, TrialLabel] = field(repr=False)
    segments: Mapping[str, tuple[tuple[float, float], ...]] = field(repr=False)
    written: Mapping[str, tuple[WrittenCaptions, ...]] = field(repr=False)

    name: ClassVar[str] = "cmu"
    splits: ClassVar[SplitCfg] = SPLITS
    caption_source: ClassVar[CaptionSource] = "both"

    @classmethod
    def open(cls, path: Path) -> Cmu:
        """The database at `path`: a folder of its archives or BVH files, or one of them."""
        source = find_source(path)
        folder = path if path.is_dir() else path.parent
        files = {
            name: folder / name
            for name in (LABELS_FILE, SEGMENTS_FILE, WRITTEN_FILE)
            if (folder / name).is_file()
        }
        labels, segments, written = map(
            files.get, (LABELS_FILE, SEGMENTS_FILE, WRITTEN_FILE)
        )
        return cls(
            source=source,
            beside=tuple(files.values()),
            labels=read_labels(labels) if labels else {},
            segments=read_segments(segments) if segments else {},
            written=read_written(written) if written else {},
        )

    def fingerprint(self) -> list[list[object]]:
        return fingerprint((*self.source.archives, *self.source.files, *self.beside))

    def recordings(self) -> Iterator[Recording]:
        return read_source(self.source)

    def info(self, trial: str) -> RecordingInfo:
        return RecordingInfo(
            subject=subject_of(trial),
            label=self.labels.get(trial, TrialLabel()),
            time_stretch=time_stretch(trial),
            segments=self.segments.get(trial, ()),
            written=self.written.get(trial, ()),
            written_checked=True,
        )

    def order(self, trial: str) -> tuple[int, int, str]:
        return trial_order(trial)


def read_labels(path: Path) -> dict[str, TrialLabel]:
    """The label of every recording named in a `labels.jsonl`."""
    labels: dict[str, TrialLabel] = {}
    for number, line in enumerate(read_lines(path), start=1):
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


def read_segments(path: Path) -> dict[str, tuple[tuple[float, float], ...]]:
    """(start, end) in seconds by recording; an end of -1 is the recording's."""
    segments: dict[str, tuple[tuple[float, float], ...]] = {}
    reader = csv.DictReader(read_lines(path))
    for number, row in enumerate(reader, start=2):
        try:
            span = float(row["start_s"]), float(row["end_s"])
            segments[row["trial"]] = (*segments.get(row["trial"], ()), span)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                f"{path}, line {number}: {error!r}; the columns are trial, start_s, end_s."
            ) from error
    return segments


def read_written(path: Path) -> dict[str, tuple[WrittenCaptions, ...]]:
    """Captions with their seconds by recording, from a `written.jsonl`."""
    written: dict[str, tuple[WrittenCaptions, ...]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        try:
            row = json.loads(line)
            said = WrittenCaptions(
                start=float(row["start"]),
                end=float(row["end"]),
                texts=tuple(map(str, row["captions"])),
            )
            trial = str(row["trial"])
            written[trial] = (*written.get(trial, ()), said)
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f"{path}, line {number}: {error!r}; each line is a JSON object with "
                "trial, start, end and captions."
            ) from error
    return written


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
