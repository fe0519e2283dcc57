"""Exercises for the tracker: one leg, kicks, jumps, leaps, ducking, squats and turns.

Motion capture has few of these, and they are what a controller finds hardest. A drill is
random but plausible: targets for feet, pelvis, torso and arms along smooth curves, made
into a motion by the same solver that retargets recordings, balance included. Drills have
no captions; they train the controller and are never counted in a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from texedo.data.retarget import solve_targets
from texedo.data.retarget.solver import Targets
from texedo.data.synth.drills.bounds import hops, jump_series, leaps
from texedo.data.synth.drills.moves import jumps, one_leg, steps
from texedo.data.synth.drills.poses import (
    arabesque,
    duck,
    long_lunges,
    lunges,
    pivots,
    push,
    squats,
)
from texedo.data.synth.drills.track import Rng, Track
from texedo.motion import Motion
from texedo.robot.check import check_motion

DRILLS_VERSION = 5
"""Raise when drills change: packed parts of another version are made again."""
MOVES: Mapping[str, Callable[[Rng], Track]] = {
    "drill_balance": partial(one_leg, quick=False),
    "drill_kick": partial(one_leg, quick=True),
    "drill_step": steps,
    "drill_jump": partial(jumps, one_leg=False),
    "drill_hop": partial(jumps, one_leg=True),
    "drill_hops": hops,
    "drill_jumps": jump_series,
    "drill_leap": leaps,
    "drill_duck": duck,
    "drill_lunge": lunges,
    "drill_long_lunge": long_lunges,
    "drill_arabesque": arabesque,
    "drill_squat": squats,
    "drill_pivot": pivots,
    "drill_push": push,
}
"""What a drill of each family does."""
FAMILIES = (
    "drill_balance",
    "drill_hops",
    "drill_kick",
    "drill_duck",
    "drill_step",
    "drill_leap",
    "drill_arabesque",
    "drill_jumps",
    "drill_pivot",
    "drill_jump",
    "drill_balance",
    "drill_squat",
    "drill_hops",
    "drill_kick",
    "drill_hop",
    "drill_lunge",
    "drill_leap",
    "drill_pivot",
    "drill_duck",
    "drill_arabesque",
    "drill_jumps",
    "drill_push",
    "drill_long_lunge",
    "drill_long_lunge",
)
"""Of drill number 0, 1, 2, ... in turn: what is harder comes more often."""
_BODY = {
    "joint range": 0.05,
    "joint speed": 1.0,
    "joint jump": 1176.0,
    "self-penetration": 0.035,
    "ground penetration": 0.035,
}
"""What the robot's body can do, by the names and units of `texedo check`. How hard a drill
is for a controller is no matter: it is there to be learnt."""
BATCH = 128
"""Drills solved side by side."""


@dataclass(frozen=True, kw_only=True)
class Drill:
    """One exercise."""

    number: int
    """It and the seed make the drill what it is."""
    family: str
    motion: Motion


def make_drills(first: int, end: int, *, seed: int = 0) -> Iterator[Drill]:
    """Drills by number; those that the robot's body cannot do are left out."""
    for start in range(first, end, BATCH):
        numbers = range(start, min(start + BATCH, end))
        plans = [_plan(i, np.random.default_rng((seed, i))) for i in numbers]
        solved = solve_targets([p[0] for p in plans], [p[1] for p in plans])
        for number, motion in zip(numbers, solved, strict=True):
            report = check_motion(motion)
            if all(report[name].value <= most for name, most in _BODY.items()):
                family = FAMILIES[number % len(FAMILIES)]
                yield Drill(number=number, family=family, motion=motion)


def _plan(number: int, rng: Rng) -> tuple[Targets, NDArray[np.bool_]]:
    track = MOVES[FAMILIES[number % len(FAMILIES)]](rng)
    return track.targets(rng), track.planted()
