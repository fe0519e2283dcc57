"""How much of a motion survives the way to codes and back.

Pose error: E_mpjpe-l [mm] over the 14 tracked bodies, both motions turned to face +x in
every frame, so that it measures the pose alone. Heading [deg] and place [cm] are judged
between 8 s and 10 s, on the clips that last so long. Perplexity is the number of codes
in use: the exponential of the entropy of how often each occurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.packed_clips import PackedClips
from texedo.learning.features import features_from_qpos, qpos_from_features
from texedo.motion import FPS
from texedo.motion.rotations import quat_from_yaw, quat_multiply, quat_yaw
from texedo.quality import mpjpe_l
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import forward_kinematics
from texedo.text.tokenizer.tokenizer import MotionTokenizer

LATE = slice(int(8 * FPS) - 1, int(10 * FPS))
"""Frames at which the drift is judged."""


def clip_errors(truth: NDArray[Any], decoded: NDArray[Any]) -> dict[str, float]:
    """Errors of one clip, (T, 36) both; the drift is there only from 8 s on."""
    truth = qpos_from_features(features_from_qpos(truth))
    decoded = decoded[: len(truth)]
    errors = {
        "mpjpe_mm": float(mpjpe_l(_facing_bodies(truth), _facing_bodies(decoded))),
        "joint_mrad": 1e3 * float(np.abs(truth[:, 7:] - decoded[:, 7:]).mean()),
        "accel_ratio": _accelerations(decoded) / max(_accelerations(truth), 1e-9),
    }
    if len(truth) > LATE.start:
        turned = quat_yaw(decoded[LATE, 3:7]) - quat_yaw(truth[LATE, 3:7])
        turned = (turned + np.pi) % (2 * np.pi) - np.pi
        moved = np.linalg.norm(decoded[LATE, :3] - truth[LATE, :3], axis=1)
        errors["heading_deg"] = float(np.degrees(np.abs(turned)).mean())
        errors["root_cm"] = 100 * float(moved.mean())
    return errors


def evaluate(
    tokenizer: MotionTokenizer,
    data: PackedClips,
    clips: Sequence[int],
    *,
    rounds: int = 0,
) -> dict[str, float]:
    """Mean errors over clips; "_p90" is what nine in ten stay below.

    `rounds` are those of `MotionTokenizer.encode_qpos`.
    """
    truths = [data.frames(i) for i in clips]
    decoded = tokenizer.decode(tokenizer.encode_qpos(truths, rounds=rounds))
    rows = [clip_errors(a, b) for a, b in zip(truths, decoded, strict=True)]
    table: dict[str, float] = {"clips": len(rows)}
    for name in ("mpjpe_mm", "joint_mrad", "accel_ratio", "heading_deg", "root_cm"):
        values = [row[name] for row in rows if name in row]
        if values:
            table[name] = float(np.mean(values))
            table[f"{name}_p90"] = float(np.percentile(values, 90))
    table["late_clips"] = sum("root_cm" in row for row in rows)
    return table


def perplexity(codes: Iterable[NDArray[np.int64]], num_codes: int) -> float:
    """Effective number of codes in use: 1 if it is always the same one."""
    counts = np.zeros(num_codes)
    for row in codes:
        counts += np.bincount(row, minlength=num_codes)
    return perplexity_of_counts(counts)


def perplexity_of_counts(counts: NDArray[Any]) -> float:
    """The same, from how often each code occurred."""
    share = counts[counts > 0] / counts.sum()
    return float(np.exp(-(share * np.log(share)).sum()))


def full_report(
    tokenizer: MotionTokenizer, data: PackedClips, *, rounds: int = 0
) -> dict[str, Any]:
    """Captured clips of every split that is there, and code usage on train.

    The usage is that of plain codes: to correct those of all of train takes many minutes.
    """
    report: dict[str, Any] = {}
    for split in ("val", "test", "test-subject"):
        if clips := data.select(split=split, kind="captured"):
            report[split] = evaluate(tokenizer, data, clips, rounds=rounds)
    if clips := data.select(split="train"):
        codes = tokenizer.encode_qpos([data.frames(i) for i in clips])
        report["train_perplexity"] = perplexity(codes, tokenizer.num_codes)
        report["train_codes_used"] = len(np.unique(np.concatenate(codes)))
        report["num_codes"] = tokenizer.num_codes
    return report


def _facing_bodies(qpos: NDArray[Any]) -> NDArray[np.float64]:
    """Tracked bodies (T, 14, 3) of poses that are turned to face +x in every frame."""
    quat = qpos[:, 3:7].astype(np.float64)
    quat = quat_multiply(quat_from_yaw(-quat_yaw(quat)), quat)
    poses = forward_kinematics(qpos[:, :3], quat, qpos[:, 7:])
    return poses.pos_w[:, TRACKED_BODY_INDICES]


def _accelerations(qpos: NDArray[Any]) -> float:
    """Mean size of the joints' second differences: jitter raises it."""
    return (
        float(np.abs(np.diff(qpos[:, 7:], n=2, axis=0)).mean())
        if len(qpos) > 2
        else 0.0
    )
