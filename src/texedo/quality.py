"""How good a roll-out was: terminations, tracking errors, q_d and Q*.

Pure functions of arrays with any leading (batch) shape; needs numpy alone. Positions are
world link origins [m] of the tracked bodies, (..., T, 14, 3); anchor quaternions are
wxyz, (..., T, 4). The reference may lack the leading axes of the robot.

Which frames count. Frame 0 is the start state, set and not simulated: it is never
tested. Frames 1..T-1 are. tau is the first frame that fires, or T if none does. The
frames before tau are the executed ones; the frame that fired is not survived. So

- progress is tau / T, and success is tau == T;
- E_mpjpe-l averages frames 0..tau-1, E_vel the differences that end in frames 1..tau-1,
  E_accel those that end in frames 2..tau-1;
- a mean over no frame is NaN (E_vel for tau 1, E_accel for tau <= 2), and q_d counts a
  NaN error as the worst, so that Q* is finite and such a roll-out never ranks first.

Whatever the arrays hold from tau on, or beyond `num_frames`, is not looked at. Sums
over time run frame by frame, so results do not depend on padding or on the batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

ORACLE_VERSION = 1
"""Raise it when any number below can change: every stored label rests on it."""
ALPHA = 0.4
"""How much tracking quality modulates the reward of a success."""
BETA = 0.6
"""Largest credit of a failure; below 1/(1 + ALPHA), so any success ranks above it."""
TERMINATIONS = ("anchor_pos", "anchor_ori", "ee_body_pos")
"""Names along the last axis of termination flags."""
_IN_WORDS = {
    "anchor_pos": "pelvis height",
    "anchor_ori": "pelvis tilt",
    "ee_body_pos": "hand or foot height",
}

_MM_PER_M = 1000.0

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class TerminationRules:
    """When a roll-out has failed. The defaults are the paper's, on the tracked bodies."""

    anchor_pos: float = 0.25
    """Largest height error of the anchor [m]."""
    anchor_ori: float = 0.8
    """Largest difference of the z component of gravity in the anchor's frame."""
    ee_body_pos: float = 0.25
    """Largest height error of an end effector relative to the anchor [m]."""
    anchor: int = 0
    """The anchor (pelvis) among the tracked bodies."""
    end_effectors: tuple[int, ...] = (3, 6, 10, 13)
    """Left and right `ankle_roll`, left and right `wrist_yaw` among them."""


PAPER_RULES = TerminationRules()


@dataclass(frozen=True, kw_only=True)
class Normalizers:
    """95th percentiles of the tracking errors, frozen and stored with a tracker."""

    e_acc: float
    """[mm/frame^2]"""
    e_vel: float
    """[mm/frame]"""

    def __post_init__(self) -> None:
        for name, value in (("e_acc", self.e_acc), ("e_vel", self.e_vel)):
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f"Normalizer {name} must be positive, got {value}.")


class Survival(NamedTuple):
    """How far roll-outs came; every field has the leading shape of the batch."""

    success: Bools
    progress: Floats
    """Frames survived / T, in (0, 1]; 1 on success."""
    failure_frame: Ints
    """tau: the first frame that fired, T on success."""
    reasons: Bools
    """Which of `TERMINATIONS` fired at tau, (..., 3); several may; none on success."""


class Quality(NamedTuple):
    """All there is to say about roll-outs; fields have the leading shape of the batch."""

    success: Bools
    progress: Floats
    """Frames survived / T, in (0, 1]; 1 on success."""
    failure_frame: Ints
    """tau: the first frame that fired, T on success."""
    reasons: Bools
    """Which of `TERMINATIONS` fired at tau, (..., 3); several may; none on success."""
    mpjpe_l: Floats
    """E_mpjpe-l over the executed frames [mm]."""
    e_vel: Floats
    """E_vel over the executed frames [mm/frame]; NaN if there is no difference."""
    e_acc: Floats
    """E_accel over the executed frames [mm/frame^2]; NaN if there is none."""
    q_d: Floats
    """Normalised tracking quality in [0, 1]; NaN until normalisers are known."""
    q_star: Floats
    """Oracle quality Q* in [0, 1]; NaN until normalisers are known."""


