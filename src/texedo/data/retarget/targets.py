"""From a person's joints to what the robot should reach.

The person is scaled by leg length; limbs give directions, not positions, because the
robot's arms and thighs have other proportions. Feet are treated with care: a planted
foot is flat, on the floor, and stays where it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import (
    binary_dilation,
    binary_opening,
    gaussian_filter1d,
)

from texedo.data.capture.source import SourceMotion
from texedo.data.retarget.feet import sound_foot
from texedo.data.retarget.solver import Targets
from texedo.motion import FPS
from texedo.motion.rotations import quat_to_matrix
from texedo.motion.runs import true_runs
from texedo.robot.g1 import BODY_INDEX, SOLE_HEIGHT
from texedo.robot.gaps import SIDES
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.tables import COLLISION_ROWS

Float64 = NDArray[np.float64]

# Where the robot's pelvis stands against a person's hip centre, in the pelvis frame: back
# and up to the robot's own origin, and lower, so that knees stay bent and the centre of
# mass rests over the soles.
_PELVIS_FROM_HIPS = np.array([-0.045, 0.0, 0.1027])
_PELVIS_LOWER = 0.025
_FOOT_WIDENING = 0.028
"""Each foot goes this far out: the robot's hips are wider than a scaled person's [m]."""
_BALL = np.array([0.08, 0.0, SOLE_HEIGHT])
"""Ball of the foot in the frame of the ankle roll link: the part that stays put [m]."""
_PLAY = 0.03
"""A planted foot may lie this far from its source before it follows [m]."""
_TOE_LOW, _TOE_SLOW = 0.05, 0.45
"""A toe this near the floor [m] and this slow [m/s] is planted."""
_TOE_STILL_LOW, _TOE_STILL, _STILL_FRAMES = 0.10, 0.12, 15
"""So is a toe that hardly moves [m/s] for 0.3 s somewhat higher [m]: nobody holds a foot
still there, but markers slip and floors are uneven."""
_MAX_SINK = 0.12
"""A foot that must be on the floor is lowered by no more than this [m]."""
_SWING_HOLD = 0.2
"""Weight of a swinging foot's orientation against a planted one's: recorded ankles are
noisy in the air, and nothing there is worth throwing the pelvis about."""
_FLAT, _TILTED = np.radians(8.0), np.radians(18.0)
"""With its toes down by less than the first a planted foot is made flat; by more than the
second it is on tiptoe. Other tilts of a planted foot are faults of the recording."""
_FALLING = -4.0
"""Hips that sink faster than this fall, and nothing carries them [m/s^2]: they do so at
about -3 in a walk and below -7 in flight, on the robot's scale."""
_AFTER_FALL = 5
"""Frames around a fall in which nothing is said about who carries."""


class FootPlan(NamedTuple):
    """What the feet should do."""

    pos: Float64
    """Origins of the ankle roll links, (T, 2, 3) [m]."""
    rot: Float64
    """(T, 2, 3, 3)."""
    planted: NDArray[np.bool_]
    """(T, 2)."""
    ground: float
    """Height of the floor in the scaled source [m]."""


def make_targets(source: SourceMotion) -> tuple[Targets, NDArray[np.bool_]]:
    """Targets for every frame of a 50 Hz source, and which feet are planted, (T, 2)."""
    scale = ROBOT.leg / source.leg_length
    feet = _plan_feet(source, scale)
    pelvis_rot = quat_to_matrix(source.orientations["hips"])
    hips = 0.5 * scale * sum(source.positions[f"{s}_upper_leg"] for s in SIDES)
    pelvis = hips + pelvis_rot @ _PELVIS_FROM_HIPS
    pelvis[:, 2] -= feet.ground + _PELVIS_LOWER

    def limb(base: str, tip: str, length: float) -> Float64:
        bones = [
            source.positions[f"{s}_{tip}"] - source.positions[f"{s}_{base}"]
            for s in SIDES
        ]
        return np.stack([_unit(bone) * length for bone in bones], axis=1)

    targets = Targets(
        pelvis_pos=pelvis,
        pelvis_rot=pelvis_rot,
        torso_rot=quat_to_matrix(source.orientations["chest"]),
        foot_pos=feet.pos,
        foot_rot=feet.rot,
        foot_hold=_SWING_HOLD + (1 - _SWING_HOLD) * _soft(feet.planted),
        thigh=limb("upper_leg", "lower_leg", ROBOT.thigh),
        upper_arm=limb("upper_arm", "lower_arm", ROBOT.upper_arm),
        forearm=limb("lower_arm", "hand", ROBOT.forearm),
    )
    return targets, feet.planted


