"""What the legs do beside walking: jump, kick, balance, march."""

from __future__ import annotations

from typing import Literal

import numpy as np

from texedo.evaluation.understanding.body import Body, Bools, Floats, rate, smooth
from texedo.evaluation.understanding.judges.common import (
    LEFT,
    RIGHT,
    Judge,
    Side,
    often,
    on_side,
)
from texedo.evaluation.understanding.judges.travel import footfalls
from texedo.evaluation.understanding.spans import (
    Span,
    both,
    either,
    longest,
    swing_range,
    times_high,
)
from texedo.motion import FPS
from texedo.motion.runs import true_runs

Where = Literal["front", "side", "back", "any"]

_OFF = 0.035
"""A sole so far above the floor does not touch it [m]."""
_KICKED = 0.20
"""A foot in a kick is higher than in a step [m]."""
_KICK_SPEED = 1.0
"""And quicker, as the hips see it [m/s]."""
_FLIGHT = 0.08
"""Shorter flights are noise, or a quick step [s]."""


def jump(
    body: Body, *, n: int | None = None, at_least: int = 1, height: float = 0.0
) -> bool:
    """Both feet leave the floor together, and come down together."""
    high = [flight for flight in _jumps(body) if _rise(body, flight) >= height]
    return often(len(high), n, at_least)


def hop(
    body: Body, *, side: Side = "any", n: int | None = None, at_least: int = 1
) -> bool:
    """Flights that one foot begins and ends, while the other stays off the floor."""
    counts = [0, 0]
    for first, last in _flights(body):
        near = slice(max(first - 5, 0), last + 5)
        touching = either(body.clear[near].T < _OFF)
        if touching[LEFT] != touching[RIGHT]:
            counts[LEFT if touching[LEFT] else RIGHT] += 1
    left, right = (often(count, n, at_least) for count in counts)
    return on_side(side, left, right)


def kick(
    body: Body, *, side: Side = "any", n: int | None = None, at_least: int = 1
) -> bool:
    """A foot goes up quickly while the other stands."""
    counts = [len(_kicks(body, foot)) for foot in (LEFT, RIGHT)]
    if side == "any":
        return often(sum(counts), n, at_least)
    if side == "both":
        return min(counts) >= at_least
    own, other = counts if side == "left" else counts[::-1]
    return often(own, n, at_least) and not other


def leg_up(body: Body, *, side: Side = "any", to: Where = "any") -> bool:
    """A foot is lifted and held out that way, as the other foot sees it."""
    done = [longest(_lifted(body, foot, to)) >= 0.16 for foot in (LEFT, RIGHT)]
    return on_side(side, done[LEFT], done[RIGHT])


def knee_up(
    body: Body,
    *,
    side: Side = "any",
    n: int | None = None,
    at_least: int = 1,
    height: float = 0.14,
) -> bool:
    """A foot is lifted so high above the floor by its knee."""
    counts = [len(_lifts(body, foot, height)) for foot in (LEFT, RIGHT)]
    left, right = (often(count, n, at_least) for count in counts)
    if side in ("left", "right"):
        own, other = (left, counts[RIGHT]) if side == "left" else (right, counts[LEFT])
        return own and not other
    return on_side(side, left, right)


def march(body: Body, *, height: float) -> bool:
    """The feet go up in turn, each at least twice, so high."""
    ups = [(first, foot) for foot in (0, 1) for first, _ in _lifts(body, foot, height)]
    order = [foot for _, foot in sorted(ups)]
    changes = sum(a != b for a, b in zip(order, order[1:], strict=False))
    return min(order.count(LEFT), order.count(RIGHT)) >= 2 and changes >= 3


def balance(body: Body, *, on: Side = "any", seconds: float = 0.8) -> bool:
    """One foot stays in the air while the other stands."""
    off = body.clear > _OFF
    left = longest(off[:, RIGHT] & ~off[:, LEFT]) >= seconds
    right = longest(off[:, LEFT] & ~off[:, RIGHT]) >= seconds
    return on_side(on, left, right)


def feet_down(body: Body) -> bool:
    """Both feet are on the floor in the end."""
    return bool((body.clear[-5:] < 0.06).all(axis=1).any())


def lunge(
    body: Body, *, side: Side = "any", n: int | None = None, at_least: int = 1
) -> bool:
    """A long step ahead that takes the hips down; the foot in front gives the side."""
    ahead = body.sole_f[:, LEFT, 0] - body.sole_f[:, RIGHT, 0]
    deep = body.tall - body.height >= 0.06
    counts = [
        len(times_high(np.where(deep, apart, 0.0), 0.40, 0.30, seconds=0.2))
        for apart in (ahead, -ahead)
    ]
    if side == "any":
        return often(sum(counts), n, at_least)
    own, other = counts if side == "left" else counts[::-1]
    return often(own, n, at_least) and not other