class Interval(NamedTuple):
    low: Floats
    high: Floats


def termination_flags(
    ref_pos: ArrayLike,
    robot_pos: ArrayLike,
    ref_anchor_quat: ArrayLike,
    robot_anchor_quat: ArrayLike,
    *,
    rules: TerminationRules = PAPER_RULES,
) -> Bools:
    """Which conditions hold, (..., 3) in the order of `TERMINATIONS`.

    Positions are (..., B, 3), quaternions (..., 4); the leading shape is free: () for
    one frame, (N,) for one step of N roll-outs, (N, T) for all of them. A threshold
    that is met exactly does not fire; a state that is not a number does.
    """
    ref, robot = _positions(ref_pos), _positions(robot_pos)
    # inf - inf and 0 / 0 come from a simulation that blew up: NaN, which fires below.
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        height = np.abs(ref[..., rules.anchor, 2] - robot[..., rules.anchor, 2])
        tilt = np.abs(_gravity_z(ref_anchor_quat) - _gravity_z(robot_anchor_quat))
    # "not <=" where the paper says ">": a comparison with NaN is false.
    flags = (
        ~(height <= rules.anchor_pos),
        ~(tilt <= rules.anchor_ori),
        end_effector_flags(ref, robot, rules=rules).any(axis=-1),
    )
    return np.stack(np.broadcast_arrays(*flags), axis=-1)


def end_effector_flags(
    ref_pos: ArrayLike, robot_pos: ArrayLike, *, rules: TerminationRules = PAPER_RULES
) -> Bools:
    """Which end effectors are too high or too low, (..., 4), of (..., B, 3) positions."""
    ref, robot = _positions(ref_pos), _positions(robot_pos)
    ends = list(rules.end_effectors)
    with np.errstate(invalid="ignore", over="ignore"):
        wanted, is_at = (
            pos[..., ends, 2] - pos[..., rules.anchor, 2][..., None]
            for pos in (ref, robot)
        )
        return np.asarray(~(np.abs(wanted - is_at) <= rules.ee_body_pos))


def survival(flags: ArrayLike, *, num_frames: ArrayLike | None = None) -> Survival:
    """Success, progress, tau and reasons from flags (..., T, 3) of every frame.

    `num_frames` (...) is each reference's own length in a padded batch.
    """
    fired = np.asarray(flags, dtype=np.bool_)
    if fired.ndim < 2 or fired.shape[-1] != len(TERMINATIONS):
        raise ValueError(f"flags must be (..., T, 3), got {fired.shape}.")
    length = _lengths(num_frames, fired.shape[:-2], fired.shape[-2])
    frame = np.arange(fired.shape[-2])
    tested = (frame >= 1) & (frame < length[..., None])
    fired = fired & tested[..., None]
    failed_at = fired.any(axis=-1)
    failed = failed_at.any(axis=-1)
    first = failed_at.argmax(axis=-1)
    reasons = np.take_along_axis(fired, first[..., None, None], axis=-2)[..., 0, :]
    tau = np.where(failed, first, length)
    return Survival(np.asarray(~failed), np.asarray(tau / length), tau, reasons)


def mpjpe_l(
    ref_pos: ArrayLike,
    robot_pos: ArrayLike,
    *,
    executed: ArrayLike | None = None,
    anchor: int = 0,
) -> Floats:
    """E_mpjpe-l [mm]: distance of anchor-removed positions (translation only).

    The mean over the bodies and over the first `executed` frames (all by default).
    """
    ref, robot, count = _trajectories(ref_pos, robot_pos, executed)
    with np.errstate(invalid="ignore", over="ignore"):
        ref = ref - ref[..., anchor : anchor + 1, :]
        robot = robot - robot[..., anchor : anchor + 1, :]
    return _mean_distance(ref, robot, count)


def velocity_error(
    ref_pos: ArrayLike, robot_pos: ArrayLike, *, executed: ArrayLike | None = None
) -> Floats:
    """E_vel [mm/frame]: distance of first differences of world positions."""
    return _difference_error(ref_pos, robot_pos, executed, order=1)


