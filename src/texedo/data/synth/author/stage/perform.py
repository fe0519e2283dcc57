"""From a plan of feet, weight and upper body to the robot's motion.

The plan says where the feet are, where the floor should carry the weight, how high and
how turned the pelvis is, and what waist and arms do. The pelvis then goes to where the
centre of mass is over its path, and the legs reach down to the feet. The path is found
for a single mass, then corrected by what swinging legs and arms really do to the
pressure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from texedo.data.synth.author.stage.balance import Rest, mass_path, pressure_point
from texedo.data.synth.author.stage.legs import LEG_JOINTS, LEG_LOWER, step_legs
from texedo.motion.rotations import quat_from_euler, quat_rotate
from texedo.robot.g1 import KNEES_BENT, SOLE_HEIGHT
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres

Float64 = NDArray[np.float64]

UPPER_JOINTS = np.array([j for j in range(29) if j not in LEG_JOINTS])
"""Waist and arms, (17,)."""
_TOES = 0.034
"""Length of the sole beyond the ball [m]."""
BALL = np.array([0.1, 0.0, SOLE_HEIGHT])
"""About which a heel is lifted, in the frame of the `ankle_roll` link [m]."""
MASS_HEIGHT = 0.66
"""Of the centre of mass in a normal stance [m]."""
_LONGEST_LEG = 0.612
"""Hip to ankle with a knee that is still bent a little [m]."""
_ITERATIONS = (5, 3, 3)
"""Newton steps of each pass; all but the first pass correct the pressure."""
_MAX_CORRECTION = 0.12
"""Largest correction of the pressure [m]."""


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """What the body should do in each frame; the side axis is left, right."""

    foot_pos: Float64
    """Origins of the `ankle_roll` links, (T, 2, 3) [m]."""
    foot_euler: Float64
    """Yaw, pitch, roll of the feet, (T, 2, 3) [rad], intrinsic."""
    pressure: Float64
    """Where the floor should carry the weight, (T, 2) [m]."""
    pelvis_height: Float64
    """(T,) [m]; lowered where a foot would be out of reach."""
    pelvis_euler: Float64
    """Yaw, pitch, roll of the pelvis, (T, 3) [rad], intrinsic."""
    upper: Float64
    """Angles of `UPPER_JOINTS`, (T, 17) [rad]."""
    start: Rest | None = None
    """Of the centre of mass; None begins at rest."""
    end: Rest | None = None
    height_is_final: bool = False
    """The pelvis keeps its planned height: it has been thought of already."""

    def __len__(self) -> int:
        return len(self.foot_pos)


class _Bodies:
    """Robots on their way to fulfilling their plans, their frames back to back.

    Kinematics of few frames cost almost what those of many do, so plans go together.
    """

    def __init__(self, plans: Sequence[StagePlan]) -> None:
        ends = np.cumsum([0, *(len(plan) for plan in plans)])
        self.parts = [
            (plan, slice(start, stop))
            for plan, start, stop in zip(plans, ends, ends[1:], strict=False)
        ]

        def joined(name: str) -> Float64:
            return np.concatenate([getattr(plan, name) for plan in plans])

        self.quat = quat_from_euler("ZYX", joined("pelvis_euler"))
        self.foot_pos, self.foot_euler = joined("foot_pos"), joined("foot_euler")
        self.joints = np.tile(KNEES_BENT, (len(self.quat), 1))
        self.joints[:, UPPER_JOINTS] = joined("upper")
        middle = self.foot_pos[..., :2].mean(axis=1)
        height = joined("pelvis_height")[:, None]
        self.pelvis = np.concatenate((middle, height), axis=1)

    def poses(self) -> BodyPoses:
        return forward_kinematics(self.pelvis, self.quat, self.joints)

    def follow(self, path: Float64, *, iterations: int, loose: bool = False) -> None:
        """Bring the centres of mass over `path` (T, 2) and the feet to their places."""
        foot_quat = quat_from_euler("ZYX", self.foot_euler)
        for i in range(iterations):
            poses = self.poses()
            if i < iterations - 2:
                # The last steps leave the pelvis alone: the feet come out exact.
                mass = centre_of_mass(mass_centres(poses))
                self.pelvis[:, :2] += path - mass[:, :2]
                self._set_heights()
                shift = self.pelvis - poses.pos_w[:, 0]
                poses = poses._replace(pos_w=poses.pos_w + shift[:, None])
            self.joints = step_legs(
                self.joints,
                poses,
                foot_pos=self.foot_pos,
                foot_quat=foot_quat,
                loose_ankles=loose,
            )

    def _set_heights(self) -> None:
        """The planned heights, lowered smoothly where a leg would be too short."""
        highest = highest_pelvis(self.pelvis[:, :2], self.quat, self.foot_pos)
        for plan, part in self.parts:
            self.pelvis[part, 2] = plan.pelvis_height
            excess = np.maximum(plan.pelvis_height - highest[part], 0.0)
            if plan.height_is_final or not excess.any():
                continue
            # Wide: a walk should glide on one height, not dip with every step.
            wide = maximum_filter1d(excess, 41)
            self.pelvis[part, 2] -= gaussian_filter1d(wide, 9.0, mode="nearest")

    def lift_heels(self) -> None:
        """Where an ankle is at the end of its range, let the heel come up."""
        for foot, hinges in enumerate(LEG_JOINTS):
            ankle = self.joints[:, hinges[4]]
            excess = np.maximum(LEG_LOWER[hinges[4]] + _ANKLE_ROOM - ankle, 0.0)
            for _, part in self.parts:
                if not excess[part].any():
                    continue
                wide = maximum_filter1d(1.3 * excess[part], 11)
                lift = gaussian_filter1d(wide, 4.0, mode="nearest")
                pitch_about_ball(
                    self.foot_pos[part, foot], self.foot_euler[part, foot], lift
                )


_HIPS = np.array([[0.0, 0.116452, -0.1027], [0.0, -0.116452, -0.1027]])
"""Where the legs hang from, in the frame of the pelvis [m]."""
_ANKLE_ROOM = 0.06
"""Heels begin to lift this far from the end of the ankle's range [rad]."""


