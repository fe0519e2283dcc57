"""Drills of posture: ducking, lunges, long poses on one leg, squats, turns, pushing.

They pass through their keys (`Track.flows`), and feet turn only while they are lifted
or the body pivots on them.
"""

from __future__ import annotations

import numpy as np

from texedo.data.synth.drills.track import ANKLE, STANCE, Float64, Rng, Track
from texedo.motion.rotations import quat_from_yaw, quat_rotate

_HANG = 0.13
"""How far the pelvis goes back for a trunk that is bent by a right angle [m]."""
_LEG, _HIP = 0.62, 0.14
"""From hip to ankle with an almost straight knee; height of the pelvis less that of the
hip above an ankle on the floor [m]."""


def duck(rng: Rng) -> Track:
    """Walk bent and deep, ahead or aside, and come up again."""
    track = _standing(rng)
    deep, pitch = rng.uniform(0.40, 0.55), rng.uniform(0.5, 1.1)
    aside = rng.random() < 0.4
    pace, side = rng.uniform(0.4, 0.75), float(rng.choice([-1.0, 1.0]))
    moved = int(side < 0) if aside else int(rng.integers(2))
    up_from = int(rng.integers(2, 5))
    for i in range(int(rng.integers(up_from + 1, up_from + 4))):
        low = i < up_from
        height = deep + rng.uniform(-0.03, 0.03) if low else rng.uniform(0.64, 0.74)
        bent = pitch * rng.uniform(0.85, 1.0) if low else rng.uniform(0.0, 0.2)
        reach = _aside(rng, moved, side) if aside else _ahead(rng, 0.12, 0.38)
        yaw = rng.choice([0.0, rng.uniform(-0.5, 0.5)])
        _walk(track, moved, reach, pace=pace, height=height, pitch=bent, yaw=yaw)
        moved = 1 - moved
    return _finish(track, rng, moved)


def push(rng: Rng) -> Track:
    """Long slow steps, leaning ahead, arms in front."""
    track = _standing(rng)
    track.arms = np.array([1.6, 0.25, rng.uniform(0.2, 0.8)])
    height, lean = rng.uniform(0.52, 0.7), rng.uniform(0.3, 0.8)
    pace, moved = rng.uniform(0.6, 1.1), int(rng.integers(2))
    back = rng.choice([1.0, 1.0, -0.7])
    for _ in range(int(rng.integers(3, 7))):
        reach = back * _ahead(rng, 0.15, 0.5)
        bent = lean * rng.uniform(0.7, 1.1)
        _walk(track, moved, reach, pace=pace, height=height, pitch=bent, yaw=0.0)
        track.key(rng.uniform(0.1, 0.5))
        moved = 1 - moved
    return _finish(track, rng, moved)


def lunges(rng: Rng) -> Track:
    """A long step to some side, down on it, and back to standing, in turn."""
    track = _standing(rng)
    pace, moved = rng.uniform(0.5, 1.0), int(rng.integers(2))
    for _ in range(int(rng.integers(2, 5))):
        side = 1.0 if moved == 0 else -1.0
        way = rng.choice([0.0, rng.uniform(0.0, 0.5 * np.pi), np.pi])
        # Both feet stay flat: aside that goes farther than ahead.
        far = rng.uniform(0.22, 0.36) + rng.uniform(0.0, 0.2) * np.sin(way)
        reach = far * np.array([np.cos(way), side * np.sin(way)])
        deep = rng.uniform(0.46, 0.6) + 0.1 * abs(np.cos(way))
        bent = rng.uniform(0.0, 0.5)
        home = track.feet[-1][moved].copy()
        _walk(track, moved, reach, pace=pace, height=deep, pitch=bent, yaw=0.0)
        for _ in range(int(rng.integers(0, 3))):
            sway = rng.uniform(-0.08, 0.08) * _unit(reach)
            at = track.pelvis[-1] + [*sway, 0.0]
            at[2] = np.clip(deep + rng.uniform(-0.03, 0.1), 0.45, 0.7)
            track.key(rng.uniform(0.4, 0.9), pelvis=at)
        track.key(rng.uniform(0.1, 1.2))
        _step_to(track, moved, home, pace=pace, height=rng.uniform(0.66, 0.74))
        moved = 1 - moved
    return track