def acceleration_error(
    ref_pos: ArrayLike, robot_pos: ArrayLike, *, executed: ArrayLike | None = None
) -> Floats:
    """E_accel [mm/frame^2]: distance of second differences of world positions."""
    return _difference_error(ref_pos, robot_pos, executed, order=2)


def fit_normalizers(e_acc: ArrayLike, e_vel: ArrayLike) -> Normalizers:
    """95th percentiles over the roll-outs that have an error (NaN has none)."""
    acc, vel = (np.asarray(e, dtype=np.float64).ravel() for e in (e_acc, e_vel))
    acc, vel = acc[~np.isnan(acc)], vel[~np.isnan(vel)]
    if not (acc.size and vel.size):
        raise ValueError(
            "No roll-out has both errors: there is nothing to normalise by."
        )
    return Normalizers(
        e_acc=float(np.percentile(acc, 95)), e_vel=float(np.percentile(vel, 95))
    )


def tracking_quality(
    e_acc: ArrayLike, e_vel: ArrayLike, *, normalizers: Normalizers
) -> Floats:
    """q_d in [0, 1]: 1 is perfect, 0 is at or beyond the 95th percentile in both.

    A NaN error (too few executed frames to have one) earns nothing.
    """

    def score(error: ArrayLike, limit: float) -> Floats:
        error = np.asarray(error, dtype=np.float64)
        return np.where(np.isnan(error), 0.0, np.clip(1 - error / limit, 0.0, 1.0))

    acc, vel = score(e_acc, normalizers.e_acc), score(e_vel, normalizers.e_vel)
    return np.asarray((acc + vel) / 2)


def oracle_quality(
    success: ArrayLike,
    q_d: ArrayLike,
    progress: ArrayLike,
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
) -> Floats:
    """Q*(y_s, q_d, q_g); with predicted probabilities for y_s it is R_dyn."""
    y_s, quality, q_g = (
        np.asarray(a, dtype=np.float64) for a in (success, q_d, progress)
    )
    when_it_works = (1 + alpha * quality) / (1 + alpha)
    return np.asarray(y_s * when_it_works + (1 - y_s) * (beta * q_g * quality))


def rollout_quality(
    ref_pos: ArrayLike,
    robot_pos: ArrayLike,
    ref_anchor_quat: ArrayLike,
    robot_anchor_quat: ArrayLike,
    *,
    num_frames: ArrayLike | None = None,
    normalizers: Normalizers | None = None,
    rules: TerminationRules = PAPER_RULES,
) -> Quality:
    """Everything about roll-outs (..., T, 14, 3) in one call.

    Without `normalizers` q_d and Q* are NaN; `grade` fills them in later.
    """
    flags = termination_flags(
        ref_pos, robot_pos, ref_anchor_quat, robot_anchor_quat, rules=rules
    )
    came = survival(flags, num_frames=num_frames)
    tau = came.failure_frame
    unknown = np.full(tau.shape, np.nan)
    quality = Quality(
        *came,
        mpjpe_l=mpjpe_l(ref_pos, robot_pos, executed=tau, anchor=rules.anchor),
        e_vel=velocity_error(ref_pos, robot_pos, executed=tau),
        e_acc=acceleration_error(ref_pos, robot_pos, executed=tau),
        q_d=unknown,
        q_star=unknown,
    )
    return quality if normalizers is None else grade(quality, normalizers)


def grade(quality: Quality, normalizers: Normalizers) -> Quality:
    """The same roll-outs with q_d and Q* by these normalisers."""
    q_d = tracking_quality(quality.e_acc, quality.e_vel, normalizers=normalizers)
    q_star = oracle_quality(quality.success, q_d, quality.progress)
    return quality._replace(q_d=q_d, q_star=q_star)


def reason_names(reasons: ArrayLike) -> tuple[str, ...]:
    """Names of the conditions that fired in one roll-out, from its (3,) flags."""
    row = np.asarray(reasons, dtype=np.bool_)
    return tuple(name for name, hit in zip(TERMINATIONS, row, strict=True) if hit)


def reason_text(names: Iterable[str]) -> str:
    """The same conditions in words for people."""
    return ", ".join(_IN_WORDS[name] for name in names)


