"""What the verifier sees of a motion: 80 numbers, 25 times a second.

    0       height of the pelvis [m]
    1:4     the world's up seen from the pelvis
    4:6     planar velocity of the pelvis in its heading frame [m/s]
    6       turning speed [rad/s]
    7       how far it has turned since the start [rad], whole turns counted
    8:10    cosine and sine of that
    10:12   place on the floor seen from the start: ahead and to the left [m]
    12:41   joints [rad]
    41:80   the 13 tracked bodies beside the pelvis, in its heading frame [m]

Where the motion starts and which way it faces there plays no part.

They are made in torch, on any device and for many motions at once. What comes of the
pelvis is reckoned in float64, for a velocity is a small difference of places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.learning.kinematics_torch import BodyTree
from texedo.motion import FPS
from texedo.robot.g1 import TRACKED_BODIES
from texedo.robot.mirror import MIRROR_JOINT_INDEX, MIRROR_JOINT_SIGN

EVERY = 2
"""Frames at 50 Hz of which one is looked at."""
RATE = FPS / EVERY
UP, VELOCITY = slice(1, 4), slice(4, 6)
TURNING, TURNED, HEADING, PLACE = 6, 7, slice(8, 10), slice(10, 12)
JOINTS, BODIES = slice(12, 41), slice(41, 80)
FRAME_SIZE = 80
MIN_STD = np.concatenate(
    ([0.03], [0.05] * 3, [0.1] * 2, [0.2, 0.3], [0.5] * 2, [0.2] * 2, [0.1] * 29)
    + ([0.03] * 39,)
)
"""Smallest scale of each number: what hardly moves must not be blown up."""

Float32 = NDArray[np.float32]
_BATCH = 1 << 13
"""Frames that are made at once, padding included."""


def frames_of(clips: Sequence[NDArray[Any]]) -> list[Float32]:
    """Frames (ceil(T / 2), 80) of the poses (T, 36) of each clip."""
    return [np.asarray(frames.numpy()) for frames in frames_on("cpu", clips)]


@torch.inference_mode()
def frames_on(
    device: str | torch.device, clips: Sequence[NDArray[Any]]
) -> list[Tensor]:
    """The same as `frames_of`, as tensors on a device."""
    lengths = [looked_at(len(qpos)) for qpos in clips]
    found: dict[int, Tensor] = {}
    for batch in batches(lengths, _BATCH):
        poses = padded_poses([clips[i] for i in batch], lengths[batch[-1]])
        frames = motion_frames(torch.from_numpy(poses).to(device))
        found |= {i: frames[k, : lengths[i]] for k, i in enumerate(batch)}
    return [found[i] for i in range(len(clips))]


def looked_at(frames: int) -> int:
    """How many of so many frames at 50 Hz are looked at."""
    return -(-frames // EVERY)


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Numbers of rows of like lengths, the longest last, as many as fit into `most`."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) > most:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def padded_poses(clips: Sequence[NDArray[Any]], length: int) -> NDArray[Any]:
    """Poses that are looked at, (B, length, 36), each row filled up with its last."""
    kind = np.result_type(np.float32, *clips)
    poses = np.empty((len(clips), length, clips[0].shape[1]), dtype=kind)
    for row, qpos in zip(poses, clips, strict=True):
        fill_poses(row, qpos)
    return poses


def fill_poses(row: NDArray[Any], qpos: NDArray[Any]) -> None:
    """Put the poses of a clip that are looked at into a row (length, 36)."""
    thinned = qpos[::EVERY]
    row[: len(thinned)] = thinned
    # A last pose that is held moves nowhere: nothing before it can tell.
    row[len(thinned) :] = thinned[-1]


def motion_frames(poses: Tensor) -> Tensor:
    """Frames (B, T, 80), float32, of poses (B, T, 36) at 25 Hz of any precision.

    A frame depends on those before it alone, but for the first: it has the speed of the
    second. So padding at the end changes nothing, provided it repeats the last pose.
    """
    root = poses[..., :7].double()
    pos, turn = root[..., :3], _matrices(root[..., 3:])
    yaw = torch.atan2(turn[..., 1, 0], turn[..., 0, 0])
    cosine, sine = yaw.cos(), yaw.sin()
    steps = yaw.diff(dim=1)
    steps = steps - 2 * math.pi * torch.round(steps / (2 * math.pi))
    turned = torch.cat((torch.zeros_like(yaw[:, :1]), steps), dim=1).cumsum(dim=1)
    x, y = (pos[..., :2] - pos[:, :1, :2]).unbind(-1)
    way = _seen(x, y, cosine[:, :1], sine[:, :1])
    velocity = _seen(_speeds(x), _speeds(y), cosine, sine)
    ahead, left = _seen(
        turn[..., 0, :], turn[..., 1, :], cosine[..., None], sine[..., None]
    )
    top = torch.stack(
        (*velocity, _speeds(turned), turned, turned.cos(), turned.sin(), *way), dim=-1
    )
    top = torch.cat((pos[..., 2:], turn[..., 2, :], top), dim=-1).float()
    level = torch.stack((ahead, left, turn[..., 2, :]), dim=-2).float()
    joints = poses[..., 7:].float()
    bodies = _tree(poses.device).tracked_positions(level, joints)[..., 1:, :]
    return torch.cat((top, joints, bodies.flatten(-2)), dim=-1)


def _seen(x: Tensor, y: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor]:
    """Ahead and left of a heading."""
    return x * cosine + y * sine, y * cosine - x * sine


def _speeds(values: Tensor) -> Tensor:
    """Steps per second that lead to each frame; the first one has the second's."""
    if values.shape[1] < 2:
        return torch.zeros_like(values)
    steps = values.diff(dim=1) * RATE
    return torch.cat((steps[:, :1], steps), dim=1)


