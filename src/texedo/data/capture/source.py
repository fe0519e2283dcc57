"""A captured person, ready to be retargeted: metres, x forward, y left, z up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import RetargetError
from texedo.data.capture.bvh import Bvh, BvhPoses, read_bvh
from texedo.data.capture.skeleton import SIDES, SkeletonMap, match_skeleton
from texedo.data.capture.skeleton_shape import bone_length, leg_length, role_positions
from texedo.data.capture.source_frames import (
    ORIENTED_ROLES,
    BodyFrames,
    Reference,
    UpAxis,
    find_body_frames,
)
from texedo.motion.rotations import (
    quat_make_continuous,
    quat_multiply,
    quat_rotate,
    quat_slerp,
)

FloatArray = NDArray[Any]

CMU_UNIT = 0.0254 / 0.45
"""Metres in a length unit of the CMU database: an inch over 0.45."""
UNITS: Mapping[str, float] = {
    "metre": 1.0,
    "decimetre": 0.1,
    "centimetre": 0.01,
    "millimetre": 0.001,
    "foot": 0.3048,
    "inch": 0.0254,
    "CMU unit": CMU_UNIT,
}
LEG_LENGTH = 0.82
"""Hip joint to ankle of an adult [m]; 99 CMU subjects lie between 0.73 and 0.90."""
_UNIT_TOLERANCE = 0.2

_BONES: Mapping[str, tuple[str, str]] = {
    "thigh": ("upper_leg", "lower_leg"),
    "shin": ("lower_leg", "foot"),
    "upper_arm": ("upper_arm", "lower_arm"),
    "forearm": ("lower_arm", "hand"),
}


@dataclass(frozen=True, kw_only=True)
class SourceMotion:
    """What a person did, by roles of `skeleton.ROLES`.

    World axes: z up, origin and heading as in the file. Orientations are turns away from
    standing straight and facing +x in a T-pose, so the identity means just that: hips
    and chest upright, soles level and toes ahead, arms out to the sides.
    """

    name: str
    fps: float
    positions: Mapping[str, FloatArray]
    """Joint position in the world by role, (T, 3) [m]."""
    orientations: Mapping[str, FloatArray]
    """World rotation of hips, chest, feet, lower arms and hands, (T, 4), wxyz."""
    rest_positions: Mapping[str, FloatArray]
    """The same person standing straight facing +x, hips at the origin, (3,) [m]."""
    bone_lengths: Mapping[str, float]
    """"left_thigh", "right_shin", ..., "hip_width", "shoulder_width", "trunk" [m]."""
    scale: float
    """Metres in one length unit of the file."""
    profile: str
    """How the joints were found, see `SkeletonMap.profile`."""
    reference: Reference
    """Where "standing straight" was taken from, see `BodyFrames.reference`."""
    start_frame: int
    """Frame of the file that is frame 0 here."""

    def __len__(self) -> int:
        return len(self.positions["hips"])

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (len(self) - 1) / self.fps

    @property
    def leg_length(self) -> float:
        """Thigh plus shin, mean of both sides [m]."""
        bones = self.bone_lengths
        return sum(bones[f"{s}_{b}"] for s in SIDES for b in ("thigh", "shin")) / 2


def load_source(
    path: Path | str,
    *,
    mapping: Mapping[str, str] | Path | str | None = None,
    scale: float | None = None,
    up: UpAxis | None = None,
    start_frame: int | None = None,
) -> SourceMotion:
    """Read a BVH file as a `SourceMotion`.

    `scale` (metres a file unit), `up` (the file's vertical axis) and `start_frame` are
    found out where they are not given; a T-pose put before the motion is left out.
    """
    bvh = read_bvh(path)
    return make_source(
        bvh, mapping=mapping, scale=scale, up=up, start_frame=start_frame
    )


def make_source(
    bvh: Bvh,
    *,
    mapping: Mapping[str, str] | Path | str | None = None,
    scale: float | None = None,
    up: UpAxis | None = None,
    start_frame: int | None = None,
) -> SourceMotion:
    """`load_source` for a file that has been read."""
    skeleton = match_skeleton(bvh, mapping=mapping)
    poses = bvh.forward_kinematics()
    frames = find_body_frames(bvh, skeleton, poses, up=up)
    start = int(frames.starts_with_t_pose) if start_frame is None else start_frame
    if not 0 <= start < len(bvh):
        what = "only a T-pose" if start_frame is None else f"no frame {start}"
        raise RetargetError(
            f"{bvh.name}: {what} in {len(bvh)} frames; give a start frame that exists."
        )
    roles = role_positions(poses.pos, skeleton.nodes)
    if scale is None:
        scale = estimate_scale(leg_length(roles))
    elif not (np.isfinite(scale) and scale > 0):
        raise RetargetError(f"scale must be positive, in metres a unit, got {scale}.")
    lengths = {name: scale * value for name, value in _bone_lengths(roles).items()}
    moving = BvhPoses(poses.pos[start:], poses.quat[start:])
    return SourceMotion(
        name=bvh.name.removesuffix(".bvh"),
        fps=bvh.fps,
        positions=_positions(skeleton, moving.pos, frames.to_robot, scale),
        orientations=_orientations(skeleton, moving.quat, frames),
        rest_positions=_rest_positions(skeleton, frames, lengths, scale),
        bone_lengths=lengths,
        scale=scale,
        profile=skeleton.profile,
        reference=frames.reference,
        start_frame=start,
    )


def estimate_scale(leg: float) -> float:
    """Metres in a file unit, from the length of a leg in it.

    People differ by a tenth, units by much more: the unit that makes an adult of usual
    size is meant. A body of unusual size gets the size of an adult. Names prove nothing
    here: the CMU rig is exported in its own unit and in centimetres.
    """
    guess = LEG_LENGTH / leg
    nearest = min(UNITS.values(), key=lambda unit: abs(np.log(unit / guess)))
    return nearest if abs(np.log(nearest / guess)) < _UNIT_TOLERANCE else guess


def _bone_lengths(roles: Mapping[str, FloatArray]) -> dict[str, float]:
    lengths = {
        f"{side}_{bone}": bone_length(roles, f"{side}_{start}", f"{side}_{end}")
        for side in SIDES
        for bone, (start, end) in _BONES.items()
    }
    lengths["hip_width"] = bone_length(roles, "left_upper_leg", "right_upper_leg")
    lengths["shoulder_width"] = bone_length(roles, "left_upper_arm", "right_upper_arm")
    lengths["trunk"] = bone_length(roles, "mid_hip", "mid_shoulder")
    for side in SIDES:
        if f"{side}_toe" in roles:
            lengths[f"{side}_foot"] = bone_length(roles, f"{side}_foot", f"{side}_toe")
    return lengths


def _positions(
    skeleton: SkeletonMap, pos: FloatArray, to_robot: FloatArray, scale: float
) -> dict[str, FloatArray]:
    return {
        role: scale * quat_rotate(to_robot, pos[..., node, :])
        for role, node in skeleton.nodes.items()
    }


def _orientations(
    skeleton: SkeletonMap, quat: FloatArray, frames: BodyFrames
) -> dict[str, FloatArray]:
    return {
        role: quat_make_continuous(
            quat_multiply(
                quat_multiply(frames.to_robot, quat[:, skeleton[role]]),
                frames.align[role],
            )
        )
        for role in ORIENTED_ROLES
    }


def _rest_positions(
    skeleton: SkeletonMap,
    frames: BodyFrames,
    lengths: Mapping[str, float],
    scale: float,
) -> dict[str, FloatArray]:
    """The reference pose, or a body built from the bone lengths where there is none."""
    if frames.rest is not None:
        rest = _positions(skeleton, frames.rest, frames.to_robot, scale)
        return {role: pos - rest["hips"] for role, pos in rest.items()}
    rest = {"hips": np.zeros(3), "chest": np.array([0.0, 0.0, 0.8 * lengths["trunk"]])}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        y = sign * lengths["hip_width"] / 2
        z = 0.0
        for part, bone in (
            ("upper_leg", None),
            ("lower_leg", "thigh"),
            ("foot", "shin"),
        ):
            z -= lengths[f"{side}_{bone}"] if bone else 0.0
            rest[f"{side}_{part}"] = np.array([0.0, y, z])
        if f"{side}_toe" in skeleton:
            ahead = np.array([lengths[f"{side}_foot"], 0.0, 0.0])
            rest[f"{side}_toe"] = rest[f"{side}_foot"] + ahead
        y = sign * lengths["shoulder_width"] / 2
        for part, bone in (
            ("upper_arm", None),
            ("lower_arm", "upper_arm"),
            ("hand", "forearm"),
        ):
            y += sign * lengths[f"{side}_{bone}"] if bone else 0.0
            rest[f"{side}_{part}"] = np.array([0.0, y, lengths["trunk"]])
    return rest


def resample_source(source: SourceMotion, fps: float = 50.0) -> SourceMotion:
    """The same motion at another rate; both share the instant 0.

    Positions are interpolated linearly, rotations along the arc. The last frame is the
    last one that the source still covers.
    """
    if not (np.isfinite(fps) and fps > 0):
        raise ValueError(f"fps must be positive, got {fps}.")
    # 1e-6 of a frame: a last frame on the end must not be lost to rounding.
    frames = int(np.floor((len(source) - 1) * fps / source.fps + 1e-6)) + 1
    at = np.minimum(np.arange(frames) * (source.fps / fps), len(source) - 1)
    return replace(source_at(source, at), fps=fps)


def source_at(source: SourceMotion, at: FloatArray) -> SourceMotion:
    """The source at these frames (T,), which need not be whole ones; its rate is kept."""
    before = np.minimum(at.astype(int), max(len(source) - 2, 0))
    after = np.minimum(before + 1, len(source) - 1)
    part = at - before
    return replace(
        source,
        positions={
            role: pos[before] + part[:, None] * (pos[after] - pos[before])
            for role, pos in source.positions.items()
        },
        orientations={
            role: quat_make_continuous(quat_slerp(quat[before], quat[after], part))
            for role, quat in source.orientations.items()
        },
    )
