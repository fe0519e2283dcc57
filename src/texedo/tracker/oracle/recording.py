"""What robots did, frame by frame, kept on their device until all are done.

Each roll-out has its own rows in one table. A world that performs nothing, or something
that nobody wants to see, writes to a last row that is never read: every world writes at
every step, so nothing waits for the device.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

_QPOS = 36


class Recording:
    """States of some of M roll-outs; `roll_out` fills it."""

    def __init__(self, wanted: NDArray[np.bool_]) -> None:
        """`wanted` (M,): which of them are kept."""
        self._wanted = wanted
        self._lengths = np.zeros(len(wanted), dtype=np.int64)
        self._starts = torch.zeros(0)
        self._rows = torch.zeros(0)

    def begin(self, lengths: Tensor) -> None:
        """Make room for roll-outs of `lengths` (M,) frames at most."""
        device = lengths.device
        wanted = torch.from_numpy(self._wanted).to(device)
        room = torch.where(wanted, lengths, 0)
        ends = torch.cumsum(room, 0)
        total = int(ends[-1]) if len(ends) else 0
        self._starts = torch.where(wanted, ends - room, -1)
        self._rows = torch.zeros(total + 1, _QPOS, device=device)
        self._lengths = room.cpu().numpy()

    def note(self, tasks: Tensor, frames: Tensor, going: Tensor, qpos: Tensor) -> None:
        """Where each world is now: its roll-out (N,), -1 for none, and its frame (N,)."""
        start = self._starts[tasks.clamp(min=0)]
        seen = going & (tasks >= 0) & (start >= 0)
        row = torch.where(seen, start + frames, len(self._rows) - 1)
        self._rows[row] = qpos

    def states(
        self, success: NDArray[np.bool_], executed: NDArray[np.int64]
    ) -> list[NDArray[np.float32] | None]:
        """Poses (T', 36) of each, the frame that failed last; None: not wanted.

        Ends before a frame at which the simulation blew up.
        """
        rows = self._rows.cpu().numpy()
        starts = np.cumsum(self._lengths) - self._lengths
        found: list[NDArray[np.float32] | None] = []
        for i, wanted in enumerate(self._wanted.tolist()):
            if not wanted:
                found.append(None)
                continue
            most = int(self._lengths[i])
            count = most if success[i] else min(int(executed[i]) + 1, most)
            qpos = rows[starts[i] : starts[i] + count]
            broken = np.flatnonzero(~np.isfinite(qpos).all(axis=1))
            found.append(qpos[: broken[0]] if len(broken) else qpos)
        return found