class _RobotSizes(NamedTuple):
    leg: float
    thigh: float
    upper_arm: float
    forearm: float
    sole: Float64
    """Bottom points of the foot in the ankle roll frame, (14, 3)."""


def _measure_robot() -> _RobotSizes:
    zero = forward_kinematics(np.zeros(3), np.array([1.0, 0, 0, 0]), np.zeros(29))

    def between(a: str, b: str) -> float:
        gap = zero.pos_w[BODY_INDEX[f"left_{a}"]] - zero.pos_w[BODY_INDEX[f"left_{b}"]]
        return float(np.linalg.norm(gap))

    hip, ankle = (
        zero.pos_w[BODY_INDEX[f"left_{n}_link"]] for n in ("hip_pitch", "ankle_roll")
    )
    feet = [row for row in COLLISION_ROWS if row.name.startswith("left_foot")]
    ends = np.array([end for row in feet for end in (row.start, row.end)])
    ends[:, 2] -= feet[0].radius
    return _RobotSizes(
        leg=float(hip[2] - ankle[2]),
        thigh=between("hip_roll_link", "knee_link"),
        upper_arm=between("shoulder_roll_link", "elbow_link"),
        forearm=between("elbow_link", "wrist_yaw_link"),
        sole=ends,
    )


ROBOT = _measure_robot()


def _plan_feet(source: SourceMotion, scale: float) -> FootPlan:
    planted, pos, rot = [], [], []
    for side, outward in zip(SIDES, (1.0, -1.0), strict=True):
        turn, toe = sound_foot(source, side)
        down = _find_planted(toe)
        turn = _take_out_tilt(turn, down)
        turn = _flatten(turn, down)
        heading = _unit(turn[:, :, 0] * [1.0, 1.0, 0.0])
        left = np.stack((-heading[:, 1], heading[:, 0], 0 * heading[:, 0]), axis=1)
        ankle = (
            scale * source.positions[f"{side}_foot"] + outward * _FOOT_WIDENING * left
        )
        planted.append(down)
        pos.append(ankle)
        rot.append(turn)
    lowest = [_lowest_sole(p, r) for p, r in zip(pos, rot, strict=True)]
    touching = np.concatenate(
        [low[down] for low, down in zip(lowest, planted, strict=True)]
    )
    ground = float(np.percentile(touching, 25) if len(touching) > 5 else np.min(lowest))
    hips = np.mean([source.positions[f"{s}_upper_leg"][:, 2] for s in SIDES], axis=0)
    bearing = _find_bearing(scale * hips, np.stack(lowest, 1), np.stack(planted, 1))
    for f, (p, r, down) in enumerate(zip(pos, rot, planted, strict=True)):
        p[:, 2] += _ground_shift(lowest[f] - ground, bearing[:, f]) - ground
        _hold_in_place(p, r, down)
    return FootPlan(np.stack(pos, 1), np.stack(rot, 1), np.stack(planted, 1), ground)


def _soft(planted: NDArray[np.bool_]) -> Float64:
    """Contacts as smooth weights from 0 to 1, (T, 2)."""
    return np.asarray(gaussian_filter1d(planted.astype(float), 2.0, axis=0))


def _find_planted(toe: Float64) -> NDArray[np.bool_]:
    """Frames in which a toe is low and slow; flickers of two frames are ironed out."""
    smooth = gaussian_filter1d(toe, 1.0, axis=0)
    speed = np.linalg.norm(np.gradient(smooth, 1 / FPS, axis=0), axis=1)
    height = toe[:, 2] - np.percentile(toe[:, 2], 5)
    down = (height < _TOE_LOW) & (speed < _TOE_SLOW)
    still = (height < _TOE_STILL_LOW) & (speed < _TOE_STILL)
    down |= _without_flickers(still, _STILL_FRAMES)
    return _without_flickers(~_without_flickers(~down, 3), 3)


def _without_flickers(mask: NDArray[np.bool_], frames: int) -> NDArray[np.bool_]:
    """`mask` without runs shorter than `frames`; those that touch an end stay."""
    longer = np.pad(mask, frames, mode="edge")
    return np.asarray(binary_opening(longer, np.ones(frames))[frames:-frames])


