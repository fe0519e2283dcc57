"""The released dynamic verifier at work.

The network is that of `paper.net`, under the same names. What differs is what it sees:

    0:2     step of the pelvis in the world [m/frame]; zero in frame 0
    2       height of the pelvis [m]
    3:7     quaternion of the pelvis in the world
    7:36    joints [rad]
    36:65   their differences per frame; zero in frame 0
    65:94   differences of those; zero in frames 0 and 1

So the heading counts. Only the first 1024 frames are read.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.checkpoints.registry import OFFICIAL
from texedo.checkpoints.tensor_table import layer, table_tensors
from texedo.checkpoints.torch_files import read_torch_file
from texedo.core.errors import CheckpointError
from texedo.motion import NUM_JOINTS
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO, ISAACLAB_JOINT_NAMES, JOINT_NAMES
from texedo.see.dynamics.features import PAPER_SIZE, ROOT_SIZE, difference
from texedo.see.dynamics.official.files import ORDERS, DynamicsFiles
from texedo.see.dynamics.paper.model import PaperModel
from texedo.see.dynamics.paper.net import PaperCfg, PaperNet
from texedo.see.dynamics.verifier import Seal, TrainedVerifier

MUJOCO, ISAAC = ORDERS
FRAMES = 1024
"""What comes after them is not read."""
TRACKER = "SONIC"
"""Whose performances it learnt from; the release gives no digest of it."""
SIZES = PaperCfg(frames=FRAMES)
_WXYZ, _XYZW = [3, 4, 5, 6], [4, 5, 6, 3]
_JOINTS = slice(ROOT_SIZE, ROOT_SIZE + NUM_JOINTS)
_CLEAR = 0.1
"""Bend of the knees [rad] by which one order must beat the other."""
_EXPECTED = "verifiers/dynamic/checkpoint_last.pt of the release"
_RECIPE = 1
"""Raise it when the same files begin to give other scores."""


def _shapes() -> dict[str, tuple[int, ...]]:
    width, group = SIZES.width, SIZES.group_width
    found = layer("input_proj.root_proj", group, ROOT_SIZE)
    for name in ("joint_pos_proj", "joint_vel_proj", "joint_acc_proj"):
        found |= layer(f"input_proj.{name}", group, NUM_JOINTS)
    found |= layer("input_proj.fusion.0", width, 4 * group)
    found |= layer("input_proj.fusion.2", width)
    for i in range(SIZES.layers):
        own = f"encoder.encoder.layers.{i}"
        found[f"{own}.self_attn.in_proj_weight"] = (3 * width, width)
        found[f"{own}.self_attn.in_proj_bias"] = (3 * width,)
        found |= layer(f"{own}.self_attn.out_proj", width, width)
        found |= layer(f"{own}.linear1", 4 * width, width)
        found |= layer(f"{own}.linear2", width, 4 * width)
        found |= layer(f"{own}.norm1", width) | layer(f"{own}.norm2", width)
    found |= layer("pooling.attn_score", 1, width)
    found |= layer("pooling.proj.0", width, 2 * width) | layer("pooling.proj.2", width)
    for head in ("success_head", "dynamics_head", "progress_head"):
        found |= layer(f"{head}.0", SIZES.head_width, width)
        found |= layer(f"{head}.2", 1, SIZES.head_width)
    return found


SHAPES: Mapping[str, tuple[int, ...]] = _shapes()
"""Of every tensor of the model in the file."""


@dataclass(frozen=True, eq=False)
class OfficialModel:
    """The released network and the order of what it reads."""

    net: PaperNet
    order: str

    @property
    def frames(self) -> int:
        return FRAMES

    def whole(self, qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor:
        """Forecasts of motions (B, T, 36), (B, 11); NaN for what it does not know."""
        heads = self.net(released_features(qpos, self.order), lengths)
        return PaperModel(self.net).rows(torch.stack(heads, dim=-1))

    def long(self, qpos: Tensor) -> Tensor:
        """The forecast of the first 1024 frames, as in the release, (1, 11)."""
        start = qpos[None, :FRAMES]
        lengths = torch.tensor([FRAMES], device=qpos.device)
        return self.whole(start, lengths, torch.ones_like(lengths, dtype=torch.bool))


def released_features(qpos: Tensor, order: str) -> Tensor:
    """Of poses (B, T, 36) in MuJoCo's order and wxyz, (B, T, 94)."""
    isaac = order == ISAAC
    joints = qpos[..., 7:]
    joints = joints[..., ISAACLAB_FROM_MUJOCO] if isaac else joints
    velocity = difference(joints)
    second = difference(velocity)
    # Frame 0 has no difference, so there is none to it in frame 1.
    second = torch.cat((torch.zeros_like(second[:, :2]), second[:, 2:]), dim=1)
    steps, height = difference(qpos[..., :2]), qpos[..., 2:3]
    quat = qpos[..., _WXYZ if isaac else _XYZW]
    return torch.cat((steps, height, quat, joints, velocity, second), dim=-1)


