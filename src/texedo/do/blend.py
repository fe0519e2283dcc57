"""From standing into a motion, and back to standing: what a real robot needs around it.

A robot stands when a motion begins, and must not be thrown into its first frame. So some
frames are put in front: the standing pose, quite still, and a way from there to the first
frame and its speed. Where a foot of that frame is on the floor the way goes over it: the
weight shifts, the other foot steps if it has to, and no foot slides. Where none is, or
where that would be much rougher, every joint moves by a polynomial of the fifth degree and
the lowest point keeps to the floor. The
end is the same, the other way round. No frame of the motion itself is changed; as a whole it
is moved so that the robot begins above the origin, facing +x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.core.errors import MotionError
from texedo.data.synth.compose.bridge import bridge
from texedo.data.synth.compose.stance import Placement, Stance, stances
from texedo.motion import FPS, Motion
from texedo.motion.curves import ease
from texedo.motion.rotations import (
    quat_from_yaw,
    quat_make_continuous,
    quat_normalize,
    quat_rotate,
    quat_slerp,
    quat_yaw,
)
from texedo.robot import g1
from texedo.robot.collision import ground_clearance, self_penetration, sole_points
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]
Way = Literal["feet", "plain"]

STILL = 0.1
"""Time in the standing pose, quite still, at either end at least [s]."""
SHORTEST = 0.8
"""No way from or to standing is quicker [s]."""
_LENGTHS = (SHORTEST, 1.4, 2.2)
"""Times that are tried until the way is calm [s]."""
_SLIDING = 2.0
"""So much calmer must a way be on which feet slide."""
CALM_SPEED = np.minimum(0.25 * g1.SPEED_LIMIT, 6.0)
"""What a joint may do on the way, (29,) [rad/s]: a quarter of its motor's top speed."""
CALM_JUMP = 150.0
"""And its acceleration [rad/s^2]; a check warns at 400."""
CALM_OVERLAP = 0.03
"""Two shapes of the robot may overlap so far [m]; a check fails at 0.035."""
MAX_HOLD = 60.0
_FLAT, _SUNK = 0.04, -0.03
"""A sole all of whose points are between these heights is on the floor [m]."""


