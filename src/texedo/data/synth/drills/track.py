"""Key poses of pelvis and feet, and the targets for the solver that pass through them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from texedo.data.retarget.solver import Targets
from texedo.motion import FPS
from texedo.motion.curves import ease
from texedo.motion.rotations import (
    quat_from_rotvec,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
)
from texedo.robot.g1 import SOLE_HEIGHT
from texedo.robot.mass import GRAVITY

Float64 = NDArray[np.float64]
Rng = np.random.Generator

STANCE = 0.12
"""Half the distance of the feet of a robot that stands [m]."""
ANKLE = -SOLE_HEIGHT
"""Height of the ankle of a foot on the floor [m]."""
_THIGH, _UPPER_ARM, _FOREARM = 0.3, 0.25, 0.25
"""Only the directions of these targets matter; lengths give them their weight [m]."""


class Track:
    """Key poses of pelvis and feet, one after the other.

    A track rests at every key, and its feet turn with the pelvis; one that flows passes
    through its keys, falls freely in its flights, and turns each foot by itself.
    """

    def __init__(self, height: float, *, flows: bool = False) -> None:
        self.flows = flows
        self.times = [0.0]
        self.pelvis = [np.array([0.0, 0.0, height])]
        self.turn = [np.zeros(3)]
        """Roll, pitch, yaw of the pelvis."""
        feet = [[0.0, STANCE, ANKLE], [0.0, -STANCE, ANKLE]]
        self.feet = [np.array(feet)]
        self.toes = [np.zeros(2)]
        """Yaw of the feet, left first; used where the track flows."""
        self.flights: list[tuple[float, float]] = []
        self.arms = np.array([0.2, 0.6, 0.0])
        """Where arms point to on average: ahead, out and up of hanging."""

    def key(
        self,
        after: float,
        *,
        pelvis: Float64 | None = None,
        turn: Float64 | None = None,
        feet: Float64 | None = None,
        toes: Float64 | None = None,
    ) -> None:
        """The next key pose; what is not given stays as it was."""
        self.times.append(self.times[-1] + after)
        self.pelvis.append(self.pelvis[-1] if pelvis is None else pelvis)
        self.turn.append(self.turn[-1] if turn is None else turn)
        self.feet.append(self.feet[-1] if feet is None else feet)
        self.toes.append(self.toes[-1] if toes is None else toes)

    @property
    def frames(self) -> Float64:
        return np.arange(int(self.times[-1] * FPS) + 1) / FPS

    def planted(self) -> NDArray[np.bool_]:
        height = self._along(self.feet)[:, :, 2]
        return np.asarray(height < ANKLE + 0.01)

    def targets(self, rng: Rng) -> Targets:
        t, turn = self.frames, self._along(self.turn)
        pelvis, rot = self._pelvis(), _turned(turn)
        feet = self._along(self.feet)
        lean = _wander(rng, t, 3, [0.1, 0.25, 0.3])
        return Targets(
            pelvis_pos=pelvis,
            pelvis_rot=quat_to_matrix(rot),
            torso_rot=quat_to_matrix(quat_multiply(rot, quat_from_rotvec(lean))),
            foot_pos=feet,
            foot_rot=quat_to_matrix(quat_from_yaw(self._foot_yaw(turn[:, 2]))),
            foot_hold=np.where(self.planted(), 1.0, 0.1),
            thigh=_thighs(pelvis, rot, feet),
            upper_arm=_arms(rng, t, rot, self.arms - [0.0, 0.0, 0.8]) * _UPPER_ARM,
            forearm=_arms(rng, t, rot, self.arms - [0.0, 0.0, 0.2]) * _FOREARM,
        )

    def _along(self, keys: list[Float64]) -> Float64:
        if not self.flows:
            return _curve(self.times, keys, self.frames)
        return np.asarray(PchipInterpolator(self.times, np.stack(keys))(self.frames))

    def _foot_yaw(self, yaw: Float64) -> Float64:
        """(T, 2)"""
        if self.flows:
            return self._along(self.toes)
        return np.repeat(0.8 * yaw[:, None], 2, axis=1)

    def _pelvis(self) -> Float64:
        pelvis = self._along(self.pelvis)
        if not self.flows:
            for start, end in self.flights:
                _fall_freely(pelvis, self.frames, start, end)
            return pelvis
        keys = np.stack(self.pelvis)
        rates = PchipInterpolator(self.times, keys).derivative()(self.times)
        for start, end in self.flights:
            i, j = (
                int(np.argmin(np.abs(np.array(self.times) - x))) for x in (start, end)
            )
            flight = self.times[j] - self.times[i]
            rates[i] = rates[j] = (keys[j] - keys[i]) / flight
            rates[i, 2] += 0.5 * GRAVITY * flight
            rates[j, 2] -= 0.5 * GRAVITY * flight
            for k in range(i + 1, j):
                part = self.times[k] - self.times[i]
                keys[k] = keys[i] + rates[i] * part - [0.0, 0.0, GRAVITY / 2 * part**2]
                rates[k] = rates[i] - [0.0, 0.0, GRAVITY * part]
        return np.asarray(CubicHermiteSpline(self.times, keys, rates)(self.frames))


def spun(feet: Float64, centre: Float64, angle: float) -> Float64:
    arm = feet - [*centre, 0.0]
    return np.asarray(
        quat_rotate(quat_from_yaw(np.asarray(angle)), arm) + [*centre, 0.0]
    )


def _fall_freely(pelvis: Float64, t: Float64, start: float, end: float) -> None:
    """Heights between take-off and landing are a parabola (in place)."""
    fly = (t >= start) & (t <= end)
    if fly.sum() < 2:
        return
    s, length = t[fly] - start, end - start
    low, high = np.interp([start, end], t, pelvis[:, 2])
    line = low + (high - low) * s / length
    pelvis[fly, 2] = line + 0.5 * GRAVITY * s * (length - s)


def _curve(times: list[float], keys: list[Float64], t: Float64) -> Float64:
    """Key poses joined by smooth steps that rest at every key, (T, ...)."""
    knots, values = np.array(times), np.stack(keys)
    i = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
    s = ease((t - knots[i]) / np.maximum(knots[i + 1] - knots[i], 1e-9))
    s = s.reshape(-1, *(1,) * (values.ndim - 1))
    return np.asarray(values[i] + (values[i + 1] - values[i]) * s)


def _turned(turn: Float64) -> Float64:
    """Quaternions (T, 4) of roll, pitch and yaw."""
    tilt = quat_from_rotvec(turn * [1.0, 1.0, 0.0])
    return np.asarray(quat_multiply(quat_from_yaw(turn[:, 2]), tilt))


def _wander(rng: Rng, t: Float64, size: int, width: list[float]) -> Float64:
    """A slow random curve about zero, (T, size)."""
    count = max(2, int(t[-1] / 1.2) + 1)
    times = list(np.linspace(0.0, float(t[-1]) + 1e-6, count))
    keys = [rng.uniform(-1.0, 1.0, size) * width for _ in range(count)]
    return _curve(times, keys, t)


def _thighs(pelvis: Float64, rot: Float64, feet: Float64) -> Float64:
    """From hip towards a knee that points ahead, (T, 2, 3)."""
    sides = []
    for k, side in enumerate((1.0, -1.0)):
        hip = pelvis + quat_rotate(rot, np.array([0.0, side * 0.1, -0.1]))
        ahead = quat_rotate(rot, np.array([0.2, 0.0, 0.0]))
        knee = 0.5 * (hip + feet[:, k]) + ahead
        way = knee - hip
        sides.append(_THIGH * way / np.linalg.norm(way, axis=1, keepdims=True))
    return np.stack(sides, axis=1)


def _arms(rng: Rng, t: Float64, rot: Float64, mean: Float64) -> Float64:
    """Directions of limbs that wander about a left one's mean, (T, 2, 3)."""
    sides = []
    for side in (1.0, -1.0):
        way = _wander(rng, t, 3, [0.8, 0.6, 0.9]) + mean * [1.0, side, 1.0]
        way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
        sides.append(quat_rotate(rot, way))
    return np.stack(sides, axis=1)
