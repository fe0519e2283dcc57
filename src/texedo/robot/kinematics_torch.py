"""Where the tracked bodies are, in torch: differentiable, and quick on a GPU.

The twin of `texedo.robot.kinematics` for learning. All hinges turn in one go, then the
tree is walked level by level (ten levels, not twenty-nine links), because a GPU spends
its time on starting kernels and not on the sums in them.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.motion.rotations import quat_normalize, quat_to_matrix
from texedo.robot.g1 import BODY_INDEX, BODY_NAMES, TRACKED_BODY_INDICES
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS


class BodyPositions:
    """Positions of the 14 tracked bodies relative to the pelvis."""

    def __init__(self, device: str | torch.device = "cpu") -> None:
        def tensor(values: NDArray[np.float64]) -> Tensor:
            return torch.as_tensor(values, dtype=torch.float32, device=device)

        still, sine, cosine = _hinges()
        self._still, self._sine, self._cosine = map(tensor, (still, sine, cosine))
        self._offset = tensor(np.array([row.pos for row in BODY_ROWS]))
        self._levels = [
            (
                torch.as_tensor(bodies, device=device),
                torch.as_tensor(parents, device=device),
                torch.as_tensor([_JOINT_OF[b] for b in bodies], device=device),
            )
            for bodies, parents in _levels()
        ]
        order = [0] + [body for bodies, _ in _levels() for body in bodies]
        picked = [order.index(body) for body in TRACKED_BODY_INDICES.tolist()]
        self._picked = torch.as_tensor(picked, device=device)

    def __call__(self, root: Tensor, joint_pos: Tensor) -> Tensor:
        """(..., 14, 3) [m] for root orientations (..., 3, 3) and joints (..., 29)."""
        angle = joint_pos[..., None, None]
        turn = self._still + angle.sin() * self._sine + angle.cos() * self._cosine
        pos = [torch.zeros_like(root[..., None, :, 0])]
        parent_pos, parent_rot = pos[0], root[..., None, :, :]
        for bodies, parents, joints in self._levels:
            above = parent_rot.index_select(-3, parents)
            arm = (above * self._offset[bodies][:, None, :]).sum(-1)
            parent_pos = parent_pos.index_select(-2, parents) + arm
            parent_rot = _product(above, turn.index_select(-3, joints))
            pos.append(parent_pos)
        return torch.cat(pos, dim=-2).index_select(-2, self._picked)


def _product(a: Tensor, b: Tensor) -> Tensor:
    """Matrix products (..., 3, 3), written as sums: kernels for tiny matrices are slow."""
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


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
    """A, B, C (29, 3, 3): the turn of a joint by q is A + B sin q + C cos q."""
    rows = {row.name: row for row in BODY_ROWS}
    parts = []
    for joint in JOINT_ROWS:
        rest = quat_to_matrix(quat_normalize(np.array(rows[joint.body].quat)))
        axis = np.eye(3)["xyz".index(joint.axis)]
        cross = np.cross(np.eye(3), axis).T
        along = np.outer(axis, axis)
        parts.append((rest @ along, rest @ -cross, rest @ (np.eye(3) - along)))
    still, sine, cosine = (np.stack(part) for part in zip(*parts, strict=True))
    return still, sine, cosine
