from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.rigs import (
    ASF,
    BIPED,
    BODY,
    DAZ,
    NUMBERED,
    OPTITRACK,
    POSITIONAL,
    RIGIFY,
    SMPL,
    UNREAL,
    VROID,
    Z_UP,
    Person,
    along_x_bones,
    motion_builder_names,
    walker,
    write_rig,
)
from texedo.core.errors import FileFormatError, RetargetError
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.skeleton import (
    REQUIRED_ROLES,
    ROLES,
    load_mapping,
    match_skeleton,
)
from texedo.data.capture.skeleton_names import split_name


@pytest.fixture(scope="module")
def person() -> Person:
    return walker()


def roles_of(text: str, **options: object) -> tuple[str, dict[str, str]]:
    bvh = read_bvh(text)
    found = match_skeleton(bvh, **options)  # type: ignore[arg-type]
    return found.profile, {role: bvh.names[n] for role, n in found.nodes.items()}


@pytest.mark.parametrize(
    ("names", "profile"),
    [
        (motion_builder_names() | {"neck": "Neck", "spine": "Spine1"}, "motionbuilder"),
        (motion_builder_names("mixamorig:", "ToeBase"), "motionbuilder"),
        (RIGIFY, "names"),
        (UNREAL, "names"),
        (BIPED, "names"),
        (SMPL, "names"),
        (ASF, "names"),
        (DAZ, "names"),
        (POSITIONAL, "names"),
        (VROID, "names"),
        (OPTITRACK, "names"),
    ],
)
def test_the_joints_of_many_rigs_are_found_by_name(
    person: Person, names: dict[str, str], profile: str
) -> None:
    assert roles_of(write_rig(person, names)) == (
        profile,
        {role: names[role] for role in ROLES},
    )


def test_a_rig_known_by_its_names_is_called_by_its_own(person: Person) -> None:
    for names, profile in (
        (motion_builder_names(), "lafan1"),
        (motion_builder_names("mixamorig:", "ToeBase"), "mixamo"),
        (motion_builder_names("mixamorig1_", "ToeBase"), "mixamo"),
    ):
        text = write_rig(person, names)
        # The small test body has one spine joint less than these rigs.
        chest = f"JOINT {names['chest']}"
        middle = names["chest"].replace("2", "1")
        end = f"End Site\n{{\nOFFSET 0 0 0\n}}\n}}\n{chest}"
        text = text.replace(chest, f"JOINT {middle}\n{{\nOFFSET 0 0 0\n{end}", 1)
        assert roles_of(text)[0] == profile


def test_joints_without_telling_names_are_found_by_shape(person: Person) -> None:
    profile, roles = roles_of(write_rig(person, NUMBERED))
    assert profile == "shape"
    assert roles == {
        role: NUMBERED[role]
        for role in ROLES
        if role in REQUIRED_ROLES or role.endswith("toe")
    }


def test_shape_is_found_in_other_axes_and_in_a_heap_of_bones(person: Person) -> None:
    for options in ({"axes": Z_UP}, {"bone_frames": along_x_bones()}):
        text = write_rig(person, NUMBERED, **options)  # type: ignore[arg-type]
        assert roles_of(text)[1]["left_hand"] == NUMBERED["left_hand"]


def test_long_collar_bones_are_not_taken_for_upper_arms(person: Person) -> None:
    text = write_rig(person, {k: v for k, v in NUMBERED.items() if "finger" not in k})
    bvh = read_bvh(text)
    for side in ("left", "right"):
        node = bvh.names.index(NUMBERED[f"{side}_upper_arm"])
        bvh.offsets[node] *= 2.4  # now 31 cm, against 29 cm of the upper arm
    nodes = match_skeleton(bvh).nodes
    assert bvh.names[nodes["left_upper_arm"]] == NUMBERED["left_upper_arm"]


def test_a_rig_without_toes_and_collar_bones_still_makes_a_body(person: Person) -> None:
    names = {k: v for k, v in UNREAL.items() if "toe" not in k and "finger" not in k}
    _, roles = roles_of(write_rig(person, names))
    assert "left_toe" not in roles
    assert {*REQUIRED_ROLES} <= roles.keys()


def test_an_arm_may_end_in_an_end_site_instead_of_a_hand(person: Person) -> None:
    names = {k: v for k, v in RIGIFY.items() if "finger" not in k and "hand" not in k}
    text = write_rig(person, names)
    for sign in ("1", "-1"):
        x = "25.000000" if sign == "1" else "-25.000000"
        side = "L" if sign == "1" else "R"
        head, arm, tail = text.partition(f"JOINT forearm.{side}")
        text = head + arm + tail.replace("OFFSET 0 0 0", f"OFFSET {x} 0 0", 1)
    _, roles = roles_of(text)
    assert roles["left_hand"] == "forearm.L End"


def test_a_mapping_names_what_cannot_be_guessed(person: Person, tmp_path: Path) -> None:
    strange = {key: f"x{i}" for i, key in enumerate(BODY)}
    mapping = {r: strange[r] for r in REQUIRED_ROLES if r not in ("hips", "chest")}
    profile, roles = roles_of(write_rig(person, strange), mapping=mapping)
    assert profile == "mapping"
    assert (roles["hips"], roles["chest"]) == (strange["hips"], strange["chest"])
    path = tmp_path / "rig.json"
    path.write_text(json.dumps(mapping))
    assert roles_of(write_rig(person, strange), mapping=path) == (profile, roles)


