"""Motions as words: a code for every four frames, and back.

    tokenizer = load_tokenizer("folder")
    codes = tokenizer.encode([motion])[0]      # int64 (ceil(T / 4),)
    qpos = tokenizer.decode([codes])[0]        # float32 (4 L, 36)

On the CPU every motion is worked on by itself, so a result never depends on what else is
in the list. On a GPU motions share batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.checkpoints.sizes import check_shapes, read_settings
from texedo.core.errors import CheckpointError
from texedo.core.threads import torch_workers
from texedo.learning.features import (
    features_from_qpos,
    qpos_from_features,
    with_settled_heading,
)
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_LOWER, JOINT_NAMES, JOINT_UPPER, ROBOT_NAME
from texedo.text.tokenizer.checked_codes import closed_loop_codes
from texedo.text.tokenizer.ends import without_padding_trace
from texedo.text.tokenizer.net import NetSpec, TokenizerNet

ARTIFACT_KIND = "tokenizer"
FORMAT_VERSION = 1
"""Meaning of features and codes; another version cannot be read."""
_BATCH_FRAMES = 1 << 17
"""Frames of a batch on a GPU, padding included."""

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


class MotionTokenizer:
    """A trained network with the features on both sides of it."""

    def __init__(
        self, net: TokenizerNet, *, metadata: Mapping[str, Any] | None = None
    ) -> None:
        self.net = net.eval().requires_grad_(False)
        self.metadata = dict(metadata or {})
        """Plain values about the training run."""

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

    def encode(self, motions: Sequence[Motion], *, rounds: int = 0) -> list[Int64]:
        """Codes (ceil(T / 4),) of each motion, whatever its start and heading."""
        return self.encode_qpos([motion.to_qpos() for motion in motions], rounds=rounds)

    def encode_qpos(
        self, clips: Sequence[NDArray[Any]], *, rounds: int = 0
    ) -> list[Int64]:
        """Codes of poses (T, 36); the last pose is repeated up to a whole code.

        Each of `rounds` decodes the codes and looks for others that keep the heading
        and the way better (`checked_codes`).
        """
        padded = [_whole(qpos, self.downsampling) for qpos in clips]
        rows = [features_from_qpos(qpos) for qpos in padded]
        if rounds:
            return closed_loop_codes(rows, self._encode, self._decode, rounds)
        return self._encode(rows)

    def decode(self, codes: Sequence[NDArray[Any]]) -> list[Float32]:
        """Poses (4 L, 36) of each row of codes, from the origin and facing +x.

        The ends are free of what the decoder's padding does to them (`ends`), and
        joints are kept within their limits.
        """
        decoded = self._decode([self._checked(row) for row in codes])
        return [_pose(without_padding_trace(features)) for features in decoded]

    def _encode(self, rows: Sequence[Float32]) -> list[Int64]:
        """Codes of features (T, 37), T a whole number of codes."""
        return self._run(rows, self.net.encode, frames_per_row=1)

    def _decode(self, rows: Sequence[Int64]) -> list[Float32]:
        """Features (4 L, 37) of codes (L,)."""
        return self._run(rows, self.net.decode, frames_per_row=self.downsampling)

    def _run(self, rows: Sequence[Any], net: Any, *, frames_per_row: int) -> list[Any]:
        """`net` over all rows; on the CPU each by itself, on a thread of its own."""
        outcome: list[Any] = [None] * len(rows)
        on_cpu = self.device.type == "cpu"
        limit = 0 if on_cpu else _BATCH_FRAMES // frames_per_row
        batches = list(_batches([len(row) for row in rows], limit))

        def run(batch: Sequence[int]) -> list[NDArray[Any]]:
            with torch.inference_mode():
                return self._batch([rows[i] for i in batch], net)

        # One row is too little work to share, many rows are not.
        with torch_workers() if on_cpu else nullcontext() as pool:
            found = map(run, batches) if pool is None else pool.map(run, batches)
            for batch, out in zip(batches, found, strict=True):
                for i, row in zip(batch, out, strict=True):
                    outcome[i] = row
        return outcome

    def _batch(self, rows: Sequence[NDArray[Any]], net: Any) -> list[NDArray[Any]]:
        """`net` over rows of several lengths, padded and masked."""
        lengths = [len(row) for row in rows]
        longest = max(lengths)
        stacked = np.stack([_padded(row, longest) for row in rows])
        mask = None
        if min(lengths) < longest:
            ends = torch.tensor(lengths)[:, None, None]
            inside = torch.arange(longest)[None, :, None] < ends
            mask = inside.float().to(self.device)
        out: Tensor = net(torch.as_tensor(stacked).to(self.device), mask)
        ratio = out.shape[1] / longest
        decoded = zip(out.cpu().numpy(), lengths, strict=True)
        return [row[: round(length * ratio)] for row, length in decoded]

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


def save_tokenizer(
    folder: Path | str,
    tokenizer: MotionTokenizer,
    *,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write `config.json` and `weights.safetensors` (float16); returns the folder."""
    net = tokenizer.net
    tensors = {
        name: _storable(name, tensor) for name, tensor in net.state_dict().items()
    }
    config = {
        "format_version": FORMAT_VERSION,
        "robot": ROBOT_NAME,
        "joint_names": list(JOINT_NAMES),
        "spec": asdict(net.spec),
        "metadata": {**tokenizer.metadata, **(metadata or {})},
    }
    return write_artifact(folder, kind=ARTIFACT_KIND, config=config, tensors=tensors)


