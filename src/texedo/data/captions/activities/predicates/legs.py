"""What the legs do: kicks, knees, stamps, jumps, lunges, stances, one leg."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    INDEX,
    at_least,
    at_most,
    by_side,
    counted,
    grade,
    held,
    sided,
    weakly,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.signals import STANDING_HEIGHT, rate, smooth
from texedo.data.events.spans import Floats, spans, turning_points
from texedo.data.events.types import (
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lunge,
    OneLeg,
    Squat,
)
from texedo.motion import FPS


def kick(
    scene: Scene, side: str = "either", way: str = "any", n: float = 0, high: float = 0
) -> float:
    """A leg swings up fast; `high` asks for the waist or higher."""
    ways = {
        "any": ("front", "side", "back", "up"),
        "front": ("front", "up"),
        "out": ("side",),
    }
    wanted = ways.get(way, (way,))
    found = [
        (one.side, one.count)
        for one in scene.facts.of(Kick)
        if one.way in wanted and (not high or one.level != "low")
    ]
    weak = 0.0 if n else weakly(leg_out(scene, way, side))
    return max(sided(found, side, n), weak)


def leg_out(scene: Scene, way: str = "any", side: str = "either") -> float:
    """A foot is well off the floor, ahead, out to its side, or behind."""
    curves = scene.signals

    def out(index: int) -> float:
        foot = curves.foot_f[:, index] - curves.hip_f[:, index]
        sign = 1.0 if index == 0 else -1.0
        ahead, side_out = foot[:, 0], foot[:, 1] * sign
        far = {
            "front": ahead,
            "out": side_out,
            "back": -ahead,
        }.get(way, np.maximum(np.maximum(ahead, side_out), -ahead))
        margin = np.minimum(far / 0.22, curves.foot_height[:, index] / 0.14)
        return held(margin, 0.08, no=0.6, yes=1.0)

    return by_side(out, side)


def leg_held(scene: Scene, way: str, side: str = "either", hold: float = 0.5) -> float:
    """The same for a while, not as a kick."""
    curves = scene.signals

    def out(index: int) -> float:
        foot = curves.foot_f[:, index] - curves.hip_f[:, index]
        sign = 1.0 if index == 0 else -1.0
        far = {"front": foot[:, 0], "out": foot[:, 1] * sign, "back": -foot[:, 0]}[way]
        margin = np.minimum(far / 0.16, curves.foot_height[:, index] / 0.10)
        return held(margin, hold, no=0.5, yes=1.0)

    return by_side(out, side)


def knee_raise(
    scene: Scene, side: str = "either", n: float = 0, min: float = 1
) -> float:
    """A knee is lifted to the hip."""
    found = [(one.side, one.count) for one in scene.facts.of(KneeRaise)]
    if n or side in INDEX:
        return sided(found, side, n)
    return max(
        grade(sum(c for _, c in found), min - 1, min),
        weakly(high_knees(scene, min), 0.6),
    )


def _knee_tops(scene: Scene, lowest: float) -> int:
    """Times that a knee comes up to `lowest` below its hip [m]."""
    curves, count = scene.signals, 0
    for index in (0, 1):
        below = curves.knee_f[:, index, 2] - curves.hip_f[:, index, 2]
        # Who squats has high knees too, but the feet stay down.
        below = np.where(curves.foot_height[:, index] > 0.05, below, -0.4)
        points = turning_points(smooth(below, 0.06), 0.06)
        count += sum(p.top and p.value > -lowest for p in points)
    return count


def high_knees(scene: Scene, min: float = 4) -> float:
    """Knees come up high, again and again."""
    sure, weak = _knee_tops(scene, 0.17), _knee_tops(scene, 0.22)
    return max(grade(sure, 0.5 * min, min), weakly(grade(weak, 0.5 * min, min)))


def lifts_feet(scene: Scene, min: float = 4, height: float = 0.07) -> float:
    """Feet come off the floor, again and again, in turns or not."""
    count = 0
    for index in (0, 1):
        points = turning_points(scene.signals.foot_height[:, index], height)
        count += sum(p.top for p in points)
    return grade(count, 0.5 * min, min)


def heels_up(scene: Scene, min: float = 3) -> float:
    """Heels swing up behind towards the seat."""
    curves, count, weak = scene.signals, 0, 0
    for index in (0, 1):
        lag = curves.foot_f[:, index, 0] - curves.knee_f[:, index, 0]
        high = np.where(lag < -0.08, curves.foot_height[:, index], 0.0)
        tops = [p.value for p in turning_points(high, 0.1) if p.top]
        count += sum(value > 0.26 for value in tops)
        weak += sum(value > 0.2 for value in tops)
    return max(grade(count, 0.4 * min, min), weakly(grade(weak, 0.4 * min, min)))


def _stamps(scene: Scene, index: int, height: float, speed: float) -> int:
    """Times that a foot is lifted and comes down fast."""
    up = smooth(scene.signals.foot_height[:, index], 0.04)
    falls = -rate(up)
    points = turning_points(up, height)
    count = 0
    for top, low in zip(points, points[1:], strict=False):
        if (
            top.top
            and low.value < 0.04
            and float(falls[top.frame : low.frame + 1].max()) > speed
        ):
            count += 1
    return count


def stomp(scene: Scene, side: str = "either", n: float = 0, min: float = 1) -> float:
    """A foot comes down hard."""

    def stamped(index: int) -> float:
        sure = _stamps(scene, index, 0.08, 0.7)
        if n:
            return counted(sure, n)
        weak = _stamps(scene, index, 0.06, 0.45)
        return max(grade(sure, min - 1, min), weakly(grade(weak, min - 1, min)))

    return by_side(stamped, side)


def taps(scene: Scene, side: str = "either", min: float = 2) -> float:
    """A foot goes up and down a little, or to and fro, while the other one stands."""

    def tapped(index: int) -> float:
        up = scene.signals.foot_height[:, index]
        count = sum(p.top for p in turning_points(up, 0.025))
        other = np.quantile(scene.signals.foot_height[:, 1 - index], 0.9)
        return float(
            np.minimum(grade(count, 0.4 * min, min), grade(-other, -0.05, -0.03))
        )

    return by_side(tapped, side)


def one_leg(scene: Scene, side: str = "either", hold: float = 1.5) -> float:
    """Stands on one leg for so long; `side` is the standing leg."""
    found = [
        one.duration
        for one in scene.facts.of(OneLeg)
        if side not in INDEX or one.side == side
    ]
    return at_least(max(found, default=0.0), hold)


def hop(scene: Scene, side: str = "either", n: float = 0) -> float:
    """Jumps on one foot."""
    found = [(one.side, one.count) for one in scene.facts.of(Hop)]
    return sided(found, side, n)


def _jumps(scene: Scene) -> list[Jump]:
    return list(scene.facts.of(Jump))


def jump(scene: Scene, n: float = 0, way: str = "any", height: float = 0.0) -> float:
    """Both feet leave the floor; with `way` most of the jumps go there."""
    found = _jumps(scene)
    if way != "any":
        sides = ("left", "right") if way == "sideways" else (way,)
        found = [
            one
            for one in found
            if one.direction and any(s in one.direction for s in sides)
        ]
    count = sum(one.count for one in found)
    high = max((one.height for one in found), default=0.0)
    own = counted(count, n) if n else grade(count, 0, 1)
    return float(np.minimum(own, grade(high, 0.5 * height, height) if height else 1.0))


def jumps(scene: Scene, min: float = 3) -> float:
    """Many of them, hops included."""
    count = sum(one.count for one in scene.facts.of(Jump))
    count += sum(one.count for one in scene.facts.of(Hop))
    return grade(count, 0.4 * min, min)


def jump_turn(scene: Scene, angle: float = 90) -> float:
    """A turn in the air."""
    turned = max((one.turn_angle for one in _jumps(scene)), default=0.0)
    return at_least(turned, angle)


def no_jump(scene: Scene) -> float:
    """Nothing leaves the floor with both feet."""
    return 1.0 - max(jump(scene), hop(scene), jacks(scene))


def feet_down(scene: Scene, max: float = 0.10) -> float:
    """No foot is lifted further than in a small step."""
    highest = float(np.quantile(scene.signals.foot_height, 0.98))
    return at_most(highest, max)


def jacks(scene: Scene, n: float = 0) -> float:
    """Jumping jacks."""
    return counted(sum(one.count for one in scene.facts.of(JumpingJack)), n)


def _between_feet(scene: Scene) -> Floats:
    return np.asarray(scene.signals.foot_f[:, 0] - scene.signals.foot_f[:, 1])


def feet_apart(scene: Scene, min: float = 0.4, hold: float = 0.4) -> float:
    """Feet that far apart on the floor, in any direction [m]."""
    gap = np.where(
        scene.signals.contact.all(axis=1), np.hypot(*_between_feet(scene)[:, :2].T), 0.0
    )
    return held(gap, hold, no=0.7 * min, yes=min)


def feet_wide(scene: Scene, min: float = 0.4, hold: float = 0.5) -> float:
    """The same to the sides."""
    gap = np.where(scene.signals.contact.all(axis=1), _between_feet(scene)[:, 1], 0.0)
    return held(gap, hold, no=0.7 * min, yes=min)


def feet_split(
    scene: Scene, min: float = 0.35, hold: float = 0.4, side: str = "either"
) -> float:
    """One foot ahead of the other on the floor; `side` is the front one."""
    ahead = np.where(scene.signals.contact.all(axis=1), _between_feet(scene)[:, 0], 0.0)
    own = {"left": ahead, "right": -ahead}.get(side, np.abs(ahead))
    return held(own, hold, no=0.6 * min, yes=min)


def feet_close(scene: Scene, max: float = 0.26) -> float:
    """Feet next to each other most of the time [m]."""
    gap = np.hypot(*_between_feet(scene)[:, :2].T)
    return at_most(float(np.median(gap)), max, margin=0.4)


def feet_cross(scene: Scene, min: float = 1) -> float:
    """One foot passes over to the other's side."""
    over = -_between_feet(scene)[:, 1]
    count = len(spans(over > -0.02, min_seconds=0.06, max_gap=0.1))
    weak = len(spans(over > -0.07, min_seconds=0.06, max_gap=0.1))
    return max(grade(count, min - 1, min), weakly(grade(weak, min - 1, min)))


