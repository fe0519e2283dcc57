"""Where the body goes, how fast, and along what path."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    at_least,
    at_most,
    counted,
    grade,
    weakly,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.signals import smooth
from texedo.data.events.spans import Floats, spans, turning_points
from texedo.data.events.types import Circle, Travel
from texedo.motion import FPS

_WAYS = {
    "forward": (1.0, 0.0),
    "backward": (-1.0, 0.0),
    "left": (0.0, 1.0),
    "right": (0.0, -1.0),
    "forward-left": (0.7071, 0.7071),
    "forward-right": (0.7071, -0.7071),
    "backward-left": (-0.7071, 0.7071),
    "backward-right": (-0.7071, -0.7071),
}
_SHARE_NO, _SHARE_YES = 0.5, 0.72
"""Part of the ground covered that goes the way asked for."""
_NEAR, _NEAR_SHARE = 0.15, 0.2
"""How far off a distance may be: so many metres, or so much of it."""
_LEG = 0.35
"""A way back that is shorter than this is a step to find one's feet [m]."""
_BEND = 38.0
"""Change of a path's direction that one sees [degrees]."""


def travel(scene: Scene, way: str = "any", min: float = 0.6) -> float:
    """It covers at least `min` metres, most of them in one direction of the facing."""
    if way == "any":
        return at_least(scene.path, min, margin=0.5)
    if way.endswith("-either"):
        stem = way.removesuffix("either")
        return max(travel(scene, f"{stem}{side}", min) for side in ("left", "right"))
    if way in ("sideways", "either"):
        along = float(np.abs(scene.velocity[:, 1]).sum()) / FPS
    else:
        along = float(np.maximum(_toward(scene, way), 0.0).sum()) / FPS
    share = grade(along / max(scene.path, 0.1), _SHARE_NO, _SHARE_YES)
    return float(np.minimum(at_least(along, min, margin=0.5), share))


def covers(scene: Scene, way: str = "any", distance: float = 1.0) -> float:
    """It gets `distance` metres ahead one way of the facing, a fifth more or less."""
    near = max(_NEAR, _NEAR_SHARE * distance)
    gone = scene.path
    if way == "sideways":
        gone = abs(float(scene.velocity[:, 1].sum())) / FPS
    elif way != "any":  # What is lost again is taken off.
        gone = max(float(_toward(scene, way).sum()) / FPS, 0.0)
    right = at_most(abs(gone - distance), near, margin=1.0)
    if way == "any":
        return right
    share = grade(gone / max(scene.path, 0.1), _SHARE_NO, _SHARE_YES)
    return float(np.minimum(right, share))


def _toward(scene: Scene, way: str) -> Floats:
    """Speed that way of the facing, frame by frame."""
    return np.asarray(scene.velocity @ np.array(_WAYS[way]))


def stay(scene: Scene, max: float = 0.5) -> float:
    """It never gets further than `max` from where it began."""
    return at_most(scene.away, max, margin=1.2)


def rest_feet(scene: Scene, max: float = 0.7) -> float:
    """All ground covered together is at most `max`; no from three times as much."""
    return at_most(scene.path, max, margin=2.2)


def planted(scene: Scene) -> float:
    """No step at all."""
    return grade(-float(scene.facts.steps), -2.5, -0.5)


def pace(scene: Scene, min: float = 0.0, max: float = 9.0) -> float:
    """Mean speed while it goes anywhere [m/s]; 0.5 is a usual walk of the robot."""
    moving = scene.speed[scene.speed > 0]
    if len(moving) < 10:
        return 0.0
    mean = float(moving.mean())
    low = at_least(mean, min, margin=0.25) if min > 0 else 1.0
    return float(np.minimum(low, at_most(mean, max, margin=0.3)))


def run(scene: Scene) -> float:
    """Running: flights between the steps, or a speed that nobody walks."""
    found = [one for one in scene.facts.of(Travel) if one.gait == "run"]
    distance = sum(one.distance for one in found)
    fast = float(np.sort(scene.speed)[-min(25, len(scene)) :].mean())
    return max(grade(distance, 0.4, 1.2), weakly(grade(fast, 1.3, 1.8), 0.6))


