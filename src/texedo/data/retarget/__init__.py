"""Human motion on the robot: a source's joints in, a G1 motion with its quality out.

Two passes. The first follows time, each frame starting from the one before, so that the
solution is continuous and within motor speeds; trials of similar length advance side by
side as one batch. The second solves again near the smoothed result of the first, in
balance and with flights that fall as they must, to put the feet and the gaps between
limbs right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from texedo.core.errors import RetargetError
from texedo.data.capture.source import SourceMotion, resample_source
from texedo.data.retarget.balance import balance_shift
from texedo.data.retarget.flights import (
    flight_pace,
    path_at,
    targets_at,
    times_at_pace,
)
from texedo.data.retarget.level import level_floor
from texedo.data.retarget.quality import FrameQuality as FrameQuality
from texedo.data.retarget.quality import measure_frames
from texedo.data.retarget.solver import (
    LOWER,
    REST,
    UPPER,
    Bounds,
    Targets,
    Weights,
    solve,
    stack_targets,
)
from texedo.data.retarget.targets import make_targets
from texedo.motion import FPS, Motion
from texedo.motion.rotations import (
    quat_from_matrix,
    quat_make_continuous,
    quat_normalize,
)
from texedo.robot.collision import sole_clearance
from texedo.robot.g1 import SPEED_LIMIT
from texedo.robot.kinematics import forward_kinematics

RETARGET_VERSION = 6
"""Raise when results change: cached trials of another version are made again."""

MIN_FRAMES = 10
_FLOOR_TOLERANCE = 0.003
"""A sole may sink this far, as it does into a real floor [m]."""
_MAX_ROOT_SPEED = 15.0
"""Faster than any person [m/s]: the source's scale or sampling is broken."""


@dataclass(frozen=True)
class RetargetCfg:
    """How a source is carried over to the robot."""

    iterations: int = 2
    """Solver steps per frame of the first pass."""
    first_iterations: int = 40
    """Solver steps for the very first frame, which starts from a standing pose."""
    refine_iterations: int = 2
    """Solver steps per frame of the second pass."""
    smoothing: float = 1.5
    """Width of the Gaussian between the passes [frames]."""
    speed_used: float = 0.9
    """Part of each motor's speed limit that the motion may use."""


@dataclass(frozen=True, kw_only=True)
class RetargetResult:
    """A motion on the robot and how well it fits, frame by frame."""

    name: str
    motion: Motion
    quality: FrameQuality
    planted: NDArray[np.bool_]
    """Which feet the source plants, (T, 2), left first."""


_DEFAULT = RetargetCfg()


def retarget(source: SourceMotion, cfg: RetargetCfg = _DEFAULT) -> RetargetResult:
    """One source on the robot; raises `RetargetError` if it cannot be."""
    (result,) = retarget_many([source], cfg)
    if isinstance(result, RetargetError):
        raise result
    return result


def retarget_many(
    sources: Sequence[SourceMotion], cfg: RetargetCfg = _DEFAULT
) -> list[RetargetResult | RetargetError]:
    """All sources side by side: best when their lengths are similar.

    A source that cannot be carried over leaves its error in the list; the rest go on.
    """
    results: list[RetargetResult | RetargetError] = []
    goals: list[tuple[int, Targets, NDArray[np.bool_]]] = []
    for i, source in enumerate(sources):
        try:
            goals.append((i, *_prepare(source)))
        except RetargetError as error:
            results.append(error)
        else:
            results.append(RetargetError(f"{source.name}: not solved."))
    solved = _solve(
        [goal for _, goal, _ in goals],
        [feet for *_, feet in goals],
        cfg,
        in_flight=True,
    )
    for (i, *_), (motion, goal, planted) in zip(goals, solved, strict=True):
        results[i] = RetargetResult(
            name=sources[i].name,
            motion=motion,
            quality=measure_frames(motion, goal),
            planted=planted,
        )
    return results


def solve_targets(
    targets: Sequence[Targets],
    planted: Sequence[NDArray[np.bool_]],
    cfg: RetargetCfg = _DEFAULT,
) -> list[Motion]:
    """Motions that follow targets, frame by frame, with the `planted` feet (T, 2) in
    balance."""
    return [motion for motion, *_ in _solve(targets, planted, cfg, in_flight=False)]


def _solve(
    targets: Sequence[Targets],
    planted: Sequence[NDArray[np.bool_]],
    cfg: RetargetCfg,
    *,
    in_flight: bool,
) -> list[tuple[Motion, Targets, NDArray[np.bool_]]]:
    """Motions with what they follow; `in_flight` shortens flights that fall too slowly."""
    goals, guides, feet = [], [], []
    for goal, path, down in zip(
        targets, _follow(list(targets), cfg), planted, strict=True
    ):
        guide = _smooth(path, cfg.smoothing)
        if in_flight:
            times = times_at_pace(flight_pace(guide))
            goal, guide = targets_at(goal, times), path_at(guide, times)
            down = down[np.rint(times).astype(np.int64)]
        guide[:, :2] += balance_shift(guide, down)
        goals.append(replace(goal, pelvis_pos=guide[:, :3].copy()))
        guides.append(guide)
        feet.append(down)
    fine = _follow(goals, cfg, guides=guides)
    motions = [Motion.from_qpos(_lift_out_of_floor(path)) for path in fine]
    return list(zip(motions, goals, feet, strict=True))


