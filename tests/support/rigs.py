"""A person whose every rotation is known, written as BVH in the manner of many rigs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# Robot axes (x forward, y left, z up) in metres, T-pose, hips at the origin.
_MIDDLE = {
    "hips": (None, (0.0, 0.0, 0.0)),
    "spine": ("hips", (0.0, 0.0, 0.10)),
    "chest": ("spine", (0.0, 0.0, 0.32)),
    "neck": ("chest", (0.0, 0.0, 0.52)),
    "head": ("neck", (0.02, 0.0, 0.62)),
}
_LEFT = {
    "upper_leg": ("hips", (0.0, 0.09, -0.06)),
    "lower_leg": ("left_upper_leg", (0.0, 0.09, -0.48)),
    "foot": ("left_lower_leg", (0.0, 0.09, -0.89)),
    "toe": ("left_foot", (0.14, 0.09, -0.96)),
    "shoulder": ("chest", (0.0, 0.04, 0.47)),
    "upper_arm": ("left_shoulder", (0.0, 0.17, 0.47)),
    "lower_arm": ("left_upper_arm", (0.0, 0.46, 0.47)),
    "hand": ("left_lower_arm", (0.0, 0.71, 0.47)),
    "finger": ("left_hand", (0.0, 0.80, 0.47)),
}


def _body() -> dict[str, tuple[str | None, Array]]:
    body: dict[str, tuple[str | None, Array]] = {}
    for key, (parent, pos) in _MIDDLE.items():
        body[key] = (parent, np.array(pos))
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        for part, (parent, pos) in _LEFT.items():
            base = parent.replace("left", side)
            body[f"{side}_{part}"] = (base, np.array(pos) * [1.0, mirror, 1.0])
    return body


BODY = _body()

Y_UP = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""Robot axes to x left, y up, z forward: the habit of the format."""
Z_UP = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Robot axes to x left, z up, forward -y: as Blender has it."""


def motion_builder_names(prefix: str = "", toe: str = "Toe") -> dict[str, str]:
    """Names in the manner of MotionBuilder, LAFAN1 and Mixamo."""
    words = {
        "hips": "Hips",
        "spine": "Spine",
        "chest": "Spine2",
        "neck": "Neck",
        "head": "Head",
    }
    parts = {
        "upper_leg": "UpLeg",
        "lower_leg": "Leg",
        "foot": "Foot",
        "toe": toe,
        "shoulder": "Shoulder",
        "upper_arm": "Arm",
        "lower_arm": "ForeArm",
        "hand": "Hand",
        "finger": "HandMiddle1",
    }
    for side in ("left", "right"):
        for part, word in parts.items():
            words[f"{side}_{part}"] = side.capitalize() + word
    return {key: prefix + word for key, word in words.items()}


def sided_names(middle: Sequence[str], limbs: Sequence[str]) -> dict[str, str]:
    """Names from patterns: `{s}` is "l", `{S}` is "L", `{side}` is "left"."""
    names = dict(zip(_MIDDLE, middle, strict=True))
    for side in ("left", "right"):
        marks = {"s": side[0], "S": side[0].upper(), "side": side}
        marks["Side"] = side.capitalize()
        for part, pattern in zip(_LEFT, limbs, strict=True):
            names[f"{side}_{part}"] = pattern.format(**marks)
    return names


RIGIFY = sided_names(
    ["spine", "spine.001", "spine.003", "neck", "head"],
    [
        *("thigh.{S}", "shin.{S}", "foot.{S}", "toe.{S}", "shoulder.{S}"),
        *("upper_arm.{S}", "forearm.{S}", "hand.{S}", "f_middle.01.{S}"),
    ],
)
UNREAL = sided_names(
    ["pelvis", "spine_01", "spine_03", "neck_01", "head"],
    [
        *("thigh_{s}", "calf_{s}", "foot_{s}", "ball_{s}", "clavicle_{s}"),
        *("upperarm_{s}", "lowerarm_{s}", "hand_{s}", "middle_01_{s}"),
    ],
)
BIPED = sided_names(
    ["Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head"],
    [
        *("Bip01 {S} Thigh", "Bip01 {S} Calf", "Bip01 {S} Foot", "Bip01 {S} Toe0"),
        *("Bip01 {S} Clavicle", "Bip01 {S} UpperArm", "Bip01 {S} Forearm"),
        *("Bip01 {S} Hand", "Bip01 {S} Finger2"),
    ],
)
SMPL = sided_names(
    ["Pelvis", "Spine1", "Spine3", "Neck", "Head"],
    [
        *("{S}_Hip", "{S}_Knee", "{S}_Ankle", "{S}_Foot", "{S}_Collar"),
        *("{S}_Shoulder", "{S}_Elbow", "{S}_Wrist", "{S}_Hand"),
    ],
)
ASF = sided_names(
    ["root", "lowerback", "thorax", "lowerneck", "head"],
    [
        *("{s}femur", "{s}tibia", "{s}foot", "{s}toes", "{s}clavicle"),
        *("{s}humerus", "{s}radius", "{s}wrist", "{s}fingers"),
    ],
)
DAZ = sided_names(
    ["hip", "abdomen", "chest", "neck", "head"],
    [
        *("{s}Thigh", "{s}Shin", "{s}Foot", "{s}Toe", "{s}Collar"),
        *("{s}Shldr", "{s}ForeArm", "{s}Hand", "{s}Mid1"),
    ],
)
POSITIONAL = sided_names(
    ["Hips", "Chest", "Chest2", "Neck", "Head"],
    [
        *("{Side}Hip", "{Side}Knee", "{Side}Ankle", "{Side}Toe", "{Side}Collar"),
        *("{Side}Shoulder", "{Side}Elbow", "{Side}Wrist", "{Side}Middle1"),
    ],
)
VROID = sided_names(
    ["J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_Neck", "J_Bip_C_Head"],
    [
        *("J_Bip_{S}_UpperLeg", "J_Bip_{S}_LowerLeg", "J_Bip_{S}_Foot"),
        *("J_Bip_{S}_ToeBase", "J_Bip_{S}_Shoulder", "J_Bip_{S}_UpperArm"),
        *("J_Bip_{S}_LowerArm", "J_Bip_{S}_Hand", "J_Bip_{S}_Middle1"),
    ],
)
OPTITRACK = sided_names(
    ["Hip", "Ab", "Chest", "Neck", "Head"],
    [
        *("{S}Thigh", "{S}Shin", "{S}Foot", "{S}Toe", "{S}Shoulder"),
        *("{S}UArm", "{S}FArm", "{S}Hand", "{S}Middle1"),
    ],
)
NUMBERED = {key: f"Bone.{i:03d}" for i, key in enumerate(BODY)}


@dataclass(frozen=True)
class Person:
    """World rotations away from the T-pose, and positions, by body part."""

    fps: float
    turns: Mapping[str, Rotation]
    positions: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.positions["hips"])


def pose_person(turns: Mapping[str, Rotation], root: Array, fps: float) -> Person:
    """Positions from rotations; a part without its own moves with its parent."""
    full: dict[str, Rotation] = {}
    positions: dict[str, Array] = {}
    for key, (parent, rest) in BODY.items():
        if parent is None:
            full[key], positions[key] = turns[key], root
            continue
        full[key] = turns.get(key, full[parent])
        positions[key] = positions[parent] + full[parent].apply(rest - BODY[parent][1])
    return Person(fps, full, positions)


def walker(frames: int = 90, fps: float = 30.0) -> Person:
    """Stands straight for a third of the time, then walks along a curve."""
    time = np.linspace(0.0, 1.0, frames)
    walking = np.clip((time - 1 / 3) * 6, 0.0, 1.0)
    phase = 20 * np.pi * np.maximum(time - 1 / 3, 0.0)

    def turn(axis: str, degrees: Array | float) -> Rotation:
        angles = np.broadcast_to(degrees, (frames,))[:, None]
        return Rotation.from_euler(axis, angles, degrees=True)

    hips = turn("z", 20 + 60 * walking * time)
    chest = hips * turn("z", 5 * walking * np.sin(phase)) * turn("y", 3 * walking)
    turns = {"hips": hips, "chest": chest}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        swing = walking * np.sin(phase + (0 if side == "left" else np.pi))
        thigh = hips * turn("y", -25 * swing - 5 * walking)
        turns[f"{side}_upper_leg"] = thigh
        turns[f"{side}_lower_leg"] = thigh * turn("y", 15 * walking + 20 * swing**2)
        turns[f"{side}_foot"] = hips
        arm = chest * turn("x", -sign * 75) * turn("z", -sign * 40 * swing)
        turns[f"{side}_upper_arm"] = arm
        turns[f"{side}_lower_arm"] = arm * turn("z", -sign * (25 + 20 * walking))
    root = np.stack(
        (time * walking, 0.3 * walking * time**2, 0.96 - 0.03 * walking), -1
    )
    return pose_person(turns, root, fps)


def t_pose_first(person: Person) -> Person:
    """The same with a T-pose put before the first frame."""
    turns = {
        key: Rotation.concatenate((Rotation.identity(1), turn))
        for key, turn in person.turns.items()
    }
    root = person.positions["hips"]
    return pose_person(turns, np.concatenate((root[:1], root)), person.fps)


def write_rig(
    person: Person,
    names: Mapping[str, str],
    *,
    axes: Array = Y_UP,
    unit: float = 0.01,
    order: str = "ZXY",
    bone_frames: Mapping[str, Rotation] | None = None,
) -> str:
    """The person as a BVH file; parts without a name are left out with what they bear.

    `bone_frames` gives bones axes of their own, so that zero rotations are no pose.
    """
    bones = bone_frames or {}
    to_file = Rotation.from_matrix(axes)
    rest = {key: bones.get(key, Rotation.identity()) for key in BODY}
    world = {
        key: to_file * turn * to_file.inv() * rest[key]
        for key, turn in person.turns.items()
    }
    kept = [key for key in BODY if key in names]
    columns = [person.positions["hips"] @ axes.T / unit]
    text = ["HIERARCHY"]

    def write(key: str, depth: int) -> None:
        parent = BODY[key][0]
        pad = "\t" * depth
        offset = np.zeros(3)
        local = world[key]
        if parent is not None:
            step = axes @ (BODY[key][1] - BODY[parent][1]) / unit
            offset = rest[parent].inv().apply(step)
            local = world[parent].inv() * world[key]
        columns.append(local.as_euler(order, degrees=True))
        rotations = " ".join(f"{axis}rotation" for axis in order)
        place = "" if parent else "Xposition Yposition Zposition "
        text.extend(
            (
                f"{pad}{'JOINT' if parent else 'ROOT'} {names[key]}",
                pad + "{",
                f"{pad}\tOFFSET " + " ".join(f"{v:.6f}" for v in offset),
                f"{pad}\tCHANNELS {3 if parent else 6} {place}{rotations}",
            )
        )
        children = [k for k in kept if BODY[k][0] == key]
        for child in children:
            write(child, depth + 1)
        if not children:
            text.append(f"{pad}\tEnd Site\n{pad}\t{{\n{pad}\t\tOFFSET 0 0 0\n{pad}\t}}")
        text.append(pad + "}")

    write("hips", 0)
    text.append(f"MOTION\nFrames: {len(person)}\nFrame Time: {1 / person.fps:.7f}")
    rows = np.concatenate(columns, axis=1)
    text.extend(" ".join(f"{value:.6f}" for value in row) for row in rows)
    return "\n".join(text) + "\n"


def along_x_bones() -> dict[str, Rotation]:
    """Bone axes of LAFAN1: x runs along each bone, so zero rotations are a heap."""
    frames = {}
    for key, (_, pos) in BODY.items():
        children = [p for p, (parent, _) in BODY.items() if parent == key]
        main = {"hips": "spine", "chest": "neck"}.get(key, (children or [""])[0])
        if main:
            along = Y_UP @ (BODY[main][1] - pos)
            turn, _ = Rotation.align_vectors(along[None], np.array([[1.0, 0.0, 0.0]]))
            frames[key] = turn
    return frames
