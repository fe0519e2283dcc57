"""A folder of results: what each suite found, and the work that it rests on.

    OUT/results.json          what the folder is, and its version
    OUT/kept/                 candidates, scores, roll-outs: see `base`
    OUT/SUITE/SUITE.json      everything; .md and .csv: the tables; *.svg: curves
    OUT/SUITE/index.html      the same on one page
    OUT/earlier/SUITE-HASH/   what was found with other models or settings
    OUT/results.md, index.html   all suites

Tables that would be written over with those of other models, sizes or versions are moved
to `earlier` first: nothing is lost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from texedo import __version__
from texedo.core.errors import FileFormatError
from texedo.core.files import write_whole
from texedo.evaluation.suites.figures import Table
from texedo.evaluation.suites.page import csv_text, html_page, markdown_page
from texedo.evaluation.tables import json_text

RESULTS_VERSION = 1
"""Of the folder's layout and of the tables in it."""
INDEX, KEPT, EARLIER = "results.json", "kept", "earlier"
_KIND = "texedo-results"


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a suite found."""

    suite: str
    title: str
    settings: Mapping[str, Any]
    """Everything that the tables depend on; plain values."""
    tables: tuple[Table, ...]
    words: tuple[str, ...] = ()
    """Sentences above the tables."""
    charts: Mapping[str, str] = field(default_factory=dict)
    """SVG by the name of its file."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What programs may want beside; plain values."""


def open_results(out: Path) -> Path:
    """The folder, made if need be; refused if it holds something else."""
    path = out / INDEX
    if path.is_file():
        try:
            record = json.loads(path.read_bytes())
            kind, version = record["kind"], record["version"]
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f"{path}: is no index of results ({error}); name another folder with -o."
            ) from error
        if kind != _KIND or version != RESULTS_VERSION:
            raise FileFormatError(
                f"{out}: holds {kind} of version {version}, and this is version "
                f"{RESULTS_VERSION}. Nothing was changed: name another folder with -o, "
                f"or read it with texedo {record.get('texedo', 'of that time')}."
            )
    out.mkdir(parents=True, exist_ok=True)
    record = {"kind": _KIND, "version": RESULTS_VERSION, "texedo": __version__}
    write_whole(path, (json.dumps(record, indent=1) + "\n").encode())
    return out


def write_report(out: Path, report: Report) -> Path:
    """All files of a suite; tables with other settings are moved away first."""
    own = out / report.suite
    record = {
        "suite": report.suite,
        "title": report.title,
        "version": RESULTS_VERSION,
        "texedo": __version__,
        "settings": dict(report.settings),
        "words": list(report.words),
        "tables": [table.to_dict() for table in report.tables],
        "charts": list(report.charts),
        "details": dict(report.details),
    }
    _keep_earlier(out, own, record)
    own.mkdir(parents=True, exist_ok=True)
    for name, picture in report.charts.items():
        write_whole(own / name, picture.encode())
    write_whole(own / f"{report.suite}.csv", csv_text(report.tables).encode())
    # The last one: what reads a results folder goes by it.
    page = markdown_page(record)
    write_whole(own / f"{report.suite}.md", page.encode())
    write_whole(own / "index.html", html_page([record], charts=own).encode())
    write_whole(own / f"{report.suite}.json", (json_text(record) + "\n").encode())
    return own


def read_reports(out: Path) -> list[dict[str, Any]]:
    """What all suites of a folder found, in the order of their names."""
    if not (out / INDEX).is_file():
        raise FileFormatError(
            f"{out}: is no folder of results ({INDEX} is missing); make one with "
            "texedo evaluate all."
        )
    open_results(out)
    found = [
        json.loads(path.read_bytes())
        for path in sorted(out.glob("*/*.json"))
        if path.stem == path.parent.name
    ]
    # Other commands of `texedo evaluate` write files of their own shape beside them.
    return [own for own in found if isinstance(own, dict) and "suite" in own]


def _keep_earlier(out: Path, own: Path, record: Mapping[str, Any]) -> None:
    path = own / f"{record['suite']}.json"
    if not path.is_file():
        return
    try:
        before = json.loads(path.read_bytes())
        same = all(
            before.get(key) == json.loads(json_text({"v": record[key]}))["v"]
            for key in ("settings", "texedo", "version")
        )
    except ValueError:
        same = False
    if not same:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        place = out / EARLIER / f"{own.name}-{digest}"
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            own.rename(place)
