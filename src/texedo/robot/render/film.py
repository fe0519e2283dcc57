"""A motion into a video, an animation or a contact sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import RenderError
from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_slerp
from texedo.robot.render.backend import Backend, make_renderer
from texedo.robot.render.camera import Camera, View, follow
from texedo.robot.render.files import (
    MAX_GIF_FPS,
    check_suffix,
    whole_file,
    write_gif,
    write_mp4,
    write_png,
)
from texedo.robot.render.overlay import draw_label, tile
from texedo.robot.render.scene import Image, Renderer

Progress = Callable[[int, int], None]
"""Called with the number of pictures done and to do."""

_SIZE = {".mp4": (640, 480), ".gif": (480, 360), ".png": (320, 320)}
_FPS = {".mp4": 25.0, ".gif": 20.0}
_COLUMNS = 4
_LONG = 4.0
"""A longer motion gets a third row of pictures [s]."""
_MAX_SIDE = 4096
_MAX_FPS = 120.0


class Rendered(NamedTuple):
    """What was written."""

    path: Path
    pictures: int
    """Frames of a video, panels of a contact sheet."""
    width: int
    height: int
    backend: str


class _Shot(NamedTuple):
    """Everything one picture needs."""

    qpos: NDArray[np.float64]
    camera: Camera
    ghost_qpos: NDArray[np.float64] | None
    time: float


def render_motion(
    motion: Motion,
    path: str | Path,
    *,
    ghost: Motion | None = None,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    backend: Backend = "auto",
    view: View | None = None,
    progress: Progress | None = None,
) -> Rendered:
    """Draw a motion; the suffix of `path` chooses mp4, gif, or png (a contact sheet).

    `ghost` is a second motion, drawn translucent; when it ends first, it stands still.
    `size` is (width, height) of a picture or of one panel of a sheet; a video rounds
    it up to even numbers. Without `fps` a video has 25 and an animation 20.
    """
    path = Path(path)
    suffix = check_suffix(path)
    width, height = _checked_size(size or _SIZE[suffix], even=suffix == ".mp4")
    rate = _checked_fps(fps, suffix) if suffix != ".png" else None
    times = _sheet_times(motion) if rate is None else _film_times(motion, rate)
    shots = _plan(motion, ghost, times, view or View())
    with (
        whole_file(path) as temporary,
        closing(make_renderer(width, height, backend=backend)) as renderer,
    ):
        if rate is None:
            sheet = _sheet(renderer, shots, _trail(motion), progress)
            height, width, _ = sheet.shape
            write_png(temporary, sheet)
        elif suffix == ".mp4":
            frames = _film(renderer, shots, progress)
            write_mp4(temporary, frames, width=width, height=height, fps=rate)
        else:
            picks = [shots[0], shots[len(shots) // 2], shots[-1]]
            samples = list(_film(renderer, picks, None))
            frames = _film(renderer, shots, progress)
            write_gif(temporary, frames, fps=rate, samples=samples)
    return Rendered(path, len(shots), width, height, renderer.name)


def draw_frame(
    qpos: NDArray[Any],
    *,
    camera: Camera | None = None,
    ghost_qpos: NDArray[Any] | None = None,
    size: tuple[int, int] = (480, 360),
    backend: Backend = "auto",
) -> Image:
    """One picture, (H, W, 3), of the robot at `qpos` (36,).

    For many pictures make one renderer with `make_renderer` and keep it.
    """
    eye = camera or follow(np.asarray(qpos)[None], View(), fps=FPS)[0]
    with closing(make_renderer(*size, backend=backend)) as renderer:
        return renderer.render(qpos, eye, ghost_qpos=ghost_qpos)


def sample_qpos(motion: Motion, times: NDArray[Any]) -> NDArray[np.float64]:
    """Positions (K, 36) at any times [s]: linear, slerp for the root, ends held."""
    qpos = motion.to_qpos().astype(np.float64)
    at = np.clip(np.asarray(times, dtype=np.float64) * FPS, 0, len(qpos) - 1)
    low = np.minimum(at.astype(np.int64), len(qpos) - 2)
    t = at - low
    out: NDArray[np.float64] = (1 - t[:, None]) * qpos[low] + t[:, None] * qpos[low + 1]
    out[:, 3:7] = quat_slerp(qpos[low, 3:7], qpos[low + 1, 3:7], t)
    return out


def _checked_size(size: tuple[int, int], *, even: bool) -> tuple[int, int]:
    width, height = size
    if not (16 <= width <= _MAX_SIDE and 16 <= height <= _MAX_SIDE):
        raise RenderError(
            f"Width and height must be 16 to {_MAX_SIDE} pixels, got {width}x{height}."
        )
    return (width + width % 2, height + height % 2) if even else (width, height)


def _checked_fps(fps: float | None, suffix: str) -> float:
    fps = _FPS[suffix] if fps is None else fps
    limit = MAX_GIF_FPS if suffix == ".gif" else _MAX_FPS
    if not 1 <= fps <= limit:
        raise RenderError(f"fps of a {suffix} must be 1 to {limit:g}, got {fps:g}.")
    return fps


def _film_times(motion: Motion, fps: float) -> NDArray[np.float64]:
    # 1e-6 of a frame: the last instant must not be lost to rounding.
    return np.asarray(np.arange(int(motion.duration * fps + 1e-6) + 1) / fps)


def _sheet_times(motion: Motion) -> NDArray[np.float64]:
    rows = 3 if motion.duration > _LONG else 2
    panels = min(rows * _COLUMNS, len(motion))
    return np.linspace(0.0, motion.duration, panels)


def _plan(
    motion: Motion, ghost: Motion | None, times: NDArray[np.float64], view: View
) -> list[_Shot]:
    """Poses and cameras of all pictures.

    The camera's path is smoothed at the motion's own rate and then sampled, so that a
    sheet of eight pictures frames the robot as the video does.
    """
    own = np.arange(len(motion)) / FPS
    other = None if ghost is None else sample_qpos(ghost, own)
    cameras = follow(motion.to_qpos(), view, fps=FPS, ghost_qpos=other)
    qpos = sample_qpos(motion, times)
    ghosts = None if ghost is None else sample_qpos(ghost, times)
    nearest = np.minimum(np.rint(times * FPS).astype(np.int64), len(motion) - 1)
    return [
        _Shot(
            qpos[i],
            cameras[nearest[i]],
            None if ghosts is None else ghosts[i],
            float(times[i]),
        )
        for i in range(len(times))
    ]


def _film(
    renderer: Renderer, shots: list[_Shot], progress: Progress | None
) -> Iterator[Image]:
    for i, shot in enumerate(shots):
        yield renderer.render(shot.qpos, shot.camera, ghost_qpos=shot.ghost_qpos)
        if progress is not None:
            progress(i + 1, len(shots))


def _sheet(
    renderer: Renderer,
    shots: list[_Shot],
    trail: NDArray[np.float64] | None,
    progress: Progress | None,
) -> Image:
    panels = []
    for i, shot in enumerate(shots):
        picture = renderer.render(
            shot.qpos, shot.camera, ghost_qpos=shot.ghost_qpos, trail=trail
        )
        panels.append(draw_label(picture, f"{shot.time:.2f} s"))
        if progress is not None:
            progress(i + 1, len(shots))
    return tile(panels, columns=min(_COLUMNS, len(panels)))


def _trail(motion: Motion) -> NDArray[np.float64] | None:
    """The pelvis' path on the floor, (K, 2), a point every 5 cm; None if it stays."""
    path = motion.root_pos_w[:, :2].astype(np.float64)
    kept = [path[0]]
    for point in path[1:]:
        if np.hypot(*(point - kept[-1])) >= 0.05:
            kept.append(point)
    return np.array(kept) if len(kept) > 2 else None
