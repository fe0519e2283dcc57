"""Distances against hand-made poses and against MuJoCo's own contacts."""

import numpy as np
import pytest
from numpy.typing import NDArray

from texedo.robot import collision as col
from texedo.robot import g1
from texedo.robot.kinematics import BodyPoses, forward_kinematics

LEFT_HAND = col.SHAPE_INDEX["left_hand_collision"]
RIGHT_HAND = col.SHAPE_INDEX["right_hand_collision"]
HANDS = np.array([[LEFT_HAND, RIGHT_HAND]])


def standing(height: float = g1.KNEES_BENT_HEIGHT) -> BodyPoses:
    return forward_kinematics(
        np.array([0.0, 0.0, height]), np.array([1.0, 0, 0, 0]), g1.KNEES_BENT
    )


def random_poses(count: int, seed: int = 0) -> tuple[NDArray[np.float64], BodyPoses]:
    rng = np.random.default_rng(seed)
    quat = rng.normal(size=(count, 4))
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    pos = rng.normal(size=(count, 3))
    joints = rng.uniform(g1.JOINT_LOWER, g1.JOINT_UPPER, (count, 29))
    qpos = np.concatenate((pos, quat, joints), axis=1)
    return qpos, forward_kinematics(pos, quat, joints)


def placed_hands(
    left_pos: list[float], right_pos: list[float], right_quat: list[float]
) -> BodyPoses:
    """All bodies far below, but for the two hands, which are put by hand."""
    pos, quat = np.zeros((30, 3)), np.tile([1.0, 0, 0, 0], (30, 1))
    left, right = (
        g1.BODY_INDEX["left_wrist_yaw_link"],
        g1.BODY_INDEX["right_wrist_yaw_link"],
    )
    pos[left], pos[right], quat[right] = left_pos, right_pos, right_quat
    return BodyPoses(pos, quat)


@pytest.fixture(scope="module")
def mujoco_contacts() -> tuple[NDArray[np.float64], list[dict[tuple[int, int], float]]]:
    """Poses, and what MuJoCo says of every pair of shapes it tests in them.

    A margin of two metres makes it report all pairs, touching or not.
    """
    import mujoco

    from texedo.robot.mjcf import load_model

    model = load_model(visuals=False)
    model.geom_margin[:] = 2.0
    model.body_margin[:] = 2.0
    names = [model.geom(i).name for i in range(model.ngeom)]
    shape = {names.index(name): i for i, name in enumerate(col.SHAPE_NAMES)}
    data = mujoco.MjData(model)
    qpos, _ = random_poses(20)
    rows: list[dict[tuple[int, int], float]] = []
    for row in qpos:
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
        nearest: dict[tuple[int, int], float] = {}
        for a, b, dist in zip(
            *data.contact.geom.T, data.contact.dist[: data.ncon], strict=True
        ):
            if a in shape and b in shape:
                i, j = sorted((shape[a], shape[b]))
                nearest[i, j] = min(dist, nearest.get((i, j), np.inf))
        rows.append(nearest)
    return qpos, rows


def test_the_pairs_are_those_that_mujoco_tests(
    mujoco_contacts: tuple[NDArray[np.float64], list[dict[tuple[int, int], float]]],
) -> None:
    tested = set().union(*mujoco_contacts[1])
    assert tested == {(int(i), int(j)) for i, j in col.collision_pairs()}


def test_distances_agree_with_mujoco_to_a_micrometre(
    mujoco_contacts: tuple[NDArray[np.float64], list[dict[tuple[int, int], float]]],
) -> None:
    qpos, rows = mujoco_contacts
    ours = col.self_distances(
        forward_kinematics(qpos[:, :3], qpos[:, 3:7], qpos[:, 7:])
    )
    index = {(int(i), int(j)): p for p, (i, j) in enumerate(col.collision_pairs())}
    compared = 0
    for frame, row in enumerate(rows):
        for pair, dist in row.items():
            assert ours[frame, index[pair]] == pytest.approx(dist, abs=1e-6)
            compared += 1
    assert compared > 5000
    assert (ours < -0.01).any()


def test_standing_touches_nothing() -> None:
    assert col.self_distances(standing()).min() > 0
    assert col.self_penetration(standing()).depth == 0


def test_crossed_segments_are_apart_by_their_height_less_two_radii() -> None:
    # Left hand from x 0.07 to 0.15; the right one, turned by 90 degrees about z and
    # lifted by 0.1, crosses above it.
    quarter = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    poses = placed_hands([0, 0, 0], [0.11, -0.11, 0.1], quarter)
    near = col.closest_points(poses, HANDS)
    assert near.distance[0] == pytest.approx(0.1 - 0.07)
    np.testing.assert_allclose(near.normal[0], [0, 0, 1], atol=1e-12)
    assert near.on_first[0, 2] == pytest.approx(0.035)
    assert near.on_second[0, 2] == pytest.approx(0.065)


@pytest.mark.parametrize("slide", [0.0, 0.03, 0.5])
def test_parallel_segments_are_measured_exactly(slide: float) -> None:
    # Half a turn about x makes the right hand, drawn mirrored, parallel to the left.
    poses = placed_hands([0, 0, 0], [slide, 0, 0.2], [0, 1, 0, 0])
    length = np.hypot(0.08, 0.02)
    along = slide * 0.08 / length  # the part of the slide along the segments
    beyond = max(along - length, 0.0)
    across = slide * 0.02 / length
    expected = np.sqrt(0.2**2 + across**2 + beyond**2) - 0.07
    assert col.self_distances(poses, HANDS)[0] == pytest.approx(expected, abs=1e-9)


