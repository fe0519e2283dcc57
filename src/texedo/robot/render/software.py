"""A picture without OpenGL: ray-cast primitives on a tiled floor, in numpy alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.robot.render import scene
from texedo.robot.render.camera import Camera
from texedo.robot.render.floor import paint_stage, paint_trail
from texedo.robot.render.raster import (
    Float32,
    Float64,
    Lens,
    Surface,
    bounding_tile,
    rasterize,
)
from texedo.robot.render.scene import Image
from texedo.robot.render.shadow import ShadowMap

_SUPERSAMPLING = 2
"""Rays a pixel, each way, where the robot is."""


class SoftwareRenderer:
    """Draws with numpy: no driver, no display, no simulator."""

    name = "software"

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height

    def render(
        self,
        qpos: NDArray[Any],
        camera: Camera,
        *,
        ghost_qpos: NDArray[Any] | None = None,
        trail: NDArray[Any] | None = None,
    ) -> Image:
        """See `Renderer.render`."""
        lens = Lens.of_camera(camera, width=self._width, height=self._height)
        light = scene.light_direction(camera.azimuth)
        poses = scene.shape_poses(np.asarray(qpos, dtype=np.float64))
        shadow = ShadowMap(poses, light)
        picture = paint_stage(lens, shadow)
        if trail is not None:
            paint_trail(picture, trail, lens)
        ghost = None
        if ghost_qpos is not None:
            ghost = scene.shape_poses(np.asarray(ghost_qpos, dtype=np.float64))
        tile = bounding_tile([poses] if ghost is None else [poses, ghost], lens)
        if tile is not None:
            fine = lens.crop(tile).finer(_SUPERSAMPLING)
            layer = _paint_robot(
                rasterize(poses, fine, floor=True), fine, light, shadow
            )
            if ghost is not None:
                layer = _add_ghost(
                    layer, rasterize(ghost, fine, floor=True), fine, light
                )
            picture[tile] *= 1 - _coarser(layer.alpha)[..., None]
            picture[tile] += _coarser(layer.colour)
        return (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)

    def close(self) -> None:
        """Nothing is held."""


class _Layer(NamedTuple):
    """Robots painted on glass: colours are already weighted with `alpha`."""

    colour: Float32
    """(H, W, 3)."""
    alpha: Float32
    """(H, W), 0 where the stage shows through."""
    depth: Float32
    """(H, W) [m]."""


def _paint_robot(
    surface: Surface, lens: Lens, light: Float64, shadow: ShadowMap
) -> _Layer:
    hit = surface.shape >= 0
    normal_w = surface.normal_w[hit]
    lit = shadow.on_robot(lens.points(surface.depth, hit), normal_w)
    albedo = scene.ALBEDO[surface.shape[hit]]
    colour = np.zeros((*hit.shape, 3), np.float32)
    colour[hit] = _shade(normal_w, albedo, lens=lens, light=light, lit=lit)
    return _Layer(colour, hit.astype(np.float32), surface.depth)


def _add_ghost(layer: _Layer, ghost: Surface, lens: Lens, light: Float64) -> _Layer:
    """A tinted, translucent robot over the layer, where it is nearer."""
    seen = (ghost.shape >= 0) & (ghost.depth < layer.depth)
    tint = scene.ghost_colour(scene.ALBEDO)[ghost.shape[seen]]
    unshaded = np.ones(1, np.float32)
    shaded = _shade(ghost.normal_w[seen], tint, lens=lens, light=light, lit=unshaded)
    a = np.float32(scene.GHOST_ALPHA)
    colour, alpha = layer.colour.copy(), layer.alpha.copy()
    colour[seen] = (1 - a) * colour[seen] + a * shaded
    alpha[seen] = 1 - (1 - a) * (1 - alpha[seen])
    return _Layer(colour, alpha, layer.depth)


def _shade(
    normal_w: Float32,
    albedo: Float32,
    *,
    lens: Lens,
    light: Float64,
    lit: Float32,
) -> Float32:
    """Colours (n, 3): sky and floor light, the lamp, and a small highlight."""
    towards = light.astype(np.float32)
    eye = -lens.forward.astype(np.float32)
    half = (towards + eye) / np.linalg.norm(towards + eye)
    lamp = np.maximum(normal_w @ towards, 0) * lit
    ambient = 0.40 + 0.14 * normal_w[:, 2]
    facing = 0.12 * np.maximum(normal_w @ eye, 0)
    shine = 0.22 * np.maximum(normal_w @ half, 0) ** 24 * lit
    return np.asarray(
        albedo * (ambient + facing + 0.58 * lamp)[:, None] + shine[:, None],
        dtype=np.float32,
    )


def _coarser(image: Float32) -> Float32:
    """Mean over the samples of each pixel, (H k, W k, ...) to (H, W, ...)."""
    k = _SUPERSAMPLING
    rows = image[0::k]
    for i in range(1, k):
        rows = rows + image[i::k]
    out = rows[:, 0::k]
    for i in range(1, k):
        out = out + rows[:, i::k]
    return np.asarray(out / np.float32(k * k))
