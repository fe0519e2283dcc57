"""Ways to edit a motion: parts left out or repeated, another pace.

Nobody knows beforehand which of them helps; they are made, and measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from texedo.motion import FPS, Motion, change_speed
from texedo.motion.loops import find_loops, repeated, without

LOOPS, REPEATS = 8, 4
"""Loops of a motion that are tried, and how often each is repeated at most."""
SHORTEST, LONGEST = 0.8, 10.0
"""What an edited motion may last [s]; a longer one is not made longer still."""
PACES = (0.6, 0.75, 1.33, 1.6)
_PACE_STRAIN = 0.2


class Change(NamedTuple):
    """An edited motion."""

    motion: Motion
    told: str
    """What was done to it, as in "1.24 to 2.60 s left out"."""
    strain: float
    """How much was asked of it: how unlike postures are that follow one another."""


def changes_of(motion: Motion) -> Iterator[Change]:
    """A motion edited in every way there is."""
    yield from _loops_changed(motion)
    for pace in PACES:
        if SHORTEST <= motion.duration / pace <= LONGEST:
            told = f"{pace:g} times as fast"
            yield Change(change_speed(motion, pace), told, _PACE_STRAIN)


def _loops_changed(motion: Motion) -> Iterator[Change]:
    qpos = motion.to_qpos().astype("float64")
    for loop in find_loops(qpos, most=LOOPS):
        span = f"{loop.start / FPS:.2f} to {loop.end / FPS:.2f} s"
        if motion.duration - loop.frames / FPS >= SHORTEST:
            edited = Motion.from_qpos(without(qpos, loop))
            yield Change(edited, f"{span} left out", loop.apart)
        for times in range(1, REPEATS + 1):
            if motion.duration + times * loop.frames / FPS > LONGEST:
                break
            edited = Motion.from_qpos(repeated(qpos, loop, times))
            yield Change(edited, f"{span} {_MORE[times]} more", loop.apart)


_MORE = {1: "once", 2: "twice", 3: "three times", 4: "four times"}
