"""Pictures into files: mp4 through ffmpeg, gif and png through Pillow.

A file appears whole or not at all: everything is written beside its place first.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from PIL import Image as PilImage

from texedo.core.errors import RenderError
from texedo.core.files import atomic_path
from texedo.robot.render.overlay import tile
from texedo.robot.render.scene import Image

SUFFIXES = (".mp4", ".gif", ".png")
MAX_GIF_FPS = 50.0
"""Viewers slow down anything shorter than two hundredths of a second."""
_GIF_COLOURS = 192


def check_suffix(path: Path) -> str:
    """The suffix that chooses what is written, in lower case."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RenderError(
            f"{path}: the name must end in .mp4 (video), .gif (animation) or .png "
            f"(contact sheet), not {suffix or 'without a suffix'!r}."
        )
    return suffix


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """`atomic_path`, with errors that say what is wrong with a place for pictures."""
    if path.is_dir():
        raise RenderError(f"{path}: is a folder; name a file to write.")
    if path.exists() and not os.access(path, os.W_OK):
        raise RenderError(f"{path}: is write-protected; choose another name.")
    try:
        with atomic_path(path) as temporary:
            yield temporary
    except OSError as error:
        raise RenderError(
            f"{path}: cannot be written ({error.strerror or error}); choose a folder "
            "that exists and is yours."
        ) from error


def write_mp4(
    path: Path, frames: Iterable[Image], *, width: int, height: int, fps: float
) -> None:
    """H.264 in yuv420p, which every player can show; both sides must be even."""
    with tempfile.TemporaryFile() as messages:
        ffmpeg = _start_ffmpeg(path, width, height, fps, messages)
        pipe = ffmpeg.stdin
        if pipe is None:
            raise RenderError("ffmpeg was started without a pipe.")
        try:
            for frame in frames:
                pipe.write(np.ascontiguousarray(frame).tobytes())
            pipe.close()
            failed = ffmpeg.wait() != 0
        except BrokenPipeError:
            failed = True
        except BaseException:
            ffmpeg.kill()
            raise
        finally:
            _let_go(ffmpeg, pipe)
        if failed:
            messages.seek(0)
            last = messages.read().decode(errors="replace").strip().splitlines()[-1:]
            raise RenderError(f"ffmpeg failed: {''.join(last) or 'no message'}")


def write_gif(
    path: Path, frames: Iterable[Image], *, fps: float, samples: Sequence[Image]
) -> None:
    """An endless loop; one palette for all frames, taken from the `samples`."""
    mosaic = PilImage.fromarray(tile(samples, columns=1, gap=0))
    palette = mosaic.quantize(_GIF_COLOURS, method=PilImage.Quantize.MEDIANCUT)
    still = PilImage.Dither.NONE  # Dithering crawls, and triples the size.
    images = [
        PilImage.fromarray(frame).quantize(palette=palette, dither=still)
        for frame in frames
    ]
    # Times are whole hundredths of a second; rounding the running time, not each
    # step, keeps the length of the loop right.
    ticks = [round(100 * k / fps) for k in range(len(images) + 1)]
    durations = [10 * (b - a) for a, b in zip(ticks[:-1], ticks[1:], strict=True)]
    images[0].save(
        path,
        format="GIF",
        save_all=True,
        append_images=images[1:],
        duration=durations,
        loop=0,
    )


def write_png(path: Path, image: Image) -> None:
    PilImage.fromarray(image).save(path, format="PNG", optimize=True)


def _start_ffmpeg(
    path: Path, width: int, height: int, fps: float, messages: IO[bytes]
) -> subprocess.Popen[bytes]:
    import imageio_ffmpeg

    try:
        program: str = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError as error:
        raise RenderError(f"{error}; or write a .gif instead.") from error
    arrives = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
    leaves = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20"]
    return subprocess.Popen(
        [program, "-y", "-loglevel", "error", *arrives, "-r", f"{fps:.6g}", "-i", "-"]
        + [*leaves, "-movflags", "+faststart", "-f", "mp4", os.fspath(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=messages,
        # Ctrl-C is for us: we decide what becomes of the half-written file.
        start_new_session=True,
    )


def _let_go(ffmpeg: subprocess.Popen[bytes], pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        pass
    ffmpeg.wait()
