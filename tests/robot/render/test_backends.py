"""Which back end draws, what OpenGL draws, and meshes from elsewhere."""

import subprocess
import sys

import numpy as np
import pytest

from tests.support.pictures import FRONT, SIZE, STANDING, shifted
from texedo.core.errors import RenderError
from texedo.robot.mjcf import build_mjcf
from texedo.robot.render import Camera, backend, find_gl, make_renderer, meshes
from texedo.robot.render.raster import Lens, rasterize
from texedo.robot.render.scene import shape_poses


@pytest.fixture
def fresh_probe():
    backend._first_working.cache_clear()
    yield
    backend._first_working.cache_clear()


def test_without_opengl_the_picture_is_drawn_all_the_same(monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "off")
    assert find_gl() is None
    assert make_renderer(*SIZE).name == "software"
    with pytest.raises(RenderError, match="software back end"):
        make_renderer(*SIZE, backend="gl")


def test_the_platform_the_user_names_is_the_only_one_tried(monkeypatch):
    tried = []
    monkeypatch.setattr(backend, "_first_working", lambda p: tried.append(p) or None)
    for value in ("osmesa", "EGL ", "nonsense"):
        monkeypatch.setenv("MUJOCO_GL", value)
        find_gl()
    assert tried == [("osmesa",), ("egl",), ()]


def test_a_driver_that_crashes_takes_only_its_probe_with_it(monkeypatch, fresh_probe):
    monkeypatch.setenv("MUJOCO_GL", "egl")
    monkeypatch.setattr(backend, "_PROBE", "import os; os.abort()")
    assert find_gl() is None


def test_the_first_platform_that_works_wins(monkeypatch, fresh_probe):
    code = "import sys; sys.exit(sys.argv[1] == 'egl')"
    monkeypatch.setattr(backend, "_PROBE", code)
    assert backend._first_working(("egl", "osmesa", "glfw")) == "osmesa"


def test_drawing_without_opengl_never_loads_the_simulator():
    code = (
        "import sys, numpy as np; from texedo.robot.render import draw_frame;"
        "q = np.zeros(36); q[3] = 1; draw_frame(q, size=(32, 32), backend='software');"
        "sys.exit('mujoco' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("size", [(8, 64), (64, 0)])
def test_a_renderer_refuses_pictures_that_show_nothing(size):
    with pytest.raises(ValueError, match="16x16"):
        make_renderer(*size)


def test_an_unknown_back_end_is_refused():
    with pytest.raises(ValueError, match="'vulkan'"):
        make_renderer(*SIZE, backend="vulkan")


@pytest.fixture(scope="module")
def gl():
    platform = find_gl()
    if platform is None:
        pytest.skip("no OpenGL here (neither EGL nor OSMesa nor a display)")
    from texedo.robot.render.gl import GlRenderer

    renderer = GlRenderer(120, 160, platform=platform, meshes=False)
    yield renderer
    renderer.close()


def test_both_back_ends_draw_the_robot_at_the_same_pixels(gl):
    camera = Camera((0, 0, 0.67), azimuth=150, elevation=0)
    theirs = gl.render(STANDING, camera).astype(int)
    ours = make_renderer(120, 160, backend="software").render(STANDING, camera)
    lens = Lens.of_camera(camera, width=120, height=160)
    robot = rasterize(shape_poses(STANDING), lens).shape >= 0
    error = {
        step: np.abs(np.roll(theirs, step, axis=(0, 1)) - ours)[robot].mean()
        for step in ((0, 0), (0, 2), (0, -2), (2, 0), (-2, 0))
    }
    exact = error.pop((0, 0))
    assert exact < 25
    # Two pixels off, and the dark joints would lie on the pale shells.
    assert min(error.values()) > 1.7 * exact


def test_opengl_draws_the_ghost_and_the_path_too(gl):
    plain = gl.render(STANDING, FRONT).astype(int)
    path = np.array([[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]])
    full = gl.render(
        STANDING, FRONT, ghost_qpos=shifted(STANDING, y=0.5), trail=path
    ).astype(int)
    assert ((full[..., 0] - full[..., 2]) > 60).sum() > 5
    changed = np.abs(full - plain).sum(axis=2)[:100] > 40
    assert changed[:, 60:].sum() > 200
    np.testing.assert_array_equal(gl.render(STANDING, FRONT), plain)


def test_a_closed_opengl_renderer_can_be_closed_again_but_not_used(gl):
    from texedo.robot.render.gl import GlRenderer

    other = GlRenderer(32, 32, platform=gl.name, meshes=False)
    other.close()
    other.close()
    with pytest.raises(RuntimeError, match="closed"):
        other.render(STANDING, FRONT)
    assert gl.render(STANDING, FRONT).shape == (160, 120, 3)


@pytest.fixture
def fake_mjlab(tmp_path, monkeypatch):
    folder = tmp_path / "mjlab" / "asset_zoo/robots/unitree_g1/xmls"
    folder.mkdir(parents=True)
    (tmp_path / "mjlab" / "__init__.py").write_text("raise ImportError('not for us')")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder / "g1.xml"


def test_without_the_package_there_are_no_meshes(monkeypatch):
    monkeypatch.setattr(meshes.importlib.util, "find_spec", lambda name: None)
    assert meshes.find_mesh_model() is None


def test_meshes_are_found_without_importing_the_package(fake_mjlab):
    assert meshes.find_mesh_model() is None
    text = build_mjcf().replace("<compiler", '<compiler meshdir="assets"')
    fake_mjlab.write_text(text)
    assert meshes.find_mesh_model() == fake_mjlab
    root = meshes.read_mesh_model(fake_mjlab)
    assert root.find("compiler").get("meshdir") == str(fake_mjlab.parent / "assets")


@pytest.mark.parametrize(
    "text", ["<mujoco", "<mujoco/>", '<mujoco><joint name="left_hip"/></mujoco>']
)
def test_a_damaged_or_different_model_is_left_alone(fake_mjlab, text):
    fake_mjlab.write_text(text)
    assert meshes.read_mesh_model(fake_mjlab) is None


def test_meshes_that_do_not_compile_are_replaced_by_primitives(fake_mjlab, gl):
    from texedo.robot.render.gl import GlRenderer

    missing = '<asset><mesh name="gone" file="gone.stl"/></asset></mujoco>'
    fake_mjlab.write_text(build_mjcf().replace("</mujoco>", missing))
    renderer = GlRenderer(32, 32, platform=gl.name)
    assert renderer.render(STANDING, FRONT).shape == (32, 32, 3)
    renderer.close()


def test_linux_shows_its_graphics_cards_among_its_devices(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    assert not backend.may_have_card(tmp_path)
    (tmp_path / "nvidia0").touch()
    assert backend.may_have_card(tmp_path)
    monkeypatch.setattr("sys.platform", "darwin")
    assert backend.may_have_card(tmp_path / "nowhere")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("MUJOCO_GL", "egl")
    assert backend.may_have_card(tmp_path / "nowhere"), "whoever names one has one"
