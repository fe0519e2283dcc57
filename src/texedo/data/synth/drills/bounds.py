"""Drills in which the body flies again and again: hops, series of jumps, runs and leaps.

A drill is a list of contacts with flights between them. The pelvis crosses each contact
at the mean speed of its neighbours and flies at constant speed; it dips in a contact as
a constant push of the floor would have it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from texedo.data.synth.drills.track import ANKLE, STANCE, Float64, Rng, Track
from texedo.motion.rotations import quat_from_yaw, quat_rotate
from texedo.motion.runs import true_runs
from texedo.robot.mass import GRAVITY

_MAX_DIP = 0.2


class Contact(NamedTuple):
    """Feet on the floor, between two flights."""

    feet: tuple[int, ...]
    """Which: 0 is left."""
    centre: Float64
    """Of the feet, or of the body above one foot, (2,) [m]."""
    yaw: float
    ground: float
    """How long they stay [s]."""
    flight: float
    """Time in the air afterwards [s]."""
    inset: float
    """Distance of a foot from the centre [m]."""

    def place(self, foot: int) -> Float64:
        """Ankle of a foot that is down, (3,) [m]."""
        side = 1.0 if foot == 0 else -1.0
        arm = np.array([0.0, side * self.inset, 0.0])
        arm = quat_rotate(quat_from_yaw(np.asarray(self.yaw)), arm)
        return np.array([*(self.centre + arm[:2]), ANKLE])


class Swing(NamedTuple):
    """How feet behave that are off the floor."""

    height: float
    """How high a foot swings to its next place, beyond what the body rises [m]."""
    held: Float64
    """Where a foot is kept that has no next place: from below the pelvis, for the left
    foot, (3,) [m]."""


def hops(rng: Rng) -> Track:
    """On one leg, ahead, aside and turning."""
    foot = int(rng.integers(2))
    ahead, spin = rng.uniform(0.0, 0.55), rng.choice([0.0, rng.uniform(-0.8, 0.8)])
    steps = []
    for _ in range(int(rng.integers(3, 8))):
        rise = rng.uniform(0.015, 0.13)
        step = np.array([ahead * rng.uniform(0.5, 1.0), rng.uniform(-0.12, 0.12)])
        steps.append(_Bound((foot,), step, spin * rng.uniform(0.5, 1.0), rise))
    held = np.array([rng.uniform(-0.3, 0.25), 0.13, rng.uniform(0.12, 0.35)])
    return _perform(rng, steps, Swing(0.02, held), ground=(0.14, 0.34), inset=0.02)


def jump_series(rng: Rng) -> Track:
    """With both feet, ahead, aside, back and turning."""
    way = rng.uniform(0.0, 0.6) * _heading(rng.uniform(-np.pi, np.pi))
    spin, most = rng.choice([0.0, rng.uniform(-0.9, 0.9)]), rng.uniform(0.05, 0.42)
    steps = []
    for _ in range(int(rng.integers(2, 7))):
        rise = most * rng.uniform(0.5, 1.0)
        step = way * rng.uniform(0.5, 1.0)
        steps.append(_Bound((0, 1), step, spin * rng.uniform(0.5, 1.0), rise))
    swing = Swing(rng.uniform(0.0, 0.35) * np.sqrt(most / 0.42), np.zeros(3))
    return _perform(rng, steps, swing, ground=(0.2, 0.5), inset=STANCE)


def leaps(rng: Rng) -> Track:
    """A few running steps, a leap from one foot to the other, and running out."""
    foot, pace = int(rng.integers(2)), rng.uniform(0.35, 0.7)
    turn = rng.choice([0.0, rng.uniform(-0.4, 0.4)])
    steps = []
    for _ in range(int(rng.integers(1, 3))):
        for _ in range(int(rng.integers(1, 4))):
            foot = 1 - foot
            step = np.array([pace * rng.uniform(0.7, 1.1), 0.0])
            steps.append(_Bound((foot,), step, turn, rng.uniform(0.008, 0.03)))
        foot = 1 - foot
        far = np.array([pace * rng.uniform(1.1, 1.7), rng.uniform(-0.1, 0.1)])
        rise = rng.uniform(0.06, 0.22)
        steps.append(_Bound((foot,), far, turn, rise))
    for part in (0.8, 0.5):
        foot = 1 - foot
        steps.append(_Bound((foot,), np.array([pace * part, 0.0]), 0.0, 0.01))
    swing = Swing(rng.uniform(0.08, 0.2), np.zeros(3))
    return _perform(rng, steps, swing, ground=(0.16, 0.28), inset=0.05)


class _Bound(NamedTuple):
    """From one contact to the next."""

    feet: tuple[int, ...]
    """That land."""
    step: Float64
    """Ahead and to the left, (2,) [m]."""
    spin: float
    rise: float
    """Of a body that jumps in place [m]."""


def _heading(angle: float) -> Float64:
    return np.array([np.cos(angle), np.sin(angle)])


def _perform(
    rng: Rng,
    bounds: list[_Bound],
    swing: Swing,
    *,
    ground: tuple[float, float],
    inset: float,
) -> Track:
    """Stand, take off, go through the bounds, and stand again."""
    start = bounds[0].feet
    if len(start) == 1 and not swing.held.any():
        start = (1 - start[0],)
    centre, yaw = np.zeros(2), 0.0
    contacts = []
    for i, (bound, feet) in enumerate(
        zip(bounds, [start, *(b.feet for b in bounds)], strict=False)
    ):
        stay = 0.4 if i == 0 else rng.uniform(*ground)
        flight = 2.0 * np.sqrt(2.0 * bound.rise / GRAVITY)
        wide = STANCE if len(feet) == 2 else inset
        contacts.append(Contact(feet, centre, yaw, stay, flight, wide))
        yaw += bound.spin
        turned = quat_rotate(quat_from_yaw(np.asarray(yaw)), np.array([*bound.step, 0]))
        centre = centre + turned[:2]
    last = bounds[-1].feet
    wide = STANCE if len(last) == 2 else inset
    contacts.append(Contact(last, centre, yaw, 0.5, 0.0, wide))
    return _bound_through(rng, contacts, swing)


def _bound_through(rng: Rng, contacts: list[Contact], swing: Swing) -> Track:
    height = rng.uniform(0.7, 0.755)
    track = Track(height, flows=True)
    track.arms = np.array([0.2, 0.6, rng.uniform(0.0, 0.8)])
    _get_ready(track, rng, contacts[0], swing, height)
    pitch = rng.uniform(0.0, 0.5)
    speeds = [_speed(a, b) for a, b in zip(contacts, contacts[1:], strict=False)]
    still = np.zeros(2)
    for i, contact in enumerate(contacts):
        before = speeds[i - 1] if i else still
        after = speeds[i] if i < len(speeds) else still
        push = 0.5 * GRAVITY * max(contact.flight, contacts[max(i - 1, 0)].flight)
        dip = min(push * contact.ground / 4, _MAX_DIP)
        half = 0.5 * contact.ground
        leaving = contact.centre + half * after
        sunk = np.array(
            [*(contact.centre + 0.25 * half * (after - before)), height - dip]
        )
        roll = rng.uniform(-0.12, 0.12)
        down = np.array([roll, pitch + rng.uniform(0.0, 0.15), contact.yaw])
        track.key(half, pelvis=sunk, turn=down)
        track.key(half, pelvis=np.array([*leaving, height]))
        if i < len(speeds):
            _fly(track, contact, contacts[i + 1], swing, speed=after)
    if not swing.held.any():
        _swing_feet(track, swing)
    _stand_up(track, rng, contacts[-1])
    return track


def _speed(a: Contact, b: Contact) -> Float64:
    return np.asarray((b.centre - a.centre) / (a.flight + 0.5 * (a.ground + b.ground)))


def _fly(track: Track, a: Contact, b: Contact, swing: Swing, *, speed: Float64) -> None:
    """Keys of the middle of the flight and of the landing."""
    begin, height = track.times[-1], float(track.pelvis[-1][2])
    landing = np.array([*(b.centre - 0.5 * b.ground * speed), height])
    middle = 0.5 * (track.pelvis[-1] + landing)
    rise = GRAVITY * a.flight**2 / 8
    air, feet = track.feet[-1].copy(), track.feet[-1].copy()
    toes = track.toes[-1].copy()
    for foot in (0, 1):
        if foot in b.feet:
            feet[foot], toes[foot] = b.place(foot), b.yaw
            air[foot] = 0.5 * (air[foot] + feet[foot])
            air[foot, 2] = ANKLE + rise + swing.height
        else:
            air[foot] = _held(middle + [0.0, 0.0, rise], b.yaw, foot, swing)
            feet[foot] = _held(landing, b.yaw, foot, swing)
            toes[foot] = b.yaw
    yaw = 0.5 * (a.yaw + b.yaw)
    turn = track.turn[-1] * [1.0, 1.0, 0.0] + [0.0, 0.0, yaw]
    track.key(a.flight / 2, pelvis=middle, turn=turn, feet=air)
    turn = turn * [1.0, 1.0, 0.0] + [0.0, 0.0, b.yaw]
    track.key(a.flight / 2, pelvis=landing, turn=turn, feet=feet, toes=toes)
    track.flights.append((begin, track.times[-1]))


def _swing_feet(track: Track, swing: Swing) -> None:
    """Lead each foot from where it leaves the floor to where it lands, in an arch."""
    times, feet = np.array(track.times), np.stack(track.feet)
    toes = np.stack(track.toes)
    flying = [(times >= a - 1e-9) & (times <= b + 1e-9) for a, b in track.flights]
    rise = np.zeros(len(times))
    for (start, end), keys in zip(track.flights, flying, strict=True):
        part = times[keys] - start
        rise[keys] = 0.5 * GRAVITY * part * (end - start - part)
    for foot in (0, 1):
        down = np.abs(feet[:, foot, 2] - ANKLE) < 1e-9
        for start, end in true_runs(~down):
            if start == 0 or end == len(times):
                continue
            part = (times[start:end] - times[start - 1]) / (
                times[end] - times[start - 1]
            )
            ease = (part * part * (3 - 2 * part))[:, None]
            a, b = feet[start - 1, foot], feet[end, foot]
            feet[start:end, foot] = a + (b - a) * ease
            arch = swing.height * np.sin(np.pi * part)
            feet[start:end, foot, 2] = ANKLE + arch + rise[start:end]
            turn = toes[end, foot] - toes[start - 1, foot]
            toes[start:end, foot] = toes[start - 1, foot] + turn * ease[:, 0]
    track.feet, track.toes = list(feet), list(toes)


def _held(pelvis: Float64, yaw: float, foot: int, swing: Swing) -> Float64:
    """A foot off the floor below a pelvis; a running one trails."""
    side = 1.0 if foot == 0 else -1.0
    held = swing.held if swing.held.any() else np.array([-0.25, 0.08, swing.height])
    arm = quat_rotate(quat_from_yaw(np.asarray(yaw)), held * [1.0, side, 0.0])
    return np.array(
        [*(pelvis[:2] + arm[:2]), max(pelvis[2] - 0.72, 0) + ANKLE + held[2]]
    )


def _get_ready(
    track: Track, rng: Rng, first: Contact, swing: Swing, height: float
) -> None:
    """Shift the body over the feet of the first contact, and lift the other one."""
    if len(first.feet) == 2:
        track.key(rng.uniform(0.2, 0.5))
        return
    (foot,) = first.feet
    # The drill begins where both feet are down, the carrying one at its place.
    shift = first.place(foot) - track.feet[0][foot]
    track.feet[0] = track.feet[0] + shift
    track.pelvis[0] = track.pelvis[0] + shift * [1.0, 1.0, 0.0]
    over = np.array([*first.centre, height])
    track.key(rng.uniform(0.5, 0.9), pelvis=over)
    feet = track.feet[-1].copy()
    feet[1 - foot] = _held(over, 0.0, 1 - foot, swing)
    track.key(rng.uniform(0.3, 0.6), feet=feet)


def _stand_up(track: Track, rng: Rng, last: Contact) -> None:
    height = float(track.pelvis[-1][2])
    if len(last.feet) == 1:
        (foot,) = last.feet
        both = Contact((0, 1), last.centre, last.yaw, 0.0, 0.0, STANCE)
        feet, toes = track.feet[-1].copy(), track.toes[-1].copy()
        apart = last.place(foot) - both.place(foot)
        feet[1 - foot], toes[1 - foot] = both.place(1 - foot) + apart, last.yaw
        turn = np.array([0.0, 0.0, last.yaw])
        track.key(rng.uniform(0.3, 0.5), turn=turn, feet=feet, toes=toes)
        middle = np.array([*feet.mean(axis=0)[:2], height])
        track.key(0.4, pelvis=middle)
    track.key(0.4, turn=np.array([0.0, 0.0, last.yaw]))
