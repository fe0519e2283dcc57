"""How the verdicts of `texedo check` compare with physics, as tables in Markdown.

    python benchmarks/check_table.py OUT

OUT is what `check_set.py` made and `texedo data label-trials` performed. "Performed" is
the share that the tracker performs to the end on the nominal robot; "confirmed" the share
that it fails on the nominal robot or on one of the perturbed ones.

Requests for candidates are dealt to two halves by the hashes of their words, one to set
limits on and one to report on: the two suites of OUT ask for other kinds of motions.

It must be at least 90 % of what fails on held-out foreign clips that physics confirms, and
97 % of what passes without a warning that is performed.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from check_set import AS_FILED
from texedo.data.corpus.trials import read_rollouts, read_trials, trial_parts
from texedo.data.trials.foreign import FOREIGN_FPS
from texedo.motion import Motion
from texedo.robot.check import VERDICTS, CheckReport, check_motion
from texedo.robot.check_limits import LIMITS

CONFIRMED, PERFORMED = 0.9, 0.97
HELD_OUT = "foreign, held-out"


class Filed(NamedTuple):
    """Frames as a file would have them."""

    fps: float
    root_pos_w: NDArray[np.float32]
    root_quat_w: NDArray[np.float32]
    joint_pos: NDArray[np.float32]


class Row(NamedTuple):
    report: CheckReport
    performed: bool
    confirmed: bool


def frames_of(folder: Path, name: str) -> list[Filed] | None:
    path = folder / AS_FILED / name
    if not path.exists():
        return None
    return [
        Filed(FOREIGN_FPS, q[:, :3], q[:, 3:7], q[:, 7:])
        for q in read_trials(path).poses
    ]


def tuned_requests(folder: Path) -> set[str]:
    """Every second request, in the order of their hashes."""
    trials = (t for path in trial_parts(folder) for t in read_trials(path).trials)
    prompts = sorted(
        {t.prompt for t in trials if t.prompt}, key=lambda p: crc32(p.encode())
    )
    return set(prompts[::2])


def read(folder: Path) -> dict[str, list[Row]]:
    """Every motion with its verdicts, by kind."""
    kinds: defaultdict[str, list[Row]] = defaultdict(list)
    paths = trial_parts(folder)
    tuned = tuned_requests(folder)
    for path, (part, labels) in zip(paths, read_rollouts(folder), strict=True):
        filed = frames_of(folder, path.name)
        for i, (trial, qpos) in enumerate(zip(part.trials, part.poses, strict=True)):
            kind, suite = trial.recipe.split("-")[0], trial.suite
            if trial.prompt:
                suite = "tune" if trial.prompt in tuned else "held-out"
            kind += f", {suite}" if suite else ""
            frames = None if filed is None else filed[i]
            performed = bool(labels.success[i])
            sure = performed and bool(labels.perturbed_success[i].all())
            report = check_motion(Motion.from_qpos(qpos), frames)
            kinds[kind].append(Row(report, performed, not sure))
    return kinds


def share(values: list[bool]) -> str:
    return f"{100 * np.mean(values):.0f} %" if values else "-"


def verdicts(kinds: dict[str, list[Row]]) -> None:
    print(
        "| motions | verdict | number | performed | confirmed |\n|---|---|---|---|---|"
    )
    for kind, rows in kinds.items():
        for verdict in VERDICTS:
            some = [row for row in rows if row.report.verdict == verdict]
            print(
                f"| {kind} | {verdict} | {len(some)} | "
                f"{share([row.performed for row in some])} | "
                f"{share([row.confirmed for row in some])} |"
            )


def checks(kinds: dict[str, list[Row]]) -> None:
    """For each check and level: how many motions reach it, and how many of them fail."""
    print("\n| check | verdict | " + " | ".join(kinds) + " |")
    print("|---|---|" + "---|" * len(kinds))
    for name, limit in LIMITS.items():
        for level in VERDICTS[1:]:
            if not np.isfinite(getattr(limit, level)):
                continue
            cells = []
            for rows in kinds.values():
                some = [r.confirmed for r in rows if r.report[name].verdict == level]
                cells.append(f"{share(some)} of {len(some)}" if some else "")
            print(f"| {name} | {level} | " + " | ".join(cells) + " |")


def main() -> int:
    kinds = read(Path(sys.argv[1]).expanduser())
    verdicts(kinds)
    checks(kinds)
    rows = kinds[HELD_OUT]
    failed = [r.confirmed for r in rows if r.report.verdict == "fail"]
    clean = [r.performed for r in rows if r.report.verdict in ("pass", "offset")]
    print(
        f"\n{HELD_OUT}: of {len(failed)} that fail, physics confirms {share(failed)}; of "
        f"{len(clean)} without a warning, it performs {share(clean)}"
    )
    return int(np.mean(failed) < CONFIRMED or np.mean(clean) < PERFORMED)


if __name__ == "__main__":
    raise SystemExit(main())
