"""The empty stage without OpenGL: sky, tiles that fade into haze, shadow and path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PilImage
from PIL import ImageDraw

from texedo.robot.render import scene
from texedo.robot.render.raster import Float32, Lens
from texedo.robot.render.shadow import ShadowMap
from texedo.robot.tables import Vec3

_SHADOW_DEPTH = 0.5
"""Part of the floor's light that the full shadow takes away."""


def _rgb(colour: Vec3) -> Float32:
    return np.array(colour, np.float32)


def paint_stage(lens: Lens, shadow: ShadowMap) -> Float32:
    """Sky and floor, (H, W, 3)."""
    _, y = lens.offsets(slice(0, lens.height), slice(0, 1))
    rise = np.clip((lens.forward[2] + y * lens.down[2]) / 0.6, 0, 1)
    horizon, top = _rgb(scene.SKY_HORIZON), _rgb(scene.SKY_TOP)
    sky = horizon + rise[..., None] * (top - horizon)
    picture = np.empty((lens.height, lens.width, 3), np.float32)
    picture[:] = sky
    depth = lens.floor_depth()
    rows = np.flatnonzero(np.isfinite(depth))
    if rows.size:
        below = slice(int(rows[0]), int(rows[-1]) + 1)
        picture[below] = _floor(lens, shadow, below, depth[below])
    return picture


def _floor(lens: Lens, shadow: ShadowMap, rows: slice, t: Float32) -> Float32:
    """The floor in some rows of the picture, (h, W, 3); `t` is its depth (h, 1)."""
    x, y = lens.offsets(rows, slice(0, lens.width))
    f, r, d = (v.astype(np.float32) for v in (lens.forward, lens.right, lens.down))
    px = np.float32(lens.eye[0]) + t * (f[0] + y * d[0] + x * r[0])
    py = np.float32(lens.eye[1]) + t * (f[1] + y * d[1] + x * r[1])
    # A pixel's footprint grows with t, and once more towards the horizon.
    blur = t * np.float32(lens.step) * np.sqrt(t / np.float32(lens.eye[2]))
    checker = 0.5 + 0.5 * _square_wave(px, blur) * _square_wave(py, blur)
    fog = 1 - np.exp2(-((t / scene.FOG_DISTANCE) ** 2))  # (h, 1)
    light = (1 - _SHADOW_DEPTH * shadow.on_floor(px, py)) * (1 - fog)
    dark, bright = _rgb(scene.FLOOR_DARK), _rgb(scene.FLOOR_LIGHT)
    tiles = dark + checker[..., None] * (bright - dark)
    horizon = _rgb(scene.SKY_HORIZON)
    return np.asarray(tiles * light[..., None] + horizon * fog[..., None])


def _square_wave(x: Float32, blur: Float32) -> Float32:
    """+1 and -1 tile by tile, averaged over a pixel `blur` metres wide."""
    w = np.maximum(blur / np.float32(2 * scene.TILE), np.float32(1e-4))
    at = x / np.float32(2 * scene.TILE)

    def rising(u: Float32) -> Float32:
        return np.asarray(np.abs(u - np.floor(u) - np.float32(0.5)))

    return np.asarray((rising(at - w / 2) - rising(at + w / 2)) / w)


def paint_trail(picture: Float32, trail: NDArray[Any], lens: Lens) -> None:
    """Draw a path (K, 2) onto the floor; the robot is painted over it later."""
    points = np.concatenate((trail, np.zeros((len(trail), 1))), axis=1)
    pixels, depth = lens.pixels(np.asarray(points, dtype=np.float64))
    mask = PilImage.new("L", (lens.width, lens.height))
    draw = ImageDraw.Draw(mask)
    width = scene.TRAIL_WIDTH / (lens.step * max(float(np.median(depth)), 0.5))
    for i in range(len(points) - 1):
        if min(depth[i], depth[i + 1]) > 0.1:
            ends = [tuple(pixels[i]), tuple(pixels[i + 1])]
            draw.line(ends, fill=200, width=max(1, round(width)))
    alpha = np.asarray(mask, dtype=np.float32)[..., None] / 255
    picture += alpha * (_rgb(scene.TRAIL_RGB) - picture)