def long_lunges(rng: Rng) -> Track:
    """Knee up, a step as long as legs allow, down onto it, hold, push back, again."""
    track = _standing(rng)
    moved, pace = int(rng.integers(2)), float(np.exp(rng.uniform(*np.log((0.14, 0.5)))))
    pitch, up = rng.uniform(0.1, 0.8), rng.uniform(0.08, 0.36)
    for _ in range(int(rng.integers(2, 4))):
        home = track.feet[-1][moved].copy()
        _onto(track, rng, moved, pace=(0.3, 0.7))
        _raise_knee(track, rng, moved, up)
        _lunge(track, rng, moved, pitch=pitch * rng.uniform(0.8, 1.2), pace=pace)
        if rng.random() < 0.5:
            _raise_knee(track, rng, moved, up)
        height = rng.uniform(0.66, 0.74)
        _step_to(track, moved, home, pace=rng.uniform(0.4, 0.8), height=height)
        if rng.random() < 0.4:
            moved = 1 - moved
    track.key(0.3)
    return track


def _raise_knee(track: Track, rng: Rng, lifted: int, up: float) -> None:
    """All weight on one foot, the other one up and a little ahead."""
    carrying = track.feet[-1][1 - lifted]
    side = 1.0 if lifted == 0 else -1.0
    feet = track.feet[-1].copy()
    arm = [rng.uniform(0.0, 0.25), side * 1.6 * STANCE, up]
    feet[lifted] = carrying + arm
    at = np.array([*carrying[:2], rng.uniform(0.66, 0.73)])
    turn = np.array([0.0, rng.uniform(-0.3, 0.1), rng.uniform(-0.3, 0.3)])
    track.key(rng.uniform(0.3, 0.6), pelvis=at, turn=turn, feet=feet)
    track.key(rng.uniform(0.05, 0.6))


def _lunge(track: Track, rng: Rng, moved: int, *, pitch: float, pace: float) -> None:
    """A far step ahead or half aside, the rear leg nearly straight; hold; push back."""
    side = 1.0 if moved == 0 else -1.0
    rear = track.feet[-1][1 - moved]
    far, way = rng.uniform(0.42, 0.85), rng.choice([0.0, rng.uniform(0.0, 1.2)])
    reach = far * np.array([np.cos(way), side * np.sin(way), 0.0])
    feet, toes = track.feet[-1].copy(), track.toes[-1].copy()
    feet[moved] = rear + reach + [0.0, side * rng.uniform(1.0, 2.0) * STANCE, 0.0]
    toes[moved] = side * 0.5 * way * rng.random()
    yaw = rng.uniform(-0.5, 0.5)

    def over(share: float) -> Float64:
        """The pelvis so far towards the front foot, as high as the rear leg lets it."""
        at = rear + share * (feet[moved] - rear)
        high = np.sqrt(max(_LEG**2 - (share * far) ** 2, 0.0)) + _HIP
        at[2] = min(high - rng.uniform(0.0, 0.06), 0.7)
        return np.asarray(at)

    deep = rng.uniform(0.5, 0.72)
    turn = np.array([0.0, pitch, yaw])
    track.key(
        1.5 * pace,
        pelvis=over(rng.uniform(0.25, 0.45)),
        turn=0.5 * turn,
        feet=feet,
        toes=toes,
    )
    track.key(pace, pelvis=over(deep), turn=turn)
    for _ in range(int(rng.integers(0, 4))):
        sway = over(deep + rng.uniform(-0.1, 0.05))
        track.key(rng.uniform(0.3, 0.8), pelvis=sway)
    track.key(rng.uniform(0.1, 1.5))
    track.key(rng.uniform(0.25, 0.5), pelvis=over(0.25), turn=0.5 * turn)


def arabesque(rng: Rng) -> Track:
    """On one leg, the other far back or out, the trunk going near the horizontal."""
    track = _standing(rng)
    for lifted in rng.permutation(2)[: rng.integers(1, 3)]:
        home = track.feet[-1][lifted].copy()
        _onto(track, rng, int(lifted))
        for _ in range(int(rng.integers(1, 3))):
            _extend(track, rng, int(lifted))
        track.key(rng.uniform(0.5, 1.0), turn=np.zeros(3), feet=_near(track, lifted))
        _step_to(track, int(lifted), home, pace=0.6, height=rng.uniform(0.66, 0.74))
    track.key(0.3)
    return track


