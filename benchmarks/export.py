"""Clips of a corpus between two times of standing, and through every format: who is
performed to the end, and who no longer is.

python benchmarks/export.py CORPUS [CLIPS [THROUGH_FORMATS]]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from texedo.data.corpus.store import Corpus
from texedo.do.blend import Blended, blend_with_standing
from texedo.formats import get_format, load_motion, writable_formats
from texedo.formats.compare import save_compared
from texedo.motion import FPS, Motion
from texedo.robot.check import check_motion
from texedo.robot.dof23 import LOCKED_INDICES, lock_joints
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.protocol import screened
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.locked import LockedPolicy
from texedo.tracker.policies.protocol import Policy

SPLIT, LONGEST, SEED = "val", 12.0, 0


def main() -> int:
    clips, through = (
        int(a) for a in (*sys.argv[2:4], *("60", "12")[len(sys.argv) - 2 :])
    )
    motions = some_clips(Path(sys.argv[1]), clips)
    policy = find_policy("texedo")
    started = time.process_time()
    blended = [blend_with_standing(motion) for motion in motions]
    seconds = (time.process_time() - started) / len(motions)
    print(f"{len(motions)} clips, {seconds:.2f} s of one core each to blend")
    tell_ways(blended)
    whole = [made.motion for made in blended]
    raw, good = success(motions, policy), success(whole, policy)
    print(
        f"performed to the end: {raw.mean():.3f} as they are, {good.mean():.3f} blended"
    )
    tell_checks(motions, whole)
    verifier = find_dynamics()
    above = [
        (screened(verifier, verifier.foresee(m)) > verifier.threshold).sum()
        for m in (motions, whole)
    ]
    print(f"above the threshold: {above[0]} as they are, {above[1]} blended")
    locked = [blend_with_standing(lock_joints(m)).motion for m in motions]
    held = success(locked, LockedPolicy(policy, LOCKED_INDICES))
    print(f"with 23 joints, locked ones locked: {held.mean():.3f}")
    changed = through_formats(whole[:through], good[:through], policy)
    return int(changed > 0)


def some_clips(folder: Path, count: int) -> list[Motion]:
    corpus = Corpus.load(folder)
    fits = [
        i
        for i, clip in enumerate(corpus)
        if clip.split == SPLIT and clip.duration <= LONGEST
    ]
    picked = np.random.default_rng(SEED).choice(fits, count, replace=False)
    return [corpus.motion(int(i)) for i in picked]


def success(motions: list[Motion], policy: Policy) -> np.ndarray:
    return np.asarray(rollout(motions, policy, keep_states=False).success)


def tell_ways(blended: list[Blended]) -> None:
    ways = [way for made in blended for way in made.ways]
    lengths = [made.first / FPS for made in blended]
    lengths += [(len(made.motion) - 1 - made.last) / FPS for made in blended]
    low, middle, high = np.quantile(lengths, (0, 0.5, 1))
    print(
        f"ways: {ways.count('feet')} over the feet, {ways.count('plain')} joint by joint; "
        f"{low:.2f} to {high:.2f} s long with the rest, {middle:.2f} in the middle"
    )


def tell_checks(before: list[Motion], after: list[Motion]) -> None:
    fails = [
        sum(check_motion(motion).verdict == "fail" for motion in motions)
        for motions in (before, after)
    ]
    print(f"fail a check: {fails[0]} as they are, {fails[1]} blended")


def through_formats(motions: list[Motion], good: np.ndarray, policy: Policy) -> int:
    """How many verdicts change on the way through a file; a line for each format."""
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in writable_formats():
            ending = (*get_format(name).extensions, "")[0]
            worst, read = 0.0, []
            for i, motion in enumerate(motions):
                path = Path(folder) / f"{name}-{i}{ending}"
                written = save_compared(motion, path, format=name, labels={})
                worst = max(worst, written.worst)
                read.append(load_motion(path, format=name))
            other = int((success(read, policy) != good).sum())
            changed += other
            print(
                f"{name:16} {written.fps:4g} fps  read back within {worst:.1e}  "
                f"verdicts changed: {other} of {len(motions)}"
            )
    return changed


if __name__ == "__main__":
    raise SystemExit(main())
