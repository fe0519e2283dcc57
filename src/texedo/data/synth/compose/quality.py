"""The quality of made motions, measured like that of captured ones."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.cutting import Window
from texedo.data.corpus.screening import ScreenCfg, quality_record, unfit_frames
from texedo.data.retarget.quality import FrameQuality, measure_frames
from texedo.data.retarget.solver import Targets
from texedo.motion import Motion

MIN_FRAMES, MAX_FRAMES = 100, 500
"""A clip lasts 2 to 10 seconds."""


def measure_made(
    motion: Motion, foot_error: NDArray[Any] | float = 0.0
) -> FrameQuality:
    """Per-frame quality; how far the feet are off, (T, 2) [m], is known to the maker."""
    frames = len(motion)
    # Of the targets only the feet are looked at, and their errors are replaced.
    unused = {field.name: np.zeros((frames, 1)) for field in fields(Targets)}
    nowhere = Targets(**(unused | {"foot_pos": np.zeros((frames, 2, 3))}))
    error = np.broadcast_to(foot_error, (frames, 2)).astype(np.float32)
    return replace(measure_frames(motion, nowhere), foot_error=error)


def judge(
    motion: Motion,
    quality: FrameQuality,
    cfg: ScreenCfg | None = None,
    *,
    longest: int = MAX_FRAMES,
) -> dict[str, float] | None:
    """The quality record of a whole motion; None if any rule of the screening hits."""
    cfg = cfg or ScreenCfg()
    if not MIN_FRAMES <= len(motion) <= longest:
        return None
    qpos = motion.to_qpos()
    if any(mask.any() for mask in unfit_frames(qpos, quality, cfg).values()):
        return None
    if quality.foot_error.mean(axis=0).max() > cfg.max_foot_error:
        return None
    return quality_record(qpos, quality, Window(0, len(motion), "trial"), cfg=cfg)
