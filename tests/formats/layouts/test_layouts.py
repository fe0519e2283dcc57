"""What stands where in each format, with numbers that can be checked by hand."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.formats.conftest import Written
from tests.support.written_elsewhere import LIBRARY, LIBRARY_ZLIB
from texedo.core.errors import FileFormatError
from texedo.formats import load_motion, load_motions, save_motion
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw, quat_to_matrix
from texedo.robot.g1 import (
    BODY_INDEX,
    BODY_NAMES,
    ISAACLAB_JOINT_NAMES,
    JOINT_NAMES,
    ROBOT_NAME,
)
from texedo.robot.kinematics import motion_kinematics

HALF = float(np.sqrt(0.5))
QUARTER_TURN = (HALF, 0.0, 0.0, HALF)
"""wxyz of 90 degrees to the left."""
JOINTS = np.arange(29) * 0.01
"""Joint j, in MuJoCo order, at 0.01 j rad."""


def still(frames: int = 3) -> Motion:
    """Standing at (1, 2, 0.8), turned left, every joint at another angle."""
    return Motion(
        root_pos_w=np.tile([1.0, 2.0, 0.8], (frames, 1)),
        root_quat_w=np.tile(QUARTER_TURN, (frames, 1)),
        joint_pos=np.tile(JOINTS, (frames, 1)),
    )


def check_still(motion: Motion, *, frames: int = 3) -> None:
    assert len(motion) == frames
    np.testing.assert_allclose(motion.root_pos_w[0], [1, 2, 0.8], atol=1e-6)
    np.testing.assert_allclose(motion.root_quat_w[0], QUARTER_TURN, atol=1e-6)
    np.testing.assert_allclose(motion.joint_pos[0], JOINTS, atol=1e-6)


def row(path: Path) -> np.ndarray:
    return np.array(path.read_text().splitlines()[0].split(","), dtype=float)


@pytest.mark.parametrize("name", ["unitree-csv", "texedo-csv"])
def test_unitree_and_texedo_csv_have_w_last(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format=name, fps=50)
    np.testing.assert_allclose(row(path)[:7], [1, 2, 0.8, 0, 0, HALF, HALF], atol=1e-6)
    np.testing.assert_allclose(row(path)[7:], JOINTS, atol=1e-7)


def test_kimodo_csv_has_w_first(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format="kimodo-csv", fps=50)
    np.testing.assert_allclose(row(path)[:7], [1, 2, 0.8, HALF, 0, 0, HALF], atol=1e-6)
    np.testing.assert_allclose(row(path)[7:], JOINTS, atol=1e-7)


def test_lafan1_is_another_word_for_unitree_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format="lafan1", fps=50)
    check_still(load_motion(path, format="unitree-csv", fps=50))


def test_texedo_npy_has_w_first_and_joints_level_by_level(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    save_motion(still(), path, format="texedo-npy")
    array = np.load(path)
    assert array.shape == (3, 36)
    assert array.dtype == np.float32
    np.testing.assert_allclose(array[0, 3:7], QUARTER_TURN, atol=1e-6)
    # left and right hip pitch, waist yaw: MuJoCo joints 0, 6 and 12
    np.testing.assert_allclose(array[0, 7:10], [0.00, 0.06, 0.12], atol=1e-6)
    by_name = dict(zip(ISAACLAB_JOINT_NAMES, array[0, 7:], strict=True))
    assert by_name["right_wrist_yaw_joint"] == pytest.approx(0.28)


def test_retargeted_amass_npy_takes_its_rate_from_its_name(tmp_path: Path) -> None:
    rows = np.concatenate(([1, 2, 0.8, 0, 0, HALF, HALF], JOINTS))
    path = tmp_path / "walk_100_jpos.npy"
    np.save(path, np.tile(rows, (5, 1)))
    check_still(load_motion(path, format="amass-npy"), frames=3)
    nameless = tmp_path / "walk.npy"
    np.save(nameless, np.tile(rows, (5, 1)))
    with pytest.raises(FileFormatError, match="its name states no rate"):
        load_motion(nameless, format="amass-npy")


def test_our_own_file_says_everything_about_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_motion(still(), path)
    with np.load(path, allow_pickle=False) as data:
        assert str(data["format"]) == "texedo-motion"
        assert int(data["format_version"]) == 1
        assert str(data["robot"]) == ROBOT_NAME
        assert str(data["quat_order"]) == "wxyz"
        assert float(data["fps"]) == 50.0
        assert tuple(data["joint_names"]) == JOINT_NAMES
        assert tuple(data["body_names"]) == BODY_NAMES
    check_still(load_motion(path))


def resaved(path: Path, **changes: object) -> Path:
    """A copy of an npz with some arrays changed."""
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    other = path.with_name("changed.npz")
    np.savez(other, **{**arrays, **changes})
    return other


def test_our_own_file_is_read_by_name_whatever_its_order(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_motion(still(), path)
    shuffled = resaved(
        path,
        joint_names=np.array(JOINT_NAMES[::-1]),
        joint_pos=np.tile(JOINTS[::-1], (3, 1)),
        quat_order=np.array("xyzw"),
        root_quat_w=np.tile([0, 0, HALF, HALF], (3, 1)),
    )
    check_still(load_motion(shuffled))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format_version": np.array(2)}, "update texedo"),
        ({"robot": np.array("unitree_h1")}, "unitree_h1"),
        ({"quat_order": np.array("zyxw")}, "zyxw"),
        ({"joint_names": np.array(("tail_joint", *JOINT_NAMES[1:]))}, "tail_joint"),
        ({"joint_pos": np.zeros((3, 5))}, "damaged"),
    ],
)
def test_our_own_file_is_refused_where_its_labels_do_not_fit(
    change: dict[str, object], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.npz"
    save_motion(still(), path)
    with pytest.raises(FileFormatError, match=words):
        load_motion(resaved(path, **change))


def test_beyondmimic_and_mjlab_differ_in_order_alone(written: Written) -> None:
    poses = motion_kinematics(written.motion)
    with (
        np.load(written("mjlab-npz")) as mjlab,
        np.load(written("beyondmimic-npz")) as isaac,
    ):
        for data in (mjlab, isaac):
            assert data["fps"].shape == (1,)
            assert data["joint_vel"].shape == (61, 29)
            assert data["body_quat_w"].shape == (61, 30, 4)
        torso = BODY_INDEX["torso_link"]
        np.testing.assert_allclose(
            mjlab["body_pos_w"][:, torso], poses.pos_w[:, torso], atol=1e-6
        )
        # Isaac Lab's bodies: pelvis, left hip, right hip, waist yaw, ...; torso is 9.
        np.testing.assert_allclose(
            isaac["body_pos_w"][:, 9], poses.pos_w[:, torso], atol=1e-6
        )
        np.testing.assert_allclose(
            isaac["joint_pos"][:, 1], written.motion.joint_pos[:, 6], atol=1e-6
        )


def test_beyondmimic_velocity_is_of_the_centre_of_mass_and_mjlab_of_the_link(
    tmp_path: Path,
) -> None:
    # Turning on the spot at 1 rad/s, the pelvis origin stands still; its centre of mass
    # lies on the axis too, but the torso's is 2.03 mm - 3.96 mm in front of it.
    frames = 51
    yaw = np.arange(frames) / 50
    motion = Motion(
        root_pos_w=np.tile([0.0, 0.0, 0.8], (frames, 1)),
        root_quat_w=quat_from_yaw(yaw),
        joint_pos=np.zeros((frames, 29)),
    )
    save_motion(motion, tmp_path / "m.npz", format="mjlab-npz")
    save_motion(motion, tmp_path / "b.npz", format="beyondmimic-npz")
    with np.load(tmp_path / "m.npz") as m, np.load(tmp_path / "b.npz") as b:
        link = np.linalg.norm(m["body_lin_vel_w"][25, BODY_INDEX["torso_link"]])
        mass = np.linalg.norm(b["body_lin_vel_w"][25, 9])
        np.testing.assert_allclose(b["body_ang_vel_w"][25, 9], [0, 0, 1], atol=1e-4)
    assert link == pytest.approx(0.0039635, abs=1e-5)
    assert mass == pytest.approx(
        np.hypot(0.0039635 - 0.00203158, 0.000339683), abs=1e-5
    )


def test_sonic_folder_has_headers_tracked_bodies_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "clip"
    save_motion(still(), path, format="sonic")
    joints = (path / "joint_pos.csv").read_text().splitlines()
    assert joints[0].startswith("joint_0,joint_1,")
    assert [float(v) for v in joints[1].split(",")[:3]] == [0.0, 0.06, 0.12]
    quats = (path / "body_quat.csv").read_text().splitlines()
    assert quats[0].startswith("body_0_w,body_0_x,body_0_y,body_0_z,body_1_w")
    assert len(quats[0].split(",")) == 14 * 4
    assert quats[1].startswith("0.707107,0.000000,0.000000,0.707107")
    assert (
        "[0 4 10 18 5 11 19 9 16 22 28 17 23 29]" in (path / "metadata.txt").read_text()
    )
    rows = {len(f.read_text().splitlines()) for f in path.glob("*.csv")}
    assert rows == {4}


def test_a_minimal_sonic_folder_is_enough(tmp_path: Path) -> None:
    save_motion(still(), tmp_path / "full", format="sonic")
    path = tmp_path / "minimal"
    path.mkdir()
    for name in ("joint_pos.csv", "joint_vel.csv"):
        (path / name).write_text((tmp_path / "full" / name).read_text())
    (path / "body_pos.csv").write_text("body_0_x,body_0_y,body_0_z\n" + "1,2,0.8\n" * 3)
    line = f"{HALF},0,0,{HALF}\n"
    (path / "body_quat.csv").write_text(
        "body_0_w,body_0_x,body_0_y,body_0_z\n" + line * 3
    )
    (path / "metadata.txt").write_text("Body part indexes:\n[0]\n")
    check_still(load_motion(path))


def test_sonic_metadata_says_which_columns_are_the_pelvis(tmp_path: Path) -> None:
    path = tmp_path / "clip"
    save_motion(still(), path, format="sonic")
    (path / "metadata.txt").write_text("Body part indexes:\n[4 0]\n")
    # The left hip roll link is 4 of Isaac Lab's bodies, and 2 of ours.
    hip = ",".join(map(str, motion_kinematics(still()).pos_w[0, 2]))
    (path / "body_pos.csv").write_text("h\n" + f"{hip},1,2,0.8\n" * 3)
    (path / "body_quat.csv").write_text("h\n" + f"1,0,0,0,{HALF},0,0,{HALF}\n" * 3)
    check_still(load_motion(path))
    (path / "metadata.txt").write_text("Body part indexes:\n[4 5]\n")
    with pytest.raises(FileFormatError, match="lack the pelvis"):
        load_motion(path)


def test_bones_seed_is_in_centimetres_and_degrees(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format="bones-seed-csv", fps=50)
    header, first = path.read_text().splitlines()[:2]
    assert header.startswith("Frame,root_translateX,root_translateY,root_translateZ,")
    assert "left_hip_pitch_joint_dof" in header
    values = [float(v) for v in first.split(",")]
    assert values[:7] == pytest.approx([0, 100, 200, 80, 0, 0, 90], abs=1e-4)
    assert values[8] == pytest.approx(np.rad2deg(0.01), abs=1e-5)


def test_bones_seed_angles_turn_about_fixed_axes_x_first(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format="bones-seed-csv", fps=50)
    lines = path.read_text().splitlines()
    turned = [line.split(",") for line in lines]
    for line in turned[1:]:
        line[4:7] = ["90", "0", "90"]
    path.write_text("\n".join(",".join(line) for line in turned))
    matrix = quat_to_matrix(load_motion(path, fps=50).root_quat_w[0].astype(float))
    # Roll by 90 degrees puts the robot's up on -y; the yaw by 90 then puts it on +x.
    np.testing.assert_allclose(matrix[:, 2], [1, 0, 0], atol=1e-6)


def test_bones_seed_columns_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save_motion(still(), path, format="bones-seed-csv", fps=50)
    lines = [line.split(",")[::-1] for line in path.read_text().splitlines()]
    path.write_text("\n".join(",".join(line) for line in lines))
    check_still(load_motion(path, fps=50))


@pytest.mark.parametrize("pitch", [90.0, -90.0, 89.9999])
def test_bones_seed_survives_a_nose_straight_up(pitch: float, tmp_path: Path) -> None:
    half = np.deg2rad(pitch) / 2
    motion = Motion(
        root_pos_w=np.zeros((2, 3)),
        root_quat_w=np.tile([np.cos(half), 0, np.sin(half), 0], (2, 1)),
        joint_pos=np.zeros((2, 29)),
    )
    path = tmp_path / "a.csv"
    save_motion(motion, path, format="bones-seed-csv", fps=50)
    back = load_motion(path, fps=50)
    cosine = np.abs((back.root_quat_w * motion.root_quat_w).sum(axis=1))
    assert cosine.min() > 1 - 1e-5


def test_kimodo_npz_is_y_up_with_end_points_put_in(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_motion(still(), path, format="kimodo-npz", fps=50)
    with np.load(path) as data:
        assert data["posed_joints"].shape == (3, 34, 3)
        assert data["foot_contacts"].shape == (3, 4)
        # Our (x, y, z) = (1, 2, 0.8) is Kimodo's (y, z, x).
        np.testing.assert_allclose(data["root_positions"][0], [2, 0.8, 1], atol=1e-6)
        # Turned left by 90 degrees, the robot faces our +y, which is Kimodo's +x.
        forward = data["global_rot_mats"][0, 0] @ [0, 0, 1]
        np.testing.assert_allclose(forward, [1, 0, 0], atol=1e-6)
        np.testing.assert_allclose(data["global_root_heading"][0], [0, 1], atol=1e-6)
        poses = motion_kinematics(still())
        torso = poses.pos_w[0, BODY_INDEX["torso_link"], [1, 2, 0]]
        # pelvis, 6 + toe, 6 + toe, then the waist: the torso is the 17th.
        np.testing.assert_allclose(data["posed_joints"][0, 17], torso, atol=1e-6)


def test_kimodo_rotations_are_the_orientations_of_our_links(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_motion(still(), path, format="kimodo-npz", fps=50)
    poses = motion_kinematics(still())
    knee = quat_to_matrix(poses.quat_w[0, BODY_INDEX["left_knee_link"]])
    with np.load(path) as data:
        seen = data["global_rot_mats"][0, 4]
    np.testing.assert_allclose(seen, knee[[1, 2, 0]][:, [1, 2, 0]], atol=1e-6)


def test_kimodo_global_rotations_alone_are_enough(written: Written) -> None:
    full = written("kimodo-npz", fps=50)
    with np.load(full) as data:
        part = {
            k: data[k] for k in ("posed_joints", "global_rot_mats", "foot_contacts")
        }
    path = full.with_name("example.npz")
    np.savez(path, **part)
    back = load_motion(path, fps=50)
    np.testing.assert_allclose(back.joint_pos, written.motion.joint_pos, atol=1e-5)
    np.testing.assert_allclose(back.root_pos_w, written.motion.root_pos_w, atol=1e-5)


def test_kimodo_may_put_a_batch_of_one_in_front(written: Written) -> None:
    full = written("kimodo-npz", fps=50)
    with np.load(full) as data:
        part = {k: data[k][None] for k in ("root_positions", "local_rot_mats")}
    path = full.with_name("batch.npz")
    np.savez(path, **part)
    back = load_motion(path, fps=50)
    np.testing.assert_allclose(back.joint_pos, written.motion.joint_pos, atol=1e-5)


def test_kimodo_files_of_other_skeletons_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "soma.npz"
    eyes = np.tile(np.eye(3), (4, 77, 1, 1))
    np.savez(path, local_rot_mats=eyes, root_positions=np.zeros((4, 3)))
    with pytest.raises(FileFormatError, match="fits no format"):
        load_motion(path)
    with pytest.raises(FileFormatError, match="with a G1 model"):
        load_motion(path, format="kimodo-npz")


def test_gmr_pickle_has_w_last_and_what_twist_needs(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    save_motion(still(), path, format="gmr-pkl")
    raw = path.read_bytes()
    # numpy 1 does not know the module that numpy 2 calls numpy._core.
    assert b"numpy._core" not in raw
    data = pickle.loads(raw)
    assert data["fps"] == 50.0
    np.testing.assert_allclose(data["root_rot"][0], [0, 0, HALF, HALF], atol=1e-6)
    np.testing.assert_allclose(data["dof_pos"][0], JOINTS, atol=1e-6)
    assert data["local_body_pos"].shape == (3, 30, 3)
    assert data["local_body_pos"][0, 0].tolist() == [0, 0, 0]
    assert data["link_body_list"] == list(BODY_NAMES)
    check_still(load_motion(path))


def test_gmr_pickles_without_body_positions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    data = {
        "fps": np.float64(50),
        "root_pos": np.tile([1, 2, 0.8], (3, 1)),
        "root_rot": np.tile([0, 0, HALF, HALF], (3, 1)),
        "dof_pos": np.tile(JOINTS, (3, 1)),
        "local_body_pos": None,
        "link_body_list": None,
    }
    path.write_bytes(pickle.dumps(data))
    check_still(load_motion(path))


def test_twist_pickles_are_lifted_to_29_joints_and_normalised(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    data = {
        "fps": 50,
        "root_pos": np.tile([1, 2, 0.8], (3, 1)),
        "root_rot": np.tile([0, 0, HALF, HALF], (3, 1)) * 0.975,
        "dof_pos": np.tile(np.arange(23) * 0.1, (3, 1)).astype(np.float32),
        "local_body_pos": np.zeros((3, 38, 3)),
        "link_body_list": ["pelvis"],
    }
    path.write_bytes(pickle.dumps(data))
    motion = load_motion(path)
    assert motion.joint_pos[0, [19, 20, 21, 26, 27, 28]].tolist() == [0.0] * 6
    assert motion.joint_pos[0, 18] == pytest.approx(1.8)  # left elbow
    assert motion.joint_pos[0, 22] == pytest.approx(1.9)  # right shoulder pitch
    assert np.linalg.norm(motion.root_quat_w[0]) == pytest.approx(1)


@pytest.mark.parametrize("data", [LIBRARY, LIBRARY_ZLIB])
def test_motion_libraries_hold_several_clips(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lib.pkl"
    path.write_bytes(data)
    motions = load_motions(path)
    assert list(motions) == ["walk_001", "wave"]
    walk = motions["walk_001"]
    # Two frames at 25 fps are three at 50; the middle one lies half way.
    assert len(walk) == 3
    np.testing.assert_allclose(walk.root_pos_w[1], [0.05, 0, 0.75], atol=1e-6)
    np.testing.assert_allclose(
        walk.root_quat_w[0], [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-6
    )
    np.testing.assert_allclose(walk.joint_pos[0], JOINTS, atol=1e-6)
    assert motions["wave"].joint_pos[0, 22] == pytest.approx(0.19)
    with pytest.raises(FileFormatError, match=r"holds 2 motions.*load_motions"):
        load_motion(path)


def test_any_rate_comes_in_at_50_hz(written: Written) -> None:
    path = written("texedo", fps=29.98)
    back = load_motion(path)
    assert back.duration == pytest.approx(written.motion.duration, abs=0.06)
    slow = load_motion(path, fps=29.98 / 2)
    assert slow.duration == pytest.approx(2 * back.duration, abs=0.05)
