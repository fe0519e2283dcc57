"""Recordings retargeted by another recipe, as files of other makers are.

The recipe is deliberately not that of `texedo.data.retarget`: the person is scaled by
some other factor, nothing fits feet to the floor or holds them there, limbs may overlap,
joints may be as fast as they like and use all of their range, waist and wrists follow the
person, and there are 30 frames a second. What such clips look like is not what a
controller trained on our own saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.capture.source import SourceMotion, resample_source
from texedo.data.retarget.solver import (
    REST,
    Bounds,
    Targets,
    Weights,
    solve,
    stack_targets,
)
from texedo.data.retarget.targets import ROBOT
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_matrix,
    quat_multiply,
    quat_to_matrix,
    quat_to_rotvec,
)
from texedo.robot.g1 import JOINT_INDEX, JOINT_LOWER, JOINT_UPPER
from texedo.robot.gaps import SIDES

Float64 = NDArray[np.float64]
Settings = dict[str, float]

FOREIGN_FPS = 30.0
_SCALE = (0.85, 1.15)
"""Factor on the scale that our own recipe would choose."""
_FLOOR = (-0.04, 0.04)
"""The floor is this far off where the recording has it [m]."""
_WEIGHTS = Weights(
    pelvis_pos=3.0,
    torso_rot=0.8,
    foot_rot=0.6,
    thigh=0.2,
    previous=0.03,
    previous_leg=0.03,
)
_ITERATIONS, _FIRST_ITERATIONS = 3, 40
_NEVER = -1.0
"""A gap that is never asked for: shapes may overlap [m]."""
_UP_FROM_HIPS = np.array([-0.03, 0.0, 0.1027])
"""The robot's pelvis against a person's hip centre, in the pelvis frame [m]."""


class ForeignClip(NamedTuple):
    """Arrays of one clip at `FOREIGN_FPS`."""

    root_pos_w: Float64
    root_quat_w: Float64
    joint_pos: Float64
    settings: Settings


def foreign_look(
    sources: Sequence[SourceMotion], rngs: Sequence[np.random.Generator]
) -> list[ForeignClip]:
    """Every source on the robot by the other recipe, side by side."""
    slow = [resample_source(source, fps=FOREIGN_FPS) for source in sources]
    goals, settings = [], []
    for source, rng in zip(slow, rngs, strict=True):
        factor, floor = float(rng.uniform(*_SCALE)), float(rng.uniform(*_FLOOR))
        goals.append(_targets(source, factor, floor))
        settings.append({"scale": factor, "floor_m": floor, "fps": FOREIGN_FPS})
    paths = _follow(goals)
    clips = []
    for source, path, said in zip(slow, paths, settings, strict=True):
        _add_wrists(path, source)
        clips.append(ForeignClip(path[:, :3], path[:, 3:7], path[:, 7:], said))
    return clips


def _targets(source: SourceMotion, factor: float, floor: float) -> Targets:
    scale = factor * ROBOT.leg / source.leg_length
    pelvis_rot = quat_to_matrix(source.orientations["hips"])
    left, right = (source.positions[f"{s}_upper_leg"] for s in SIDES)
    hips = 0.5 * scale * (left + right)
    down = np.array([0.0, 0.0, floor])

    def limb(base: str, tip: str, length: float) -> Float64:
        bones = [
            source.positions[f"{s}_{tip}"] - source.positions[f"{s}_{base}"]
            for s in SIDES
        ]
        return np.stack(
            [
                bone
                * (length / np.maximum(np.linalg.norm(bone, axis=1), 1e-9))[:, None]
                for bone in bones
            ],
            axis=1,
        )

    feet = [source.positions[f"{s}_foot"] * scale + down for s in SIDES]
    turns = [quat_to_matrix(source.orientations[f"{s}_foot"]) for s in SIDES]
    return Targets(
        pelvis_pos=hips + pelvis_rot @ _UP_FROM_HIPS + down,
        pelvis_rot=pelvis_rot,
        torso_rot=quat_to_matrix(source.orientations["chest"]),
        foot_pos=np.stack(feet, axis=1),
        foot_rot=np.stack(turns, axis=1),
        foot_hold=np.ones((len(hips), 2)),
        thigh=limb("upper_leg", "lower_leg", ROBOT.thigh),
        upper_arm=limb("upper_arm", "lower_arm", ROBOT.upper_arm),
        forearm=limb("lower_arm", "hand", ROBOT.forearm),
    )


def _follow(goals: list[Targets]) -> list[Float64]:
    """Poses (T, 36) of every goal, frame after frame; those that end drop out."""
    lengths = np.array([len(goal) for goal in goals])
    paths = [np.empty((length, 36)) for length in lengths]
    order = np.argsort(-lengths, kind="stable")
    bounds = Bounds(JOINT_LOWER, JOINT_UPPER)
    qpos = np.empty((0, 36))
    for t in range(int(lengths.max(initial=0))):
        rows = order[: int((lengths > t).sum())]
        now = stack_targets([goals[i][t] for i in rows])
        qpos = solve(
            qpos[: len(rows)] if t else _standing_on(now),
            now,
            bounds=bounds,
            iterations=_ITERATIONS if t else _FIRST_ITERATIONS,
            weights=_WEIGHTS,
            clearance=_NEVER,
        )
        for row, i in enumerate(rows):
            paths[i][t] = qpos[row]
    return paths


def _standing_on(targets: Targets) -> Float64:
    qpos = np.empty((len(targets), 36))
    qpos[:, :3] = targets.pelvis_pos
    qpos[:, 3:7] = quat_from_matrix(targets.pelvis_rot)
    qpos[:, 7:] = np.clip(REST, JOINT_LOWER, JOINT_UPPER)
    return qpos


def _add_wrists(path: Float64, source: SourceMotion) -> None:
    """Wrists (in place) turn as the person's hand does against the forearm."""
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        arm = np.asarray(source.orientations[f"{side}_lower_arm"], dtype=np.float64)
        hand = np.asarray(source.orientations[f"{side}_hand"], dtype=np.float64)
        turn = quat_to_rotvec(quat_multiply(quat_conjugate(arm), hand))
        # In a T-pose the left arm points along y, the right one against it.
        about = {"roll": sign * turn[:, 1], "pitch": turn[:, 0], "yaw": turn[:, 2]}
        for axis, angle in about.items():
            joint = JOINT_INDEX[f"{side}_wrist_{axis}_joint"]
            turned = path[:, 7 + joint] + angle
            path[:, 7 + joint] = np.clip(turned, JOINT_LOWER[joint], JOINT_UPPER[joint])
