"""Roll-outs on a GPU behind the same face as those on the CPU: motions in, `Finished` out.

Motions are read in chunks. Those that cannot be rolled out are named one by one, by the
rules of the CPU; the others go to the device together. Imports MuJoCo-Warp: import this
module only where a roll-out starts.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.label_table import pose_hash
from texedo.motion import Motion
from texedo.quality import Normalizers, Quality, grade
from texedo.tracker.oracle.batch import Outcomes, Watch, unwatched
from texedo.tracker.oracle.cpu import Finished
from texedo.tracker.oracle.device import WORLDS, DeviceOracle
from texedo.tracker.oracle.measure import Measures
from texedo.tracker.oracle.recording import Recording
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.reference import start_errors
from texedo.tracker.sim.perturb import Perturbation, robot_keys

_ROUNDS = 2
"""Tasks of a chunk per world: ended robots take over from each other within a chunk."""


class Tried(NamedTuple):
    """One roll-out on a device, or why there is none."""

    motion: int
    """Number of the motion in the call."""
    draw: int | None
    """Number of the perturbed robot; None is the nominal one."""
    measures: Measures | None
    """None if there is an error."""
    qpos: NDArray[np.float32] | None
    """What the nominal robot did, if it was asked for, (T', 36)."""
    error: str | None


class Robots(NamedTuple):
    """Who performs each motion."""

    nominal: bool = True
    draws: int = 0
    """Perturbed ones."""
    seed: int = 0
    """Of those."""

    @property
    def each(self) -> list[int | None]:
        """In the order of a device's outcomes."""
        return [*([None] if self.nominal else []), *range(self.draws)]


def warp_stream(
    motions: Iterable[Motion],
    policy: Policy,
    *,
    perturbation: Perturbation | None = None,
    seed: int = 0,
    device: str = "cuda:0",
    worlds: int = WORLDS,
) -> Generator[Finished, None, None]:
    """Roll-outs chunk by chunk; within a chunk in the order of the motions."""
    oracle = DeviceOracle(
        policy, device=device, worlds=worlds, perturbation=perturbation
    )
    robots = Robots()
    if perturbation is not None:
        robots = Robots(nominal=False, draws=perturbation.draws, seed=seed)
    most = max(1, _ROUNDS * worlds // max(robots.draws, 1))
    numbered, first = iter(motions), 0
    while chunk := list(islice(numbered, most)):
        for own in try_all(chunk, oracle, robots, policy.normalizers):
            number = first + own.motion
            yield Finished(number, own.draw or 0, own.measures, None, own.error)
        first += len(chunk)


def try_all(
    motions: Sequence[Motion],
    oracle: DeviceOracle,
    robots: Robots,
    normalizers: Normalizers | None,
    *,
    keep_states: bool = False,
    watch: Watch = unwatched,
) -> Iterator[Tried]:
    """Every motion by each of the robots, all at once; those that cannot be performed
    come first, the others in their order."""
    errors = start_errors(motions)
    good = [i for i, error in enumerate(errors) if error is None]
    for i, error in enumerate(errors):
        if error is not None:
            yield from (Tried(i, draw, None, None, error) for draw in robots.each)
    if not good:
        return
    record = None
    if keep_states:
        wanted = [draw is None for _ in good for draw in robots.each]
        record = Recording(np.array(wanted, dtype=np.bool_))
    outcomes = _perform([motions[i] for i in good], oracle, robots, record, watch)
    states: Iterator[NDArray[np.float32] | None] = repeat(None)
    if record is not None:
        success, executed = outcomes.success.numpy(), outcomes.executed.numpy()
        states = iter(record.states(success, executed))
    tasks = [(i, draw) for i in good for draw in robots.each]
    found = measures_of(outcomes, normalizers)
    for task, measures, qpos in zip(tasks, found, states, strict=False):
        yield Tried(*task, measures, qpos, None)


def _perform(
    motions: Sequence[Motion],
    oracle: DeviceOracle,
    robots: Robots,
    record: Recording | None,
    watch: Watch,
) -> Outcomes:
    frames = [motion.to_qpos() for motion in motions]
    keys = None
    if oracle.perturbation is not None:
        # Worlds that can be perturbed are told that a robot is nominal: the same steps,
        # and so the same bits, whether perturbed ones are beside it or not.
        clips = [pose_hash(part) for part in frames]
        keys = robot_keys(clips, draws=robots.draws, seed=robots.seed)
    lengths = np.array([len(part) for part in frames])
    return oracle.perform(
        np.concatenate(frames),
        lengths,
        keys=keys,
        nominal=robots.nominal,
        record=record,
        watch=watch,
    )


def measures_of(
    outcomes: Outcomes, normalizers: Normalizers | None
) -> Iterator[Measures]:
    """Outcomes one by one, in the shape that the CPU gives them."""
    columns = {
        name: value.numpy().astype(np.float64) if value.is_floating_point() else value
        for name, value in vars(outcomes).items()
    }
    for i in range(len(outcomes.success)):
        row = {name: np.asarray(values[i]) for name, values in columns.items()}
        quality = Quality(
            success=row["success"],
            progress=row["progress"],
            failure_frame=row["executed"],
            reasons=row["reasons"],
            mpjpe_l=row["e_mpjpe"],
            e_vel=row["e_vel"],
            e_acc=row["e_acc"],
            q_d=np.array(np.nan),
            q_star=np.array(np.nan),
        )
        yield Measures(
            quality if normalizers is None else grade(quality, normalizers),
            planar_drift=float(row["drift"]),
            saturation=float(row["saturation"]),
            peak_torque=float("nan"),
            foot_slip=float(row["foot_slip"]),
            limbs=row["limbs"],
        )
