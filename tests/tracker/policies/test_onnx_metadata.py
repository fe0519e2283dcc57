from __future__ import annotations

import numpy as np
import pytest

from tests.support.onnx_files import NO_ESTIMATION, TERMS, metadata, rounded
from texedo.core.errors import PolicyError
from texedo.robot import g1
from texedo.tracker.policies.onnx_metadata import read_metadata, restore_gains

ORDERS = (g1.JOINT_NAMES, g1.ISAACLAB_JOINT_NAMES, tuple(reversed(g1.JOINT_NAMES)))


@pytest.mark.parametrize("names", ORDERS)
def test_rounded_gains_and_scales_are_those_of_our_motors(
    names: tuple[str, ...],
) -> None:
    meta = read_metadata("p.onnx", metadata(names))
    np.testing.assert_array_equal(meta.actuation.stiffness, g1.STIFFNESS)
    np.testing.assert_array_equal(meta.actuation.damping, g1.DAMPING)
    # 0.074501 and not the 0.075 of the file, in the file's order.
    assert meta.action_scale[names.index("left_wrist_yaw_joint")] == pytest.approx(
        0.074501, abs=1e-6
    )
    assert meta.default_joint_pos[names.index("right_knee_joint")] == 0.669
    np.testing.assert_array_equal(np.array(g1.JOINT_NAMES)[meta.order], names)


def test_a_joint_with_another_motor_of_the_table_gets_its_limits() -> None:
    source = np.arange(29)
    source[[0, 6]] = 3  # Hip pitch with the knee's motor.
    motors, scale = restore_gains(
        np.round(g1.STIFFNESS[source], 3),
        np.round(g1.DAMPING[source], 3),
        np.round(g1.ACTION_SCALE[source], 3),
    )
    assert motors.effort[0] == motors.effort[6] == 139.0
    assert motors.stiffness[0] == pytest.approx(99.098428, abs=1e-6)
    assert scale[0] == pytest.approx(0.350661, abs=1e-6)
    assert motors.effort[1] == 139.0 and motors.effort[2] == 88.0


def test_gains_that_are_nobodys_are_kept() -> None:
    motors, scale = restore_gains(np.full(29, 40.0), np.full(29, 2.5), np.full(29, 0.5))
    assert set(motors.stiffness) == {40.0} and set(scale) == {0.5}
    np.testing.assert_array_equal(motors.effort, g1.EFFORT_LIMIT)


def test_a_number_with_more_digits_is_not_taken_for_a_rounded_one() -> None:
    scale = g1.ACTION_SCALE.copy()
    scale[27] = 0.0748
    _, kept = restore_gains(g1.STIFFNESS, g1.DAMPING, scale)
    assert kept[27] == 0.0748 and kept[28] == g1.ACTION_SCALE[28]


def test_observations_have_160_numbers_and_154_without_state_estimation() -> None:
    assert read_metadata("p", metadata()).observation_size == 160
    reduced = read_metadata("p", metadata(terms=NO_ESTIMATION))
    assert reduced.observation_size == 154


def test_the_words_of_mjlab_are_understood() -> None:
    rows = metadata(g1.JOINT_NAMES, terms=TERMS[4:])
    del rows["observation_history_lengths"]
    rows["observation_terms_history_length"] = "0.000,3.000,0.000,0.000"
    rows["observation_terms_flatten_history_dim"] = "1.000,1.000,1.000,1.000"
    rows["observation_terms_scale"] = "0.500;1.000;2.000,1.000,0.050,1.000"
    rows["observation_terms_clip"] = "-inf;inf,-1.000;1.000,-inf;inf,-inf;inf"
    gyro, joints, rates, _ = read_metadata("p", rows).terms
    assert (gyro.history, joints.history) == (1, 3)
    assert gyro.scale.tolist() == [0.5, 1.0, 2.0] and rates.scale.tolist() == [0.05]
    assert joints.clip == (-1.0, 1.0)


def test_the_velocity_is_that_of_the_point_which_the_simulator_takes() -> None:
    isaac = read_metadata("p", metadata()).velocity_point
    np.testing.assert_allclose(isaac, (0, 0, -0.07605))
    mujoco = read_metadata("p", metadata(g1.JOINT_NAMES)).velocity_point
    np.testing.assert_allclose(mujoco, (0.04525, 0, -0.08339))


def test_names_may_carry_the_entity_before_them() -> None:
    names = ",".join(f"robot/{name}" for name in g1.JOINT_NAMES)
    meta = read_metadata("p", metadata(g1.JOINT_NAMES, joint_names=names))
    assert meta.joint_names == g1.JOINT_NAMES


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"joint_names": "left_hip"},
            "p.onnx: joint_names has 'left_hip', which is no",
        ),
        (
            {"joint_names": ",".join(g1.JOINT_NAMES[:-1])},
            "joint_names has no 'right_wrist_yaw_joint'",
        ),
        (
            {"joint_names": ",".join((*g1.JOINT_NAMES, g1.JOINT_NAMES[0]))},
            "30 joints, some of them twice",
        ),
        ({"action_scale": "0.5,0.5"}, "action_scale has 2 numbers for 29 joints"),
        ({"joint_damping": "much"}, "joint_damping holds 'much', which is not a"),
        ({"anchor_body_name": "head"}, "anchor_body_name 'head' is no body"),
        (
            {"observation_names": "command,lidar"},
            "observes 'lidar', which is not known",
        ),
        ({"observation_history_lengths": "1,1"}, "2 entries for 8 observations"),
        ({"observation_terms_scale": ",".join(["1;2"] * 8)}, "do not fit 'command'"),
        (
            {
                "observation_history_lengths": rounded([5] * 8),
                "observation_terms_flatten_history_dim": rounded([0] * 8),
            },
            "history of 'command' is not flattened",
        ),
        ({"kind": "texedo-policy"}, "our network alone"),
    ],
)
def test_metadata_that_do_not_fit_are_told_apart(
    changes: dict[str, str], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        read_metadata("p.onnx", metadata(**changes))


def test_a_file_without_metadata_is_no_policy() -> None:
    with pytest.raises(PolicyError, match="no 'joint_names', so nothing says how to"):
        read_metadata("p.onnx", {})
