"""Where the hands are: at the body, at a height, out in a direction, together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from texedo.data.captions.activities.predicates.grades import by_side, grade, held
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.spans import Floats

_OUT = np.array([1.0, -1.0])
# Points of the torso for the palm's centre: origin between the shoulders, x ahead, y
# outward on the hand's own side. The robot's hand is thick and its chest stands out, so
# that a palm that touches stays about 0.1 m off the surface.
_TORSO: dict[str, tuple[float, float, float]] = {
    "head": (0.05, 0.05, 0.20),
    "top": (0.02, 0.02, 0.30),
    "face": (0.15, 0.03, 0.15),
    "eyes": (0.15, 0.05, 0.19),
    "forehead": (0.13, 0.06, 0.24),
    "mouth": (0.16, 0.02, 0.11),
    "chin": (0.15, 0.02, 0.07),
    "ear": (0.05, 0.13, 0.18),
    "neck": (-0.08, 0.06, 0.12),
    "throat": (0.12, 0.02, 0.02),
    "chest": (0.17, 0.03, -0.12),
    "heart": (0.17, 0.03, -0.10),
    "belly": (0.18, 0.04, -0.26),
    "shoulder": (0.06, 0.14, 0.02),
    "across": (0.12, -0.13, 0.00),
    "back": (-0.14, 0.05, -0.28),
}
_NEAR = {"head": (0.20, 0.29), "top": (0.18, 0.27), "chest": (0.17, 0.27)}
_REACH = (0.14, 0.22)
"""Distance of the palm's centre that touches, and one that does not [m]."""
_LEVELS = {
    "overhead": 0.24,
    "head": 0.10,
    "shoulder": -0.08,
    "chest": -0.20,
    "waist": -0.32,
}
"""Lowest palm above the shoulder [m]; hanging palms are at -0.45."""


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors**2).sum(axis=1)))


def _to_place(scene: Scene, place: str) -> Callable[[int], Floats]:
    """Distance of one hand's palm to a place of the body, (T,) [m]."""
    curves = scene.signals

    def distance(index: int) -> Floats:
        palm = curves.palm_f[:, index]
        if place in _TORSO:
            return _length(scene.palm[:, index] - np.array(_TORSO[place]))
        if place == "hip":
            return _to_hip(scene, index)
        target = {
            "knee": curves.knee_f[:, index],
            "other_knee": curves.knee_f[:, 1 - index],
            "foot": curves.foot_f[:, index],
            "other_foot": curves.foot_f[:, 1 - index],
            "elbow": curves.elbow_f[:, 1 - index],
            "hand": curves.palm_f[:, 1 - index],
            "thigh": (curves.knee_f[:, index] + curves.hip_f[:, index]) / 2,
        }[place]
        return _length(palm - target)

    return distance


def _to_hip(scene: Scene, index: int) -> Floats:
    """Distance of a palm from the side of the pelvis; a hanging arm is never there."""
    curves = scene.signals
    palm, elbow = curves.palm_f[:, index], curves.elbow_f[:, index]
    beside, above = palm[:, 1] * _OUT[index], palm[:, 2] - curves.height
    off = np.maximum(np.abs(beside - 0.19) - 0.10, 0.0)
    off = off + np.maximum(np.abs(palm[:, 0]) - 0.18, 0.0)
    off = off + 2.0 * np.maximum(np.abs(above - 0.06) - 0.13, 0.0)
    # The elbow sticks out to the side or back, and is well above the palm.
    out = elbow[:, 1] * _OUT[index] - beside
    off = off + np.maximum(-0.02 - out, 0.0) + np.maximum(elbow[:, 0] - palm[:, 0], 0.0)
    straight = np.sqrt((scene.arm[:, index] ** 2).sum(axis=1)) - 0.37
    return np.asarray(0.12 + off + 3.0 * np.maximum(straight, 0.0))


def hand_near(
    scene: Scene, place: str, side: str = "either", hold: float = 0.4
) -> float:
    """A palm is at a place of the body for a while."""
    distance = _to_place(scene, place)
    yes, no = _NEAR.get(place, _REACH)
    if place in ("foot", "other_foot"):
        yes, no = 0.20, 0.36
    return by_side(lambda i: held(distance(i), hold, no=no, yes=yes), side)


def hand_visits(
    scene: Scene, place: str, side: str = "either", min: float = 2
) -> float:
    """A palm comes to a place and leaves it again, at least `min` times."""
    distance = _to_place(scene, place)
    yes, no = _NEAR.get(place, _REACH)

    def visits(index: int) -> float:
        near, count, inside = distance(index), 0, False
        for value in near.tolist():
            if inside and value > no + 0.02:
                inside = False
            elif not inside and value < yes + 0.02:
                inside, count = True, count + 1
        return grade(count, min - 1.5, min)

    return by_side(visits, side)


def hand_level(
    scene: Scene, level: str, side: str = "either", hold: float = 0.3
) -> float:
    """A palm is at least as high as a part of the body."""
    high = _LEVELS[level]
    return by_side(
        lambda i: held(scene.arm[:, i, 2], hold, no=high - 0.12, yes=high), side
    )


def hands_down(scene: Scene, side: str = "both", max: float = -0.22) -> float:
    """A palm stays below the chest all the time."""
    return by_side(
        lambda i: grade(
            -float(np.quantile(scene.arm[:, i, 2], 0.97)), -max - 0.12, -max
        ),
        side,
    )


