"""Words on pictures, and pictures in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from texedo.robot.render.scene import Image

Corner = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
Rgb = tuple[int, int, int]

_INK: Rgb = (255, 255, 255)
_PLATE: Rgb = (30, 36, 44)
_PLATE_ALPHA = 0.72


@lru_cache(maxsize=16)
def _font(height: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=height)


def draw_label(
    image: Image,
    text: str,
    *,
    corner: Corner = "top-left",
    ink: Rgb = _INK,
    plate: Rgb = _PLATE,
    height: int | None = None,
) -> Image:
    """A copy of the picture with words on a plate in one corner.

    `height` is the letters' size in pixels; without it, it follows the picture's.
    """
    size = height or max(11, image.shape[0] // 22)
    pad, margin = max(2, size // 3), max(3, size // 2)
    picture = PilImage.fromarray(image)
    font = _font(size)
    left, top, right, bottom = ImageDraw.Draw(picture).textbbox((0, 0), text, font=font)
    # The plate's height comes from the font, so that plates in a row are alike.
    wide, high = int(right - left) + 2 * pad, int(max(bottom, size * 1.2)) + 2 * pad
    x = margin if corner.endswith("left") else picture.width - margin - wide
    y = margin if corner.startswith("top") else picture.height - margin - high
    under = picture.crop((x, y, x + wide, y + high))
    solid = PilImage.new("RGB", under.size, plate)
    picture.paste(PilImage.blend(under, solid, _PLATE_ALPHA), (x, y))
    ImageDraw.Draw(picture).text((x + pad - left, y + pad), text, fill=ink, font=font)
    return np.asarray(picture)


def tile(
    images: Sequence[Image], *, columns: int, gap: int = 4, background: Rgb = _INK
) -> Image:
    """Pictures of one size in rows from left to right, `gap` pixels apart."""
    height, width, _ = images[0].shape
    rows = -(-len(images) // columns)
    sheet = np.empty(
        (rows * height + (rows - 1) * gap, columns * width + (columns - 1) * gap, 3),
        np.uint8,
    )
    sheet[:] = background
    for i, image in enumerate(images):
        y, x = (i // columns) * (height + gap), (i % columns) * (width + gap)
        sheet[y : y + height, x : x + width] = image
    return sheet
