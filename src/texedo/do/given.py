"""What a choice is made from: scores, a threshold and what it is of, who is preferred."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Above(NamedTuple):
    """A threshold of the chance to get to the end, and not of R_dyn."""

    threshold: float
    chance: ArrayLike
    """Of the candidates, (N,)."""

    @classmethod
    def of(cls, threshold: float, chance: ArrayLike | None) -> Above | float:
        """Of R_dyn if there is no chance."""
        return threshold if chance is None else cls(threshold, chance)


def as_scores(**given: ArrayLike | None) -> dict[str, NDArray[Any]]:
    """One score per candidate of each kind that is given; raises `ValueError`."""
    scores = {}
    for name, value in given.items():
        if value is None:
            continue
        array = np.asarray(value)
        # Floats keep their width: a float32 0.8 is above 0.8 once it is a float64.
        if not np.issubdtype(array.dtype, np.floating):
            array = array.astype(np.float64)
        if array.ndim != 1:
            raise ValueError(
                f"{name} must be one score per candidate, got {array.shape}."
            )
        scores[name] = array
    lengths = {name: len(array) for name, array in scores.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise ValueError(f"Every candidate needs every score, got {said}.")
    if not lengths["dynamics"]:
        raise ValueError("There are no candidates to choose from.")
    return scores


def as_mask(preferred: ArrayLike, count: int) -> NDArray[np.bool_]:
    """One bool per candidate; raises `ValueError`."""
    mask = np.asarray(preferred)
    if mask.shape != (count,) or mask.dtype != np.bool_:
        raise ValueError(
            f"preferred must be one bool per candidate ({count}), got {mask.dtype} "
            f"{mask.shape}."
        )
    return mask