def jacks(body: Body, *, n: int | None = None, at_least: int = 1) -> bool:
    """Legs apart and hands up at once, again and again."""
    apart = _apart(body)
    up = (body.palm_f[..., 2] - body.shoulder_f[..., 2]).min(axis=1)
    wide = np.minimum((apart - 0.38) / 0.1, up / 0.1)
    return often(len(times_high(wide, 0.0, -1.0)), n, at_least)


def tiptoe(body: Body) -> bool:
    """The heels are off the floor while the toes bear the weight."""
    on_toes = (body.heel - body.toe > 0.02) & (body.toe < 0.04)
    resting = body.clear < _OFF
    share = (on_toes & resting).sum() / max(int(resting.sum()), 1)
    return bool(share >= 0.25 or longest(both(on_toes)) >= 0.3)


def stance(
    body: Body, *, above: float = 0.0, below: float = np.inf, share: float = 0.0
) -> bool:
    """The feet are so far apart from side to side, for a moment or most of the time [m]."""
    apart = _apart(body)
    fits = (apart >= above) & (apart <= below)
    return longest(fits) >= 0.2 and float(fits.mean()) >= share


def leg_swing(body: Body) -> bool:
    """A foot swings to and fro or from side to side while the other stands."""
    for foot in (LEFT, RIGHT):
        off = body.clear[:, foot] > _OFF
        spans = [span for span in true_runs(off) if span[1] - span[0] >= 0.3 * FPS]
        stands = body.clear[:, 1 - foot] < 0.06
        for first, last in spans:
            part = body.sole_f[first:last, foot]
            wide = max(swing_range(part[:, 0]), swing_range(part[:, 1]))
            if wide >= 0.35 and stands[first:last].mean() > 0.9:
                return True
    return False


def limp(body: Body) -> bool:
    """One leg is stood on for longer, or lifted less, than the other."""
    if len(footfalls(body)) < 3:
        return False
    bearing = (body.clear < _OFF).mean(axis=0)
    high = np.quantile(body.clear, 0.95, axis=0)
    return bool(
        abs(bearing[LEFT] - bearing[RIGHT]) >= 0.06
        or abs(high[LEFT] - high[RIGHT]) >= 0.02
    )


def _apart(body: Body) -> Floats:
    """Of the feet, from side to side, (T,) [m]."""
    return np.asarray(np.abs(body.sole_f[:, LEFT, 1] - body.sole_f[:, RIGHT, 1]))


def _flights(body: Body) -> list[Span]:
    off = both(body.clear > _OFF)
    spans = [(int(a), int(b)) for a, b in true_runs(off)]
    return [span for span in spans if span[1] - span[0] >= _FLIGHT * FPS]


def _jumps(body: Body) -> list[Span]:
    """Flights that both feet begin or end within a moment: a run's do neither."""
    return [span for span in _flights(body) if _together(body, span)]


def _together(body: Body, flight: Span) -> bool:
    down = body.clear < _OFF
    moment = round(0.12 * FPS)
    before = down[max(flight[0] - moment, 0) : flight[0]].any(axis=0).all()
    after = down[flight[1] : flight[1] + moment].any(axis=0).all()
    return bool(before and after)


def _rise(body: Body, flight: Span) -> float:
    """How high the lower sole goes [m]."""
    return float(body.clear[slice(*flight)].min(axis=1).max())


def _lifts(body: Body, foot: int, height: float) -> list[Span]:
    """The foot is so high while the other stands."""
    spans = times_high(body.clear[:, foot], height, height * 0.5, seconds=0.1)
    stands = body.clear[:, 1 - foot] < 0.06
    return [span for span in spans if stands[slice(*span)].mean() >= 0.6]


def _kicks(body: Body, foot: int) -> list[Span]:
    speed = np.linalg.norm(rate(smooth(body.sole_f[:, foot], 0.06)), axis=1)
    out = np.hypot(body.sole_f[:, foot, 0], body.sole_f[:, foot, 1] - _side(foot) * 0.1)
    return [
        (first, last)
        for first, last in _lifts(body, foot, _KICKED)
        if speed[first:last].max() >= _KICK_SPEED and out[first:last].max() >= 0.22
    ]


def _lifted(body: Body, foot: int, to: Where) -> Bools:
    off = (body.clear[:, foot] > 0.10) & (body.clear[:, 1 - foot] < 0.06)
    ahead, aside, _ = (body.sole_f[:, foot] - body.sole_f[:, 1 - foot]).T
    out = {
        "front": ahead >= 0.15,
        "back": ahead <= -0.15,
        "side": aside * _side(foot) >= 0.38,
        "any": np.ones(len(body), bool),
    }
    return np.asarray(off & out[to])


def _side(foot: int) -> float:
    return 1.0 if foot == LEFT else -1.0


JUDGES: dict[str, Judge] = {
    judge.__name__: judge
    for judge in (
        jump,
        hop,
        kick,
        leg_up,
        knee_up,
        march,
        balance,
        feet_down,
        lunge,
        jacks,
        tiptoe,
        stance,
        leg_swing,
        limp,
    )
}
