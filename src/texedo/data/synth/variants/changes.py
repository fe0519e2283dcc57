"""Other ways in which a person might have done the same: changes of a source motion.

Everything is changed before the motion is carried over to the robot, so that contacts,
balance and flights of the result are made for it. A planted foot stays planted: places
are moved by a map of the floor that does not change with time.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from texedo.data.capture.source import SourceMotion, source_at
from texedo.motion.curves import ease
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_rotvec,
    quat_from_yaw,
    quat_multiply,
    quat_rotate,
)

Float64 = NDArray[np.float64]
Rng = np.random.Generator

TEMPO, STRIDE, HEIGHT, LIFT = (0.8, 1.25), (0.75, 1.35), (0.86, 1.02), (0.7, 1.7)
_SINK, _ARMS, _CHEST, _HIPS = 0.3, 0.9, 0.5, 0.3
_ODDS_OF_BORROWING = 0.5
_ODDS_OF_PAUSING = 0.5
_PAUSE_EVERY, _PAUSE = 4.0, (0.5, 2.5)
"""Seconds of a recording that have one pause on average, and how long it is."""
_PAUSE_WIDTH = 0.08
"""Time in which a motion comes to a halt [s]."""
_MAX_BEND = 0.35
"""Curvature that a straight path gets at most [1/m]."""
_MAX_STRETCH = 0.12
"""Of steps at the side of a bent path: they are longer outside and shorter inside."""
_PACE = 1.2
"""Seconds between two turning points of what wanders."""
_ARM = ("lower_arm", "hand")
_FOOT = ("foot", "toe")


class Pause(NamedTuple):
    """A moment at which the person all but stops."""

    at: float
    """In the recording [s]."""
    seconds: float
    """That the variant lasts longer for it."""


@dataclass(frozen=True, kw_only=True)
class SourceChange:
    """How a source is changed. The defaults change nothing."""

    tempo: float = 1.0
    """Above 1 it is faster."""
    stride: float = 1.0
    """Scale of all planar distances."""
    height: float = 1.0
    """Scale of all heights: below 1 knees are bent more."""
    lift: float = 1.0
    """Scale of how high each foot is raised."""
    sink: float = 0.0
    """Part of its height that the body may lose, coming and going."""
    bend: float = 0.0
    """Curvature of the floor plan, from -1 to 1 of what the motion has room for."""
    arms: float = 0.0
    """Width of the arms' wandering [rad]."""
    chest: float = 0.0
    """Of the chest's [rad]."""
    hips: float = 0.0
    """Of the hips' [rad]."""
    borrows_arms: bool = False
    """Arms move as they do in another recording."""
    pauses: tuple[Pause, ...] = ()

    def when(self, seconds: Float64) -> Float64:
        """Times in the variant of times (T,) in the recording [s]."""
        times = seconds / self.tempo
        for pause in self.pauses:
            # Less what it would add before the beginning: both share the instant 0.
            done, before = (
                ndtr((x - pause.at) / _PAUSE_WIDTH) for x in (seconds, np.zeros(1))
            )
            times = times + pause.seconds * (done - before)
        return np.asarray(times)


def change_rng(name: str, number: int, *, seed: int = 0) -> Rng:
    """All chance in variant `number` of the recording `name`."""
    return np.random.default_rng((seed, zlib.crc32(name.encode()), number))


def draw_change(rng: Rng, *, seconds: float) -> SourceChange:
    """Some variation of a recording; what wanders does so a little more often than much."""

    def width(most: float) -> float:
        return float(most * rng.uniform() ** 1.5)

    return SourceChange(
        tempo=float(np.exp(rng.uniform(*np.log(TEMPO)))),
        stride=float(np.exp(rng.uniform(*np.log(STRIDE)))),
        height=rng.uniform(*HEIGHT),
        lift=rng.uniform(*LIFT),
        sink=width(_SINK),
        bend=rng.uniform(-1.0, 1.0),
        arms=width(_ARMS),
        chest=width(_CHEST),
        hips=width(_HIPS),
        borrows_arms=bool(rng.uniform() < _ODDS_OF_BORROWING),
        pauses=_draw_pauses(rng, seconds),
    )


def _draw_pauses(rng: Rng, seconds: float) -> tuple[Pause, ...]:
    count = rng.poisson(seconds / _PAUSE_EVERY) * (rng.uniform() < _ODDS_OF_PAUSING)
    return tuple(
        Pause(rng.uniform(0.0, seconds), rng.uniform(*_PAUSE)) for _ in range(count)
    )


def change_source(
    source: SourceMotion,
    variation: SourceChange,
    rng: Rng,
    *,
    donor: SourceMotion | None = None,
) -> SourceMotion:
    """The source as the variation has it; arms are borrowed from the donor."""
    if variation.borrows_arms and donor is not None:
        source = _with_arms_of(donor, source, pace=variation.tempo)
    source = _bent(source, variation.bend)
    source = _wandering(source, variation, rng)
    source = _raised(source, variation, rng)
    source = _paused(source, variation)
    scale = np.array([variation.stride, variation.stride, variation.height])
    return replace(
        source,
        fps=source.fps * variation.tempo,
        positions={role: pos * scale for role, pos in source.positions.items()},
    )


