"""How clearly a motion holds a posture, from -1, clearly not, to 2, clearly so.

All that a posture says must hold at the same time, for as long as it is to be held: each
frame has the grade of what fits least in it. Limits are this module's own: whoever writes
postures has other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texedo.data.captions.activities.predicates.grades import held
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.postures.types import Posture
from texedo.data.events.signals import STANDING_HEIGHT
from texedo.data.events.spans import Floats

_SIDES = ("left", "right")
_NEAR, _FAR = (0.17, 0.30), (0.22, 0.42)
"""How far off a palm is right and wrong: on the body, and with a stretched arm [m]."""
_PLACES = {
    # From the middle between the shoulders [m]: x ahead, y to the hand's side, z up.
    **{"up": (0.05, 0.2, 0.46), "side": (0.03, 0.58, 0.0), "far": (0.46, 0.13, -0.02)},
    **{"side-high": (0.05, 0.44, 0.27), "up-together": (0.12, 0.08, 0.38)},
    **{
        "hip": (0.03, 0.2, -0.3),
        "head": (0.05, 0.09, 0.22),
        "neck": (-0.04, 0.1, 0.15),
    },
    **{
        "back": (-0.14, 0.1, -0.3),
        "crossed": (0.2, 0.0, -0.1),
        "chest": (0.18, 0.04, -0.1),
    },
    **{
        "belly": (0.2, 0.04, -0.25),
        "shoulder": (0.16, 0.2, 0.1),
        "chin": (0.17, 0.03, 0.06),
    },
    **{
        "forehead": (0.12, 0.07, 0.22),
        "eyes": (0.16, 0.05, 0.19),
        "face": (0.17, 0.05, 0.15),
    },
    **{
        "mouth": (0.17, 0.03, 0.11),
        "together": (0.25, 0.04, -0.12),
        "thigh": (0.16, 0.17, -0.42),
    },
    **{
        "cheer": (0.12, 0.3, 0.26),
        "guard": (0.22, 0.11, 0.04),
        "hang": (0.08, 0.24, -0.4),
    },
    "floor": (0.36, 0.18, -0.26),
}
_STRETCHED = frozenset(
    ("up", "side", "far", "side-high", "up-together", "floor", "hang")
)
_USUAL_SECONDS = 0.8
"""For so long it must be seen where no time is said."""
_LASTS = 0.65
"""Part of the time that is asked for which is enough."""


def fits(posture: Posture, scene: Scene) -> float:
    """How clearly the motion does."""
    curves = list(_curves(posture, scene))
    if not curves:
        return 0.0
    lasts = max(_LASTS * posture.seconds, _USUAL_SECONDS)
    return held(np.min(curves, axis=0), lasts, no=0.0, yes=1.0)


def _curves(posture: Posture, scene: Scene) -> Iterator[Floats]:
    """The grade of each thing that is said, frame by frame, (T,) each."""
    for index, place in enumerate((posture.left, posture.right)):
        if place in _PLACES:
            yield _at_place(scene, index, place)
    signals = scene.signals
    if posture.lean:
        least = min(0.55 * abs(posture.lean), 35.0)
        yield _reached(np.sign(posture.lean) * signals.lean, 0.4 * least, least)
    if posture.tip:
        least = 0.5 * abs(posture.tip)
        yield _reached(np.sign(posture.tip) * signals.tilt, 0.35 * least, least)
    if posture.twist:
        yield _reached(np.sign(posture.twist) * signals.twist, 8.0, 18.0)
    yield from _legs(posture, scene)


def _at_place(scene: Scene, index: int, place: str) -> Floats:
    yes, no = _FAR if place in _STRETCHED else _NEAR
    off = np.linalg.norm(scene.palm[:, index] - np.array(_PLACES[place]), axis=1)
    return _reached(-off, -no, -yes)


def _legs(posture: Posture, scene: Scene) -> Iterator[Floats]:
    signals = scene.signals
    low = 1.0 - signals.height / STANDING_HEIGHT
    apart = np.abs(signals.foot_f[:, 0, 1] - signals.foot_f[:, 1, 1])
    ahead = signals.foot_f[:, 0, 0] - signals.foot_f[:, 1, 0]
    lowest = {"bent": (0.03, 0.08), "half": (0.08, 0.15), "squat": (0.12, 0.22)}
    if posture.legs in lowest:
        yield _reached(low, *lowest[posture.legs])
    elif posture.legs == "wide":
        yield _reached(apart, 0.28, 0.36)
    elif posture.legs == "tiptoe":
        yield _reached(signals.foot_w[:, :, 2].min(axis=1), 0.005, 0.025)
    elif posture.legs == "one":
        yield _lifted(posture, scene)
    elif posture.legs in ("lunge", "kneel"):
        front = posture.leg == "left"
        sign = 1.0 if front == (posture.legs == "lunge") else -1.0
        yield _reached(sign * ahead, 0.12, 0.26)
        least = (0.06, 0.14) if posture.legs == "lunge" else (0.18, 0.3)
        yield _reached(low, *least)
    elif posture.legs == "aside":
        yield _reached(apart, 0.34, 0.44)
        # The hips are over the foot of the knee that is bent.
        index = _SIDES.index(posture.leg)
        over = np.abs(signals.foot_f[:, :, 1])
        yield _reached(over[:, 1 - index] - over[:, index], 0.05, 0.2)


def _lifted(posture: Posture, scene: Scene) -> Floats:
    """The leg is off the floor, the other one on it, and where it should be."""
    index = _SIDES.index(posture.leg) if posture.leg else 0
    signals = scene.signals
    up = signals.foot_height[:, index]
    other = signals.foot_height[:, 1 - index]
    foot = signals.foot_f[:, index] - signals.hip_f[:, index]
    found = [_reached(up, 0.03, 0.08), _reached(-other, -0.05, -0.03)]
    out = foot[:, 1] * (1.0 if index == 0 else -1.0)
    ways = {"front": foot[:, 0], "side": out, "back": -foot[:, 0]}
    if posture.way in ways:
        found.append(_reached(ways[posture.way], 0.1, 0.24))
    if posture.way == "knee":
        rise = signals.knee_f[:, index, 2] - signals.knee_f[:, 1 - index, 2]
        found.append(_reached(rise, 0.06, 0.14))
    return np.asarray(np.min(found, axis=0))


def _reached(values: Floats, no: float, yes: float) -> Floats:
    """0 at `no`, 1 at `yes`, and one margin beyond on either side."""
    return np.clip((values - no) / (yes - no), -1.0, 2.0)
