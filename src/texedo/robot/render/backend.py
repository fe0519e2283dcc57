"""Which way of drawing works here: OpenGL headless, OpenGL on a display, or numpy.

A broken driver can take the whole process with it, and MuJoCo's import settles what it
will use; so each candidate is tried in a process of its own, all at the same time, and
the answer is kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from texedo.core.errors import RenderError
from texedo.robot.render.scene import Renderer

Backend = Literal["auto", "gl", "software"]

_ON = ("", "enable", "enabled", "on", "true", "1")
_PLATFORMS = {"glx": "glfw", "wgl": "glfw"} | {
    name: name for name in ("egl", "osmesa", "glfw", "cgl")
}
"""Values of `MUJOCO_GL` that name a platform; all others switch OpenGL off."""
_CARDS = ("dri/*", "nvidia[0-9]*", "dxg")
"""What graphics cards are called among the devices of Linux."""
_PROBE_SECONDS = 20.0
"""A driver that needs longer than this for one empty picture is no help."""
_PROBE = """
import importlib, os, sys
import mujoco
context = importlib.import_module("mujoco." + sys.argv[1]).GLContext(32, 32)
context.make_current()
model = mujoco.MjModel.from_xml_string("<mujoco/>")
rendering = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
offscreen = rendering.offWidth > 0
os._exit(0 if offscreen else 1)
"""
# `_exit`: some drivers crash while Python takes down a context, after all went well.


def make_renderer(width: int, height: int, *, backend: Backend = "auto") -> Renderer:
    """The best renderer there is, or the one named.

    `auto` takes OpenGL where it works and numpy elsewhere, so it always returns one.
    """
    from texedo.robot.render.software import SoftwareRenderer

    if backend not in get_args(Backend):
        raise ValueError(
            f"backend must be one of {get_args(Backend)}, got {backend!r}."
        )
    if width < 16 or height < 16:
        raise ValueError(f"A picture needs 16x16 pixels, got {width}x{height}.")
    if backend == "software":
        return SoftwareRenderer(width, height)
    platform = find_gl()
    if platform is not None:
        from texedo.robot.render.gl import GlRenderer

        try:
            return GlRenderer(width, height, platform=platform)
        except RenderError:
            if backend == "gl":
                raise
    elif backend == "gl":
        tried = ", ".join(_candidates()) or f"none, MUJOCO_GL={os.environ['MUJOCO_GL']}"
        raise RenderError(
            f"OpenGL does not work here (tried {tried}). Install EGL or OSMesa, or use "
            "the software back end."
        )
    return SoftwareRenderer(width, height)


def find_gl() -> str | None:
    """The first working one of MuJoCo's OpenGL platforms (`egl`, ...), or None."""
    return _first_working(_candidates())


def _candidates() -> tuple[str, ...]:
    """Platforms worth trying, best first; `MUJOCO_GL` narrows them to the user's."""
    wanted = os.environ.get("MUJOCO_GL", "").strip().lower()
    if wanted not in _ON:
        return (_PLATFORMS[wanted],) if wanted in _PLATFORMS else ()
    if sys.platform == "darwin":
        return ("cgl",)
    if sys.platform == "win32":
        return ("glfw",)
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return ("egl", "osmesa", "glfw") if display else ("egl", "osmesa")


def may_have_card(devices: Path = Path("/dev")) -> bool:
    """Whether there may be a graphics card, or whoever set `MUJOCO_GL` says so.

    Linux shows cards among its devices; elsewhere nobody knows without a try.
    """
    if os.environ.get("MUJOCO_GL", "").strip() or not sys.platform.startswith("linux"):
        return True
    return any(any(devices.glob(name)) for name in _CARDS)


@lru_cache(maxsize=8)
def _first_working(platforms: tuple[str, ...]) -> str | None:
    probes = {platform: _start_probe(platform) for platform in platforms}
    try:
        for platform, probe in probes.items():
            try:
                if probe.wait(timeout=_PROBE_SECONDS) == 0:
                    return platform
            except subprocess.TimeoutExpired:
                continue
        return None
    finally:
        for probe in probes.values():
            if probe.poll() is None:
                probe.kill()
                probe.wait()


def _start_probe(platform: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _PROBE, platform],
        # MuJoCo's own choice must not get in the way of the one under test.
        env={**os.environ, "MUJOCO_GL": platform},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
