"""Recordings that show the same performance: copies, also cut or shifted in time.

Two recordings are near-duplicates when, at one shift, most of the shorter one has the
same joint angles as the other. Candidates come from a neighbour search over two-second
windows; each is then compared frame by frame. Joint angles do not depend on place or
heading, so a moved copy is found too. Stillness is no evidence: people stand alike, so
only windows in which something moves are asked.

In the CMU database copies differ by less than 0.001 rad. The next pairs, at 0.04 rad and
more, are one person walking the same way again; up to 0.05 rad they count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]

COPY_TOLERANCE = 0.005
"""Below this difference two recordings are one capture, not two performances [rad]."""


@dataclass(frozen=True)
class DuplicateCfg:
    """When two recordings count as one performance."""

    tolerance: float = 0.05
    """Largest root mean square difference of the joint angles [rad]."""
    overlap: float = 0.5
    """Smallest part of the shorter recording that the other must cover."""
    min_activity: float = 0.15
    """Windows with a smaller root mean square joint speed are not asked [rad/s]."""


class DuplicatePair(NamedTuple):
    """`second` shows what `first` shows, `shift` frames later (may be negative)."""

    first: str
    second: str
    shift: int
    overlap: int
    """Frames in common."""
    difference: float
    """Root mean square difference of the joint angles over them [rad]."""


class _Windows(NamedTuple):
    """Two-second windows of all recordings."""

    points: Float32
    """Descriptors, (W, 16): joint angles along their principal axes."""
    trial: Int64
    frame: Int64
    asked: NDArray[np.bool_]


_SAMPLES = np.arange(8) * int(0.25 * FPS)
"""Frames of a window that describe it: eight over two seconds."""
_SPAN = int(_SAMPLES[-1])
_QUERY_STEP = int(FPS)
_DIMENSIONS = 16
_RADIUS = 0.75
"""Of the tolerance: where recordings agree on average, some window agrees better."""
_SHIFT_PLAY = 2
"""Frames by which a window's shift may be off."""


def find_duplicates(
    joint_pos: Mapping[str, NDArray[Any]], cfg: DuplicateCfg | None = None
) -> list[DuplicatePair]:
    """All near-duplicate pairs among recordings given as joint angles, (T, 29) each.

    `first` comes before `second` in the order given.
    """
    cfg = cfg or DuplicateCfg()
    names = list(joint_pos)
    angles = [np.asarray(joint_pos[name], dtype=np.float32) for name in names]
    best: dict[tuple[int, int], DuplicatePair] = {}
    for i, j, guess in sorted(set(_candidates(angles, cfg))):
        shift, overlap, difference = _compare(angles[i], angles[j], guess)
        enough = overlap >= cfg.overlap * min(len(angles[i]), len(angles[j]))
        if enough and difference <= cfg.tolerance:
            pair = DuplicatePair(names[i], names[j], shift, overlap, difference)
            known = best.get((i, j))
            if known is None or difference < known.difference:
                best[i, j] = pair
    return [best[key] for key in sorted(best)]


def group_trials(
    trials: Sequence[str], pairs: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """The group of each recording: the first one, in the given order, linked to it."""
    order = {trial: i for i, trial in enumerate(trials)}
    leader = {trial: trial for trial in trials}

    def find(trial: str) -> str:
        while leader[trial] != trial:
            trial = leader[trial]
        return trial

    for a, b in pairs:
        first, second = sorted((find(a), find(b)), key=order.__getitem__)
        leader[second] = first
    return {trial: find(trial) for trial in trials}


def _candidates(
    angles: Sequence[Float32], cfg: DuplicateCfg
) -> Iterator[tuple[int, int, int]]:
    """(i, j, shift) for windows of recording i that resemble one of j, i < j."""
    # Here and not above: reading a corpus must not cost the import of scipy.
    from scipy.spatial import cKDTree

    windows = _describe(angles, cfg)
    queries = np.flatnonzero(windows.asked)
    if not len(queries):
        return
    points, trial, frame = windows.points, windows.trial, windows.frame
    radius = _RADIUS * cfg.tolerance * np.sqrt(angles[0].shape[1] * len(_SAMPLES))
    tree = cKDTree(points)
    found = tree.query_ball_point(points[queries], radius, return_sorted=False)
    for query, near in zip(queries, found, strict=True):
        hits = np.asarray(near, dtype=np.int64)
        hits = hits[trial[hits] != trial[query]]
        distance = np.linalg.norm(points[hits] - points[query], axis=1)
        hits = hits[np.argsort(distance, kind="stable")]
        # Of each other recording the nearest window: its shift is the one to try.
        _, nearest = np.unique(trial[hits], return_index=True)
        for hit in hits[nearest]:
            i, j = int(trial[query]), int(trial[hit])
            shift = int(frame[hit] - frame[query])
            yield (i, j, shift) if i < j else (j, i, -shift)


def _describe(angles: Sequence[Float32], cfg: DuplicateCfg) -> _Windows:
    usable = [(i, joints) for i, joints in enumerate(angles) if len(joints) > _SPAN]
    if not usable:
        none = np.zeros(0, dtype=np.int64)
        return _Windows(np.zeros((0, 1), np.float32), none, none, none.astype(bool))
    axes = _principal_axes([joints for _, joints in usable])
    points: list[Float32] = []
    trial: list[Int64] = []
    frame: list[Int64] = []
    asked: list[NDArray[np.bool_]] = []
    for i, joints in usable:
        starts = np.arange(len(joints) - _SPAN)
        points.append(_stack(joints, starts) @ axes)
        trial.append(np.full(len(starts), i))
        frame.append(starts)
        speed = np.sqrt(np.mean((np.diff(joints, axis=0) * FPS) ** 2, axis=1))
        sums = np.concatenate(([0.0], np.cumsum(speed)))
        moving = (sums[starts + _SPAN] - sums[starts]) / _SPAN > cfg.min_activity
        asked.append(moving & (starts % _QUERY_STEP == 0))
    return _Windows(
        points=np.concatenate(points),
        trial=np.concatenate(trial),
        frame=np.concatenate(frame),
        asked=np.concatenate(asked),
    )


def _stack(joints: Float32, starts: Int64) -> Float32:
    """Samples of the windows at `starts`, one row each."""
    rows = starts[:, None] + _SAMPLES
    return np.asarray(joints[rows].reshape(len(starts), -1), dtype=np.float32)


def _principal_axes(angles: Sequence[Float32]) -> Float32:
    """Directions of most variance, (D, 16): a projection never lengthens a distance,
    so the search in fewer dimensions misses nothing."""
    sample = np.concatenate(
        [_stack(j, np.arange(0, len(j) - _SPAN, _QUERY_STEP)) for j in angles]
    ).astype(np.float64)
    sample -= sample.mean(axis=0)
    _, vectors = np.linalg.eigh(sample.T @ sample)
    return np.asarray(vectors[:, -_DIMENSIONS:], dtype=np.float32)


def _compare(a: Float32, b: Float32, guess: int) -> tuple[int, int, float]:
    """Best shift near `guess`, frames in common and their difference."""
    best = guess, 0, float("inf")
    for shift in range(guess - _SHIFT_PLAY, guess + _SHIFT_PLAY + 1):
        start, stop = max(0, -shift), min(len(a), len(b) - shift)
        if stop <= start:
            continue
        gap = a[start:stop] - b[start + shift : stop + shift]
        difference = float(np.sqrt(np.mean(np.square(gap, dtype=np.float64))))
        if difference < best[2]:
            best = shift, stop - start, difference
    return best
