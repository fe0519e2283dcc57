"""Where the bodies are, in torch: differentiable, and quick on a GPU.

The twin of `texedo.robot.kinematics` for learning. All hinges turn in one go, then the
tree is walked level by level (ten levels, not twenty-nine links), because a GPU spends
its time on starting kernels and not on the sums in them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from texedo.motion.rotations import quat_normalize, quat_to_matrix
from texedo.robot.g1 import BODY_INDEX, BODY_NAMES, TRACKED_BODY_INDICES
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS


class BodyTree:
    """The 30 bodies of the robot as a tree of hinges."""

    def __init__(
        self,
        device: str | torch.device = "cpu",
        *,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        def tensor(values: NDArray[np.float64]) -> Tensor:
            return torch.as_tensor(values, dtype=dtype, device=device)

        levels = _levels()
        order = [0] + [body for bodies, _ in levels for body in bodies]
        joints = [_JOINT_OF[body] for body in order[1:]]
        # A trailing axis for the frames: whatever is the same for all of them is spread.
        self._still, self._sine, self._cosine = (
            tensor(part[joints])[..., None] for part in _hinges()
        )
        self._joints = torch.as_tensor(joints, device=device)
        self._parents = [torch.as_tensor(above, device=device) for _, above in levels]
        places = [order.index(body) for body in range(len(BODY_NAMES))]
        self._all = torch.as_tensor(places, device=device)
        self._tracked = self._all[torch.as_tensor(TRACKED_BODY_INDICES, device=device)]

    def tracked_positions(self, root: Tensor, joint_pos: Tensor) -> Tensor:
        """Tracked bodies relative to the pelvis, (..., 14, 3) [m].

        For root orientations (..., 3, 3) and joint angles (..., 29) [rad].
        """
        places = torch.cat([level[:, :, 3] for level in self._walk(root, joint_pos)])
        found = places.index_select(0, self._tracked).permute(2, 0, 1)
        return found.reshape(*joint_pos.shape[:-1], *found.shape[1:])

    def bodies(self, root: Tensor, joint_pos: Tensor) -> tuple[Tensor, Tensor]:
        """All bodies in the order of `BODY_NAMES`: orientations (..., 30, 3, 3), and
        positions relative to the pelvis (..., 30, 3) [m]."""
        found = torch.cat(list(self._walk(root, joint_pos)))
        found = found.index_select(0, self._all).permute(3, 0, 1, 2)
        found = found.reshape(*joint_pos.shape[:-1], *found.shape[1:])
        return found[..., :3], found[..., 3]

    def _walk(self, root: Tensor, joint_pos: Tensor) -> Iterator[Tensor]:
        """Orientations and places of the bodies of each level, (L, 3, 4, N).

        The frames come last: each number of a matrix is a row of them in memory, which
        a CPU walks ten times as fast as it does matrices one by one.
        """
        turns = joint_pos.reshape(-1, joint_pos.shape[-1]).T
        angle = turns.index_select(0, self._joints)[:, None, None]
        link = torch.addcmul(self._still, angle.sin(), self._sine)
        link = torch.addcmul(link, angle.cos(), self._cosine)
        level = F.pad(root.reshape(-1, 3, 3), (0, 1)).permute(1, 2, 0)[None]
        yield level
        start = 0
        for parents in self._parents:
            own = link[start : start + len(parents)]
            start += len(parents)
            above = level.index_select(0, parents)
            level = _product(above, own)
            level[:, :, 3].add_(above[:, :, 3])
            yield level


def _product(a: Tensor, b: Tensor) -> Tensor:
    """Products of the first three columns of (L, 3, 4, N) and of (L, 3, 4, N), written as
    sums: kernels for tiny matrices are slow."""
    out = a[:, :, 0, None] * b[:, None, 0]
    out = torch.addcmul(out, a[:, :, 1, None], b[:, None, 1])
    return torch.addcmul(out, a[:, :, 2, None], b[:, None, 2])


_JOINT_OF = {BODY_INDEX[row.body]: i for i, row in enumerate(JOINT_ROWS)}


def _levels() -> list[tuple[list[int], list[int]]]:
    """Bodies by depth, each with its parent's place in the level above."""
    levels: list[tuple[list[int], list[int]]] = []
    above = [0]
    while True:
        pairs = [
            (BODY_INDEX[row.name], above.index(BODY_INDEX[row.parent]))
            for row in BODY_ROWS[1:]
            if BODY_INDEX[row.parent] in above
        ]
        if not pairs:
            break
        above = [body for body, _ in pairs]
        levels.append((above, [parent for _, parent in pairs]))
    if 1 + sum(len(bodies) for bodies, _ in levels) != len(BODY_NAMES):
        raise AssertionError("every body hangs on the pelvis")
    return levels


def _hinges() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A, B, C (29, 3, 4): a link turned by q lies at A + B sin q + C cos q.

    The first three columns are its orientation in its parent, the last its place.
    """
    rows = {row.name: row for row in BODY_ROWS}
    parts = []
    for joint in JOINT_ROWS:
        body = rows[joint.body]
        rest = quat_to_matrix(quat_normalize(np.array(body.quat)))
        axis = np.eye(3)["xyz".index(joint.axis)]
        cross = np.cross(np.eye(3), axis).T
        along = np.outer(axis, axis)
        place, none = np.array(body.pos)[:, None], np.zeros((3, 1))
        parts.append(
            (
                np.hstack((rest @ along, place)),
                np.hstack((rest @ -cross, none)),
                np.hstack((rest @ (np.eye(3) - along), none)),
            )
        )
    still, sine, cosine = (np.stack(part) for part in zip(*parts, strict=True))
    return still, sine, cosine
