"""Whether the named limb did it, and whether it went the named way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texedo.data.events import Turn
from texedo.evaluation.judges.kinematic.going import ways_between
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.protocol import Label
from texedo.evaluation.understanding.spans import swing_range

OTHER = {"left": "right", "right": "left", "forward": "backward", "backward": "forward"}
_BEND = 0.4
"""A quarter turn along the way counts as so many metres to that side."""


def limb_label(
    scene: Scene, deeds: Sequence[Deed], side: str, limb: str, *, other_too: bool
) -> tuple[Label, str]:
    """`other_too`: the prompt asks the other limb for the same."""
    amount = {"left": 0.0, "right": 0.0, "both": 0.0}
    for deed in deeds:
        if deed.side in amount:
            amount[deed.side] += max(deed.size, 0.1) * (1.0 if deed.clear else 0.5)
    reason = ", ".join(f"{name} {value:.1f}" for name, value in amount.items())
    if side == "both":
        return _both_label(amount), reason
    if not any(amount.values()):
        return _busier(scene, side, limb)
    own = amount[side] + amount["both"]
    other = amount[OTHER[side]] + amount["both"]
    if other_too:
        return (Label.MATCH if own else Label.MISMATCH), reason
    if own >= 1.03 * other:
        return Label.MATCH, reason
    return (Label.PARTIAL if own >= 0.6 * other else Label.MISMATCH), reason


def _both_label(amount: dict[str, float]) -> Label:
    if amount["both"] or (amount["left"] and amount["right"]):
        return Label.MATCH
    return Label.PARTIAL if amount["left"] or amount["right"] else Label.MISMATCH


def _busier(scene: Scene, side: str, limb: str) -> tuple[Label, str]:
    """Which of the two moves more, where the action itself was not seen."""
    left, right = _activity(scene, limb)
    own, other = (left, right) if side == "left" else (right, left)
    reason = f"{limb}s move by {left:.2f} m left, {right:.2f} m right"
    if max(own, other) < 0.03:
        return Label.MISMATCH, reason
    if own >= 1.15 * other:
        return Label.MATCH, reason
    return (Label.PARTIAL if own >= other / 1.15 else Label.MISMATCH), reason


def _activity(scene: Scene, limb: str) -> tuple[float, float]:
    body = scene.body
    if limb == "leg":
        high = np.quantile(body.clear, 0.97, axis=0)
        return float(high[0]), float(high[1])
    ranges = [
        float(np.hypot.reduce([swing_range(body.reach[:, hand, a]) for a in range(3)]))
        for hand in (0, 1)
    ]
    return ranges[0], ranges[1]


def way_label(
    scene: Scene, deeds: Sequence[Deed], way: str, *, contrary_too: bool
) -> tuple[Label, str, bool]:
    """Label, reason, and whether it went the opposite way."""
    amounts = _amounts(scene, deeds, bends=way in ("left", "right"))
    reason = ", ".join(f"{k} {v:.2f} m" for k, v in amounts.items())
    lateral = amounts["left"] + amounts["right"]
    along = amounts["forward"] + amounts["backward"]
    if way == "side":
        if lateral >= 0.15 and lateral >= 0.7 * along:
            return Label.MATCH, reason, False
        enough = lateral >= 0.1 and lateral >= 0.35 * along
        return (Label.PARTIAL if enough else Label.MISMATCH), reason, False
    own, other = amounts[way], amounts[OTHER[way]]
    if contrary_too:
        return (Label.MATCH if own >= 0.1 else Label.MISMATCH), reason, False
    across = lateral if way in ("forward", "backward") else 0.0
    if own >= 0.12 and own >= 1.1 * other and own >= 0.8 * across:
        return Label.MATCH, reason, False
    if own >= 0.06 and own >= 0.5 * other and own >= 0.3 * across:
        return Label.PARTIAL, reason, False
    return Label.MISMATCH, reason, bool(other >= 0.12 and other >= 1.5 * own)


def _amounts(scene: Scene, deeds: Sequence[Deed], *, bends: bool) -> dict[str, float]:
    """How far it went each way, over the deeds or over all of it."""
    total = {"forward": 0.0, "backward": 0.0, "left": 0.0, "right": 0.0}
    everywhere = [ways_between(scene, 0.0, scene.seconds)]
    for ways in [deed.ways for deed in deeds if deed.ways] or everywhere:
        for name, value in ways:
            total[name] += value
    if bends:
        for turn in scene.facts.of(Turn):
            total[turn.side] += turn.angle / 90 * _BEND
    return total


def turned_label(
    deeds: Sequence[Deed], side: str, *, contrary_too: bool
) -> tuple[Label, str, bool]:
    """The same for turns, leans and twists, whose side is where they go."""
    amount = {"left": 0.0, "right": 0.0}
    for deed in deeds:
        if deed.side in amount:
            amount[deed.side] += deed.size * (1.0 if deed.clear else 0.5)
    own, other = amount[side], amount[OTHER[side]]
    reason = f"left {amount['left']:.0f}, right {amount['right']:.0f}"
    if contrary_too:
        return (Label.MATCH if own else Label.MISMATCH), reason, False
    if own and own >= 1.03 * other:
        return Label.MATCH, reason, False
    if own and own >= 0.6 * other:
        return Label.PARTIAL, reason, False
    return Label.MISMATCH, reason, other > 0