def highest_pelvis(xy: Float64, quat: Float64, foot_pos: Float64) -> Float64:
    """How high the pelvis at `xy` (T, 2) may be for both legs to reach, (T,) [m]."""
    hips = quat_rotate(quat[:, None], _HIPS)  # (T, 2, 3)
    gap = foot_pos - hips
    flat = ((gap[..., :2] - xy[:, None]) ** 2).sum(axis=-1)
    flat = np.minimum(flat, 0.9 * _LONGEST_LEG**2)
    return np.asarray((gap[..., 2] + np.sqrt(_LONGEST_LEG**2 - flat)).min(axis=1))


def pitch_about_ball(pos: Float64, euler: Float64, pitch: Float64) -> None:
    """Lift the heel of a foot (T, 3), (T, 3) by `pitch` (T,) [rad], in place."""
    before = quat_rotate(quat_from_euler("ZYX", euler), BALL)
    euler[:, 1] += pitch
    pos += before - quat_rotate(quat_from_euler("ZYX", euler), BALL)
    # The toes reach past the ball; a steep foot stands on their tips.
    pos[:, 2] += _TOES * np.sin(np.maximum(pitch, 0.0))


class Performed(NamedTuple):
    """A plan carried out."""

    qpos: Float64
    """(T, 36)."""
    foot_pos: Float64
    """Where the feet should be, heels lifted where they had to be, (T, 2, 3) [m]."""


def perform(plan: StagePlan) -> Performed:
    """The robot's motion for a plan."""
    return perform_many([plan])[0]


def perform_many(plans: Sequence[StagePlan]) -> list[Performed]:
    """The robot's motion for each plan; none depends on the others."""
    bodies = _Bodies(plans)
    corrections = [np.zeros_like(plan.pressure) for plan in plans]
    for number, iterations in enumerate(_ITERATIONS):
        paths = [
            mass_path(
                plan.pressure + correction,
                height=MASS_HEIGHT,
                start=plan.start,
                end=plan.end,
            )
            for plan, correction in zip(plans, corrections, strict=True)
        ]
        first, last = number == 0, number == len(_ITERATIONS) - 1
        bodies.follow(np.concatenate(paths), iterations=iterations, loose=first)
        if first:
            bodies.lift_heels()
        if not last:
            centres = mass_centres(bodies.poses())
            for (plan, part), correction in zip(bodies.parts, corrections, strict=True):
                error = plan.pressure - pressure_point(centres[part])
                correction += gaussian_filter1d(error, 2.0, axis=0, mode="nearest")
                np.clip(correction, -_MAX_CORRECTION, _MAX_CORRECTION, out=correction)
    qpos = np.concatenate((bodies.pelvis, bodies.quat, bodies.joints), axis=1)
    return [Performed(qpos[part], bodies.foot_pos[part]) for _, part in bodies.parts]