def squats(rng: Rng) -> Track:
    """Deep squats on both legs or mostly on one, feet close or wide."""
    track = _standing(rng)
    wide, moved = rng.uniform(0.0, 0.3), int(rng.integers(2))
    side = 1.0 if moved == 0 else -1.0
    reach = np.array([rng.uniform(-0.2, 0.2), side * wide])
    _walk(track, moved, reach, pace=0.6, height=0.68, pitch=0.0, yaw=0.0)
    pace = rng.uniform(0.3, 0.9)
    for i in range(int(rng.integers(2, 6))):
        load = 0.5 + (0.5 if i % 2 else -0.5) * rng.uniform(0.0, 0.35 + 2.0 * wide)
        load = float(np.clip(load, 0.05, 0.95))
        left, right = track.feet[-1]
        bent = rng.uniform(0.2, 0.7)
        at = load * left + (1 - load) * right
        at = at - [_HANG * np.sin(bent), 0.0, 0.0]
        at[2] = rng.uniform(0.34, 0.52)
        track.key(pace, pelvis=at, turn=np.array([0.0, bent, 0.0]))
        track.key(rng.uniform(0.05, 0.8))
        up = track.feet[-1].mean(axis=0)
        up[2] = rng.uniform(0.62, 0.73)
        track.key(pace, pelvis=up, turn=np.zeros(3))
    track.key(0.3)
    return track


def pivots(rng: Rng) -> Track:
    """Turn by 60 to 180 degrees on one foot, the other raised or kicking."""
    track = _standing(rng)
    for _ in range(int(rng.integers(1, 3))):
        lifted = int(rng.integers(2))
        _onto(track, rng, lifted, pace=(0.25, 0.6))
        spin = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.35, 1.0) * np.pi)
        _pivot(track, rng, lifted, spin)
        yaw = float(track.turn[-1][2])
        side = 1.0 if lifted == 0 else -1.0
        arm = np.array([rng.uniform(-0.1, 0.25), side * 2 * STANCE, 0.0])
        place = track.feet[-1][1 - lifted] + quat_rotate(_yaw(yaw), arm)
        pace = rng.uniform(0.25, 0.5)
        _step_to(track, lifted, place, pace=pace, height=rng.uniform(0.66, 0.75))
        track.key(rng.uniform(0.05, 0.5))
    track.key(0.3)
    return track


def _pivot(track: Track, rng: Rng, lifted: int, spin: float) -> None:
    """The body turns above a foot; the foot turns with it, or the hip does the rest."""
    seconds = abs(spin) / rng.uniform(1.6, 4.0)
    share = rng.uniform(0.4, 1.0)
    side = 1.0 if lifted == 0 else -1.0
    kicks = rng.random() < 0.5
    up = rng.uniform(0.15, 0.6)
    for part in (0.5, 1.0):
        yaw = track.turn[-1][2] + 0.5 * spin
        out = 0.45 if kicks and part == 1.0 else rng.uniform(0.05, 0.2)
        arm = quat_rotate(_yaw(yaw), np.array([out, side * 0.15, 0.0]))
        feet = track.feet[-1].copy()
        feet[lifted] = feet[1 - lifted] + arm + [0.0, 0.0, up]
        toes = track.toes[-1].copy()
        toes[1 - lifted] += 0.5 * share * spin
        toes[lifted] = yaw
        turn = np.array([0.0, rng.uniform(-0.1, 0.15), yaw])
        track.key(0.5 * seconds, turn=turn, feet=feet, toes=toes)
    toes = track.toes[-1].copy()
    toes[1 - lifted] = track.turn[-1][2]
    track.key(rng.uniform(0.2, 0.4), toes=toes)


def _extend(track: Track, rng: Rng, lifted: int) -> None:
    """Trunk forward, leg back and up (or out, or ahead), slowly; hold; come back."""
    side = 1.0 if lifted == 0 else -1.0
    carrying = track.feet[-1][1 - lifted]
    pitch = rng.uniform(0.4, 1.2)
    way = rng.choice([np.pi, np.pi, side * rng.uniform(0.3, 0.9) * np.pi, 0.0])
    far = rng.uniform(0.3, 0.3 + 0.3 * pitch) if np.cos(way) < -0.5 else 0.35
    pitch = pitch if np.cos(way) < 0.5 else 0.1
    arm = far * np.array([np.cos(way), np.sin(way)])
    up = min(rng.uniform(0.15, 0.3 + 0.35 * pitch), 0.7)
    feet = track.feet[-1].copy()
    feet[lifted] = [*(carrying[:2] + arm), ANKLE + up]
    feet[lifted, 1] += side * 0.08
    roll = -side * 0.3 * abs(np.sin(way)) * rng.uniform(0.3, 1.0)
    at = np.array([*carrying[:2], rng.uniform(0.62, 0.785)])
    turn = np.array([roll, pitch, 0.0])
    track.key(rng.uniform(1.0, 2.0), pelvis=at, turn=turn, feet=feet)
    track.key(rng.uniform(1.0, 3.0))


