"""How fast the GPU steps the robot: control steps per second, physics alone.

    python benchmarks/warp_sim.py [worlds ...]

Robots stand with noisy targets, both soles on the floor: the dear case for the solver.
Prints one line of JSON per contact set and number of worlds.
"""

from __future__ import annotations

import json
import sys
import time

import torch

from texedo.robot.g1 import KNEES_BENT
from texedo.tracker.sim.contacts import CONTACT_SETS
from texedo.tracker.sim.warp import WarpSim

_STEPS = 50


def measure(worlds: int, contacts: str, device: str) -> dict[str, object]:
    started = time.monotonic()
    sim = WarpSim(worlds, device=device, contacts=contacts, randomized=True)
    built = time.monotonic() - started
    pose = torch.tensor(KNEES_BENT, dtype=torch.float32, device=device)
    qpos = torch.zeros(worlds, 36, device=device)
    qpos[:, 2], qpos[:, 3], qpos[:, 7:] = 0.757, 1.0, pose
    everyone = torch.ones(worlds, dtype=torch.bool, device=device)
    sim.place(everyone, qpos, torch.zeros(worlds, 35, device=device))
    for step in range(_STEPS + 10):
        if step == 10:
            _wait(device)
            started = time.monotonic()
        sim.stage.copy_(pose + 0.1 * torch.randn(worlds, 29, device=device))
        sim.step()
    _wait(device)
    seconds = time.monotonic() - started
    return {
        "contacts": contacts,
        "worlds": worlds,
        "build_s": round(built, 1),
        "ms_per_step": round(1000 * seconds / _STEPS, 2),
        "steps_per_s": round(worlds * _STEPS / seconds),
        "rows": int(sim.constraint_rows.max()),
        "overflow": int(sim.overflow.max()),
    }


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def main() -> None:
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    for worlds in [int(n) for n in sys.argv[1:]] or [8192]:
        for contacts in CONTACT_SETS:
            print(json.dumps(measure(worlds, contacts, device)), flush=True)


if __name__ == "__main__":
    main()