def hand_below(
    scene: Scene, height: float, side: str = "either", hold: float = 0.1
) -> float:
    """A palm comes down to a height above the floor [m]."""
    return by_side(
        lambda i: held(
            scene.signals.palm_f[:, i, 2], hold, no=height + 0.15, yes=height
        ),
        side,
    )


def arm_out(
    scene: Scene, way: str, side: str = "either", hold: float = 0.3, reach: float = 0.36
) -> float:
    """An arm points ahead, to its side, up, down, back, or across, stretched."""
    aims = {
        "front": (1.0, 0.0, 0.0),
        "out": (0.0, 1.0, 0.0),
        "up": (0.0, 0.0, 1.0),
        "down": (0.0, 0.0, -1.0),
        "back": (-1.0, 0.0, 0.0),
        "across": (0.6, -0.8, 0.0),
        "low-front": (0.75, 0.0, -0.65),
        "high-front": (0.7, 0.0, 0.7),
        "high-out": (0.0, 0.7, 0.7),
    }
    aim = np.array(aims[way])

    def pointing(index: int) -> float:
        arm = scene.arm[:, index] * np.array([1.0, _OUT[index], 1.0])
        length = np.linalg.norm(arm, axis=1)
        cosine = (arm @ aim) / np.maximum(length, 0.05)
        margin = np.minimum((cosine - 0.62) / 0.2, (length - reach + 0.08) / 0.08)
        return held(margin, hold, no=0.0, yes=1.0)

    return by_side(pointing, side)


def reaches(
    scene: Scene, way: str, side: str = "either", min: float = 0.28, hold: float = 0.1
) -> float:
    """A palm gets so far from its shoulder: forward, out, up, back or across [m]."""
    axis, sign = {
        "forward": (0, 1.0),
        "back": (0, -1.0),
        "out": (1, 1.0),
        "across": (1, -1.0),
        "up": (2, 1.0),
    }[way]

    def far(index: int) -> float:
        own = scene.arm[:, index, axis] * sign
        if axis == 1:
            own = own * _OUT[index]
        return held(own, hold, no=min - 0.12, yes=min)

    return by_side(far, side)


def hands_together(scene: Scene, hold: float = 0.4, max: float = 0.17) -> float:
    """The palms are as close as the robot's hands may come."""
    gap = np.linalg.norm(
        scene.signals.palm_f[:, 0] - scene.signals.palm_f[:, 1], axis=1
    )
    return held(gap, hold, no=max + 0.10, yes=max)


def hands_apart(scene: Scene, min: float = 0.6, hold: float = 0.3) -> float:
    """The palms are so far from each other [m]; hanging ones are 0.4 apart."""
    gap = np.linalg.norm(
        scene.signals.palm_f[:, 0] - scene.signals.palm_f[:, 1], axis=1
    )
    return held(gap, hold, no=0.75 * min, yes=min)


def hands_span(
    scene: Scene, min: float = 0.1, max: float = 0.45, hold: float = 0.5
) -> float:
    """The palms keep a distance between two bounds, as around a thing that is held."""
    gap = np.linalg.norm(
        scene.signals.palm_f[:, 0] - scene.signals.palm_f[:, 1], axis=1
    )
    margin = np.minimum((gap - min) / 0.05 + 1.0, (max - gap) / 0.05 + 1.0)
    return held(margin, hold, no=0.0, yes=1.0)


def arms_crossed(scene: Scene, hold: float = 0.5) -> float:
    """Each hand is on the other side of the chest."""
    palm = scene.palm
    over = -(palm[:, 0, 1] + palm[:, 1, 1]) / 2
    front = palm[:, :, 0].min(axis=1) > 0.03
    high = (palm[:, :, 2].min(axis=1) > -0.36) & (palm[:, :, 2].max(axis=1) < 0.12)
    return held(np.where(front & high, over, -1.0), hold, no=-0.10, yes=-0.01)


def hands_front(
    scene: Scene,
    side: str = "both",
    hold: float = 0.6,
    low: float = -0.38,
    high: float = 0.02,
) -> float:
    """A palm is held in front of the body between two heights above the shoulder."""

    def front(index: int) -> float:
        palm = scene.palm[:, index]
        margin = np.minimum((palm[:, 0] - 0.10) / 0.08, (palm[:, 2] - low) / 0.06 + 0.5)
        margin = np.minimum(margin, (high - palm[:, 2]) / 0.06 + 0.5)
        return held(margin, hold, no=0.0, yes=1.0, share=0.35)

    return by_side(front, side)


def behind_back(scene: Scene, side: str = "both", hold: float = 0.4) -> float:
    """A palm is behind the body."""
    return by_side(lambda i: held(-scene.palm[:, i, 0], hold, no=0.05, yes=0.13), side)


def wide_elbows(scene: Scene, side: str = "both", hold: float = 0.4) -> float:
    """An elbow is lifted out to its side."""
    curves = scene.signals

    def lifted(index: int) -> float:
        elbow = curves.elbow_f[:, index] - curves.shoulder_f[:, index]
        margin = np.minimum(
            elbow[:, 1] * _OUT[index] / 0.12, (elbow[:, 2] + 0.16) / 0.08
        )
        return held(margin, hold, no=0.3, yes=1.0)

    return by_side(lifted, side)


def hands_end_low(scene: Scene) -> float:
    """Hands that were up hang at the end."""
    end = float(scene.arm[-12:, :, 2].mean(axis=0).max())
    before = float(scene.arm[..., 2].max())
    return float(min(grade(-end, 0.12, 0.25), grade(before, -0.15, -0.05)))