def _prepare(source: SourceMotion) -> tuple[Targets, NDArray[np.bool_]]:
    source = resample_source(source, fps=FPS)
    frames = len(source.positions["hips"])
    if frames < MIN_FRAMES:
        raise RetargetError(
            f"{source.name}: {frames} frames at {FPS:g} Hz are too few; at least "
            f"{MIN_FRAMES} are needed."
        )
    targets, planted = make_targets(level_floor(source))
    for field in fields(targets):
        if not np.isfinite(getattr(targets, field.name)).all():
            raise RetargetError(
                f"{source.name}: holds NaN or infinity, seen in {field.name}; cut these "
                "frames out or fill them."
            )
    speed = np.linalg.norm(np.diff(targets.pelvis_pos, axis=0), axis=1).max() * FPS
    if not speed < _MAX_ROOT_SPEED:
        raise RetargetError(
            f"{source.name}: the pelvis moves at {speed:.1f} m/s, over "
            f"{_MAX_ROOT_SPEED:g} m/s; the scale or frame rate of the source is wrong."
        )
    return targets, planted


def _follow(
    goals: list[Targets],
    cfg: RetargetCfg,
    *,
    guides: list[NDArray[np.float64]] | None = None,
) -> list[NDArray[np.float64]]:
    """All goals frame by frame, shorter ones leaving the batch as they end.

    Each frame starts from the one before, or from its `guides` frame where given; either
    way no joint moves faster than its motor from one frame to the next.
    """
    reach = SPEED_LIMIT * cfg.speed_used / FPS
    lengths = np.array([len(goal) for goal in goals], dtype=np.int64)
    paths = [np.empty((length, 36)) for length in lengths]
    order = np.argsort(-lengths, kind="stable")
    alive = len(order)
    qpos = np.zeros((alive, 36))
    for t in range(int(lengths.max(initial=0))):
        while alive and lengths[order[alive - 1]] <= t:
            alive -= 1
        rows = order[:alive]
        now = stack_targets([goals[i][t] for i in rows])
        bounds = Bounds(LOWER, UPPER)
        if t > 0:
            before = qpos[:alive, 7:]
            bounds = Bounds(
                np.maximum(LOWER, before - reach), np.minimum(UPPER, before + reach)
            )
        if guides is not None:
            start = np.stack([guides[i][t] for i in rows])
            start[:, 7:] = np.clip(start[:, 7:], bounds.lower, bounds.upper)
            steps, weights = cfg.refine_iterations, _REFINE_WEIGHTS
        else:
            start = _standing_on(now) if t == 0 else qpos[:alive]
            steps = cfg.iterations if t else cfg.first_iterations
            weights = Weights()
        qpos = solve(start, now, bounds=bounds, iterations=steps, weights=weights)
        for row, i in enumerate(rows):
            paths[i][t] = qpos[row]
    return paths


# Near the smoothed pose the feet, the place of the pelvis and collisions have a say, for
# balance; the rest keeps its smoothness.
_REFINE_WEIGHTS = Weights(
    pelvis_pos=4.0,
    upper_arm=0.3,
    forearm=0.3,
    thigh=0.1,
    torso_rot=0.2,
    previous=0.3,
    previous_leg=0.4,
)


def _standing_on(targets: Targets) -> NDArray[np.float64]:
    qpos = np.zeros((len(targets), 36))
    qpos[:, :3] = targets.pelvis_pos
    qpos[:, 3:7] = quat_from_matrix(targets.pelvis_rot)
    qpos[:, 7:] = np.clip(REST, LOWER, UPPER)
    return qpos


def _smooth(path: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    path[:, 3:7] = quat_make_continuous(path[:, 3:7])
    # Reflected about its end points a path keeps its speed there; held, it would brake.
    pad = min(round(4 * width), len(path) - 1)
    longer = np.pad(path, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    smooth = gaussian_filter1d(longer, width, axis=0)[pad : pad + len(path)]
    smooth[:, 3:7] = quat_normalize(smooth[:, 3:7])
    return np.asarray(smooth)


def _lift_out_of_floor(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Raise the whole robot, smoothly, where a sole is still below the floor.

    An ankle at the end of its range can leave a toe or an edge of the sole down there.
    """
    poses = forward_kinematics(path[:, :3], path[:, 3:7], path[:, 7:])
    depth = np.maximum(-sole_clearance(poses).min(axis=-1) - _FLOOR_TOLERANCE, 0.0)
    lift = gaussian_filter1d(maximum_filter1d(depth, 7), 2.0)
    path[:, 2] += lift
    return path
