"""Which frames of a retargeted recording the robot should not be asked to perform.

Every rule marks frames. A clip that a rule touches shrinks to its longest untouched part
if that is still long enough; otherwise it is rejected, and the rules that touched it are
its stated reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from texedo.data.corpus.cutting import MIN_FRAMES, Window, longest_run
from texedo.data.synth.author.stage.balance import outside_support
from texedo.motion import FPS
from texedo.motion.rotations import quat_normalize
from texedo.motion.runs import true_runs
from texedo.robot.kinematics import BodyPoses, forward_kinematics
from texedo.robot.mass import centre_of_mass, mass_centres

if TYPE_CHECKING:
    from texedo.data.retarget import FrameQuality

Mask = NDArray[np.bool_]

_FALLING = -4.0
"""Vertical acceleration in most of a flight is below this [m/s^2]."""
_CALM = 1.0
"""A mass that accelerates by less than this in the plane is at rest or glides [m/s^2]."""

TOO_SHORT = "too short"
FOOT_ERROR = "foot error"


@dataclass(frozen=True)
class ScreenCfg:
    """What makes a frame unfit. Units are metres, seconds and radians."""

    min_pelvis_height: float = 0.33
    """Lower is lying, kneeling on both knees or crawling."""
    max_airborne: float = 0.7
    """Longer flight is climbing, swinging or a floor that was misjudged."""
    airborne_height: float = 0.05
    """Both soles above this are in the air: retargeted stance feet may float less."""
    max_floating: float = 0.35
    """Longer off the floor without falling is a floor that was misjudged, or a hold."""
    floating_height: float = 0.03
    """Both soles above this are off the floor, where the robot should be falling."""
    max_unsupported: float = 0.5
    """Longer out of balance at rest means that a hand, a knee or a wall carries."""
    unsupported_distance: float = 0.1
    """Of the floor's push from the outline of the soles: a foot is 18 cm long."""
    max_tilt: float = float(np.radians(70.0))
    """Of the pelvis from the vertical."""
    max_joint_speed_ratio: float = 1.0
    """Of the motor's speed limit."""
    max_root_speed: float = 6.0
    max_foot_error: float = 0.03
    """Mean over a clip, the worse foot."""
    max_frame_foot_error: float = 0.15
    """In any single frame."""
    max_self_penetration: float = 0.025
    max_ground_penetration: float = 0.025
    max_limit_violation: float = 1e-3
    margin: float = 0.1
    """Frames this near an unfit one are left out with it."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What became of a proposed window."""

    window: Window | None
    """The part to keep; None if it is rejected."""
    reasons: tuple[str, ...] = ()
    """Rules that touched it, also when a part was kept."""


def unfit_frames(
    qpos: NDArray[Any], quality: FrameQuality, cfg: ScreenCfg
) -> dict[str, Mask]:
    """Frames that each rule marks, (T,), by the rule's name. `qpos` is (T, 36)."""
    pos = qpos[:, :3].astype(np.float64)
    quat = quat_normalize(qpos[:, 3:7].astype(np.float64))
    upright = 1 - 2 * (quat[:, 1] ** 2 + quat[:, 2] ** 2)
    root_speed = np.linalg.norm(np.gradient(pos, axis=0), axis=1) * FPS
    joints = qpos[:, 7:].astype(np.float64)
    poses = forward_kinematics(pos, quat, joints)
    return {
        "pelvis low": pos[:, 2] < cfg.min_pelvis_height,
        "airborne": _long_runs(
            quality.lowest > cfg.airborne_height, longer=round(cfg.max_airborne * FPS)
        ),
        "floating": floating(poses, quality.lowest, cfg),
        "unsupported": unsupported(poses, cfg),
        "tilted": upright < np.cos(cfg.max_tilt),
        "joint speed": quality.joint_speed_ratio > cfg.max_joint_speed_ratio + 1e-4,
        "root speed": root_speed > cfg.max_root_speed,
        FOOT_ERROR: quality.foot_error.max(axis=1) > cfg.max_frame_foot_error,
        "self-penetration": quality.self_penetration > cfg.max_self_penetration,
        "ground penetration": quality.ground_penetration > cfg.max_ground_penetration,
        "joint limit": quality.limit_violation > cfg.max_limit_violation,
    }


