"""Captions that lie beside BVH files, in one of three forms.

    captions.csv      file,caption[,start,end,subject,action], a caption a row
    captions.jsonl    {"file": ..., "captions": [...]}, and the same names if wanted
    NAME.txt          beside NAME.bvh, a caption a line: plain, or as HumanML3D has it
                      (caption#tokens#start#end)

`file` is the path below the folder, with or without .bvh; the bare name will do where it
is the only one. Start and end are seconds; without them a caption is about all of it.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texedo.core.errors import FileFormatError
from texedo.data.captions.textfiles import NUM_FIELDS, parse_line
from texedo.data.capture.archives import read_lines
from texedo.data.corpus.cutting import MAX_FRAMES, MIN_FRAMES
from texedo.motion import FPS

CSV_FILE, JSONL_FILE = "captions.csv", "captions.jsonl"
WHOLE = (0.0, -1.0)
"""The seconds of a caption about all of a recording."""
_COLUMNS = ("file", "caption", "start", "end", "subject", "action")
_WAY_OUT = (
    "write captions.csv (file,caption,start,end,subject,action; the last four may be "
    "left out), captions.jsonl, or NAME.txt beside each NAME.bvh"
)


@dataclass(frozen=True, kw_only=True)
class CaptionRow:
    """What one line says about one BVH file."""

    file: str
    texts: tuple[str, ...]
    span: tuple[float, float] = WHOLE
    """(start, end) [s]; an end of -1 is the recording's."""
    subject: str = ""
    action: str = ""
    place: str
    """The file and line it stands in, for messages."""


def caption_files(folder: Path, recordings: Mapping[str, Path]) -> tuple[Path, ...]:
    """The files that hold the captions of a folder's recordings."""
    lists = [folder / name for name in (CSV_FILE, JSONL_FILE)]
    found = [path for path in lists if path.is_file()]
    if len(found) > 1:
        raise FileFormatError(
            f"{folder} holds {CSV_FILE} and {JSONL_FILE}: keep one of them."
        )
    texts = (path.with_suffix(".txt") for path in recordings.values())
    found = found or [path for path in texts if path.is_file()]
    if not found:
        raise FileFormatError(f"{folder} holds no captions: {_WAY_OUT}.")
    return tuple(found)


def read_rows(path: Path) -> Iterator[CaptionRow]:
    """The rows of one of those files, in order."""
    read = {CSV_FILE: _csv_rows, JSONL_FILE: _jsonl_rows}.get(path.name, _text_rows)
    for place, row in read(path):
        try:
            yield _row(row, place)
        except (ValueError, TypeError, AttributeError) as error:
            raise FileFormatError(f"{place}: {error}.") from error


def _csv_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(read_lines(path), skipinitialspace=True)
    unknown = [str(name) for name in reader.fieldnames or () if name not in _COLUMNS]
    if unknown or not {"file", "caption"} <= set(reader.fieldnames or ()):
        raise FileFormatError(
            f"{path}, line 1: the first line names the columns, file and caption at "
            f"least, of {', '.join(_COLUMNS)}; got {', '.join(reader.fieldnames or ())}."
        )
    for row in reader:
        place = f"{path}, line {reader.line_num}"
        if None in row:
            raise FileFormatError(
                f'{place}: more fields than columns; put a caption with commas into "".'
            )
        yield place, {name: value for name, value in row.items() if value}


def _jsonl_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip():
            place = f"{path}, line {number}"
            try:
                row = json.loads(line)
            except ValueError as error:
                raise FileFormatError(f"{place}: no JSON ({error}).") from error
            if not isinstance(row, dict):
                raise FileFormatError(
                    f'{place}: a line is an object, {{"file": ..., "captions": [...]}}.'
                )
            yield place, row


def _text_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(read_lines(path), start=1):
        place = f"{path}, line {number}"
        row: dict[str, Any] = {"file": str(path.with_suffix(""))}
        if line.count("#") >= NUM_FIELDS - 1:
            try:
                caption = parse_line(line)
            except ValueError as error:
                raise FileFormatError(f"{place}: {error}.") from error
            row["caption"] = caption.text
            if caption.end > 0:
                row |= {"start": caption.start, "end": caption.end}
        elif line.strip():
            row["caption"] = line
        else:
            continue
        yield place, row


def _row(row: Mapping[str, Any], place: str) -> CaptionRow:
    unknown = set(row) - {*_COLUMNS, "captions"}
    if unknown:
        raise ValueError(f"{min(unknown)!r} is none of {', '.join(_COLUMNS)}")
    if not isinstance(row.get("file"), str):
        raise ValueError("it names no file")
    texts = row.get("captions", ())
    if isinstance(texts, str):
        raise ValueError("captions is a list; for a single one write caption")
    texts = [*([row["caption"]] if "caption" in row else []), *texts]
    texts = [text.strip() for text in texts]
    if not texts or not all(texts):
        raise ValueError("it has no caption")
    return CaptionRow(
        file=row["file"].strip(),
        texts=tuple(texts),
        span=_span(row.get("start"), row.get("end")),
        subject=str(row.get("subject", "")).strip(),
        action=str(row.get("action", "")).strip(),
        place=place,
    )


def _span(start: object, end: object) -> tuple[float, float]:
    first, last = _seconds(start, 0.0), _seconds(end, -1.0)
    shortest, longest = MIN_FRAMES / FPS, MAX_FRAMES / FPS
    if first < 0 or (end is not None and last <= first):
        raise ValueError(f"start {first:g} and end {last:g} are no span of time")
    if end is not None and not shortest <= last - first <= longest:
        raise ValueError(
            f"{first:g} to {last:g} s is {last - first:g} s; a clip has {shortest:g} to "
            f"{longest:g} s: write about longer parts in pieces"
        )
    return first, last


def _seconds(value: object, default: float) -> float:
    if value is None:
        return default
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise ValueError(f"{value!r} is no time in seconds")
    return seconds
