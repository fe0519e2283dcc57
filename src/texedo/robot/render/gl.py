"""A picture through OpenGL: MuJoCo's own renderer, off screen.

Import only where `find_gl` named a platform: MuJoCo is loaded here.
"""

from __future__ import annotations

import atexit
import importlib
import sys
from contextlib import suppress
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import RenderError
from texedo.robot.mjcf import VISUAL_GROUP
from texedo.robot.render import scene
from texedo.robot.render.camera import Camera
from texedo.robot.render.scene import Image
from texedo.robot.render.stage import LIGHT, build_stage

_MAX_GEOMS = 4000
_THICKNESS = 0.001
"""Half the height of the path on the floor: flush with it, the two would flicker [m]."""


def triton_first() -> None:
    """Load Triton, if torch is there and has it, before there is any OpenGL.

    Drivers that draw without a graphics card bring an LLVM of their own, and so does
    Triton, which torch loads when somebody begins to learn: the process crashes if it
    comes second.
    """
    if "torch" in sys.modules:
        with suppress(Exception):  # Whatever is wrong with it is no matter of ours.
            importlib.import_module("triton")


class GlRenderer:
    """Draws with MuJoCo on one of its OpenGL platforms (`egl`, `osmesa`, ...)."""

    def __init__(
        self, width: int, height: int, *, platform: str, meshes: bool = True
    ) -> None:
        self.name = platform
        self._gl: Any = None
        self._context: Any = None
        triton_first()
        try:
            self._model = _load_stage(width, height, meshes=meshes)
            # The platform's own class: `mujoco.GLContext` was chosen when MuJoCo was
            # imported, perhaps by someone else and for another platform.
            self._gl = importlib.import_module(f"mujoco.{platform}").GLContext(
                width, height
            )
            self._gl.make_current()
            self._context = mujoco.MjrContext(
                self._model, mujoco.mjtFontScale.mjFONTSCALE_100
            )
        except Exception as error:  # Drivers raise whatever they like.
            self.close()
            raise RenderError(
                f"OpenGL ({platform}) cannot draw {width}x{height} pixels: {error}. "
                "Use the software back end."
            ) from error
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        # After the context's own exit hooks, so that ours runs before them.
        atexit.register(self.close)
        self._rect = mujoco.MjrRect(0, 0, width, height)
        self._data = mujoco.MjData(self._model)
        self._ghost = mujoco.MjData(self._model)
        self._scene = mujoco.MjvScene(self._model, maxgeom=_MAX_GEOMS)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_FOG] = 1
        self._untouched = mujoco.MjvPerturb()
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = 0
        self._option.geomgroup[[0, VISUAL_GROUP]] = 1
        self._lamp = self._model.light(LIGHT).id

    def render(
        self,
        qpos: NDArray[Any],
        camera: Camera,
        *,
        ghost_qpos: NDArray[Any] | None = None,
        trail: NDArray[Any] | None = None,
    ) -> Image:
        """See `Renderer.render`."""
        if self._context is None:
            raise RuntimeError("The renderer is closed.")
        self._gl.make_current()
        self._aim_lamp(camera)
        self._pose(self._data, qpos)
        view = _mujoco_camera(camera)
        self._model.vis.global_.fovy = camera.fovy
        mujoco.mjv_updateScene(
            self._model,
            self._data,
            self._option,
            self._untouched,
            view,
            mujoco.mjtCatBit.mjCAT_ALL,
            self._scene,
        )
        if trail is not None:
            self._add_trail(trail)
        picture = self._read()
        if ghost_qpos is None:
            return picture
        # Blending two opaque pictures shows no inner shapes, as alpha would.
        self._add_ghost(ghost_qpos)
        a = scene.GHOST_ALPHA
        mixed = (1 - a) * picture.astype(np.float32) + a * self._read()
        return (mixed + 0.5).astype(np.uint8)

    def close(self) -> None:
        """Free the context; a second call does nothing."""
        context, gl = self._context, self._gl
        self._context = self._gl = None
        if context is not None:
            atexit.unregister(self.close)
            gl.make_current()
            context.free()
        if gl is not None:
            gl.free()

    def _pose(self, data: Any, qpos: NDArray[Any]) -> None:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_camlight(self._model, data)

    def _aim_lamp(self, camera: Camera) -> None:
        """Keep the lamp over the robot: its shadows have a limited range."""
        towards = scene.light_direction(camera.azimuth)
        middle = np.array([*camera.lookat[:2], 0.6])
        self._model.light_pos[self._lamp] = middle + 3.0 * towards
        self._model.light_dir[self._lamp] = -towards

    def _read(self) -> Image:
        mujoco.mjr_render(self._rect, self._scene, self._context)
        picture = np.empty((self._rect.height, self._rect.width, 3), np.uint8)
        mujoco.mjr_readPixels(picture, None, self._rect, self._context)
        return np.ascontiguousarray(picture[::-1])  # OpenGL counts rows upwards.

    def _add_ghost(self, qpos: NDArray[Any]) -> None:
        first = self._scene.ngeom
        self._pose(self._ghost, qpos)
        mujoco.mjv_addGeoms(
            self._model,
            self._ghost,
            self._option,
            self._untouched,
            mujoco.mjtCatBit.mjCAT_DYNAMIC,
            self._scene,
        )
        for geom in self._scene.geoms[first : self._scene.ngeom]:
            geom.rgba[:3] = scene.ghost_colour(geom.rgba[:3])

    def _add_trail(self, trail: NDArray[Any]) -> None:
        rgba = np.array([*scene.TRAIL_RGB, 1.0], np.float32)
        for start, end in zip(trail[:-1], trail[1:], strict=True):
            if self._scene.ngeom >= self._scene.maxgeom:
                return
            along = np.asarray(end, dtype=np.float64) - start
            length = float(np.hypot(*along))
            if length < 1e-4:
                continue
            c, s = along / length
            mujoco.mjv_initGeom(
                self._scene.geoms[self._scene.ngeom],
                mujoco.mjtGeom.mjGEOM_BOX,
                np.array([length / 2, scene.TRAIL_WIDTH / 2, _THICKNESS]),
                np.array([*(start + along / 2), _THICKNESS]),
                np.array([c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]),
                rgba,
            )
            self._scene.ngeom += 1


def _load_stage(width: int, height: int, *, meshes: bool) -> Any:
    text = build_stage(width, height, meshes=meshes)
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError:
        if not meshes:
            raise
        # Somebody else's files: damaged or half installed, they must not cost a video.
        text = build_stage(width, height, meshes=False)
        return mujoco.MjModel.from_xml_string(text)


def _mujoco_camera(camera: Camera) -> Any:
    view = mujoco.MjvCamera()
    view.type = mujoco.mjtCamera.mjCAMERA_FREE
    view.lookat[:] = camera.lookat
    view.distance = camera.distance
    view.azimuth = camera.azimuth
    view.elevation = camera.elevation
    return view
