"""The MJCF and the constants say what the robot's data sheet says."""

import mujoco
import numpy as np
import pytest

from texedo.robot import g1
from texedo.robot.mjcf import load_model


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    return load_model()


def lowest_sole(model: mujoco.MjModel, height: float, joints: np.ndarray) -> float:
    data = mujoco.MjData(model)
    data.qpos[:] = [0, 0, height, 1, 0, 0, 0, *joints]
    mujoco.mj_kinematics(model, data)
    ends = []
    for i in range(model.ngeom):
        if "_foot" in model.geom(i).name:
            radius, half = model.geom_size[i, :2]
            lean = abs(data.geom_xmat[i].reshape(3, 3)[2, 2])
            ends.append(data.geom_xpos[i, 2] - half * lean - radius)
    return min(ends)


def test_the_model_has_36_positions_29_motors_and_weighs_33_kg(model) -> None:
    assert (model.nq, model.nv, model.nu, model.nbody) == (36, 35, 29, 31)
    assert model.body_mass.sum() == pytest.approx(33.341142, abs=1e-6)


def test_names_and_order_of_joints_bodies_and_motors_are_the_constants(model) -> None:
    assert [model.joint(i).name for i in range(1, 30)] == list(g1.JOINT_NAMES)
    assert [model.body(i).name for i in range(1, 31)] == list(g1.BODY_NAMES)
    assert [model.actuator(i).name for i in range(29)] == list(g1.JOINT_NAMES)


@pytest.mark.parametrize(
    ("height", "joints", "expected"),
    [
        (0.793, np.zeros(29), 0.001136),
        (g1.KNEES_BENT_HEIGHT, g1.KNEES_BENT, 0.002978),
        (g1.HOME_HEIGHT, g1.HOME, -0.000527),
    ],
)
def test_soles_of_the_standing_poses_are_at_published_heights(
    model, height: float, joints: np.ndarray, expected: float
) -> None:
    assert lowest_sole(model, height, joints) == pytest.approx(expected, abs=2e-6)


def test_gains_come_out_of_the_gearbox_formula() -> None:
    knee, wrist = (
        g1.JOINT_INDEX["left_knee_joint"],
        g1.JOINT_INDEX["left_wrist_yaw_joint"],
    )
    assert g1.ARMATURE[knee] == pytest.approx(0.025101925)
    assert g1.STIFFNESS[knee] == pytest.approx(99.098428, abs=1e-6)
    assert g1.DAMPING[knee] == pytest.approx(6.308802, abs=1e-6)
    assert g1.ACTION_SCALE[knee] == pytest.approx(0.350661, abs=1e-6)
    assert g1.ACTION_SCALE[wrist] == pytest.approx(0.074501, abs=1e-6)


def test_soft_limits_keep_nine_tenths_about_the_centre() -> None:
    hip = g1.JOINT_INDEX["left_hip_pitch_joint"]
    assert g1.SOFT_LOWER[hip] == pytest.approx(-2.26017, abs=1e-5)
    assert g1.SOFT_UPPER[hip] == pytest.approx(2.60927, abs=1e-5)


def test_both_joint_orders_are_inverse_permutations_that_start_as_documented() -> None:
    assert list(g1.MUJOCO_FROM_ISAACLAB[:6]) == [0, 3, 6, 9, 13, 17]
    assert list(g1.ISAACLAB_FROM_MUJOCO[:6]) == [0, 6, 12, 1, 7, 13]
    identity = g1.MUJOCO_FROM_ISAACLAB[g1.ISAACLAB_FROM_MUJOCO]
    np.testing.assert_array_equal(identity, np.arange(29))
    assert g1.ISAACLAB_JOINT_NAMES[2] == "waist_yaw_joint"
    assert list(g1.TRACKED_BODY_INDICES) == [
        0, 2, 4, 6, 8, 10, 12, 15, 17, 19, 22, 24, 26, 29,
    ]  # fmt: skip


def test_torque_never_exceeds_the_motor_whatever_is_commanded(model) -> None:
    data = mujoco.MjData(model)
    data.qpos[2] = 2.0
    data.ctrl[:] = 1e3
    mujoco.mj_step(model, data)
    np.testing.assert_allclose(data.actuator_force, g1.EFFORT_LIMIT)


def test_feet_rule_friction_and_everything_else_is_frictionless(model) -> None:
    foot, shin = model.geom("left_foot4_collision"), model.geom("left_shin_collision")
    assert (foot.condim[0], foot.priority[0], foot.friction[0]) == (3, 1, 0.8)
    assert (shin.condim[0], shin.priority[0]) == (1, 0)


def test_limbs_touch_each_other_and_excluded_neighbours_do_not(model) -> None:
    data = mujoco.MjData(model)
    data.qpos[:7] = [0, 0, 2, 1, 0, 0, 0]
    for side, sign in (("left", -1), ("right", 1)):
        data.qpos[7 + g1.JOINT_INDEX[f"{side}_hip_roll_joint"]] = sign * 0.4
    mujoco.mj_forward(model, data)
    touching = {
        frozenset((model.geom(a).name, model.geom(b).name))
        for a, b in data.contact.geom
    }
    assert frozenset(("left_shin_collision", "right_shin_collision")) in touching
    assert frozenset(("pelvis_collision", "left_hip_collision")) not in touching


def test_visual_shapes_weigh_nothing_and_touch_nothing(model) -> None:
    visual = model.geom_group == 2
    assert visual.sum() > 20
    assert not model.geom_contype[visual].any()
    assert not model.geom_conaffinity[visual].any()
    np.testing.assert_array_equal(load_model(visuals=False).body_mass, model.body_mass)
