"""Where a recording is cut into clips of 2 to 10 seconds.

A short recording is one clip. A long one is cut at the given segments; what lies between
them is cut into even pieces, and where the label holds for any part (atomic) long
segments are halved too. Cuts that nobody prescribed are moved to a calm moment nearby.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.runs import true_runs

MIN_FRAMES = int(2 * FPS)
MAX_FRAMES = int(10 * FPS)
PIECE_FRAMES = int(6 * FPS)
"""Aimed length of a piece where no segment says otherwise."""
LONG_ATOMIC_FRAMES = int(8 * FPS)
"""A segment longer than this is halved when its label holds for both halves."""
_SLACK_FRAMES = int(0.5 * FPS)
"""A recording longer than the maximum by this much is still one clip, cut short."""
_CALM_RANGE = int(1.0 * FPS)
"""How far a free cut may move to a calmer moment."""
_CALM_WIDTH = int(0.3 * FPS)
"""A moment is as calm as the mean over this many frames."""

Scope = Literal["trial", "window", "part"]


class Window(NamedTuple):
    """Frames `start` to `stop` (exclusive) of a recording."""

    start: int
    stop: int
    scope: Scope
    """What the recording's label is of, see `Clip.label_scope`."""

    @property
    def num_frames(self) -> int:
        return self.stop - self.start


def propose_windows(
    num_frames: int,
    *,
    atomic: bool = False,
    segments: Iterable[tuple[float, float]] = (),
    exact: bool = False,
    activity: NDArray[Any] | None = None,
) -> list[Window]:
    """Clips of a recording of `num_frames` at 50 Hz, in order, never overlapping.

    `segments` are (start, end) in seconds, an end of -1 being the recording's; where
    they are `exact`, each is a clip, whatever it overlaps, and nothing else is.
    `activity` (T,) is low where a cut disturbs least, see `joint_activity`.
    """
    if exact:
        return _exact_windows(segments, num_frames)
    if num_frames < MIN_FRAMES:
        return []
    if num_frames <= MAX_FRAMES + _SLACK_FRAMES:
        return [Window(0, min(num_frames, MAX_FRAMES), "trial")]
    scope: Scope = "window" if atomic else "part"
    calm = _calmness(num_frames, activity)
    windows: list[Window] = []
    end = 0
    for start, stop in [*_spans(segments, num_frames), (num_frames, num_frames)]:
        pieces = _pieces(start - end)
        windows += _cut(end, start, pieces=pieces, calm=calm, scope=scope)
        if stop > start:
            halves = 2 if atomic and stop - start > LONG_ATOMIC_FRAMES else 1
            windows += _cut(start, stop, pieces=halves, calm=calm, scope=scope)
        end = stop
    return windows


def _exact_windows(
    segments: Iterable[tuple[float, float]], num_frames: int
) -> list[Window]:
    """A window for each segment that is long enough, cut short where it is too long."""
    windows = []
    for first, last in sorted(set(segments)):
        start = round(first * FPS)
        stop = num_frames if last < 0 else min(round(last * FPS), num_frames)
        stop = min(stop, start + MAX_FRAMES)
        if stop - start >= MIN_FRAMES:
            windows.append(Window(start, stop, "part"))
    return windows


def joint_activity(joint_pos: NDArray[Any]) -> NDArray[np.float64]:
    """Root mean square joint speed, (T,) [rad/s]."""
    speed = np.gradient(joint_pos.astype(np.float64), axis=0) * FPS
    return np.asarray(np.sqrt(np.mean(speed**2, axis=1)))


def _spans(
    segments: Iterable[tuple[float, float]], num_frames: int
) -> list[tuple[int, int]]:
    """Segments in frames, in order; what two of them share goes to the first."""
    spans: list[tuple[int, int]] = []
    end = 0
    for first, last in sorted(set(segments)):
        start = round(first * FPS)
        stop = num_frames if last < 0 else min(round(last * FPS), num_frames)
        stop = min(stop, start + MAX_FRAMES)
        start = max(start, end)
        if stop - start >= MIN_FRAMES:
            spans.append((start, stop))
            end = stop
    return spans


def _pieces(length: int) -> int:
    """Into how many parts a stretch is cut; 0 if it is too short for a clip."""
    if length < MIN_FRAMES:
        return 0
    fewest = -(-length // MAX_FRAMES)
    return max(fewest, round(length / PIECE_FRAMES), 1)


def _cut(
    start: int, stop: int, *, pieces: int, calm: NDArray[np.float64], scope: Scope
) -> list[Window]:
    if not pieces:
        return []
    even = np.linspace(start, stop, pieces + 1)
    cuts = [start]
    for i in range(1, pieces):
        # The rest must still fit into the pieces that are left, each 2 to 10 s.
        left = pieces - i
        low = max(cuts[-1] + MIN_FRAMES, stop - left * MAX_FRAMES)
        high = min(cuts[-1] + MAX_FRAMES, stop - left * MIN_FRAMES)
        near = max(round(even[i]) - _CALM_RANGE, low)
        far = max(min(round(even[i]) + _CALM_RANGE, high), near)
        cuts.append(near + int(np.argmin(calm[near : far + 1])))
    cuts.append(stop)
    return [Window(a, b, scope) for a, b in zip(cuts, cuts[1:], strict=False)]


def _calmness(num_frames: int, activity: NDArray[Any] | None) -> NDArray[np.float64]:
    if activity is None:
        return np.zeros(num_frames)
    if activity.shape != (num_frames,):
        raise ValueError(f"activity must be ({num_frames},), got {activity.shape}.")
    width = np.ones(_CALM_WIDTH) / _CALM_WIDTH
    padded = np.pad(
        activity, (_CALM_WIDTH // 2, _CALM_WIDTH - 1 - _CALM_WIDTH // 2), mode="edge"
    )
    return np.convolve(padded, width, mode="valid")


def longest_run(good: Sequence[bool] | NDArray[np.bool_]) -> tuple[int, int]:
    """Start and stop (exclusive) of the longest stretch of True; (0, 0) if none."""
    runs = true_runs(good)
    if not len(runs):
        return 0, 0
    start, stop = runs[np.argmax(runs[:, 1] - runs[:, 0])]
    return int(start), int(stop)
