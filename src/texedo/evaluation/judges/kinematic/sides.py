"""Whether the named limb did it, and whether it went the named way.

A prompt with several phases is looked at phase by phase: of "turn left, then right" the
left turn is to be seen early. Who did more decides the label, how much more its grade.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np

from texedo.evaluation.judges.kinematic.found import Found, beyond, more
from texedo.evaluation.judges.kinematic.looks.going import ways_between
from texedo.evaluation.judges.kinematic.scene import Deed, Scene, Window
from texedo.evaluation.judges.protocol import Label
from texedo.evaluation.understanding.body import smooth
from texedo.motion import FPS

OTHER = {"left": "right", "right": "left", "forward": "backward", "backward": "forward"}
LIFTING = frozenset("arm_up arm_front arm_out arm_reach hand_head hand_face".split())
"""Told by the height of the hands: both may be up, one of them is up more."""
_HAIR = 3.0
"""Less than this is no turn at all [degrees]."""
_BEND = 0.4
"""A quarter turn along the way counts as so many metres to that side."""
_TRUNK = frozenset(
    "lean bow down squat stoop sway lean_back kneel pick still stand pause".split()
)
_HANDS = frozenset(
    "arm_up arm_front arm_reach arm_out hand_head hand_face hand_chest wave gesture "
    "swing push throw punch clap".split()
)
"""Whose side is that to which the trunk bends, or the hands reach."""
_OFF = 0.06
"""A foot that is this far from its first place has left it [m]."""
_CLOSE, _APART = 0.04, 0.10
"""Hands at one height, and hands of which one is clearly higher [m]."""


class Other(Enum):
    """What the prompt asks of the other hand."""

    FREE = 0
    """Nothing: it should do less."""
    ALIKE = 1
    LOWER = 2
    HIGHER = 3


def limb_label(
    scene: Scene,
    deeds: Sequence[Deed],
    side: str,
    limb: str,
    *,
    window: Window,
    other_too: bool,
) -> Found:
    """By how much each side did; `other_too`: the prompt asks the other for the same."""
    amount = _by_side(scene, deeds, None)
    reason = ", ".join(f"{name} {value:.1f}" for name, value in amount.items())
    if side == "both":
        if deeds and not any(amount.values()):
            return Found(Label.UNKNOWN, "hands are not told apart")
        within = _by_side(scene, deeds, window)
        return Found(_both_label(amount), reason, grade=_evenly(within))
    if not any(amount.values()):
        return busier_label(scene, side, limb, window=window)
    within = _by_side(scene, deeds, window)
    grade = 0.7 * _lead(within, side) + 0.3 * _busier(scene, side, limb, window)
    if other_too:
        done = amount[side] + amount["both"] > 0
        return Found(Label.MATCH if done else Label.MISMATCH, reason, grade=grade)
    ahead = max(_ratio(amount, side), _ratio(within, side))
    return Found(_leading(ahead), reason, grade=grade)


def _ratio(amount: dict[str, float], side: str) -> float:
    """How many times as much as the other side; what both did counts for each."""
    own, other = (amount[s] + amount["both"] for s in (side, OTHER[side]))
    return own / max(other, 1e-9) if own else 0.0


def _leading(ratio: float) -> Label:
    if ratio >= 1.03:
        return Label.MATCH
    return Label.PARTIAL if ratio >= 0.6 else Label.MISMATCH


def _by_side(
    scene: Scene, deeds: Sequence[Deed], window: Window | None
) -> dict[str, float]:
    amount = {"left": 0.0, "right": 0.0, "both": 0.0}
    for deed in deeds:
        if deed.side in amount:
            share = 1.0 if window is None else scene.within(deed, window)
            amount[deed.side] += max(deed.size, 0.1) * share * (0.5 + 0.5 * deed.clear)
    return amount


def _lead(amount: dict[str, float], side: str) -> float:
    return more(amount[side], amount[OTHER[side]])


def _both_label(amount: dict[str, float]) -> Label:
    if amount["both"] or (amount["left"] and amount["right"]):
        return Label.MATCH
    return Label.PARTIAL if amount["left"] or amount["right"] else Label.MISMATCH


def _evenly(amount: dict[str, float]) -> float:
    """1 where the two do as much, or do it together."""
    left, right = (amount[side] + amount["both"] for side in ("left", "right"))
    return 1.0 - 2.0 * abs(more(left, right))


def lifted_label(
    scene: Scene, deeds: Sequence[Deed], side: str, *, window: Window, other: Other
) -> Found:
    """Which hand is the raised one: by their heights over the motion."""
    left, right = hand_heights(scene, window)
    higher = left - right if side == "left" else right - left
    reason = f"hands {left:+.2f} m left, {right:+.2f} m right of their shoulders"
    if other is Other.HIGHER:
        higher = -higher
    grade = beyond(higher, 0.2)
    if other is Other.ALIKE:
        done = any(deed.side in (side, "both") for deed in deeds)
        return Found(Label.MATCH if done else Label.MISMATCH, reason, grade=grade)
    if higher >= _CLOSE:
        return Found(Label.MATCH, reason, grade=grade)
    label = Label.PARTIAL if higher >= -_APART else Label.MISMATCH
    return Found(label, reason, grade=grade)


def hand_heights(scene: Scene, window: Window) -> tuple[float, float]:
    """Of the palms above the shoulders, half at their highest and half on average [m]."""
    body = scene.body
    above = body.palm_f[..., 2] - body.shoulder_f[..., 2]
    weight = scene.weights(window)
    mean = (above * weight[:, None]).sum(axis=0) / weight.sum()
    top = np.quantile(above[weight > 0.5], 0.97, axis=0)
    left, right = (mean + top) / 2
    return float(left), float(right)


def busier_label(scene: Scene, side: str, limb: str, *, window: Window) -> Found:
    """Which of the two moves more, where the action itself was not seen."""
    left, right = activity(scene, limb, window)
    lead = _busier(scene, side, limb, window)
    reason = f"{limb}s move by {left:.2f} m left, {right:.2f} m right"
    if max(left, right) < 0.03:
        return Found(Label.MISMATCH, reason, grade=lead)
    if lead >= 0.07:
        return Found(Label.MATCH, reason, grade=lead)
    return Found(Label.PARTIAL if lead >= -0.07 else Label.MISMATCH, reason, grade=lead)


def _busier(scene: Scene, side: str, limb: str, window: Window) -> float:
    left, right = activity(scene, limb, window)
    return more(left, right) if side == "left" else more(right, left)


def activity(scene: Scene, limb: str, window: Window) -> tuple[float, float]:
    """Length of the paths of the hands as the chest sees them, or of the feet [m]."""
    body = scene.body
    points = body.sole_w if limb == "leg" else body.reach
    steps = np.linalg.norm(np.diff(smooth(points, 0.2), axis=0), axis=-1)
    left, right = (steps * scene.weights(window)[1:, None]).sum(axis=0)
    return float(left), float(right)


def way_label(
    scene: Scene,
    deeds: Sequence[Deed],
    way: str,
    *,
    window: Window,
    contrary_too: bool,
) -> Found:
    """Whether it went that way over the floor."""
    if way in ("left", "right"):
        return aside_label(scene, "go", way, window=window, contrary_too=contrary_too)
    amounts = _amounts(scene, deeds, None)
    reason = ", ".join(f"{k} {v:.2f} m" for k, v in amounts.items())
    lateral = amounts["left"] + amounts["right"]
    along = amounts["forward"] + amounts["backward"]
    if way == "side":
        if lateral >= 0.15 and lateral >= 0.7 * along:
            return Found(Label.MATCH, reason)
        enough = lateral >= 0.1 and lateral >= 0.35 * along
        return Found(Label.PARTIAL if enough else Label.MISMATCH, reason)
    within = _amounts(scene, deeds, window)
    grade = more(within[way], within[OTHER[way]])
    own, other = amounts[way], amounts[OTHER[way]]
    if contrary_too:
        label = Label.MATCH if own >= 0.1 else Label.MISMATCH
        return Found(label, reason, grade=grade)
    if more(own, other) < grade:
        # Its own phase speaks for it.
        own, other = within[way], within[OTHER[way]]
        lateral = within["left"] + within["right"]
    if own >= 0.12 and own >= 1.1 * other and own >= 0.8 * lateral:
        return Found(Label.MATCH, reason, grade=grade)
    if own >= 0.06 and own >= 0.5 * other and own >= 0.3 * lateral:
        return Found(Label.PARTIAL, reason, grade=grade)
    opposite = bool(other >= 0.12 and other >= 1.5 * own)
    return Found(Label.MISMATCH, reason, opposite, grade)


def _amounts(
    scene: Scene, deeds: Sequence[Deed], window: Window | None
) -> dict[str, float]:
    """How far it went each way, over the deeds or over all of it."""
    total = {"forward": 0.0, "backward": 0.0, "left": 0.0, "right": 0.0}
    going = [deed for deed in deeds if deed.ways]
    if window is None:
        parts = [deed.ways for deed in going]
    else:
        parts = [ways_between(scene, d.start, d.end, window) for d in going]
    for ways in parts or [ways_between(scene, 0.0, scene.seconds, window)]:
        for name, value in ways:
            total[name] += value
    return total


def turned_label(
    scene: Scene,
    deeds: Sequence[Deed],
    side: str,
    *,
    window: Window,
    contrary_too: bool,
) -> Found:
    """The same for turns, leans and twists, whose side is where they go."""
    amount, within = _by_side(scene, deeds, None), _by_side(scene, deeds, window)
    if not any(amount.values()):
        return _slightly(scene, side)
    own, other = amount[side], amount[OTHER[side]]
    reason = f"left {amount['left']:.0f}, right {amount['right']:.0f}"
    grade = _lead(within, side)
    if contrary_too:
        return Found(Label.MATCH if own else Label.MISMATCH, reason, grade=grade)
    label = _leading(max(_ratio(amount, side), _ratio(within, side)))
    opposite = label is Label.MISMATCH and other > 0
    return Found(label, reason, opposite, grade)


def _slightly(scene: Scene, side: str) -> Found:
    """A change of facing too small for a turn still has a side."""
    yaw = scene.body.yaw
    left = float(yaw[-1] - yaw[0]) * (1.0 if side == "left" else -1.0)
    label = Label.PARTIAL if left >= _HAIR else Label.MISMATCH
    return Found(label, f"{left:+.0f} degrees", left <= -18, beyond(left, 10.0))


def aside_label(
    scene: Scene, see: str, side: str, *, window: Window, contrary_too: bool = False
) -> Found:
    """Whether it went, bent or reached to that side, whatever was done."""
    if see in _TRUNK:
        measure, scale = _tilted, 6.0
    elif see in _HANDS:
        measure, scale = _reached, 0.06
    elif see == "sidestep":
        measure, scale = _stepped, 0.25
    else:
        measure, scale = _drifted, 0.25
    sign = 1.0 if side == "left" else -1.0
    whole, within = (sign * measure(scene, span) / scale for span in (Window(), window))
    best = max(whole, within)
    reason = (
        f"{abs(within):.2f} of a clear one to the {side if within > 0 else OTHER[side]}"
    )
    grade = beyond(within, 1.0)
    if best >= 0.4:
        return Found(Label.MATCH, reason, grade=grade)
    if best >= -0.4 or contrary_too:
        return Found(Label.PARTIAL, reason, grade=grade)
    return Found(Label.MISMATCH, reason, best <= -0.8, grade)


def _tilted(scene: Scene, window: Window) -> float:
    """The farthest tilts of the trunk, to the left positive [degrees]."""
    tilt = scene.body.tilt[scene.weights(window) > 0.5]
    return float(np.quantile(tilt, 0.97) + np.quantile(tilt, 0.03))


def _reached(scene: Scene, window: Window) -> float:
    """Where the hands are on average, to the left positive [m]."""
    weight = scene.weights(window)
    across = scene.body.palm_f[..., 1].mean(axis=1)
    return float((across * weight).sum() / weight.sum())


def _stepped(scene: Scene, window: Window) -> float:
    """How far it went sideways, wherever it faced meanwhile, to the left positive [m]."""
    ways = dict(ways_between(scene, 0.0, scene.seconds, window))
    return ways["left"] - ways["right"]


def _drifted(scene: Scene, window: Window) -> float:
    """Whither it went and turned, as it faced at first, to the left positive [m]."""
    body = scene.body
    frames = np.flatnonzero(scene.weights(window) > 0.5)
    first, last = int(frames[0]), int(frames[-1])
    yaw = np.radians(body.yaw[first])
    ahead, aside = body.path_w[last] - body.path_w[first]
    left = -np.sin(yaw) * ahead + np.cos(yaw) * aside
    return float(left + (body.yaw[last] - body.yaw[first]) / 90 * _BEND)


def lead_label(scene: Scene, side: str) -> Found:
    """Which foot leaves its place first."""
    body = scene.body
    off = np.linalg.norm(body.sole_w - body.sole_w[:1], axis=-1)  # (T, 2)
    first = [
        int(np.argmax(o > _OFF)) if bool((o > _OFF).any()) else len(body) for o in off.T
    ]
    left, right = first
    reason = f"left from {left / FPS:.1f} s, right from {right / FPS:.1f} s"
    later = (right - left if side == "left" else left - right) / FPS
    if min(first) == len(body):
        return Found(Label.MISMATCH, "no foot moves")
    grade = beyond(later, 0.4)
    if later > 0:
        return Found(Label.MATCH, reason, grade=grade)
    return Found(Label.PARTIAL if later == 0 else Label.MISMATCH, reason, grade=grade)
