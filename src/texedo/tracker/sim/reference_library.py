"""The motions to be tracked: packed frames of many clips on one device.

Frames of all clips lie one after the other and are named by a global index. A look past
the end of a clip gives its last frame, standing still. Float32, world frame unless it
says otherwise; bodies are the 14 of `TRACKED_BODIES`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.learning.kinematics_torch import BodyTree
from texedo.learning.rotations_torch import (
    heading,
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_multiply,
    quat_normalize,
    quat_rotate,
    quat_rotate_inverse,
    quat_to_rotvec,
)
from texedo.motion.motion import FPS
from texedo.robot.g1 import BODY_INDEX, TRACKED_BODY_INDICES
from texedo.robot.tables import COLLISION_ROWS

_CHUNK = 1 << 17
"""Frames per pass of the kinematics: bounds the float64 temporaries to about 0.3 GB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReferenceLibrary:
    """F frames of N clips with everything that tracking needs to know about them."""

    qpos: Tensor
    """Root position, root quaternion wxyz, joints, (F, 36)."""
    qvel: Tensor
    """Root velocity (world), root turn rate (body frame), joint rates, (F, 35)."""
    body_pos: Tensor
    """(F, 14, 3) [m]."""
    body_quat: Tensor
    """(F, 14, 4)."""
    body_lin_vel: Tensor
    """Of the link origins, (F, 14, 3) [m/s]."""
    body_ang_vel: Tensor
    """(F, 14, 3) [rad/s]."""
    heading_vel: Tensor
    """Root velocity in the root's own heading frame, then its yaw rate, (F, 4)."""
    sole_depth: Tensor
    """How far the lowest sole point is under the floor, 0 if above, (F,) [m]."""
    starts: Tensor
    """First frame of each clip, (N,) int64."""
    ends: Tensor
    """Last frame of each clip, (N,) int64."""
    clip_of: Tensor
    """The clip of each frame, (F,) int64."""

    @classmethod
    def build(
        cls,
        qpos: NDArray[Any] | Tensor,
        starts: NDArray[Any] | Tensor,
        lengths: NDArray[Any] | Tensor,
        *,
        device: str | torch.device = "cpu",
    ) -> ReferenceLibrary:
        """From poses (F, 36) and the start and length of each clip."""
        start = torch.as_tensor(np.asarray(starts), dtype=torch.int64, device=device)
        length = torch.as_tensor(np.asarray(lengths), dtype=torch.int64, device=device)
        pose = torch.as_tensor(np.asarray(qpos), dtype=torch.float32, device=device)
        _check_layout(pose, start, length)
        pose = torch.cat((pose[:, :3], quat_normalize(pose[:, 3:7]), pose[:, 7:]), -1)
        clip_of = torch.repeat_interleave(torch.arange(len(start)).to(device), length)
        parts = [_kinematics(chunk) for chunk in torch.split(pose, _CHUNK)]
        body_pos, body_quat, depth = (torch.cat(p) for p in zip(*parts, strict=True))
        rates = _rates(pose, body_pos, body_quat, start=start, clip_of=clip_of)
        return cls(
            qpos=pose,
            body_pos=body_pos,
            body_quat=body_quat,
            sole_depth=depth,
            starts=start,
            ends=start + length - 1,
            clip_of=clip_of,
            **rates,
        )

    @property
    def num_clips(self) -> int:
        return len(self.starts)

    @property
    def num_frames(self) -> int:
        return len(self.qpos)

    @property
    def lengths(self) -> Tensor:
        """Frames of each clip, (N,)."""
        return self.ends - self.starts + 1

    def ahead(self, frames: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
        """Frames (n, K) that lie `offsets` (K,) ahead, and which are past the end."""
        wanted = frames[:, None] + offsets
        end = self.ends[self.clip_of[frames]][:, None]
        return torch.minimum(wanted, end), wanted > end

    def to(self, device: str | torch.device) -> ReferenceLibrary:
        moved = {f.name: getattr(self, f.name).to(device) for f in fields(self)}
        return replace(self, **moved)


def _check_layout(qpos: Tensor, starts: Tensor, lengths: Tensor) -> None:
    if qpos.ndim != 2 or qpos.shape[1] != 36:
        raise ValueError(f"qpos must be (F, 36), got {tuple(qpos.shape)}.")
    follows = torch.cumsum(lengths, 0) - lengths
    if not bool((starts == follows).all()) or int(lengths.sum()) != len(qpos):
        raise ValueError("Clips must lie one after the other and fill all frames.")
    if bool((lengths < 2).any()):
        clip = int((lengths < 2).nonzero()[0, 0])
        raise ValueError(f"Clip {clip} has fewer than 2 frames: it has no velocity.")


def _rates(
    pose: Tensor, body_pos: Tensor, body_quat: Tensor, *, start: Tensor, clip_of: Tensor
) -> dict[str, Tensor]:
    """Velocities by central differences within each clip, one-sided at its ends."""
    index = torch.arange(len(pose), device=pose.device)
    last = torch.cat((start[1:], start.new_tensor([len(pose)]))) - 1
    before = torch.maximum(index - 1, start[clip_of])
    after = torch.minimum(index + 1, last[clip_of])
    rate = FPS / (after - before).to(torch.float32)
    root_lin = (pose[after, :3] - pose[before, :3]) * rate[:, None]
    turn = quat_multiply(body_quat[after], quat_conjugate(body_quat[before]))
    ang = quat_to_rotvec(turn) * rate[:, None, None]
    joint_vel = (pose[after, 7:] - pose[before, 7:]) * rate[:, None]
    quat = pose[:, 3:7]
    root_ang = quat_rotate_inverse(quat, ang[:, 0])
    heading_lin = quat_rotate_inverse(heading(quat), root_lin)
    return {
        "qvel": torch.cat((root_lin, root_ang, joint_vel), -1),
        "body_lin_vel": (body_pos[after] - body_pos[before]) * rate[:, None, None],
        "body_ang_vel": ang,
        "heading_vel": torch.cat((heading_lin, ang[:, 0, 2:]), -1),
    }


def _bodies(qpos: Tensor) -> tuple[Tensor, Tensor]:
    """Positions (F, 30, 3) and quaternions (F, 30, 4) of all bodies of poses (F, 36)."""
    tree = BodyTree(qpos.device, dtype=qpos.dtype)
    rot, pos = tree.bodies(matrix_from_quat(qpos[:, 3:7]), qpos[:, 7:])
    return qpos[:, None, :3] + pos, quat_from_matrix(rot)


def _kinematics(qpos: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Poses of the tracked bodies and depth of the soles under the floor."""
    pos, quat = _bodies(qpos.double())
    picked = torch.as_tensor(TRACKED_BODY_INDICES, device=qpos.device)
    lowest = torch.full(qpos.shape[:1], torch.inf, dtype=pos.dtype, device=qpos.device)
    for row in COLLISION_ROWS:
        if "_foot" not in row.name:
            continue
        body = BODY_INDEX[row.body]
        for end in (row.start, row.end):
            arm = quat_rotate(quat[:, body], pos.new_tensor(end).expand(len(pos), 3))
            lowest = torch.minimum(lowest, pos[:, body, 2] + arm[:, 2] - row.radius)
    depth = (-lowest).clamp(min=0.0)
    return pos[:, picked].float(), quat[:, picked].float(), depth.float()
