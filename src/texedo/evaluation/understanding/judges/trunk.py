"""What hips and trunk do: squat, bend, lean, twist, stand."""

from __future__ import annotations

from typing import Literal

import numpy as np

from texedo.evaluation.understanding.body import Body, smooth
from texedo.evaluation.understanding.judges.common import Judge, Side, often, on_side
from texedo.evaluation.understanding.spans import longest, reversals, times_high

Lean = Literal["forward", "backward", "left", "right", "side"]

_KNEE_DOWN = 0.16
"""The middle of the knee is so high when it rests on the floor [m]."""


def squat(
    body: Body, *, depth: float = 0.12, n: int | None = None, at_least: int = 1
) -> bool:
    """The hips go down by `depth` metres and, if counted, come up again."""
    drop = body.tall - body.height
    return often(len(times_high(drop, depth, depth / 2)), n, at_least)


def low(body: Body, *, by: float, seconds: float = 0.2, share: float = 0.0) -> bool:
    """The hips are `by` metres lower than when standing: for so long, or so often."""
    down = body.tall - body.height >= by
    return longest(down) >= seconds and float(down.mean()) >= share


def upright(body: Body) -> bool:
    """Stands up straight in the end."""
    return bool(body.height[-1] >= body.tall - 0.06 and abs(body.lean[-1]) <= 20)


def standing(body: Body) -> bool:
    """Stands up straight nearly all the time."""
    straight = (body.height >= body.tall - 0.08) & (np.abs(body.lean) <= 20)
    return float(straight.mean()) >= 0.9


def kneel(body: Body) -> bool:
    """A knee rests on the floor."""
    return longest(body.knee_f[..., 2].min(axis=1) < _KNEE_DOWN) >= 0.2


def bend(
    body: Body, *, angle: float = 30.0, n: int | None = None, at_least: int = 1
) -> bool:
    """The trunk bends forward by so many degrees, from what it was when straightest."""
    lean = body.lean - np.clip(np.quantile(body.lean, 0.1), -10, 10)
    return often(len(times_high(lean, angle, angle * 0.6)), n, at_least)


def lean(body: Body, *, to: Lean, angle: float = 10.0) -> bool:
    """The trunk tilts that way by so many degrees for a moment."""
    tilts = {
        "forward": body.lean,
        "backward": np.minimum(-body.lean, np.quantile(body.lean, 0.75) - body.lean),
        "left": body.tilt,
        "right": -body.tilt,
        "side": np.abs(body.tilt),
    }
    other = {"left": -body.tilt, "right": body.tilt}.get(to)
    if other is not None and float(other.max()) > float(tilts[to].max()):
        return False
    return longest(tilts[to] >= angle) >= 0.2


def hunched(body: Body, *, angle: float) -> bool:
    """The trunk is bent forward by so many degrees most of the time."""
    return float(np.median(body.lean)) >= angle


def twist(
    body: Body, *, to: Side | Literal["both"] = "any", angle: float = 20.0
) -> bool:
    """The chest turns against the hips."""
    return on_side(
        to,
        longest(body.twist >= angle) >= 0.1,
        longest(body.twist <= -angle) >= 0.1,
    )


def sway(body: Body) -> bool:
    """The trunk goes from side to side, by tilting or with the hips."""
    if reversals(smooth(body.tilt, 0.2), 7.0) >= 2:
        return True
    aside = np.cumsum(body.velocity_f[:, 1]) / 50.0
    return reversals(aside, 0.06) >= 2


JUDGES: dict[str, Judge] = {
    judge.__name__: judge
    for judge in (
        squat,
        low,
        upright,
        standing,
        kneel,
        bend,
        lean,
        hunched,
        twist,
        sway,
    )
}