def floating(poses: BodyPoses, lowest: NDArray[Any], cfg: ScreenCfg) -> Mask:
    """Frames (T,) of a stay off the floor that is no flight: the mass does not fall."""
    out = np.zeros(len(lowest), dtype=bool)
    if len(lowest) < 2:
        return out
    fall = _acceleration(centre_of_mass(mass_centres(poses)))[:, 2]
    for start, stop in true_runs(lowest > cfg.floating_height):
        long = stop - start > round(cfg.max_floating * FPS)
        out[start:stop] = long and np.median(fall[start:stop]) > _FALLING
    return out


def unsupported(poses: BodyPoses, cfg: ScreenCfg) -> Mask:
    """Frames (T,) in which the floor would have to push far from the soles, at rest.

    In quick motion the push is known too badly to judge by.
    """
    if len(poses.pos_w) < 2:
        return np.zeros(len(poses.pos_w), dtype=bool)
    sway = _acceleration(centre_of_mass(mass_centres(poses)))[:, :2]
    calm = np.linalg.norm(sway, axis=1) < _CALM
    beside = np.nan_to_num(outside_support(poses), nan=-1.0) > cfg.unsupported_distance
    return _long_runs(beside & calm, longer=round(cfg.max_unsupported * FPS))


def screen(
    window: Window,
    unfit: Mapping[str, Mask],
    quality: FrameQuality,
    *,
    cfg: ScreenCfg,
) -> Verdict:
    """Keep a window, shrink it to its longest fit part, or reject it with reasons."""
    part = slice(window.start, window.stop)
    reasons = tuple(name for name, mask in unfit.items() if mask[part].any())
    bad = np.any([mask[part] for mask in unfit.values()], axis=0)
    start, stop = longest_run(~_widened(bad, by=round(cfg.margin * FPS)))
    if stop - start < MIN_FRAMES:
        return Verdict(window=None, reasons=reasons or (TOO_SHORT,))
    scope = window.scope
    if scope == "trial" and stop - start < 0.9 * window.num_frames:
        scope = "part"
    kept = Window(window.start + start, window.start + stop, scope)
    error = quality.foot_error[kept.start : kept.stop].mean(axis=0).max()
    if error > cfg.max_foot_error:
        return Verdict(
            window=None, reasons=tuple(dict.fromkeys((*reasons, FOOT_ERROR)))
        )
    return Verdict(window=kept, reasons=reasons)


def quality_record(
    qpos: NDArray[Any], quality: FrameQuality, window: Window, *, cfg: ScreenCfg
) -> dict[str, float]:
    """Measures of one clip, rounded; names end in their unit."""
    part = slice(window.start, window.stop)
    skate = quality.skate[part]
    in_contact = np.isfinite(skate)
    contacts = int(in_contact.sum())
    aloft = quality.lowest[part] > cfg.airborne_height
    start, stop = longest_run(aloft)
    values = {
        "foot_error_mean_m": quality.foot_error[part].mean(),
        "foot_error_max_m": quality.foot_error[part].max(),
        "ground_penetration_max_m": quality.ground_penetration[part].max(),
        "ground_penetration_over_1cm": (quality.ground_penetration[part] > 0.01).mean(),
        "self_penetration_max_m": quality.self_penetration[part].max(),
        "self_penetration_over_1cm": (quality.self_penetration[part] > 0.01).mean(),
        "skate_mean_m_s": skate[in_contact].mean() if contacts else 0.0,
        "contact_feet_mean": contacts / window.num_frames,
        "joint_speed_ratio_max": quality.joint_speed_ratio[part].max(),
        "limit_violation_max_rad": quality.limit_violation[part].max(),
        "pelvis_min_m": qpos[part, 2].min(),
        "airborne_max_s": (stop - start) / FPS,
    }
    return {name: round(float(value), 6) for name, value in values.items()}


def _acceleration(path: NDArray[Any]) -> NDArray[Any]:
    """Of a path (T, 3) [m], smoothed, (T, 3) [m/s^2]."""
    smooth = gaussian_filter1d(path, 2.0, axis=0, mode="nearest")
    rate = np.gradient(smooth, 1 / FPS, axis=0)
    return np.asarray(np.gradient(rate, 1 / FPS, axis=0))


def _widened(mask: Mask, *, by: int) -> Mask:
    """`mask` and the frames within `by` of it."""
    return np.convolve(mask, np.ones(2 * by + 1), mode="full")[by : -by or None] > 0.5


def _long_runs(mask: Mask, *, longer: int) -> Mask:
    """The parts of `mask` that last more than `longer` frames."""
    out = np.zeros_like(mask)
    for start, stop in true_runs(mask):
        out[start:stop] = stop - start > longer
    return out
