"""What else a file holds confirms how it is read, or refuses it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.formats.conftest import Written
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.formats import get_format, load_clip, load_motion, save_motion
from texedo.motion import Motion
from texedo.motion.rotations import quat_to_rotvec
from texedo.robot.g1 import (
    BODY_NAMES,
    ISAACLAB_FROM_MUJOCO,
    ISAACLAB_JOINT_NAMES,
    JOINT_INDEX,
    JOINT_NAMES,
)
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.tables import JOINT_ROWS

MOTION = random_motion(21, 41)
AXES = np.eye(3)[["xyz".index(row.axis) for row in JOINT_ROWS]]


def refused(path: Path, words: str, *, format: str | None = None) -> None:
    with pytest.raises(FileFormatError, match=words) as caught:
        load_motion(path, format=format)
    message = str(caught.value)
    assert message.startswith(str(path)) and "\n" not in message


def changed_npz(path: Path, **changes: Any) -> Path:
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    np.savez(path, **{**arrays, **changes})
    return path


def changed_pickle(path: Path, **changes: Any) -> Path:
    data = pickle.loads(path.read_bytes())
    path.write_bytes(pickle.dumps({**data, **changes}))
    return path


# BeyondMimic, mjlab


@pytest.mark.parametrize("name", ["beyondmimic-npz", "mjlab-npz"])
def test_bodies_that_fit_one_order_only_need_no_name(
    name: str, written: Written
) -> None:
    clip = load_clip(written(name))
    np.testing.assert_array_equal(clip.joint_pos, written.motion.joint_pos)
    assert clip.proof == "body_pos_w agrees to 0.0 mm"


def test_a_body_file_with_quaternions_in_the_other_order_says_so(
    written: Written,
) -> None:
    path = written("mjlab-npz")
    with np.load(path) as data:
        quat = data["body_quat_w"]
    refused(
        changed_npz(path, body_quat_w=quat[..., [1, 2, 3, 0]]), "quaternions are xyzw"
    )


def test_joint_names_in_a_body_file_must_stand_in_its_order(written: Written) -> None:
    path = changed_npz(written("mjlab-npz"), joint_names=np.array(JOINT_NAMES))
    assert load_clip(path).proof.endswith("its joint_names agree")
    changed_npz(path, joint_names=np.array(ISAACLAB_JOINT_NAMES))
    refused(path, "joint 1 is right_hip_pitch_joint, and the format has left_hip_roll")
    changed_npz(path, joint_names=np.array(("tail", *JOINT_NAMES[1:])))
    refused(path, r"not the G1's \(tail\), so it is of another robot")


# GMR, TWIST


def test_bodies_seen_from_the_pelvis_confirm_a_pickle(written: Written) -> None:
    assert load_clip(written("gmr-pkl")).proof == "local_body_pos agrees to 0.0 mm"


def test_joints_in_another_order_than_their_bodies_are_refused(
    written: Written,
) -> None:
    path = written("gmr-pkl")
    joints = written.motion.joint_pos
    changed_pickle(path, dof_pos=joints[:, ISAACLAB_FROM_MUJOCO].astype(float))
    refused(path, "they fit if its joints are in Isaac Lab order")
    swapped = np.array([JOINT_INDEX[_other_side(name)] for name in JOINT_NAMES])
    changed_pickle(path, dof_pos=joints[:, swapped].astype(float))
    refused(path, "they fit if its left and right joints are swapped")


def _other_side(name: str) -> str:
    if name.startswith("left_"):
        return name.replace("left_", "right_", 1)
    return name.replace("right_", "left_", 1)


def test_a_robot_with_longer_legs_is_another_robot(written: Written) -> None:
    path = written("gmr-pkl")
    data = pickle.loads(path.read_bytes())
    changed_pickle(path, local_body_pos=1.3 * data["local_body_pos"])
    refused(path, "so it is of another robot or damaged")


def test_bodies_of_another_robot_are_told_by_their_names(written: Written) -> None:
    names = [f"{side}_{i}" for side in ("left", "right") for i in range(15)]
    path = changed_pickle(written("gmr-pkl"), link_body_list=names)
    refused(path, "link_body_list is not the G1's: it lacks pelvis, torso_link")


def test_a_list_with_points_that_are_no_links_is_fine(written: Written) -> None:
    path = written("gmr-pkl")
    places = pickle.loads(path.read_bytes())["local_body_pos"]
    toe = np.full((len(places), 1, 3), 9.0)
    changed_pickle(
        path,
        link_body_list=["left_toe_link", *BODY_NAMES],
        local_body_pos=np.concatenate((toe, places), axis=1),
    )
    assert load_clip(path).proof == "local_body_pos agrees to 0.0 mm"


# Motion libraries


def library(path: Path, motion: Motion = MOTION, **changes: Any) -> Path:
    quat = motion.root_quat_w.astype(float)
    root = quat_to_rotvec(quat)[:, None]
    turns = AXES * motion.joint_pos[:, :, None]
    clip = {
        "root_trans_offset": motion.root_pos_w.astype(float),
        "root_rot": quat[:, [1, 2, 3, 0]],
        "dof": motion.joint_pos.astype(float),
        "pose_aa": np.concatenate((root, turns), axis=1),
        "fps": 50,
    }
    path.write_bytes(pickle.dumps({"walk": {**clip, **changes}}))
    return path


def test_turns_about_the_axes_confirm_a_library(tmp_path: Path) -> None:
    assert load_clip(library(tmp_path / "a.pkl")).proof == "pose_aa agrees"


def test_a_library_with_w_first_is_refused(tmp_path: Path) -> None:
    path = library(tmp_path / "a.pkl", root_rot=MOTION.root_quat_w.astype(float))
    refused(path, "its root_rot is wxyz, and the format has xyzw: .* put w last")


def test_a_library_in_another_joint_order_is_refused(tmp_path: Path) -> None:
    joints = MOTION.joint_pos[:, ISAACLAB_FROM_MUJOCO].astype(float)
    path = library(tmp_path / "a.pkl", dof=joints)
    refused(path, "all fit if they are in Isaac Lab order")


def test_a_library_of_a_robot_with_other_axes_is_refused(tmp_path: Path) -> None:
    turns = np.roll(AXES, 1, axis=1) * MOTION.joint_pos[:, :, None]
    root = quat_to_rotvec(MOTION.root_quat_w.astype(float))[:, None]
    path = library(tmp_path / "a.pkl", pose_aa=np.concatenate((root, turns), axis=1))
    refused(path, "about another axis than the G1 does, so it is of another robot")


@pytest.mark.parametrize(
    "turns",
    [None, np.zeros((41, 30, 3)), np.zeros((3, 3)), np.full((41, 1, 3), np.nan)],
)
def test_a_library_whose_turns_say_nothing_is_read(tmp_path: Path, turns: Any) -> None:
    assert load_clip(library(tmp_path / "a.pkl", pose_aa=turns)).proof == ""


# SONIC, Kimodo


def test_a_sonic_clip_whose_bodies_do_not_follow_is_refused(written: Written) -> None:
    path = written("sonic")
    assert load_clip(path).proof.startswith("body_pos.csv agrees to 0.0 mm")
    quats = path / "body_quat.csv"
    head, *lines = quats.read_text().splitlines()
    rolled = []
    for line in lines:
        w, x, y, z, *others = line.split(",")
        rolled.append(",".join((x, y, z, w, *others)))
    quats.write_text("\n".join((head, *rolled)))
    refused(path, "they fit if its quaternions are xyzw")


def test_sonic_lets_positions_be_zero(written: Written) -> None:
    path = written("sonic")
    places = path / "body_pos.csv"
    head, *lines = places.read_text().splitlines()
    zeros = ",".join("0" for _ in lines[0].split(","))
    places.write_text("\n".join((head, *(zeros for _ in lines))))
    assert load_clip(path).proof == ""


def test_reflections_are_no_rotations(written: Written) -> None:
    path = written("kimodo-npz")
    with np.load(path) as data:
        matrices = data["local_rot_mats"].copy()
    assert load_clip(path).proof == "posed_joints agrees to 0 mm"
    matrices[3, 5] = np.diag([1.0, 1.0, -1.0])
    refused(changed_npz(path, local_rot_mats=matrices), "reflections .determinant -1")


def test_posed_joints_of_another_motion_are_refused(written: Written) -> None:
    path = written("kimodo-npz")
    with np.load(path) as data:
        far = data["posed_joints"] * 2
    refused(
        changed_npz(path, posed_joints=far), "posed_joints contradicts its rotations"
    )


# Holosoma


def holosoma(path: Path, motion: Motion = MOTION, **changes: Any) -> Path:
    """As Holosoma's converter writes it: the world first, points under the soles."""
    poses = motion_kinematics(motion)
    frames = len(motion)
    world, sole = np.zeros((frames, 1, 3)), poses.pos_w[:, 6:7] + [0, 0, -0.03]
    arrays = {
        "fps": np.array([50]),
        "joint_pos": motion.to_qpos(),
        "joint_vel": np.zeros((frames, 35)),
        "body_pos_w": np.concatenate((world, poses.pos_w, sole), axis=1),
        "body_quat_w": np.zeros((frames, 32, 4)),
        "joint_names": np.array(JOINT_NAMES),
        "body_names": np.array(("world", *BODY_NAMES, "left_foot_contact_point")),
    }
    np.savez(path, **{**arrays, **changes})
    return path