def _standing(rng: Rng) -> Track:
    track = Track(rng.uniform(0.68, 0.75), flows=True)
    # Hanging, out, raised or thrust ahead: where arms are decides how the body balances.
    track.arms = rng.uniform([-0.4, 0.1, 0.0], [1.5, 1.2, 1.4])
    track.key(0.2)
    return track


def _onto(
    track: Track, rng: Rng, lifted: int, *, pace: tuple[float, float] = (0.5, 1.0)
) -> None:
    """The weight onto one foot; the other leaves the floor."""
    carrying = track.feet[-1][1 - lifted]
    over = np.array([*carrying[:2], rng.uniform(0.66, 0.75)])
    track.key(rng.uniform(*pace), pelvis=over)
    track.key(rng.uniform(0.2, 0.5), feet=_near(track, lifted))


def _near(track: Track, lifted: int) -> Float64:
    """Feet (2, 3) with the lifted one just off the floor, beside the other."""
    side = 1.0 if lifted == 0 else -1.0
    feet = track.feet[-1].copy()
    arm = np.array([0.0, side * 1.6 * STANCE, 0.08])
    feet[lifted] = feet[1 - lifted] + quat_rotate(_yaw(track.turn[-1][2]), arm)
    return feet


def _ahead(rng: Rng, least: float, most: float) -> Float64:
    return np.array([rng.uniform(least, most), 0.0])


def _aside(rng: Rng, moved: int, side: float) -> Float64:
    """The leading foot goes out, the other one follows."""
    leads = (moved == 0) == (side > 0)
    return np.array([rng.uniform(-0.06, 0.06), side * rng.uniform(0.1, 0.25) * leads])


def _walk(
    track: Track,
    moved: int,
    reach: Float64,
    *,
    pace: float,
    height: float,
    pitch: float,
    yaw: float,
) -> None:
    """One foot goes `reach` (2,) beyond its place beside the other; the body follows."""
    side = 1.0 if moved == 0 else -1.0
    heading = float(track.turn[-1][2]) + yaw
    arm = np.array([reach[0], side * 2 * STANCE + reach[1], 0.0])
    place = track.feet[-1][1 - moved] + quat_rotate(_yaw(heading), arm)
    turn = np.array([0.0, pitch, heading])
    _step_to(track, moved, place, pace=pace, height=height, turn=turn)


def _step_to(
    track: Track,
    moved: int,
    place: Float64,
    *,
    pace: float,
    height: float,
    turn: Float64 | None = None,
) -> None:
    """A foot goes to a place (3,), the pelvis over the carrying foot and then between."""
    turn = track.turn[-1] * [0.0, 0.0, 1.0] if turn is None else turn
    half_turn = 0.5 * (track.turn[-1] + turn)
    feet, toes = track.feet[-1].copy(), track.toes[-1].copy()
    back = _HANG * np.sin(turn[1])
    behind = quat_rotate(_yaw(turn[2]), np.array([-back, 0.0, 0.0]))
    over = feet.copy()
    over[moved] = 0.5 * (feet[moved] + place)
    over[moved, 2] = max(ANKLE + 0.08, 0.5 * (feet[moved, 2] + ANKLE))
    carrying = feet[1 - moved]
    at = 0.75 * carrying + 0.25 * over[moved] + 0.7 * behind
    at[2] = 0.5 * (track.pelvis[-1][2] + height)
    track.key(0.5 * pace, pelvis=at, turn=half_turn, feet=over)
    feet[moved], toes[moved] = [place[0], place[1], ANKLE], turn[2]
    at = feet.mean(axis=0) + behind
    at[2] = height
    track.key(0.5 * pace, pelvis=at, turn=turn, feet=feet, toes=toes)


def _finish(track: Track, rng: Rng, moved: int) -> Track:
    height = rng.uniform(0.66, 0.74)
    still = np.zeros(2)
    _walk(track, moved, still, pace=0.6, height=height, pitch=0.0, yaw=0.0)
    track.key(0.4)
    return track


def _unit(v: Float64) -> Float64:
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-9))


def _yaw(angle: float) -> Float64:
    return np.asarray(quat_from_yaw(np.asarray(angle)))