def wilson_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95
) -> Interval:
    """Wilson score interval of a success rate; (0, 1) when nothing was tried."""
    k, n = (np.asarray(a, dtype=np.float64) for a in (successes, trials))
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}.")
    if not ((k >= 0) & (k <= n)).all():
        raise ValueError(f"successes must lie between 0 and trials, got {k} of {n}.")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    # Over the sum n + z^2, which is never zero, in place of the usual 1 + z^2/n.
    centre = (k + z * z / 2) / (n + z * z)
    spread = np.sqrt(k * (n - k) / np.maximum(n, 1) + z * z / 4)
    half = z * spread / (n + z * z)
    # The ends are exact: rounding must not exclude a rate that was observed.
    low = np.where(k == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(k == n, 1.0, np.minimum(centre + half, 1.0))
    return Interval(low, high)


def _positions(value: ArrayLike) -> Floats:
    # One memory layout: the order in which numpy adds up depends on it.
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.ndim < 2 or array.shape[-1] != 3:
        raise ValueError(f"Body positions must be (..., B, 3), got {array.shape}.")
    return array


def _gravity_z(quat: ArrayLike) -> Floats:
    """z of gravity (0, 0, -1) seen from a frame with orientation `quat`, (...)."""
    q = np.asarray(quat, dtype=np.float64)
    if q.ndim < 1 or q.shape[-1] != 4:
        raise ValueError(f"Quaternions must be (..., 4), got {q.shape}.")
    w, x, y, z = np.moveaxis(q * q, -1, 0)
    # Minus the last entry of the rotation matrix, for quaternions of any length.
    return np.asarray((x + y - w - z) / (w + x + y + z))


def _lengths(value: ArrayLike | None, shape: tuple[int, ...], frames: int) -> Ints:
    """Number of frames of each roll-out, of the batch's leading shape."""
    lengths = np.asarray(frames if value is None else value)
    if not np.issubdtype(lengths.dtype, np.integer):
        raise ValueError(f"num_frames must be whole numbers, got {lengths.dtype}.")
    if not ((lengths >= 2) & (lengths <= frames)).all():
        raise ValueError(
            f"A roll-out of this batch has 2 to {frames} frames, got {lengths}."
        )
    return np.broadcast_to(lengths, shape).astype(np.int64)


def _trajectories(
    ref_pos: ArrayLike, robot_pos: ArrayLike, executed: ArrayLike | None
) -> tuple[Floats, Floats, Ints]:
    """Both trajectories (..., T, B, 3) and the number of executed frames (...)."""
    ref, robot = _positions(ref_pos), _positions(robot_pos)
    if ref.ndim < 3 or ref.shape[-3:] != robot.shape[-3:]:
        raise ValueError(
            f"Reference and robot must share (T, B, 3), got {ref.shape} and "
            f"{robot.shape}."
        )
    count = np.asarray(ref.shape[-3] if executed is None else executed)
    return ref, robot, count.astype(np.int64)


def _difference_error(
    ref_pos: ArrayLike, robot_pos: ArrayLike, executed: ArrayLike | None, *, order: int
) -> Floats:
    ref, robot, count = _trajectories(ref_pos, robot_pos, executed)
    with np.errstate(invalid="ignore", over="ignore"):
        ref, robot = (np.diff(p, n=order, axis=-3) for p in (ref, robot))
    # Difference k ends in frame k + order: the first count - order are executed.
    return _mean_distance(ref, robot, count - order)


def _mean_distance(ref: Floats, robot: Floats, count: Ints) -> Floats:
    """Mean over bodies and the first `count` frames of the distance [mm], (...)."""
    with np.errstate(invalid="ignore", over="ignore"):
        per_frame = np.linalg.norm(ref - robot, axis=-1).mean(axis=-1)
    counted = np.arange(per_frame.shape[-1]) < count[..., None]
    kept = np.where(counted, per_frame, 0.0)
    # cumsum adds in order, so zeros at the end change no bit; sum pairs terms up.
    total = np.cumsum(kept, axis=-1)[..., -1] if kept.shape[-1] else np.zeros(())
    mean = _MM_PER_M * total / np.maximum(count, 1)
    return np.asarray(np.where(count > 0, mean, np.nan))
