"""The one motion type. Every other layout is converted at the file boundary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion.rotations import quat_make_continuous, quat_normalize

FPS = 50.0
"""Frames per second of every `Motion`."""
NUM_JOINTS = 29
"""Actuated joints of the 29-DoF G1."""
MIN_FRAMES = 2
"""One frame is a pose: it has no duration and no velocity."""
MAX_FRAMES = 1_000_000
"""5.5 hours. More than that is a damaged header or a wrong file."""
_UNIT_TOLERANCE = 1e-7

Float32 = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Motion:
    """A G1 motion at 50 Hz: z up, metres, radians, quaternions wxyz, float32.

    The arrays are checked, copied and frozen once, here; everything downstream trusts
    them. Quaternions come out unit and sign-continuous.
    """

    root_pos_w: Float32
    """Pelvis position in the world, (T, 3) [m]."""
    root_quat_w: Float32
    """Pelvis orientation in the world, (T, 4), unit, wxyz."""
    joint_pos: Float32
    """Joint angles in MuJoCo (depth-first) order, (T, 29) [rad]."""

    def __post_init__(self) -> None:
        widths = {"root_pos_w": 3, "root_quat_w": 4, "joint_pos": NUM_JOINTS}
        arrays = {name: _as_float(name, getattr(self, name)) for name in widths}
        frames = len(arrays["root_pos_w"])
        for name, width in widths.items():
            shape = arrays[name].shape
            if shape != (frames, width):
                raise MotionError(f"{name} must be ({frames}, {width}), got {shape}.")
        if frames < MIN_FRAMES:
            raise MotionError(
                f"A motion needs at least {MIN_FRAMES} frames, got {frames}."
            )
        if frames > MAX_FRAMES:
            raise MotionError(
                f"A motion may have at most {MAX_FRAMES} frames, got {frames}; trim it."
            )
        for name, array in arrays.items():
            # Past the largest float32 a number turns into infinity when it is stored.
            bad = ~(np.abs(array) <= np.finfo(np.float32).max).all(axis=1)
            if bad.any():
                raise MotionError(
                    f"{name} holds NaN or infinity in {int(bad.sum())} of {frames} "
                    f"frames, first in frame {int(bad.argmax())}."
                )
        arrays["root_quat_w"] = _as_rotations(arrays["root_quat_w"])
        for name, array in arrays.items():
            frozen = np.array(array, dtype=np.float32, order="C")
            frozen.setflags(write=False)
            object.__setattr__(self, name, frozen)

    @classmethod
    def from_qpos(cls, qpos: NDArray[Any]) -> Motion:
        """From MuJoCo's (T, 36) generalised positions: xyz, wxyz, 29 joints."""
        qpos = _as_float("qpos", qpos)
        if qpos.shape[1] != 7 + NUM_JOINTS:
            raise MotionError(f"qpos must be (T, {7 + NUM_JOINTS}), got {qpos.shape}.")
        return cls(
            root_pos_w=qpos[:, :3], root_quat_w=qpos[:, 3:7], joint_pos=qpos[:, 7:]
        )

    def to_qpos(self) -> Float32:
        """MuJoCo's generalised positions, (T, 36): xyz, wxyz, 29 joints."""
        return np.concatenate((self.root_pos_w, self.root_quat_w, self.joint_pos), 1)

    def __len__(self) -> int:
        return len(self.root_pos_w)

    @property
    def num_frames(self) -> int:
        return len(self.root_pos_w)

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]."""
        return (len(self) - 1) / FPS

    def __eq__(self, other: object) -> bool:
        """Equal when every number is: motions are values."""
        if not isinstance(other, Motion):
            return NotImplemented
        return all(
            np.array_equal(a, b)
            for a, b in zip(self._arrays(), other._arrays(), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # numpy forgets on the way through a pickle that an array is read-only.
        return type(self).from_qpos, (self.to_qpos(),)

    def _arrays(self) -> Iterator[Float32]:
        return (getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        return f"Motion({len(self)} frames, {self.duration:.2f} s)"


def _as_float(name: str, value: Any) -> NDArray[Any]:
    try:
        # A signalling NaN of a mangled file warns when it is widened; it is told below.
        with np.errstate(invalid="ignore"):
            array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MotionError(f"{name} must be an array of numbers: {error}.") from None
    if array.ndim != 2:
        raise MotionError(f"{name} must be two-dimensional, got shape {array.shape}.")
    return array


def _as_rotations(quat: NDArray[Any]) -> NDArray[Any]:
    """Unit, sign-continuous quaternions of a finite (T, 4) array."""
    norm = np.linalg.norm(quat, axis=1)
    if (norm < 0.1).any():
        raise MotionError(
            f"root_quat_w is not a rotation in frame {int(norm.argmin())}: its "
            f"length is {norm.min():.3g}, it should be 1."
        )
    return quat_make_continuous(unit_quaternions(quat))


def unit_quaternions(quat: NDArray[Any]) -> NDArray[Any]:
    """Quaternions (N, 4) brought to length 1, unless they have it."""
    norm = np.linalg.norm(quat, axis=1)
    # A float32 quaternion is unit to 6e-8. Dividing it again would move its last bit,
    # and a motion must come through itself unchanged.
    unit = np.abs(norm - 1)[:, None] < _UNIT_TOLERANCE
    return np.where(unit, quat, quat_normalize(quat))
