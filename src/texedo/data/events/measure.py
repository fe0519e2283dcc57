"""`measure`: all facts of a motion."""

from __future__ import annotations

import numpy as np

from texedo.data.events.arms import find_arm_events
from texedo.data.events.body import find_bows, find_low_legs, find_squats, find_still
from texedo.data.events.feet import find_flights, find_hops, find_jumps, find_steps
from texedo.data.events.jacks import find_jumping_jacks
from texedo.data.events.legs import find_leg_events
from texedo.data.events.signals import STANDING_HEIGHT, Signals, compute_signals
from texedo.data.events.spans import Bools
from texedo.data.events.strikes import find_punches
from texedo.data.events.travel import RUN_SPEED, find_circle, find_travel
from texedo.data.events.turns import find_turns, find_twists
from texedo.data.events.types import Event, Facts, Travel, mirror_facts
from texedo.motion import FPS, Motion
from texedo.robot.mirror import mirror


def measure(motion: Motion) -> Facts:
    """What the motion measurably does.

    Of a motion and its mirror image one is measured, always the same one, so that the
    facts of the two are exact mirror images whatever rounding does at a threshold.
    """
    image = _measured_image(motion)
    if image is None:
        return measure_as_is(motion)
    return mirror_facts(measure_as_is(image))


def measure_with_signals(motion: Motion) -> tuple[Signals, Facts]:
    """The facts, and the curves of the motion itself."""
    signals, image = compute_signals(motion), _measured_image(motion)
    if image is None:
        return signals, _facts_of(signals)
    return signals, mirror_facts(measure_as_is(image))


def _measured_image(motion: Motion) -> Motion | None:
    """The mirror image, if that is the one of the two that is measured."""
    image = mirror(motion)
    difference = (motion.to_qpos() - image.to_qpos()).ravel()
    different = np.flatnonzero(difference)
    return image if len(different) and difference[different[0]] < 0 else None


def measure_as_is(motion: Motion) -> Facts:
    """The facts, left and right as they come; use `measure`."""
    return _facts_of(compute_signals(motion))


def _facts_of(signals: Signals) -> Facts:
    steps = find_steps(signals)
    flights = find_flights(signals)
    travels = find_travel(signals, steps, flights)
    running = _running(signals, travels)
    events: list[Event] = [*travels, *find_turns(signals), *find_twists(signals)]
    if (circle := find_circle(signals, travels)) is not None:
        events.append(circle)
    jacks = find_jumping_jacks(signals, steps)
    events += jacks
    if not jacks:
        events += find_jumps(signals, flights)
    events += find_hops(signals, flights)
    events += find_squats(signals, flights)
    events += find_low_legs(signals)
    events += find_bows(signals, flights)
    events += find_still(signals)
    events += find_leg_events(signals, running)
    events += find_arm_events(signals, flights)
    events += find_punches(signals, flights)
    return _facts(signals, events, steps=len(steps.all))


def _running(signals: Signals, travels: list[Travel]) -> Bools:
    mask = np.zeros(len(signals), dtype=bool)
    for travel in travels:
        if travel.gait == "run" or travel.speed > RUN_SPEED:
            mask[round(travel.start * FPS) : round(travel.end * FPS)] = True
    return mask


def _facts(signals: Signals, events: list[Event], *, steps: int) -> Facts:
    moves = np.diff(signals.path_w, axis=0)
    paths = np.linalg.norm(np.diff(signals.palm_t, axis=0), axis=2).sum(axis=0)
    return Facts(
        duration=len(signals) / FPS,
        events=tuple(sorted(events, key=lambda e: (e.start, e.end, type(e).__name__))),
        distance=float(np.hypot(moves[:, 0], moves[:, 1]).sum()),
        displacement=float(np.hypot(*(signals.path_w[-1] - signals.path_w[0]))),
        turned=float(np.degrees(signals.yaw[-1] - signals.yaw[0])),
        steps=steps,
        hand_path=(float(paths[0]), float(paths[1])),
        lowest=float(signals.height.min()) / STANDING_HEIGHT,
    )