def feet_open_close(scene: Scene, min: float = 2) -> float:
    """Feet go apart to the sides and together again."""
    points = turning_points(smooth(_between_feet(scene)[:, 1], 0.08), 0.12)
    return grade(sum(p.top for p in points), 0.4 * min, min)


def lunge(scene: Scene, side: str = "either", n: float = 0) -> float:
    """A long step with the front knee bent; `side` is the front leg."""
    found = [(one.side, one.count) for one in scene.facts.of(Lunge)]
    low = scene.signals.height / STANDING_HEIGHT
    weak = 0.0
    if not n:
        weak = weakly(
            min(feet_split(scene, 0.36, 0.2, side), held(low, 0.2, no=0.96, yes=0.90))
        )
    return max(sided(found, side, n), weak)


def kneel(scene: Scene, side: str = "either") -> float:
    """A knee goes to the floor; `side` is that knee."""
    knees = scene.signals.knee_f[:, :, 2]

    def down(index: int) -> float:
        return held(knees[:, index], 0.4, no=0.20, yes=0.12)

    sides = [one.side for one in scene.facts.of(Kneel)]
    if side not in INDEX and sides:
        return 1.0 if side != "both" or "both" in sides else by_side(down, "both")
    return by_side(down, side)


def squat(scene: Scene, n: float = 0, depth: float = 0.2) -> float:
    """The hips go down by bending the knees and come up again."""
    found = [one for one in scene.facts.of(Squat)]
    count = sum(one.count for one in found)
    deep = max((one.depth for one in found), default=0.0)
    own = counted(count, n) if n else grade(count, 0, 1)
    return float(np.minimum(own, grade(deep, 0.7 * depth, depth)))


def limps(scene: Scene, side: str = "either") -> float:
    """One foot, that of the `side`, stands for much shorter than the other."""
    if scene.path < 0.5:
        return 0.0
    share = scene.signals.stance.mean(axis=0)
    longer = float(share[1] - share[0])
    uneven = {"left": longer, "right": -longer}.get(side, abs(longer))
    return grade(uneven, 0.03, 0.09)


def tiptoe(scene: Scene, hold: float = 0.6) -> float:
    """Soles are steep while they touch the floor: heels up."""
    curves = scene.signals
    steep = 2.0 * (curves.foot_w[..., 2] - curves.foot_height)
    standing = curves.foot_height < 0.05
    lowest = np.where(standing, steep, 1.0).min(axis=1)
    on_floor = np.where(standing.any(axis=1), lowest, 0.0)
    return held(
        on_floor, float(np.maximum(hold, 0.4 * scene.seconds)), no=0.02, yes=0.05
    )


def seconds(scene: Scene, min: float = 0.0, max: float = 99.0) -> float:
    """How long the motion is [s]."""
    length = len(scene) / FPS
    low = at_least(length, min, margin=0.2) if min > 0 else 1.0
    return float(np.minimum(low, at_most(length, max, margin=0.3)))
