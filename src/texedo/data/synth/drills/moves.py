"""Drills that rest at every key pose: on one leg, stepping, jumping and hopping."""

from __future__ import annotations

import numpy as np

from texedo.data.synth.drills.track import ANKLE, STANCE, Rng, Track, spun
from texedo.motion.rotations import quat_from_yaw, quat_rotate
from texedo.robot.mass import GRAVITY


def one_leg(rng: Rng, *, quick: bool) -> Track:
    """Stand on one leg while the other wanders, or kicks."""
    track = Track(rng.uniform(0.66, 0.76))
    for lifted in rng.permutation(2)[: rng.integers(1, 3)]:
        shift_and_lift(track, rng, lifted)
        for _ in range(int(rng.integers(2, 5))):
            _swing(track, rng, lifted, quick=quick)
        put_down(track, rng, lifted)
    track.key(0.4)
    return track


def shift_and_lift(track: Track, rng: Rng, lifted: int) -> None:
    carrying = track.feet[-1][1 - lifted]
    height = rng.uniform(0.6, 0.76)
    over = np.array([carrying[0], carrying[1], height])
    track.key(rng.uniform(0.5, 1.0), pelvis=over)
    feet = track.feet[-1].copy()
    feet[lifted] += [0.0, 0.0, rng.uniform(0.08, 0.2)]
    track.key(rng.uniform(0.3, 0.6), feet=feet)


def _swing(track: Track, rng: Rng, lifted: int, *, quick: bool) -> None:
    """The lifted foot goes somewhere, the pelvis leans to make room for it."""
    side = 1.0 if lifted == 0 else -1.0
    carrying = track.feet[-1][1 - lifted]
    ahead = rng.uniform(-0.55, 0.55)
    out = side * rng.uniform(0.1, 0.5)
    up = rng.uniform(0.1, 0.65 if quick else 0.55)
    yaw = track.turn[-1][2] + rng.uniform(-0.25, 0.25)
    foot = quat_rotate(quat_from_yaw(yaw), np.array([ahead, out, 0.0]))
    feet = track.feet[-1].copy()
    feet[lifted] = [carrying[0] + foot[0], carrying[1] + foot[1], ANKLE + up]
    # A leg that goes back or far out takes the trunk the other way.
    pitch = rng.uniform(-0.15, 0.25) - min(ahead, 0.0) * rng.uniform(0.2, 1.4)
    roll = rng.uniform(-0.1, 0.1) - side * max(abs(out) - 0.2, 0.0) * rng.uniform(0, 1)
    pelvis = track.pelvis[-1].copy()
    pelvis[2] = np.clip(pelvis[2] + rng.uniform(-0.08, 0.08), 0.52, 0.77)
    pace = rng.uniform(0.22, 0.45) if quick else rng.uniform(0.5, 1.2)
    track.key(pace, pelvis=pelvis, turn=np.array([roll, pitch, yaw]), feet=feet)
    track.key(rng.uniform(0.04, 0.3) if quick else rng.uniform(0.1, 1.5))


def put_down(track: Track, rng: Rng, lifted: int) -> None:
    side = 1.0 if lifted == 0 else -1.0
    carrying, yaw = track.feet[-1][1 - lifted], track.turn[-1][2]
    step = np.array([rng.uniform(-0.15, 0.15), side * 2 * STANCE, 0.0])
    feet = track.feet[-1].copy()
    feet[lifted] = carrying + quat_rotate(quat_from_yaw(yaw), step)
    feet[lifted, 2] = ANKLE
    track.key(rng.uniform(0.4, 0.8), turn=np.array([0.0, 0.0, yaw]), feet=feet)
    middle = feet.mean(axis=0)
    track.key(0.5, pelvis=np.array([middle[0], middle[1], rng.uniform(0.66, 0.76)]))


def steps(rng: Rng) -> Track:
    """Steps to all sides, quick turns, high and low, upright and bent."""
    height = rng.uniform(0.5, 0.76)
    track = Track(rng.uniform(0.66, 0.76))
    pace, lean = rng.uniform(0.28, 0.6), rng.uniform(-0.1, 0.7)
    moved = int(rng.integers(2))
    for _ in range(int(rng.integers(6, 14))):
        height = np.clip(height + rng.uniform(-0.06, 0.06), 0.48, 0.77)
        _step(track, rng, moved, pace=pace * rng.uniform(0.8, 1.3), height=height)
        track.turn[-1] = track.turn[-1] + [0.0, lean * rng.uniform(0.5, 1.0), 0.0]
        moved = 1 - moved
    put_down(track, rng, moved)
    return track


