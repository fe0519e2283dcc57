"""A result as a film or a contact sheet."""

from __future__ import annotations

from pathlib import Path

from texedo.motion import FPS
from texedo.pipeline.result import Generated
from texedo.robot.render import performance, render_motion

FILM_SIZE = (480, 360)
"""Small enough to be drawn without a graphics card while one waits."""
LONG = 8.0
"""A longer performance is filmed with half as many pictures a second [s]."""


def draw(result: Generated, path: Path) -> Path:
    """The performance with the reference as a ghost; the motion if nobody performed it.

    Writes an mp4, a gif or, as png, a contact sheet.
    """
    done = result.performance
    if done is None or done.executed is None:
        render_motion(result.motion, path, backend=performance.quick_backend())
        return path
    scene = performance.Scene(
        executed=done.executed,
        reference=result.motion,
        verdict=done.verdict,
        success=done.holds,
    )
    fps = performance.FILM_FPS
    if len(done.executed) / FPS > LONG:
        fps /= 2
    return performance.film_rollout(scene, path, size=FILM_SIZE, fps=fps)
