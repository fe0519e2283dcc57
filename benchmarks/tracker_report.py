"""How a tracker does on the captured test clips: the reference figures, on the CPU.

    python benchmarks/tracker_report.py CORPUS --tracker FOLDER --labels labels.jsonl \\
        --out report.md

Rolls out `test` and `test-subject` (captured clips, copies of recordings left out) once
on the nominal robot and five times on perturbed ones, through `texedo label`: what the
table holds already is not done again, and Ctrl-C loses nothing. Writes markdown, and the
same as JSON beside it. `--no-perturb` leaves the perturbed robots out; `--only-report`
rolls nothing out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from texedo.apps.tracker import label as label_app
from texedo.data.corpus.build import REJECTED_FILE
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    Label,
    clip_hash,
    label_quality,
    read_labels,
)
from texedo.data.corpus.store import Clip, Corpus
from texedo.motion.rotations import quat_yaw
from texedo.quality import ORACLE_VERSION, Normalizers, wilson_interval
from texedo.tracker.policies.find import find_policy
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


def roll_out(
    corpus: Path, tracker: str, labels: Path, args: argparse.Namespace
) -> None:
    for perturb in (False, True)[: 1 if args.no_perturb else 2]:
        for split in SPLITS:
            label_app.run(
                label_app.Cfg(
                    source=corpus,
                    out=labels,
                    tracker=tracker,
                    split=split,
                    kind="captured",
                    perturb=perturb,
                    device=args.device,
                    workers=args.workers,
                )
            )


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
    rows = [json.loads(line) for line in path.read_text().splitlines()]
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


_COLUMNS = (
    ("clips", "rolled_out", "{:d}"),
    ("success", "success", "{:.3f}"),
    ("E_mpjpe-l", "e_mpjpe_mm", "{:.1f}"),
    ("E_vel", "e_vel_mm", "{:.2f}"),
    ("E_acc", "e_acc_mm", "{:.2f}"),
    ("Q*", "q_star_successes", "{:.3f}"),
    ("drift", "drift_m", "{:.2f}"),
    ("saturated", "saturation", "{:.2%}"),
    ("slip", "foot_slip_m_s", "{:.3f}"),
    ("perturbed", "perturbed_success", "{:.3f}"),
)


def markdown(report: Record) -> str:
    lines = [
        f"# Tracker `{report['tracker']}` on captured test clips",
        "",
        f"Hash `{report['tracker_hash'][:16]}`, oracle version "
        f"{report['oracle_version']}, corpus `{report['corpus']}`. Success with its "
        "Wilson 95 % interval. Errors (mm, mm/frame, mm/frame^2), Q*, drift (m), "
        "saturated motors and slip (m/s) are means over the successes; `perturbed` is "
        "the share of perturbed roll-outs (five robots a clip) that succeed.",
    ]
    if report["normalizers"] is None:
        lines += ["", "Q* is unknown: the tracker has no normalisers yet."]
    for split, part in report["splits"].items():
        lines += ["", f"## {split}", "", *_headline(part), ""]
        defined = [f"{name} = {' + '.join(m)}" for name, m in GROUPS.items()]
        lines += _table({"all": part["all"], **part["groups"]}, "group")
        lines += [
            "",
            f"Groups: {'; '.join(defined)}; with a turn = heading changes by ",
        ]
        lines[-1] += f"{TURN:g} degrees or more, any family. The rest is in no group."
        lines += ["", *_table(part["families"], "family")]
        lines += ["", f"### Failures ({len(part['failures'])})", "", *_failures(part)]
    return "\n".join([*lines, "", *_rejected(report["rejected"]), ""])


def _headline(part: Record) -> list[str]:
    everything = part["all"]
    if not everything["rolled_out"]:
        return ["Nothing was rolled out."]
    text = (
        f"{everything['successes']} of {everything['rolled_out']} clips succeed: "
        f"{everything['success']:.3f} [{everything['success_low']:.3f}, "
        f"{everything['success_high']:.3f}]; mean over {len(part['families'])} families "
        f"{part['macro_success']:.3f}; progress {everything['progress']:.3f}."
    )
    if everything["perturbed_roll_outs"]:
        text += (
            f" Perturbed: {everything['perturbed_success']:.3f} of "
            f"{everything['perturbed_roll_outs']} roll-outs; all five robots succeed on "
            f"{everything['perturbed_all_five']:.3f} of the clips."
        )
    lost = part["not_rolled_out"]
    if lost:
        text += f" {len(lost)} clips could not be rolled out: {', '.join(lost)}."
    return [text]


def _table(rows: dict[str, Record], first: str) -> list[str]:
    names = [first, *(name for name, _, _ in _COLUMNS)]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    for name, row in rows.items():
        cells = [name]
        for _, key, form in _COLUMNS:
            cells.append("-" if row[key] is None else form.format(row[key]))
        if row["success"] is not None:
            cells[2] += f" [{row['success_low']:.2f}, {row['success_high']:.2f}]"
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _failures(part: Record) -> list[str]:
    lines = [
        "| clip | family | description | reason | frame |",
        "|---|---|---|---|---|",
    ]
    for row in part["failures"]:
        text = row["description"].replace("|", "/")
        lines.append(
            f"| {row['clip']} | {row['family']} | {text} | {row['reason']} | "
            f"{row['frame']} of {row['frames']} |"
        )
    return lines


def _rejected(rejected: Record) -> list[str]:
    def words(counts: dict[str, int]) -> str:
        return ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"

    return [
        "## Not in the corpus",
        "",
        f"{rejected['dropped']} windows of recordings were dropped when the corpus was "
        f"made ({words(rejected['dropped_by_reason'])}), and {rejected['shortened']} "
        f"shortened ({words(rejected['shortened_by_reason'])}). A window may have "
        "several reasons. Of the subjects of test-subject, dropped: "
        f"{words(rejected['dropped_of_test_subjects'])}.",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--tracker", required=True)
    parser.add_argument("--labels", type=Path, required=True, help="rows are appended")
    parser.add_argument("--out", type=Path, default=Path("tracker_report.md"))
    parser.add_argument("--no-perturb", action="store_true")
    parser.add_argument("--only-report", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int)
    args = parser.parse_args()
    policy = find_policy(args.tracker)
    if not args.only_report:
        roll_out(args.corpus, args.tracker, args.labels, args)
    corpus, labels = Corpus.load(args.corpus), read_labels(args.labels)
    normalizers = policy.normalizers
    report: Record = {
        "tracker": policy.name,
        "tracker_hash": policy.digest,
        "oracle_version": ORACLE_VERSION,
        "corpus": args.corpus.name,
        "normalizers": normalizers
        and {"e_acc": normalizers.e_acc, "e_vel": normalizers.e_vel},
        "splits": {
            split: split_report(cases(corpus, split, labels, policy))
            for split in SPLITS
        },
        "rejected": rejections(args.corpus, corpus),
    }
    args.out.write_text(markdown(report), encoding="utf-8")
    text = json.dumps(report, indent=1, ensure_ascii=False)
    args.out.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    print(f"{args.out} and {args.out.with_suffix('.json')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
