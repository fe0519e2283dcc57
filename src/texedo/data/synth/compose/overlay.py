"""Overlays: the arms of a gesture, or of another motion, on legs that walk or stand."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author.arms import ARM_JOINTS, SIDES, WAIST_JOINTS, for_side
from texedo.data.synth.author.gestures import GESTURES
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.author.stage.clearance import clear_arms
from texedo.data.synth.author.stage.legs import FEET_BODIES, foot_errors, step_legs
from texedo.data.synth.author.stage.scene import Scene, layered
from texedo.data.synth.author.strikes import punch
from texedo.motion import FPS
from texedo.motion.curves import keyed
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres

Float64 = NDArray[np.float64]

FAMILIES = frozenset(
    "walk walk_back sidestep turn stand limp march sneak crouch".split()
)
"""Families whose arms are free to do something else."""
_KINDS = {
    "wave": 5,
    "raise_hand": 4,
    "point": 2,
    "clap": 2,
    "salute": 1,
    "hand_to_head": 2,
    "hands_on_hips": 1,
    "spread_arms": 1,
    "punch": 3,
}
_ROOM = 0.3
"""Left before and after a gesture [s]."""
_STEPS = 4
_MAX_FOOT_ERROR = 0.003


class Overlay(NamedTuple):
    """A gesture on legs."""

    frames: Float64
    """(T, 36)."""
    foot_error: float
    """Largest change of a foot's place [m]."""


def draw_gesture(key: str, duration: float) -> tuple[Spec, float] | None:
    """A gesture that fits into `duration` [s] and when it starts, chosen by `key`."""
    rng = _rng(key)
    names = list(_KINDS)
    weights = np.array([_KINDS[name] for name in names], dtype=np.float64)
    for _ in range(6):
        kind = str(rng.choice(names, p=weights / weights.sum()))
        spec = _draw_spec(kind, rng)
        took = _play(spec, key, start=0.0).now
        slack = duration - took - 2 * _ROOM
        if slack >= 0:
            return spec, _ROOM + float(rng.uniform(0, slack))
    return None


def _draw_spec(kind: str, rng: np.random.Generator) -> Spec:
    side = str(rng.choice(("left", "right", "both")))
    count = int(rng.integers(1, 5))
    ways = {
        "wave": ("", "high"),
        "raise_hand": ("up", "forward", "side"),
        "point": ("up", "forward", "side"),
        "clap": ("chest", "overhead"),
        "punch": ("jab", "hook"),
    }.get(kind, ("",))
    if kind in ("point", "salute", "hand_to_head") and side == "both":
        side = str(rng.choice(SIDES))
    if kind in ("clap", "spread_arms"):
        side = ""
    if kind not in ("wave", "clap", "punch"):
        count = 1
    tempo = float(rng.choice((0.9, 1.0, 1.2)))
    way = str(rng.choice(ways))
    return Spec(kind=kind, side=side, count=count, way=way, tempo=tempo)


def _rng(key: str) -> np.random.Generator:
    digest = hashlib.sha256(key.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def _play(spec: Spec, key: str, *, start: float) -> Scene:
    """The gesture's keys, beginning at `start`."""
    scene = Scene(_rng(f"{key}/play"))
    scene.now = start
    gesture = punch if spec.kind == "punch" else GESTURES[spec.kind]
    gesture(scene, spec)
    return scene


def lay_over(
    frames: NDArray[np.float32], spec: Spec, start: float, *, key: str
) -> Overlay:
    """The motion (T, 36) with the arms of a gesture that begins at `start` [s].

    The pelvis gives way so that the centre of mass stays on its old path, and arms give
    way to the body.
    """
    old = frames.astype(np.float64)
    qpos = old.copy()
    time = np.arange(len(old)) / FPS
    scene = _play(spec, key, start=start)
    for side in SIDES:
        columns = 7 + ARM_JOINTS[side]
        own = for_side(old[:, columns], side)
        arm = layered(time, own, scene.arms[side])
        qpos[:, columns] = for_side(arm, side)
    names = ("waist_yaw", "waist_roll", "waist_pitch")
    for joint, name in zip(WAIST_JOINTS, names, strict=True):
        qpos[:, 7 + joint] += keyed(time, scene.channels[name])
    qpos = clear_arms(qpos)
    balanced, error = _rebalanced(qpos, old)
    if error > _MAX_FOOT_ERROR:
        return Overlay(qpos, 0.0)
    return Overlay(balanced, error)


def arms_of_another(frames: NDArray[Any], other: NDArray[Any]) -> Overlay:
    """A motion (T, 36) with the arms of another of the same length."""
    old = frames.astype(np.float64)
    qpos = old.copy()
    columns = 7 + np.concatenate([ARM_JOINTS[side] for side in SIDES])
    qpos[:, columns] = other[:, columns]
    qpos = clear_arms(qpos)
    balanced, error = _rebalanced(qpos, old)
    return Overlay(qpos, 0.0) if error > _MAX_FOOT_ERROR else Overlay(balanced, error)


def _rebalanced(qpos: Float64, old: Float64) -> tuple[Float64, float]:
    """The motion with its centre of mass where it was, and how far the feet are off."""
    before = forward_kinematics(old[:, :3], old[:, 3:7], old[:, 7:])
    path = centre_of_mass(mass_centres(before))[:, :2]
    foot_pos = before.pos_w[:, FEET_BODIES]
    foot_quat = before.quat_w[:, FEET_BODIES]
    out = qpos.copy()
    for i in range(_STEPS):
        poses = forward_kinematics(out[:, :3], out[:, 3:7], out[:, 7:])
        if i < _STEPS - 1:
            shift = path - centre_of_mass(mass_centres(poses))[:, :2]
            out[:, :2] += shift
            flat = np.concatenate((shift, np.zeros((len(shift), 1))), axis=1)
            poses = poses._replace(pos_w=poses.pos_w + flat[:, None])
        out[:, 7:] = step_legs(
            out[:, 7:], poses, foot_pos=foot_pos, foot_quat=foot_quat
        )
    poses = forward_kinematics(out[:, :3], out[:, 3:7], out[:, 7:])
    return out, float(foot_errors(poses, foot_pos).max())
