"""Exercises for the tracker: balancing on one leg, kicking, jumping and hopping.

Motion capture has few of these, and they are what a controller finds hardest. A drill is
random but plausible: targets for feet, pelvis, torso and arms along smooth curves, made
into a motion by the same solver that retargets recordings, balance included. Drills have
no captions; they train the controller and are never counted in a result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.data.retarget import solve_targets
from texedo.data.retarget.solver import Targets
from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_from_rotvec,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
)
from texedo.robot.check import check_motion
from texedo.robot.g1 import SOLE_HEIGHT

Float64 = NDArray[np.float64]
Rng = np.random.Generator

FAMILIES = (
    "drill_balance",
    "drill_kick",
    "drill_step",
    "drill_jump",
    "drill_balance",
    "drill_step",
    "drill_kick",
    "drill_hop",
)
"""Of drill number 0, 1, 2, ... in turn: what is harder comes more often."""
_BATCH = 64
_STANCE = 0.12
"""Half the distance of the feet of a robot that stands [m]."""
_ANKLE = -SOLE_HEIGHT
"""Height of the ankle of a foot on the floor [m]."""
_GRAVITY = 9.81
_THIGH, _UPPER_ARM, _FOREARM = 0.3, 0.25, 0.25
"""Only the directions of these targets matter; lengths give them their weight [m]."""


@dataclass(frozen=True, kw_only=True)
class Drill:
    """One exercise."""

    number: int
    """It and the seed make the drill what it is."""
    family: str
    motion: Motion


def make_drills(first: int, end: int, *, seed: int = 0) -> Iterator[Drill]:
    """Drills by number; those that the robot's body cannot do are left out."""
    for start in range(first, end, _BATCH):
        numbers = range(start, min(start + _BATCH, end))
        plans = [_plan(i, np.random.default_rng((seed, i))) for i in numbers]
        solved = solve_targets([p[0] for p in plans], [p[1] for p in plans])
        for number, motion in zip(numbers, solved, strict=True):
            if check_motion(motion).verdict != "fail":
                family = FAMILIES[number % len(FAMILIES)]
                yield Drill(number=number, family=family, motion=motion)


def _plan(number: int, rng: Rng) -> tuple[Targets, NDArray[np.bool_]]:
    family = FAMILIES[number % len(FAMILIES)]
    if family == "drill_step":
        track = _steps(rng)
    elif family in ("drill_balance", "drill_kick"):
        track = _one_leg(rng, quick=family == "drill_kick")
    else:
        track = _jumps(rng, one_leg=family == "drill_hop")
    return track.targets(rng), track.planted()


class _Track:
    """Key poses of pelvis and feet, one after the other."""

    def __init__(self, height: float) -> None:
        self.times = [0.0]
        self.pelvis = [np.array([0.0, 0.0, height])]
        self.turn = [np.zeros(3)]
        """Roll, pitch, yaw of the pelvis."""
        feet = [[0.0, _STANCE, _ANKLE], [0.0, -_STANCE, _ANKLE]]
        self.feet = [np.array(feet)]
        self.flights: list[tuple[float, float]] = []

    def key(
        self,
        after: float,
        *,
        pelvis: Float64 | None = None,
        turn: Float64 | None = None,
        feet: Float64 | None = None,
    ) -> None:
        """The next key pose; what is not given stays as it was."""
        self.times.append(self.times[-1] + after)
        self.pelvis.append(self.pelvis[-1] if pelvis is None else pelvis)
        self.turn.append(self.turn[-1] if turn is None else turn)
        self.feet.append(self.feet[-1] if feet is None else feet)

    @property
    def frames(self) -> Float64:
        return np.arange(int(self.times[-1] * FPS) + 1) / FPS

    def planted(self) -> NDArray[np.bool_]:
        height = _curve(self.times, self.feet, self.frames)[:, :, 2]
        return np.asarray(height < _ANKLE + 0.01)

    def targets(self, rng: Rng) -> Targets:
        t = self.frames
        pelvis = _curve(self.times, self.pelvis, t)
        for start, end in self.flights:
            _fall_freely(pelvis, t, start, end)
        turn = _curve(self.times, self.turn, t)
        rot = _turned(turn)
        feet = _curve(self.times, self.feet, t)
        lean = _wander(rng, t, 3, [0.1, 0.25, 0.3])
        yaw = quat_from_yaw(0.8 * turn[:, 2])
        return Targets(
            pelvis_pos=pelvis,
            pelvis_rot=quat_to_matrix(rot),
            torso_rot=quat_to_matrix(quat_multiply(rot, quat_from_rotvec(lean))),
            foot_pos=feet,
            foot_rot=np.repeat(quat_to_matrix(yaw)[:, None], 2, axis=1),
            foot_hold=np.where(self.planted(), 1.0, 0.1),
            thigh=_thighs(pelvis, rot, feet),
            upper_arm=_arms(rng, t, rot, down=0.8) * _UPPER_ARM,
            forearm=_arms(rng, t, rot, down=0.2) * _FOREARM,
        )


