"""What a motion accepts, what it refuses, and what it promises."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from tests.support.rotations import raw_walk, walk
from texedo.core.errors import MotionError
from texedo.motion import FPS, MAX_FRAMES, Motion


def refused(match: str, **changed: object):
    """Expect a walk of 5 frames with these arrays replaced to be refused."""
    with pytest.raises(MotionError, match=match) as caught:
        Motion(**{**raw_walk(5), **changed})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def walk_with(name: str, index: object, value: object) -> dict[str, np.ndarray]:
    array = raw_walk(5)[name]
    array[index] = value  # type: ignore[index]
    return {name: array}


# What it promises


def test_arrays_are_float32_of_the_shapes_said():
    motion = walk(5)
    shapes = {f.name: getattr(motion, f.name).shape for f in dataclasses.fields(motion)}
    assert shapes == {"root_pos_w": (5, 3), "root_quat_w": (5, 4), "joint_pos": (5, 29)}
    assert motion.root_pos_w.dtype == motion.joint_pos.dtype == np.float32


def test_length_and_duration():
    motion = walk(101)
    assert len(motion) == motion.num_frames == 101
    assert motion.duration == 2.0
    assert FPS == 50.0
    assert repr(motion) == "Motion(101 frames, 2.00 s)"


@pytest.mark.parametrize("name", ["root_pos_w", "root_quat_w", "joint_pos"])
def test_arrays_cannot_be_written(name):
    motion = walk(5)
    with pytest.raises(ValueError, match="read-only"):
        getattr(motion, name)[0, 0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(motion, name, np.zeros((5, 3)))


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_the_arrays_given_are_copied(width):
    given = {name: array.astype(width) for name, array in raw_walk(5).items()}
    motion = Motion(**given)
    given["joint_pos"][0, 0] = 99.0
    assert motion.joint_pos[0, 0] != 99.0


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_copies_are_equal_and_cannot_be_written_either(duplicate):
    motion = walk(5)
    again = duplicate(motion)
    assert again == motion
    assert not again.joint_pos.flags.writeable


def test_lists_of_numbers_are_arrays_too():
    given = {name: array.tolist() for name, array in raw_walk(5).items()}
    assert Motion(**given) == walk(5)


def test_quaternions_are_made_unit_and_continuous():
    given = raw_walk(5)
    scale = np.array([2.0, -0.5, 3.0, -1.0, 0.2])[:, None]
    motion = Motion(**{**given, "root_quat_w": given["root_quat_w"] * scale})
    np.testing.assert_allclose(motion.root_quat_w, walk(5).root_quat_w, atol=1e-7)


def test_a_motion_comes_through_itself_unchanged():
    # Normalising a float32 quaternion again would move its last bit now and then.
    rng = np.random.default_rng(0)
    given = raw_walk(2000) | {"root_quat_w": rng.normal(size=(2000, 4))}
    motion = Motion(**given)
    assert Motion.from_qpos(motion.to_qpos()) == motion
    assert dataclasses.replace(motion) == motion


def test_qpos_is_position_then_wxyz_then_joints():
    motion = walk(5)
    qpos = motion.to_qpos()
    assert qpos.shape == (5, 36)
    np.testing.assert_array_equal(qpos[:, :3], motion.root_pos_w)
    np.testing.assert_array_equal(qpos[:, 3:7], motion.root_quat_w)
    np.testing.assert_array_equal(qpos[:, 7:], motion.joint_pos)


def test_motions_are_equal_when_every_number_is():
    assert walk(5) == walk(5)
    assert walk(5) != walk(6)
    assert walk(5, seed=0) != walk(5, seed=1)
    assert walk(5) != "a walk"


# What it refuses


def test_nan_is_refused_with_its_frame():
    refused(
        "joint_pos holds NaN or infinity in 2 of 5 frames, first in frame 2",
        **walk_with("joint_pos", ([2, 4], [7, 8]), np.nan),
    )


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e39, -1e300])
def test_infinity_is_refused_even_if_only_float32_makes_it_so(bad):
    refused(
        "root_pos_w holds NaN or infinity in 1 of 5 frames, first in frame 3",
        **walk_with("root_pos_w", (3, 1), bad),
    )


def test_a_quaternion_of_nan_is_refused():
    refused("root_quat_w holds NaN", **walk_with("root_quat_w", 1, np.nan))


@pytest.mark.parametrize(("length", "said"), [(0.0, "0"), (0.05, "0.05")])
def test_a_quaternion_that_is_no_rotation_is_refused(length, said):
    refused(
        f"not a rotation in frame 4: its length is {said}, it should be 1",
        **walk_with("root_quat_w", 4, [length, 0, 0, 0]),
    )


def test_one_frame_is_no_motion():
    with pytest.raises(MotionError, match="at least 2 frames, got 1"):
        walk(1)


def test_no_frame_is_no_motion():
    with pytest.raises(MotionError, match="at least 2 frames, got 0"):
        Motion.from_qpos(np.zeros((0, 36)))


def test_hours_of_frames_are_refused():
    one = np.zeros((1, 36))
    one[0, 3] = 1
    too_many = np.broadcast_to(one, (MAX_FRAMES + 1, 36))
    with pytest.raises(MotionError, match="at most 1000000 frames, got 1000001"):
        Motion.from_qpos(too_many)


def test_lengths_that_differ_are_refused():
    refused(r"joint_pos must be \(5, 29\), got \(6, 29\)", joint_pos=np.zeros((6, 29)))


@pytest.mark.parametrize("joints", [23, 28, 30])
def test_another_number_of_joints_is_refused(joints):
    refused(
        rf"joint_pos must be \(5, 29\), got \(5, {joints}\)",
        joint_pos=np.zeros((5, joints)),
    )


@pytest.mark.parametrize("shape", [(3,), (1, 5, 3)])
def test_arrays_that_are_not_two_dimensional_are_refused(shape):
    refused("root_pos_w must be two-dimensional", root_pos_w=np.zeros(shape))


@pytest.mark.parametrize("bad", [[["a", "b", "c"]] * 5, [[1, 2, 3], [1, 2]], None])
def test_what_is_not_an_array_of_numbers_is_refused(bad):
    refused("root_pos_w must be", root_pos_w=bad)


@pytest.mark.parametrize("shape", [(5, 35), (5, 37), (36,)])
def test_qpos_of_another_shape_is_refused(shape):
    with pytest.raises(MotionError, match="qpos must be"):
        Motion.from_qpos(np.ones(shape))
