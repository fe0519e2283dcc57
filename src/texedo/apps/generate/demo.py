"""`texedo demo`: the whole tool on one sentence, as commands that a user would type."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import NDArray

from texedo.apps import cli
from texedo.checkpoints.bundled import GENERATOR, TOKENIZER, TRACKER, has_bundled
from texedo.formats import save_motion
from texedo.formats.runs import MOTION_FILE
from texedo.motion import FPS, Motion
from texedo.motion.curves import between
from texedo.robot import g1
from texedo.robot.collision import sole_centres, sole_clearance
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]


PROMPT = "a person walks forward and waves"


@dataclass(frozen=True)
class Cfg:
    """The whole tool on one sentence: sample candidates, check and score them, choose
    one, let the controller perform it in physics, write and draw.

    Every step is printed as the command that does it, so that you can repeat it with
    words of your own. An installation without a trained generator shows instead what does
    without one, on a motion that is written by formula.

    Example: texedo demo --out out/demo
    """

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path(
        "out/demo"
    )
    """Folder for the motion, its table and its pictures; made if it is missing."""
    prompt: str = PROMPT
    """What the robot should do."""


def run(cfg: Cfg) -> int:
    if has_bundled(TRACKER, TOKENIZER, GENERATOR):
        return _from_a_sentence(cfg)
    print(
        "This installation has no trained generator, so nothing is generated from "
        "text: the motion below is written by formula."
    )
    return _by_formula(cfg)


def _from_a_sentence(cfg: Cfg) -> int:
    started = time.perf_counter()
    words = ["generate", cfg.prompt, "--again", "--overwrite"]
    code = _step([*words, "--out", str(cfg.out), "--format", "lafan1"])
    if code > 1:  # 1: the motion is there, and the robot falls; that is a result too.
        return code
    for step in (["info", cfg.out / MOTION_FILE], ["check", cfg.out / MOTION_FILE]):
        failed = _step([str(word) for word in step])
        if failed > 1:
            return failed
    print(f"\n{time.perf_counter() - started:.0f} s. Look into {cfg.out}:")
    for name in sorted(path.name for path in cfg.out.iterdir()):
        print(f"  {cfg.out / name}")
    return 0


def _by_formula(cfg: Cfg) -> int:
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
    if has_bundled(TRACKER):
        steps.append(["rollout", motion, "--video", cfg.out / "performed.png"])
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
    up = between(time, 0.5, 1.7) * (1 - between(time, 3.7, 4.9))
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
    window = between(time, 1.5, 2.1) * (1 - between(time, 3.3, 3.9))
    joints[:, g1.JOINT_INDEX["right_elbow_joint"]] += 0.45 * window * swing


def _squat(joints: Float64, time: Float64) -> None:
    down = 0.6 * between(time, 5.1, 6.2) * (1 - between(time, 6.5, 7.6))
    for side in ("left", "right"):
        hip, knee, ankle = (
            g1.JOINT_INDEX[f"{side}_{name}_joint"]
            for name in ("hip_pitch", "knee", "ankle_pitch")
        )
        joints[:, hip] -= down / 2
        joints[:, knee] += down
        # The three pitches add up to zero: the sole is level.
        joints[:, ankle] = -joints[:, hip] - joints[:, knee]
