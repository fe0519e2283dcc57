from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from tests.support.rigs import (
    BODY,
    NUMBERED,
    RIGIFY,
    UNREAL,
    Y_UP,
    Z_UP,
    Array,
    Person,
    along_x_bones,
    motion_builder_names,
    pose_person,
    sided_names,
    t_pose_first,
    walker,
    write_rig,
)
from texedo.core.errors import RetargetError
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.source import (
    CMU_UNIT,
    SourceMotion,
    estimate_scale,
    load_source,
    make_source,
    resample_source,
)
from texedo.data.capture.source_frames import ORIENTED_ROLES
from texedo.motion.rotations import quat_angle, quat_rotate

CMU_LIKE = motion_builder_names(toe="ToeBase")


@pytest.fixture(scope="module")
def person() -> Person:
    return walker()


def as_wxyz(turn: Rotation) -> Array:
    return turn.as_quat()[:, [3, 0, 1, 2]]


def turn_errors(source: SourceMotion, person: Person) -> dict[str, float]:
    """Largest angle between found and true rotation of each oriented role [deg]."""
    return {
        role: float(
            np.degrees(
                quat_angle(source.orientations[role], as_wxyz(person.turns[role])).max()
            )
        )
        for role in ORIENTED_ROLES
    }


@pytest.mark.parametrize("axes", [Y_UP, Z_UP])
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254])
def test_any_axes_and_unit_give_the_same_person_in_metres(
    person: Person, axes: Array, unit: float
) -> None:
    source = make_source(read_bvh(write_rig(person, RIGIFY, axes=axes, unit=unit)))
    assert source.scale == unit
    assert source.fps == 30
    assert source.reference == "zero pose"
    for role, pos in source.positions.items():
        assert_allclose(pos, person.positions[role], atol=1e-5, err_msg=role)
    assert max(turn_errors(source, person).values()) < 0.01


@pytest.mark.parametrize("order", ["XYZ", "YXZ", "ZYX"])
def test_any_channel_order_gives_the_same_rotations(person: Person, order: str) -> None:
    source = make_source(read_bvh(write_rig(person, UNREAL, order=order)))
    assert max(turn_errors(source, person).values()) < 0.01


def test_a_rest_pose_that_faces_elsewhere_faces_forward(person: Person) -> None:
    axes = Rotation.from_euler("y", 35, degrees=True).as_matrix() @ Y_UP
    source = make_source(read_bvh(write_rig(person, RIGIFY, axes=axes)))
    assert max(turn_errors(source, person).values()) < 0.01
    assert_allclose(source.positions["head"], person.positions["head"], atol=1e-4)


def test_a_zero_pose_that_is_a_heap_is_replaced_by_the_motion(person: Person) -> None:
    text = write_rig(person, motion_builder_names(), bone_frames=along_x_bones())
    source = make_source(read_bvh(text))
    assert source.reference == "motion"
    assert_allclose(source.positions["head"], person.positions["head"], atol=1e-5)
    errors = turn_errors(source, person)
    for role in ("hips", "chest", "left_foot", "right_foot", "left_lower_arm"):
        assert errors[role] < 2.0, role
    # Hands have no joint beyond the wrist that could tell more.
    assert errors["left_hand"] < 2.0


def test_the_heap_gets_a_rest_pose_from_its_bone_lengths(person: Person) -> None:
    text = write_rig(person, motion_builder_names(), bone_frames=along_x_bones())
    rest = make_source(read_bvh(text)).rest_positions
    assert_allclose(rest["left_hand"][1], 0.71, atol=1e-4)
    leg = rest["right_upper_leg"] - rest["right_foot"]
    assert_allclose(leg, [0, 0, 0.83], atol=1e-4)


def test_a_kneeling_heap_still_has_valid_frames() -> None:
    frames = 40
    still = Rotation.identity(frames)
    back = Rotation.from_euler("y", np.full((frames, 1), 95.0), degrees=True)
    turns = {"hips": still}
    for side in ("left", "right"):
        turns |= {f"{side}_lower_leg": back, f"{side}_foot": back}
    kneeling = pose_person(turns, np.tile([0, 0, 0.5], (frames, 1)), 30.0)
    text = write_rig(kneeling, motion_builder_names(), bone_frames=along_x_bones())
    source = make_source(read_bvh(text))
    errors = turn_errors(source, kneeling)
    assert errors["hips"] < 1 and errors["chest"] < 1
    assert errors["left_foot"] < 30
    for quat in source.orientations.values():
        assert np.isfinite(quat).all()


def test_the_first_frame_is_left_out_when_it_is_a_t_pose(person: Person) -> None:
    text = write_rig(t_pose_first(person), CMU_LIKE)
    source = make_source(read_bvh(text))
    assert (source.reference, source.start_frame) == ("first frame", 1)
    assert len(source) == len(person)
    assert max(turn_errors(source, person).values()) < 0.01
    whole = make_source(read_bvh(text), start_frame=0)
    assert len(whole) == len(person) + 1
    assert_allclose(quat_angle(whole.orientations["chest"][0], np.eye(4)[0]), 0)


