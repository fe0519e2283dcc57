"""How the arms move: wave, clap, punch, throw, push, swing."""

from __future__ import annotations

import numpy as np

from texedo.evaluation.understanding.body import Body, Floats, rate, smooth
from texedo.evaluation.understanding.judges.common import (
    LEFT,
    RIGHT,
    Judge,
    Side,
    often,
    on_side,
)
from texedo.evaluation.understanding.judges.legs import jacks
from texedo.evaluation.understanding.judges.travel import feet_move, in_place
from texedo.evaluation.understanding.judges.trunk import sway
from texedo.evaluation.understanding.spans import (
    both,
    reversals,
    swing_range,
    times_high,
    turning_points,
)
from texedo.motion import FPS
from texedo.motion.runs import true_runs

_TOUCH, _APART = 0.16, 0.06
"""Palms nearer than the first meet; they part when they are so much further [m]."""
_CLAP = 0.5
"""Speed at which the palms come together [m/s]."""
_PUNCH = 1.0
"""Speed ahead of a fist that punches [m/s]."""
_THROW = 2.0
"""Speed of a hand that throws [m/s]."""
_SWEEP = 80.0
"""A bat or a club goes through so many degrees in half a second."""


def wave(body: Body, *, side: Side = "any") -> bool:
    """A raised hand goes to and fro at least one and a half times."""
    done = [_waves(body, hand) for hand in (LEFT, RIGHT)]
    return on_side(side, done[LEFT], done[RIGHT])


def clap(
    body: Body, *, n: int | None = None, at_least: int = 1, near: float = _TOUCH
) -> bool:
    """The palms come together quickly, as `near` as that, and part again."""
    gap = np.linalg.norm(body.palm_f[:, LEFT] - body.palm_f[:, RIGHT], axis=1)
    closing = -rate(smooth(gap, 0.06))
    high = both(body.palm_f[..., 2] >= body.height[:, None] - 0.02)
    count = 0
    for first, last in times_high(-gap, -near, -near - _APART):
        quick = closing[max(first - 8, 0) : last].max() >= _CLAP
        count += bool(quick and high[first:last].mean() >= 0.5)
    return often(count, n, at_least)


def punch(
    body: Body,
    *,
    side: Side = "any",
    n: int | None = None,
    at_least: int = 1,
    above: float = _PUNCH,
) -> bool:
    """A fist shoots ahead from the shoulder, at the height of chest or head."""
    found = [_punches(body, hand, above) for hand in (LEFT, RIGHT)]
    counts = [len(speeds) for speeds in found]
    if side == "any":
        return often(sum(counts), n, at_least)
    own, other = found if side == "left" else found[::-1]
    # The other fist comes back to the guard, not as fast as a blow.
    ahead = not other or (bool(own) and max(own) >= 1.25 * max(other))
    return often(len(own), n, at_least) and ahead


def throw(body: Body, *, side: Side = "any") -> bool:
    """A hand goes ahead fast from beside or above the body."""
    done = []
    for hand in (LEFT, RIGHT):
        velocity = rate(smooth(body.palm_f[:, hand], 0.06))
        speed = np.linalg.norm(velocity, axis=1)
        high = body.palm_f[:, hand, 2] >= body.height + 0.05
        done.append(bool((high & (speed >= _THROW) & (velocity[:, 0] >= 1.0)).any()))
    if side in ("left", "right") and all(done):
        peaks = _peak_speeds(body)
        done = [bool(peaks[hand] > 1.25 * peaks[1 - hand]) for hand in (0, 1)]
    return on_side(side, done[LEFT], done[RIGHT])


def swing(body: Body) -> bool:
    """Hands sweep round fast, as with a bat, a club or a racket."""
    middle = body.palm_f.mean(axis=1)
    palms = (body.palm_f[:, LEFT], body.palm_f[:, RIGHT], middle)
    wide = any(_sweep(palm, body.yaw) >= _SWEEP for palm in palms)
    return wide and max(_peak_speeds(body)) >= 1.5


def push(body: Body) -> bool:
    """Both hands go ahead together, at the height of belly to head."""
    return _both_go(body, sign=1.0)


def pull(body: Body) -> bool:
    """Both hands come back to the body together."""
    return _both_go(body, sign=-1.0)


def arm_circle(body: Body) -> bool:
    """A hand goes round its shoulder, seen from the side or from ahead."""
    for hand in (LEFT, RIGHT):
        for across in (0, 1):
            x, z = body.reach[:, hand, across], body.reach[:, hand, 2]
            angle = np.unwrap(np.arctan2(z, x))
            if np.quantile(np.hypot(x, z), 0.05) > 0.10 and np.ptp(angle) >= 5.4:
                return True
    return False


