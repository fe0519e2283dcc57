"""Networks and optimisers of torch as arrays to save, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.core.errors import CheckpointError
from texedo.learning.state import Arrays

_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps of each parameter."""


def array_of(tensor: Tensor) -> NDArray[Any]:
    """On the CPU, in numpy."""
    return np.asarray(tensor.detach().cpu().numpy())


def pack_module(prefix: str, module: nn.Module) -> Arrays:
    """Weights and buffers as `PREFIX.NAME`."""
    return {
        f"{prefix}.{name}": array_of(tensor)
        for name, tensor in module.state_dict().items()
    }


def restore_module(
    prefix: str, module: nn.Module, tensors: Mapping[str, Any], *, folder: Path
) -> None:
    """Undo `pack_module` in place; raises `CheckpointError` if it is another network."""
    found = {
        name.removeprefix(f"{prefix}."): torch.as_tensor(tensor)
        for name, tensor in tensors.items()
        if name.startswith(f"{prefix}.")
    }
    load_weights(module, found, folder=folder)


def load_weights(
    module: nn.Module, weights: Mapping[str, Tensor], *, folder: Path
) -> None:
    """Put weights of `folder` in; raises `CheckpointError` if they do not fit."""
    try:
        module.load_state_dict(weights)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].strip()
        raise another_network(folder, reason) from None


def another_network(folder: Path, reason: str) -> CheckpointError:
    """The error for weights that do not fit."""
    return CheckpointError(
        f"{folder}: another network was saved there: {reason}; give the same sizes, or "
        "another folder."
    )


def pack_optimizer(
    optimizer: torch.optim.Optimizer, parameters: Mapping[str, nn.Parameter]
) -> Arrays:
    """What the optimiser keeps of each named parameter, as `optimizer.KEY.NAME`."""
    return {
        f"optimizer.{key}.{name}": array_of(tensor)
        for name, parameter in parameters.items()
        for key, tensor in optimizer.state.get(parameter, {}).items()
    }


def restore_optimizer(
    optimizer: torch.optim.Optimizer,
    parameters: Mapping[str, nn.Parameter],
    tensors: Mapping[str, Any],
) -> None:
    """Undo `pack_optimizer` in place; a parameter that was not learnt has no state."""
    for index, (name, parameter) in enumerate(parameters.items()):
        # States of before are by the number of the parameter, not by its name.
        names = {
            key: f"optimizer.{key}.{name}"
            if f"optimizer.step.{name}" in tensors
            else f"optimizer.{index}.{key}"
            for key in _MOMENTS
        }
        if names["step"] not in tensors:
            continue
        state = {
            key: torch.as_tensor(tensors[stored]).to(parameter.device)
            for key, stored in names.items()
        }
        # Files know no numbers without a dimension.
        state["step"] = state["step"].reshape(())
        optimizer.state[parameter] = state


def pack_learnt(
    parameters: Mapping[str, nn.Parameter],
    mean: Sequence[Tensor],
    optimizer: torch.optim.Optimizer,
) -> Arrays:
    """Named parameters as `model.NAME`, their running mean as `mean.NAME`, and what the
    optimiser keeps of them."""
    tensors: Arrays = {}
    for (name, parameter), own in zip(parameters.items(), mean, strict=True):
        tensors[f"model.{name}"] = array_of(parameter)
        tensors[f"mean.{name}"] = array_of(own)
    return tensors | pack_optimizer(optimizer, parameters)


def restore_learnt(
    parameters: Mapping[str, nn.Parameter],
    mean: Sequence[Tensor],
    optimizer: torch.optim.Optimizer,
    tensors: Mapping[str, Any],
    *,
    folder: Path,
) -> None:
    """Undo `pack_learnt` in place; `CheckpointError` if it is another network."""
    try:
        with torch.no_grad():
            for (name, parameter), own in zip(parameters.items(), mean, strict=True):
                parameter.copy_(torch.as_tensor(tensors[f"model.{name}"]))
                own.copy_(torch.as_tensor(tensors[f"mean.{name}"]))
    except (KeyError, RuntimeError) as error:
        raise another_network(folder, str(error)) from None
    restore_optimizer(optimizer, parameters, tensors)
