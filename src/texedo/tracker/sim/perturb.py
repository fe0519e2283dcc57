"""What may be different on the real robot: named, seeded perturbations of a roll-out.

A `Perturbation` gives ranges; `draw` picks one robot from them. Every number depends on
(seed, content of the motion, number of the draw) and nothing else: neither the order of
calls nor the rest of the batch changes it. Needs numpy alone, so that every simulator
can share it.

Motor strength scales the gains; a weak motor also loses torque, but a strong one does
not exceed the effort limit. Noise is on what the robot measures, step by step, and is
given as half widths of uniform distributions: rotations turn the measured orientation
about each axis, so gravity and heading err together, as they do in an IMU.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS
from texedo.motion.rotations import quat_from_rotvec, quat_multiply, quat_normalize

Float64 = NDArray[np.float64]

SUBSTEPS = 4
"""Physics steps of 5 ms in one control step of 20 ms."""
_NUM_JOINTS = 29
NUM_MEASURED = 3 + 3 + 3 + 3 + 2 * _NUM_JOINTS
"""Numbers that a robot measures of itself at each frame."""
_PURPOSES = ("body", "push", "noise")
"""What a robot has random numbers for."""


@dataclass(frozen=True, kw_only=True)
class StateNoise:
    """Half widths of the uniform noise on what the robot measures."""

    position: float = 0.25
    """Of the pelvis, per axis [m]; matters to controllers that ask for it."""
    orientation: float = 0.05
    """Of the pelvis, turn about each world axis [rad]."""
    lin_vel: float = 0.5
    """Of the pelvis, per axis [m/s]; matters to controllers that ask for it."""
    gyro: float = 0.2
    """Turn rate, per axis [rad/s]."""
    joint_pos: float = 0.01
    """[rad]"""
    joint_vel: float = 0.5
    """[rad/s]"""

    def widths(self) -> Float64:
        """Half width of each measured number, (70,), in the order of the fields."""
        sizes = (3, 3, 3, 3, _NUM_JOINTS, _NUM_JOINTS)
        values = [getattr(self, item.name) for item in fields(self)]
        return np.repeat(values, sizes)


@dataclass(frozen=True, kw_only=True)
class Perturbation:
    """Ranges from which robots are drawn; the defaults are the oracle's."""

    name: str = "default"
    sole_friction: tuple[float, float] = (0.4, 1.0)
    torso_mass: float = 0.10
    """Relative, both ways."""
    torso_com: float = 0.03
    """Shift of the torso's centre of mass, per axis, both ways [m]."""
    motor_strength: float = 0.10
    """Relative, both ways, each joint by itself."""
    push_speed: float = 0.4
    """Largest horizontal velocity that a push adds to the pelvis [m/s]."""
    push_every: tuple[float, float] = (2.0, 4.0)
    """Time from one push to the next [s]."""
    max_delay: int = SUBSTEPS
    """Largest delay of a target, in physics steps of 5 ms."""
    noise: StateNoise = field(default_factory=StateNoise)
    draws: int = 5
    """Robots drawn per motion."""


PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(
    {"default": Perturbation()}
)
"""Perturbations by name."""


class Draw(NamedTuple):
    """One robot, drawn."""

    sole_friction: float
    torso_mass: float
    """Factor on mass and inertia of the torso."""
    torso_com: Float64
    """Shift of its centre of mass, (3,) [m]."""
    motor_strength: Float64
    """Factor on the gains of each joint, (29,)."""
    delay: int
    """Physics steps of 5 ms after which a new target takes effect, 0 to 4."""
    push_frames: NDArray[np.int64]
    """Frames at which the robot is pushed, (P,)."""
    push_vel_w: Float64
    """Horizontal velocity that each push adds, (P, 2) [m/s]."""
    noise: Float64
    """What is added to the measurements of each frame, (T, 70); see `StateNoise`."""


def find_perturbation(which: Perturbation | str) -> Perturbation:
    """A perturbation by name, or the one that is given."""
    if isinstance(which, Perturbation):
        return which
    if which not in PERTURBATIONS:
        known = ", ".join(PERTURBATIONS)
        raise ValueError(f"There is no perturbation {which!r}; there is: {known}.")
    return PERTURBATIONS[which]