def _matrices(quat: Tensor) -> Tensor:
    """Rotation matrices (..., 3, 3): sums of the products of two of w, x, y, z."""
    products = (quat[..., :, None] * quat[..., None, :]).flatten(-2)
    still, mixed = _mixing(quat.device)
    return (still + products @ mixed).view(*quat.shape[:-1], 3, 3)


@cache
def _tree(device: torch.device) -> BodyTree:
    return BodyTree(device)


@cache
def _mixing(device: torch.device) -> tuple[Tensor, Tensor]:
    """What is always in a rotation matrix (9,), and what of each product, (16, 9)."""
    w, x, y, z = range(4)
    entries = (
        ((y, y, -2), (z, z, -2)),
        ((x, y, 2), (w, z, -2)),
        ((x, z, 2), (w, y, 2)),
        ((x, y, 2), (w, z, 2)),
        ((x, x, -2), (z, z, -2)),
        ((y, z, 2), (w, x, -2)),
        ((x, z, 2), (w, y, -2)),
        ((y, z, 2), (w, x, 2)),
        ((x, x, -2), (y, y, -2)),
    )
    mixed = np.zeros((16, 9))
    for column, terms in enumerate(entries):
        for first, second, weight in terms:
            mixed[4 * first + second, column] = weight
    return (
        torch.from_numpy(np.eye(3).ravel()).to(device),
        torch.from_numpy(mixed).to(device),
    )


def _mirror() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    index, sign = np.arange(FRAME_SIZE), np.ones(FRAME_SIZE)
    sign[[2, 5, TURNING, TURNED, 9, 11]] = -1
    index[JOINTS] = 12 + MIRROR_JOINT_INDEX
    sign[JOINTS] = MIRROR_JOINT_SIGN
    names = list(TRACKED_BODIES[1:])
    for i, name in enumerate(names):
        side = {"left": "right", "right": "left"}.get(name.split("_")[0])
        other = name if side is None else side + name[name.index("_") :]
        index[41 + 3 * i : 44 + 3 * i] = 41 + 3 * names.index(other) + np.arange(3)
        sign[42 + 3 * i] = -1
    return index, sign.astype(np.float32)


MIRROR_INDEX, MIRROR_SIGN = _mirror()
"""The mirrored frames are `frames[..., MIRROR_INDEX] * MIRROR_SIGN`."""
