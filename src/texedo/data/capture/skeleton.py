"""Which joint of a BVH file plays which part of the body.

`match_skeleton` tries, in this order: the mapping it is given, the rigs known by name
(CMU, LAFAN1, Mixamo), names in general, and the shape of the tree. Whatever found the
joints, the result must look like a body: the arms join above the legs, left and right
are of one length, and the feet point to the front that left and right imply. A skeleton
that fails is refused with its hierarchy, never passed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from texedo.core.errors import FileFormatError, RetargetError
from texedo.core.regular import read_json
from texedo.core.visible import visible
from texedo.data.capture.bvh import Bvh
from texedo.data.capture.skeleton_names import (
    LIMB_WORDS,
    MIDDLE_WORDS,
    common_prefix,
    find_profile,
    split_name,
)
from texedo.data.capture.skeleton_shape import find_by_shape, find_fault

SIDES = ("left", "right")
_LIMBS = ("upper_leg", "lower_leg", "foot", "upper_arm", "lower_arm", "hand")

REQUIRED_ROLES: tuple[str, ...] = (
    "hips",
    "chest",
    *(f"{side}_{part}" for side in SIDES for part in _LIMBS),
)
OPTIONAL_ROLES: tuple[str, ...] = (
    "neck",
    "head",
    *(f"{side}_{part}" for side in SIDES for part in ("toe", "shoulder")),
)
ROLES = REQUIRED_ROLES + OPTIONAL_ROLES

_MAPPING_BYTES = 1 << 20
MAPPING_HELP = (
    "Write a mapping file, JSON such as "
    '{"hips": "Pelvis", "left_upper_leg": "LThigh", ...}, and pass it as mapping'
)


@dataclass(frozen=True, kw_only=True)
class SkeletonMap:
    """Nodes of a BVH file by role. A role is where a part begins: the node of
    "left_lower_leg" is the knee, that of "left_hand" the wrist."""

    profile: str
    """How it was found: "cmu", "lafan1", "mixamo", ..., "names", "shape", "mapping"."""
    nodes: Mapping[str, int]
    """Node index of every required role and of the optional ones that exist."""

    def __getitem__(self, role: str) -> int:
        return self.nodes[role]

    def __contains__(self, role: object) -> bool:
        return role in self.nodes


def match_skeleton(
    bvh: Bvh, *, mapping: Mapping[str, str] | Path | str | None = None
) -> SkeletonMap:
    """Find the joints of the body in `bvh`, or say which are missing.

    `mapping` gives joint names by role, or is the path of a JSON file that does; the
    roles it leaves out are matched by name.
    """
    if mapping is not None:
        nodes = _match_names(bvh) | _from_mapping(bvh, mapping)
        return _finish(bvh, nodes, "mapping")
    profile = find_profile(bvh.names)
    if profile is not None:
        index = {name: i for i, name in reversed(list(enumerate(bvh.names)))}
        nodes = {role: index[name] for role, name in profile[1].items()}
        return _finish(bvh, nodes, profile[0])
    by_name = _complete(bvh, _match_names(bvh))
    if not _missing(by_name) and find_fault(bvh, by_name) is None:
        return SkeletonMap(profile="names", nodes=by_name)
    by_shape = _complete(bvh, find_by_shape(bvh) or {})
    if not _missing(by_shape) and _sides_agree(bvh, by_shape):
        if find_fault(bvh, by_shape) is None:
            return SkeletonMap(profile="shape", nodes=by_shape)
    return _finish(bvh, by_name, "names")


def _sides_agree(bvh: Bvh, nodes: Mapping[str, int]) -> bool:
    """Whether no joint found by shape says in its name that it is the other side's."""
    for role, node in nodes.items():
        side = split_name(bvh.names[node])[0]
        if side != "middle" and not role.startswith(side):
            return False
    return True


def _finish(bvh: Bvh, nodes: dict[str, int], profile: str) -> SkeletonMap:
    nodes = _complete(bvh, nodes)
    if missing := _missing(nodes):
        found = ", ".join(f"{r}={bvh.names[n]}" for r, n in nodes.items()) or "nothing"
        raise RetargetError(
            f"{bvh.name}: no joint fits {', '.join(missing)} (found: {found}). "
            f"{MAPPING_HELP}. The joints are:\n{bvh.hierarchy()}"
        )
    if fault := find_fault(bvh, nodes):
        raise RetargetError(
            f"{bvh.name}: the joints found do not make a body: {fault}. "
            f"{MAPPING_HELP}. The joints are:\n{bvh.hierarchy()}"
        )
    return SkeletonMap(profile=profile, nodes=nodes)


def _missing(nodes: Mapping[str, int]) -> list[str]:
    return [role for role in REQUIRED_ROLES if role not in nodes]


