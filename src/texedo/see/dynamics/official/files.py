"""Where the files of the released dynamic verifier are, and who loads them.

`checkpoint_last.pt` and `norm_stats.npz`, both in `verifiers/dynamic` of the release or
right in one folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from texedo.checkpoints.registry import (
    RELEASED,
    holds_part,
    released_file,
    released_name,
)
from texedo.checkpoints.torch_files import require_torch
from texedo.see.dynamics.protocol import DynamicsVerifier

ORDERS = ("mujoco", "isaac")
"""What a frame of its training was: joints in MuJoCo's order after a quaternion xyzw, or
in Isaac Lab's after one wxyz."""
_WEIGHTS, _SCALES = "dynamic-verifier", "dynamic-scales"


class DynamicsFiles(NamedTuple):
    """All that the verifier is made of."""

    weights: Path
    scales: Path


def released_dynamics(which: str) -> DynamicsVerifier | None:
    """The released verifier that a name or path means; None if it means another."""
    named = released_name(which, ORDERS)
    if named is None:
        return None
    path, order, official = named
    if not official and path is not None and path.is_dir():
        if not holds_part(_WEIGHTS, (), path):
            return None
    files = dynamics_files(path)
    require_torch("A dynamic verifier")
    # Here and not above: it loads torch.
    from texedo.see.dynamics.official.verifier import load_official_dynamics

    return load_official_dynamics(files, order=order)


def dynamics_files(path: Path | None = None) -> DynamicsFiles:
    """The files in a folder, or beside the weights; raises `CheckpointError`."""
    if path is None or path.is_dir():
        return DynamicsFiles(
            released_file(_WEIGHTS, path), released_file(_SCALES, path)
        )
    beside = path.parent / RELEASED[_SCALES].place.name
    scales = beside if beside.is_file() else released_file(_SCALES, path.parent)
    return DynamicsFiles(path, scales)