def _one_leg(rng: Rng, *, quick: bool) -> _Track:
    """Stand on one leg while the other wanders, or kicks."""
    track = _Track(rng.uniform(0.66, 0.76))
    for lifted in rng.permutation(2)[: rng.integers(1, 3)]:
        _shift_and_lift(track, rng, lifted)
        for _ in range(int(rng.integers(2, 5))):
            _swing(track, rng, lifted, quick=quick)
        _put_down(track, rng, lifted)
    track.key(0.4)
    return track


def _shift_and_lift(track: _Track, rng: Rng, lifted: int) -> None:
    carrying = track.feet[-1][1 - lifted]
    height = rng.uniform(0.6, 0.76)
    over = np.array([carrying[0], carrying[1], height])
    track.key(rng.uniform(0.5, 1.0), pelvis=over)
    feet = track.feet[-1].copy()
    feet[lifted] += [0.0, 0.0, rng.uniform(0.08, 0.2)]
    track.key(rng.uniform(0.3, 0.6), feet=feet)


def _swing(track: _Track, rng: Rng, lifted: int, *, quick: bool) -> None:
    """The lifted foot goes somewhere, the pelvis leans to make room for it."""
    side = 1.0 if lifted == 0 else -1.0
    carrying = track.feet[-1][1 - lifted]
    ahead = rng.uniform(-0.55, 0.55)
    out = side * rng.uniform(0.1, 0.5)
    up = rng.uniform(0.1, 0.65 if quick else 0.55)
    yaw = track.turn[-1][2] + rng.uniform(-0.25, 0.25)
    foot = quat_rotate(quat_from_yaw(yaw), np.array([ahead, out, 0.0]))
    feet = track.feet[-1].copy()
    feet[lifted] = [carrying[0] + foot[0], carrying[1] + foot[1], _ANKLE + up]
    # A leg that goes back or far out takes the trunk the other way.
    pitch = rng.uniform(-0.15, 0.25) - min(ahead, 0.0) * rng.uniform(0.2, 1.4)
    roll = rng.uniform(-0.1, 0.1) - side * max(abs(out) - 0.2, 0.0) * rng.uniform(0, 1)
    pelvis = track.pelvis[-1].copy()
    pelvis[2] = np.clip(pelvis[2] + rng.uniform(-0.08, 0.08), 0.52, 0.77)
    pace = rng.uniform(0.22, 0.45) if quick else rng.uniform(0.5, 1.2)
    track.key(pace, pelvis=pelvis, turn=np.array([roll, pitch, yaw]), feet=feet)
    track.key(rng.uniform(0.04, 0.3) if quick else rng.uniform(0.1, 1.5))


def _put_down(track: _Track, rng: Rng, lifted: int) -> None:
    side = 1.0 if lifted == 0 else -1.0
    carrying, yaw = track.feet[-1][1 - lifted], track.turn[-1][2]
    step = np.array([rng.uniform(-0.15, 0.15), side * 2 * _STANCE, 0.0])
    feet = track.feet[-1].copy()
    feet[lifted] = carrying + quat_rotate(quat_from_yaw(yaw), step)
    feet[lifted, 2] = _ANKLE
    track.key(rng.uniform(0.4, 0.8), turn=np.array([0.0, 0.0, yaw]), feet=feet)
    middle = feet.mean(axis=0)
    track.key(0.5, pelvis=np.array([middle[0], middle[1], rng.uniform(0.66, 0.76)]))


def _steps(rng: Rng) -> _Track:
    """Steps to all sides, quick turns, high and low, upright and bent."""
    height = rng.uniform(0.5, 0.76)
    track = _Track(rng.uniform(0.66, 0.76))
    pace, lean = rng.uniform(0.28, 0.6), rng.uniform(-0.1, 0.7)
    moved = int(rng.integers(2))
    for _ in range(int(rng.integers(6, 14))):
        height = np.clip(height + rng.uniform(-0.06, 0.06), 0.48, 0.77)
        _step(track, rng, moved, pace=pace * rng.uniform(0.8, 1.3), height=height)
        track.turn[-1] = track.turn[-1] + [0.0, lean * rng.uniform(0.5, 1.0), 0.0]
        moved = 1 - moved
    _put_down(track, rng, moved)
    return track


