"""Poses as bytes that compress well: to a fifth of float32 by zip, to a sixth by xz.

Values are rounded to whole steps first and only then differenced, so decoding sums
integers and cannot drift: every value comes back within half a step. The second
difference of a smooth motion is a small number; folded to unsigned (0, -1, 1, -2, ...)
it fits two bytes. The low bytes of a column lie together, and so do its high ones, most
of which are zero. The rare number that does not fit is kept apart, and bytes of 255
mark its place. Whoever writes the file compresses the bytes as suits it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

_NUM_PLANES = 2
_MARK = 0xFFFF
# Differenced twice and folded, a number of more steps would not fit 64 bits.
_MOST_STEPS = 2.0**59


class PoseCode(NamedTuple):
    """Poses in bytes; lengths of clips and steps of columns are needed to read them."""

    planes: NDArray[np.uint8]
    """(P, C, F): bytes of C columns of F frames, least significant first."""
    escapes: Int64
    """Second differences that do not fit P bytes, column after column."""

    @property
    def num_escapes(self) -> Int64:
        """Marks in each column, (C,)."""
        marks = (self.planes == 0xFF).all(axis=0)
        return np.asarray(marks.sum(axis=1, dtype=np.int64))


def encode_poses(qpos: Float32, lengths: Int64, *, steps: Float64) -> PoseCode:
    """Frames (F, C) of clips that follow one another; `steps` (C,) are positive.

    Raises `ValueError` for numbers that are not finite or of more than 2^59 steps.
    """
    planes = np.empty((_NUM_PLANES, qpos.shape[1], len(qpos)), dtype=np.uint8)
    escapes = [np.zeros(0, dtype=np.int64)]
    for column, step in enumerate(steps):
        whole = _whole_steps(qpos[:, column], step=step)
        differences = _difference(_difference(whole, lengths), lengths)
        folded = (differences << 1) ^ (differences >> 63)
        escapes.append(differences[folded >= _MARK])
        folded = np.minimum(folded, _MARK)
        planes[:, column] = folded & 0xFF, folded >> 8
    return PoseCode(planes, np.concatenate(escapes))


def decode_poses(code: PoseCode, lengths: Int64, *, steps: Float64) -> Float32:
    """Frames (F, C), within half a step of what was encoded.

    Raises `ValueError` if bytes, escapes, lengths and steps do not fit together.
    """
    _check_planes(code.planes, columns=len(steps), frames=int(lengths.sum()))
    num_escapes = code.num_escapes
    if code.escapes.shape != (num_escapes.sum(),):
        raise ValueError(
            f"bytes mark {num_escapes.sum()} escapes, got {code.escapes.shape}"
        )
    escapes = np.split(code.escapes, np.cumsum(num_escapes)[:-1])
    qpos = np.empty((code.planes.shape[2], len(steps)), dtype=np.float32)
    for column, step in enumerate(steps):
        differences = _unfold(code.planes[:, column], escapes[column])
        whole = _integrate(_integrate(differences, lengths), lengths)
        qpos[:, column] = whole * step
    return qpos


def _check_planes(planes: NDArray[np.uint8], *, columns: int, frames: int) -> None:
    # Four: the clip files of before there were escapes.
    shapes = [(num_planes, columns, frames) for num_planes in (_NUM_PLANES, 4)]
    if planes.dtype != np.uint8 or planes.shape not in shapes:
        raise ValueError(
            f"poses must be bytes of the shape {shapes[0]}, got {planes.dtype} of "
            f"{planes.shape}"
        )


def _whole_steps(values: Float32, *, step: float) -> Int64:
    whole = np.rint(values.astype(np.float64) / step)
    # Written so that NaN is refused too.
    if not (np.abs(whole) <= _MOST_STEPS).all():
        raise ValueError("Poses must be finite and of at most 2^59 steps to be packed.")
    return whole.astype(np.int64)


def _unfold(planes: NDArray[np.uint8], escapes: Int64) -> Int64:
    """Second differences of a column from its bytes (P, F)."""
    folded = np.zeros(planes.shape[1], dtype=np.int64)
    for place, plane in enumerate(planes):
        folded |= plane.astype(np.int64) << (8 * place)
    differences = (folded >> 1) ^ -(folded & 1)
    differences[folded == 256 ** len(planes) - 1] = escapes
    return differences


def _difference(whole: Int64, lengths: Int64) -> Int64:
    """Steps from value to value within each clip; a clip's first value stays."""
    out = np.diff(whole, prepend=0)
    starts = (np.cumsum(lengths) - lengths)[lengths > 0]
    out[starts] = whole[starts]
    return out


def _integrate(steps: Int64, lengths: Int64) -> Int64:
    """Undo `_difference`: running sums that begin anew with each clip."""
    sums = np.concatenate(([0], np.cumsum(steps)))
    before = sums[np.cumsum(lengths) - lengths]
    return np.asarray(sums[1:] - np.repeat(before, lengths), dtype=np.int64)
