"""How a policy does on held-out clips: by clip, by family of action, over all."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from texedo.data.corpus.label_table import clip_hash
from texedo.data.corpus.packed_clips import PackedClips
from texedo.quality import TERMINATIONS, wilson_interval
from texedo.tracker.oracle.batch import Outcomes, PolicyFunction, roll_out
from texedo.tracker.oracle.drawn import DrawnRobots, draw_robots
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.perturb import PERTURBATIONS, robot_keys

Table = list[dict[str, Any]]
"""One row per rolled-out clip."""


class Evaluator:
    """Rolls held-out clips out on a GPU and tabulates what came of it."""

    def __init__(
        self, loop: ClosedLoop, clips: PackedClips, *, max_steps: int | None = None
    ) -> None:
        self._loop, self._clips, self._max_steps = loop, clips, max_steps

    def evaluate(
        self, policy: PolicyFunction, count: int = 0, *, perturbed: bool = False
    ) -> Table:
        """A row per clip; `count` takes that many, spread evenly over the families."""
        chosen = self._choose(count)
        outcomes = roll_out(
            self._loop,
            policy,
            torch.tensor(chosen),
            robots=self._robots(chosen) if perturbed else None,
            max_steps=self._max_steps,
        )
        return self._rows(chosen, outcomes)

    def _robots(self, chosen: Sequence[int]) -> DrawnRobots:
        """The first of the oracle's perturbations of each clip."""
        hashes = [clip_hash(self._clips.motion(clip)) for clip in chosen]
        return draw_robots(
            PERTURBATIONS["default"],
            robot_keys(hashes, draws=1, seed=0)[:, 0],
            np.asarray(self._clips.lengths, dtype=np.int64)[list(chosen)],
            device=self._loop.sim.device,
        )

    def report(self, policy: PolicyFunction, *, seconds: float) -> dict[str, Any]:
        """All clips, plain and, if the time allows, perturbed."""
        started = time.monotonic()
        table = self.evaluate(policy)
        took = time.monotonic() - started
        result: dict[str, Any] = {
            "summary": summary(table),
            "families": by_family(table),
            "clips": table,
        }
        if seconds > 2.5 * took + 5.0:
            perturbed = self.evaluate(policy, perturbed=True)
            result["summary"]["perturbed_success"] = _mean(perturbed, "success")
            result["perturbed_families"] = by_family(perturbed)
        return result

    def _choose(self, count: int) -> list[int]:
        clips = self._clips
        order = sorted(range(len(clips)), key=lambda c: (clips.families[c], c))
        if count and count < len(order):
            picks = np.linspace(0, len(order) - 1, count).round().astype(int)
            order = [order[i] for i in picks]
        return order

    def _rows(self, chosen: Sequence[int], outcomes: Outcomes) -> Table:
        numbers = ("progress", "e_mpjpe", "e_vel", "e_acc", "drift")
        columns = {name: getattr(outcomes, name).tolist() for name in numbers}
        success, executed = outcomes.success.tolist(), outcomes.executed.tolist()
        rows: Table = []
        for i, clip in enumerate(chosen):
            fired = outcomes.reasons[i].tolist()
            row: dict[str, Any] = {
                "id": self._clips.ids[clip],
                "family": self._clips.families[clip],
                "success": success[i],
                "frames": int(self._clips.lengths[clip]),
                "executed": executed[i],
                "reasons": [n for n, f in zip(TERMINATIONS, fired, strict=True) if f],
            }
            for name in numbers:
                value = columns[name][i]
                row[name] = round(value, 4) if math.isfinite(value) else None
            rows.append(row)
        return rows


def summary(table: Table) -> dict[str, Any]:
    """Success with its interval, progress, and errors over the successes."""
    kept = [row for row in table if row["success"]]
    interval = wilson_interval(len(kept), len(table))
    families = by_family(table).values()
    return {
        "clips": len(table),
        "success": _mean(table, "success"),
        "success_low": float(interval.low),
        "success_high": float(interval.high),
        "macro_success": sum(f["success"] for f in families) / max(len(families), 1),
        "progress": _mean(table, "progress"),
        "e_mpjpe": _mean(kept, "e_mpjpe"),
        "e_vel": _mean(kept, "e_vel"),
        "e_acc": _mean(kept, "e_acc"),
        "drift": _mean(kept, "drift"),
    }


def by_family(table: Table) -> dict[str, dict[str, Any]]:
    """Number of clips, success and error of each family of actions."""
    groups: dict[str, Table] = defaultdict(list)
    for row in table:
        groups[row["family"]].append(row)
    return {
        name: {
            "clips": len(rows),
            "success": _mean(rows, "success"),
            "e_mpjpe": _mean([r for r in rows if r["success"]], "e_mpjpe"),
        }
        for name, rows in sorted(groups.items())
    }


def _mean(rows: Table, key: str) -> float | None:
    values = [float(row[key]) for row in rows if row[key] is not None]
    return sum(values) / len(values) if values else None