def test_a_t_pose_serves_a_heap_as_reference(person: Person) -> None:
    text = write_rig(
        t_pose_first(person), motion_builder_names(), bone_frames=along_x_bones()
    )
    source = make_source(read_bvh(text))
    assert source.reference == "first frame"
    assert max(turn_errors(source, person).values()) < 0.01


def test_nothing_but_a_t_pose_is_refused(person: Person) -> None:
    alone = Person(
        person.fps,
        {key: Rotation.identity(1) for key in person.turns},
        {key: pos[None] for key, (_, pos) in BODY.items()},
    )
    with pytest.raises(RetargetError, match="only a T-pose in 1 frames"):
        make_source(read_bvh(write_rig(alone, RIGIFY)))


def test_an_a_pose_at_rest_is_carried_to_a_t_pose(person: Person) -> None:
    """Bones whose zero pose has the arms 45 degrees down mean the same motion."""
    bvh = read_bvh(write_rig(person, RIGIFY))
    offsets = bvh.offsets.copy()
    motion = bvh.motion.copy()
    columns = np.cumsum([0, *map(len, bvh.channels)])
    for side, sign in (("L", 1.0), ("R", -1.0)):
        lower = Rotation.from_euler("z", -45 * sign, degrees=True)
        for name in ("forearm", "hand", "f_middle.01"):
            node = bvh.names.index(f"{name}.{side}")
            offsets[node] = lower.apply(offsets[node])
        # The world rotation of every arm bone is what it was, times the inverse.
        for name, before in (("upper_arm", False), ("forearm", True), ("hand", True)):
            at = columns[bvh.names.index(f"{name}.{side}")]
            local = Rotation.from_euler("ZXY", motion[:, at : at + 3], degrees=True)
            local = local * lower.inv()
            local = lower * local if before else local
            motion[:, at : at + 3] = local.as_euler("ZXY", degrees=True)
    source = make_source(dataclasses.replace(bvh, offsets=offsets, motion=motion))
    assert_allclose(
        source.positions["left_hand"], person.positions["left_hand"], atol=1e-5
    )
    assert max(turn_errors(source, person).values()) < 0.01


def test_joints_found_by_shape_give_the_same_motion(person: Person) -> None:
    source = make_source(read_bvh(write_rig(person, NUMBERED)))
    assert source.profile == "shape"
    assert max(turn_errors(source, person).values()) < 0.01


def test_identity_means_toes_ahead_and_arms_out(person: Person) -> None:
    source = make_source(read_bvh(write_rig(person, RIGIFY)))
    foot = source.rest_positions["left_toe"] - source.rest_positions["left_foot"]
    turned = quat_rotate(source.orientations["left_foot"], foot)
    moved = source.positions["left_toe"] - source.positions["left_foot"]
    assert_allclose(turned, moved, atol=1e-5)
    assert foot[0] > 0 and source.rest_positions["left_hand"][1] > 0


def test_bone_lengths_are_in_metres(person: Person) -> None:
    lengths = make_source(read_bvh(write_rig(person, RIGIFY, unit=0.0254))).bone_lengths
    expected = {
        "left_thigh": 0.42,
        "right_shin": 0.41,
        "left_upper_arm": 0.29,
        "right_forearm": 0.25,
        "hip_width": 0.18,
        "shoulder_width": 0.34,
        "trunk": 0.53,
    }
    for name, length in expected.items():
        assert lengths[name] == pytest.approx(length, abs=1e-3), name


def test_the_leg_length_is_thigh_and_shin(person: Person) -> None:
    source = make_source(read_bvh(write_rig(person, RIGIFY)))
    assert source.leg_length == pytest.approx(0.83, abs=1e-5)


@pytest.mark.parametrize("unit", [1.0, 0.1, 0.01, 0.001, 0.3048, 0.0254, CMU_UNIT])
@pytest.mark.parametrize("leg", [0.72, 0.82, 0.92])
def test_the_unit_is_known_by_the_length_of_a_leg(unit: float, leg: float) -> None:
    assert estimate_scale(leg / unit) == unit


def test_a_body_of_no_known_unit_gets_the_size_of_an_adult() -> None:
    assert estimate_scale(5.0) == pytest.approx(0.82 / 5.0)


def test_the_scale_can_be_given(person: Person) -> None:
    bvh = read_bvh(write_rig(person, RIGIFY))
    source = make_source(bvh, scale=0.02)
    assert_allclose(source.positions["head"], 2 * person.positions["head"], atol=1e-4)
    with pytest.raises(RetargetError, match="scale must be positive"):
        make_source(bvh, scale=0.0)
    with pytest.raises(RetargetError, match="no frame 500 in 90 frames"):
        make_source(bvh, start_frame=500)


