"""How fast a cost grows with the size: the slope of log cost against log size.

1 is in proportion, 2 is four times the cost for twice the size. What does not depend on
the size at all makes small sizes dear, and the slope over all of them low; the slope
between the two largest sizes says where it is going.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from texedo.evaluation.suites.figures import Figure

_TAIL = 0.975


def growth(sizes: Sequence[float], costs: Sequence[float]) -> Figure:
    """The exponent by least squares, with Student's 95 % interval for three sizes or more.

    Sizes whose cost is 0 or unknown are left out.
    """
    x, y = _logs(sizes, costs)
    if len(x) < 2:
        return Figure(value=None, n=len(x), digits=2)
    away = x - x.mean()
    slope = float(away @ y / (away @ away))
    if len(x) < 3:
        return Figure(value=slope, n=len(x), digits=2)
    # Here and not above: loading it takes longer than most commands that never fit.
    from scipy.special import stdtrit

    free = len(x) - 2
    rest = y - y.mean() - slope * away
    error = math.sqrt(float(rest @ rest) / free / float(away @ away))
    half = float(stdtrit(free, _TAIL)) * error
    return Figure(
        value=slope, interval=(slope - half, slope + half), n=len(x), digits=2
    )


def last_growth(sizes: Sequence[float], costs: Sequence[float]) -> Figure:
    """The exponent between the two largest sizes."""
    x, y = _logs(sizes, costs)
    order = np.argsort(x)[-2:]
    return growth(np.exp(x[order]).tolist(), np.exp(y[order]).tolist())


def _logs(
    sizes: Sequence[float], costs: Sequence[float]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    x, y = np.asarray(sizes, dtype=np.float64), np.asarray(costs, dtype=np.float64)
    known = (y > 0) & np.isfinite(y)
    return np.log(x[known]), np.log(y[known])
