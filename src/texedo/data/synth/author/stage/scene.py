"""A motion while it is being written: a clock, feet, body, and arms.

Everything is a list of keys in time; `Scene.plan` turns them into frames. Arms without a
key hang and swing with the stride, so that a gesture can start from walking as well as
from standing and give the arm back afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.data.synth.author.arms import (
    ARM_JOINTS,
    HANG,
    SIDES,
    WAIST_JOINTS,
    Side,
    for_side,
)
from texedo.data.synth.author.stage.perform import (
    UPPER_JOINTS,
    StagePlan,
    pitch_about_ball,
)
from texedo.data.synth.author.stage.steps import (
    FootPlan,
    FootTracks,
    standing,
    track_feet,
)
from texedo.motion import FPS
from texedo.motion.curves import between, bump, frame_times, keyed

Float64 = NDArray[np.float64]

STANDING_HEIGHT = 0.755
"""Of the pelvis, knees a little bent [m]."""

CHANNELS = (
    "drop",  # of the pelvis [m]
    "lean",  # pelvis pitch, forward is positive [rad]
    "tilt",  # pelvis roll, to the right is positive [rad]
    "twist",  # pelvis yaw against the feet, to the left is positive [rad]
    "waist_yaw",
    "waist_roll",
    "waist_pitch",
    "left_heel",  # lifted by this pitch [rad]
    "right_heel",
)


@dataclass
class Scene:
    """Keys of everything that moves."""

    rng: np.random.Generator
    feet: FootPlan = field(default_factory=standing)
    now: float = 0.0
    """Where the next thing begins [s]."""
    arm_swing: float = 1.2
    """Shoulder pitch per metre of stride [rad/m]."""
    rest: dict[str, Float64] = field(default_factory=lambda: dict.fromkeys(SIDES, HANG))
    """How each arm hangs, as a left arm."""
    channels: dict[str, list[tuple[float, float]]] = field(
        default_factory=lambda: {name: [(0.0, 0.0)] for name in CHANNELS}
    )
    arms: dict[str, list[tuple[float, Float64 | None]]] = field(
        default_factory=lambda: {side: [(0.0, None)] for side in SIDES}
    )
    """Poses as of a left arm; None is hanging."""
    bobs: list[tuple[float, float, float]] = field(default_factory=list)
    """(start, end, rise [m]) of the pelvis."""
    sways: list[tuple[str, float, float, float]] = field(default_factory=list)
    """(channel, start, end, value) that come and go."""
    rises: list[tuple[float, Float64]] = field(default_factory=list)
    """(start, offsets of the pelvis [m] in the frames from there) for hops."""

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def move(self, channel: str, value: float, *, start: float, end: float) -> None:
        """Ease a channel from its last value to `value` between two times."""
        keys = self.channels[channel]
        start = max(start, keys[-1][0])
        keys += [(start, keys[-1][1]), (max(end, start), value)]

    def arm(self, side: Side, to: Float64 | None, *, start: float, end: float) -> None:
        """Ease an arm from its last pose to `to` (None: let it hang)."""
        keys = self.arms[side]
        start = max(start, keys[-1][0])
        keys += [(start, keys[-1][1]), (max(end, start), to)]

    def plan(self, duration: float) -> StagePlan:
        """Frames of the whole scene."""
        time = frame_times(duration)
        feet = track_feet(self.feet, time)
        body = {name: keyed(time, keys) for name, keys in self.channels.items()}
        for name, start, end, value in self.sways:
            body[name] = body[name] + value * bump((time - start) / (end - start))
        height = STANDING_HEIGHT - body["drop"] + self._rises(time)
        yaw = feet.heading() + body["twist"]
        for foot, side in enumerate(SIDES):
            lift = body[f"{side}_heel"]
            pitch_about_ball(feet.pos[:, foot], feet.euler[:, foot], lift)
        return StagePlan(
            foot_pos=feet.pos,
            foot_euler=feet.euler,
            pressure=feet.pressure,
            pelvis_height=height,
            pelvis_euler=np.stack((yaw, body["lean"], body["tilt"]), axis=1),
            upper=self._upper(time, feet, body),
        )

    def _rises(self, time: Float64) -> Float64:
        out = np.zeros(len(time))
        for start, end, rise in self.bobs:
            out += rise * bump((time - start) / (end - start))
        for start, offsets in self.rises:
            at = start + np.arange(len(offsets)) / FPS
            out += np.interp(time, at, offsets, left=0.0, right=0.0)
        return out

    def _upper(
        self, time: Float64, feet: FootTracks, body: dict[str, Float64]
    ) -> Float64:
        """Waist and arms, (T, 17)."""
        stride = _stride(feet)
        joints = np.zeros((len(time), 29))
        waist = (body["waist_yaw"] + 0.15 * self.arm_swing * stride, body["waist_roll"])
        joints[:, WAIST_JOINTS] = np.stack((*waist, body["waist_pitch"]), axis=1)
        for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
            hanging = np.tile(self.rest[side], (len(time), 1))
            swing = sign * self.arm_swing * stride
            hanging[:, 0] += swing
            # A forearm that swings forward bends a little.
            hanging[:, 3] -= 0.5 * np.maximum(-swing, 0.0)
            arm = layered(time, hanging, self.arms[side])
            joints[:, ARM_JOINTS[side]] = for_side(arm, side)
        return joints[:, UPPER_JOINTS]


def _stride(feet: FootTracks) -> Float64:
    """How far the left foot is ahead of the right, (T,) [m], smoothed."""
    yaw = feet.heading()
    ahead = np.stack((np.cos(yaw), np.sin(yaw)), axis=1)
    gap = ((feet.pos[:, 0, :2] - feet.pos[:, 1, :2]) * ahead).sum(axis=1)
    return np.asarray(gaussian_filter1d(gap, 4.0, mode="nearest"))


def layered(
    time: Float64, base: Float64, keys: list[tuple[float, Float64 | None]]
) -> Float64:
    """Keyed poses over a moving base, which stands in where a key is None."""

    def at(value: Any) -> Float64:
        return base if value is None else np.broadcast_to(value, base.shape)

    out = at(keys[0][1])
    for (start, _), (end, value) in zip(keys, keys[1:], strict=False):
        s = between(time, start, end)[:, None]
        out = (1 - s) * out + s * at(value)
    return np.asarray(out)
