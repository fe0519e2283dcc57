"""Stretches of frames in which something holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def true_runs(mask: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Start and stop (exclusive) of every stretch of True, (K, 2), in order."""
    padded = np.concatenate(([False], np.asarray(mask, dtype=bool), [False]))
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)
