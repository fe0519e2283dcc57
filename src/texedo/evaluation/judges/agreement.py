"""Do the kinematic judge and the rules of `understanding` agree where both speak?

They read with different lists of words and share the body's curves. Candidates that a
generator drew for the prompts of the suite are looked at by both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from texedo.core.errors import FileFormatError
from texedo.evaluation.dynamics.heads import auroc
from texedo.evaluation.judges.cells import cells
from texedo.evaluation.judges.kinematic import KinematicJudge
from texedo.evaluation.judges.kinematic.scene import Scene
from texedo.evaluation.resample import share_interval, with_interval
from texedo.evaluation.samples import read_samples
from texedo.evaluation.tables import Record
from texedo.evaluation.understanding.suite import Prompt
from texedo.evaluation.understanding.verdict import Verdict
from texedo.evaluation.understanding.verdict import judge as rule_verdict
from texedo.motion import Motion

GOOD = 7
"""A judge's score from here on says that the prompt is done."""


def agreement_report(
    judge: KinematicJudge, prompts: Sequence[Prompt], folder: Path
) -> Record:
    """One row: prompts, candidates, and how often the two say the same."""
    ruled = [prompt for prompt in prompts if prompt.rule is not None]
    covered = np.array([judge.covers(p.text) for p in ruled], dtype=np.float64)
    scores, good, verdicts, group = [], [], [], []
    for number, prompt in enumerate(ruled):
        if prompt.rule is None or not covered[number]:
            continue
        for motion in kept_candidates(folder, prompt.text):
            scene = Scene(motion)
            found = judge.judge_scene(prompt.text, scene)
            if found.score is not None:
                scores.append(found.fine)
                good.append(found.score >= GOOD)
                verdicts.append(rule_verdict(prompt.rule, scene.body))
                group.append(number)
    values, rules = np.array(scores), np.array(verdicts)
    of = np.array(group, dtype=np.int64)
    same = (np.array(good) == (rules == Verdict.RIGHT)).astype(np.float64)
    clear = rules != Verdict.PARTLY
    row: Record = {"prompts": len(ruled), "candidates": len(values)}
    row |= cells("prompts covered", share_interval(covered))
    row |= cells(
        "AUC, right against wrong",
        with_interval(auroc(values[clear], rules[clear] == Verdict.RIGHT), of[clear]),
    )
    row |= cells(
        "AUC, right against the rest",
        with_interval(auroc(values, rules == Verdict.RIGHT), of),
    )
    row |= cells(
        f"same verdict, {GOOD} or more is right",
        with_interval(lambda w: float((w * same).sum() / w.sum()), of),
    )
    return row


def kept_candidates(folder: Path, prompt: str) -> list[Motion]:
    """Those that `texedo evaluate understanding` kept in its folder."""
    name = f"{hashlib.sha256(prompt.encode()).hexdigest()[:24]}.npz"
    for path in sorted(folder.rglob(name)):
        return read_samples(path)
    raise FileFormatError(
        f"{folder}: holds no candidates for {prompt!r}; give the output folder of "
        "`texedo evaluate understanding`."
    )
