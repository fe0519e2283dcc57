"""`texedo demo`: the whole tool on one motion, as the commands that a user would type."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.apps import cli
from texedo.formats import save_motion
from texedo.motion import FPS, Motion
from texedo.robot import g1
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]


@dataclass(frozen=True)
class Cfg:
    """Make a short motion of the G1, check it, convert it and draw it.

    The robot stands, raises its right hand, waves, and squats a little; the motion is
    written by formula, not generated from text. Every step is printed as the command
    that does it, so that you can repeat it on files of your own.

    Example: texedo demo --out out/demo
    """

    out: Path = Path("out/demo")
    """Folder for the motion, its conversions and its pictures; made if it is missing."""


def run(cfg: Cfg) -> int:
    cfg.out.mkdir(parents=True, exist_ok=True)
    motion = cfg.out / "wave.npz"
    save_motion(wave_motion(), motion)
    print(f"A G1 waves and squats, {wave_motion().duration:g} s: {motion}")
    csv, beyondmimic = cfg.out / "wave.csv", cfg.out / "wave_beyondmimic.npz"
    steps: list[list[Path | str]] = [
        ["info", motion],
        ["check", motion],
        ["convert", motion, csv, "--to", "lafan1"],
        ["convert", motion, beyondmimic, "--to", "beyondmimic"],
        ["check", csv, "--from", "lafan1", "--brief"],
        ["render", motion, "-o", cfg.out / "wave.png"],
        ["render", motion, "-o", cfg.out / "wave.gif"],
    ]
    for step in steps:
        code = _step([str(word) for word in step])
        if code != 0:
            return code
    print(f"\nLook at {cfg.out / 'wave.png'} and {cfg.out / 'wave.gif'}.")
    return 0


def _step(args: Sequence[str]) -> int:
    print(f"\n$ texedo {shlex.join(args)}", flush=True)
    return cli.main(args)


def wave_motion() -> Motion:
    """Stand, raise the right hand, wave, lower it, squat, stand: 8 s, feet planted."""
    time = np.arange(round(8.0 * FPS) + 1) / FPS
    joints = np.tile(g1.KNEES_BENT, (len(time), 1))
    _raise_and_wave(joints, time)
    _squat(joints, time)
    upright = np.array([1.0, 0.0, 0.0, 0.0])
    poses = forward_kinematics(np.zeros(3), upright, joints)
    # Both legs bend alike and the soles stay level: moving the pelvis against the left
    # sole plants both feet.
    root = -sole_centres(poses)[:, 0]
    root[:, 2] = -sole_clearance(poses).min(axis=1)
    root[:, :2] -= root[0, :2]
    return Motion(
        root_pos_w=root.astype(np.float32),
        root_quat_w=np.tile(upright, (len(time), 1)).astype(np.float32),
        joint_pos=joints.astype(np.float32),
    )


def _raise_and_wave(joints: Float64, time: Float64) -> None:
    up = _ease(time, 0.5, 1.7) * (1 - _ease(time, 3.7, 4.9))
    raised = {
        "right_shoulder_pitch_joint": 0.0,
        "right_shoulder_roll_joint": -1.6,
        "right_shoulder_yaw_joint": -1.5,
        "right_elbow_joint": 0.1,
    }
    for name, angle in raised.items():
        column = joints[:, g1.JOINT_INDEX[name]]
        column += up * (angle - column)
    swing = np.sin(2 * np.pi * 1.5 * (time - 1.7))
    window = _ease(time, 1.5, 2.1) * (1 - _ease(time, 3.3, 3.9))
    joints[:, g1.JOINT_INDEX["right_elbow_joint"]] += 0.45 * window * swing


def _squat(joints: Float64, time: Float64) -> None:
    down = 0.6 * _ease(time, 5.1, 6.2) * (1 - _ease(time, 6.5, 7.6))
    for side in ("left", "right"):
        hip, knee, ankle = (
            g1.JOINT_INDEX[f"{side}_{name}_joint"]
            for name in ("hip_pitch", "knee", "ankle_pitch")
        )
        joints[:, hip] -= down / 2
        joints[:, knee] += down
        # The three pitches add up to zero: the sole is level.
        joints[:, ankle] = -joints[:, hip] - joints[:, knee]


def _ease(time: Float64, start: float, end: float) -> Float64:
    """0 before `start`, 1 after `end`, no jolt between (fifth-order step)."""
    x = np.clip((time - start) / (end - start), 0.0, 1.0)
    return np.asarray(x**3 * (10 - 15 * x + 6 * x**2))