def test_the_distance_of_two_spheres_is_that_of_their_centres() -> None:
    pair = np.array(
        [[col.SHAPE_INDEX["pelvis_collision"], col.SHAPE_INDEX["head_collision"]]]
    )
    pose = forward_kinematics(np.zeros(3), np.array([1.0, 0, 0, 0]), np.zeros(29))
    # Head 0.43 above the waist joint at 0.044; pelvis sphere 0.08 below its origin.
    expected = np.hypot(0.0039635, 0.43 + 0.044 + 0.08) - 0.07 - 0.06
    assert col.self_distances(pose, pair)[0] == pytest.approx(expected, abs=1e-9)


def test_overlap_is_negative_and_the_normal_still_points_to_the_second() -> None:
    poses = placed_hands([0, 0, 0], [0, 0, 0.05], [0, 1, 0, 0])
    near = col.closest_points(poses, HANDS)
    assert near.distance[0] == pytest.approx(-0.02)
    np.testing.assert_allclose(near.normal[0], [0, 0, 1], atol=1e-12)


def test_shapes_on_the_same_line_have_a_finite_normal() -> None:
    near = col.closest_points(placed_hands([0, 0, 0], [0, 0, 0], [0, 1, 0, 0]), HANDS)
    np.testing.assert_array_equal(near.normal[0], [0, 0, 1])
    assert near.distance[0] == pytest.approx(-0.07)


def test_closest_points_lie_their_distance_apart() -> None:
    _, poses = random_poses(30, seed=1)
    near = col.closest_points(poses)
    np.testing.assert_allclose(near.distance, col.self_distances(poses), atol=1e-12)
    step = near.on_second - near.on_first
    np.testing.assert_allclose(step, near.distance[..., None] * near.normal, atol=1e-9)


def test_any_number_of_leading_axes_gives_the_same_distances() -> None:
    _, poses = random_poses(12)
    folded = BodyPoses(
        poses.pos_w.reshape(3, 4, 30, 3), poses.quat_w.reshape(3, 4, 30, 4)
    )
    flat = col.self_distances(poses)
    np.testing.assert_array_equal(col.self_distances(folded).reshape(12, -1), flat)
    one = BodyPoses(poses.pos_w[5], poses.quat_w[5])
    np.testing.assert_allclose(col.self_distances(one), flat[5], atol=1e-12)
    assert col.closest_points(folded).on_first.shape == (3, 4, flat.shape[1], 3)


def test_a_distance_does_not_depend_on_the_other_frames_of_its_block() -> None:
    _, poses = random_poses(300)
    whole = col.self_distances(poses)
    part = col.self_distances(BodyPoses(poses.pos_w[100:110], poses.quat_w[100:110]))
    np.testing.assert_allclose(part, whole[100:110], atol=1e-12)


def test_a_hand_in_the_chest_is_found_with_its_depth_and_names() -> None:
    poses = standing()
    torso = poses.pos_w[g1.BODY_INDEX["torso_link"]]
    hand = g1.BODY_INDEX["left_wrist_yaw_link"]
    poses.pos_w[hand] = torso + [-0.10, 0.0, 0.14]  # its capsule starts 0.07 ahead
    poses.quat_w[hand] = [1, 0, 0, 0]
    found = col.self_penetration(poses)
    i, j = col.collision_pairs()[int(found.pair)]
    assert {col.SHAPE_NAMES[i], col.SHAPE_NAMES[j]} == {
        "torso_collision",
        "left_hand_collision",
    }
    assert 0.1 < float(found.depth) <= 0.125  # at most the sum of the radii


def test_the_lowest_sole_point_of_the_standing_poses_is_the_published_one() -> None:
    assert col.sole_clearance(standing()).min() == pytest.approx(0.002978, abs=2e-6)
    zero = forward_kinematics(
        np.array([0, 0, 0.793]), np.array([1.0, 0, 0, 0]), np.zeros(29)
    )
    assert col.sole_clearance(zero).min() == pytest.approx(0.001136, abs=2e-6)


def test_the_soles_are_the_lowest_shapes_of_a_standing_robot() -> None:
    clearance = col.ground_clearance(standing())
    assert clearance.shape == (33,)
    assert "_foot" in col.SHAPE_NAMES[int(clearance.argmin())]
    assert clearance.min() == pytest.approx(col.sole_clearance(standing()).min())


def test_ground_clearance_agrees_with_mujoco() -> None:
    import mujoco

    from texedo.robot.mjcf import load_model

    model = load_model(visuals=False)
    data = mujoco.MjData(model)
    qpos, poses = random_poses(10, seed=2)
    ours = col.ground_clearance(poses)
    for frame, row in enumerate(qpos):
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        for i, name in enumerate(col.SHAPE_NAMES):
            geom = model.geom(name).id
            radius, half = model.geom_size[geom, :2]
            up = abs(data.geom_xmat[geom].reshape(3, 3)[2, 2])
            low = data.geom_xpos[geom, 2] - half * up - radius
            assert ours[frame, i] == pytest.approx(low, abs=1e-6)


def test_a_flat_foot_has_its_sole_centre_between_heel_and_toe() -> None:
    pose = forward_kinematics(
        np.array([0, 0, 0.793]), np.array([1.0, 0, 0, 0]), np.zeros(29)
    )
    ankle = pose.pos_w[[g1.BODY_INDEX[name] for name in col.FEET]]
    centres = col.sole_centres(pose)
    np.testing.assert_allclose(
        centres, ankle + [0.04, 0, -0.035], atol=2e-4
    )  # the zero pose leans the feet by a hair
    points = col.sole_points(pose)
    assert points.shape == (2, 14, 3)
    np.testing.assert_allclose(
        points[..., 0].mean(), centres[..., 0].mean(), atol=0.025
    )
