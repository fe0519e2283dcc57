"""`texedo train tracker`: reinforcement learning of the controller."""

from __future__ import annotations

import importlib.util

from texedo.errors import TexedoError
from texedo.tracker.train_cfg import TrainCfg

Cfg = TrainCfg


def run(cfg: TrainCfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    for package in ("torch", "mujoco_warp"):
        if importlib.util.find_spec(package) is None:
            raise TexedoError(
                f"Training needs {package}; install it with: pip install 'texedo[gpu]'."
            )
    from texedo.tracker.train import train

    train(cfg)
    return 0