def load_official_dynamics(
    files: DynamicsFiles, *, order: str | None = None, device: str = "cpu"
) -> TrainedVerifier:
    """From the files of the release; raises `CheckpointError`.

    `order` is one of `ORDERS`; None: what the scales tell.
    """
    scales = _read_scales(files.scales)
    order = order or told_order(scales["mean"], files.scales)
    if order not in ORDERS:
        raise ValueError(f"An order is one of {', '.join(ORDERS)}, got {order!r}.")
    file = read_torch_file(files.weights)
    state = table_tensors(file, "model", SHAPES, expected=_EXPECTED)
    state["feature_mean"] = torch.from_numpy(scales["mean"])
    state["feature_std"] = torch.from_numpy(scales["std"])
    net = PaperNet(SIZES)
    net.load_state_dict(state, assign=True)
    seal = Seal(
        name=f"{OFFICIAL}@{order}",
        digest=_digest(state, order),
        tracker=TRACKER,
        metadata={"joint_order": order},
    )
    return TrainedVerifier(OfficialModel(net.to(device), order), seal)


def told_order(mean: NDArray[Any], path: Path) -> str:
    """The order in which the knees of the mean pose are bent the most.

    A knee bends one way only, and the corpus stands and walks on bent knees; what lies
    in its place in the other order is a hip's roll or an ankle.
    """
    joints = mean[_JOINTS]
    names = {MUJOCO: JOINT_NAMES, ISAAC: ISAACLAB_JOINT_NAMES}
    bend = {
        order: min(float(joints[i]) for i, name in enumerate(row) if "knee" in name)
        for order, row in names.items()
    }
    if abs(bend[MUJOCO] - bend[ISAAC]) < _CLEAR:
        raise CheckpointError(
            f"{path}: does not tell the order of the joints (mean bend of the knees "
            f"{bend[MUJOCO]:.2f} rad in MuJoCo's, {bend[ISAAC]:.2f} in Isaac Lab's); say "
            f"it: add @{MUJOCO} or @{ISAAC} to the name."
        )
    return max(bend, key=lambda order: bend[order])


def _read_scales(path: Path) -> dict[str, NDArray[np.float32]]:
    """Mean and std (94,) of the features."""
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {
                name: np.asarray(file[name], np.float32) for name in ("mean", "std")
            }
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(
            f"{path}: cannot be read ({error}); take norm_stats.npz of the release."
        ) from error
    for name, values in found.items():
        if values.shape != (PAPER_SIZE,) or not np.isfinite(values).all():
            raise CheckpointError(
                f"{path}: {name} must be {PAPER_SIZE} finite numbers, got the shape "
                f"{values.shape}; take norm_stats.npz of the release."
            )
    if found["std"].min() <= 0:
        raise CheckpointError(f"{path}: std must be positive; download it again.")
    return found


def _digest(state: Mapping[str, Tensor], order: str) -> str:
    found = hashlib.sha256(repr((_RECIPE, OFFICIAL, order)).encode())
    for name, tensor in sorted(state.items()):
        found.update(name.encode())
        found.update(np.ascontiguousarray(tensor.numpy()).tobytes())
    return found.hexdigest()
