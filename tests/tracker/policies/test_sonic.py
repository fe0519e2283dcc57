from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.onnx_files import linear
from tests.support.reference_clips import wavy_qpos
from tests.support.standing import standing
from texedo.core.errors import PolicyError
from texedo.motion import Motion
from texedo.robot import g1
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.protocol import Actuation, RobotState, check_policy
from texedo.tracker.policies.reference import Reference
from texedo.tracker.policies.sonic import SonicPolicy

MOTION = Motion.from_qpos(wavy_qpos(60))
QPOS = MOTION.to_qpos().astype(np.float64)
DECODER = (
    "token_state",
    "his_base_angular_velocity_10frame_step1",
    "his_body_joint_positions_10frame_step1",
    "his_body_joint_velocities_10frame_step1",
    "his_last_actions_10frame_step1",
    "his_gravity_dir_10frame_step1",
)
RELEASE = (
    "encoder_mode_4",
    "motion_joint_positions_10frame_step5",
    "motion_joint_velocities_10frame_step5",
    "motion_root_z_position_10frame_step5",
    "motion_root_z_position",
    "motion_anchor_orientation",
    "motion_anchor_orientation_10frame_step5",
    "motion_joint_positions_lowerbody_10frame_step5",
    "motion_joint_velocities_lowerbody_10frame_step5",
    "vr_3point_local_target",
    "vr_3point_local_orn_target",
    "smpl_joints_10frame_step1",
    "smpl_anchor_orientation_10frame_step1",
    "motion_joint_positions_wrists_10frame_step1",
)
V1_1 = (
    *RELEASE[:3],
    "motion_anchor_orientation_heading_10frame_step5",
    "motion_anchor_orientation_heading",
    *RELEASE[7:12],
    "smpl_anchor_orientation_heading_10frame_step1",
    RELEASE[13],
)
SIZES = {RELEASE: 1762, V1_1: 1751}
SLOT = np.array([0])


def config(encoder: tuple[str, ...]) -> str:
    anchor = next(n for n in encoder if "anchor" in n and "10frame" in n)
    rows = ["# what goes in", "observations:"]
    rows += [f'  - name: "{n}"\n    enabled: true  # yes' for n in DECODER]
    rows += ['  - name: "his_more_4frame_step1"', "    enabled: false"]
    rows += ["encoder:", "  dimension: 64", "  encoder_observations:"]
    rows += [f"    - {{name: {n}, enabled: true}}" for n in encoder]
    rows += ["  encoder_modes:", '    - name: "g1"', "      mode_id: 0"]
    rows += ["      required_observations:"]
    rows += [f"        - {n}" for n in (*encoder[:3], anchor)]
    rows += ['    - name: "smpl"', "      mode_id: 2", "      required_observations:"]
    rows += ["        - smpl_joints_10frame_step1"]
    return "\n".join(rows)


def make(
    folder: Path, encoder: tuple[str, ...] = RELEASE, *, bias: np.ndarray | None = None
) -> Path:
    """The token is the first 64 numbers of the observation; actions are `bias`."""
    folder.mkdir(exist_ok=True)
    (folder / "observation_config.yaml").write_text(config(encoder))
    linear(
        folder / "model_encoder.onnx",
        size=SIZES[encoder],
        bias=np.zeros(64),
        weight=np.eye(64, SIZES[encoder]),
        names=("obs_dict", "encoded_tokens"),
    )
    weight = np.zeros((29, 994))
    weight[0, 4] = 1.0  # The first action follows the fifth number of the token.
    linear(
        folder / "model_decoder.onnx",
        size=994,
        bias=np.zeros(29) if bias is None else bias,
        weight=weight,
        names=("obs_dict", "action"),
    )
    return folder


def seen(policy: SonicPolicy, frame: int, qpos: np.ndarray) -> np.ndarray:
    batch = policy.start(1)
    batch.reset(0, Reference(MOTION))
    qvel = np.concatenate(([0, 0, 0, 0.1, 0.2, 0.3], np.arange(29.0)))
    state = RobotState(qpos[None], qvel[None])
    return np.asarray(batch.observe(SLOT, np.array([frame]), state)[0])


def test_the_encoder_sees_ten_frames_a_tenth_of_a_second_apart(tmp_path: Path) -> None:
    observation = seen(SonicPolicy(make(tmp_path)), 20, QPOS[20])
    np.testing.assert_array_equal(observation[:4], 0)  # Mode 0.
    index = np.minimum(20 + 5 * np.arange(10), 59)
    order = g1.ISAACLAB_FROM_MUJOCO
    joints = QPOS[index, 7:][:, order]
    np.testing.assert_allclose(observation[4:294], joints.reshape(-1), atol=1e-6)
    speed = (QPOS[21, 7:] - QPOS[19, 7:])[order] * 25
    np.testing.assert_allclose(observation[294:323], speed, atol=1e-4)
    # Not required by this mode: heights, the single orientation.
    np.testing.assert_array_equal(observation[584:601], 0)
    np.testing.assert_allclose(observation[601:607], [1, 0, 0, 1, 0, 0], atol=1e-6)
    np.testing.assert_array_equal(observation[661:1762], 0)