def walk(scene: Scene, way: str = "any", min: float = 0.7) -> float:
    """Travel that is no run; hips that only shift make no steps."""
    limits = float(np.minimum(1.0 - run(scene), grade(scene.facts.steps, 0, 2)))
    gone = travel(scene, way, min)
    return gone if limits >= 1.0 else float(np.minimum(gone, limits))


def straight(scene: Scene) -> float:
    """The path is a line."""
    if scene.path < 0.4:
        return 0.0
    ends = scene.signals.path_w[-1] - scene.signals.path_w[0]
    return grade(float(np.hypot(*ends)) / scene.path, 0.82, 0.94)


def _headings(scene: Scene) -> Floats:
    """Direction of the path in the world while it moves, unwrapped [degrees]."""
    step = np.gradient(smooth(scene.signals.path_w, 0.3), axis=0) * FPS
    moving = np.hypot(*step.T) > 0.15
    return np.asarray(
        np.degrees(np.unwrap(np.arctan2(step[moving, 1], step[moving, 0])))
    )


def curve(scene: Scene, side: str = "either", min: float = 45.0) -> float:
    """The path bends by at least `min` degrees to one side."""
    heading = _headings(scene)
    if len(heading) < 25 or scene.path < 0.6:
        return 0.0
    net = float(heading[-1] - heading[0])
    bent = {"left": net, "right": -net}.get(side, abs(net))
    return at_least(bent, min)


def circle(scene: Scene, side: str = "either", min: float = 1.0) -> float:
    """The path goes round in a loop, `min` times."""
    for one in scene.facts.of(Circle):
        if side not in ("left", "right") or one.side == side:
            return at_least(one.laps, 0.75 * min)
    bent = curve(scene, side, 300.0 * min)
    back = at_most(_gap(scene), 0.35 * max(scene.path, 0.1))
    return float(np.minimum(bent, back))


def _gap(scene: Scene) -> float:
    """First to last place [m]."""
    ends = scene.signals.path_w[-1] - scene.signals.path_w[0]
    return float(np.hypot(*ends))


def zigzag(scene: Scene, min: float = 3) -> float:
    """The path's direction swings from side to side."""
    heading = _headings(scene)
    if len(heading) < 40 or scene.path < 0.9:
        return 0.0
    line = np.linspace(heading[0], heading[-1], len(heading))
    drift = grade(-abs(float(heading[-1] - heading[0])), -200.0, -110.0)
    swings = len(turning_points(heading - line, _BEND)) - 1
    onward = grade(_gap(scene) / scene.path, 0.15, 0.3)
    return float(np.min([grade(swings, min - 2, min), drift, onward]))


def weaves(scene: Scene, min: float = 3, size: float = 0.12) -> float:
    """The path strays from its line to one side and to the other [m]."""
    path = scene.signals.path_w - scene.signals.path_w[0]
    ends = path[-1]
    length = float(np.hypot(*ends))
    if length < 0.6:
        return 0.0
    off = (path[:, 1] * ends[0] - path[:, 0] * ends[1]) / length
    return grade(len(turning_points(off, size)) - 1, min - 2, min)


def eight(scene: Scene) -> float:
    """A path that goes round one way and then the other."""
    heading = _headings(scene)
    if len(heading) < 60 or scene.path < 1.5:
        return 0.0
    both = [np.ptp(half) for half in np.array_split(heading, 2)]
    low, high = float(heading.min() - heading[0]), float(heading.max() - heading[0])
    swing = grade(float(np.min([*both, high - low])), 110.0, 200.0)
    ends = grade(-abs(float(heading[-1] - heading[0])), -200.0, -120.0)
    return float(np.minimum(swing, ends))


def _along(scene: Scene) -> Floats:
    """The path along the line on which it goes furthest, (T,) [m]."""
    path = scene.signals.path_w - scene.signals.path_w.mean(axis=0)
    _, axes = np.linalg.eigh(path.T @ path)
    return np.asarray(path @ axes[:, -1])


