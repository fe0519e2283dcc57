"""How fast motions are tried on many robots, and how full the worlds are.

    texedo data trials CORPUS -o trials
    python benchmarks/label_trials.py trials --device cuda --worlds 8192 16384

Labels are made as `texedo data label-trials` makes them, and thrown away. A line of JSON
for each number of worlds: control steps per second that counted, without and with the
time to make the worlds (on a GPU the first ones are compiled), the share of the worlds'
steps that counted, roll-outs per second, and the success on nominal and perturbed robots.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from texedo.data.corpus.trials import trial_parts
from texedo.tracker.oracle.label_parts import LabelOptions, Tempo, label_parts
from texedo.tracker.policies.find import OURS, find_policy


def measure(
    parts: list[Path], tracker: str, options: LabelOptions, *, seconds: float
) -> dict[str, Any]:
    tempo = Tempo()

    def keep(latest: Tempo) -> None:
        nonlocal tempo
        tempo = latest

    started = time.monotonic()
    stream = label_parts(
        parts, find_policy(tracker), options, report=keep, seconds=seconds
    )
    found = [labels for _, labels in stream]
    wall = time.monotonic() - started
    if not found:
        raise SystemExit("No part was done in that time; allow more.")
    valid = np.concatenate([labels.valid for labels in found])
    success = np.concatenate([labels.success for labels in found])[valid]
    robust = np.concatenate([labels.perturbed_success for labels in found])[valid]
    roll_outs = int(valid.sum()) * (1 + options.draws)
    return {
        "device": options.device,
        "worlds": options.worlds,
        "motions": len(valid),
        "tried": int(valid.sum()),
        "roll_outs": roll_outs,
        "control_steps": tempo.frames,
        "seconds": round(tempo.seconds, 2),
        "seconds_with_set_up": round(wall, 2),
        "control_steps_per_s": round(tempo.rate),
        "control_steps_per_s_with_set_up": round(tempo.frames / wall),
        "busy": round(tempo.busy, 4),
        "roll_outs_per_s": round(roll_outs / tempo.seconds, 1),
        "success": round(float(success.mean()), 4),
        "perturbed_success": round(float(robust.mean()), 4) if robust.size else None,
    }


def main(
    folder: tyro.conf.Positional[Path],
    *,
    tracker: str = OURS,
    device: str = "cpu",
    worlds: Annotated[tuple[int, ...], tyro.conf.arg(metavar="N...")] = (8192,),
    draws: int = 5,
    limit_parts: int = 4,
    seconds: float = 300.0,
) -> None:
    """Try the first parts of a folder of `texedo data trials`."""
    parts = trial_parts(folder)[:limit_parts]
    for size in worlds:
        options = LabelOptions(draws=draws, device=device, worlds=size)
        print(json.dumps(measure(parts, tracker, options, seconds=seconds)), flush=True)


if __name__ == "__main__":
    tyro.cli(main)
