"""Which joint is which, by the shape of the tree; and whether a match is a body.

Directions are taken from the body itself wherever possible (up = from the hips to the
shoulders, front = where the feet point), so that nothing here depends on the file's
axes or on the pose being an upright one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.capture.bvh import Bvh, BvhPoses
from texedo.motion.rotations import quat_rotate_inverse

FloatArray = NDArray[Any]

_CHECK_FRAMES = 64
_SYMMETRY = 0.2
"""Left and right bones may differ by this part; measured skeletons do by up to 0.16."""
_CLEAR_FRONT = 0.03
"""Feet and knees that reach less far ahead than this part of a leg prove nothing."""
_LEG = ("upper_leg", "lower_leg", "foot", "toe")
_ARM = ("upper_arm", "lower_arm", "hand")
_SIDE = re.compile("^[ab]_")
_NAMES = {"a_": "left_", "b_": "right_"}
_LEG_BONES = ("upper_leg", "lower_leg"), ("lower_leg", "foot")
_MAX_TWINS = 40
_PROPORTIONS = (
    ("from hips to shoulders it", "mid_hip", "mid_shoulder", 0.25, 1.5),
    ("from hip to hip it", "left_upper_leg", "right_upper_leg", 0.03, 0.8),
    ("from shoulder to shoulder it", "left_upper_arm", "right_upper_arm", 0.1, 1.2),
    ("from the hips joint to the legs it", "hips", "mid_hip", 0.0, 0.5),
    ("from the chest joint to the arms it", "chest", "mid_shoulder", 0.0, 0.9),
)
_ARM_BONES = ("upper_arm", "lower_arm"), ("lower_arm", "hand")


def sample_poses(bvh: Bvh) -> BvhPoses:
    """Poses in a few dozen frames spread over the motion."""
    step = max(1, len(bvh) // _CHECK_FRAMES)
    return bvh.forward_kinematics(slice(None, None, step))


def role_positions(pos: FloatArray, nodes: Mapping[str, int]) -> dict[str, FloatArray]:
    """Positions (..., 3) by role, with the middles of hips and shoulders added."""
    roles = {role: pos[..., node, :] for role, node in nodes.items()}
    for middle, part in (("mid_hip", "upper_leg"), ("mid_shoulder", "upper_arm")):
        roles[middle] = (roles[f"left_{part}"] + roles[f"right_{part}"]) / 2
    roles["mid_foot"] = (roles["left_foot"] + roles["right_foot"]) / 2
    return roles


def bone_length(roles: Mapping[str, FloatArray], start: str, end: str) -> float:
    """Typical distance of two roles over the frames, in the unit of the positions."""
    return float(np.median(np.linalg.norm(roles[end] - roles[start], axis=-1)))


def leg_length(roles: Mapping[str, FloatArray]) -> float:
    """Thigh plus shin, mean of both sides."""
    return (
        sum(
            bone_length(roles, f"{side}_{a}", f"{side}_{b}")
            for side in ("left", "right")
            for a, b in _LEG_BONES
        )
        / 2
    )


def find_fault(bvh: Bvh, nodes: Mapping[str, int]) -> str | None:
    """What keeps these joints from being a body, or None."""
    if fault := _order_fault(bvh, nodes):
        return fault
    moving = role_positions(sample_poses(bvh).pos, nodes)
    zero = role_positions(bvh.rest_pose()[None], nodes)
    # A person may lie or bend throughout the motion: a zero pose that stands is the
    # better witness for above and below, left and right.
    witness = zero if _stands(zero) else moving
    return _length_fault(moving) or _side_fault(witness) or _front_fault(zero, moving)


def _order_fault(bvh: Bvh, nodes: Mapping[str, int]) -> str | None:
    if len(set(nodes.values())) != len(nodes):
        twice = [r for r, n in nodes.items() if list(nodes.values()).count(n) > 1]
        return f"{' and '.join(twice)} are one joint"
    chains = [
        [base, *(f"{side}_{part}" for part in chain)]
        for side in ("left", "right")
        for base, chain in (("hips", _LEG), ("chest", ("shoulder", *_ARM)))
    ]
    for chain in chains:
        present = [role for role in chain if role in nodes]
        for upper, lower in zip(present, present[1:], strict=False):
            if nodes[upper] not in _ancestors(bvh, nodes[lower]):
                names = (bvh.names[nodes[lower]], bvh.names[nodes[upper]])
                return f'{lower} "{names[0]}" is not below {upper} "{names[1]}"'
    return None


def _ancestors(bvh: Bvh, node: int) -> list[int]:
    """The nodes above `node`, nearest first."""
    above: list[int] = []
    while (node := bvh.parents[node]) >= 0:
        above.append(node)
    return above


def _length_fault(roles: Mapping[str, FloatArray]) -> str | None:
    leg = leg_length(roles)
    if not leg > 0:
        return "the legs have no length"
    for start, end in _LEG_BONES + _ARM_BONES:
        left, right = (
            bone_length(roles, f"{side}_{start}", f"{side}_{end}")
            for side in ("left", "right")
        )
        if abs(left - right) > _SYMMETRY * max(left, right):
            return (
                f"{start} is {left:.4g} long on the left and {right:.4g} on the right"
            )
        if not 0.15 < left / leg < 0.85:
            return f"{start} is {left / leg:.2f} times as long as the whole leg"
    for what, start, end, low, high in _PROPORTIONS:
        ratio = bone_length(roles, start, end) / leg
        if not low <= ratio <= high:
            return (
                f"{what} is {ratio:.2f} times the length of a leg; "
                f"{low:g} to {high:g} is expected"
            )
    return None


def _stands(roles: Mapping[str, FloatArray]) -> bool:
    trunk = unit(roles["mid_shoulder"] - roles["mid_hip"])
    legs = unit(roles["mid_hip"] - roles["mid_foot"])
    return bool(np.median(np.sum(trunk * legs, axis=-1)) > 0.6)


def _side_fault(roles: Mapping[str, FloatArray]) -> str | None:
    trunk = unit(roles["mid_shoulder"] - roles["mid_hip"])
    legs = unit(roles["mid_hip"] - roles["mid_foot"])
    # The straightest moments count: who bends over has the feet beside the shoulders.
    if np.percentile(np.sum(trunk * legs, axis=-1), 90) < 0:
        return "the feet are on the side of the shoulders, not below the hips"
    left = unit(roles["left_upper_leg"] - roles["right_upper_leg"])
    across = unit(roles["left_upper_arm"] - roles["right_upper_arm"])
    if np.percentile(np.sum(left * across, axis=-1), 90) < 0:
        return "the left arm is on the side of the right leg"
    return None


def _front_fault(*witnesses: Mapping[str, FloatArray]) -> str | None:
    """Whether feet and knees contradict left and right; the first clear pose decides."""
    for roles in witnesses:
        left = roles["left_upper_leg"] - roles["right_upper_leg"]
        facing = unit(np.cross(left, roles["mid_shoulder"] - roles["mid_hip"]))
        evidence = front_evidence(roles) / leg_length(roles)
        front = np.median(np.sum(evidence * facing, axis=-1))
        if not _stands(roles) or abs(front) < _CLEAR_FRONT:
            continue
        if front > 0:
            return None
        return (
            "feet and knees point backwards, so left and right are swapped or the file "
            "is mirrored"
        )
    return None


def front_evidence(roles: Mapping[str, FloatArray]) -> FloatArray:
    """A vector that points to the front in each frame: feet, and knees when bent."""
    total = np.zeros_like(roles["mid_hip"])
    for side in ("left", "right"):
        hip, knee, foot = (
            roles[f"{side}_{part}"] for part in ("upper_leg", "lower_leg", "foot")
        )
        along = unit(foot - hip)
        bend = knee - hip
        total += bend - np.sum(bend * along, axis=-1, keepdims=True) * along
        if f"{side}_toe" in roles:
            total += roles[f"{side}_toe"] - foot
    return total


def unit(vector: FloatArray) -> FloatArray:
    """The direction of a vector; zero stays zero."""
    norm = np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.asarray(vector / np.maximum(norm, 1e-12))


def find_by_shape(bvh: Bvh) -> dict[str, int] | None:
    """Roles by topology and bone lengths alone, or None if there is no such body.

    The hips are where two equal limbs and a trunk leave; the chest is where two equal
    limbs leave the trunk. A limb's two longest successive bones are thigh and shin, or
    upper arm and forearm.
    """
    poses = sample_poses(bvh)
    pos = poses.pos
    lengths = np.zeros(len(bvh.names))
    for node, parent in enumerate(bvh.parents):
        if parent >= 0:
            offset = pos[:, node] - pos[:, parent]
            lengths[node] = np.median(np.linalg.norm(offset, axis=-1))
    twins = _twin_limbs(bvh, lengths)
    best: tuple[float, _Twins, _Twins] | None = None
    for legs in twins:
        for arms in twins:
            size = sum(_reach(lengths, limb) for limb in (*legs.limbs, *arms.limbs))
            if _is_body(bvh, lengths, legs, arms) and (best is None or size > best[0]):
                best = size, legs, arms
    if best is None:
        return None
    _, legs, arms = best
    roles = {"hips": legs.base, "chest": arms.base}
    for limbs, parts in ((legs, _LEG), (arms, _ARM)):
        pair = [_bones(lengths, limb) for limb in limbs.limbs]
        first = _longest_pair(lengths, pair)
        if limbs is arms and first == 0 and len(pair[0]) > 2:
            first = int(_is_collar_bone(bvh, poses, arms.base, pair))
        for side, bones in zip("ab", pair, strict=True):
            roles |= _limb_roles(bvh, bones[first:], side, parts)
    return _name_sides(pos, roles)


_Limb = tuple[int, ...]


class _Twins(NamedTuple):
    """Two limbs of equal length that leave one node."""

    base: int
    limbs: tuple[_Limb, _Limb]


def _twin_limbs(bvh: Bvh, lengths: FloatArray) -> list[_Twins]:
    """Pairs of limbs that could be legs or arms, the longest first."""
    paths = _main_paths(bvh, lengths)
    twins: list[_Twins] = []
    for node in range(len(bvh.names)):
        limbs = [paths[child] for child in bvh.children(node)]
        for i, a in enumerate(limbs):
            for b in limbs[i + 1 :]:
                one, other = _reach(lengths, a), _reach(lengths, b)
                alike = abs(one - other) < _SYMMETRY * max(one, other)
                if len(a) == len(b) and len(_bones(lengths, a)) >= 2 and alike:
                    twins.append(_Twins(node, (a, b)))
    twins.sort(key=lambda pair: -_reach(lengths, pair.limbs[0]))
    return twins[:_MAX_TWINS]


def _is_body(bvh: Bvh, lengths: FloatArray, legs: _Twins, arms: _Twins) -> bool:
    """Whether the arms leave a trunk that leaves the base of the legs."""
    in_legs = {node for limb in legs.limbs for node in limb}
    in_arms = {node for limb in arms.limbs for node in limb}
    longer = _reach(lengths, legs.limbs[0]) > 0.8 * _reach(lengths, arms.limbs[0])
    on_trunk = legs.base in _ancestors(bvh, arms.base) and arms.base not in in_legs
    return longer and on_trunk and not in_legs & in_arms


def _reach(lengths: FloatArray, limb: _Limb) -> float:
    """Length of a limb, without the bone that fixes it to the trunk."""
    return float(lengths[list(limb[1:])].sum())


def _bones(lengths: FloatArray, limb: _Limb) -> list[int]:
    """Lower ends of the bones of a limb that have a length."""
    return [node for node in limb[1:] if lengths[node] > 0]


def _main_paths(bvh: Bvh, lengths: FloatArray) -> list[_Limb]:
    """The longest way down from each node to a tip."""
    paths: list[_Limb] = [(node,) for node in range(len(bvh.names))]
    longest = np.zeros(len(bvh.names))
    for node in range(len(bvh.names) - 1, 0, -1):
        parent = bvh.parents[node]
        reach = longest[node] + lengths[node]
        if len(paths[parent]) == 1 or reach > longest[parent]:
            paths[parent] = (parent, *paths[node])
            longest[parent] = reach
    return paths


def _longest_pair(lengths: FloatArray, limbs: list[list[int]]) -> int:
    """Where the two longest successive bones begin, by the mean of both limbs."""
    count = min(len(bones) for bones in limbs)
    total = np.sum([lengths[bones[:count]] for bones in limbs], axis=0)
    return int(np.argmax(total[:-1] + total[1:]))


def _is_collar_bone(
    bvh: Bvh, poses: BvhPoses, chest: int, limbs: list[list[int]]
) -> bool:
    """Whether the first bone of both arms is a collar bone.

    It can be as long as an upper arm, but as seen from the chest it hardly moves while
    the next bone swings about.
    """
    swing = np.zeros(2)
    for bones in limbs:
        for i in (0, 1):
            bone = unit(poses.pos[:, bones[i]] - poses.pos[:, bvh.parents[bones[i]]])
            seen = quat_rotate_inverse(poses.quat[:, chest], bone)
            swing[i] += 1 - np.linalg.norm(seen.mean(axis=0))
    return bool(swing[1] > 0.01 and swing[0] < 0.4 * swing[1])


def _limb_roles(
    bvh: Bvh, bones: list[int], side: str, parts: tuple[str, ...]
) -> dict[str, int]:
    """Roles of a limb whose first bone ends at `bones[0]`."""
    nodes = [bvh.parents[bones[0]], bvh.parents[bones[1]], *bones[1:]]
    return {f"{side}_{part}": n for part, n in zip(parts, nodes, strict=False)}


def _name_sides(pos: FloatArray, roles: dict[str, int]) -> dict[str, int]:
    """Sides "a" and "b" turned into left and right, legs and arms each for itself."""
    named = {_SIDE.sub(lambda m: _NAMES[m[0]], role): n for role, n in roles.items()}
    body = role_positions(pos, named)
    up = body["mid_shoulder"] - body["mid_hip"]
    left = np.cross(up, front_evidence(body))
    for parts in (_LEG, _ARM):
        across = body[f"left_{parts[0]}"] - body[f"right_{parts[0]}"]
        if np.median(np.sum(across * left, axis=-1)) < 0:
            for part in parts:
                a, b = f"left_{part}", f"right_{part}"
                if a in named and b in named:
                    named[a], named[b] = named[b], named[a]
    return named
