"""Codes that are checked by decoding them: what came out wrong is asked for differently.

A code is coarse. While a pose is held the encoder repeats one code, which may stand for a
wide range of headings, and small errors of the speed add up along a path. So the heading
and the speed that are encoded are moved against the error of what was decoded, a few
times over, and the codes that end up nearest are kept. Neither the networks nor the
meaning of a code change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.learning.features import (
    VELOCITY,
    heading_angle,
    qpos_from_features,
    with_heading,
    with_settled_heading,
)
from texedo.motion import FPS

_GAIN = 0.5
"""Share of an error that a round takes off."""
_HEADING_SPAN, _VELOCITY_SPAN = 0.26, 1.02
"""Errors are smoothed over so long [s]: a code cannot follow each frame."""
_MOST_TURN, _MOST_SPEED = 1.5, 0.5
"""Limits of what is added to heading [rad] and speed [m/s]."""

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


def closed_loop_codes(
    rows: Sequence[Float32],
    encode: Callable[[Sequence[Float32]], list[Int64]],
    decode: Callable[[Sequence[Int64]], list[Float32]],
    rounds: int,
) -> list[Int64]:
    """Codes of each row of features (T, 37), T a whole number of codes.

    The first codes are the plain ones; every round looks for better ones.
    """
    loops = [_Loop(row) for row in rows]
    for _ in range(rounds + 1):
        codes = encode([loop.asked() for loop in loops])
        for loop, row, features in zip(loops, codes, decode(codes), strict=True):
            loop.hear(row, features)
    return [loop.best for loop in loops]


class _Loop:
    """One motion on its way."""

    def __init__(self, truth: Float32) -> None:
        self._truth = truth
        self._yaw = heading_angle(truth)
        self._place = qpos_from_features(truth)[:, :2]
        self._turn = np.zeros(len(truth))
        self._speed = np.zeros((len(truth), 2))
        self._error = np.inf
        self.best: Int64 = np.zeros(0, dtype=np.int64)

    def asked(self) -> Float32:
        """Features (T, 37) to encode next."""
        if not (self._turn.any() or self._speed.any()):
            return self._truth
        out = with_heading(self._truth, self._yaw + self._turn)
        out[:, VELOCITY] += self._speed
        return out

    def hear(self, codes: Int64, decoded: Float32) -> None:
        """Keep codes that are the best so far, and learn from what they decode to."""
        turned = heading_angle(decoded) - self._yaw
        turned = (turned + np.pi) % (2 * np.pi) - np.pi
        place = qpos_from_features(with_settled_heading(decoded))[:, :2]
        moved = np.linalg.norm(place - self._place, axis=1)
        # A turn counts like the way of a hand at one metre.
        error = float(np.abs(turned).mean() + moved.mean())
        if error < self._error:
            self._error, self.best = error, codes
        self._turn -= _GAIN * _smooth(turned, _HEADING_SPAN)
        self._turn = self._turn.clip(-_MOST_TURN, _MOST_TURN)
        faster = _turned(decoded[:, VELOCITY], turned) - self._truth[:, VELOCITY]
        self._speed -= _GAIN * _smooth(faster, _VELOCITY_SPAN)
        self._speed = self._speed.clip(-_MOST_SPEED, _MOST_SPEED)


def _turned(vector: NDArray[Any], yaw: Float64) -> Float64:
    """Planar vectors (T, 2) turned by angles (T,)."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    x, y = vector.T
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def _smooth(values: Float64, seconds: float) -> Float64:
    """Weighted means over so long, of (T,) or of each column of (T, 2)."""
    window = np.hanning(round(seconds * FPS) + 2)[1:-1]
    columns = values.reshape(len(values), -1).T
    # Near an end fewer frames have a say.
    weight = _middle(np.ones(len(values)), window)
    means = [_middle(column, window) / weight for column in columns]
    return np.stack(means, axis=-1).reshape(values.shape)


def _middle(values: Float64, window: Float64) -> Float64:
    """The convolution where both are centred, (T,) however short."""
    before = (len(window) - 1) // 2
    return np.convolve(values, window)[before : before + len(values)]
