"""Strips of small pictures of a motion, drawn without OpenGL, as PNG bytes."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PilImage

from texedo.data.corpus.store import Corpus
from texedo.motion import FPS, Motion
from texedo.robot.render import (
    Renderer,
    View,
    draw_label,
    follow,
    make_renderer,
    tile,
)

PANELS, PANEL_SIZE = 6, 120
"""Pictures in a strip, and the side of each [pixels]."""
_COLOURS = 64
_TRAIL_STEP = 0.05


class Sheet(NamedTuple):
    """The strip of one clip."""

    clip: int
    """Position in the corpus."""
    png: bytes


def draw_sheets(
    corpus: Corpus,
    *,
    number: int,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> Iterator[Sheet]:
    """Strips of `number` random clips; which ones hangs on the seed alone."""
    chosen = choose_clips(corpus, number=number, seed=seed)
    if not chosen:
        return
    renderer = make_renderer(PANEL_SIZE, PANEL_SIZE, backend="software")
    with closing(renderer):
        for done, i in enumerate(chosen, start=1):
            yield Sheet(i, draw_sheet(corpus.motion(i), renderer))
            if report is not None:
                report(done, len(chosen))


def choose_clips(corpus: Corpus, *, number: int, seed: int = 0) -> list[int]:
    """Positions of clips in the order of a hash of the seed and their id."""
    keys = [
        hashlib.sha256(f"{seed}/{clip.id}".encode()).digest() for clip in corpus.clips
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)[:number]


def draw_sheet(motion: Motion, renderer: Renderer) -> bytes:
    """Six moments of a motion from left to right, with the pelvis' path on the floor."""
    qpos = motion.to_qpos()
    cameras = follow(qpos, View(), fps=FPS)
    trail = _trail(motion.root_pos_w)
    panels = []
    for k in np.linspace(0, len(qpos) - 1, PANELS).round().astype(int):
        picture = renderer.render(qpos[k], cameras[k], trail=trail)
        panels.append(draw_label(picture, f"{k / FPS:.1f} s"))
    return _png(tile(panels, columns=PANELS, gap=2))


def _trail(root_pos_w: NDArray[Any]) -> NDArray[np.float64] | None:
    """Points of the path at least 5 cm apart, (K, 2); None if it stays in place."""
    kept = [root_pos_w[0, :2].astype(np.float64)]
    for point in root_pos_w[1:, :2].astype(np.float64):
        if np.hypot(*(point - kept[-1])) >= _TRAIL_STEP:
            kept.append(point)
    return np.array(kept) if len(kept) > 2 else None


def _png(image: NDArray[np.uint8]) -> bytes:
    # A palette makes a third of the size, and the page holds dozens.
    stream = io.BytesIO()
    small = PilImage.fromarray(image).quantize(_COLOURS, dither=PilImage.Dither.NONE)
    small.save(stream, format="PNG", optimize=True)
    return stream.getvalue()
