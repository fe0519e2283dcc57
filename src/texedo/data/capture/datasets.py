"""The source databases that a corpus can be built from: one row each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from texedo.core.errors import FileFormatError
from texedo.data.capture.bvh_folder import BvhFolder
from texedo.data.capture.cmu import Cmu
from texedo.data.capture.dataset import Dataset


class DatasetEntry(NamedTuple):
    """How a database is opened."""

    open: Callable[[Path], Dataset]
    holds: str
    """What its folder holds, for those who have to find or make one."""


DATASETS: dict[str, DatasetEntry] = {
    "cmu": DatasetEntry(
        Cmu.open,
        "the CMU archives (bvh60_*.tar.xz, labels.jsonl, segments.csv) or its BVH files",
    ),
    "folder": DatasetEntry(
        BvhFolder.open,
        "BVH files and their captions (captions.csv, captions.jsonl, or a .txt beside "
        "each .bvh)",
    ),
}


def open_dataset(name: str, path: Path) -> Dataset:
    """The database called `name`, whose files lie at `path`."""
    if name not in DATASETS:
        raise FileFormatError(
            f"{name!r} is no source database; there are {', '.join(DATASETS)}."
        )
    return DATASETS[name].open(path)
