"""Where the picture is taken from: a pinhole camera, and one that follows a motion.

Angles are MuJoCo's, so that both back ends frame the same picture: the camera looks
along (cos e cos a, cos e sin a, sin e) for azimuth a and elevation e. Pixel (0, 0) is
the top left one and its centre lies at (0.5, 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.motion.rotations import quat_yaw
from texedo.robot.tables import Vec3

Float64 = NDArray[np.float64]


class CameraFrame(NamedTuple):
    """The camera in the world: its eye and three unit vectors, (3,) each."""

    eye: Float64
    right: Float64
    up: Float64
    forward: Float64


@dataclass(frozen=True)
class Camera:
    """A pinhole that looks at a point from a distance."""

    lookat: Vec3
    """The point in the middle of the picture [m]."""
    distance: float = 2.7
    """From the eye to `lookat` [m]."""
    azimuth: float = 145.0
    """Heading of the view; 180 looks a robot that faces +x in the face [degrees]."""
    elevation: float = -12.0
    """Negative looks down [degrees]."""
    fovy: float = 40.0
    """Vertical opening angle [degrees]."""

    def frame(self) -> CameraFrame:
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        forward = np.array(
            [math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]
        )
        right = np.array([math.sin(a), -math.cos(a), 0.0])
        eye = np.array(self.lookat) - self.distance * forward
        return CameraFrame(eye, right, np.cross(right, forward), forward)

    def focal(self, height: int) -> float:
        """Pixels per unit of slope, the same in both directions."""
        return height / 2 / math.tan(math.radians(self.fovy) / 2)

    def project(
        self, points_w: NDArray[Any], *, width: int, height: int
    ) -> tuple[Float64, Float64]:
        """Pixels (..., 2) and depths along the view (...) [m] of world points.

        Where the depth is not positive the point is behind the eye and its pixel means
        nothing.
        """
        frame, focal = self.frame(), self.focal(height)
        arm = np.asarray(points_w, dtype=np.float64) - frame.eye
        depth = arm @ frame.forward
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        x = width / 2 + focal * (arm @ frame.right) / safe
        y = height / 2 - focal * (arm @ frame.up) / safe
        return np.stack((x, y), axis=-1), depth


@dataclass(frozen=True)
class View:
    """How a motion is looked at, as the camera follows it."""

    azimuth: float = 145.0
    """Against the robot's first heading: 180 in the face, 90 from its right, 0 from
    behind [degrees]."""
    elevation: float = -12.0
    """Negative looks down [degrees]."""
    distance: float = 2.7
    """From the robot; grows when a ghost walks away from it [m]."""
    smoothing: float = 0.4
    """How sluggishly the camera follows: standard deviation of the filter [s]."""


def follow(
    qpos: NDArray[Any],
    view: View,
    *,
    fps: float,
    ghost_qpos: NDArray[Any] | None = None,
) -> list[Camera]:
    """One camera a frame for (T, 36) positions: smooth, and turned once for all.

    With a ghost the camera looks between the two and steps back as far as they part.
    """
    root = np.asarray(qpos[:, :3], dtype=np.float64)
    distance = view.distance
    if ghost_qpos is not None:
        other = np.asarray(ghost_qpos[:, :3], dtype=np.float64)
        apart = np.linalg.norm((other - root)[:, :2], axis=1)
        # Two robots four metres apart are specks; beyond that the ghost may leave.
        distance += 0.6 * min(float(np.percentile(apart, 95)), 4.0)
        root = np.where(np.minimum(apart, 4.0)[:, None] < 4.0, (root + other) / 2, root)
    path = _smooth(root, sigma=view.smoothing * fps)
    # The middle of a standing robot is below its pelvis; one on the floor is kept
    # above the lower edge of the picture.
    height = np.maximum(path[:, 2] - 0.09, 0.35)
    heading = math.degrees(float(quat_yaw(np.asarray(qpos[0, 3:7], dtype=np.float64))))
    return [
        Camera(
            lookat=(float(x), float(y), float(z)),
            distance=distance,
            azimuth=heading + view.azimuth,
            elevation=view.elevation,
        )
        for (x, y), z in zip(path[:, :2], height, strict=True)
    ]


def _smooth(path: Float64, *, sigma: float) -> Float64:
    """Gaussian filter along the first axis without delay; the ends are held."""
    reach = math.ceil(3 * sigma)
    if reach < 1:
        return path
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(c, kernel, mode="valid") for c in padded.T], axis=1)
