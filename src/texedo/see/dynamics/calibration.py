"""Lines that make a network's numbers those of probabilities, fitted on held-out motions.

The paper's network gives a logit, ours a total hazard H: success is exp(-H), so the
logarithm of H is to failure what a logit is, on the complementary log-log scale.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Link = Literal["logit", "log-hazard"]
_ROUNDS = 60
_RIDGE = 1e-3
"""Pull towards the line that changes nothing, in motions: few of them fit no line."""
_STEEPEST = (0.05, 20.0)
_CERTAIN = 1e-9
"""As near to 0 and 1 as a logit can be told."""


class Line(NamedTuple):
    """`slope` times a number, plus `offset`."""

    slope: float = 1.0
    offset: float = 0.0


def decided(success: Float64, line: Line) -> Float64:
    """Probabilities (N,) with the line laid through their logits, as R_dyn takes them.

    A slope above 1 decides where a probability hedges: what is rather sure to succeed is
    then ranked by how well, what is rather sure to fail by how far it comes.
    """
    if line == Line():
        return success
    p = np.clip(success, _CERTAIN, 1 - _CERTAIN)
    logit = line.slope * (np.log(p) - np.log1p(-p)) + line.offset
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -60.0, 60.0))))


def fit_line(
    x: Float64, share: Float64, *, link: Link, weight: Float64 | None = None
) -> Line:
    """The likeliest line: `share` (N,) of the trials of each motion came about.

    For "logit" they are successes, for "log-hazard" failures. Fisher scoring with two
    unknowns; `weight` (N,) says how much a motion counts.
    """
    weight = np.ones_like(x) if weight is None else weight
    design = np.stack((x, np.ones_like(x)), axis=1)
    line, start = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    ridge = _RIDGE * np.eye(2)
    for _ in range(_ROUNDS):
        p, rise = _mean(design @ line, link)
        gain = weight * rise / np.maximum(p * (1 - p), 1e-9)
        slope = design.T @ (gain * (share - p)) - ridge @ (line - start)
        bend = (design * (gain * rise)[:, None]).T @ design + ridge
        step = np.linalg.solve(bend, slope)
        line = line + step / max(1.0, float(np.abs(step).max()))
        line[0] = np.clip(line[0], *_STEEPEST)
    return Line(float(line[0]), float(line[1]))


def _mean(eta: Float64, link: Link) -> tuple[Float64, Float64]:
    """Probability and its derivative."""
    eta = np.clip(eta, -30.0, 30.0 if link == "logit" else 3.0)
    if link == "logit":
        p = 1 / (1 + np.exp(-eta))
        return p, p * (1 - p)
    total = np.exp(eta)
    return -np.expm1(-total), total * np.exp(-total)
