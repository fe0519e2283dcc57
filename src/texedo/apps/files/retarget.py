"""`texedo retarget`: a BVH recording on the robot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.markup import escape
from rich.table import Table

from texedo.apps.console import make_console
from texedo.data.capture.source import load_source
from texedo.data.retarget import FrameQuality, retarget
from texedo.formats import save_motion
from texedo.formats.rates import pick_rate
from texedo.motion import canonicalize


@dataclass(frozen=True)
class Cfg:
    """Retarget a BVH motion capture file to the G1.

    Any skeleton: joints are found by name (CMU, LAFAN1, Mixamo and most others) or by
    the shape of the hierarchy; what cannot be matched is refused with the hierarchy and
    how to write a mapping file. Then look at the result:

        texedo retarget walk.bvh -o walk.npz
        texedo check walk.npz
        texedo render walk.npz -o walk.mp4
    """

    bvh: tyro.conf.Positional[Path]
    """The BVH file."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """Where the motion goes; the suffix or --to chooses the format."""
    to: str | None = None
    """Format of the output; our own .npz if not given."""
    mapping: Path | None = None
    """JSON file of role to joint name, for skeletons that are not recognised."""
    scale: float | None = None
    """Metres in one length unit of the file; estimated from the body if not given."""
    up: Literal["x", "y", "z"] | None = None
    """The file's vertical axis; detected if not given."""
    fps: float | None = None
    """Frame rate of the file [Hz], instead of what its frame time says."""
    start_frame: int | None = None
    """First frame of the motion; a leading T-pose is left out if not given."""


def run(cfg: Cfg) -> int:
    console = make_console()
    with console.status(escape(f"Retargeting {cfg.bvh.name}")):
        source = load_source(
            cfg.bvh,
            mapping=cfg.mapping,
            scale=cfg.scale,
            up=cfg.up,
            start_frame=cfg.start_frame,
        )
        rate = pick_rate(cfg.bvh, cfg.fps, stored=source.fps)
        result = retarget(replace(source, fps=rate.fps))
    motion = canonicalize(result.motion)
    save_motion(motion, cfg.out, format=cfg.to)
    console.print(
        f"{cfg.bvh.name}: {source.profile} skeleton, {source.scale:.4g} m per unit, "
        f"{rate}, {motion.duration:.2f} s -> {cfg.out}",
        markup=False,
        soft_wrap=True,
    )
    console.print(_quality_table(result.quality))
    return 0


def _quality_table(quality: FrameQuality) -> Table:
    table = Table("measure", "value", title="How well it fits", title_justify="left")
    in_contact = quality.skate[np.isfinite(quality.skate)]
    skate = (
        f"{100 * in_contact.mean():.1f} cm/s" if len(in_contact) else "no foot stands"
    )
    rows = {
        "foot error, mean": f"{100 * quality.foot_error.mean():.2f} cm",
        "limbs overlap by more than 1 cm": _share(quality.self_penetration > 0.01),
        "floor penetrated by more than 1 cm": _share(quality.ground_penetration > 0.01),
        "foot skate, mean": skate,
        "joint speed, most of a motor's limit": f"{quality.joint_speed_ratio.max():.0%}",
    }
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _share(frames: NDArray[np.bool_]) -> str:
    return f"{frames.mean():.1%} of frames"
