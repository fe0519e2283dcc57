"""What every reader returns and every writer takes: our layout, at any rate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.formats.rates import USUAL_RATES, Rate, Reading, given_rate
from texedo.motion import FPS, Motion, resample
from texedo.motion.motion import MIN_FRAMES
from texedo.motion.resample import Frames, resample_frames, same_rate
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER, SPEED_LIMIT

MAX_DISTANCE = 10_000.0
"""Farthest that a root may be from the origin [m]; there a float32 has 1 mm left."""
LABELS_KEY = "texedo"
"""Under which the labels of a clip stand in an npz or a pickle."""
_RANGES = (JOINT_LOWER, JOINT_UPPER)


class RateChoice(NamedTuple):
    """What a file would be at one rate."""

    fps: float
    duration: float
    """[s]."""
    top_speed: float
    """Of the fastest joint [rad/s]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FileClip:
    """The frames of a file in our layout (wxyz, MuJoCo joints, m, rad), not resampled.

    Nothing is checked when it is made: `check` does that, and `to_motion`.
    """

    rate: Rate
    """Frames per second, and who says so."""
    root_pos_w: NDArray[Any]
    """Pelvis position, (T, 3) [m]."""
    root_quat_w: NDArray[Any]
    """Pelvis orientation, (T, 4), wxyz."""
    joint_pos: NDArray[Any]
    """Joint angles in MuJoCo order, (T, 29) [rad]."""
    proof: str = ""
    """What else in the file confirms that it was read rightly."""
    labels: Mapping[str, Any] | None = None
    """What else to write into a file that can carry it, as for JSON: names, hashes."""

    def __len__(self) -> int:
        return len(self.root_pos_w)

    @property
    def fps(self) -> float:
        return self.rate.fps

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]."""
        return self.reading.duration

    @property
    def reading(self) -> Reading:
        """What every line about the file says of its rate."""
        return Reading(self.rate, len(self))

    def at_usual_rates(self) -> list[RateChoice]:
        """What it would be at each of the usual rates, for a file that states none.

        Empty where frames that are no numbers leave nothing to compare.
        """
        with np.errstate(all="ignore"):  # What is no number is told by `step`.
            joints = np.asarray(self.joint_pos, dtype=np.float64)
            step = float(np.abs(np.diff(joints, axis=0)).max(initial=0.0))
        if not isfinite(step):
            return []
        return [
            RateChoice(fps, (len(self) - 1) / fps, step * fps) for fps in USUAL_RATES
        ]

    def at_usual_rates_in_words(self) -> str:
        """The same for a message; empty if there is nothing to say."""
        if not (choices := self.at_usual_rates()):
            return ""
        first, *others = choices
        said = [
            f"at {first.fps:g} fps it lasts {first.duration:.2f} s and its fastest joint "
            f"turns at {first.top_speed:.3g} rad/s",
            *(
                f"at {c.fps:g}, {c.duration:.2f} s and {c.top_speed:.3g}"
                for c in others
            ),
        ]
        motors = f"{SPEED_LIMIT.min():g} to {SPEED_LIMIT.max():g} rad/s"
        return f"{'; '.join(said)}; motors reach {motors}"

    def check(self) -> None:
        """Raise `MotionError` where the frames make no motion, at whatever rate."""
        self._check_length()
        Motion(**self._frames(np.float32)._asdict())
        self._check_place()

    def to_motion(self) -> Motion:
        """The clip at 50 Hz, checked."""
        self._check_length()
        frames = self._frames(np.float32)
        motion = resample(**frames._asdict(), fps=self.fps, ranges=_RANGES)
        self._check_place()
        return motion

    def at_rate(self, fps: float) -> FileClip:
        """The clip at another rate; at its own, the very same frames."""
        rate = given_rate(fps)
        if same_rate(self.fps, fps):
            return self
        if self.duration * fps < 1 - 1e-6:
            raise MotionError(
                f"A motion of {self.duration:.3f} s has less than two frames at {fps:g} "
                "fps; write it at a higher rate."
            )
        frames = resample_frames(
            self._frames(np.float64), fps=self.fps, to_fps=fps, ranges=_RANGES
        )
        return replace(self, rate=rate, **frames._asdict())

    def _frames(self, dtype: type[np.floating[Any]]) -> Frames:
        # Numbers beyond float32 become infinite here, and are refused as such there.
        with np.errstate(over="ignore", invalid="ignore"):
            return Frames(
                *(
                    np.asarray(array, dtype=dtype)
                    for array in (self.root_pos_w, self.root_quat_w, self.joint_pos)
                )
            )

    def _check_length(self) -> None:
        if len(self) < MIN_FRAMES:
            raise MotionError(f"A motion needs {MIN_FRAMES} frames, got {len(self)}.")

    def _check_place(self) -> None:
        away = np.abs(self.root_pos_w).max(axis=1)
        if away.max() > MAX_DISTANCE:
            frame = int(away.argmax())
            raise MotionError(
                f"The root is {away[frame] / 1000:.6g} km from the origin in frame "
                f"{frame}, and at most {MAX_DISTANCE / 1000:g} km are read: are its "
                "positions in metres?"
            )


def clip_from_motion(motion: Motion) -> FileClip:
    """A motion as it is, at 50 Hz."""
    return FileClip(
        rate=given_rate(FPS),
        root_pos_w=motion.root_pos_w,
        root_quat_w=motion.root_quat_w,
        joint_pos=motion.joint_pos,
    )


def label_arrays(
    clip: FileClip, *, joints: Sequence[str], bodies: Sequence[str] = ()
) -> dict[str, NDArray[Any]]:
    """The labels of a clip for an npz, with the names in the order of its columns."""
    if clip.labels is None:
        return {}
    arrays = {LABELS_KEY: np.array(json.dumps(clip.labels, ensure_ascii=False))}
    arrays["joint_names"] = np.array(joints)
    return arrays | ({"body_names": np.array(bodies)} if bodies else {})