def test_a_holosoma_file_is_read_by_its_names(tmp_path: Path) -> None:
    path = holosoma(tmp_path / "a.npz")
    assert load_motion(path) == MOTION
    clip = load_clip(path)
    assert clip.proof == "joint names agree; body_pos_w agrees to 0.0 mm"
    assert (clip.fps, clip.rate.origin) == (50.0, "file")
    backwards = np.concatenate(
        (MOTION.to_qpos()[:, :7], MOTION.joint_pos[:, ::-1]), axis=1
    )
    names = np.array(JOINT_NAMES[::-1])
    holosoma(path, joint_pos=backwards, joint_names=names)
    assert load_motion(path, format="holosoma") == MOTION


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"joint_names": np.array(JOINT_NAMES[::-1])}, "body_pos_w contradicts"),
        (
            {"joint_names": np.array(("tail", *JOINT_NAMES[1:]))},
            "not the G1's 29 .tail",
        ),
        ({"joint_pos": np.zeros((41, 35))}, r"joint_pos is \(41, 35\)"),
        (
            {"joint_pos": MOTION.to_qpos()[:, [0, 1, 2, 4, 5, 6, 3, *range(7, 36)]]},
            "xyzw",
        ),
        ({"body_names": np.array([f"link_{i}" for i in range(32)])}, "it lacks pelvis"),
    ],
)
def test_a_holosoma_file_that_contradicts_itself_is_refused(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    refused(holosoma(tmp_path / "a.npz", **changes), words)


# Places


@pytest.mark.parametrize("name", ["texedo", "gmr-pkl", "kimodo-csv"])
def test_a_root_beyond_ten_kilometres_is_refused(name: str, written: Written) -> None:
    qpos = np.array(random_motion(1, 5).to_qpos())
    qpos[3, 1] = -10_001.0
    path = written.folder / f"far{get_format(name).extensions[0]}"
    save_motion(Motion.from_qpos(qpos), path, format=name, fps=50)
    refused(path, r"root is 10.001 km .* in frame 3, .* in metres\?", format=name)
