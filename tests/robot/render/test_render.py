"""Pictures without OpenGL: optics, the robot in the picture, the camera that follows."""

import math

import numpy as np
import pytest

from tests.support.pictures import FRONT, SIZE, STANDING, shifted, stroll
from texedo.robot.g1 import KNEES_BENT_HEIGHT
from texedo.robot.render import Camera, View, draw_frame, follow, make_renderer
from texedo.robot.render.film import sample_qpos
from texedo.robot.render.raster import Lens, Tile, rasterize
from texedo.robot.render.raycast import HIT, normal
from texedo.robot.render.scene import ShapePoses, light_direction, shape_poses
from texedo.robot.render.shadow import ShadowMap
from texedo.robot.visuals import VISUAL_ROWS, VisualRow


def test_the_camera_looks_at_its_target_from_its_distance():
    camera = Camera((1, 2, 3), distance=2, azimuth=90, elevation=0, fovy=90)
    frame = camera.frame()
    np.testing.assert_allclose(frame.eye, [1, 0, 3], atol=1e-12)
    np.testing.assert_allclose(frame.forward, [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(frame.right, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(frame.up, [0, 0, 1], atol=1e-12)


def test_half_the_opening_angle_reaches_the_edge_of_the_picture():
    camera = Camera((0, 0, 0), distance=2, azimuth=90, elevation=0, fovy=90)
    points = np.array([[0, 0, 0], [0, 0, 2], [1, 0, 0], [0, 2, 1]])
    pixels, depth = camera.project(points, width=200, height=100)
    # At 90 degrees the picture is as high as it is far: 4 m at 2 m, 25 pixels a metre.
    np.testing.assert_allclose(pixels[:3], [[100, 50], [100, 0], [125, 50]], atol=1e-9)
    np.testing.assert_allclose(pixels[3], [100, 50 - 12.5])
    np.testing.assert_allclose(depth, [2, 2, 2, 4])


def test_looking_down_raises_the_eye():
    eye = Camera((0, 0, 0), distance=2, azimuth=0, elevation=-30).frame().eye
    np.testing.assert_allclose(eye, [-math.sqrt(3), 0, 1])


@pytest.mark.parametrize(
    ("kind", "size", "origin", "direction", "expected"),
    [
        ("sphere", (1.0,), (-3, 0, 0), (1, 0, 0), 2.0),
        ("sphere", (1.0,), (-3, 1.1, 0), (1, 0, 0), math.inf),
        ("ellipsoid", (2.0, 1.0, 0.5), (-5, 0, 0), (1, 0, 0), 3.0),
        ("ellipsoid", (2.0, 1.0, 0.5), (0, 0, 5), (0, 0, -2), 2.25),
        ("capsule", (0.5, 1.0), (-3, 0, 0.9), (1, 0, 0), 2.5),
        ("capsule", (0.5, 1.0), (0, 0, 5), (0, 0, -1), 3.5),
        ("capsule", (0.5, 1.0), (-3, 0, 1.3), (1, 0, 0), 2.6),
        ("capsule", (0.5, 1.0), (-3, 0, 1.6), (1, 0, 0), math.inf),
        ("cylinder", (0.5, 1.0), (-3, 0, 0.9), (1, 0, 0), 2.5),
        ("cylinder", (0.5, 1.0), (0.4, 0, 5), (0, 0, -1), 4.0),
        ("cylinder", (0.5, 1.0), (-3, 0, 1.3), (1, 0, 0), math.inf),
        ("box", (1.0, 2.0, 3.0), (-3, 1.9, 2.9), (1, 0, 0), 2.0),
        ("box", (1.0, 2.0, 3.0), (0, 0, 9), (0, 0, -3), 2.0),
        ("box", (1.0, 2.0, 3.0), (-3, 2.1, 0), (1, 0, 0), math.inf),
    ],
)
def test_a_line_enters_a_shape_where_geometry_says(
    kind, size, origin, direction, expected
):
    o, d = (
        tuple(np.full((1, 1), float(v), np.float32) for v in triple)
        for triple in (origin, direction)
    )
    t = HIT[kind](o, d, size)
    np.testing.assert_allclose(t, [[expected]], rtol=1e-5)


@pytest.mark.parametrize(
    ("kind", "size", "point", "expected"),
    [
        ("sphere", (2.0,), (0, 2, 0), (0, 1, 0)),
        ("ellipsoid", (2.0, 1.0, 0.5), (-2, 0, 0), (-1, 0, 0)),
        ("capsule", (0.5, 1.0), (0.5, 0, -0.7), (1, 0, 0)),
        ("capsule", (0.5, 1.0), (0, 0.3, 1.4), (0, 0.6, 0.8)),
        ("cylinder", (0.5, 1.0), (0, -0.5, 0.9), (0, -1, 0)),
        ("cylinder", (0.5, 1.0), (0.1, 0, -1.0), (0, 0, -1)),
        ("box", (1.0, 2.0, 3.0), (0.5, -2, 1), (0, -1, 0)),
    ],
)
def test_normals_stand_on_the_surface(kind, size, point, expected):
    found = normal(kind, np.array([point], np.float32), size)
    np.testing.assert_allclose(found, [expected], atol=1e-6)


def one_sphere(radius: float) -> tuple[tuple[VisualRow, ...], ShapePoses]:
    row = VisualRow("pelvis", "sphere", (radius,), (0, 0, 0), (1, 0, 0, 0), "shell")
    return (row,), ShapePoses(np.zeros((1, 3)), np.eye(3)[None])


def test_a_sphere_covers_the_pixels_inside_its_circle():
    rows, poses = one_sphere(1.0)
    camera = Camera((0, 0, 0), distance=10, azimuth=0, elevation=0, fovy=20)
    lens = Lens.of_camera(camera, width=80, height=60)
    surface = rasterize(poses, lens, rows=rows)
    # The tangent from 10 m touches a unit sphere at the slope 1/sqrt(10^2 - 1).
    radius = 30 / math.tan(math.radians(10)) / math.sqrt(99)
    x, y = np.meshgrid(np.arange(80) + 0.5 - 40, np.arange(60) + 0.5 - 30)
    inside = np.hypot(x, y) < radius
    np.testing.assert_array_equal(surface.shape >= 0, inside)
    assert surface.depth[29:31, 39:41] == pytest.approx(9.0, abs=1e-2)
    assert np.isinf(surface.depth[0, 0])
    np.testing.assert_allclose(surface.normal_w[30, 40], [-1, 0, 0], atol=0.1)


def test_a_cropped_picture_is_the_same_picture():
    poses = shape_poses(STANDING)
    lens = Lens.of_camera(FRONT, width=60, height=80)
    whole = rasterize(poses, lens)
    window = (slice(10, 50), slice(20, 41))
    part = rasterize(poses, lens.crop(Tile(*window)))
    np.testing.assert_array_equal(part.shape, whole.shape[window])


def test_shapes_behind_the_camera_are_not_drawn():
    behind = Camera((5, 0, 0.67), distance=2, azimuth=0, elevation=0)
    surface = rasterize(
        shape_poses(STANDING), Lens.of_camera(behind, width=32, height=32)
    )
    assert (surface.shape == -1).all()


def bodies_in_rows(surface, rows):
    return {VISUAL_ROWS[i].body for i in np.unique(surface.shape[rows]) if i >= 0}


def test_the_standing_robot_is_upright_with_its_feet_on_the_floor():
    lens = Lens.of_camera(FRONT, width=120, height=160)
    surface = rasterize(shape_poses(STANDING), lens)
    filled = np.flatnonzero((surface.shape >= 0).any(axis=1))
    top, bottom = filled[0], filled[-1]
    assert bodies_in_rows(surface, slice(top, top + 8)) == {"torso_link"}
    assert bodies_in_rows(surface, slice(bottom - 3, bottom + 1)) == {
        "left_ankle_roll_link",
        "right_ankle_roll_link",
    }
    row, col = np.argwhere(surface.shape >= 0)[-1]
    # The height above the floor of the lowest point seen.
    x, y = lens.offsets(slice(row, row + 1), slice(col, col + 1))
    ray = lens.forward + x.item() * lens.right + y.item() * lens.down
    height = (lens.eye + surface.depth[row, col] * ray)[2]
    assert -0.01 < height < 0.02


def test_what_is_under_the_floor_is_not_seen():
    lens = Lens.of_camera(FRONT, width=120, height=160)
    sunk = STANDING - np.array([0, 0, 0.2, *np.zeros(33)])
    through = rasterize(shape_poses(sunk), lens)
    surface = rasterize(shape_poses(sunk), lens, floor=True)
    feet = {"left_ankle_roll_link", "right_ankle_roll_link"}
    assert feet <= bodies_in_rows(through, slice(None))
    assert feet.isdisjoint(bodies_in_rows(surface, slice(None)))
    assert "left_knee_link" in bodies_in_rows(surface, slice(None))


def test_the_floor_is_as_far_as_the_eye_is_high():
    camera = Camera((0, 0, 0), distance=2, azimuth=0, elevation=-30, fovy=62)
    depth = Lens.of_camera(camera, width=10, height=1001).floor_depth()
    assert depth[500, 0] == pytest.approx(2.0, rel=1e-4)
    assert np.isinf(depth[0, 0])  # The upper edge is a degree above the horizon.


def test_seen_from_the_front_the_left_hand_is_on_the_right():
    lens = Lens.of_camera(FRONT, width=120, height=160)
    surface = rasterize(shape_poses(STANDING), lens)
    hands = {
        side: [
            i for i, r in enumerate(VISUAL_ROWS) if r.body == f"{side}_wrist_yaw_link"
        ]
        for side in ("left", "right")
    }
    column = {
        s: np.nonzero(np.isin(surface.shape, i))[1].mean() for s, i in hands.items()
    }
    assert column["right"] < 60 < column["left"]


def test_the_shadow_lies_under_the_robot_and_not_elsewhere():
    light = light_direction(180)
    shadow = ShadowMap(shape_poses(STANDING), light)
    # The pelvis throws its shadow as far from its foot point as the light is slanted.
    along = -light[:2] / light[2] * KNEES_BENT_HEIGHT
    assert shadow.on_floor(*(np.array([v]) for v in along))[0] > 0.5
    assert shadow.on_floor(np.array([2.0]), np.array([2.0]))[0] == 0


@pytest.fixture(scope="module")
def software():
    return make_renderer(*SIZE, backend="software")


def test_a_picture_has_its_size_and_is_the_same_every_time(software):
    picture = software.render(STANDING, FRONT)
    assert picture.shape == (48, 64, 3)
    assert picture.dtype == np.uint8
    np.testing.assert_array_equal(picture, software.render(STANDING, FRONT))


def test_the_robot_has_light_shells_and_dark_parts_on_a_grey_floor(software):
    camera = Camera((0, 0, 1.0), distance=1.2, azimuth=180, elevation=0)
    picture = software.render(STANDING, camera).astype(int)
    chest, head = picture[28:32, 31:33].mean(), picture[8:12, 31:33].mean()
    assert chest > 120
    assert head < 60


def test_a_robot_out_of_the_picture_leaves_the_stage_empty(software):
    away = Camera((0, 0, 5.0), distance=2, azimuth=180, elevation=30)
    picture = software.render(STANDING, away)
    assert picture.std(axis=1).max() < 1  # Every row has one colour: sky.


def test_a_ghost_beside_the_robot_is_blue_and_see_through(software):
    alone = software.render(STANDING, FRONT).astype(int)
    both = software.render(STANDING, FRONT, ghost_qpos=shifted(STANDING, y=0.5)).astype(
        int
    )
    changed = np.abs(both - alone).sum(axis=2) > 20
    assert changed[:, 32:].sum() > 50
    assert changed[:, :28].sum() == 0
    red, _, blue = both[changed].mean(axis=0)
    assert blue > red + 20


def test_a_ghost_inside_the_robot_is_not_seen(software):
    alone = software.render(STANDING, FRONT)
    both = software.render(STANDING, FRONT, ghost_qpos=STANDING)
    np.testing.assert_array_equal(alone, both)


def test_the_path_is_drawn_on_the_floor(software):
    path = np.array([[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]])
    picture = software.render(STANDING, FRONT, trail=path).astype(int)
    orange = (picture[..., 0] - picture[..., 2]) > 60
    assert orange.sum() > 5
    assert orange[:32].sum() == 0


def test_one_frame_needs_no_set_up():
    assert draw_frame(STANDING, size=SIZE, backend="software").shape == (48, 64, 3)


def test_the_camera_follows_the_robot_and_keeps_its_direction():
    motion = stroll(101)
    cameras = follow(motion.to_qpos(), View(azimuth=150), fps=50)
    assert len(cameras) == 101
    assert cameras[50].lookat[0] == pytest.approx(1.0, abs=1e-6)
    assert {camera.azimuth for camera in cameras} == {150}


def test_the_camera_turns_with_the_first_heading():
    qpos = np.tile(STANDING, (5, 1))
    qpos[:, 3:7] = [math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)]
    assert follow(qpos, View(azimuth=150), fps=50)[0].azimuth == pytest.approx(240)


def test_the_camera_does_not_shake_with_the_robot():
    qpos = np.tile(STANDING, (200, 1))
    qpos[:, 1] = 0.05 * (-1.0) ** np.arange(200)
    lookat = np.array([camera.lookat for camera in follow(qpos, View(), fps=50)])
    assert np.ptp(lookat[50:150, 1]) < 1e-3


def test_the_camera_steps_back_when_the_ghost_walks_away():
    qpos = np.tile(STANDING, (10, 1))
    camera = follow(qpos, View(distance=3), fps=50, ghost_qpos=shifted(qpos, x=2))[5]
    assert camera.distance == pytest.approx(3 + 0.6 * 2)
    assert camera.lookat[0] == pytest.approx(1.0)


def test_positions_between_frames_are_interpolated_and_the_ends_are_held():
    motion = stroll(3)
    qpos = sample_qpos(motion, np.array([0.0, 0.01, 0.04, 9.0]))
    np.testing.assert_allclose(qpos[:, 0], [0, 0.01, 0.04, 0.04], atol=1e-6)
