"""How often the true one of two pairs has the higher R_text: pure functions of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.quality import wilson_interval

Float64 = NDArray[np.float64]


def wins(true: Float64, false: Float64) -> Float64:
    """1 where the true pair scores higher, a half where both score the same, (P,)."""
    return np.where(true == false, 0.5, true > false).astype(np.float64)


def accuracy_row(true: Float64, false: Float64) -> dict[str, Any]:
    """Share of wins with its Wilson 95 % interval, ties, and the mean difference."""
    won, count = float(wins(true, false).sum()), len(true)
    low, high = wilson_interval(won, count)
    return {
        "n": count,
        "accuracy": won / count if count else None,
        "accuracy 95%": [float(low), float(high)],
        "ties": int((true == false).sum()),
        "margin": float((true - false).mean()) if count else None,
    }


def accuracy_table(
    pairs: Mapping[str, tuple[Float64, Float64]],
) -> dict[str, dict[str, Any]]:
    """A row for each kind of change that there is, and one for all of them."""
    rows = {kind: accuracy_row(*own) for kind, own in pairs.items() if len(own[0])}
    if rows:
        both = [
            np.concatenate([own[side] for own in pairs.values()]) for side in (0, 1)
        ]
        rows["all"] = accuracy_row(*both)
    return rows
