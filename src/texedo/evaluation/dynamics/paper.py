"""The paper's own figures, on its own motions and its own tracker."""

from __future__ import annotations

from typing import Any

PAPER = "paper, its own data"
HEADS: dict[str, Any] = {
    "AUROC": 0.979,
    "AUPRC of successes": 0.997,
    "recall on failures": 0.930,
}
"""The paper does not say of which class its AUPRC is, nor how many fail; 0.997 fits
successes, the larger class there."""
OTHERS: dict[str, Any] = {
    "q_d and E_acc": -0.936,
    "q_d and E_vel": -0.932,
    "q_g and progress": 0.238,
    "q_g on failures": 0.925,
}
TAU: dict[str, Any] = {
    "n all": 9116,
    "all": 0.656,
    "n mixed": 6759,
    "mixed": 0.674,
    "n all fail": 46,
    "all fail": 0.357,
    "n all succeed": 2311,
    "all succeed": 0.608,
}
REWARDS: dict[str, tuple[float, float, float]] = {
    "(a) p_s": (0.984, 0.922, 0.395),
    "(b) q_d": (0.953, 0.916, 0.416),
    "(c) q_g": (0.982, 0.921, 0.427),
    "(d) p_s q_d": (0.981, 0.931, 0.411),
    "(e) p_s q_g": (0.984, 0.922, 0.395),
    "(f) R_dyn": (0.983, 0.931, 0.425),
}
"""Success, mean Q*, and mean progress where all fail, from N = 8."""