def _find_bearing(
    hips: Float64, lowest: Float64, planted: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Feet that must be on the floor, (T, 2): planted ones, and where there are none the
    lower foot, unless the hips (T,) [m] fall."""
    smooth = gaussian_filter1d(hips, 2.0)
    rise = np.gradient(np.gradient(smooth, 1 / FPS), 1 / FPS)
    aloft = binary_dilation(rise < _FALLING, iterations=_AFTER_FALL)
    alone = ~aloft & ~planted.any(axis=1)
    lower = lowest == lowest.min(axis=1, keepdims=True)
    return np.asarray(planted | (alone[:, None] & lower))


def _take_out_tilt(rot: Float64, planted: NDArray[np.bool_]) -> Float64:
    """Remove the constant tilt of a foot's frame, read off while it stands still."""
    spin = np.linalg.norm(np.gradient(rot[:, :, 2], 1 / FPS, axis=0), axis=1)
    still = planted & (spin < 0.6) & (rot[:, 2, 2] > 0.85)
    if still.sum() <= 8:
        return rot
    up = np.median(rot[still, 2, :], axis=0)  # the world's up in the foot's frame
    up /= np.linalg.norm(up)
    if up[2] <= 0.85:
        return rot
    return np.asarray(rot @ _turn_between(np.array([0.0, 0.0, 1.0]), up))


def _flatten(rot: Float64, planted: NDArray[np.bool_]) -> Float64:
    """Make planted feet flat where they are nearly so, with soft transitions."""
    toes_down = np.arcsin(np.clip(-rot[:, 2, 0], -1.0, 1.0))
    rolling = np.clip((toes_down - _FLAT) / (_TILTED - _FLAT), 0.0, 1.0)
    amount = gaussian_filter1d(planted * (1 - rolling), 1.5)[:, None]
    up = _unit((1 - amount) * rot[:, :, 2] + amount * [0.0, 0.0, 1.0])
    forward = rot[:, :, 0] - (rot[:, :, 0] * up).sum(axis=1, keepdims=True) * up
    forward = _unit(forward)
    return np.stack((forward, np.cross(up, forward), up), axis=-1)


def _lowest_sole(pos: Float64, rot: Float64) -> Float64:
    heights = rot[:, 2, :] @ ROBOT.sole.T  # (T, 14)
    return np.asarray(pos[:, 2] + heights.min(axis=1))


def _ground_shift(low: Float64, bearing: NDArray[np.bool_]) -> Float64:
    """How much to lift a foot: never below the floor, and on it while it bears."""
    weight = gaussian_filter1d(bearing.astype(float), 1.5)
    shift = -np.minimum(low, 0.0) - weight * np.clip(low, 0.0, _MAX_SINK)
    return np.asarray(gaussian_filter1d(shift, 1.0))


def _hold_in_place(pos: Float64, rot: Float64, planted: NDArray[np.bool_]) -> None:
    """Move `pos` so that the ball of a planted foot rests (in place, in the plane).

    Within a contact the ball keeps one place, the mean of where the source puts it, and
    follows only when the source is more than `_PLAY` away: a slow slide stays a slide.
    Between contacts the correction changes smoothly, so footsteps land where they did.
    """
    ball = (pos + rot @ _BALL)[:, :2]
    offset = np.full_like(ball, np.nan)
    for start, end in true_runs(planted):
        place = ball[start:end].mean(axis=0)
        for t in range(start, end):
            gap = place - ball[t]
            far = float(np.linalg.norm(gap))
            if far > _PLAY:
                place = ball[t] + gap * (_PLAY / far)
            offset[t] = place - ball[t]
    pos[:, :2] += _bridge(offset)


def _bridge(offset: Float64) -> Float64:
    """Fill the gaps of NaN with smooth steps; before the first and after the last, hold."""
    known = np.flatnonzero(np.isfinite(offset[:, 0]))
    if not len(known):
        return np.zeros_like(offset)
    out = offset.copy()
    out[: known[0]] = offset[known[0]]
    out[known[-1] :] = offset[known[-1]]
    for a, b in zip(known, known[1:], strict=False):
        if b > a + 1:
            t = np.arange(1, b - a)[:, None] / (b - a)
            out[a + 1 : b] = offset[a] + (offset[b] - offset[a]) * t * t * (3 - 2 * t)
    return out


def _unit(v: Float64) -> Float64:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9))


def _turn_between(a: Float64, b: Float64) -> Float64:
    """Matrix that turns the unit vector `a` into `b` the short way."""
    v, c = np.cross(a, b), float(a @ b)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.asarray(np.eye(3) + k + k @ k / (1 + c))
