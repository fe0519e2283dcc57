"""The film of a rollout: the robot, the reference as its ghost, the verdict."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_yaw, quat_rotate, quat_yaw
from texedo.robot import g1
from texedo.robot.render import (
    Backend,
    View,
    draw_label,
    find_gl,
    follow,
    make_renderer,
    tile,
)
from texedo.robot.render.backend import may_have_card
from texedo.robot.render.camera import Camera
from texedo.robot.render.files import (
    check_suffix,
    whole_file,
    write_gif,
    write_mp4,
    write_png,
)
from texedo.robot.render.scene import Image, Renderer

SIZE = (640, 480)
_PANEL = (320, 240)
FILM_FPS = 25.0
_HOLD = 1.0
"""How long the frame that failed stays on the screen [s]."""
_COLUMNS, _PANELS = 4, 12
_RED, _GREEN = (176, 32, 32), (28, 108, 58)

Float64 = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """What the film shows."""

    executed: Float64
    """What the robot did, (T', 36); the frame that failed is the last."""
    reference: Motion
    verdict: str
    """What is written over the end."""
    success: bool
    beside: float = 0.9
    """How far to the side of its true place the ghost walks [m]."""


def film_rollout(
    scene: Scene,
    path: Path,
    *,
    backend: Backend = "auto",
    size: tuple[int, int] = SIZE,
    fps: float = FILM_FPS,
) -> Path:
    """Write an mp4, a gif or, as png, a contact sheet; the suffix decides."""
    suffix = check_suffix(path)
    sheet = suffix == ".png"
    width, height = _PANEL if sheet else size
    backend = quick_backend() if backend == "auto" else backend
    cameras = follow(
        scene.executed,
        View(),
        fps=FPS,
        ghost_qpos=_ghosts(scene)[: len(scene.executed)],
    )
    with (
        whole_file(path) as temporary,
        closing(make_renderer(width, height, backend=backend)) as renderer,
    ):
        if sheet:
            frames = (
                np.linspace(0, len(scene.executed) - 1, _PANELS).round().astype(int)
            )
            panels = list(_draw(scene, renderer, cameras, sorted(set(frames.tolist()))))
            write_png(temporary, tile(panels, columns=min(_COLUMNS, len(panels))))
            return path
        order = _film_frames(scene, fps)
        pictures = _draw(scene, renderer, cameras, order)
        if suffix == ".mp4":
            write_mp4(temporary, pictures, width=width, height=height, fps=fps)
        else:
            few = [order[0], order[len(order) // 2], order[-1]]
            samples = list(_draw(scene, renderer, cameras, few))
            write_gif(temporary, pictures, fps=fps, samples=samples)
    return path


@cache
def quick_backend() -> Backend:
    """`auto`, or `software` where that is faster.

    OpenGL without a graphics card draws meshes and shadows on the CPU, and more slowly
    than we do: where there is none nothing is tried, which would take seconds.
    """
    if not may_have_card() or find_gl() is None:
        return "software"
    return "auto" if _seconds("auto") < _seconds("software") else "software"


def _seconds(backend: Backend) -> float:
    """How long a small picture takes [s]."""
    qpos = np.array(
        [0.0, 0.0, g1.KNEES_BENT_HEIGHT, 1.0, 0.0, 0.0, 0.0, *g1.KNEES_BENT]
    )
    camera = follow(qpos[None], View(), fps=FPS)[0]
    with closing(make_renderer(*_PANEL, backend=backend)) as renderer:
        renderer.render(qpos, camera)  # The first one also loads what is needed.
        started = time.perf_counter()
        renderer.render(qpos, camera, ghost_qpos=qpos)
        return time.perf_counter() - started


def _film_frames(scene: Scene, fps: float) -> list[int]:
    """Every second frame of 50 at 25 fps, the last one always, and a pause on it."""
    last = len(scene.executed) - 1
    frames = list(range(0, last, round(FPS / fps)))
    return frames + [last] * round(_HOLD * fps)


def _ghosts(scene: Scene) -> Float64:
    """The reference moved to the left, away from the camera, (T, 36)."""
    qpos = scene.reference.to_qpos().astype(np.float64)
    side = quat_from_yaw(quat_yaw(qpos[0, 3:7]))
    qpos[:, :3] += quat_rotate(side, np.array([0.0, scene.beside, 0.0]))
    return qpos


def _draw(
    scene: Scene, renderer: Renderer, cameras: list[Camera], frames: list[int]
) -> Iterator[Image]:
    ghosts, last = _ghosts(scene), len(scene.executed) - 1
    drawn, picture = -1, np.empty((0, 0, 3), np.uint8)
    for frame in frames:
        if frame == drawn:  # The pause at the end is one picture.
            yield picture
            continue
        drawn = frame
        picture = renderer.render(
            scene.executed[frame], cameras[frame], ghost_qpos=ghosts[frame]
        )
        picture = draw_label(picture, f"{frame / FPS:.2f} s")
        if frame == last:
            plate = _GREEN if scene.success else _RED
            picture = draw_label(
                picture, scene.verdict, corner="bottom-left", plate=plate
            )
        yield picture
