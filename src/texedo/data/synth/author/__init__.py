"""Motions that nobody captured, written from parameters: `author(spec)`.

    spec     what is asked: kind, side, count, tempo, size, direction, manner
    scene    keys in time for feet, trunk and arms (`scene`, `steps`, `gait`, `arms`)
    stage    balance and inverse kinematics give the robot's motion (`stage`, `balance`)

What happens is known by construction, so that sides, counts and directions in the
captions are true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.data.events import Event
from texedo.data.synth.author.enumerate import authored_specs as authored_specs
from texedo.data.synth.author.kinds import family_of, write
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.phrases.sentences import spec_captions as spec_captions
from texedo.data.synth.author.spec import Spec as Spec
from texedo.data.synth.author.stage.clearance import clear_arms
from texedo.data.synth.author.stage.perform import perform_many
from texedo.motion import Motion, canonicalize

AUTHOR_VERSION = 4
"""Raise when the motions of existing specs change."""
_TOGETHER = 12
"""Specs whose motions are found together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Authored:
    """A written motion and what is known about it."""

    spec: Spec
    motion: Motion
    """Starts above the origin, facing +x."""
    foot_pos: NDArray[np.float64]
    """Where the ankles were meant to be, in the frame of `motion`, (T, 2, 3) [m]."""
    events: tuple[Event, ...]
    """What happens, known by construction, in order of time."""
    family: str
    phrases: tuple[str, ...]
    """Verb phrases that are true of it, see `captions.grammar`."""
    captions: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.spec.id


def author(spec: Spec, *, seed: int = 0) -> Authored:
    """Write the motion of a spec; equal specs and seeds give equal motions."""
    return next(author_many([spec], seed=seed))


def author_many(specs: Sequence[Spec], *, seed: int = 0) -> Iterator[Authored]:
    """The same for many, in order: faster, but each comes out as it would alone."""
    for spec, events, motion, foot_pos in _written(specs, seed):
        yield Authored(
            spec=spec,
            motion=canonicalize(motion),
            foot_pos=_canonical_points(foot_pos, motion),
            events=events,
            family=family_of(spec),
            phrases=tuple(phrases(spec)),
            captions=spec_captions(spec, seed=seed),
        )


def motions_of(specs: Sequence[Spec], *, seed: int = 0) -> list[Motion]:
    """The motions alone, of specs that may have no words, such as a turn by 720 degrees."""
    return [canonicalize(motion) for _, _, motion, _ in _written(specs, seed)]


def _written(
    specs: Sequence[Spec], seed: int
) -> Iterator[tuple[Spec, tuple[Event, ...], Motion, NDArray[np.float64]]]:
    for start in range(0, len(specs), _TOGETHER):
        batch = specs[start : start + _TOGETHER]
        written = [write(spec, seed=seed) for spec in batch]
        performed = perform_many([plan for plan, _, _ in written])
        for spec, (_, events, _), done in zip(batch, written, performed, strict=True):
            yield spec, events, Motion.from_qpos(clear_arms(done.qpos)), done.foot_pos


def _canonical_points(
    points: NDArray[np.float64], motion: Motion
) -> NDArray[np.float64]:
    """World points moved as `canonicalize` moves the motion."""
    w, _, _, z = motion.root_quat_w[0].astype(np.float64)
    yaw = 2 * np.arctan2(z, w)
    c, s = np.cos(-yaw), np.sin(-yaw)
    out = points - motion.root_pos_w[0] * [1.0, 1.0, 0.0]
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(out @ turn.T)
