"""Feet over time: who stands, who swings, and where the weight goes meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.motion.curves import between, bump, ease
from texedo.robot.collision import SOLE_CENTRE
from texedo.robot.g1 import SOLE_HEIGHT

Float64 = NDArray[np.float64]

LEFT, RIGHT = 0, 1
STANCE_WIDTH = 0.24
"""Between the ankles in a normal stance [m]; the hips are 0.23 apart."""
_PRESSURE_AT = SOLE_CENTRE[0] - 0.015
"""Along the foot from the ankle: a little behind the middle of the sole [m]."""
_SHIFT = 0.4
"""Time to move the weight over one foot, from standing on both [s]."""


class Place(NamedTuple):
    """A foot on the floor: its ankle's place and its heading."""

    x: float
    y: float
    yaw: float

    def ahead(self, dx: float, dy: float, turn: float = 0.0) -> Place:
        """The place `dx` ahead and `dy` to the left of this one, turned."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return Place(
            float(self.x + c * dx - s * dy),
            float(self.y + s * dx + c * dy),
            self.yaw + turn,
        )


class Via(NamedTuple):
    """A point that a lifted foot passes at rest or nearly so."""

    at: float
    """Part of the swing's duration."""
    forward: float
    left: float
    up: float
    """From the place where the foot was lifted [m], in its heading."""
    pitch: float = 0.0
    """Toes down is positive [rad]."""


@dataclass(frozen=True, kw_only=True)
class Swing:
    """One foot leaves the floor and comes down again."""

    foot: int
    """0 left, 1 right."""
    start: float
    """[s]"""
    duration: float
    to: Place
    height: float = 0.06
    """[m]"""
    via: tuple[Via, ...] = ()
    """Given, they replace the plain arc."""
    scuff: float = 0.0
    """Toes hang by this angle on the way [rad]."""
    flight: bool = False
    """The other foot is in the air as well: a hop, which shifts no weight."""

    @property
    def end(self) -> float:
        return self.start + self.duration


@dataclass
class FootPlan:
    """Swings in order, and how the feet stood before."""

    left: Place
    right: Place
    swings: list[Swing] = field(default_factory=list)

    def place(self, foot: int) -> Place:
        """Where `foot` stands after all swings so far."""
        for swing in reversed(self.swings):
            if swing.foot == foot:
                return swing.to
        return self.left if foot == LEFT else self.right

    @property
    def end(self) -> float:
        return self.swings[-1].end if self.swings else 0.0


class FootTracks(NamedTuple):
    """A foot plan in frames."""

    pos: Float64
    """Origins of the `ankle_roll` links, (T, 2, 3) [m]."""
    euler: Float64
    """Yaw, pitch, roll of the feet, (T, 2, 3) [rad]."""
    pressure: Float64
    """(T, 2) [m]."""
    load: Float64
    """Share of the weight on the left foot, (T,)."""

    def heading(self, smooth: float = 8.0) -> Float64:
        """Mean yaw of both feet, smoothed by a Gaussian of this many frames, (T,)."""
        return np.asarray(
            gaussian_filter1d(self.euler[:, :, 0].mean(axis=1), smooth, mode="nearest")
        )


def standing(width: float = STANCE_WIDTH, *, toe_out: float = 0.0) -> FootPlan:
    """Both feet side by side around the origin, facing +x."""
    return FootPlan(Place(0.0, width / 2, toe_out), Place(0.0, -width / 2, -toe_out))


def track_feet(plan: FootPlan, time: Float64) -> FootTracks:
    """The plan at the given times."""
    pos = np.empty((len(time), 2, 3))
    euler = np.zeros((len(time), 2, 3))
    for foot, place in ((LEFT, plan.left), (RIGHT, plan.right)):
        pos[:, foot] = (place.x, place.y, -SOLE_HEIGHT)
        euler[:, foot, 0] = place.yaw
        for swing in plan.swings:
            if swing.foot == foot:
                _add_swing(
                    pos[:, foot], euler[:, foot], start=place, swing=swing, time=time
                )
                place = swing.to
    load = _load([swing for swing in plan.swings if not swing.flight], time)
    sole = _soles(pos, euler)
    pressure = load[:, None] * sole[:, LEFT] + (1 - load[:, None]) * sole[:, RIGHT]
    return FootTracks(pos, euler, pressure, load)


def _soles(pos: Float64, euler: Float64) -> Float64:
    """Where each foot carries weight, (T, 2, 2) [m]."""
    yaw = euler[..., 0]
    ahead = np.stack((np.cos(yaw), np.sin(yaw)), axis=-1)
    return np.asarray(pos[..., :2] + _PRESSURE_AT * ahead)


def _add_swing(
    pos: Float64, euler: Float64, *, start: Place, swing: Swing, time: Float64
) -> None:
    """Write one swing of one foot into its tracks from its start on, in place."""
    s = (time - swing.start) / swing.duration
    after = s > 0
    # The foot rises before it travels and is down before it rests: no scuffing.
    along = _glide((s - 0.05) / 0.9)
    way = np.array([swing.to.x - start.x, swing.to.y - start.y])
    pos[after, :2] = (np.array([start.x, start.y]) + along[:, None] * way)[after]
    euler[after, 0] = (start.yaw + along * (swing.to.yaw - start.yaw))[after]
    if not swing.via:
        inside = np.clip(s, 0.0, 1.0)
        arc = 4 * inside * (1 - inside) if swing.flight else bump(s)
        pos[after, 2] = (-SOLE_HEIGHT + swing.height * arc)[after]
        euler[after, 1] = (swing.scuff * bump(s))[after]
        return
    keys = [Via(0.0, 0.0, 0.0, 0.0), *swing.via, Via(1.0, 0.0, 0.0, 0.0)]
    extra = np.zeros((len(time), 4))
    for a, b in zip(keys, keys[1:], strict=False):
        part = between(s, a.at, b.at)[:, None]
        extra += part * (np.array(b[1:]) - np.array(a[1:]))
    c, n = np.cos(start.yaw), np.sin(start.yaw)
    pos[after, 0] += (c * extra[:, 0] - n * extra[:, 1])[after]
    pos[after, 1] += (n * extra[:, 0] + c * extra[:, 1])[after]
    pos[after, 2] = (-SOLE_HEIGHT + extra[:, 2])[after]
    euler[after, 1] = extra[after, 3]


def _glide(s: Float64) -> Float64:
    """From 0 to 1, less hasty in the middle than `ease`: feet are heavy."""
    t = np.clip(s, 0.0, 1.0)
    return np.asarray(0.5 * ease(t) + 0.5 * t * t * (3 - 2 * t))


def _load(swings: list[Swing], time: Float64) -> Float64:
    """Share of the weight that the left foot carries: all of it while the right swings.

    In a long pause between two swings it comes back to both.
    """
    keys: list[tuple[float, float]] = [(-np.inf, 0.5)]
    for swing in swings:
        weight = 1.0 if swing.foot == RIGHT else 0.0
        if swing.start - keys[-1][0] > 2 * _SHIFT:
            if np.isfinite(keys[-1][0]):
                keys.append((keys[-1][0] + _SHIFT, 0.5))
            keys.append((swing.start - _SHIFT, 0.5))
        keys += [(swing.start, weight), (swing.end, weight)]
    if swings:
        keys.append((swings[-1].end + _SHIFT, 0.5))
    out = np.full(len(time), 0.5)
    for (start, a), (end, b) in zip(keys[1:], keys[2:], strict=False):
        out += (b - a) * between(time, start, end)
    return out