def test_a_lying_motion_asks_which_axis_is_up(person: Person) -> None:
    lying = Rotation.from_euler("y", -80, degrees=True)
    turns = {key: lying * turn for key, turn in person.turns.items()}
    text = write_rig(pose_person(turns, person.positions["hips"], 30.0), RIGIFY)
    with pytest.raises(RetargetError, match='up="y" if the person lies'):
        make_source(read_bvh(text))
    source = make_source(read_bvh(text), up="y")
    trunk = source.positions["neck"] - source.positions["hips"]
    assert np.abs(trunk[:, 2]).max() < 0.15


def test_a_lying_motion_after_a_t_pose_is_understood(person: Person) -> None:
    lying = Rotation.from_euler("y", -80, degrees=True)
    turns = {key: lying * turn for key, turn in person.turns.items()}
    moved = pose_person(turns, person.positions["hips"], 30.0)
    source = make_source(read_bvh(write_rig(t_pose_first(moved), RIGIFY)))
    assert max(turn_errors(source, moved).values()) < 0.01


def test_a_file_is_loaded_by_its_path(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "stroll.bvh"
    path.write_text(write_rig(person, RIGIFY))
    assert load_source(path).name == "stroll"


def test_resampling_keeps_shared_instants_and_the_ends(person: Person) -> None:
    source = make_source(read_bvh(write_rig(person, RIGIFY)))
    out = resample_source(source, 50.0)
    assert (out.fps, len(out)) == (50.0, 149)  # 89 / 30 s last 148.3 frames at 50 Hz
    assert out.duration <= source.duration < out.duration + 1 / 50
    for role in ("hips", "left_hand"):
        assert_allclose(
            out.positions[role][::5], source.positions[role][::3], atol=1e-9
        )
        apart = quat_angle(out.orientations[role][::5], source.orientations[role][::3])
        assert_allclose(apart, 0, atol=1e-6)


def test_resampling_moves_evenly_between_frames() -> None:
    frames = 3
    yaw = Rotation.from_euler("z", np.array([[0.0], [30.0], [60.0]]), degrees=True)
    root = np.array([[0.0, 0, 1], [1.0, 0, 1], [2.0, 0, 1]])
    turning = pose_person({"hips": yaw}, root, 25.0)
    source = make_source(read_bvh(write_rig(turning, RIGIFY)), start_frame=0)
    out = resample_source(source, 50.0)
    assert len(out) == 2 * frames - 1
    assert_allclose(out.positions["hips"][:, 0], [0, 0.5, 1, 1.5, 2], atol=1e-6)
    yaws = 2 * np.degrees(np.arctan2(*out.orientations["hips"][:, [3, 0]].T))
    assert_allclose(yaws, [0, 15, 30, 45, 60], atol=1e-4)


def test_resampling_to_the_same_rate_changes_nothing(person: Person) -> None:
    source = make_source(read_bvh(write_rig(person, RIGIFY)))
    out = resample_source(source, 30.0)
    assert_allclose(out.positions["head"], source.positions["head"])
    with pytest.raises(ValueError, match="fps must be positive"):
        resample_source(source, 0.0)


def test_cmu_names_in_cmu_units_have_the_exact_unit(person: Person) -> None:
    names = sided_names(
        ["Hips", "Spine", "Spine1", "Neck", "Head"],
        [
            *("{Side}UpLeg", "{Side}Leg", "{Side}Foot", "{Side}ToeBase"),
            *("{Side}Shoulder", "{Side}Arm", "{Side}ForeArm", "{Side}Hand"),
            "{Side}FingerBase",
        ],
    )
    for unit in (CMU_UNIT, 0.01):
        text = write_rig(person, names, unit=unit)
        leaf = "{{\nOFFSET 0 0 0\n}}\n"
        extra = "".join(
            f"JOINT {name}\n{leaf.format()}" for name in ("LowerBack", "LHipJoint", "RHipJoint", "Neck1")
        )  # fmt: skip
        text = text.replace("\tJOINT Spine\n", f"{extra}\tJOINT Spine\n", 1)
        source = make_source(read_bvh(text))
        assert source.profile == "cmu"
        assert source.scale == unit


def test_one_frame_of_a_heap_is_no_crash(person: Person) -> None:
    text = write_rig(person, motion_builder_names(), bone_frames=along_x_bones())
    bvh = read_bvh(text)
    source = make_source(dataclasses.replace(bvh, motion=bvh.motion[:1]))
    assert len(source) == 1
    assert len(resample_source(source)) == 1
    assert all(np.isfinite(q).all() for q in source.orientations.values())


def test_a_toe_that_lies_in_the_ankle_is_left_out(person: Person) -> None:
    text = write_rig(person, motion_builder_names(), bone_frames=along_x_bones())
    bvh = read_bvh(text)
    for side in ("Left", "Right"):
        bvh.offsets[bvh.names.index(f"{side}Toe")] = 0
    source = make_source(bvh)
    assert "left_toe" not in source.positions
    assert turn_errors(source, person)["left_foot"] < 2
