"""Deeds of the arms: raising, reaching, waving, clapping, punching, throwing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from texedo.data.events import (
    ArmRaise,
    Clap,
    Event,
    Gesture,
    HandOnHip,
    HandToHead,
    Punch,
    Wave,
)
from texedo.evaluation.judges.kinematic.looks.trunk import bow
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.understanding.body import Floats, rate, smooth
from texedo.evaluation.understanding.judges import arms, hands
from texedo.evaluation.understanding.spans import swing_range, times_high
from texedo.motion import FPS

_SIDES = ("left", "right")
_USUAL_HAND = 1.2
"""Peak speed of a hand that is raised at ease [m/s]."""
_BUSY = 0.6
"""A gesturing hand is faster than one that swings along with a walk [m/s]."""
_HANGING = -0.25
"""Palms below the shoulders by this much or more hang down [m]."""
_OUTWARD = np.array([1.0, -1.0])


def by_hand(
    curve: Floats, clear: float, like: float, *, seconds: float = 0.1
) -> list[Deed]:
    """Stretches in which each column, (T, 2), is high; both where they overlap.

    `clear` is the height that leaves no doubt, `like` what still resembles it.
    """
    found: list[Deed] = []
    for hand, side in enumerate(_SIDES):
        own = curve[:, hand]
        step = abs(clear - like)
        for first, last in times_high(own, like, like - step, seconds=seconds):
            top = float(own[first:last].max())
            found.append(
                Deed(
                    start=first / FPS,
                    end=last / FPS,
                    side=side,
                    clear=top >= clear,
                    size=(last - first) / FPS,
                    count=1,
                )
            )
    return found + _both(found)


def _both(deeds: Sequence[Deed]) -> list[Deed]:
    """What the two sides do at the same time."""
    found = []
    for a in deeds:
        for b in deeds:
            shared = min(a.end, b.end) - max(a.start, b.start)
            longer = max(a.end - a.start, b.end - b.start)
            if a.side == "left" and b.side == "right" and shared > 0.5 * longer:
                found.append(
                    Deed(
                        start=min(a.start, b.start),
                        end=max(a.end, b.end),
                        side="both",
                        clear=a.clear and b.clear,
                        level=a.level,
                        size=a.size + b.size,
                        count=1,
                    )
                )
    return found


def _events(scene: Scene, *kinds: type[Event]) -> list[Deed]:
    """Events with a side, as deeds."""
    return [
        Deed(
            start=e.start,
            end=e.end,
            side=getattr(e, "side", None),
            count=getattr(e, "count", None),
            level=getattr(e, "level", None),
            size=e.duration,
        )
        for kind in kinds
        for e in scene.facts.of(kind)
    ]


def _pace(scene: Scene, deeds: list[Deed]) -> list[Deed]:
    """With the speed of the hands in them."""
    speed = np.linalg.norm(rate(smooth(scene.body.reach, 0.1)), axis=-1).max(axis=1)
    out = []
    for deed in deeds:
        first = max(round((deed.start - 0.4) * FPS), 0)
        part = speed[first : max(round((deed.end + 0.4) * FPS), first + 1)]
        out.append(replace(deed, pace=float(np.quantile(part, 0.95)) / _USUAL_HAND))
    return out


def arm_up(scene: Scene) -> list[Deed]:
    """A hand is raised."""
    found = [
        d for d in _events(scene, ArmRaise, Wave, HandToHead) if d.level != "waist"
    ]
    body = scene.body
    above = body.palm_f[..., 2] - body.shoulder_f[..., 2]
    curves = by_hand(np.asarray(above), -0.10, -0.20)
    have = {deed.side for deed in found}
    found += [_levelled(scene, deed) for deed in curves if deed.side not in have]
    return _pace(scene, found)


def _levelled(scene: Scene, deed: Deed) -> Deed:
    """With the height that the hand reaches."""
    body, part = scene.body, slice(round(deed.start * FPS), round(deed.end * FPS))
    pick = {"left": [0], "right": [1]}.get(deed.side or "", [0, 1])
    palm = body.palm_f[part][:, pick, 2].min(axis=1)
    top = float(np.quantile(palm, 0.9))
    head = float(body.head_f[part, 2].mean())
    shoulder = float(body.shoulder_f[part][..., 2].mean())
    if top > head + 0.1:
        level = "overhead"
    elif top > head - 0.12:
        level = "head"
    else:
        level = "shoulder" if top > shoulder - 0.08 else "chest"
    return replace(deed, level=level)


def arm_out(scene: Scene) -> list[Deed]:
    """Held out to the side."""
    body = scene.body
    ahead, aside, up = np.moveaxis(body.palm_f - body.shoulder_f, -1, 0)
    out = (
        aside * _OUTWARD - np.maximum(np.abs(up) - 0.22, 0) - np.maximum(ahead - 0.2, 0)
    )
    return by_hand(np.asarray(out), 0.26, 0.18)


def arm_front(scene: Scene) -> list[Deed]:
    """Held out in front."""
    body = scene.body
    ahead = body.palm_f[..., 0] - body.shoulder_f[..., 0]
    low = np.maximum(body.height[:, None] + 0.06 - body.palm_f[..., 2], 0)
    deeds = by_hand(np.asarray(ahead - 2 * low), 0.29, 0.22)
    # Who points to the side reaches out as well.
    have = {deed.side for deed in deeds}
    deeds += [deed for deed in arm_out(scene) if deed.side not in have]
    return _pace(scene, [_levelled(scene, deed) for deed in deeds])


def arm_reach(scene: Scene) -> list[Deed]:
    """Held out, in front or to the side."""
    found = arm_front(scene) + arm_out(scene)
    return [deed for deed in found if deed.clear] or found


def arm_down(scene: Scene) -> list[Deed]:
    """A hand that comes down."""
    body = scene.body
    height = smooth(body.palm_f[..., 2] - body.shoulder_f[..., 2], 0.2)
    found: list[Deed] = []
    for hand, side in enumerate(_SIDES):
        top = int(height[:, hand].argmax())
        fall = float(height[top, hand] - height[top:, hand].min())
        if fall >= 0.12:
            low = top + int(height[top:, hand].argmin())
            found.append(
                Deed(
                    start=top / FPS,
                    end=low / FPS,
                    side=side,
                    clear=fall >= 0.22,
                    size=fall,
                )
            )
    if not found and float(np.quantile(height, 0.8)) < _HANGING:
        return [scene.throughout(side="both")]
    return found + _both(found)


def arm_low(scene: Scene) -> list[Deed]:
    """A hand that hangs down for a while."""
    above = scene.body.palm_f[..., 2] - scene.body.shoulder_f[..., 2]
    return by_hand(-above, -_HANGING, 0.2, seconds=0.5)


def hand_head(scene: Scene) -> list[Deed]:
    found = _events(scene, HandToHead)
    gap = np.linalg.norm(scene.body.palm_f - scene.body.head_f[:, None], axis=-1)
    have = {deed.side for deed in found}
    near = by_hand(-gap, -0.24, -0.30)
    return found + [deed for deed in near if deed.side not in have]


def hand_face(scene: Scene) -> list[Deed]:
    gap = np.linalg.norm(scene.body.palm_f - scene.body.head_f[:, None], axis=-1)
    behind = np.maximum(-scene.body.palm_f[..., 0], 0)
    return by_hand(-gap - behind, -0.25, -0.31)


def hand_hip(scene: Scene) -> list[Deed]:
    found = _events(scene, HandOnHip)
    for side in ("left", "right", "both"):
        if not found and hands.hands_to(
            scene.body, where="hips", side=side, seconds=0.4
        ):
            found = [scene.throughout(side=side)]
    if found:
        return found
    body = scene.body
    outward = body.palm_f[..., 1] * _OUTWARD
    elbow = body.elbow_f[..., 1] * _OUTWARD - outward
    level = np.abs(body.palm_f[..., 2] - body.height[:, None] - 0.08)
    near = np.minimum(elbow, 0.1) - level - np.abs(outward - 0.17)
    return by_hand(np.asarray(near), 0.04, 0.0, seconds=0.4)


def hand_chest(scene: Scene) -> list[Deed]:
    """A palm before the trunk."""
    palm, height = scene.body.palm_f, scene.body.height[:, None]
    off = np.maximum(np.abs(palm[..., 1]) - 0.12, 0) + np.maximum(
        palm[..., 0] - 0.26, 0
    )
    off += np.maximum(height + 0.05 - palm[..., 2], 0)
    off += np.maximum(palm[..., 2] - height - 0.42, 0)
    return by_hand(-off, -0.01, -0.04, seconds=0.3)


def wave(scene: Scene) -> list[Deed]:
    found = _events(scene, Wave)
    if not found:
        for side in _SIDES:
            if arms.wave(scene.body, side=side):  # type: ignore[arg-type]
                found.append(scene.throughout(side=side))
        if not found and arms.wave(scene.body):
            found.append(scene.throughout(side="both"))
    if not found:
        up = any(deed.clear for deed in arm_up(scene))
        found = [_less(deed) for deed in gesture(scene) if deed.clear and up]
    return _pace(scene, found)


def _less(deed: Deed) -> Deed:
    return replace(deed, clear=False, count=None)


def greet(scene: Scene) -> list[Deed]:
    """A wave, a salute or a raised hand; who bows greets too."""
    found = wave(scene) + hand_head(scene) + bow(scene)
    return found or arm_up(scene)


def clap(scene: Scene) -> list[Deed]:
    found = _events(scene, Clap)
    for near, clear in ((0.13, True), (0.20, False)):
        if not found and arms.clap(scene.body, near=near):
            found = [scene.throughout(clear=clear)]
    return _pace(scene, found)


def punch(scene: Scene) -> list[Deed]:
    found = _events(scene, Punch)
    if not found:
        found = _blows(scene)
    # Hooks go round, not ahead.
    found = found or [_less(deed) for deed in throw(scene)]
    return _pace(scene, found)


def _blows(scene: Scene) -> list[Deed]:
    """Fast stretches of a hand, where the rule for punches sees some."""
    body = scene.body
    for above, clear in ((1.5, True), (1.0, False)):
        if not arms.punch(body, above=above):
            continue
        speed = np.linalg.norm(rate(smooth(body.reach, 0.1)), axis=-1)
        found = by_hand(np.asarray(speed), above, 0.8 * above, seconds=0.06)
        blows = [replace(deed, clear=clear) for deed in found if deed.side != "both"]
        return blows or [scene.throughout(clear=clear)]
    return []


def throw(scene: Scene) -> list[Deed]:
    """A hand that goes ahead fast."""
    velocity = rate(smooth(scene.body.palm_f, 0.08))
    speed = np.linalg.norm(velocity, axis=-1)
    deeds = by_hand(np.asarray(speed), 2.4, 1.8, seconds=0.04)
    return _strongest(deeds, speed)


def _strongest(deeds: list[Deed], speed: Floats) -> list[Deed]:
    """Only those of the busier hand where it is clearly so: the other one balances."""
    left, right = np.quantile(speed, 0.98, axis=0)
    if max(left, right) < 1.15 * min(left, right):
        return deeds
    side = "left" if left > right else "right"
    return [deed for deed in deeds if deed.side == side]


def swing(scene: Scene) -> list[Deed]:
    """Hands that sweep round fast, as with a bat."""
    if arms.swing(scene.body):
        return [scene.throughout()]
    return [_less(deed) for deed in throw(scene)]


def push(scene: Scene) -> list[Deed]:
    if arms.push(scene.body):
        return [scene.throughout(side="both")]
    return [_less(deed) for deed in arm_front(scene)]


def flap(scene: Scene) -> list[Deed]:
    """Both arms up and down, again and again."""
    if arms.flap(scene.body):
        return [scene.throughout(side="both")]
    return [_less(deed) for deed in arm_out(scene) if deed.clear]


def pick(scene: Scene) -> list[Deed]:
    """A hand near the floor."""
    return by_hand(-scene.body.palm_f[..., 2], -0.40, -0.55, seconds=0.06)


def arm_swing(scene: Scene) -> list[Deed]:
    """Arms that swing along, or one that is swung."""
    if arms.arms_swing(scene.body):
        return [scene.throughout()]
    return gesture(scene)


def gesture(scene: Scene) -> list[Deed]:
    """Hands that move about beyond the swing of a walk."""
    found = _events(scene, Wave, Punch, Clap)
    found += [
        Deed(start=e.start, end=e.end, side=e.side, size=e.duration)
        for e in scene.facts.of(Gesture)
        if e.speed >= _BUSY
    ]
    if found:
        return found
    ranges = [
        max(swing_range(scene.body.reach[:, hand, axis]) for axis in range(3))
        for hand in (0, 1)
    ]
    widest = max(ranges)
    if widest < 0.25:
        return []
    side = "both"
    if max(ranges) > 1.6 * min(ranges):
        side = _SIDES[int(np.argmax(ranges))]
    return [scene.throughout(side=side, clear=widest >= 0.5, size=widest)]
