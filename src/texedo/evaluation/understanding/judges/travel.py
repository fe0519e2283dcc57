"""Where the body goes, how fast, and which way it turns."""

from __future__ import annotations

from typing import Literal

import numpy as np

from texedo.evaluation.understanding.body import Body, Floats, rate
from texedo.evaluation.understanding.judges.common import Judge
from texedo.evaluation.understanding.spans import longest, reversals
from texedo.motion import FPS
from texedo.motion.runs import true_runs

Way = Literal["forward", "backward", "left", "right", "any"]
Turn = Literal["left", "right", "any"]
Moving = Literal["hands", "hips", "turn", "trunk"]

_MOVING = 0.12
"""A path slower than this is swaying on the spot [m/s]."""
_QUIET = 0.12
"""Mean speed of the limbs below which somebody stands still [m/s]."""
_STEP = 0.08
"""A foot that is put down nearer than this to where it was has not stepped [m]."""
_TOLERANCE = {45: 25.0, 90: 35.0, 180: 45.0, 270: 50.0, 360: 60.0}
"""How far from an angle that was asked for still looks like it [degrees]."""


def travel(body: Body, *, to: Way = "any", min: float = 0.5) -> bool:
    """Went at least `min` metres that way, as its own hips face."""
    if to == "any":
        return float(body.speed[body.speed > _MOVING].sum() / FPS) >= min
    ahead, aside = body.velocity_f.sum(axis=0) / FPS
    if to in ("left", "right"):
        aside = aside if to == "left" else -aside
        return bool(aside >= min and abs(ahead) <= aside)
    ahead = ahead if to == "forward" else -ahead
    return bool(ahead >= min and abs(aside) <= 0.7 * ahead)


def diagonal(body: Body, *, to: Turn) -> bool:
    """Went ahead and to the side in like parts, in the world of its first frame."""
    ahead, aside = body.velocity_f.sum(axis=0) / FPS
    aside = aside if to == "left" else -aside
    return bool(ahead >= 0.3 and 0.35 * ahead <= aside <= 2.5 * ahead)


def in_place(body: Body, *, within: float = 0.5) -> bool:
    """Never further than `within` metres from where it began."""
    return _farthest(body.path_w) <= within


def pace(body: Body, *, above: float = 0.0, below: float = np.inf) -> bool:
    """The usual speed while it goes anywhere [m/s]."""
    moving = body.speed[body.speed > _MOVING]
    usual = float(np.quantile(moving, 0.7)) if len(moving) else 0.0
    return above <= usual <= below


def turn(
    body: Body,
    *,
    to: Turn = "any",
    angle: float | None = None,
    tolerance: float | None = None,
    min: float = 30.0,
) -> bool:
    """Faces another way in the end: by `angle` or so, or by at least `min` degrees."""
    by = float(body.yaw[-1] - body.yaw[0])
    by = {"left": by, "right": -by, "any": abs(by)}[to]
    if angle is None:
        return by >= min
    return abs(by - angle) <= (tolerance or _TOLERANCE[round(angle)])


def turn_less(body: Body, *, than: float) -> bool:
    """Ends facing about where it began."""
    return abs(float(body.yaw[-1] - body.yaw[0])) < than


def circle(body: Body, *, to: Turn = "any") -> bool:
    """Walks round, not about its own axis: three quarters of a circle or more."""
    wide = _farthest(body.path_w) >= 0.35
    return wide and turn(body, to=to, min=240) and travel(body, to="any", min=1.2)


def zigzag(body: Body) -> bool:
    """Its way bends to one side, then to the other, then back again."""
    if not travel(body, min=0.6):
        return False
    return reversals(body.yaw, 18.0) >= 2 or reversals(_off_line(body), 0.12) >= 2


def pacing(body: Body) -> bool:
    """Goes one way, then back again."""
    centred = body.path_w - body.path_w.mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    return reversals(centred @ axis, 0.4) >= 1


def still(body: Body, *, seconds: float | None = None) -> bool:
    """Hardly a limb moves: for so long, or nearly all the time and on one spot."""
    quiet = body.stir < _QUIET
    if seconds is not None:
        return longest(quiet) >= seconds
    return float(quiet.mean()) >= 0.85 and _farthest(body.path_w) <= 0.2


def feet_move(body: Body) -> bool:
    """At least two steps were taken."""
    return len(footfalls(body)) >= 2


def steps(body: Body, *, n: int | None = None) -> bool:
    """So many steps; one more that brings the feet together counts as none."""
    count = len(footfalls(body))
    return count >= 1 if n is None else n <= count <= n + 1


def stride(body: Body, *, above: float = 0.0, below: float = np.inf) -> bool:
    """Usual distance from one footprint to the next, of the other foot [m]."""
    lengths = footfalls(body)
    return bool(lengths) and above <= float(np.median(lengths)) / 2 <= below


def footfalls(body: Body) -> list[float]:
    """How far each foot went from one footprint to its next [m]."""
    found: list[float] = []
    for foot in (0, 1):
        slow = np.hypot(*rate(body.sole_w[:, foot, :2]).T) < 0.35
        down = slow & (body.clear[:, foot] < 0.06)
        prints: list[Floats] = [
            body.sole_w[first:last, foot, :2].mean(axis=0)
            for first, last in true_runs(down)
            if last - first >= 3
        ]
        gaps = [
            float(np.hypot(*(b - a))) for a, b in zip(prints, prints[1:], strict=False)
        ]
        found += [gap for gap in gaps if gap >= _STEP]
    return found


def tempo(body: Body, *, of: Moving, above: float = 0.0, below: float = np.inf) -> bool:
    """Peak speed of the hands or hips [m/s], of the turn or the trunk [degrees/s]."""
    if of == "hands":
        curve = np.linalg.norm(rate(body.reach), axis=-1).max(axis=1)
    elif of == "hips":
        curve = np.abs(rate(body.height))
    elif of == "turn":
        curve = np.abs(rate(body.yaw))
    else:
        curve = np.hypot(rate(body.lean), rate(body.tilt))
    peak = float(np.quantile(curve, 0.97))
    return above <= peak <= below


def _farthest(path: Floats) -> float:
    return float(np.hypot(*(path - path[0]).T).max())


def _off_line(body: Body) -> Floats:
    """Distance of the path from the line between its ends, to the left, (T,) [m]."""
    way = body.path_w[-1] - body.path_w[0]
    length = float(np.hypot(*way))
    if length < 0.3:
        return np.zeros(len(body))
    off = body.path_w - body.path_w[0]
    return np.asarray((way[0] * off[:, 1] - way[1] * off[:, 0]) / length)


JUDGES: dict[str, Judge] = {
    judge.__name__: judge
    for judge in (
        travel,
        diagonal,
        in_place,
        pace,
        turn,
        turn_less,
        circle,
        zigzag,
        pacing,
        still,
        feet_move,
        steps,
        stride,
        tempo,
    )
}
