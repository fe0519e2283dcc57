"""A training run on disk: everything it needs to go on, in pieces of bounded size.

Tensors go into `state-I.safetensors` files of at most `MAX_PIECE` bytes, plain values
into the metadata of each. All pieces carry the iteration, so that pieces of two saves
are never mixed unnoticed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from texedo.errors import CheckpointError
from texedo.tracker.ppo import Learner
from texedo.tracker.sampling import StartSampler

MAX_PIECE = 15 << 20
"""Bytes per file: many a way to carry files away has a limit of 16 MiB."""
_PATTERN = "state-*.safetensors"


def save_state(
    folder: Path,
    learner: Learner,
    sampler: StartSampler,
    *,
    values: Mapping[str, Any],
) -> None:
    """Write all pieces, then put them in place; `values` must hold `iteration`."""
    from safetensors.torch import save_file

    tensors = dict(_collect(learner, sampler))
    pieces = list(_pieces(tensors))
    metadata = {
        "values": json.dumps({**values, "learning_rate": learner.learning_rate}),
        "pieces": str(len(pieces)),
        "iteration": str(values["iteration"]),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"state-{i}.safetensors" for i in range(len(pieces))]
    for path, piece in zip(paths, pieces, strict=True):
        save_file(piece, f"{path}.tmp", metadata=metadata)
    for path in paths:
        os.replace(f"{path}.tmp", path)
    for stale in set(folder.glob(_PATTERN)) - set(paths):
        stale.unlink()


def load_state(folder: Path, learner: Learner, sampler: StartSampler) -> dict[str, Any]:
    """Restore a run in place and return its values; raises `CheckpointError`."""
    tensors, metadata = _read(folder)
    device = learner.log_std.device
    model = {
        name.removeprefix("model."): tensor
        for name, tensor in tensors.items()
        if name.startswith("model.")
    }
    # A run from before there was a running mean begins one.
    mean = {f"mean_{k}": v for k, v in model.items() if k.startswith("actor.")}
    try:
        learner.load_state_dict(mean | model)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{folder}: another network was saved: {reason}"
        ) from None
    values: dict[str, Any] = json.loads(metadata["values"])
    learner.learning_rate = float(values["learning_rate"])
    optimizer = learner.make_optimizer()
    for index, parameter in enumerate(learner.parameters()):
        if f"optimizer.{index}.exp_avg" in tensors:
            optimizer.state[parameter] = {
                key: tensors[f"optimizer.{index}.{key}"].to(
                    "cpu" if key == "step" and not parameter.is_cuda else device
                )
                for key in ("step", "exp_avg", "exp_avg_sq")
            }
    sampler.load_state_dict(
        {key: tensors[f"sampler.{key}"].to(device) for key in ("failures", "visits")}
    )
    return values


def _collect(learner: Learner, sampler: StartSampler) -> Iterator[tuple[str, Tensor]]:
    for name, tensor in learner.state_dict().items():
        yield f"model.{name}", tensor.detach().cpu().contiguous()
    for name, tensor in sampler.state_dict().items():
        yield f"sampler.{name}", tensor.cpu().contiguous()
    if learner.optimizer is None:
        return
    for index, parameter in enumerate(learner.parameters()):
        for key, tensor in learner.optimizer.state.get(parameter, {}).items():
            yield f"optimizer.{index}.{key}", tensor.detach().cpu().contiguous()


def _pieces(tensors: Mapping[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    piece: dict[str, Tensor] = {}
    size = 0
    for name, tensor in tensors.items():
        nbytes = tensor.numel() * tensor.element_size()
        if piece and size + nbytes > MAX_PIECE:
            yield piece
            piece, size = {}, 0
        piece[name] = tensor
        size += nbytes
    yield piece


def _read(folder: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    from safetensors import SafetensorError, safe_open

    paths = sorted(folder.glob(_PATTERN))
    if not paths:
        raise CheckpointError(f"{folder}: no {_PATTERN} to resume from.")
    tensors: dict[str, Tensor] = {}
    seen: list[dict[str, str]] = []
    for path in paths:
        try:
            with safe_open(path, framework="pt") as file:
                seen.append(dict(file.metadata() or {}))
                tensors |= {name: file.get_tensor(name) for name in file.keys()}
        except (OSError, SafetensorError) as error:
            raise CheckpointError(f"{path}: damaged: {error}") from error
    if len(paths) != int(seen[0].get("pieces", 0)) or any(m != seen[0] for m in seen):
        raise CheckpointError(f"{folder}: pieces of different saves; copy them again.")
    return tensors, seen[0]
