"""`texedo render`: pictures of a motion, on any machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.core.errors import RenderError
from texedo.formats import load_clip, motion_from_clip
from texedo.motion import Motion
from texedo.robot.render import Backend, Rendered, View, render_motion
from texedo.robot.render.files import check_suffix

_VIEW = View()


@dataclass(frozen=True)
class Cfg:
    """Render a motion of the robot as a video, an animation or a contact sheet.

    The camera follows the robot; floor tiles are half a metre wide. No display is
    needed: OpenGL renders where a driver is installed, plain numpy elsewhere.

    Example: texedo render dance.csv --from lafan1 -o dance.mp4
    """

    motion: tyro.conf.Positional[Path]
    """Motion file."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """What to write: x.mp4 (video), x.gif (animation) or x.png (contact sheet)."""
    ghost: Path | None = None
    """A second motion, drawn translucent blue: the reference, or what came of it."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motion, where the file does not identify it."""
    ghost_from: Annotated[str | None, tyro.conf.arg(metavar="FORMAT")] = None
    """Format of the ghost; without it, the motion's."""
    fps: float | None = None
    """Frame rate of the files [Hz], instead of what the file or format says."""
    to_fps: float | None = None
    """Frame rate of the output [Hz]; 25 for a video, 20 for an animation."""
    width: int | None = None
    """Width of the picture, or of one panel of a contact sheet [pixels]."""
    height: int | None = None
    """Height of the same [pixels]; one of the two alone keeps the aspect ratio."""
    azimuth: float = _VIEW.azimuth
    """Camera azimuth: 180 sees the robot from the front, 90 from its right, 0 from
    behind [degrees]."""
    elevation: float = _VIEW.elevation
    """Camera elevation: negative looks down [degrees]."""
    distance: float = _VIEW.distance
    """Camera distance [m]."""
    backend: Backend = "auto"
    """Renderer: OpenGL (`gl`), numpy (`software`), or the first of them that works."""


def run(cfg: Cfg) -> int:
    suffix = check_suffix(cfg.out)
    size = _size(cfg.width, cfg.height, square=suffix == ".png")
    motion, ghost = _load(cfg)
    with progress_bar("drawing") as advance:
        done = render_motion(
            motion,
            cfg.out,
            ghost=ghost,
            size=size,
            fps=cfg.to_fps,
            backend=cfg.backend,
            view=View(cfg.azimuth, cfg.elevation, cfg.distance),
            progress=advance,
        )
    print(_summary(done))
    return 0


def _load(cfg: Cfg) -> tuple[Motion, Motion | None]:
    """Motion and ghost; says at which rate each was read."""
    motion = _read(cfg.motion, cfg.from_, cfg.fps)
    if cfg.ghost is None:
        return motion, None
    return motion, _read(cfg.ghost, cfg.ghost_from or cfg.from_, cfg.fps)


def _read(path: Path, format: str | None, fps: float | None) -> Motion:
    clip = load_clip(path, format=format, fps=fps)
    motion = motion_from_clip(clip, path)
    print(f"{path}: read at {clip.reading}")
    return motion


def _size(
    width: int | None, height: int | None, *, square: bool
) -> tuple[int, int] | None:
    """Both sides, where at least one was given."""
    shape = 1.0 if square else 4 / 3
    if width is None and height is None:
        return None
    for side in (width, height):
        if side is not None and side <= 0:
            raise RenderError(f"Width and height must be positive, got {side}.")
    return (
        width if width is not None else round((height or 0) * shape),
        height if height is not None else round((width or 0) / shape),
    )


def _summary(done: Rendered) -> str:
    what = "panels" if done.path.suffix.lower() == ".png" else "frames"
    kilobytes = done.path.stat().st_size / 1000
    return (
        f"{done.path}: {done.pictures} {what}, {done.width}x{done.height}, "
        f"{kilobytes:.0f} kB, drawn by {done.backend}"
    )