def _paused(source: SourceMotion, variation: SourceChange) -> SourceMotion:
    """More frames where the motion halts; the tempo is left to the frame rate."""
    if not variation.pauses:
        return source
    frames = np.arange(len(source))
    times = variation.when(frames / source.fps)
    rate = source.fps * variation.tempo
    wanted = np.arange(int(times[-1] * rate) + 1) / rate
    return source_at(source, np.interp(wanted, times, frames))


def _with_arms_of(
    donor: SourceMotion, source: SourceMotion, *, pace: float
) -> SourceMotion:
    """Arms as the donor moves them about its chest, there and back as long as needed."""
    at = np.arange(len(source)) * (donor.fps / (source.fps * pace))
    last = max(len(donor) - 1, 1)
    at = np.rint(last - np.abs(at % (2 * last) - last)).astype(np.int64)
    at = np.minimum(at, len(donor) - 1)
    back = quat_conjugate(donor.orientations["chest"][at])
    positions = dict(source.positions)
    for side in ("left", "right"):
        theirs = donor.positions[f"{side}_upper_arm"][at]
        ours = positions[f"{side}_upper_arm"]
        for part in _ARM:
            arm = quat_rotate(back, donor.positions[f"{side}_{part}"][at] - theirs)
            turned = quat_rotate(source.orientations["chest"], arm)
            positions[f"{side}_{part}"] = ours + turned
    return replace(source, positions=positions)


def _raised(source: SourceMotion, variation: SourceChange, rng: Rng) -> SourceMotion:
    """Feet lifted more or less, all above them now and then lower."""
    seconds = source.duration / variation.tempo
    share = _slow_curve(rng, len(source), seconds, 1)[:, 0]
    sunk = 1.0 - variation.sink * (0.5 + 0.5 * share)
    feet = {f"{side}_{part}" for side in ("left", "right") for part in _FOOT}
    knees = {"left_lower_leg", "right_lower_leg"}
    positions = {}
    for role, pos in source.positions.items():
        up = pos[:, 2]
        if role in feet:
            floor = np.percentile(up, 5)
            up = floor + variation.lift * (up - floor)
        elif role not in knees:
            up = up * sunk
        positions[role] = np.concatenate((pos[:, :2], up[:, None]), axis=1)
    return replace(source, positions=positions)


def _bent(source: SourceMotion, share: float) -> SourceMotion:
    """The floor bent so that the way of the hips becomes an arc.

    The map is conformal, z -> (exp(ikz) - 1) / ik with x along the way: at x everything
    is turned by kx, at y everything in the plane is scaled by exp(-ky).
    """
    hips = source.positions["hips"][:, :2]
    centre, way = _main_way(hips)
    off = (hips - centre) @ np.array([-way[1], way[0]])
    room = _MAX_STRETCH / max(float(np.abs(off).max()), 1e-3)
    k = share * min(_MAX_BEND, room)
    if abs(k) < 1e-6:
        return source
    yaws, positions = {}, {}
    for role, pos in source.positions.items():
        flat = complex(*way).conjugate() * ((pos[:, :2] - centre) @ [1.0, 1.0j])
        bent = complex(*way) * (np.exp(1j * k * flat) - 1.0) / (1j * k)
        positions[role] = np.stack((bent.real, bent.imag, pos[:, 2]), axis=1)
        positions[role][:, :2] += centre
        yaws[role] = k * flat.real
    return replace(
        source,
        positions=positions,
        orientations={
            role: quat_multiply(quat_from_yaw(yaws[role]), quat)
            for role, quat in source.orientations.items()
        },
    )


def _main_way(path: Float64) -> tuple[Float64, Float64]:
    """Middle of a path (T, 2) and the direction in which it is longest."""
    middle = 0.5 * (path.min(axis=0) + path.max(axis=0))
    _, axes = np.linalg.eigh(np.cov(path.T) + 1e-12 * np.eye(2))
    return middle, axes[:, 1]


def _wandering(source: SourceMotion, variation: SourceChange, rng: Rng) -> SourceMotion:
    """Arms, chest and hips turned by slow random curves."""
    seconds = source.duration / variation.tempo
    positions, orientations = dict(source.positions), dict(source.orientations)
    for side in ("left", "right"):
        shoulder = positions[f"{side}_upper_arm"]
        turn = _slow_turn(rng, len(source), seconds, variation.arms)
        for part in _ARM:
            arm = positions[f"{side}_{part}"] - shoulder
            positions[f"{side}_{part}"] = shoulder + quat_rotate(turn, arm)
    for role, width in (("chest", variation.chest), ("hips", variation.hips)):
        lean = _slow_turn(rng, len(source), seconds, width)
        orientations[role] = quat_multiply(lean, orientations[role])
    return replace(source, positions=positions, orientations=orientations)


def _slow_turn(rng: Rng, frames: int, seconds: float, width: float) -> Float64:
    """Quaternions (T, 4) whose angles wander within `width`."""
    angles = _slow_curve(rng, frames, seconds, 3) * (width / np.sqrt(3.0))
    return np.asarray(quat_from_rotvec(angles))


def _slow_curve(rng: Rng, frames: int, seconds: float, size: int) -> Float64:
    """Numbers that wander between -1 and 1, (T, size)."""
    count = max(2, int(seconds / _PACE) + 1)
    keys = rng.uniform(-1.0, 1.0, (count, size))
    at = np.linspace(0.0, count - 1.0, frames)
    i = np.minimum(at.astype(np.int64), count - 2)
    s = ease(at - i)[:, None]
    return np.asarray(keys[i] + (keys[i + 1] - keys[i]) * s)
