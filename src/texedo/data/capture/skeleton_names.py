"""Which joint is which, by name.

A joint's name is cut down to a side and a stem: "mixamorig:LeftUpLeg", "thigh.L",
"Bip01 L Thigh" and "lfemur" become ("left", "upleg"), ("left", "thigh"), ... The stem
must then equal a word of the lists below, so that "LeftHandIndex1" or "thigh_twist_l"
are never taken for a hand or a thigh. Words differ between rigs ("Shoulder" is a collar
bone here and an upper arm there): of two words in a list, the earlier wins.
"""

from __future__ import annotations

import os
import re
from typing import Literal

Side = Literal["left", "right", "middle"]

_FILLERS = {"", "joint", "jnt", "bone", "bip", "biped", "def", "org", "rig", "base"}
_FILLERS |= {"j", "c", "m", "cc", "mixamorig", "human", "character", "valvebiped"}
_SIDES: dict[str, Side] = {
    "left": "left",
    "lft": "left",
    "lt": "left",
    "l": "left",
    "right": "right",
    "rgt": "right",
    "rt": "right",
    "r": "right",
}

LIMB_WORDS: dict[str, tuple[str, ...]] = {
    "upper_leg": ("upleg", "upperleg", "thigh", "thighbend", "femur", "leg1", "hip"),
    "lower_leg": ("lowleg", "lowerleg", "shin", "calf", "tibia", "knee", "leg2", "leg"),
    "foot": ("ankle", "foot", "feet"),
    "toe": ("toe", "toes", "ball", "forefoot", "metatarsal", "metatarsals", "foot"),
    "shoulder": ("clavicle", "collar", "collarbone", "clav", "scapula", "shoulder"),
    "upper_arm": (
        *("uparm", "upperarm", "arm", "humerus", "shldr", "shldrbend", "uarm", "arm1"),
        "shoulder",
    ),
    "lower_arm": (
        *("forearm", "forearmbend", "lowarm", "lowerarm", "radius", "farm", "elbow"),
        "arm2",
    ),
    "hand": ("wrist", "hand"),
}
"""Words for each part of a limb, best first; toe and shoulder may be missing."""

MIDDLE_WORDS: dict[str, tuple[str, ...]] = {
    "neck": ("neck", "lowerneck", "neckbase"),
    "head": ("head", "skull"),
}

_STEMS = {word for words in LIMB_WORDS.values() for word in words}

PROFILES: dict[str, frozenset[str]] = {
    "cmu": frozenset(
        "Hips LHipJoint LeftUpLeg LeftLeg LeftFoot LeftToeBase RHipJoint RightUpLeg "
        "RightLeg RightFoot RightToeBase LowerBack Spine Spine1 Neck Neck1 Head "
        "LeftShoulder LeftArm LeftForeArm LeftHand RightShoulder RightArm RightForeArm "
        "RightHand".split()
    ),
    "lafan1": frozenset(
        "Hips LeftUpLeg LeftLeg LeftFoot LeftToe RightUpLeg RightLeg RightFoot RightToe "
        "Spine Spine1 Spine2 Neck Head LeftShoulder LeftArm LeftForeArm LeftHand "
        "RightShoulder RightArm RightForeArm RightHand".split()
    ),
    "mixamo": frozenset(
        "Hips LeftUpLeg LeftLeg LeftFoot LeftToeBase RightUpLeg RightLeg RightFoot "
        "RightToeBase Spine Spine1 Spine2 Neck Head LeftShoulder LeftArm LeftForeArm "
        "LeftHand RightShoulder RightArm RightForeArm RightHand".split()
    ),
    "motionbuilder": frozenset(
        "Hips LeftUpLeg LeftLeg LeftFoot RightUpLeg RightLeg RightFoot LeftArm "
        "LeftForeArm LeftHand RightArm RightForeArm RightHand".split()
    ),
}
"""Rigs known by their joint names; the first whose names are all there is meant."""

PROFILE_ROLES: dict[str, str] = {
    "neck": "Neck",
    "head": "Head",
    **{
        f"{side.lower()}_{part}": side + word
        for side in ("Left", "Right")
        for part, word in (
            ("upper_leg", "UpLeg"),
            ("lower_leg", "Leg"),
            ("foot", "Foot"),
            ("shoulder", "Shoulder"),
            ("upper_arm", "Arm"),
            ("lower_arm", "ForeArm"),
            ("hand", "Hand"),
        )
    },
}
"""The names that the known rigs share; their toe is "LeftToeBase" or "LeftToe"."""


def bare_name(name: str) -> str:
    """The name without its namespace: "mixamorig:Hips" and "rig|Hips" are "Hips"."""
    return re.split(r"[:|]", name)[-1].strip()


def common_prefix(names: list[str]) -> str:
    """What all names begin with, up to a separator, such as "Robot_"."""
    shared = os.path.commonprefix(names)
    return shared[: len(shared) - len(re.split(r"[^A-Za-z0-9]", shared)[-1])]


def find_profile(names: tuple[str, ...]) -> tuple[str, dict[str, str]] | None:
    """The known rig that these joint names belong to: its name and role -> joint."""
    full: dict[str, str] = {}
    for name in names:
        full.setdefault(re.sub(r"^mixamorig\d*_", "", bare_name(name)), name)
    for profile, wanted in PROFILES.items():
        if wanted <= full.keys():
            roles = {r: full[n] for r, n in PROFILE_ROLES.items() if n in full}
            for side in ("Left", "Right"):
                for toe in (f"{side}Toe", f"{side}ToeBase"):
                    if toe in full:
                        roles[f"{side.lower()}_toe"] = full[toe]
            return profile, roles
    return None


def split_name(name: str) -> tuple[Side, str]:
    """Side and stem of a joint name."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", bare_name(name))
    text = re.sub(r"([A-Z])([A-Z][a-z])", r"\1 \2", text)
    tokens = [t for t in re.split(r"[^A-Za-z0-9]+", text.lower()) if t]
    side: Side = "middle"
    words: list[str] = []
    for token in tokens:
        if token in _SIDES and side == "middle":
            side = _SIDES[token]
        elif token and token.rstrip("0123456789") not in _FILLERS:
            words.append(token)
    stem = "".join(words)
    if side == "middle":
        side, stem = _split_glued(stem)
    return side, _strip_digits(stem)


def _split_glued(stem: str) -> tuple[Side, str]:
    """Side of a name without separators: "lfemur", "leftupleg"."""
    for prefix, side in _SIDES.items():
        for rest in (stem.removeprefix(prefix), stem.removesuffix(prefix)):
            if rest != stem and _strip_digits(rest) in _STEMS:
                return side, rest
    return "middle", stem


def _strip_digits(stem: str) -> str:
    """ "toe0" and "spine01" without their number; "leg1" and "arm2" are words."""
    return stem if stem in _STEMS else stem.rstrip("0123456789")