def back_and_forth(scene: Scene, min: float = 2) -> float:
    """It goes one way and comes back, `min` ways in all."""
    legs = len(turning_points(_along(scene), _LEG)) - 1
    return grade(legs, min - 1.5, min)


def side_to_side(scene: Scene, min: float = 2) -> float:
    """The same to its own left and right, by steps."""
    lateral = np.cumsum(scene.velocity[:, 1]) / FPS
    share = travel(scene, "sideways", 0.4)
    legs = len(turning_points(lateral, 0.18)) - 1
    return float(np.minimum(grade(legs, min - 1.5, min), share))


def comes_back(scene: Scene) -> float:
    """It goes away and ends where it began."""
    return float(
        np.minimum(at_least(scene.away, 0.6), at_most(_gap(scene), 0.45 * scene.away))
    )


def speeds_up(scene: Scene) -> float:
    """Faster at the end than at the beginning."""
    first, *_, last = (float(part.mean()) for part in np.array_split(scene.speed, 3))
    return float(
        np.minimum(grade(last / max(first, 0.1), 1.15, 1.6), grade(last, 0.3, 0.6))
    )


def slows_down(scene: Scene) -> float:
    """Slower at the end."""
    first, *_, last = (float(part.mean()) for part in np.array_split(scene.speed, 3))
    return float(
        np.minimum(grade(first / max(last, 0.1), 1.3, 2.0), grade(first, 0.3, 0.6))
    )


def pauses(scene: Scene, min: float = 1) -> float:
    """Stops between stretches of travel."""
    moving = spans(scene.speed > 0.2, min_seconds=0.4, max_gap=0.2)
    gaps = sum(
        (b.start - a.stop) / FPS > 0.45
        for a, b in zip(moving, moving[1:], strict=False)
    )
    return grade(gaps, min - 1, min)


def stops(scene: Scene) -> float:
    """It goes somewhere and stands at the end."""
    tail = scene.speed[-max(len(scene) // 6, 15) :]
    return float(
        np.minimum(at_most(float(tail.mean()), 0.12), at_least(scene.path, 0.5))
    )


def steps(scene: Scene, n: float = 0, min: float = 1) -> float:
    """Foot contacts that begin within it; one more or fewer is perhaps."""
    count = scene.facts.steps
    if not n:
        return grade(count, 0.5 * min, min)
    return counted(count, n) if abs(count - n) != 1 else 0.5


def staggers(scene: Scene) -> float:
    """Sways and strays like someone who is dizzy."""
    tilt = turning_points(scene.signals.tilt, 9.0)
    lateral = turning_points(scene.velocity[:, 1], 0.25)
    wild = max(len(tilt), len(lateral)) - 1
    uneven = grade(float(np.std(scene.speed)), 0.08, 0.2)
    return float(np.minimum(grade(wild, 1.5, 4), uneven))


def moves_on(scene: Scene) -> float:
    """It goes on to the end and never stands in between."""
    slow = float((scene.speed < 0.12).mean())
    return grade(-slow, -0.3, -0.12)


def quick_steps(scene: Scene, min: float = 2.6) -> float:
    """Feet that come off the floor so often while they do [1/s]."""
    return at_least(_step_rate(scene), min, margin=0.5)


def slow_steps(scene: Scene, max: float = 1.6) -> float:
    """Feet that come off the floor no more often than that while they do [1/s]."""
    return at_most(_step_rate(scene), max, margin=0.8)


def _step_rate(scene: Scene) -> float:
    """Foot lifts per second, from the first to the last of them."""
    lifts = sorted(
        point.frame
        for foot in scene.signals.foot_height.T
        for point in turning_points(foot, 0.03)
        if point.top
    )
    if len(lifts) < 2:
        return 0.0
    return float((len(lifts) - 1) * FPS / np.maximum(lifts[-1] - lifts[0], 10))
