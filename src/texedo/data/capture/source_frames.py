"""What "upright, facing forward" means for a skeleton: its up axis and its rest pose.

A retargeter needs to know how far the hips, the chest, the feet and the arms are turned
away from standing straight. A bone's own axes do not tell (each rig has others), so each
oriented part gets a constant rotation `align`, bone frame -> body frame (x forward,
y left, z up when the person stands straight in a T-pose), found in one of two ways:

- from a reference pose: the first frame if it is a T-pose, else the pose with all
  rotations zero if that stands upright (CMU, Mixamo, most rigs);
- from the motion, where the zero pose is a heap of bones (LAFAN1): the side-to-side axis
  is the line through the hips or shoulders, as seen from the bone; up is what is up on
  average in the frames in which the person stands straight, or in contact for a foot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import RetargetError
from texedo.data.capture.bvh import Bvh, BvhPoses
from texedo.data.capture.skeleton import SIDES, SkeletonMap
from texedo.data.capture.skeleton_shape import leg_length, role_positions, unit
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_matrix,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_rotate_inverse,
)

FloatArray = NDArray[Any]
UpAxis = Literal["x", "y", "z", "-x", "-y", "-z"]
Reference = Literal["first frame", "zero pose", "motion"]

ORIENTED_ROLES: tuple[str, ...] = (
    "hips",
    "chest",
    *(f"{side}_{part}" for side in SIDES for part in ("foot", "lower_arm", "hand")),
)

_AXIS_NAMES: tuple[UpAxis, ...] = ("x", "y", "z", "-x", "-y", "-z")
_AXES = np.vstack((np.eye(3), -np.eye(3)))


@dataclass(frozen=True, kw_only=True)
class BodyFrames:
    """How a file's axes and bones relate to a body that stands facing forward."""

    up: UpAxis
    """The file's axis that points up."""
    reference: Reference
    """Where "standing straight" was taken from."""
    starts_with_t_pose: bool
    """Whether frame 0 is a T-pose that was added, not captured."""
    to_robot: FloatArray
    """Rotation of the file's axes into x forward, y left, z up, (4,) wxyz."""
    align: Mapping[str, FloatArray]
    """Body frame as seen from the bone of each oriented role, (4,) wxyz."""
    rest: FloatArray | None
    """Node positions of the reference pose, (J, 3), file axes; None for "motion"."""


def find_body_frames(
    bvh: Bvh, skeleton: SkeletonMap, poses: BvhPoses, *, up: UpAxis | None = None
) -> BodyFrames:
    """Settle up axis, reference pose and the body frame of each oriented role."""
    zero = bvh.rest_pose()
    up = up or _find_up(bvh, skeleton, zero, poses.pos)
    up_axis = _AXES[_AXIS_NAMES.index(up)]
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (len(bvh.names), 1))
    first_is_t_pose = _is_upright(poses.pos[0], skeleton, up_axis, arms_out=True)
    added = first_is_t_pose and _is_added(bvh, poses.pos)
    reference: Reference
    if added:
        reference, rest, turn = "first frame", poses.pos[0], poses.quat[0]
    elif _is_upright(zero, skeleton, up_axis, arms_out=False):
        reference, rest, turn = "zero pose", zero, identity
    elif first_is_t_pose:
        reference, rest, turn = "first frame", poses.pos[0], poses.quat[0]
    else:
        to_robot = quat_from_matrix(_default_axes(up_axis))
        return BodyFrames(
            up=up,
            reference="motion",
            starts_with_t_pose=False,
            to_robot=to_robot,
            align=align_by_motion(skeleton, poses, up_axis),
            rest=None,
        )
    to_robot = quat_from_matrix(_axes_of_pose(rest, skeleton, up_axis))
    return BodyFrames(
        up=up,
        reference=reference,
        starts_with_t_pose=added,
        to_robot=to_robot,
        align=_align_by_reference(skeleton, rest, turn, to_robot),
        rest=rest,
    )


def _find_up(
    bvh: Bvh, skeleton: SkeletonMap, zero: FloatArray, pos: FloatArray
) -> UpAxis:
    """The axis along which the body stands, in the motion and in the zero pose."""
    found: dict[str, UpAxis] = {}
    for label, sample, certain in (("motion", pos, 0.75), ("zero pose", zero, 0.9)):
        roles = role_positions(sample, skeleton.nodes)
        trunk = unit(roles["mid_shoulder"] - roles["mid_hip"])
        legs = unit(roles["mid_hip"] - roles["mid_foot"])
        # In a heap of bones trunk and legs may point the same way: that says nothing.
        if np.median(np.sum(trunk * legs, axis=-1)) < 0.6:
            continue
        whole = unit(roles["mid_shoulder"] - roles["mid_foot"]).reshape(-1, 3)
        along = np.median(whole @ _AXES.T, axis=0)
        if along.max() > certain:
            found[label] = _AXIS_NAMES[int(along.argmax())]
    if not found or len(set(found.values())) == 1:
        # Lying, rolling or sitting throughout: the format's habit decides.
        return next(iter(found.values()), "y")
    up = _AXES[_AXIS_NAMES.index(found["zero pose"])]
    if _is_upright(pos[0], skeleton, up, arms_out=True):
        return found["zero pose"]
    raise RetargetError(
        f"{bvh.name}: the body stands along {found['motion']} in the motion, but along "
        f"{found['zero pose']} with all rotations zero, so which axis is up is not "
        f'certain. Say it: up="{found["motion"]}" if the person stands most of the time, '
        f'up="{found["zero pose"]}" if the person lies.'
    )


