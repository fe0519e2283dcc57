"""Everything the tracker trains on, in files that are small enough to travel.

    python -m texedo.tracker.pack CORPUS OUT

writes `captured.npz` (recordings of the splits train and val) and `extra.npz` (authored
and overlaid clips of the split train, and drills). Both go into `--clips`, joined by a
comma. The held-out tests stay where they are.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from texedo.tracker.clips import Clips, clips_of_corpus, join_clips, write_clips
from texedo.tracker.drills import Drill, make_drills

DRILLS = 1200
_SHARE = 50
"""Drills that one task makes."""


def pack(corpus: Path, out: Path, *, drills: int = DRILLS, seed: int = 0) -> None:
    """Write both files."""
    out.mkdir(parents=True, exist_ok=True)
    captured = clips_of_corpus(corpus)
    splits = np.array(captured.splits)
    write_clips(
        out / "captured.npz",
        captured.pick(np.flatnonzero(np.isin(splits, ("train", "val")))),
    )
    made = clips_of_corpus(corpus, kinds=("authored", "overlay"))
    parts = [made.pick(made.where_split("train"))]
    if drills:
        parts.append(drill_clips(drills, seed=seed))
    write_clips(out / "extra.npz", join_clips(parts))


def drill_clips(count: int, *, seed: int = 0) -> Clips:
    """Drills as training clips, made on all cores."""
    shares = [(i, min(i + _SHARE, count), seed) for i in range(0, count, _SHARE)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        drills = [drill for part in pool.map(_make, shares) for drill in part]
    frames = [drill.motion.to_qpos() for drill in drills]
    return Clips(
        qpos=np.concatenate(frames),
        lengths=np.array([len(f) for f in frames], dtype=np.int64),
        ids=tuple(f"drill-{drill.number:04d}" for drill in drills),
        families=tuple(drill.family for drill in drills),
        splits=("train",) * len(drills),
    )


def _make(share: tuple[int, int, int]) -> list[Drill]:
    first, end, seed = share
    return list(make_drills(first, end, seed=seed))


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
