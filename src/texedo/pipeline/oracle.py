"""The scorer that knows: every candidate is performed by the controller in physics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.quality import ORACLE_VERSION, Normalizers, grade, reason_text
from texedo.see.scores import Performance, Progress, Scores
from texedo.tracker.oracle.rollout import Rollouts, rollout
from texedo.tracker.policies.protocol import Policy

STAND_IN = Normalizers(e_acc=4.0, e_vel=11.0)
"""For a tracker whose own normalisers nobody measured: those of one of ours, rounded."""


class OracleScorer:
    """Q* and survival by roll-outs on the CPU; slow, and true."""

    gives = frozenset({"quality"})

    def __init__(self, policy: Policy, *, workers: int | None = None) -> None:
        self._policy, self._workers = policy, workers
        self._normalizers = policy.normalizers or STAND_IN
        self.name = f"roll-outs of tracker {policy.name}"

    @property
    def digest(self) -> str:
        """The tracker, what Q* is measured by, and the version of the oracle."""
        n = self._normalizers
        return f"{self._policy.digest}/{n.e_acc!r}/{n.e_vel!r}/{ORACLE_VERSION}"

    def score(
        self,
        prompt: str,
        candidates: Sequence[Motion],
        *,
        progress: Progress | None = None,
    ) -> Scores:
        """Perform all candidates; the prompt plays no part.

        What the robots did is not kept, for memory is finite: whoever wants to see one
        performs it again, to the same bit.
        """
        result = rollout(
            candidates,
            self._policy,
            workers=self._workers,
            keep_states=False,
            progress=progress,
        )
        quality = _quality(result, self._normalizers)
        remarks: tuple[str, ...] = ()
        if result.normalizers is None:
            remarks = (
                f"Tracker {self._policy.name} has no normalisers of its own: Q* is "
                "measured by stand-ins, and compares only with itself.",
            )
        unknown = np.full(len(candidates), np.nan)
        return Scores(
            dynamics=unknown,
            semantics=unknown,
            quality=quality,
            survived=result.success & result.valid,
            performances=[_in_words(result, i) for i in range(len(candidates))],
            columns=_columns(result),
            performed={
                i: performance(result, i, candidates[i], self._normalizers)
                for i in np.flatnonzero(result.valid).tolist()
            },
            remarks=remarks,
        )


def _quality(result: Rollouts, normalizers: Normalizers) -> NDArray[np.float64]:
    """Q*, NaN where a candidate could not be performed at all, (N,)."""
    q_star = grade(result.quality, normalizers).q_star
    return np.where(result.valid, q_star, np.nan)


def _in_words(result: Rollouts, index: int) -> str:
    if (error := result.errors[index]) is not None:
        return f"not performed: {error}"
    if result.success[index]:
        return "performed to the end"
    seconds = int(result.quality.failure_frame[index]) / FPS
    reasons = (name for name in result.reason(index).split("+") if name)
    return f"fails at {seconds:.2f} s: {reason_text(reasons)}"


def performance(
    result: Rollouts, index: int, motion: Motion, normalizers: Normalizers
) -> Performance:
    """How a nominal roll-out of a motion went."""
    quality, done = result.quality, bool(result.success[index])
    lasted = motion.duration if done else int(quality.failure_frame[index]) / FPS
    return Performance(
        success=done,
        e_mpjpe=float(quality.mpjpe_l[index]),
        e_vel=float(quality.e_vel[index]),
        e_acc=float(quality.e_acc[index]),
        q_star=float(_quality(result, normalizers)[index]),
        seconds=lasted,
        verdict=_in_words(result, index),
        executed=result.states.get((index, 0)),
    )


def _columns(result: Rollouts) -> dict[str, list[Any]]:
    quality, count = result.quality, len(result.errors)
    numbers = {
        "progress": quality.progress,
        "mpjpe_l_mm": quality.mpjpe_l,
        "e_vel_mm_per_frame": quality.e_vel,
        "e_acc_mm_per_frame2": quality.e_acc,
        "planar_drift_m": result.planar_drift,
        "torque_saturation": result.saturation,
        "foot_slip_m_per_s": result.foot_slip,
    }
    failed = ~quality.success & result.valid
    return {
        "failure_frame": [
            int(quality.failure_frame[i]) if failed[i] else None for i in range(count)
        ],
        "failure_reasons": [result.reason(i) for i in range(count)],
        **{name: [_or_none(v) for v in values] for name, values in numbers.items()},
        "error": list(result.errors),
    }


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