def _from_mapping(bvh: Bvh, mapping: Mapping[str, str] | Path | str) -> dict[str, int]:
    if isinstance(mapping, (str, Path)):
        mapping = load_mapping(Path(mapping))
    nodes: dict[str, int] = {}
    for role, name in mapping.items():
        if role not in ROLES:
            raise RetargetError(
                f'The mapping names a role "{visible(role[:80])}"; the roles are {", ".join(ROLES)}.'
            )
        if name not in bvh.names:
            raise RetargetError(
                f'{bvh.name} has no joint "{visible(name[:80])}", which the mapping gives for {role}. '
                f"The joints are:\n{bvh.hierarchy()}"
            )
        nodes[role] = bvh.names.index(name)
    return nodes


def load_mapping(path: Path) -> dict[str, str]:
    """Read a mapping file: a JSON object of role -> joint name."""
    try:
        content = read_json(path, limit=_MAPPING_BYTES)
    except OSError as error:
        raise FileFormatError(
            f"{path} cannot be read: {error.strerror}. {MAPPING_HELP}."
        ) from error
    except ValueError as error:
        raise FileFormatError(f"{path} is not JSON: {error}.") from error
    if not isinstance(content, dict) or not all(
        isinstance(name, str) for name in content.values()
    ):
        raise FileFormatError(
            f"{path} must be a JSON object of role to joint name. {MAPPING_HELP}."
        )
    return content


def _match_names(bvh: Bvh) -> dict[str, int]:
    """Roles whose joint is plain from its name; an ambiguous one is left out."""
    named: dict[tuple[str, str], int] = {}
    prefix = common_prefix(
        [n for n, end in zip(bvh.names, bvh.is_end, strict=True) if not end]
    )
    for node, name in enumerate(bvh.names):
        if not bvh.is_end[node]:
            # The first of two equal names is nearer the root; the other is a helper.
            named.setdefault(split_name(name.removeprefix(prefix)), node)
    nodes: dict[str, int] = {}
    for role, words in MIDDLE_WORDS.items():
        _take(nodes, role, [named.get(("middle", word)) for word in words])
    for side in SIDES:
        for part, words in LIMB_WORDS.items():
            _take(nodes, f"{side}_{part}", [named.get((side, word)) for word in words])
        for first, second in (("shoulder", "upper_arm"), ("toe", "foot")):
            # One word, two meanings: without another joint it is the required part.
            if nodes.get(f"{side}_{first}") == nodes.get(f"{side}_{second}"):
                nodes.pop(f"{side}_{first}", None)
    return nodes


def _take(nodes: dict[str, int], role: str, found: list[int | None]) -> None:
    for node in found:
        if node is not None:
            nodes[role] = node
            return


def _complete(bvh: Bvh, nodes: dict[str, int]) -> dict[str, int]:
    """Add what the tree implies: hips, chest, and tips of feet and arms."""
    nodes = dict(nodes)
    legs = [nodes.get(f"{side}_upper_leg") for side in SIDES]
    arms = [nodes.get(f"{side}_upper_arm") for side in SIDES]
    if "hips" not in nodes and legs[0] is not None and legs[1] is not None:
        # Not by name: of "Root", "Hips" and "Pelvis", this one carries the legs.
        _take(nodes, "hips", [_common_ancestor(bvh, legs[0], legs[1])])
    if "chest" not in nodes and arms[0] is not None and arms[1] is not None:
        joined = _common_ancestor(bvh, arms[0], arms[1])
        # Some rigs hang the collar bones on the neck, which turns with the head.
        while joined is not None and joined in (nodes.get("neck"), nodes.get("head")):
            joined = bvh.parents[joined]
        if joined is not None and joined >= 0:
            nodes["chest"] = joined
    for side in SIDES:
        for part, tip in (("foot", "toe"), ("lower_arm", "hand")):
            base = nodes.get(f"{side}_{part}")
            if f"{side}_{tip}" not in nodes and base is not None:
                _take(nodes, f"{side}_{tip}", [_only_tip(bvh, base)])
        if _coincide(bvh, nodes.get(f"{side}_foot"), nodes.get(f"{side}_toe")):
            # A toe that lies in the ankle shows no direction.
            del nodes[f"{side}_toe"]
    return {role: nodes[role] for role in ROLES if role in nodes}


def _only_tip(bvh: Bvh, node: int) -> int | None:
    """The child that continues a limb, if there is just one and it has a length."""
    children = bvh.children(node)
    if len(children) == 1 and (bvh.offsets[children[0]] != 0).any():
        return children[0]
    return None


def _coincide(bvh: Bvh, upper: int | None, lower: int | None) -> bool:
    """Whether nothing but bones without length lies between two nodes."""
    if upper is None or lower is None:
        return False
    while lower not in (upper, -1):
        if (bvh.offsets[lower] != 0).any():
            return False
        lower = bvh.parents[lower]
    return True


def _common_ancestor(bvh: Bvh, a: int, b: int) -> int | None:
    """The lowest node above both."""
    above: set[int] = set()
    while (a := bvh.parents[a]) >= 0:
        above.add(a)
    while (b := bvh.parents[b]) >= 0:
        if b in above:
            return b
    return None