def flap(body: Body) -> bool:
    """Both arms go up and down together, again and again."""
    out = body.elbow_f[..., 2] - body.shoulder_f[..., 2]
    hands = body.palm_f[..., 2] - body.shoulder_f[..., 2]
    return any(
        min(reversals(curve[:, hand], size) for hand in (LEFT, RIGHT)) >= 3
        for curve, size in ((out, 0.05), (hands, 0.10))
    )


def pump(body: Body) -> bool:
    """A hand goes up and down in front, twice or more."""
    for hand in (LEFT, RIGHT):
        front = body.palm_f[:, hand, 0] > 0.10
        height = body.palm_f[front, hand, 2]
        if reversals(height, 0.06) >= 4:
            return True
    return False


def arms_move(body: Body, *, by: float = 0.2) -> bool:
    """A hand goes at least so far against its shoulder [m]."""
    return max(swing_range(curve) for curve in _reaches(body)) >= by


def arms_swing(body: Body) -> bool:
    """Both hands swing to and fro beside the body."""
    fro = [reversals(body.reach[:, hand, 0], 0.07) >= 2 for hand in (LEFT, RIGHT)]
    return all(fro)


def dance(body: Body) -> bool:
    """Arms and hips or feet move, again and again, about one place: and no exercise."""
    busy = max(reversals(curve, 0.08) for curve in _reaches(body)) >= 4
    return (
        busy
        and in_place(body, within=1.8)
        and (feet_move(body) or sway(body))
        and not jacks(body, at_least=3)
    )


def _reaches(body: Body) -> list[Floats]:
    """Each coordinate of each hand against its shoulder, (T,) [m]."""
    return [body.reach[:, hand, axis] for hand in (LEFT, RIGHT) for axis in range(3)]


def _waves(body: Body, hand: int) -> bool:
    up = body.palm_f[:, hand, 2] >= body.shoulder_f[:, hand, 2] - 0.2
    return any(
        _goes_to_and_fro(body.reach[first:last, hand, axis])
        for first, last in true_runs(up)
        if last - first >= 0.4 * FPS
        for axis in range(3)
    )


def _goes_to_and_fro(curve: Floats) -> bool:
    """In time: a hand that is raised and lowered does not wave."""
    return any(
        sum(gap <= 1.0 * FPS for gap in np.diff(turning_points(curve, size))) >= least
        for size, least in ((0.06, 2), (0.035, 3))
    )


def _punches(body: Body, hand: int, above: float) -> list[float]:
    """Speeds of the blows of one fist [m/s]."""
    ahead = smooth(body.reach[:, hand, 0], 0.06)
    up = body.palm_f[:, hand, 2] - body.shoulder_f[:, hand, 2]
    speed = rate(ahead)
    found = []
    for first, last in times_high(speed, above, 0.2):
        arrived = min(last, len(ahead) - 1)
        gain = ahead[arrived] - ahead[first]
        if gain >= 0.10 and ahead[arrived] >= 0.18 and up[arrived] >= -0.17:
            found.append(float(speed[first:last].max()))
    return found


def _peak_speeds(body: Body) -> list[float]:
    """Of each hand, as the hips see it [m/s]."""
    speed = np.linalg.norm(rate(smooth(body.palm_f, 0.06)), axis=-1)
    left, right = np.quantile(speed, 0.98, axis=0)
    return [float(left), float(right)]


def _angle(palm: Floats) -> Floats:
    """Of a hand about the body, unwrapped, (T,) [degrees]."""
    return np.degrees(np.unwrap(np.arctan2(palm[:, 1], palm[:, 0])))


def _sweep(palm: Floats, yaw: Floats) -> float:
    """The largest angle through which a hand goes round the body in half a second.

    In the room, not against the hips: they turn along [degrees].
    """
    # Near the body's axis a small step is a large angle.
    out = np.minimum(np.hypot(palm[:, 0], palm[:, 1]) / 0.25, 1.0) ** 2
    angle = np.cumsum(np.diff(_angle(palm)) * out[1:] + np.diff(yaw))
    lag = min(round(0.5 * FPS), len(angle) - 1)
    return float(np.abs(angle[lag:] - angle[: len(angle) - lag]).max())


def _both_go(body: Body, *, sign: float) -> bool:
    """Both hands go so far ahead, or back, within a second and a half."""
    ahead = body.palm_f[..., 0]
    high = both(body.palm_f[..., 2] >= body.height[:, None])
    lag = round(1.5 * FPS)
    for start in range(0, max(len(body) - 5, 1), 5):
        end = min(start + lag, len(body))
        way = sign * (ahead[start:end] - ahead[start])
        far = np.maximum(ahead[start:end], ahead[start]).min(axis=1) >= 0.25
        if ((way.min(axis=1) >= 0.12) & high[start:end] & far).any():
            return True
    return False


JUDGES: dict[str, Judge] = {
    judge.__name__: judge
    for judge in (
        wave,
        clap,
        punch,
        throw,
        swing,
        push,
        pull,
        arm_circle,
        flap,
        pump,
        arms_move,
        arms_swing,
        dance,
    )
}
