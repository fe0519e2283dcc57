from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from texedo.core.errors import FileFormatError
from texedo.data.capture.bvh import read_bvh
from texedo.motion.rotations import quat_angle

TWO_BONES = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 0 -4 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -3 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 10 2 0 0 0 0 0 0
1 10 2 0 0 0 90 0 0
"""

HALF_ROOT = 0.5**0.5


def with_motion(channels: str, rows: str, offset: str = "0 0 0") -> str:
    count = len(channels.split())
    return (
        f"HIERARCHY\nROOT Root\n{{\nOFFSET {offset}\nCHANNELS {count} {channels}\n"
        "End Site\n{\nOFFSET 1 2 3\n}\n}\n"
        f"MOTION\nFrames: {len(rows.splitlines())}\nFrame Time: 0.02\n{rows}\n"
    )


def test_one_rotated_joint_carries_what_hangs_on_it() -> None:
    poses = read_bvh(TWO_BONES).forward_kinematics()
    assert_allclose(poses.pos[0], [[1, 10, 2], [1, 6, 2], [1, 3, 2]])
    # A quarter turn about z takes "down" to "to the right of x": (0, -3) to (3, 0).
    assert_allclose(poses.pos[1], [[1, 10, 2], [1, 6, 2], [4, 6, 2]], atol=1e-12)
    quarter = [HALF_ROOT, 0, 0, HALF_ROOT]
    assert_allclose(poses.quat[1], [[1, 0, 0, 0], quarter, quarter], atol=1e-12)


def test_the_hierarchy_is_read_with_end_sites_as_nodes() -> None:
    bvh = read_bvh(TWO_BONES)
    assert bvh.names == ("Hips", "Knee", "Knee End")
    assert bvh.parents == (-1, 0, 1)
    assert bvh.is_end == (False, False, True)
    assert bvh.channels[1] == ("Zrotation", "Xrotation", "Yrotation")
    assert bvh.channels[2] == ()
    assert bvh.motion.shape == (2, 9)
    assert bvh.hierarchy() == "Hips\n  Knee"
    assert bvh.children(0) == (1,)
    assert_allclose(bvh.rest_pose(), [[0, 0, 0], [0, -4, 0], [0, -7, 0]])


@pytest.mark.parametrize("order", ["".join(p) for p in itertools.permutations("XYZ")])
def test_rotation_channels_apply_in_the_order_written(order: str) -> None:
    angles = np.array([[30.0, -50.0, 110.0], [-170.0, 20.0, 85.0]])
    channels = " ".join(f"{axis}rotation" for axis in order)
    rows = "\n".join(" ".join(map(str, row)) for row in angles)
    poses = read_bvh(with_motion(channels, rows)).forward_kinematics()
    expected = Rotation.from_euler(order, angles, degrees=True)
    assert_allclose(poses.pos[:, 1], expected.apply([1, 2, 3]), atol=1e-12)
    wanted = expected.as_quat()[:, [3, 0, 1, 2]]
    assert_allclose(quat_angle(poses.quat[:, 0], wanted), 0, atol=1e-7)


@settings(max_examples=30, deadline=None)
@given(
    order=st.permutations("XYZ"),
    angles=st.lists(st.floats(-720, 720), min_size=3, max_size=3),
)
def test_any_angles_agree_with_scipy(order: list[str], angles: list[float]) -> None:
    channels = " ".join(f"{axis}rotation" for axis in order)
    text = with_motion(channels, " ".join(f"{a:.17g}" for a in angles))
    expected = Rotation.from_euler("".join(order), angles, degrees=True)
    pos = read_bvh(text).forward_kinematics().pos
    assert_allclose(pos[0, 1], expected.apply([1, 2, 3]), atol=1e-9)


def test_a_single_rotation_channel_is_enough() -> None:
    poses = read_bvh(with_motion("Yrotation", "90")).forward_kinematics()
    assert_allclose(poses.pos[0, 1], [3, 2, -1], atol=1e-12)


def test_frames_can_be_chosen() -> None:
    poses = read_bvh(TWO_BONES).forward_kinematics(slice(1, None))
    assert poses.pos.shape == (1, 3, 3)
    assert_allclose(poses.pos[0, 2], [4, 6, 2], atol=1e-12)


def test_the_root_position_replaces_its_offset() -> None:
    text = with_motion("Xposition Yposition Zposition", "5 6 7", offset="5 6 7")
    assert_allclose(read_bvh(text).forward_kinematics().pos[0, 0], [5, 6, 7])


def test_channels_of_one_kind_may_stand_in_any_place() -> None:
    text = with_motion("Zrotation Zposition Xposition", "90 3 1")
    assert_allclose(read_bvh(text).forward_kinematics().pos[0, 0], [1, 0, 3])


@pytest.mark.parametrize(("row", "height"), [("0 -4.1 0", -4.1), ("0 -0.1 0", -4.1)])
def test_joint_positions_are_told_from_displacements(row: str, height: float) -> None:
    text = TWO_BONES.replace(
        "CHANNELS 3 Zrotation Xrotation Yrotation",
        "CHANNELS 3 Xposition Yposition Zposition",
    )
    text = text.replace("0 0 0 0 0 0\n", f"0 0 0 {row}\n", 1)
    text = text.replace("0 0 0 90 0 0", f"0 0 0 {row}")
    assert_allclose(
        read_bvh(text).forward_kinematics().pos[0, 1], [1, 10 + height, 2], atol=1e-12
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("  ", "\t"),
        ("\n  JOINT Knee\n  {", " JOINT Knee {"),
        (
            "    End Site\n    {\n      OFFSET 0 -3 0\n    }",
            "End Site { OFFSET 0 -3 0 }",
        ),
        ("OFFSET 0 -4 0\n    CHANNELS", "OFFSET 0 -4 0 CHANNELS"),
        ("0 -4 0", "0 -4.0e+00 -0E5"),
        ("1 10 2 0 0 0 90", "  1e0\t1.0E+1 2 0 0 0 9e1"),
        ("Zrotation", "zROTATION"),
        ("End Site", "END SITE"),
        ("Frames: 2", "Frames:\t2"),
        ("\n1 10", "\n\n1 10"),
        ("90 0 0\n", "90 0 0   "),
    ],
)
def test_other_spellings_of_the_same_file_mean_the_same(
    before: str, after: str
) -> None:
    assert before in TWO_BONES
    poses = read_bvh(TWO_BONES.replace(before, after)).forward_kinematics()
    assert_allclose(poses.pos[1, 2], [4, 6, 2], atol=1e-12)


@pytest.mark.parametrize("name", ["mixamorig:Knee", "Bip01 L Calf", "knee.L", "膝"])
def test_joint_names_may_hold_spaces_colons_and_letters_of_any_kind(name: str) -> None:
    assert read_bvh(TWO_BONES.replace("Knee", name)).names[1] == name


def test_byte_order_marks_are_skipped() -> None:
    assert read_bvh(b"\xef\xbb\xbf" + TWO_BONES.encode()).names[0] == "Hips"
    assert read_bvh(TWO_BONES.encode("utf-16")).names[0] == "Hips"


@pytest.mark.parametrize(
    ("frame_time", "fps"),
    [
        ("0.0333333", 30.0),
        ("0.033333", 30.0),
        ("0.0333", 30.0),
        ("0.0083333", 120.0),
        ("8.333333e-03", 120.0),
        ("0.0166666", 60.0),
        ("0.016667", 60.0),
        ("0.0333667", 29.97),
        ("0.0417083", 23.976),
        ("0.04", 25.0),
        ("0.033", 30.303),
        ("2.0", 0.5),
    ],
)
def test_frame_times_give_the_rate_that_was_meant(frame_time: str, fps: float) -> None:
    bvh = read_bvh(TWO_BONES.replace("0.0333333", frame_time))
    assert bvh.fps == pytest.approx(fps, rel=2e-5)
    if fps == round(fps):
        assert bvh.fps == fps


def test_a_file_is_read_from_its_path_and_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(TWO_BONES)
    assert read_bvh(path).name == "walk.bvh"
    assert read_bvh(str(path)).name == "walk.bvh"
    assert read_bvh(TWO_BONES, name="mine").name == "mine"


BAD_FILES = [
    ("", "is empty"),
    ("\n \n", "is empty"),
    ("<html>\n", "does not begin with HIERARCHY"),
    (TWO_BONES.partition("MOTION")[0], "has no MOTION"),
    (TWO_BONES.partition("Frame Time")[0], "line 16.*Frames: N"),
    (TWO_BONES.rpartition("1 10 2")[0], '"Frames: 2" is announced, 1 follow'),
    (TWO_BONES.removesuffix(" 0 0\n"), "line 20.*truncated.*7 of 9 numbers"),
    (TWO_BONES + "1 10 2 0 0 0 0 0 0\n", '"Frames: 2" is announced, 3 follow'),
    (TWO_BONES.replace("\n1 10 2 0 0 0 0 0 0", "\n1 10 2"), "line 19: 3 numbers"),
    (TWO_BONES.replace("CHANNELS 3", "CHANNELS 2"), "line 9"),
    (TWO_BONES.replace(" 3 Zrotation Xrotation", " 2 Xrotation"), "8 channels"),
    (TWO_BONES.replace("Zrotation", "Wrotation"), "line 5.*CHANNELS of"),
    (TWO_BONES.replace("CHANNELS 3", "CHANNELS three"), "line 9.*CHANNELS of"),
    (TWO_BONES.replace("Frames: 2", "Frames: 0"), "has 0 frames"),
    (TWO_BONES.replace("Frames: 2", "Frames: -1"), "has -1 frames"),
    (TWO_BONES.replace("Frames: 2", "Frames: two"), "line 17"),
    (TWO_BONES.replace("0.0333333", "0"), "Frame Time is 0"),
    (TWO_BONES.replace("0.0333333", "nan"), "Frame Time is nan"),
    (TWO_BONES.replace("90", "nan"), "line 20: frame 1 holds NaN"),
    (TWO_BONES.replace("90", "-inf"), "line 20: frame 1 holds NaN"),
    (TWO_BONES.replace("90", "9O"), 'line 20: "9O" is not a number'),
    (TWO_BONES.replace("90", "90,5"), 'line 20: "90,5" is not a number'),
    (TWO_BONES.replace("0 -4 0", "0 -4"), "line 8.*three numbers"),
    (TWO_BONES.replace("0 -4 0", "0 inf 0"), "line 8.*not finite"),
    (TWO_BONES.replace("    OFFSET 0 -4 0\n", ""), '"Knee" has no OFFSET'),
    (TWO_BONES.replace("}\nMOTION", "MOTION"), '"Hips" is never closed'),
    (TWO_BONES.replace("}\nMOTION", "}\n}\nMOTION"), "one .* too many"),
    (TWO_BONES.replace("JOINT Knee\n", "JOINT\n"), "line 6: JOINT without a name"),
    (TWO_BONES.replace("ROOT Hips\n{", "ROOT Hips\n"), "line 4"),
    (TWO_BONES.replace("ROOT Hips", "JOINT Hips"), "outside the ROOT"),
    (TWO_BONES.replace("JOINT Knee", "ROOT Knee"), 'second ROOT "Knee"'),
    (TWO_BONES.replace("OFFSET 0 -4 0", "WEIGHT 3"), '"WEIGHT 3" is not part of'),
    ("HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n0\n", "no ROOT"),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES)
def test_a_bad_file_is_refused_with_its_name_and_the_place(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.bvh"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message) as raised:
        read_bvh(path)
    assert str(raised.value).startswith("bad.bvh")
    assert "\n" not in str(raised.value)


def test_a_skeleton_without_channels_is_refused() -> None:
    text = "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n"
    with pytest.raises(FileFormatError, match="no joint has channels"):
        read_bvh(text)


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is a folder"):
        read_bvh(tmp_path)
    with pytest.raises(FileFormatError, match="No such file"):
        read_bvh(tmp_path / "nowhere.bvh")
    with pytest.raises(FileFormatError, match="cannot be read|is empty"):
        read_bvh("")


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, len(TWO_BONES) - 1))
def test_a_file_cut_anywhere_is_refused_or_lacks_nothing(cut: int) -> None:
    try:
        bvh = read_bvh(TWO_BONES[:cut].encode())
    except FileFormatError:
        return
    # Only the last number may have lost digits that nobody can miss.
    assert bvh.motion.shape == (2, 9)
