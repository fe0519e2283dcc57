"""`texedo evaluate rate-distortion`: codes of several sizes, and what each loses."""

from __future__ import annotations

from texedo.apps.train.before import need_packages
from texedo.evaluation.rate_distortion import RateDistortionCfg, markdown, measure

Cfg = RateDistortionCfg


def run(cfg: RateDistortionCfg) -> int:
    need_packages("torch", "safetensors")
    print(markdown(measure(cfg)))
    return 0
