"""The tokenizer of the TEXEDO release, with the interface of ours.

    tokenizer = load_official_tokenizer("checkpoint_epoch_95.pt")
    codes = tokenizer.encode([motion])[0]      # int64 (floor(T / 4),)
    qpos = tokenizer.decode([codes])[0]        # float32 (4 L, 36)

The network is `tokenizer_net.OFFICIAL`; what it reads is not what ours reads. A frame is
the root's step since the frame before (the first frame: its place), the quaternion wxyz
as it is, and the joints in Isaac Lab's order. So place and heading count, and what does
not fill four frames at the end has no code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.checkpoints.torch_files import TorchFile, read_torch_file
from texedo.core.errors import CheckpointError, MotionError
from texedo.motion import Motion
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO, MUJOCO_FROM_ISAACLAB
from texedo.text.tokenizer.fsq import LEVELS
from texedo.text.tokenizer.net import OFFICIAL, NetSpec, TokenizerNet

NUM_FEATURES = 36
IN_TOKENIZER, IN_GENERATOR = "model_state_dict", "state_dict"
"""Sections of the two released files."""
_PREFIXES = {IN_TOKENIZER: "", IN_GENERATOR: "vae.fsqvae."}
_PARALLEL = "module."
"""Training on several devices puts this before every name."""
_FIRST = "encoder.model.0.weight"
_BATCH_FRAMES = 1 << 17
"""Frames of a batch on a GPU."""

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


class OfficialTokenizer:
    """The released network with the released features on both sides of it."""

    def __init__(self, net: TokenizerNet) -> None:
        self.net = net.eval().requires_grad_(False)

    @property
    def num_codes(self) -> int:
        return self.net.quantizer.num_codes

    @property
    def downsampling(self) -> int:
        """Frames per code."""
        return self.net.spec.downsampling

    @property
    def device(self) -> torch.device:
        return self.net.feature_mean.device

    def encode(self, motions: Sequence[Motion]) -> list[Int64]:
        """Codes (floor(T / 4),) of each motion."""
        return self.encode_qpos([motion.to_qpos() for motion in motions])

    def encode_qpos(self, clips: Sequence[NDArray[Any]]) -> list[Int64]:
        """Codes of poses (T, 36) in MuJoCo's order; raises `MotionError` if T < 4."""
        for qpos in clips:
            if len(qpos) < self.downsampling:
                raise MotionError(
                    f"The tokenizer makes a code of {self.downsampling} frames, and the "
                    f"motion has {len(qpos)}."
                )
        return self._run([official_features(qpos) for qpos in clips], self.net.encode)

    def decode(self, codes: Sequence[NDArray[Any]]) -> list[Float32]:
        """Poses (4 L, 36) of each row of codes, in MuJoCo's order.

        They are what the network says: a joint may lie beyond its limit.
        """
        rows = [self._checked(row) for row in codes]
        return [qpos_from_official(found) for found in self._run(rows, self.net.decode)]

    def _run(
        self, rows: Sequence[NDArray[Any]], net: Callable[[Tensor], Tensor]
    ) -> list[Any]:
        """`net` over all rows; alone on the CPU, with those of its length on a GPU."""
        outcome: list[Any] = [None] * len(rows)
        with torch.inference_mode():
            for batch in _batches(rows, alone=self.device.type == "cpu"):
                stacked = torch.as_tensor(np.stack([rows[i] for i in batch]))
                found = net(stacked.to(self.device)).cpu().numpy()
                for i, row in zip(batch, found, strict=True):
                    outcome[i] = row
        return outcome

    def _checked(self, codes: NDArray[Any]) -> Int64:
        row = np.asarray(codes)
        if row.ndim != 1 or not len(row) or not np.issubdtype(row.dtype, np.integer):
            raise ValueError(
                f"A motion is a row of one or more whole numbers, got {row.dtype} "
                f"{row.shape}."
            )
        if row.min() < 0 or row.max() >= self.num_codes:
            raise ValueError(
                f"Codes lie in 0..{self.num_codes - 1}, got {row.min()}..{row.max()}."
            )
        return row.astype(np.int64)


def official_features(qpos: NDArray[Any]) -> Float32:
    """Poses (T, 36) as the released network reads them, (T, 36)."""
    place = np.asarray(qpos[:, :3], dtype=np.float64)
    steps = np.diff(place, axis=0, prepend=np.zeros((1, 3)))
    joints = qpos[:, 7:][:, ISAACLAB_FROM_MUJOCO]
    return np.concatenate((steps, qpos[:, 3:7], joints), axis=1).astype(np.float32)


def qpos_from_official(features: NDArray[Any]) -> Float32:
    """Poses (T, 36) of what the released network says, (T, 36)."""
    features = np.asarray(features, dtype=np.float64)
    quat = features[:, 3:7]
    length = np.linalg.norm(quat, axis=1, keepdims=True)
    upright = np.where(quat[:, :1] < 0, -1.0, 1.0)
    # A network may say zero, which is no direction at all.
    quat = np.where(length > 1e-8, quat / np.maximum(length, 1e-8), [1.0, 0, 0, 0])
    joints = features[:, 7:][:, MUJOCO_FROM_ISAACLAB]
    place = np.cumsum(features[:, :3], axis=0)
    return np.concatenate((place, quat * upright, joints), axis=1).astype(np.float32)


def load_official_tokenizer(
    path: Path | str, *, device: str | torch.device = "cpu"
) -> OfficialTokenizer:
    """From the released tokenizer file, or from the generator's, which holds it too."""
    return tokenizer_from_file(read_torch_file(path), device=device)


def tokenizer_from_file(
    file: TorchFile, *, device: str | torch.device = "cpu"
) -> OfficialTokenizer:
    """The tokenizer in an open file."""
    mine = _own_tensors(file)
    try:
        net = TokenizerNet(_spec(mine))
        net.load_state_dict(mine)
    except (KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{file.path}: is no TEXEDO tokenizer ({reason}); take tokenizer/ or "
            "generator/ of the release."
        ) from None
    return OfficialTokenizer(net.to(device))


def _own_tensors(file: TorchFile) -> dict[str, Tensor]:
    """The tensors of the network, float32, under the names it gives them."""
    section = next((name for name in _PREFIXES if file.has(name)), "")
    found: dict[str, Tensor] = {}
    for parallel in ("", _PARALLEL):
        found = file.tensors(section, prefix=parallel + _PREFIXES.get(section, ""))
        if _FIRST in found:
            break
    # The grid of codes follows from the levels; some versions store it all the same.
    return {
        name: tensor.float()
        for name, tensor in found.items()
        if not name.startswith("quantizer.") or ".project_" in name
    }


def _spec(tensors: Mapping[str, Tensor]) -> NetSpec:
    """The released network, as wide as the weights are."""
    width, features, _ = tensors[_FIRST].shape
    if features != NUM_FEATURES:
        raise KeyError(f"frames of {features} numbers, expected {NUM_FEATURES}")
    levels = len(tensors["quantizer.project_in.weight"])
    if levels != len(LEVELS):
        raise KeyError(f"codes of {levels} levels, expected {len(LEVELS)}")
    return NetSpec(**{**vars(OFFICIAL), "width": width})


def _batches(rows: Sequence[NDArray[Any]], *, alone: bool) -> Iterator[list[int]]:
    """Rows of one length together; on a CPU none, so that none changes another."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        by_length[len(row)].append(i)
    for length, members in by_length.items():
        size = 1 if alone else max(1, _BATCH_FRAMES // length)
        for start in range(0, len(members), size):
            yield members[start : start + size]
