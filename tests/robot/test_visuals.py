"""The robot's looks: shapes that fit their bodies, both sides alike."""

import math

import numpy as np
import pytest

from texedo.motion.rotations import quat_rotate
from texedo.robot.g1 import (
    BODY_NAMES,
    KNEES_BENT,
    KNEES_BENT_HEIGHT,
    SOLE_HEIGHT,
)
from texedo.robot.render.scene import shape_poses
from texedo.robot.visuals import MATERIALS, VISUAL_ROWS, between, mirrored

NUMBERS = {"box": 3, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "sphere": 1}
STANDING = np.array([0, 0, KNEES_BENT_HEIGHT, 1, 0, 0, 0, *KNEES_BENT])


def test_a_capsule_between_two_points_has_its_middle_and_half_its_length():
    pos, quat, size = between((1, 2, 3), (1, 2, 7), 0.5)
    assert pos == (1, 2, 5)
    assert quat == (1, 0, 0, 0)
    assert size == (0.5, 2)


@pytest.mark.parametrize("end", [(3, 0, 0), (0, -2, 0), (0, 0, -1), (1, 2, -2)])
def test_a_capsule_points_from_its_start_to_its_end(end):
    pos, quat, (_, half) = between((0, 0, 0), end, 0.1)
    tip = np.array(pos) + quat_rotate(np.array(quat), np.array([0, 0, half]))
    np.testing.assert_allclose(tip, end, atol=1e-12)
    assert math.isclose(np.linalg.norm(quat), 1)


def test_a_capsule_needs_two_different_ends():
    with pytest.raises(ValueError, match="two different ends"):
        between((1, 0, 0), (1, 0, 0), 0.1)


def test_every_shape_is_on_a_body_and_complete():
    for row in VISUAL_ROWS:
        assert row.body in BODY_NAMES
        assert row.material in MATERIALS
        assert len(row.size) == NUMBERS[row.kind]
        assert min(row.size) > 0
        assert math.isclose(np.linalg.norm(row.quat), 1, abs_tol=1e-9)


def test_there_are_two_materials_and_both_are_used():
    assert {row.material for row in VISUAL_ROWS} == set(MATERIALS)
    assert len(MATERIALS) == 2


def test_every_left_shape_has_a_right_twin():
    left = [row for row in VISUAL_ROWS if row.body.startswith("left_")]
    right = [row for row in VISUAL_ROWS if row.body.startswith("right_")]
    assert [mirrored(row) for row in left] == right
    assert len(left) > 20


def test_nothing_reaches_below_the_sole_and_the_sole_is_there():
    feet = [row for row in VISUAL_ROWS if row.body == "left_ankle_roll_link"]
    flat = [row for row in feet if row.kind in ("box", "cylinder")]
    bottoms = [row.pos[2] - row.size[-1] for row in flat]
    np.testing.assert_allclose(bottoms, SOLE_HEIGHT, atol=1e-9)
    round_ones = [row for row in feet if row.kind in ("capsule", "ellipsoid")]
    for row in round_ones:
        reach = row.size[2] if row.kind == "ellipsoid" else row.size[0]
        assert row.pos[2] - reach > SOLE_HEIGHT - 0.017


def test_the_shapes_are_where_the_simulator_puts_them():
    import mujoco

    from texedo.robot.mjcf import VISUAL_GROUP, load_model

    model = load_model(floor=False)
    data = mujoco.MjData(model)
    data.qpos[:] = STANDING + 0.1 * np.sin(np.arange(36))
    data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
    mujoco.mj_kinematics(model, data)
    geoms = np.flatnonzero(model.geom_group == VISUAL_GROUP)
    # MuJoCo numbers geoms body by body; ours are grouped by limb.
    by_body = sorted(
        range(len(VISUAL_ROWS)), key=lambda i: BODY_NAMES.index(VISUAL_ROWS[i].body)
    )
    poses = shape_poses(data.qpos)
    np.testing.assert_allclose(poses.pos_w[by_body], data.geom_xpos[geoms], atol=1e-9)
    np.testing.assert_allclose(
        poses.matrix_w[by_body].reshape(-1, 9), data.geom_xmat[geoms], atol=1e-9
    )


def test_the_standing_robot_is_as_tall_as_the_real_one():
    pos = shape_poses(STANDING).pos_w
    # 1.32 m straight; bent knees cost a few centimetres.
    assert 1.15 < pos[:, 2].max() < 1.30
    assert 0.0 < pos[:, 2].min() < 0.04
