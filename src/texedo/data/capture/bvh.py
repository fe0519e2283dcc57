"""BVH files of any skeleton: hierarchy, channels, frames, forward kinematics.

Nothing is interpreted here: lengths stay in the file's unit, axes are the file's own,
angles are degrees until the kinematics. Traps of the format that are settled here:

- Rotation channels apply in the order they are written, each about the axis carried
  along by the ones before it ("Zrotation Yrotation Xrotation" is Rz Ry Rx).
- The position channels of the root hold its position and replace OFFSET (some
  exporters write the first frame's position there too, which must not count twice).
  On other joints they may be a full replacement or a displacement; the values tell.
- End sites are nodes without channels, so that fingertips and toe tips have positions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError
from texedo.core.regular import read_regular
from texedo.core.visible import visible
from texedo.data.capture.bvh_text import (
    Hierarchy,
    count_words,
    read_motion_header,
    read_rows,
)
from texedo.motion.rotations import quat_multiply, quat_normalize, quat_rotate

FloatArray = NDArray[Any]

MAX_BYTES = 1 << 30
_TEXT_BYTES, _WORD_BYTES, _NODE_BYTES = 5, 16, 200
"""Memory for a byte of text, for a number in it, and for a node in one frame."""


class BvhPoses(NamedTuple):
    """World poses of all nodes, in the file's unit and axes."""

    pos: FloatArray
    """Positions, (T, J, 3)."""
    quat: FloatArray
    """Rotations, (T, J, 4), wxyz, unit; an end site has its parent's."""


@dataclass(frozen=True, kw_only=True)
class Bvh:
    """A BVH file as written; nodes are joints and end sites, parents first."""

    name: str
    names: tuple[str, ...]
    """Node names; an end site is called "<parent> End"."""
    parents: tuple[int, ...]
    """Index of each node's parent, -1 for the root."""
    offsets: FloatArray
    """OFFSET of each node, (J, 3)."""
    channels: tuple[tuple[str, ...], ...]
    """Channel names of each node in file order; empty for an end site."""
    is_end: tuple[bool, ...]
    frame_time: float
    """Seconds from one frame to the next."""
    motion: FloatArray
    """Channel values, (T, C): file units and degrees."""
    size: int = 0
    """Bytes of the file, or of its text."""

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def fps(self) -> float:
        """Frames per second; a time such as 0.0333333 means the whole rate it rounds."""
        rate = 1.0 / self.frame_time
        whole = round(rate)
        exponent = Decimal(repr(self.frame_time)).as_tuple().exponent
        digit = 10.0 ** (exponent if isinstance(exponent, int) else 0)
        # 0.0333667 is 29.97 and not a rounded 1/30: its digits are believed.
        rounded = whole > 0 and abs(1 / whole - self.frame_time) < digit
        return float(whole) if rounded and abs(rate / whole - 1) < 2e-3 else rate

    def children(self, node: int) -> tuple[int, ...]:
        """Indices of the nodes directly below `node`."""
        return tuple(i for i, parent in enumerate(self.parents) if parent == node)

    def hierarchy(self, *, max_nodes: int = 200) -> str:
        """The joint names as an indented tree, end sites left out."""
        depth: list[int] = []
        for parent in self.parents:
            depth.append(0 if parent < 0 else depth[parent] + 1)
        lines = [
            "  " * depth[i] + name
            for i, name in enumerate(self.names)
            if not self.is_end[i]
        ]
        if len(lines) > max_nodes:
            lines[max_nodes:] = [f"... and {len(lines) - max_nodes} more"]
        return "\n".join(lines)

    def rest_pose(self) -> FloatArray:
        """Node positions with all channels zero, (J, 3): the offsets summed up."""
        pos = np.zeros_like(self.offsets)
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                pos[i] = pos[parent] + self.offsets[i]
        return pos

    def forward_kinematics(self, frames: slice = slice(None)) -> BvhPoses:
        """World poses of all nodes in the chosen frames."""
        motion = self.motion[frames]
        budget = Budget(self.name, size=self.size)
        budget.take(len(motion) * len(self.names) * _NODE_BYTES, "its poses")
        local_pos, local_quat = _local_poses(self, motion)
        pos, quat = np.empty_like(local_pos), np.empty_like(local_quat)
        for nodes in _levels(self.parents):
            parents = [self.parents[i] for i in nodes]
            if parents[0] < 0:
                pos[:, nodes], quat[:, nodes] = (
                    local_pos[:, nodes],
                    local_quat[:, nodes],
                )
                continue
            turn = quat[:, parents]
            pos[:, nodes] = pos[:, parents] + quat_rotate(turn, local_pos[:, nodes])
            quat[:, nodes] = quat_multiply(turn, local_quat[:, nodes])
        return BvhPoses(pos, quat_normalize(quat))