def draw(
    perturbation: Perturbation, *, seed: int, clip: str, index: int, num_frames: int
) -> Draw:
    """Robot number `index` for the motion with hash `clip` and `num_frames` frames."""
    body = _stream(seed, clip, index, "body")
    low, high = perturbation.sole_friction
    friction = float(body.uniform(low, high))
    mass = 1.0 + float(_both_ways(body, perturbation.torso_mass, 1)[0])
    com = _both_ways(body, perturbation.torso_com, 3)
    strength = 1.0 + _both_ways(body, perturbation.motor_strength, _NUM_JOINTS)
    delay = int(body.integers(0, perturbation.max_delay + 1))
    frames, push = _pushes(perturbation, _stream(seed, clip, index, "push"), num_frames)
    # Row t is the same however long the motion is: a stream, read in order.
    noise = _stream(seed, clip, index, "noise").random((num_frames, NUM_MEASURED))
    noise = (2.0 * noise - 1.0) * perturbation.noise.widths()
    return Draw(friction, mass, com, strength, delay, frames, push, noise)


def measured(qpos: Float64, qvel: Float64, noise: Float64) -> tuple[Float64, Float64]:
    """What robots at `qpos` (n, 36), `qvel` (n, 35) measure under `noise` (n, 70)."""
    position, turn, lin_vel, gyro, joint_pos, joint_vel = np.split(
        noise, (3, 6, 9, 12, 12 + _NUM_JOINTS), axis=-1
    )
    quat = quat_multiply(quat_from_rotvec(turn), qpos[:, 3:7])
    noisy_pos = np.concatenate(
        (qpos[:, :3] + position, quat_normalize(quat), qpos[:, 7:] + joint_pos), axis=1
    )
    return noisy_pos, qvel + np.concatenate((lin_vel, gyro, joint_vel), axis=1)


def _pushes(
    perturbation: Perturbation, stream: np.random.Generator, num_frames: int
) -> tuple[NDArray[np.int64], Float64]:
    low, high = perturbation.push_every
    count = max_pushes(perturbation, num_frames)
    waits, angle, share = stream.random((count, 3)).T
    frames = np.rint(np.cumsum(low + (high - low) * waits) * FPS).astype(np.int64)
    speed = perturbation.push_speed * share
    angle = 2 * np.pi * angle
    velocity = np.stack((speed * np.cos(angle), speed * np.sin(angle)), axis=1)
    # The last frame is where a roll-out ends: a push there would not be felt.
    felt = frames < num_frames - 1
    return frames[felt], velocity[felt]


def max_pushes(perturbation: Perturbation, num_frames: int) -> int:
    """Enough for the whole motion even if all waits are short."""
    return int(num_frames / (FPS * perturbation.push_every[0])) + 1


def _both_ways(stream: np.random.Generator, width: float, size: int) -> Float64:
    return stream.uniform(-width, width, size)


def _stream(seed: int, clip: str, index: int, purpose: str) -> np.random.Generator:
    key = np.frombuffer(_stream_key(seed, clip, index, purpose), dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key))


def robot_keys(clips: Sequence[str], *, draws: int, seed: int) -> NDArray[np.int64]:
    """Keys of body, push and noise of each clip hash and draw, (n, draws, 3, 2).

    For those who draw many robots at once elsewhere.
    """
    keys = b"".join(
        _stream_key(seed, clip, index, purpose)
        for clip in clips
        for index in range(draws)
        for purpose in _PURPOSES
    )
    shape = (len(clips), draws, len(_PURPOSES), 2)
    return np.frombuffer(keys, dtype=np.int64).reshape(shape)


def _stream_key(seed: int, clip: str, index: int, purpose: str) -> bytes:
    """Key (16 bytes) of a generator for each use: none shifts another's numbers."""
    text = f"texedo perturbation 1|{seed}|{clip}|{index}|{purpose}"
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