def _is_upright(
    pos: FloatArray, skeleton: SkeletonMap, up: FloatArray, *, arms_out: bool
) -> bool:
    """Whether one pose (J, 3) stands straight; with `arms_out`, is a T-pose."""
    roles = role_positions(pos, skeleton.nodes)
    left = unit(roles["left_upper_leg"] - roles["right_upper_leg"])
    across = unit(roles["left_upper_arm"] - roles["right_upper_arm"])
    forward = unit(np.cross(left, up))
    tests = [
        unit(roles["mid_shoulder"] - roles["mid_hip"]) @ up > np.cos(np.radians(25)),
        abs(left @ up) < 0.2,
        left @ across > np.cos(np.radians(20)),
    ]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for a, b in (("upper_leg", "lower_leg"), ("lower_leg", "foot")):
            down = -(unit(roles[f"{side}_{b}"] - roles[f"{side}_{a}"]) @ up)
            tests.append(down > np.cos(np.radians(20 if arms_out else 35)))
        if f"{side}_toe" in roles:
            toes = unit(roles[f"{side}_toe"] - roles[f"{side}_foot"])
            tests.append(toes @ forward > 0.5)
        if arms_out:
            for a, b in (("upper_arm", "lower_arm"), ("lower_arm", "hand")):
                bone = unit(roles[f"{side}_{b}"] - roles[f"{side}_{a}"])
                tests.append(sign * (bone @ left) > np.cos(np.radians(25)))
    return all(bool(test) for test in tests)


def _is_added(bvh: Bvh, pos: FloatArray) -> bool:
    """Whether frame 0 was put before the motion: round angles, or a jump after it."""
    columns = [c.endswith("rotation") for node in bvh.channels for c in node]
    if np.mean(bvh.motion[0, columns] == 0) > 0.5:
        return True
    if len(pos) < 4:
        return False
    relative = pos - pos[:, :1]
    steps = np.linalg.norm(np.diff(relative, axis=0), axis=-1).max(axis=-1)
    size = np.ptp(pos[0], axis=0).max()
    return bool(steps[0] > 0.05 * size and steps[0] > 4 * steps[1:].max())


def _default_axes(up: FloatArray) -> FloatArray:
    """Rows forward, left, up for a file whose facing direction nothing fixes."""
    forward = {1: (0.0, 0.0, 1.0), 2: (0.0, -1.0, 0.0), 0: (0.0, 1.0, 0.0)}
    ahead = np.array(forward[int(np.abs(up).argmax())])
    return np.stack((ahead, np.cross(up, ahead), up))


def _axes_of_pose(pos: FloatArray, skeleton: SkeletonMap, up: FloatArray) -> FloatArray:
    """Rows forward, left, up of a reference pose; an axis of the file if near one."""
    roles = role_positions(pos, skeleton.nodes)
    left = sum(
        unit(roles[f"left_{part}"] - roles[f"right_{part}"])
        for part in ("upper_leg", "upper_arm")
    )
    forward = unit(np.cross(left, up))
    nearest = _AXES[int((_AXES @ forward).argmax())]
    if forward @ nearest > np.cos(np.radians(10)):
        forward = nearest
    return np.stack((forward, np.cross(up, forward), up))


def _align_by_reference(
    skeleton: SkeletonMap, rest: FloatArray, turn: FloatArray, to_robot: FloatArray
) -> dict[str, FloatArray]:
    """Body frames from a pose that stands straight; arms are carried to a T-pose."""
    align: dict[str, FloatArray] = {}
    for role in ORIENTED_ROLES:
        back = quat_multiply(
            quat_conjugate(turn[skeleton[role]]), quat_conjugate(to_robot)
        )
        side, _, part = role.partition("_")
        if part in ("lower_arm", "hand"):
            bone = rest[skeleton[f"{side}_hand"]] - rest[skeleton[f"{side}_lower_arm"]]
            lateral = np.array([0.0, 1.0 if side == "left" else -1.0, 0.0])
            raised = _shortest_turn(quat_rotate(to_robot, unit(bone)), lateral)
            back = quat_multiply(back, quat_conjugate(raised))
        align[role] = back
    return align


def _shortest_turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """The rotation that takes direction `a` to `b`, (4,)."""
    quat = np.concatenate(([1.0 + a @ b], np.cross(a, b)))
    return quat_normalize(quat)


