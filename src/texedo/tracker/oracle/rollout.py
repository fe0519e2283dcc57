"""Play motions through a controller in physics, and say how it went.

    policy = find_policy("open-loop")
    result = rollout(motions, policy)
    result.success                                   # (N,)
    robust = rollout(motions, policy, perturbation="default")
    robust.success, robust.robust_success            # (N, 5), (N,)

A motion that cannot be rolled out (too short, starts in mid-air) has an error in place
of numbers and costs the others nothing. Same seed, same machine: same bits, for any
number of workers and whatever else is in the call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.core.threads import available_cores
from texedo.data.corpus.label_table import clip_hash
from texedo.motion import Motion
from texedo.quality import (
    ORACLE_VERSION,
    TERMINATIONS,
    Normalizers,
    Quality,
    reason_names,
)
from texedo.tracker.oracle.cpu import SLOTS, Finished, Task, simulate
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.reference import Reference
from texedo.tracker.sim.perturb import Perturbation, draw, find_perturbation

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Called with the number of roll-outs done and of all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rollouts:
    """Roll-outs of N motions; arrays are (N,), or (N, draws) under a perturbation.

    Where `errors` holds a message nothing was rolled out: numbers are NaN there,
    success is false and the failure frame -1. Rates should be taken over `valid`.
    """

    policy_name: str
    policy_digest: str
    perturbation: str | None
    seed: int
    quality: Quality
    """Success, progress, failure frame, reasons, errors, q_d and Q*."""
    planar_drift: Float64
    """Largest horizontal distance of the pelvis from the reference's [m]."""
    saturation: Float64
    """Share of motors and steps at the effort limit."""
    peak_torque: Float64
    """Largest torque as a share of the effort limit."""
    foot_slip: Float64
    """Mean horizontal speed of the soles in contact [m/s]; NaN without contact."""
    errors: tuple[str | None, ...]
    """Per motion, why it could not be rolled out."""
    states: dict[tuple[int, int], Float64]
    """Executed qpos (T', 36) by (motion, draw), from the start to the end or to the
    frame that failed, that one included; empty if states were not asked for."""
    normalizers: Normalizers | None
    """What q_d was measured by; None leaves q_d and Q* NaN."""
    oracle_version: int = ORACLE_VERSION

    @property
    def shape(self) -> tuple[int, ...]:
        return self.quality.success.shape

    @property
    def success(self) -> NDArray[np.bool_]:
        return self.quality.success

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Motions that were rolled out, (N,)."""
        return np.array([error is None for error in self.errors], dtype=np.bool_)

    @property
    def robust_success(self) -> Float64:
        """Share of draws that succeeded, (N,)."""
        return np.asarray(self.success.reshape(len(self.errors), -1).mean(axis=1))

    def reason(self, motion: int, index: int = 0) -> str:
        """Why a roll-out ended early, names joined by "+"; empty if it did not."""
        row = self.quality.reasons.reshape(len(self.errors), -1, len(TERMINATIONS))
        return "+".join(reason_names(row[motion, index]))

    def executed(self, motion: int, index: int = 0) -> Motion:
        """What the robot did, as a motion; the frame that failed is its last."""
        return Motion.from_qpos(self.states[motion, index])


def rollout(
    motions: Sequence[Motion],
    policy: Policy,
    *,
    perturbation: Perturbation | str | None = None,
    seed: int = 0,
    workers: int | None = None,
    keep_states: bool = True,
    progress: Progress | None = None,
) -> Rollouts:
    """Every motion through the policy, once, or once per draw of a perturbation."""
    ranges = None if perturbation is None else find_perturbation(perturbation)
    table = _Table(len(motions), 1 if ranges is None else ranges.draws)
    stream = rollout_stream(
        motions,
        policy,
        perturbation=ranges,
        seed=seed,
        workers=_workers(workers, table.total),
        keep_states=keep_states,
        slots=_slots(workers, table.total),
    )
    for done, finished in enumerate(stream, start=1):
        table.enter(finished)
        if progress is not None:
            progress(done, table.total)
    return table.rollouts(policy, ranges, seed)


def rollout_stream(
    motions: Iterable[Motion],
    policy: Policy,
    *,
    perturbation: Perturbation | None = None,
    seed: int = 0,
    workers: int | None = None,
    keep_states: bool = False,
    slots: int = SLOTS,
) -> Generator[Finished, None, None]:
    """Roll-outs as they are done, in any order; motions are read as they are needed."""
    return simulate(
        make_tasks(motions, perturbation, seed=seed),
        policy,
        workers=_workers(workers, None),
        slots=slots,
        keep_states=keep_states,
    )


def make_tasks(
    motions: Iterable[Motion], perturbation: Perturbation | None, *, seed: int
) -> Iterator[Task]:
    """One task per motion, or one per motion and draw."""
    for number, motion in enumerate(motions):
        # Shared by the draws of one motion, and forgotten with the last of them.
        reference = Reference(motion)
        if perturbation is None:
            yield Task(number, 0, reference, None)
            continue
        clip = clip_hash(motion)
        for index in range(perturbation.draws):
            robot = draw(
                perturbation, seed=seed, clip=clip, index=index, num_frames=len(motion)
            )
            yield Task(number, index, reference, robot)


def _workers(workers: int | None, total: int | None) -> int:
    if workers is None:
        workers = available_cores()
    elif workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}.")
    return workers if total is None else max(1, min(workers, total))


def _slots(workers: int | None, total: int) -> int:
    """Few motions are spread over all workers."""
    return max(1, min(SLOTS, -(-total // _workers(workers, total))))


class _Table:
    """Results on their way from the order in which they come to that of the motions."""

    def __init__(self, num_motions: int, num_draws: int) -> None:
        self.num_draws = num_draws
        self.total = num_motions * num_draws
        self.results: list[Finished | None] = [None] * self.total
        self.errors: list[str | None] = [None] * num_motions

    def enter(self, finished: Finished) -> None:
        self.results[finished.motion * self.num_draws + finished.draw_index] = finished
        if finished.error is not None:
            self.errors[finished.motion] = finished.error

    def rollouts(
        self, policy: Policy, ranges: Perturbation | None, seed: int
    ) -> Rollouts:
        shape: tuple[int, ...] = (len(self.errors),)
        if ranges is not None:
            shape = (*shape, self.num_draws)
        measures = [r.measures if r is not None else None for r in self.results]

        def column(name: str) -> Float64:
            values = [np.nan if m is None else getattr(m, name) for m in measures]
            return np.array(values, dtype=np.float64).reshape(shape)

        qualities = [_NOTHING if m is None else m.quality for m in measures]
        return Rollouts(
            policy_name=policy.name,
            policy_digest=policy.digest,
            perturbation=None if ranges is None else ranges.name,
            seed=seed,
            quality=_stack(qualities, shape),
            planar_drift=column("planar_drift"),
            saturation=column("saturation"),
            peak_torque=column("peak_torque"),
            foot_slip=column("foot_slip"),
            errors=tuple(self.errors),
            states={
                (r.motion, r.draw_index): r.qpos
                for r in self.results
                if r is not None and r.qpos is not None
            },
            normalizers=policy.normalizers,
        )


_NAN = np.array(np.nan)
_NOTHING = Quality(
    success=np.array(False),
    progress=_NAN,
    failure_frame=np.array(-1),
    reasons=np.zeros(len(TERMINATIONS), dtype=np.bool_),
    mpjpe_l=_NAN,
    e_vel=_NAN,
    e_acc=_NAN,
    q_d=_NAN,
    q_star=_NAN,
)
"""In place of a roll-out that could not be done."""


def _stack(qualities: Sequence[Quality], shape: tuple[int, ...]) -> Quality:
    columns = [np.array(values) for values in zip(*qualities, strict=True)]
    if not qualities:
        columns = [np.empty((0, *part.shape), dtype=part.dtype) for part in _NOTHING]
    return Quality(*(c.reshape(*shape, *c.shape[1:]) for c in columns))
