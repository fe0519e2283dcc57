"""`texedo train tracker`: reinforcement learning of the controller."""

from __future__ import annotations

import importlib.util

from texedo.core.errors import TexedoError
from texedo.learning.command import INTERRUPTED, run_job
from texedo.tracker.learn.cfg import TrainCfg

Cfg = TrainCfg


def run(cfg: TrainCfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    if importlib.util.find_spec("torch") is None:
        raise TexedoError(
            "Training needs torch; install it with: pip install 'texedo[learn]', or "
            "'texedo[gpu]' where there is a GPU."
        )
    from texedo.tracker.learn.train import train

    return run_job(lambda: train(cfg), interrupted=INTERRUPTED)
