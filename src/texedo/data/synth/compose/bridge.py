"""From the end of one motion to the start of another, on feet that do not slide.

Both motions are cut where both soles rest on the floor. The second is placed so that one
foot stands exactly where it stood; the other, if it has to, takes a step. Weight goes
over the standing foot first, by the same balance as in authored walking, and everything
above eases over with the speeds it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author.stage.balance import Rest, mass_path
from texedo.data.synth.author.stage.clearance import clear_arms
from texedo.data.synth.author.stage.perform import (
    MASS_HEIGHT,
    UPPER_JOINTS,
    StagePlan,
    highest_pelvis,
    perform_many,
)
from texedo.data.synth.compose.stance import Placement, Stance
from texedo.motion import FPS
from texedo.motion.curves import between, bump, ease
from texedo.motion.rotations import (
    quat_from_euler,
    quat_from_yaw,
    quat_rotate,
)
from texedo.robot.collision import SOLE_CENTRE
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER
from texedo.robot.mass import GRAVITY

Float64 = NDArray[np.float64]

BOTH = (0, 1)
"""Feet, left first."""
_SMALL_STEP = 0.008
"""A foot may drift this far while it carries weight [m]."""
_SMALL_TURN = np.radians(4.0)
_SHIFTS, _SETTLES = (0.3, 0.45, 0.6), (0.25, 0.45, 0.65, 0.9)
"""Times to move the weight over one foot, and from there to where it goes [s]."""
_HURRY = 0.03
"""How far the pressure may be from where it should be before more time is taken [m]."""
_FADE = 0.12
"""How long a speed lives on after the cut [s]."""
_SEAM = 0.3
"""Over which the last differences at the seams are spread [s]."""


class Step(NamedTuple):
    """What the feet have to do to get from one stance to the other."""

    placement: Placement
    swing: int
    """The foot that steps; -1 if both may stay."""
    distance: float
    """[m]"""
    turn: float
    """[rad]"""

    @property
    def duration(self) -> float:
        """Of the swing [s]."""
        wish = 0.3 + 0.6 * self.distance + 0.15 * abs(self.turn)
        return float(np.clip(wish, 0.36, 0.8))


class Timing(NamedTuple):
    """When the foot swings [s]; without a step, `lift` and `land` are the middle."""

    lift: float
    land: float
    end: float

    @property
    def frames(self) -> Float64:
        return np.arange(round(self.end * FPS) + 1) / FPS


class _Choice(NamedTuple):
    step: Step
    timing: Timing
    hurry: float


def choose(
    first: Stance, second: Stance, *, feet: Sequence[int] = BOTH, least: float = 0.0
) -> tuple[Step, Timing]:
    """Which of `feet` stands, and the least time in which the weight can follow.

    A mass that should be elsewhere too soon needs a floor wider than the feet: of all
    choices the shortest wins whose pressure stays where it belongs, or else the calmest.
    None is shorter than `least` seconds.
    """
    options: list[_Choice] = []
    for foot in feet:
        step = _standing_on(foot, first, second)
        placed = _placed(second, step.placement, near=first)
        for timing in _timings(first, second, step, least):
            hurry = _hurry(first, placed, step, timing)
            options.append(_Choice(step, timing, hurry))
    calm = [option for option in options if option.hurry < _HURRY]
    if calm:
        best = min(calm, key=lambda o: o.timing.end + 0.5 * o.step.distance)
    else:
        best = min(options, key=lambda o: o.hurry)
    return best.step, best.timing


def least_step(first: Stance, second: Stance) -> Step:
    """The smaller of the two steps that would do."""
    steps = [_standing_on(foot, first, second) for foot in (0, 1)]
    return min(steps, key=lambda step: step.distance)


def _timings(
    first: Stance, second: Stance, step: Step, least: float = 0.0
) -> list[Timing]:
    apart = np.abs(second.qpos[7:] - first.qpos[7:])[UPPER_JOINTS].max()
    least = max(least, float(np.clip(0.35 + 0.3 * apart, 0.45, 1.0)))
    if step.swing < 0:
        ends = [max(least, t) for t in (0.45, 0.7, 1.0)]
        return [Timing(end / 2, end / 2, end) for end in ends]
    swing = step.duration
    return [
        Timing(shift, shift + swing, max(shift + swing + settle, least))
        for shift in _SHIFTS
        for settle in _SETTLES
    ]


def _hurry(first: Stance, second: Stance, step: Step, timing: Timing) -> float:
    """How far the pressure of a single mass strays from the plan at worst [m]."""
    wanted = _pressure(first, second, step, timing)
    path = mass_path(wanted, height=MASS_HEIGHT, start=first.mass, end=second.mass)
    bend = np.diff(path, n=2, axis=0) * FPS**2
    actual = path[1:-1] - MASS_HEIGHT / GRAVITY * bend
    return float(np.linalg.norm(actual - wanted[1:-1], axis=1).max())


def _standing_on(foot: int, first: Stance, second: Stance) -> Step:
    yaw = float(first.foot_euler[foot, 0] - second.foot_euler[foot, 0])
    yaw = float(np.arctan2(np.sin(yaw), np.cos(yaw)))
    turn = quat_from_yaw(np.array(yaw))
    here, there = _soles(first), quat_rotate(turn, _soles(second))
    shift = (here[foot] - there[foot])[:2]
    other = 1 - foot
    gap = float(np.linalg.norm((there[other] - here[other])[:2] + shift))
    twist = second.foot_euler[other, 0] + yaw - first.foot_euler[other, 0]
    twist = float(np.arctan2(np.sin(twist), np.cos(twist)))
    stays = gap < _SMALL_STEP and abs(twist) < _SMALL_TURN
    return Step(Placement(yaw, shift), -1 if stays else other, gap, twist)


def _soles(stance: Stance) -> Float64:
    """Middle of each sole, (2, 3) [m]."""
    ahead = np.stack(
        (np.cos(stance.foot_euler[:, 0]), np.sin(stance.foot_euler[:, 0])), axis=1
    )
    out = stance.foot_pos.copy()
    out[:, :2] += SOLE_CENTRE[0] * ahead
    return out


class Bridge(NamedTuple):
    """New frames between two motions."""

    frames: Float64
    """(T, 36), without the two frames that they connect."""
    placement: Placement
    seam: float
    """Largest difference that had to be spread from a seam [rad or m]."""


def bridge(
    first: Stance, second: Stance, *, feet: Sequence[int] = BOTH, least: float = 0.0
) -> Bridge:
    """Frames from one stance to another, which is placed to fit.

    One of `feet` stands all the while, so it must be on the floor in both; it takes
    `least` seconds or longer.
    """
    chosen = choose(first, second, feet=feet, least=least)
    return _build([(first, second)], [chosen])[0]


def bridge_many(pairs: Sequence[tuple[Stance, Stance]]) -> list[Bridge]:
    """The same for many: faster, but each comes out as it would alone."""
    if not pairs:
        return []
    return _build(pairs, [choose(first, second) for first, second in pairs])


def _build(
    pairs: Sequence[tuple[Stance, Stance]], chosen: Sequence[tuple[Step, Timing]]
) -> list[Bridge]:
    placed = [
        _placed(second, step.placement, near=first)
        for (first, second), (step, _) in zip(pairs, chosen, strict=True)
    ]
    plans = [
        _plan(first, second, step, timing)
        for (first, _), second, (step, timing) in zip(
            pairs, placed, chosen, strict=True
        )
    ]
    out = []
    for done, (first, _), second, (step, _) in zip(
        perform_many(plans), pairs, placed, chosen, strict=True
    ):
        qpos, seam = _close_seams(done.qpos, first, second)
        qpos[:, 7:] = np.clip(qpos[:, 7:], JOINT_LOWER, JOINT_UPPER)
        qpos = clear_arms(qpos, hold_ends=True)
        out.append(Bridge(qpos[1:-1], step.placement, seam))
    return out


def _placed(stance: Stance, placement: Placement, *, near: Stance) -> Stance:
    """The second stance at its place, its yaw on the same turn of the circle."""
    turn = quat_from_yaw(np.array(placement.yaw))
    flat = np.array([*placement.shift, 0.0])

    def vector(v: Float64) -> Float64:
        return quat_rotate(turn, np.array([*v, 0.0]))[:2]

    euler = stance.euler.copy()
    euler[0] = near.euler[0] + _wrapped(euler[0] + placement.yaw - near.euler[0])
    foot_euler = stance.foot_euler.copy()
    foot_euler[:, 0] = near.foot_euler[:, 0] + _wrapped(
        foot_euler[:, 0] + placement.yaw - near.foot_euler[:, 0]
    )
    return stance._replace(
        qpos=placement.moved(stance.qpos[None])[0],
        euler=euler,
        mass=Rest(
            vector(stance.mass.position) + placement.shift, vector(stance.mass.velocity)
        ),
        foot_pos=quat_rotate(turn, stance.foot_pos) + flat,
        foot_euler=foot_euler,
    )


def _wrapped(angle: Any) -> Any:
    return np.arctan2(np.sin(angle), np.cos(angle))


def _plan(first: Stance, second: Stance, step: Step, timing: Timing) -> StagePlan:
    time = timing.frames
    foot_pos, foot_euler = _feet(first, second, step, timing)
    pressure = _pressure(first, second, step, timing)
    upper = _eased(
        time,
        (first.qpos[7:][UPPER_JOINTS], first.velocity[UPPER_JOINTS]),
        (second.qpos[7:][UPPER_JOINTS], second.velocity[UPPER_JOINTS]),
    )
    pelvis = _eased(time, (first.euler, first.spin), (second.euler, second.spin))
    path = mass_path(pressure, height=MASS_HEIGHT, start=first.mass, end=second.mass)
    offset = _eased(
        time, *((s.qpos[:2] - s.mass.position, 0.0) for s in (first, second))
    )
    highest = highest_pelvis(path + offset, quat_from_euler("ZYX", pelvis), foot_pos)
    return StagePlan(
        foot_pos=foot_pos,
        foot_euler=foot_euler,
        pressure=pressure,
        pelvis_height=_height(first, second, time, highest),
        pelvis_euler=pelvis,
        upper=upper,
        start=first.mass,
        end=second.mass,
        height_is_final=True,
    )


def _height(first: Stance, second: Stance, time: Float64, highest: Float64) -> Float64:
    """From one height to the other, in between as low as the legs want it, (T,)."""
    plain = _eased(time, (first.qpos[2], first.climb), (second.qpos[2], second.climb))
    rim = 0.4 * time[-1]
    low = between(time, 0.0, rim) - between(time, time[-1] - rim, time[-1])
    # At the seams the legs are as long as they are: captured knees may be straight.
    dip = np.where(low > 0.3, (plain - highest) / np.maximum(low, 0.3), 0.0).max()
    return np.asarray(plain - low * max(float(dip), 0.0))


def _eased(time: Float64, start: tuple[Any, Any], end: tuple[Any, Any]) -> Float64:
    """From one (value, rate) to another; rates die away and come up softly."""
    shape = (-1, *(1,) * np.ndim(start[0]))
    gone = (_FADE * (1 - np.exp(-time / _FADE))).reshape(shape)
    coming = (_FADE * (1 - np.exp(-(time[-1] - time) / _FADE))).reshape(shape)
    s = ease(time / time[-1]).reshape(shape)
    return np.asarray(
        (1 - s) * (start[0] + gone * start[1]) + s * (end[0] - coming * end[1])
    )


def _feet(
    first: Stance, second: Stance, step: Step, timing: Timing
) -> tuple[Float64, Float64]:
    """Places and turns of the feet, (T, 2, 3) each."""
    time, swing = timing.frames, timing.land - timing.lift
    pos = np.empty((len(time), 2, 3))
    euler = np.empty((len(time), 2, 3))
    for foot in (0, 1):
        s = ease(time / time[-1])
        if foot == step.swing:
            s = between(time, timing.lift + 0.05 * swing, timing.land - 0.05 * swing)
        s = s[:, None]
        pos[:, foot] = (1 - s) * first.foot_pos[foot] + s * second.foot_pos[foot]
        euler[:, foot] = (1 - s) * first.foot_euler[foot] + s * second.foot_euler[foot]
    if step.swing >= 0:
        rise = 0.045 + 0.08 * min(step.distance, 0.4)
        pos[:, step.swing, 2] += rise * bump((time - timing.lift) / swing)
    return pos, euler


def _pressure(first: Stance, second: Stance, step: Step, timing: Timing) -> Float64:
    """Under the mass at both ends, under the standing foot during the step, (T, 2)."""
    time = timing.frames
    start, end = first.mass.position, second.mass.position
    if step.swing < 0:
        s = ease(time / time[-1])[:, None]
        return np.asarray((1 - s) * start + s * end)
    stand = _soles(first)[1 - step.swing, :2]
    on = between(time, 0.0, timing.lift)[:, None]
    off = between(time, timing.land, time[-1])[:, None]
    return np.asarray((1 - on) * start + (on - off) * stand + off * end)


def _close_seams(qpos: Float64, first: Stance, second: Stance) -> tuple[Float64, float]:
    """Spread what is left between the bridge's ends and the frames that they must be."""
    width = min(_SEAM, len(qpos) / FPS / 2)
    near = np.arange(len(qpos)) / FPS / width
    worst = 0.0
    out = qpos.copy()
    for wanted, at, weight in (
        (first.qpos, 0, 1 - ease(near)),
        (second.qpos, -1, 1 - ease(near[::-1])),
    ):
        gap = wanted - qpos[at]
        if (wanted[3:7] * qpos[at, 3:7]).sum() < 0:
            gap[3:7] = -wanted[3:7] - qpos[at, 3:7]
        worst = max(worst, float(np.abs(gap).max()))
        out += weight[:, None] * gap
    out[:, 3:7] /= np.linalg.norm(out[:, 3:7], axis=1, keepdims=True)
    return out, worst
