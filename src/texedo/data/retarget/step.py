"""One step of a quadratic model under bounds on the joints and gaps between shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.gaps import NUM_DOF, Gaps

Float64 = NDArray[np.float64]

_WORKING_SET_ROUNDS = 4


class Quadratic(NamedTuple):
    """The model x' H x / 2 - g' x of a step x."""

    hessian: Float64
    """(N, 35, 35)."""
    gradient: Float64
    """(N, 35)."""


def constrained_step(
    model: Quadratic,
    *,
    lower: Float64,
    upper: Float64,
    gaps: Gaps,
    stiffness: float,
) -> Float64:
    """Minimiser of the model, joints within bounds, gaps kept open by stiff springs.

    A working set grows: joints that leave their box are held at its edge, and gaps that
    the step would close get their spring. Without looking ahead at closing gaps a pose
    would swing between "free, so move in" and "inside, so move out".
    """
    hessian, gradient = model
    n = len(hessian)
    held = np.zeros((n, NUM_DOF), dtype=bool)
    pinned = np.zeros((n, NUM_DOF))
    sprung = gaps.need > 0
    step = np.empty((n, NUM_DOF))
    todo = np.arange(n)
    for _ in range(_WORKING_SET_ROUNDS):
        rows = gaps.rows[todo] * sprung[todo][..., None]
        h = hessian[todo] + stiffness * (rows.transpose(0, 2, 1) @ rows)
        pull = (rows.transpose(0, 2, 1) @ gaps.need[todo][..., None])[..., 0]
        step[todo] = _solve_held(
            h, gradient[todo] + stiffness * pull, held[todo], pinned[todo]
        )
        over, under = step[:, 6:] > upper + 1e-9, step[:, 6:] < lower - 1e-9
        opening = (gaps.rows @ step[..., None])[..., 0]
        closing = ~sprung & (opening < gaps.need - 1e-4)
        pinned[:, 6:] = np.where(over, upper, np.where(under, lower, pinned[:, 6:]))
        held[:, 6:] |= over | under
        sprung |= closing
        todo = np.flatnonzero((over | under).any(axis=1) | closing.any(axis=1))
        if not len(todo):
            break
    step[:, 6:] = np.clip(step[:, 6:], lower, upper)
    size = np.linalg.norm(step, axis=1, keepdims=True)
    return np.asarray(step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-9)))


def _solve_held(
    hessian: Float64, gradient: Float64, held: NDArray[np.bool_], pinned: Float64
) -> Float64:
    """Solve with the held variables fixed at `pinned`."""
    if not held.any():
        return np.asarray(np.linalg.solve(hessian, gradient[..., None])[..., 0])
    free = ~held
    rhs = gradient - (hessian @ (pinned * held)[..., None])[..., 0]
    reduced = hessian * free[:, :, None] * free[:, None, :]
    index = np.arange(NUM_DOF)
    reduced[:, index, index] += held
    rhs = np.where(free, rhs, pinned)
    return np.asarray(np.linalg.solve(reduced, rhs[..., None])[..., 0])
