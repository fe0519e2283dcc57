"""Where the hands are held: up, out, on the hips, at the head, crossed."""

from __future__ import annotations

from typing import Literal

import numpy as np

from texedo.evaluation.understanding.body import Body, Bools, Floats, rate
from texedo.evaluation.understanding.judges.common import (
    LEFT,
    RIGHT,
    Judge,
    Side,
    often,
    on_side,
)
from texedo.evaluation.understanding.spans import longest, reversals, times_high
from texedo.motion.runs import true_runs

Level = Literal["head", "shoulder", "chest"]
Place = Literal["head", "face", "hips", "belly", "chest"]

_BELOW_SHOULDER: dict[str, float] = {"shoulder": 0.05, "chest": 0.18}
_OUTWARD = np.array([1.0, -1.0])
"""Signs of y that point away from the body, for the left and the right."""


def hand_up(
    body: Body,
    *,
    side: Side = "any",
    level: Level = "shoulder",
    n: int | None = None,
    at_least: int = 1,
    seconds: float = 0.14,
    alone: bool = True,
) -> bool:
    """A palm goes up to that level; with `alone`, a named one while the other does not."""
    above = _above(body, level)
    if side == "both":
        return often(len(_raised(above.min(axis=1), seconds)), n, at_least)
    counts = [len(_raised(above[:, hand], seconds)) for hand in (LEFT, RIGHT)]
    left, right = (often(count, n, at_least) for count in counts)
    if side in ("left", "right"):
        hand = LEFT if side == "left" else RIGHT
        return (left, right)[hand] and not (alone and counts[1 - hand])
    if side == "one":
        return (left or right) and not min(counts)
    return left or right


def hands_low(body: Body) -> bool:
    """Both hands hang beside the body in the end."""
    return bool((body.palm_f[-1, :, 2] < body.height[-1] + 0.12).all())


def arms_out(
    body: Body,
    *,
    to: Literal["side", "front"],
    side: Side = "both",
    seconds: float = 0.2,
) -> bool:
    """Arms held out at about the height of the shoulders."""
    ahead, aside, up = np.moveaxis(body.palm_f - body.shoulder_f, -1, 0)
    level = np.abs(up) <= 0.22
    if to == "side":
        out = level & (aside * _OUTWARD >= 0.22) & (ahead <= 0.25)
    else:
        out = level & (ahead >= 0.22) & (np.abs(aside) <= 0.25)
    if side == "both":
        return longest(out.all(axis=1)) >= seconds
    held = [longest(out[:, hand]) >= seconds for hand in (LEFT, RIGHT)]
    return on_side(side, held[LEFT], held[RIGHT])


def hand_forward(body: Body, *, side: Side = "any", shaken: bool = False) -> bool:
    """A hand is held out in front, and shaken up and down if so asked."""
    ahead = body.palm_f[..., 0] - body.shoulder_f[..., 0] >= 0.24
    out = ahead & (body.palm_f[..., 2] >= body.height[:, None] + 0.06)
    done = []
    for hand in (LEFT, RIGHT):
        held = longest(out[:, hand]) >= 0.2
        if shaken and held:
            held = any(
                reversals(body.palm_f[first:last, hand, 2], 0.03) >= 3
                for first, last in true_runs(out[:, hand])
            )
        done.append(held)
    return on_side(side, done[LEFT], done[RIGHT])


def hands_front(body: Body, *, side: Side = "both", low: bool = False) -> bool:
    """Hands held before the body most of the time, as around a thing."""
    up = body.palm_f[..., 2] - body.height[:, None]
    front = (body.palm_f[..., 0] >= 0.14) & (up >= -0.08)
    front &= up <= (0.25 if low else 0.5)
    held = front.mean(axis=0) >= 0.45
    return on_side(side, bool(held[LEFT]), bool(held[RIGHT]))


def hands_to(
    body: Body, *, where: Place, side: Side = "any", seconds: float = 0.15
) -> bool:
    """A palm at some place of the own body."""
    near = _at(body, where)
    held = [longest(near[:, hand]) >= seconds for hand in (LEFT, RIGHT)]
    return on_side(side, held[LEFT], held[RIGHT])


def arms_crossed(body: Body) -> bool:
    """Each palm on the other's side, before the chest."""
    palm = body.palm_f
    crossed = palm[:, LEFT, 1] < palm[:, RIGHT, 1] + 0.02
    chest = (palm[..., 2] > body.height[:, None] + 0.05).all(axis=1)
    return longest(crossed & chest) >= 0.25


def reach_down(body: Body, *, side: Side = "any") -> bool:
    """A palm comes near the floor."""
    near = body.palm_f[..., 2] < 0.38
    done = [longest(near[:, hand]) >= 0.06 for hand in (LEFT, RIGHT)]
    return on_side(side, done[LEFT], done[RIGHT])


def _above(body: Body, level: Level) -> Floats:
    """Height of the palms above a level, (T, 2) [m]."""
    palm = body.palm_f[..., 2]
    if level == "head":
        return np.asarray(palm - body.head_f[:, 2:] + 0.05)
    return np.asarray(palm - body.shoulder_f[..., 2] + _BELOW_SHOULDER[level])


def _raised(above: Floats, seconds: float) -> list[tuple[int, int]]:
    return times_high(above, 0.0, -0.12, seconds=seconds)


def _at(body: Body, where: Place) -> Bools:
    """Palms that are there, (T, 2)."""
    palm = body.palm_f
    if where in ("head", "face"):
        reach = 0.24 if where == "head" else 0.26
        gap = np.linalg.norm(palm - body.head_f[:, None], axis=-1)
        near = gap < reach
        return np.asarray(near if where == "head" else near & (palm[..., 0] > 0.0))
    up = palm[..., 2] - body.height[:, None]
    outward = palm[..., 1] * _OUTWARD
    if where == "hips":
        # A hanging hand is at the hips too, but its elbow is not out.
        elbow = body.elbow_f[..., 1] * _OUTWARD
        beside = (outward > 0.05) & (outward < 0.26) & (elbow > outward + 0.04)
        rests = np.linalg.norm(rate(palm), axis=-1) < 0.5
        return np.asarray(beside & rests & (up > -0.03) & (up < 0.2))
    front = (palm[..., 0] < 0.30) & (np.abs(palm[..., 1]) < 0.17)
    level = (0.0, 0.24) if where == "belly" else (0.14, 0.42)
    return np.asarray(front & (palm[..., 0] > 0) & (up > level[0]) & (up < level[1]))


JUDGES: dict[str, Judge] = {
    judge.__name__: judge
    for judge in (
        hand_up,
        hands_low,
        arms_out,
        hand_forward,
        hands_front,
        hands_to,
        arms_crossed,
        reach_down,
    )
}