def test_a_mapping_overrules_the_names(person: Person) -> None:
    text = write_rig(person, RIGIFY)
    _, roles = roles_of(text, mapping={"chest": "spine.001"})
    assert roles["chest"] == "spine.001"


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"tail": "spine"}, 'a role "tail"; the roles are hips, chest'),
        ({"chest": "Ribs"}, 'has no joint "Ribs"'),
        ({"left_hand": "shin.L"}, "left_lower_leg and left_hand are one joint"),
        ({"left_foot": "f_middle.01.L"}, '"f_middle.01.L" is not below left_lower_leg'),
        (
            {f"{s}_{p}": RIGIFY[f"{o}_{p}"] for s, o in (("left", "right"), ("right", "left")) for p in ("upper_leg", "lower_leg", "foot", "toe")},
            "the left arm is on the side of the right leg",
        ),
        ({"hips": "spine.001", "chest": "spine"}, "left_upper_leg .* is not below hips"),
        ({"chest": "f_middle.01.L"}, "left_shoulder .* is not below chest"),
        
    ],
)  # fmt: skip
def test_a_wrong_mapping_is_refused(
    person: Person, mapping: dict[str, str], message: str
) -> None:
    with pytest.raises(RetargetError, match=message):
        roles_of(write_rig(person, RIGIFY), mapping=mapping)


@pytest.mark.parametrize("text", ["[1, 2]", '{"hips": 3}', "{hips}", ""])
def test_a_mapping_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rig.json"
    path.write_text(text)
    with pytest.raises(FileFormatError, match="rig.json"):
        load_mapping(path)
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_mapping(tmp_path / "none.json")


def test_an_unknown_skeleton_gives_its_hierarchy_and_the_way_out() -> None:
    text = (
        "HIERARCHY\nROOT Trunk\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n"
        "JOINT Branch\n{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n"
        "JOINT Twig\n{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 1 1\n"
    )
    with pytest.raises(RetargetError) as raised:
        match_skeleton(read_bvh(text, name="tree.bvh"))
    message = str(raised.value)
    assert message.startswith("tree.bvh: no joint fits hips, chest, left_upper_leg")
    assert "mapping file" in message
    assert message.endswith("The joints are:\nTrunk\n  Branch\n    Twig")


def test_only_what_is_missing_is_named(person: Person) -> None:
    names = {
        key: "Wheel" + name.replace(".", "") if "leg" in key or "foot" in key else name
        for key, name in RIGIFY.items()
        if not key.startswith("right_") or "arm" in key or "should" in key
        if "hand" not in key and "finger" not in key
    }
    with pytest.raises(RetargetError, match="no joint fits hips, left_upper_leg"):
        roles_of(write_rig(person, names))


def test_swapped_left_and_right_are_refused(person: Person) -> None:
    swapped = {
        key: RIGIFY[key.replace("left", "#").replace("right", "left").replace("#", "right")]
        for key in RIGIFY
    }  # fmt: skip
    with pytest.raises(RetargetError, match="left and right are swapped"):
        roles_of(write_rig(person, swapped))


def test_legs_of_different_length_are_refused(person: Person) -> None:
    bvh = read_bvh(write_rig(person, RIGIFY))
    bvh.offsets[bvh.names.index("shin.L")] *= 0.5
    with pytest.raises(RetargetError, match="upper_leg is 21 long on the left and 42"):
        match_skeleton(bvh)


def test_a_person_who_lies_throughout_is_still_a_body(person: Person) -> None:
    bvh = read_bvh(write_rig(person, RIGIFY))
    bvh.motion[:, 3:6] = [0.0, 90.0, 0.0]
    assert match_skeleton(bvh).profile == "names"


@pytest.mark.parametrize(
    ("name", "side", "stem"),
    [
        ("mixamorig:LeftUpLeg", "left", "upleg"),
        ("thigh.L", "left", "thigh"),
        ("Bip01 R Calf", "right", "calf"),
        ("rtibia", "right", "tibia"),
        ("ltoes", "left", "toes"),
        ("ball_l", "left", "ball"),
        ("Character1_RightForeArm", "right", "forearm"),
        ("LHipJoint", "left", "hip"),
        ("LeftHandIndex1", "left", "handindex"),
        ("thigh_twist_01_l", "left", "thightwist"),
        ("Collar", "middle", "collar"),
        ("Bip01 L Toe0", "left", "toe"),
        ("Spine01", "middle", "spine"),
    ],
)
def test_a_name_is_split_into_side_and_stem(name: str, side: str, stem: str) -> None:
    assert split_name(name) == (side, stem)


def test_helper_bones_do_not_take_the_place_of_limbs(person: Person) -> None:
    names = UNREAL | {"left_finger": "hand_twist_l", "right_finger": "hand_twist_r"}
    assert roles_of(write_rig(person, names))[1]["left_hand"] == "hand_l"


def test_the_match_does_not_depend_on_the_unit(person: Person) -> None:
    for unit in (1.0, 0.0254, 0.001):
        assert roles_of(write_rig(person, DAZ, unit=unit))[0] == "names"
