"""How a tracker does on captured test clips, from a table of labels.

Clips of `test` and `test-subject`, copies of recordings left out, each rolled out once on
the nominal robot and five times on perturbed ones. Errors are means over the successes,
as the oracle wants it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from texedo.data.corpus.build import REJECTED_FILE
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    Label,
    clip_hash,
    label_quality,
)
from texedo.data.corpus.store import Clip, Corpus
from texedo.motion.rotations import quat_yaw
from texedo.quality import ORACLE_VERSION, Normalizers, wilson_interval
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import find_perturbation

SPLITS = ("test", "test-subject")
GROUPS: dict[str, tuple[str, ...]] = {
    "walking": ("walk", "walk_back", "sidestep", "march", "sneak", "limp"),
    "turning": ("turn",),
    "gestures": ("gesture", "wave"),
}
"""Families by what people ask for most."""
TURN = 90.0
"""Change of heading from which a clip of any family counts as one with a turn [deg]."""

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A test clip and what came of it."""

    clip: Clip
    turn: float
    """Largest change of heading within the clip [deg]."""
    nominal: Label | None
    """None: it could not be rolled out."""
    q_star: float
    """NaN without normalisers."""
    perturbed: tuple[Label, ...]

    @property
    def success(self) -> bool:
        return self.nominal is not None and self.nominal.success


def tracker_report(
    corpus: Corpus, labels: Sequence[Label], policy: Policy, *, folder: Path
) -> Record:
    """Every figure of a tracker on the splits; `folder` is where the corpus lies."""
    normalizers = policy.normalizers
    return {
        "tracker": policy.name,
        "tracker_hash": policy.digest,
        "oracle_version": ORACLE_VERSION,
        "corpus": folder.name,
        "normalizers": normalizers
        and {"e_acc": normalizers.e_acc, "e_vel": normalizers.e_vel},
        "splits": {
            split: split_report(cases(corpus, split, labels, policy))
            for split in SPLITS
        },
        "rejected": rejections(folder, corpus),
    }


def cases(
    corpus: Corpus, split: str, labels: Sequence[Label], policy: Policy
) -> list[Case]:
    """The test clips of a split with their labels."""
    nominal: dict[str, Label] = {}
    perturbed: dict[str, list[Label]] = defaultdict(list)
    for row in labels:
        if (row.tracker_hash, row.oracle_version) != (policy.digest, ORACLE_VERSION):
            continue
        if row.perturbation == NO_PERTURBATION:
            nominal[row.clip] = row
        elif row.seed == 0:
            perturbed[row.clip].append(row)
    found = []
    for i in corpus.select(split=split, kind="captured", copies=False):
        motion = corpus.motion(i)
        clip = clip_hash(motion)
        yaw = np.unwrap(quat_yaw(motion.root_quat_w.astype(np.float64)))
        found.append(
            Case(
                clip=corpus.clips[i],
                turn=float(np.degrees(np.ptp(yaw))),
                nominal=nominal.get(clip),
                q_star=_q_star(nominal.get(clip), policy.normalizers),
                perturbed=tuple(perturbed[clip]),
            )
        )
    return found


def _q_star(row: Label | None, normalizers: Normalizers | None) -> float:
    if row is None or normalizers is None:
        return float("nan")
    return float(label_quality([row], normalizers).q_star[0])


def figures(rows: Sequence[Case]) -> Record:
    """Numbers of some clips; errors over the successes, as the oracle wants it."""
    done = [case for case in rows if case.nominal is not None]
    good = [case for case in done if case.success]
    low, high = wilson_interval(len(good), len(done))
    draws = [row for case in done for row in case.perturbed]
    return {
        "clips": len(rows),
        "rolled_out": len(done),
        "successes": len(good),
        "success": len(good) / len(done) if done else None,
        "success_low": float(low),
        "success_high": float(high),
        "progress": _mean(done, lambda row: row.progress),
        "e_mpjpe_mm": _mean(good, lambda row: row.mpjpe),
        "e_vel_mm": _mean(good, lambda row: row.e_vel),
        "e_acc_mm": _mean(good, lambda row: row.e_acc),
        "q_star_successes": _average(case.q_star for case in good),
        "q_star_all": _average(case.q_star for case in done),
        "drift_m": _mean(good, lambda row: row.planar_drift),
        "saturation": _mean(good, lambda row: row.saturation),
        "foot_slip_m_s": _mean(good, lambda row: row.foot_slip),
        "perturbed_roll_outs": len(draws),
        "perturbed_success": _average(float(row.success) for row in draws),
        "perturbed_all_five": _average(
            float(all(row.success for row in case.perturbed))
            for case in done
            if len(case.perturbed) == find_perturbation("default").draws
        ),
    }


def _mean(rows: Iterable[Case], get: Callable[[Label], float | None]) -> float | None:
    values = [get(case.nominal) for case in rows if case.nominal is not None]
    return _average(value for value in values if value is not None)


def _average(values: Iterable[float]) -> float | None:
    known = [value for value in values if np.isfinite(value)]
    return float(np.mean(known)) if known else None


def split_report(rows: Sequence[Case]) -> Record:
    families: dict[str, list[Case]] = defaultdict(list)
    for case in rows:
        families[case.clip.family].append(case)
    by_family = {name: figures(part) for name, part in sorted(families.items())}
    groups = {
        name: figures([case for case in rows if case.clip.family in members])
        for name, members in GROUPS.items()
    }
    groups["with a turn"] = figures([case for case in rows if case.turn >= TURN])
    rates = [part["success"] for part in by_family.values()]
    return {
        "all": figures(rows),
        "macro_success": _average(rate for rate in rates if rate is not None),
        "groups": groups,
        "families": by_family,
        "not_rolled_out": [case.clip.id for case in rows if case.nominal is None],
        "failures": [
            _failure(case) for case in rows if case.nominal and not case.success
        ],
    }


def _failure(case: Case) -> Record:
    assert case.nominal is not None
    return {
        "clip": case.clip.id,
        "family": case.clip.family,
        "description": case.clip.description,
        "reason": case.nominal.reason,
        "frame": case.nominal.frame,
        "frames": case.nominal.num_frames,
    }


def rejections(corpus: Path, clips: Corpus) -> Record:
    """Windows that the corpus refused, by reason: none of them is in any figure."""
    path = corpus / REJECTED_FILE
    # A corpus that was imported rejected nothing itself.
    text = path.read_text() if path.exists() else ""
    rows = [json.loads(line) for line in text.splitlines()]
    held_out = {c.subject for c in clips if c.split == "test-subject"}

    def count(chosen: Iterable[Record]) -> dict[str, int]:
        reasons = Counter(reason for row in chosen for reason in row["reasons"])
        return dict(reasons.most_common())

    dropped = [row for row in rows if not row["kept"]]
    return {
        "dropped": len(dropped),
        "dropped_by_reason": count(dropped),
        "shortened": len(rows) - len(dropped),
        "shortened_by_reason": count(row for row in rows if row["kept"]),
        "dropped_of_test_subjects": count(
            row for row in dropped if row["trial"].split("_")[0] in held_out
        ),
    }
