"""Roll-outs on a GPU behind the same face as those on the CPU: motions in, `Finished` out.

Motions are read in chunks. Those that cannot be rolled out are named one by one, by the
rules of the CPU; the others go to the device together. Imports MuJoCo-Warp: import this
module only where a roll-out starts.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from texedo.data.corpus.label_table import clip_hash
from texedo.motion import Motion
from texedo.quality import Normalizers, Quality, grade
from texedo.tracker.oracle.batch import Outcomes
from texedo.tracker.oracle.cpu import Finished
from texedo.tracker.oracle.device import WORLDS, DeviceOracle
from texedo.tracker.oracle.measure import Measures
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.reference import start_errors
from texedo.tracker.sim.perturb import Perturbation, robot_keys

_ROUNDS = 2
"""Tasks of a chunk per world: ended robots take over from each other within a chunk."""


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
    draws = 1 if perturbation is None else perturbation.draws
    most = max(1, _ROUNDS * worlds // max(draws, 1))
    numbered = enumerate(motions)
    while chunk := list(islice(numbered, most)):
        good: list[tuple[int, Motion]] = []
        errors = start_errors([motion for _, motion in chunk])
        for (number, motion), error in zip(chunk, errors, strict=True):
            if error is None:
                good.append((number, motion))
            else:
                yield from (
                    Finished(number, d, None, None, error) for d in range(draws)
                )
        if good:
            outcomes = _perform([motion for _, motion in good], oracle, seed=seed)
            tasks = [(number, index) for number, _ in good for index in range(draws)]
            yield from _finished(tasks, outcomes, policy.normalizers)


def _perform(motions: Sequence[Motion], oracle: DeviceOracle, *, seed: int) -> Outcomes:
    frames, ranges = [motion.to_qpos() for motion in motions], oracle.perturbation
    keys = None
    if ranges is not None:
        clips = [clip_hash(motion) for motion in motions]
        keys = robot_keys(clips, draws=ranges.draws, seed=seed)
    lengths = np.array([len(part) for part in frames])
    return oracle.perform(
        np.concatenate(frames), lengths, keys=keys, nominal=keys is None
    )


def _finished(
    tasks: Sequence[tuple[int, int]],
    outcomes: Outcomes,
    normalizers: Normalizers | None,
) -> Iterator[Finished]:
    for task, measures in zip(tasks, measures_of(outcomes, normalizers), strict=True):
        yield Finished(*task, measures, None, None)


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