def load_tokenizer(
    folder: Path | str, *, device: str | torch.device = "cpu"
) -> MotionTokenizer:
    """Read a tokenizer; raises `CheckpointError` if it is damaged or of another kind."""
    config, tensors = read_artifact(folder, kind=ARTIFACT_KIND)
    version = config.get("format_version")
    if version != FORMAT_VERSION:
        raise CheckpointError(
            f"{folder}: tokenizer format {version!r:.40} is not {FORMAT_VERSION}; install "
            "the texedo version that wrote it."
        )
    if config.get("joint_names") != list(JOINT_NAMES):
        raise CheckpointError(f"{folder}: the tokenizer was made for other joints.")
    spec = read_settings(NetSpec, config.get("spec"), folder)
    check_shapes(lambda: TokenizerNet(spec), tensors, folder)
    try:
        net = TokenizerNet(spec)
        net.load_state_dict({k: torch.as_tensor(v) for k, v in tensors.items()})
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{folder}: weights and config do not fit each other: {reason}; copy the "
            "folder again."
        ) from None
    return MotionTokenizer(net.to(device), metadata=config.get("metadata"))


def _whole(qpos: NDArray[Any], multiple: int) -> NDArray[Any]:
    """`qpos` (T, 36) with its last pose repeated up to a multiple of frames."""
    missing = -len(qpos) % multiple
    return np.concatenate((qpos, np.repeat(qpos[-1:], missing, axis=0)))


def _padded(row: NDArray[Any], length: int) -> NDArray[Any]:
    return np.pad(row, [(0, length - len(row))] + [(0, 0)] * (row.ndim - 1))


def _batches(lengths: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Rows of like length together, as many as fit `limit` with their padding."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) > limit:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _pose(features: Float32) -> Float32:
    qpos = qpos_from_features(with_settled_heading(features))
    lower, upper = JOINT_LOWER.astype(np.float32), JOINT_UPPER.astype(np.float32)
    qpos[:, 7:] = qpos[:, 7:].clip(lower, upper)
    return qpos


def _storable(name: str, tensor: Tensor) -> NDArray[Any]:
    array = tensor.detach().cpu().numpy()
    return array if name.startswith("feature_") else array.astype(np.float16)