def test_version_1_1_sees_orientations_from_the_heading(tmp_path: Path) -> None:
    policy = SonicPolicy(make(tmp_path, V1_1))
    assert policy.observation_size == 1751 + 994
    tilted = QPOS[0].copy()
    tilted[3:7] = np.cos(0.1), np.sin(0.1), 0, 0  # 0.2 rad about x: no heading.
    observation = seen(policy, 0, tilted)
    # The first frame stands upright, so the tilt is not seen.
    np.testing.assert_allclose(observation[584:590], [1, 0, 0, 1, 0, 0], atol=1e-6)


def test_the_decoder_sees_ten_steps_in_isaac_lab_order(tmp_path: Path) -> None:
    own = seen(SonicPolicy(make(tmp_path)), 0, QPOS[0])[1762:]
    np.testing.assert_array_equal(own[:64], 0)
    np.testing.assert_allclose(own[64:94].reshape(10, 3), [[0.1, 0.2, 0.3]] * 10)
    order = g1.ISAACLAB_FROM_MUJOCO
    joints = (QPOS[0, 7:] - g1.KNEES_BENT)[order]
    np.testing.assert_allclose(own[94:123], joints, atol=1e-6)
    np.testing.assert_array_equal(own[384:413], order)  # Speeds were 0, 1, 2, ...
    np.testing.assert_array_equal(own[674:964], 0)
    np.testing.assert_allclose(own[964:967], (0, 0, -1), atol=1e-6)


def test_actions_reach_their_joints_through_the_token(tmp_path: Path) -> None:
    policy = SonicPolicy(make(tmp_path, bias=np.arange(29.0)))
    check_policy(policy)
    batch = policy.start(1)
    batch.reset(0, Reference(MOTION))
    state = RobotState(QPOS[:1], np.zeros((1, 35)))
    targets = batch.act(SLOT, batch.observe(SLOT, np.array([0]), state))[0]
    # Action 0 is the first joint of the first frame, by way of the token.
    hip = QPOS[0, 7] * 0.350661 - 0.312
    assert targets[0] == pytest.approx(hip, abs=1e-5)
    yaw = g1.JOINT_INDEX["waist_yaw_joint"]  # Number 2 in Isaac Lab.
    assert targets[yaw] == pytest.approx(2 * 0.547546, abs=1e-5)
    again = batch.observe(SLOT, np.array([1]), state)[0, 1762:]
    np.testing.assert_array_equal(again[674:703], 0)
    np.testing.assert_allclose(again[936:964], np.arange(1.0, 29.0))


def test_its_hips_have_the_motor_of_the_knee(tmp_path: Path) -> None:
    motors = SonicPolicy(make(tmp_path)).actuation
    assert motors.effort[0] == motors.effort[6] == 139.0
    assert motors.stiffness[0] == pytest.approx(99.098428, abs=1e-6)
    np.testing.assert_array_equal(motors.effort[1:6], g1.EFFORT_LIMIT[1:6])


def test_its_hash_follows_its_motors(tmp_path: Path) -> None:
    policy = SonicPolicy(make(tmp_path))
    before = policy.digest
    policy.actuation = Actuation()
    assert policy.digest != before


def test_it_is_found_by_its_folder_and_rolled_out(tmp_path: Path) -> None:
    policy = find_policy(str(make(tmp_path / "sonic")))
    assert policy.name == "sonic" and isinstance(policy, SonicPolicy)
    result = rollout([standing(10), standing(14, seed=1)], policy, workers=1)
    assert result.errors == (None, None)
    assert (result.quality.progress > 0.5).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "motion_root_z_position,",
            "motion_lidar,",
            "'motion_lidar' is not known here",
        ),
        ("observations:", "nothing:", "no enabled names under 'observations'"),
        ("- {name: motion_root_z_position,", "- {nom: x,", "makes 1761 numbers"),
        (
            "        - motion_anchor_orientation_10frame_step5",
            "        - smpl_joints_10frame_step1",
            "mode 'g1' requires 'smpl_joints_10frame_step1'",
        ),
    ],
)
def test_a_config_that_does_not_fit_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = make(tmp_path) / "observation_config.yaml"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(PolicyError, match=message):
        SonicPolicy(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (make(tmp_path) / "model_decoder.onnx").unlink()
    with pytest.raises(PolicyError, match=r"no model_decoder\.onnx; a SONIC policy is"):
        find_policy(str(tmp_path))