def align_by_motion(
    skeleton: SkeletonMap, poses: BvhPoses, up: FloatArray
) -> dict[str, FloatArray]:
    """Body frames from what the frames have in common; needs no rest pose."""
    roles = role_positions(poses.pos, skeleton.nodes)
    turn = {role: poses.quat[:, skeleton[role]] for role in ORIENTED_ROLES}
    straight = _standing(roles, up)
    align: dict[str, FloatArray] = {}
    for role, part in (("hips", "upper_leg"), ("chest", "upper_arm")):
        across = roles[f"left_{part}"] - roles[f"right_{part}"]
        trunk = roles["mid_shoulder"] - roles["mid_hip"]
        vertical = np.broadcast_to(up, trunk.shape) if straight.any() else trunk
        frames = straight if straight.any() else np.ones(len(trunk), dtype=bool)
        left = _typical(turn[role], across, frames)
        align[role] = _frame(left=left, up=_typical(turn[role], vertical, frames))
    ahead, chest_up = (
        quat_rotate(quat_multiply(turn[role], align[role]), np.array(axis))
        for role, axis in (("hips", (1.0, 0.0, 0.0)), ("chest", (0.0, 0.0, 1.0)))
    )
    for side in SIDES:
        align[f"{side}_foot"] = _align_foot(side, roles, turn, ahead, up)
        align |= _align_arm(side, roles, turn, chest_up)
    return align


def _standing(roles: Mapping[str, FloatArray], up: FloatArray) -> NDArray[np.bool_]:
    """Frames with straight legs under an upright trunk; none if they are too few."""
    leg = leg_length(roles)
    mask = unit(roles["mid_shoulder"] - roles["mid_hip"]) @ up > np.cos(np.radians(25))
    for side in SIDES:
        reach = roles[f"{side}_foot"] - roles[f"{side}_upper_leg"]
        mask &= np.linalg.norm(reach, axis=-1) > 0.93 * leg
        mask &= -unit(reach) @ up > np.cos(np.radians(30))
    return mask if mask.sum() >= 5 else np.zeros_like(mask)


def _align_foot(
    side: str,
    roles: Mapping[str, FloatArray],
    turn: Mapping[str, FloatArray],
    ahead: FloatArray,
    up: FloatArray,
) -> FloatArray:
    """Sole level in the frames in which this foot is low and still."""
    foot = roles[f"{side}_foot"]
    shin = unit(roles[f"{side}_lower_leg"] - foot)
    height = foot @ up
    speed = np.linalg.norm(np.diff(foot, axis=0, prepend=foot[:1]), axis=-1)
    low = height <= np.percentile(height, 5) + 0.05 * leg_length(roles)
    low &= shin @ up > np.cos(np.radians(40))
    vertical = np.broadcast_to(up, foot.shape)
    if low.any():
        frames = low & (speed <= np.median(speed[low]))
    else:
        # Kneeling or lying throughout: nothing better than a foot at right angles.
        frames, vertical = np.ones_like(low), shin
    quat = turn[f"{side}_foot"]
    sole = _typical(quat, vertical, frames)
    toe = roles.get(f"{side}_toe")
    forward = _typical(quat, ahead if toe is None else toe - foot, frames)
    return _frame(left=np.cross(sole, forward), up=sole)


def _align_arm(
    side: str,
    roles: Mapping[str, FloatArray],
    turn: Mapping[str, FloatArray],
    chest_up: FloatArray,
) -> dict[str, FloatArray]:
    """Forearm along y; the elbow bends to the front, as it does in a T-pose."""
    sign = 1.0 if side == "left" else -1.0
    quat = turn[f"{side}_lower_arm"]
    elbow, hand = roles[f"{side}_lower_arm"], roles[f"{side}_hand"]
    upper = unit(elbow - roles[f"{side}_upper_arm"])
    fore = unit(hand - elbow)
    everywhere = np.ones(len(fore), dtype=bool)
    left = sign * _typical(quat, fore, everywhere)
    bend = np.cross(upper, fore)
    if np.linalg.norm(bend, axis=-1).max() > np.sin(np.radians(20)):
        up = -sign * quat_rotate_inverse(quat, bend).sum(axis=0)
    else:
        up = _typical(quat, chest_up, everywhere)
    lower = _frame(left=left, up=up)
    between = quat_multiply(quat_conjugate(turn[f"{side}_hand"]), quat)
    # The mean rotation is the main direction of all quaternions, whatever their signs.
    typical = np.linalg.eigh(between.T @ between).eigenvectors[:, -1]
    return {f"{side}_lower_arm": lower, f"{side}_hand": quat_multiply(typical, lower)}


def _typical(
    quat: FloatArray, vector: FloatArray, frames: NDArray[np.bool_]
) -> FloatArray:
    """Median direction of a world vector (T, 3) as seen from a bone, (3,)."""
    seen = quat_rotate_inverse(quat[frames], unit(vector[frames]))
    return unit(np.median(seen, axis=0))


def _frame(*, left: FloatArray, up: FloatArray) -> FloatArray:
    """Rotation whose y axis is `left` exactly and whose z axis is near `up`, (4,)."""
    left = unit(left)
    up = unit(up - (up @ left) * left)
    return quat_from_matrix(np.stack((np.cross(left, up), left, up), axis=-1))
