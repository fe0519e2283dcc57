"""Group axioms, round trips and an independent implementation."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.support.rotations import angles, assert_same_rotations, quaternions, vectors
from texedo.motion import rotations as r

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
HALF_TURNS = [
    axis / np.linalg.norm(axis)
    for axis in map(np.array, itertools.product((-1.0, 0.0, 1.0), repeat=3))
    if axis.any()
]

examples = settings(max_examples=40, deadline=None)


def scipy_rotation(q):
    return Rotation.from_quat(np.roll(q, -1))


# Group axioms


@examples
@given(a=quaternions, b=quaternions, c=quaternions)
def test_multiplication_is_associative(a, b, c):
    left = r.quat_multiply(r.quat_multiply(a, b), c)
    right = r.quat_multiply(a, r.quat_multiply(b, c))
    np.testing.assert_allclose(left, right, atol=1e-12)


@examples
@given(q=quaternions)
def test_the_identity_changes_nothing(q):
    np.testing.assert_array_equal(r.quat_multiply(q, IDENTITY), q)
    np.testing.assert_array_equal(r.quat_multiply(IDENTITY, q), q)


@examples
@given(q=quaternions)
def test_the_conjugate_is_the_inverse(q):
    product = r.quat_multiply(q, r.quat_conjugate(q))
    np.testing.assert_allclose(product, IDENTITY, atol=1e-12)


@examples
@given(a=quaternions, b=quaternions)
def test_a_product_is_a_unit_quaternion(a, b):
    assert np.linalg.norm(r.quat_multiply(a, b)) == pytest.approx(1.0)


@examples
@given(a=quaternions, b=quaternions, v=vectors)
def test_a_product_turns_by_its_right_factor_first(a, b, v):
    at_once = r.quat_rotate(r.quat_multiply(a, b), v)
    one_by_one = r.quat_rotate(a, r.quat_rotate(b, v))
    np.testing.assert_allclose(at_once, one_by_one, atol=1e-11)


# Vectors


def test_a_quarter_turn_about_the_vertical_takes_x_to_y():
    quarter = r.quat_from_yaw(np.pi / 2)
    turned = r.quat_rotate(quarter, np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(turned, [0, 1, 0], atol=1e-15)


@examples
@given(q=quaternions, v=vectors)
def test_turning_keeps_length_agrees_with_scipy_and_can_be_undone(q, v):
    turned = r.quat_rotate(q, v)
    assert np.linalg.norm(turned) == pytest.approx(np.linalg.norm(v), abs=1e-12)
    np.testing.assert_allclose(turned, scipy_rotation(q).apply(v), atol=1e-11)
    np.testing.assert_allclose(r.quat_rotate_inverse(q, turned), v, atol=1e-11)


@examples
@given(q=quaternions, v=vectors)
def test_both_signs_are_the_same_rotation(q, v):
    np.testing.assert_allclose(r.quat_rotate(-q, v), r.quat_rotate(q, v), atol=1e-12)


# Matrices


@examples
@given(q=quaternions)
def test_matrices_agree_with_scipy_and_come_back(q):
    matrix = r.quat_to_matrix(q)
    np.testing.assert_allclose(matrix, scipy_rotation(q).as_matrix(), atol=1e-12)
    back = r.quat_from_matrix(matrix)
    assert back[0] >= 0
    assert_same_rotations(back, q)


@pytest.mark.parametrize("axis", HALF_TURNS, ids=str)
@pytest.mark.parametrize("short_of", [0.0, 1e-9, 1e-4])
def test_matrices_of_half_turns_come_back(axis, short_of):
    q = r.quat_from_axis_angle(axis, np.array(np.pi - short_of))
    back = r.quat_from_matrix(r.quat_to_matrix(q))
    np.testing.assert_allclose(np.abs(np.sum(back * q)), 1.0, atol=1e-15)
    np.testing.assert_allclose(
        r.quat_to_matrix(back), r.quat_to_matrix(q), rtol=0, atol=1e-15
    )


# Rotation vectors


@examples
@given(q=quaternions)
def test_rotation_vectors_agree_with_scipy_and_come_back(q):
    rotvec = r.quat_to_rotvec(q)
    assert np.linalg.norm(rotvec) <= np.pi + 1e-12
    assert_same_rotations(r.quat_from_rotvec(rotvec), q)
    expected = scipy_rotation(q).as_rotvec()
    if np.linalg.norm(expected) < np.pi - 1e-6:  # a half turn has two axes
        np.testing.assert_allclose(rotvec, expected, atol=1e-9)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-20, 1e-12, 1e-8, 1e-3])
def test_tiny_rotation_vectors_keep_their_digits(size):
    rotvec = np.array([size, 0.0, -size])
    back = r.quat_to_rotvec(r.quat_from_rotvec(rotvec))
    np.testing.assert_allclose(back, rotvec, rtol=1e-7, atol=0)


@pytest.mark.parametrize("axis", HALF_TURNS[:6], ids=str)
def test_a_half_turn_is_pi_long(axis):
    q = np.array([0.0, *axis])
    np.testing.assert_allclose(np.abs(r.quat_to_rotvec(q)), np.pi * np.abs(axis))


# Euler angles


@pytest.mark.parametrize(
    "sequence",
    ["".join(s) for s in itertools.permutations("xyz")]
    + ["".join(s) for s in itertools.permutations("XYZ")]
    + ["zxz", "ZYZ"],
)
def test_euler_angles_agree_with_scipy(sequence):
    some = np.random.default_rng(0).uniform(-7, 7, (20, 3))
    ours = r.quat_from_euler(sequence, some)
    theirs = Rotation.from_euler(sequence, some).as_quat()[:, [3, 0, 1, 2]]
    assert_same_rotations(ours, theirs)


def test_euler_sequences_that_mean_nothing_are_refused():
    for bad in ("xy", "xyw", ""):
        with pytest.raises(ValueError, match="three of xyz or XYZ"):
            r.quat_from_euler(bad, np.zeros(3))
    with pytest.raises(ValueError, match="must not mix"):
        r.quat_from_euler("xYz", np.zeros(3))


# Yaw


@examples
@given(yaw=angles, pitch=st.floats(-1.5, 1.5), roll=angles)
def test_yaw_is_the_first_of_the_zyx_angles(yaw, pitch, roll):
    q = r.quat_from_euler("ZYX", np.array([yaw, pitch, roll]))
    difference = r.quat_yaw(q) - yaw
    assert np.cos(difference) == pytest.approx(1.0)


@examples
@given(q=quaternions, turn=angles)
def test_turning_about_the_vertical_adds_to_the_yaw(q, turn):
    forward = r.quat_rotate(q, np.array([1.0, 0.0, 0.0]))
    assume(np.hypot(forward[0], forward[1]) > 1e-3)  # upright, it has no heading
    turned = r.quat_yaw(r.quat_multiply(r.quat_from_yaw(turn), q))
    assert np.cos(turned - r.quat_yaw(q) - turn) == pytest.approx(1.0)


# Slerp


@examples
@given(a=quaternions, b=quaternions)
def test_slerp_starts_at_a_and_ends_at_b(a, b):
    np.testing.assert_allclose(r.quat_slerp(a, b, 0.0), a, atol=1e-12)
    assert_same_rotations(r.quat_slerp(a, b, 1.0), b)


@examples
@given(a=quaternions, b=quaternions, t=st.floats(0.0, 1.0))
def test_slerp_divides_the_angle(a, b, t):
    between = r.quat_slerp(a, b, t)
    assert np.linalg.norm(between) == pytest.approx(1.0)
    assert r.quat_angle(a, between) == pytest.approx(t * r.quat_angle(a, b), abs=1e-7)


@examples
@given(a=quaternions, b=quaternions, t=st.floats(0.0, 1.0))
def test_slerp_goes_the_short_way_whatever_the_signs(a, b, t):
    assume(abs(a @ b) > 1e-9)  # a half turn apart both ways are short
    expected = r.quat_slerp(a, b, t)
    np.testing.assert_allclose(r.quat_slerp(a, -b, t), expected, atol=1e-9)
    np.testing.assert_allclose(r.quat_slerp(-a, b, t), -expected, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-7, 1e-6, 3e-6, 1e-3])
def test_slerp_between_near_rotations_is_halfway_too(angle):
    axis = np.array([0.0, 0.6, 0.8])
    a, b, half = (
        r.quat_from_rotvec(axis * x) for x in (0.3, 0.3 + angle, 0.3 + angle / 2)
    )
    np.testing.assert_allclose(r.quat_slerp(a, b, 0.5), half, rtol=0, atol=1e-14)
    np.testing.assert_allclose(r.quat_slerp(a, -b, 0.5), half, rtol=0, atol=1e-14)


# Angles, signs, types


@examples
@given(a=quaternions, b=quaternions)
def test_the_angle_between_rotations_agrees_with_scipy(a, b):
    expected = (scipy_rotation(a).inv() * scipy_rotation(b)).magnitude()
    assert r.quat_angle(a, b) == pytest.approx(expected, abs=1e-9)
    assert r.quat_angle(a, -b) == pytest.approx(expected, abs=1e-9)


def test_continuous_signs_undo_random_flips():
    t = np.linspace(0, 8, 100)  # more than a full turn: the sign must change by itself
    smooth = r.quat_from_rotvec(t[:, None] * [0.0, 0.0, 1.0])
    flips = np.where(np.random.default_rng(0).random(100) < 0.5, -1, 1)
    flips[0] = 1
    np.testing.assert_allclose(
        r.quat_make_continuous(smooth * flips[:, None]), smooth, atol=1e-15
    )


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_continuous_signs_keep_short_sequences(frames):
    q = np.tile(IDENTITY, (frames, 1))
    assert r.quat_make_continuous(q).shape == (frames, 4)


def test_continuous_signs_work_on_batches_along_the_first_axis():
    q = np.stack([IDENTITY, -IDENTITY, IDENTITY])[:, None].repeat(2, axis=1)
    assert (r.quat_make_continuous(q) == IDENTITY).all()


def test_a_zero_quaternion_stays_zero():
    assert not r.quat_normalize(np.zeros(4)).any()


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_results_keep_the_width_of_their_inputs(width):
    q = r.quat_normalize(np.array([[1, 2, 3, 4], [4, -3, 2, 1]], dtype=width))
    v = np.ones((2, 3), dtype=width)
    results = [
        q,
        r.quat_conjugate(q),
        r.quat_multiply(q, q),
        r.quat_rotate(q, v),
        r.quat_rotate_inverse(q, v),
        r.quat_from_rotvec(v),
        r.quat_to_rotvec(q),
        r.quat_to_matrix(q),
        r.quat_from_matrix(r.quat_to_matrix(q)),
        r.quat_from_euler("xyz", v),
        r.quat_yaw(q),
        r.quat_from_yaw(v[:, 0]),
        r.quat_slerp(q, q[::-1], v[:, 0]),
        r.quat_angle(q, q),
        r.quat_make_continuous(q),
    ]
    assert {result.dtype for result in results} == {np.dtype(width)}


def test_everything_broadcasts():
    many = r.quat_normalize(np.random.default_rng(0).normal(size=(5, 1, 4)))
    some = r.quat_normalize(np.random.default_rng(1).normal(size=(3, 4)))
    assert r.quat_multiply(many, some).shape == (5, 3, 4)
    assert r.quat_rotate(many, np.ones((3, 3))).shape == (5, 3, 3)
    assert r.quat_slerp(many, some, 0.5).shape == (5, 3, 4)
    assert r.quat_slerp(some, some, np.linspace(0, 1, 3)).shape == (3, 4)
    assert r.quat_angle(many, some).shape == (5, 3)


def test_a_turned_vector_is_what_cross_products_of_numpy_give_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(7, 5, 4)), rng.normal(size=(5, 3))
    t = 2 * np.cross(q[..., 1:], v)
    assert (r.quat_rotate(q, v) == v + q[..., :1] * t + np.cross(q[..., 1:], t)).all()