def _step(track: Track, rng: Rng, moved: int, *, pace: float, height: float) -> None:
    """One foot goes over to where the body turns to; the pelvis follows."""
    side = 1.0 if moved == 0 else -1.0
    carrying = track.feet[-1][1 - moved]
    yaw = track.turn[-1][2] + rng.choice([0.0, rng.uniform(-1.1, 1.1)])
    reach = np.array(
        [rng.uniform(-0.4, 0.5), side * (2 * STANCE + rng.uniform(-0.06, 0.3)), 0.0]
    )
    feet = track.feet[-1].copy()
    target = carrying + quat_rotate(quat_from_yaw(np.asarray(yaw)), reach)
    over = feet.copy()
    over[moved] = 0.5 * (feet[moved] + target)
    over[moved, 2] = ANKLE + rng.uniform(0.04, 0.25)
    feet[moved] = target
    turn = np.array([0.0, 0.0, yaw])
    halfway = 0.5 * (track.turn[-1] + turn)
    share = rng.uniform(0.25, 0.4)
    pelvis = np.array([*((1 - share) * carrying + share * over[moved])[:2], height])
    track.key(0.5 * pace, pelvis=pelvis, turn=halfway, feet=over)
    middle = np.array([*feet.mean(axis=0)[:2], height])
    track.key(0.5 * pace, pelvis=middle, turn=turn, feet=feet)
    if rng.random() < 0.5:
        track.key(rng.uniform(0.04, 0.3))


def jumps(rng: Rng, *, one_leg: bool) -> Track:
    """Crouch, take off, fly, land; a few times."""
    track = Track(rng.uniform(0.68, 0.75))
    lifted = int(rng.integers(2))
    if one_leg:
        shift_and_lift(track, rng, lifted)
    for _ in range(int(rng.integers(1, 5))):
        _jump(track, rng, one_leg=one_leg)
    if one_leg:
        put_down(track, rng, lifted)
    track.key(0.5)
    return track


def _jump(track: Track, rng: Rng, *, one_leg: bool) -> None:
    rise = rng.uniform(0.02, 0.12 if one_leg else 0.36)
    flight = 2.0 * np.sqrt(2.0 * rise / GRAVITY)
    spin = 0.0 if one_leg else rng.choice([0.0, rng.uniform(-1.6, 1.6)])
    turn = np.array([0.0, 0.0, track.turn[-1][2]])
    far = rng.uniform(-0.3, 1.0) * flight * (0.6 if one_leg else 1.0)
    aside = rng.uniform(-0.5, 0.5) * flight
    step = quat_rotate(quat_from_yaw(turn[2]), np.array([far, aside, 0.0]))
    start = track.pelvis[-1].copy()
    standing = rng.uniform(0.72, 0.77)
    depth = rng.uniform(0.03, 0.08) if one_leg else rng.uniform(0.08, 0.2)
    crouched = np.array([start[0], start[1], standing - depth])
    track.key(rng.uniform(0.3, 0.7), pelvis=crouched, turn=turn + [0.0, 0.25, 0.0])
    leaving = np.array([start[0], start[1], standing]) + 0.1 * step
    track.key(rng.uniform(0.16, 0.26), pelvis=leaving, turn=turn)
    # Feet travel with the body, tucked in the middle of the flight.
    begin = track.times[-1]
    feet, landed = track.feet[-1].copy(), turn + [0.0, 0.0, spin]
    tuck = rise + rng.uniform(0.0, 0.12 if one_leg else 0.3)
    middle = start[:2] + 0.55 * step[:2]
    high = np.array([*middle, standing + rise])
    air = feet + 0.55 * step
    air[:, 2] = feet[:, 2] + tuck
    track.key(flight / 2, pelvis=high, turn=turn + [0.0, 0.0, spin / 2], feet=air)
    down = spun(feet + step, start[:2] + step[:2], spin)
    land = np.array([*(start[:2] + step[:2]), standing - 0.02])
    track.key(flight / 2, pelvis=land, turn=landed, feet=down)
    track.flights.append((begin, begin + flight))
    sunk = land - [0.0, 0.0, depth * 0.8]
    track.key(rng.uniform(0.15, 0.3), pelvis=sunk, turn=landed + [0.0, 0.2, 0.0])
    track.key(rng.uniform(0.3, 0.6), pelvis=land, turn=landed)
