"""How often, how far, how high, how fast: numbers of a prompt against those measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from texedo.evaluation.judges.kinematic.found import Found, beyond
from texedo.evaluation.judges.kinematic.scene import Deed, Scene, Window
from texedo.evaluation.judges.protocol import Label
from texedo.evaluation.understanding.judges.travel import in_place
from texedo.motion import FPS

LEVELS = ("waist", "chest", "shoulder", "head", "overhead")
"""How high a hand gets."""
_ABOVE = (-0.32, -0.15, 0.0, 0.22, 0.38)
"""The same over the shoulders [m]."""
_SPOT, _NEAR = 0.5, 0.8
"""Who stays within the first is on one spot; within the second nearly so [m]."""


def _by(off: float, clear: float, near: float, reason: str) -> Found:
    """A label by how far off something is; the closer the better its grade."""
    if off <= clear:
        return Found(Label.MATCH, reason, grade=1.0 - off / max(clear, 1e-6))
    if off <= near:
        return Found(
            Label.PARTIAL, reason, grade=1.0 - 2.0 * (off - clear) / (near - clear)
        )
    return Found(Label.MISMATCH, reason)


def count_label(deeds: Sequence[Deed], wanted: int | None, *, loose: bool) -> Found:
    """A number, or several where none is given; `loose`: one more or less is as good."""
    counts = [deed.count for deed in deeds if deed.count is not None]
    if not counts and deeds:
        return Found(Label.UNKNOWN, "not counted")
    if not counts:
        return Found(Label.MISMATCH, "not seen")
    options = {*counts, sum(counts), len(deeds)}
    if len(deeds) > 1 and all(count == 1 for count in counts):
        # Two hands raised at once are raised once.
        options |= {sum(d.side == side for d in deeds) for side in ("left", "right")}
    reason = f"counted {sum(counts)}"
    if wanted is None:
        return Found(Label.MATCH if max(options) >= 2 else Label.PARTIAL, reason)
    off = min(abs(count - wanted) for count in options)
    if off <= int(loose):
        return Found(Label.MATCH, reason, grade=1.0 - 0.5 * off)
    near = off <= max(wanted // 3, 2 * loose)
    return Found(Label.PARTIAL if near else Label.MISMATCH, reason)


def angle_label(
    scene: Scene, deeds: Sequence[Deed], wanted: float, side: str | None
) -> Found:
    """An angle of a turn, of one of them or of all; of those to that side if one is said."""
    fitting = [deed for deed in deeds if side is None or deed.side == side] or deeds
    angles = [deed.angle for deed in fitting if deed.angle]
    net = scene.facts.turned
    if side is None or not angles or (net > 0) == (side == "left"):
        angles.append(abs(net))
    best = min(angles, key=lambda angle: abs(angle - wanted))
    tolerance = max(20.0, 0.25 * wanted)
    return _by(abs(best - wanted), tolerance, 1.5 * tolerance, f"{best:.0f} degrees")


def level_label(
    scene: Scene, deeds: Sequence[Deed], wanted: str, window: Window
) -> Found:
    """How high a hand got."""
    levels = [LEVELS.index(deed.level) for deed in deeds if deed.level in LEVELS]
    if not levels and deeds:
        return Found(Label.UNKNOWN, "not measured")
    if not levels:
        return Found(Label.MISMATCH, "not seen")
    off = min(abs(level - LEVELS.index(wanted)) for level in levels)
    reason = f"up to {LEVELS[max(levels)]}"
    label = (Label.MATCH, Label.PARTIAL, Label.MISMATCH)[min(off, 2)]
    body = scene.body
    above = (body.palm_f - body.shoulder_f)[scene.weights(window) > 0.5][..., 2]
    gap = np.abs(np.quantile(above, 0.9, axis=0) - _ABOVE[LEVELS.index(wanted)]).min()
    return Found(label, reason, grade=beyond(0.12 - float(gap), 0.12))


def place_label(scene: Scene, deeds: Sequence[Deed], window: Window) -> Found:
    """On one spot, while it is done if the prompt has other phases."""
    body = scene.body
    if window.of > 1:
        timed = [deed for deed in deeds if deed.timed] or [scene.throughout()]
        during = np.zeros(len(body), dtype=bool)
        for deed in timed:
            during[round(deed.start * FPS) : max(round(deed.end * FPS), 1)] = True
        during &= scene.weights(window) > 0.5
        frames = np.flatnonzero(during)
        if len(frames) > FPS // 5:
            body = body.part(int(frames[0]), int(frames[-1]) + 1)
    if in_place(body, within=_SPOT):
        return Found(Label.MATCH, f"stays within {_SPOT} m")
    near = in_place(body, within=_NEAR)
    return Found(Label.PARTIAL if near else Label.MISMATCH, f"leaves {_SPOT} m")


def distance_label(scene: Scene, wanted: float) -> Found:
    """Metres along the path."""
    went = scene.facts.distance
    return _by(abs(went - wanted) / wanted, 0.3, 0.6, f"{went:.1f} m")


def pace_label(deeds: Sequence[Deed], wanted: str) -> Found:
    """Fast or slow, against what is usual for the action."""
    paces = [deed.pace for deed in deeds if deed.pace is not None]
    if not paces:
        return Found(Label.UNKNOWN, "not measured")
    pace = max(paces)
    reason = f"{pace:.2f} of the usual speed"
    if wanted == "fast":
        clear, near = pace >= 1.1, pace >= 0.6
    else:
        clear, near = pace <= 0.9, pace <= 1.4
    grade = math.tanh(math.log(max(pace, 0.05)) * (1 if wanted == "fast" else -1))
    label = Label.PARTIAL if near else Label.MISMATCH
    return Found(Label.MATCH if clear else label, reason, grade=grade)
