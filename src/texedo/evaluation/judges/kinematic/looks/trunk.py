"""Deeds of hips and trunk: squatting, bowing, leaning, twisting."""

from __future__ import annotations

import numpy as np

from texedo.data.events import (
    Bow,
    Crouch,
    JumpingJack,
    Kneel,
    Lean,
    Lunge,
    Squat,
    Stoop,
    Twist,
)
from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.understanding.body import smooth
from texedo.evaluation.understanding.judges import legs, trunk
from texedo.evaluation.understanding.spans import Span, reversals, times_high
from texedo.motion import FPS


def squat(scene: Scene) -> list[Deed]:
    """The hips go down and come up."""
    found = [
        Deed(start=e.start, end=e.end, count=e.count, size=e.depth)
        for e in scene.facts.of(Squat)
    ]
    return found or low(scene)


def down(scene: Scene) -> list[Deed]:
    """The hips go down or the trunk bends, as somebody ducks."""
    found = squat(scene) + bow(scene)
    return [deed for deed in found if deed.clear] or found


def low(scene: Scene) -> list[Deed]:
    """The hips are low for a while."""
    events = [*scene.facts.of(Crouch), *scene.facts.of(Kneel), *scene.facts.of(Squat)]
    found = [Deed(start=e.start, end=e.end) for e in events]
    drop = scene.body.tall - scene.body.height
    for by, clear in ((0.10, True), (0.05, False)):
        if not found:
            found = [_timed(s, clear=clear) for s in times_high(drop, by, by * 0.7)]
    if not found and scene.facts.lowest < 0.86:
        found = [scene.throughout()]
    return found


def rise(scene: Scene) -> list[Deed]:
    """Higher, or straighter, than a moment before."""
    body = scene.body
    up = np.maximum(
        (body.height - body.height.min()) / 0.08, (body.lean.max() - body.lean) / 20
    )
    after = max(int(body.height.argmin()), 0), max(int(body.lean.argmax()), 0)
    gain = max(
        float(body.height[after[0] :].max() - body.height.min()) / 0.08,
        float(body.lean.max() - body.lean[after[1] :].min()) / 20,
    )
    if gain >= 0.9:
        end = max((int(np.flatnonzero(up >= up.max() * 0.9)[-1]) + 1) / FPS, 0.1)
        return [Deed(start=max(end - 1.0, 0.0), end=end, clear=gain >= 1.5)]
    return []


def lunge(scene: Scene) -> list[Deed]:
    found = [
        Deed(start=e.start, end=e.end, side=e.side, count=e.count)
        for e in scene.facts.of(Lunge)
    ]
    if found:
        return found
    body = scene.body
    ahead = body.sole_f[:, 0, 0] - body.sole_f[:, 1, 0]
    deep = body.tall - body.height >= 0.03
    for side, apart in (("left", ahead), ("right", -ahead)):
        spans = times_high(np.where(deep, apart, 0.0), 0.33, 0.26, seconds=0.15)
        found += [_timed(span, clear=False, side=side) for span in spans]
    return found


def kneel(scene: Scene) -> list[Deed]:
    found = [Deed(start=e.start, end=e.end, side=e.side) for e in scene.facts.of(Kneel)]
    if not found and trunk.kneel(scene.body):
        found = [scene.throughout()]
    if not found:
        found = [scene.throughout(clear=False)] if scene.facts.lowest < 0.6 else []
    return found


def jacks(scene: Scene) -> list[Deed]:
    found = [
        Deed(start=e.start, end=e.end, count=e.count)
        for e in scene.facts.of(JumpingJack)
    ]
    if not found and legs.jacks(scene.body, at_least=1):
        found = [scene.throughout(clear=legs.jacks(scene.body, at_least=2))]
    return found


def bow(scene: Scene) -> list[Deed]:
    """The trunk bends forward."""
    found = [
        Deed(start=e.start, end=e.end, count=e.count, angle=e.angle, size=e.angle)
        for e in scene.facts.of(Bow)
    ]
    found += [
        Deed(start=e.start, end=e.end, size=e.angle) for e in scene.facts.of(Stoop)
    ]
    if found:
        return found
    lean = scene.body.lean - np.clip(np.quantile(scene.body.lean, 0.1), -10, 10)
    return [
        _timed(span, clear=bool(lean[slice(*span)].max() >= 22))
        for span in times_high(lean, 14.0, 8.0)
    ]


def stoop(scene: Scene) -> list[Deed]:
    """The trunk is bent forward for long."""
    found = [Deed(start=e.start, end=e.end) for e in scene.facts.of(Stoop)]
    if found:
        return found
    usual = float(np.quantile(scene.body.lean, 0.6))
    return [scene.throughout(clear=usual >= 14)] if usual >= 7 else []


def lean_back(scene: Scene) -> list[Deed]:
    for angle, clear in ((13.0, True), (8.0, False)):
        if trunk.lean(scene.body, to="backward", angle=angle):
            return [scene.throughout(clear=clear)]
    return []


def lean(scene: Scene) -> list[Deed]:
    """The trunk tilts to a side."""
    found = [
        Deed(start=e.start, end=e.end, side=e.side, angle=e.angle, size=e.angle)
        for e in scene.facts.of(Lean)
    ]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        if any(deed.side == side for deed in found):
            continue
        tilt = sign * scene.body.tilt
        found += [
            _timed(
                span,
                side=side,
                clear=bool(tilt[slice(*span)].max() >= 13),
                size=float(tilt[slice(*span)].max()),
            )
            for span in times_high(tilt, 8.0, 5.0, seconds=0.15)
        ]
    return found


def twist(scene: Scene) -> list[Deed]:
    """The chest turns against the hips or the feet."""
    found: list[Deed] = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        turned = sign * scene.body.twist
        found += [
            _timed(
                span,
                side=side,
                clear=bool(turned[slice(*span)].max() >= 22),
                size=float(turned[slice(*span)].max()),
            )
            for span in times_high(turned, 14.0, 9.0, seconds=0.1)
        ]
    if not found:
        found = [
            Deed(start=e.start, end=e.end, count=e.count) for e in scene.facts.of(Twist)
        ]
    return found


def sway(scene: Scene) -> list[Deed]:
    if reversals(smooth(scene.body.tilt, 0.2), 11.0) >= 2:
        return [scene.throughout()]
    return [scene.throughout(clear=False)] if trunk.sway(scene.body) else []


def _timed(span: Span, **about: object) -> Deed:
    first, last = span
    return Deed(start=first / FPS, end=last / FPS, **about)  # type: ignore[arg-type]