def _step(track: _Track, rng: Rng, moved: int, *, pace: float, height: float) -> None:
    """One foot goes over to where the body turns to; the pelvis follows."""
    side = 1.0 if moved == 0 else -1.0
    carrying = track.feet[-1][1 - moved]
    yaw = track.turn[-1][2] + rng.choice([0.0, rng.uniform(-1.1, 1.1)])
    reach = np.array(
        [rng.uniform(-0.4, 0.5), side * (2 * _STANCE + rng.uniform(-0.06, 0.3)), 0.0]
    )
    feet = track.feet[-1].copy()
    target = carrying + quat_rotate(quat_from_yaw(np.asarray(yaw)), reach)
    over = feet.copy()
    over[moved] = 0.5 * (feet[moved] + target)
    over[moved, 2] = _ANKLE + rng.uniform(0.04, 0.25)
    feet[moved] = target
    turn = np.array([0.0, 0.0, yaw])
    halfway = 0.5 * (track.turn[-1] + turn)
    share = rng.uniform(0.25, 0.4)
    pelvis = np.array([*((1 - share) * carrying + share * over[moved])[:2], height])
    track.key(0.5 * pace, pelvis=pelvis, turn=halfway, feet=over)
    middle = np.array([*feet.mean(axis=0)[:2], height])
    track.key(0.5 * pace, pelvis=middle, turn=turn, feet=feet)
    if rng.random() < 0.5:
        track.key(rng.uniform(0.04, 0.3))


def _jumps(rng: Rng, *, one_leg: bool) -> _Track:
    """Crouch, take off, fly, land; a few times."""
    track = _Track(rng.uniform(0.68, 0.75))
    lifted = int(rng.integers(2))
    if one_leg:
        _shift_and_lift(track, rng, lifted)
    for _ in range(int(rng.integers(1, 5))):
        _jump(track, rng, one_leg=one_leg)
    if one_leg:
        _put_down(track, rng, lifted)
    track.key(0.5)
    return track


def _jump(track: _Track, rng: Rng, *, one_leg: bool) -> None:
    rise = rng.uniform(0.02, 0.12 if one_leg else 0.36)
    flight = 2.0 * np.sqrt(2.0 * rise / _GRAVITY)
    spin = 0.0 if one_leg else rng.choice([0.0, rng.uniform(-1.6, 1.6)])
    turn = np.array([0.0, 0.0, track.turn[-1][2]])
    far = rng.uniform(-0.3, 1.0) * flight * (0.6 if one_leg else 1.0)
    aside = rng.uniform(-0.5, 0.5) * flight
    step = quat_rotate(quat_from_yaw(turn[2]), np.array([far, aside, 0.0]))
    start = track.pelvis[-1].copy()
    standing = rng.uniform(0.72, 0.77)
    depth = rng.uniform(0.03, 0.08) if one_leg else rng.uniform(0.08, 0.2)
    crouched = np.array([start[0], start[1], standing - depth])
    track.key(rng.uniform(0.3, 0.7), pelvis=crouched, turn=turn + [0.0, 0.25, 0.0])
    leaving = np.array([start[0], start[1], standing]) + 0.1 * step
    track.key(rng.uniform(0.16, 0.26), pelvis=leaving, turn=turn)
    # Feet travel with the body, tucked in the middle of the flight.
    begin = track.times[-1]
    feet, landed = track.feet[-1].copy(), turn + [0.0, 0.0, spin]
    tuck = rise + rng.uniform(0.0, 0.12 if one_leg else 0.3)
    middle = start[:2] + 0.55 * step[:2]
    high = np.array([*middle, standing + rise])
    air = feet + 0.55 * step
    air[:, 2] = feet[:, 2] + tuck
    track.key(flight / 2, pelvis=high, turn=turn + [0.0, 0.0, spin / 2], feet=air)
    down = _spun(feet + step, start[:2] + step[:2], spin)
    land = np.array([*(start[:2] + step[:2]), standing - 0.02])
    track.key(flight / 2, pelvis=land, turn=landed, feet=down)
    track.flights.append((begin, begin + flight))
    sunk = land - [0.0, 0.0, depth * 0.8]
    track.key(rng.uniform(0.15, 0.3), pelvis=sunk, turn=landed + [0.0, 0.2, 0.0])
    track.key(rng.uniform(0.3, 0.6), pelvis=land, turn=landed)


def _spun(feet: Float64, centre: Float64, angle: float) -> Float64:
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
    pelvis[fly, 2] = line + 0.5 * _GRAVITY * s * (length - s)


def _curve(times: list[float], keys: list[Float64], t: Float64) -> Float64:
    """Key poses joined by smooth steps that rest at every key, (T, ...)."""
    knots, values = np.array(times), np.stack(keys)
    i = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
    s = np.clip((t - knots[i]) / np.maximum(knots[i + 1] - knots[i], 1e-9), 0.0, 1.0)
    s = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
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


def _arms(rng: Rng, t: Float64, rot: Float64, *, down: float) -> Float64:
    """Directions of limbs that wander about an angle below the horizon, (T, 2, 3)."""
    sides = []
    for side in (1.0, -1.0):
        way = _wander(rng, t, 3, [0.8, 0.6, 0.9]) + [0.2, side * 0.6, -down]
        way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
        sides.append(quat_rotate(rot, way))
    return np.stack(sides, axis=1)