class Blended(NamedTuple):
    """A motion with standing around it."""

    motion: Motion
    first: int
    """Frame at which the motion itself begins."""
    last: int
    """Its last frame."""
    ways: tuple[Way, Way]
    """How the start and the end are reached: over the feet, or joint by joint."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "motion_begins_s": self.first / FPS,
            "motion_ends_s": self.last / FPS,
            "blend_in": self.ways[0],
            "blend_out": self.ways[1],
        }


def standing_pose() -> Float64:
    """Standing with bent knees above the origin, facing +x, (36,)."""
    root = (0.0, 0.0, g1.KNEES_BENT_HEIGHT, 1.0, 0.0, 0.0, 0.0)
    return np.array([*root, *g1.KNEES_BENT])


def blend_with_standing(motion: Motion, *, hold: float = 0.0) -> Blended:
    """The motion between two times of standing still, `hold` seconds longer each."""
    if not (np.isfinite(hold) and 0 <= hold <= MAX_HOLD):
        raise MotionError(f"hold must be from 0 to {MAX_HOLD:g} seconds, got {hold}.")
    frames = motion.to_qpos().astype(np.float64)
    still = max(round((STILL + hold) * FPS), 1)
    stand = _End.standing(standing_pose())
    into = _way(stand, _End.first(frames))
    frames = into.placement.moved(frames)
    out = _way(_End.last(frames), stand)
    after = out.placement.moved(stand.pose[None])
    whole = np.concatenate(
        (
            np.repeat(stand.pose[None], still, axis=0),
            into.frames,
            frames,
            out.frames,
            np.repeat(after, still, axis=0),
        )
    )
    first = still + len(into.frames)
    return Blended(
        Motion.from_qpos(whole), first, first + len(frames) - 1, (into.kind, out.kind)
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _End:
    """One end of a way: a pose and how fast it moves on."""

    near: Float64
    """The frame before, the frame and the one after, (3, 36)."""

    @classmethod
    def standing(cls, pose: Float64) -> _End:
        return cls(near=np.repeat(pose[None], 3, axis=0))

    @classmethod
    def first(cls, frames: Float64) -> _End:
        return cls(near=_units(np.stack((_beyond(frames[1], frames[0]), *frames[:2]))))

    @classmethod
    def last(cls, frames: Float64) -> _End:
        after = _beyond(frames[-2], frames[-1])
        return cls(near=_units(np.stack((*frames[-2:], after))))

    @property
    def pose(self) -> Float64:
        return np.asarray(self.near[1])

    @property
    def velocity(self) -> Float64:
        """Of all 36 numbers, per second."""
        return np.asarray((self.near[2] - self.near[0]) * (FPS / 2))

    def stance(self) -> Stance:
        return stances(self.near[None])[0]

    def feet(self) -> set[int]:
        """The soles that are flat on the floor."""
        heights = sole_points(_kinematics(self.pose))[..., 2]  # (2, P)
        flat = (heights.max(axis=-1) < _FLAT) & (heights.min(axis=-1) > _SUNK)
        return set(np.flatnonzero(flat).tolist())


class _Found(NamedTuple):
    frames: Float64
    """(T, 36), without the two frames that they connect."""
    placement: Placement
    """Where the second end goes."""
    kind: Way


def _way(first: _End, second: _End) -> _Found:
    """From one end to the other, which is placed to fit: the first way that is calm.

    If none is, the calmest; one on which feet slide only if it is much calmer.
    """
    best, least = None, np.inf
    for found, handicap in _ways(first, second):
        rough = handicap * _roughness(found, first, second)
        if rough < least:
            best, least = found, rough
        if rough <= 1.0:
            break
    assert best is not None
    return best


def _ways(first: _End, second: _End) -> Iterator[tuple[_Found, float]]:
    feet = sorted(first.feet() & second.feet())
    if feet:
        stances = first.stance(), second.stance()
        for seconds in _LENGTHS:
            made = bridge(*stances, feet=feet, least=seconds)
            yield _Found(made.frames, made.placement, "feet"), 1.0
    for seconds in _LENGTHS:
        yield _plain(first, second, seconds), _SLIDING if feet else 1.0


def _roughness(found: _Found, first: _End, second: _End) -> float:
    """How far the way goes beyond what is calm, 1 at the limit.

    What the motion itself does at its end is calm enough.
    """
    goal = found.placement.moved(second.near[1:])
    whole = np.concatenate((first.near[:2], found.frames, goal))
    joints = whole[:, 7:]
    speed = np.abs(np.diff(joints, axis=0)).max(axis=0) * FPS
    own = np.maximum(np.abs(first.velocity[7:]), np.abs(second.velocity[7:]))
    jump = np.abs(np.diff(joints, n=2, axis=0)).max() * FPS**2
    deep = self_penetration(_kinematics(whole)).depth
    return max(
        float((speed / np.maximum(CALM_SPEED, own)).max()),
        float(jump) / CALM_JUMP,
        float(deep.max() / max(CALM_OVERLAP, deep[1], deep[-2])),
    )


def _plain(first: _End, second: _End, seconds: float) -> _Found:
    """Joint by joint, with the lowest point of the robot on its way along the floor."""
    placement = _ahead(first, second, seconds)
    start, end = first.near, placement.moved(second.near)
    goal, before = _End(near=start), _End(near=end)
    steps = max(round(seconds * FPS) - 1, 1)
    s = np.arange(1, steps + 1) / (steps + 1)
    out = _quintic(goal, before, s, (steps + 1) / FPS)
    out[:, 3:7] = quat_slerp(goal.pose[3:7], before.pose[3:7], ease(s))
    out[:, 7:] = np.clip(out[:, 7:], g1.JOINT_LOWER, g1.JOINT_UPPER)
    gaps = ground_clearance(_kinematics(out)).min(axis=1)
    ends = [float(ground_clearance(_kinematics(e.pose)).min()) for e in (goal, before)]
    wanted = ends[0] + (ends[1] - ends[0]) * ease(s)
    # Near the ends it is right already; smoothing must not move them.
    calm = np.minimum(ease(4 * s), ease(4 * (1 - s)))
    out[:, 2] += calm * gaussian_filter1d(wanted - gaps, 3.0, mode="nearest")
    return _Found(out, placement, "plain")


def _quintic(first: _End, second: _End, s: Float64, seconds: float) -> Float64:
    """Fifth degree between values and speeds, accelerations zero at both ends."""
    s = s[:, None]
    a, b = first.pose, second.pose
    u, v = first.velocity * seconds, second.velocity * seconds
    rise = s**3 * (10 - 15 * s + 6 * s * s)
    leave = s - s**3 * (6 - 8 * s + 3 * s * s)
    arrive = -(s**3) * (4 - 7 * s + 3 * s * s)
    return np.asarray(a + rise * (b - a) + leave * u + arrive * v)


def _ahead(first: _End, second: _End, seconds: float) -> Placement:
    """The second end in front of the first, as far as their speeds carry."""
    headings = [quat_yaw(end.pose[3:7]) for end in (first, second)]
    yaw = float(headings[0] - headings[1])
    turn = quat_from_yaw(np.array(yaw))
    place = quat_rotate(turn, second.pose[:3] * [1, 1, 0])[:2]
    drift = first.velocity[:3] + quat_rotate(turn, second.velocity[:3])
    return Placement(yaw, first.pose[:2] - place + drift[:2] * seconds / 2)


def _beyond(inner: Float64, end: Float64) -> Float64:
    """The frame after the end if everything goes on as it did."""
    sign = -1.0 if (inner[3:7] * end[3:7]).sum() < 0 else 1.0
    inner = np.concatenate((inner[:3], sign * inner[3:7], inner[7:]))
    return np.asarray(2 * end - inner)


def _units(near: Float64) -> Float64:
    near = near.copy()
    near[:, 3:7] = quat_make_continuous(quat_normalize(near[:, 3:7]))
    return near


def _kinematics(qpos: Float64) -> Any:
    return forward_kinematics(qpos[..., :3], qpos[..., 3:7], qpos[..., 7:])
