"""What both back ends draw: the looks of the stage, and the plug point `Renderer`."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_rotate, quat_to_matrix
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import forward_kinematics
from texedo.robot.render.camera import Camera
from texedo.robot.tables import Vec3
from texedo.robot.visuals import MATERIALS, VISUAL_ROWS

Image = NDArray[np.uint8]
"""A picture, (H, W, 3) RGB."""

TILE = 0.5
"""Side of a floor tile: two of them make a metre [m]."""
FLOOR_LIGHT: Vec3 = (0.66, 0.70, 0.74)
FLOOR_DARK: Vec3 = (0.49, 0.54, 0.61)
SKY_HORIZON: Vec3 = (0.83, 0.87, 0.91)
SKY_TOP: Vec3 = (0.50, 0.62, 0.76)
GHOST_RGB: Vec3 = (0.25, 0.55, 0.95)
GHOST_ALPHA = 0.5
TRAIL_RGB: Vec3 = (0.93, 0.45, 0.13)
TRAIL_WIDTH = 0.02
"""Width of the path drawn on the floor [m]."""
FOG_DISTANCE = 9.0
"""Where the floor has faded half way into the horizon [m]."""


def light_direction(azimuth: float) -> NDArray[np.float64]:
    """Unit vector towards the light, over the shoulder of a camera of this azimuth.

    The light turns with the camera, so that no view is a silhouette against it.
    """
    a = np.radians(azimuth + 40.0)
    towards = np.array([-np.cos(a), -np.sin(a), 1.9])
    return np.asarray(towards / np.linalg.norm(towards))


class Renderer(Protocol):
    """Draws one picture of the robot."""

    name: str
    """The back end, for messages: `software`, `egl`, ..."""

    def render(
        self,
        qpos: NDArray[Any],
        camera: Camera,
        *,
        ghost_qpos: NDArray[Any] | None = None,
        trail: NDArray[Any] | None = None,
    ) -> Image:
        """The robot at `qpos` (36,), a translucent second one, and a floor path (K, 2).

        A path needs at least two points.
        """
        ...

    def close(self) -> None:
        """Give back what the back end holds; a second call does nothing."""
        ...


def ghost_colour(rgb: NDArray[Any]) -> NDArray[Any]:
    """A material's colour (..., 3) on the ghost: dark parts stay darker."""
    return np.asarray(np.array(GHOST_RGB, np.float32) * (0.55 + 0.45 * rgb))


class ShapePoses(NamedTuple):
    """Visual shapes in the world, in `VISUAL_ROWS` order."""

    pos_w: NDArray[np.float64]
    """(S, 3) [m]."""
    matrix_w: NDArray[np.float64]
    """(S, 3, 3), columns are the axes of the shape in the world."""


_BODY = np.array([BODY_INDEX[row.body] for row in VISUAL_ROWS])
_POS = np.array([row.pos for row in VISUAL_ROWS], dtype=np.float64)
_MATRIX = quat_to_matrix(np.array([row.quat for row in VISUAL_ROWS], dtype=np.float64))
ALBEDO = np.array([MATERIALS[row.material][:3] for row in VISUAL_ROWS], np.float32)
"""Colour of each visual shape, (S, 3)."""


def shape_poses(qpos: NDArray[Any]) -> ShapePoses:
    """Where every visual shape is when the robot is at `qpos` (36,)."""
    body = forward_kinematics(qpos[:3], qpos[3:7], np.asarray(qpos[7:]))
    pos, quat = body.pos_w[_BODY], body.quat_w[_BODY]
    return ShapePoses(
        pos + np.asarray(quat_rotate(quat, _POS), dtype=np.float64),
        np.asarray(quat_to_matrix(quat) @ _MATRIX, dtype=np.float64),
    )
