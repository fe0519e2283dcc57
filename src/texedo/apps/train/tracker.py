"""`texedo train tracker`: reinforcement learning of the controller."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from texedo.apps.train.before import OutFolder, check_numbers, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.tracker.learn.cfg import TrackerTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(TrackerTrainCfg):
    __doc__ = TrackerTrainCfg.__doc__

    out: OutFolder = "tracker-run"
    """Folder for the policy, the state and the log."""
    mirror: Annotated[
        bool,
        arg(
            help="Do not train on mirrored clips.",
            help_behavior_hint="(default: they are included)",
        ),
    ] = True


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors")
    check_numbers("--hidden", cfg.hidden)
    from texedo.tracker.learn.train import train

    train(plain(cfg, TrackerTrainCfg))
    say_next("rollout", "MOTION", "--tracker", Path(cfg.out) / "tracker")
    return 0
