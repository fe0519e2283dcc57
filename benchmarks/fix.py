"""What `texedo fix` saves: spoiled clips and rejected candidates, repaired and performed.

    python benchmarks/fix.py OUT

OUT is what `check_set.py` made. Of its captured clips that pass, each gets one fault: it
is moved off its floor by 2.5 to 10 cm, an arm is pressed into the body, 6 to 19 frames
are lost where it is fastest, or the robot drifts by 0.25 to 0.6 m/s as it goes.
Rejected candidates are the held-out generated ones of OUT that fail.

Saved means that the repaired motion no longer fails, and has no fault left where it was
spoiled, and that the tracker performs it to the end. At least 70 % must be saved, with a
mean pose change of at most 3 cm, and what passes must come back unchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.trials import read_trials, trial_parts
from texedo.motion import FPS, Motion
from texedo.robot.check import check_motion
from texedo.robot.g1 import JOINT_INDEX
from texedo.robot.repair import RepairRecord, repair
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import OURS, find_policy

SAVED, POSE_CHANGE = 0.7, 0.03
EACH = 16
"""Clips of each fault."""
Poses = NDArray[np.float64]
Rng = np.random.Generator


def off_floor(qpos: Poses, rng: Rng) -> Poses:
    out = qpos.copy()
    out[:, 2] += rng.uniform(0.025, 0.1) * rng.choice((-1.0, 1.0))
    return out


def arm_in_body(qpos: Poses, rng: Rng) -> Poses:
    """Where it hangs anyway, an arm is pressed inwards."""
    out = qpos.copy()
    side, sign = (("left", 1.0), ("right", -1.0))[int(rng.integers(2))]
    roll = 7 + JOINT_INDEX[f"{side}_shoulder_roll_joint"]
    middle, width = rng.uniform(0.2, 0.8) * len(qpos), rng.uniform(10, 50)
    bump = np.exp(-(((np.arange(len(qpos)) - middle) / width) ** 2))
    out[:, roll] -= sign * rng.uniform(0.4, 0.8) * bump
    return out


def frames_lost(qpos: Poses, rng: Rng) -> Poses:
    """Frames are missing just where joints are fastest, and what is left leaps."""
    speed = np.abs(np.diff(qpos[:, 7:], axis=0)).max(axis=1)
    middle = int(speed[20:-20].argmax()) + 20
    gone = int(rng.integers(6, 20))
    keep = np.ones(len(qpos), dtype=bool)
    keep[middle - gone // 2 : middle - gone // 2 + gone] = False
    return qpos[keep]


def drifting(qpos: Poses, rng: Rng) -> Poses:
    out = qpos.copy()
    way, speed = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.6)
    drift = speed * np.arange(len(qpos))[:, None] / FPS
    out[:, :2] += drift * [np.cos(way), np.sin(way)]
    return out


FAULTS: dict[str, tuple[Callable[[Poses, Rng], Poses], tuple[str, ...]]] = {
    "off its floor": (off_floor, ("hover", "ground penetration")),
    "arm in the body": (arm_in_body, ("self-penetration",)),
    "frames lost": (frames_lost, ("joint speed", "joint jump")),
    "drifting": (drifting, ("foot skate",)),
}
"""With the checks that must find it, and find nothing afterwards."""


def captured(folder: Path) -> list[Motion]:
    parts = [read_trials(path) for path in trial_parts(folder)]
    motions = [
        Motion.from_qpos(qpos)
        for part in parts
        for trial, qpos in zip(part.trials, part.poses, strict=True)
        if trial.recipe == "captured"
    ]
    return [motion for motion in motions if check_motion(motion).verdict == "pass"]


def spoiled(motions: list[Motion], fault: str) -> list[Motion]:
    """The first clips in which the fault can be seen."""
    spoil, names = FAULTS[fault]
    out: list[Motion] = []
    for number, motion in enumerate(motions):
        rng = np.random.default_rng((number, len(fault)))
        tried = Motion.from_qpos(spoil(motion.to_qpos().astype(np.float64), rng))
        report = check_motion(tried)
        if any(report[name].verdict != "pass" for name in names):
            out.append(tried)
    return out[:EACH]


def rejected(folder: Path) -> Iterator[Motion]:
    """Held-out candidates that fail."""
    for path in trial_parts(folder):
        part = read_trials(path)
        for trial, qpos in zip(part.trials, part.poses, strict=True):
            if (trial.recipe, trial.suite) != ("generated", "held-out"):
                continue
            motion = Motion.from_qpos(qpos)
            if check_motion(motion).verdict == "fail":
                yield motion


def told(
    name: str, motions: list[Motion], wanted: tuple[str, ...], policy: Any
) -> bool:
    fixed, records = repair(motions)
    performed = rollout(fixed, policy, keep_states=False).success
    good = [_good(record, wanted) for record in records]
    saved = float(np.mean(np.array(good) & performed))
    change = float(np.mean([record.pose_change for record in records]))
    longer = float(np.mean([record.seconds_added for record in records]))
    print(
        f"| {name} | {len(motions)} | {100 * np.mean(good):.0f} % | "
        f"{100 * performed.mean():.0f} % | {100 * saved:.0f} % | {100 * change:.1f} cm | "
        f"{longer:.2f} s |",
        flush=True,
    )
    return saved >= SAVED and change <= POSE_CHANGE


def _good(record: RepairRecord, wanted: tuple[str, ...]) -> bool:
    clean = all(record.after[name].verdict == "pass" for name in wanted)
    return clean and record.after.verdict != "fail"


def main() -> int:
    folder = Path(sys.argv[1]).expanduser()
    policy = find_policy(OURS)
    whole = captured(folder)
    same = repair(whole)[0]
    unchanged = all(a is b for a, b in zip(whole, same, strict=True))
    print(f"{len(whole)} clips that pass: {'unchanged' if unchanged else 'CHANGED'}\n")
    print(
        "| motions | number | repaired | performed | saved | pose change | longer |\n"
        "|---|---|---|---|---|---|---|"
    )
    fine = [
        told(fault, spoiled(whole, fault), FAULTS[fault][1], policy) for fault in FAULTS
    ]
    fine.append(told("rejected", list(rejected(folder)), (), policy))
    return int(not (unchanged and all(fine)))


if __name__ == "__main__":
    raise SystemExit(main())