def read_bvh(source: str | bytes | Path, *, name: str | None = None) -> Bvh:
    """Read a BVH file, or its text (any string with a line break, or bytes)."""
    if isinstance(source, str) and "\n" not in source and "\r" not in source:
        source = Path(source) if source.strip() else ""
    if isinstance(source, Path):
        name = name or source.name
        data = _read_bytes(source)
    else:
        name = name or "BVH text"
        data = source.encode() if isinstance(source, str) else source
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.decode("utf-16", errors="replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return _parse(data.replace(b"\r", b"\n"), visible(name))


def _read_bytes(path: Path) -> bytes:
    if path.is_dir():
        raise FileFormatError(f"{path} is a folder; give one .bvh file.")
    try:
        return read_regular(path, limit=MAX_BYTES)
    except OSError as error:
        raise FileFormatError(
            f"{path} cannot be read: {error.strerror}; give one .bvh file."
        ) from error


def _parse(data: bytes, name: str) -> Bvh:
    if not data.strip():
        raise FileFormatError(f"{name} is empty; export the motion again.")
    if not data.lstrip()[:9].upper().startswith(b"HIERARCHY"):
        raise FileFormatError(
            f"{name} is not a BVH file: it does not begin with HIERARCHY. "
            "Export the motion as BVH."
        )
    match = re.search(rb"^[ \t]*MOTION[ \t]*$", data, re.IGNORECASE | re.MULTILINE)
    if match is None:
        raise FileFormatError(
            f"{name} has no MOTION section: the file is truncated or holds a skeleton "
            "without frames. Export it again with its animation."
        )
    header = Hierarchy(name)
    header.read(data[: match.start()].decode("utf-8", errors="replace"))
    line = data.count(b"\n", 0, match.end()) + 1
    body = data[match.end() :]
    frames, frame_time, start = read_motion_header(body, name, line)
    num_channels = sum(map(len, header.channels))
    if num_channels == 0:
        raise FileFormatError(
            f"{name}: no joint has channels, so nothing can move. Export it again."
        )
    line += body.count(b"\n", 0, start)
    budget = Budget(name, size=len(data))
    budget.take(_TEXT_BYTES * len(data) + _WORD_BYTES * count_words(body), "its rows")
    motion = read_rows(body[start:], (frames, num_channels), name=name, line=line)
    return Bvh(
        name=name,
        names=tuple(header.names),
        parents=tuple(header.parents),
        offsets=np.array(header.offsets, dtype=np.float64),
        channels=tuple(header.channels),
        is_end=tuple(header.is_end),
        frame_time=frame_time,
        motion=motion,
        size=len(data),
    )


def _levels(parents: tuple[int, ...]) -> list[list[int]]:
    """Nodes grouped by depth, so that one array operation serves a whole level."""
    depth: list[int] = []
    levels: list[list[int]] = []
    for node, parent in enumerate(parents):
        depth.append(0 if parent < 0 else depth[parent] + 1)
        if depth[node] == len(levels):
            levels.append([])
        levels[depth[node]].append(node)
    return levels


def _local_poses(bvh: Bvh, motion: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Position (T, J, 3) and rotation (T, J, 4) of each node in its parent's frame."""
    shape = (len(motion), len(bvh.names))
    pos = np.broadcast_to(bvh.offsets, (*shape, 3)).copy()
    quat = np.zeros((*shape, 4))
    quat[..., 0] = 1.0
    half = np.radians(motion) / 2
    cosine, sine = np.cos(half), np.sin(half)
    column = 0
    for node, channels in enumerate(bvh.channels):
        displaced = _is_displacement(bvh, node, column)
        for channel in channels:
            axis = "XYZ".index(channel[0])
            if channel.endswith("rotation"):
                turn = (cosine[:, column], sine[:, column])
                quat[:, node] = _turn_about(quat[:, node], axis, *turn)
            elif displaced:
                pos[:, node, axis] += motion[:, column]
            else:
                pos[:, node, axis] = motion[:, column]
            column += 1
    return pos, quat


def _turn_about(
    quat: FloatArray, axis: int, cosine: FloatArray, sine: FloatArray
) -> FloatArray:
    """`quat` followed by a turn about its own `axis`, given the half angle."""
    i, j, k = 1 + axis, 1 + (axis + 1) % 3, 1 + (axis + 2) % 3
    out = np.empty_like(quat)
    out[:, 0] = quat[:, 0] * cosine - quat[:, i] * sine
    out[:, i] = quat[:, i] * cosine + quat[:, 0] * sine
    out[:, j] = quat[:, j] * cosine + quat[:, k] * sine
    out[:, k] = quat[:, k] * cosine - quat[:, j] * sine
    return out


def _is_displacement(bvh: Bvh, node: int, column: int) -> bool:
    """Whether a joint's position channels add to its OFFSET instead of replacing it.

    Exporters differ. The typical value lies near the offset in one case and near zero
    in the other. A root's value is its position in any case.
    """
    if bvh.parents[node] < 0:
        return False
    places = [
        (i, "XYZ".index(channel[0]))
        for i, channel in enumerate(bvh.channels[node])
        if channel.endswith("position")
    ]
    if not places:
        return False
    typical = np.median(bvh.motion[:, [column + i for i, _ in places]], axis=0)
    offset = bvh.offsets[node, [axis for _, axis in places]]
    return bool(np.linalg.norm(typical) < np.linalg.norm(typical - offset))
