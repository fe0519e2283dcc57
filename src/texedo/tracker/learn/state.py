"""The state of a tracker's training run (`learning.run`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from texedo.core.errors import CheckpointError
from texedo.learning.run import load_run, save_run
from texedo.tracker.learn.ppo import Learner
from texedo.tracker.learn.start_sampling import StartSampler


def save_state(
    folder: Path,
    learner: Learner,
    sampler: StartSampler,
    *,
    values: Mapping[str, Any],
) -> None:
    """Everything that a run needs to go on."""
    tensors = {
        name: np.asarray(tensor.detach().cpu().numpy())
        for name, tensor in _collect(learner, sampler)
    }
    save_run(folder, tensors, {**values, "learning_rate": learner.learning_rate})


def load_state(folder: Path, learner: Learner, sampler: StartSampler) -> dict[str, Any]:
    """Restore a run in place and return its values; raises `CheckpointError`."""
    arrays, values = load_run(folder)
    tensors = {name: torch.as_tensor(array) for name, array in arrays.items()}
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
        yield f"model.{name}", tensor
    for name, tensor in sampler.state_dict().items():
        yield f"sampler.{name}", tensor
    if learner.optimizer is None:
        return
    for index, parameter in enumerate(learner.parameters()):
        for key, tensor in learner.optimizer.state.get(parameter, {}).items():
            yield f"optimizer.{index}.{key}", tensor
