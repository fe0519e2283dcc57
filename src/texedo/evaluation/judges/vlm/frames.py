"""Pictures of a motion at equal intervals, as the models get them."""

from __future__ import annotations

import io
from contextlib import closing

import numpy as np
from PIL import Image as PilImage

from texedo.motion import Motion
from texedo.robot.render.backend import Backend, make_renderer
from texedo.robot.render.camera import View, follow
from texedo.robot.render.film import sample_qpos

SIZE = (512, 384)
"""Width and height of a picture."""


def pictures(
    motion: Motion,
    count: int,
    *,
    size: tuple[int, int] = SIZE,
    backend: Backend = "auto",
) -> list[bytes]:
    """So many PNG files, from the first frame to the last."""
    times = np.linspace(0.0, motion.duration, count)
    qpos = sample_qpos(motion, times)
    rate = (count - 1) / max(motion.duration, 1e-6)
    cameras = follow(qpos, View(), fps=rate)
    files = []
    with closing(make_renderer(*size, backend=backend)) as renderer:
        for row, camera in zip(qpos, cameras, strict=True):
            stream = io.BytesIO()
            PilImage.fromarray(renderer.render(row, camera)).save(stream, format="PNG")
            files.append(stream.getvalue())
    return files
