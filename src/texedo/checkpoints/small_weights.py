"""Weights small enough to ship: float16, or int8 with one scale per row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from texedo.core.errors import CheckpointError
from texedo.core.visible import visible

Arrays = dict[str, NDArray[Any]]


@contextmanager
def no_weights() -> Iterator[None]:
    """Modules that are made meanwhile have shapes and no numbers (device "meta"), for
    `fill` to put them in: random ones would cost more than the file."""
    with torch.device("meta"), _NoDraws():
        yield


class _NoDraws(TorchFunctionMode):
    """Leaves out what modules fill their weights with.

    To say what a normal distribution does to a tensor without numbers, torch would load
    its compiler, which takes two seconds.
    """

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        given = kwargs or {}
        if getattr(func, "__module__", None) == nn.init.__name__:
            return args[0] if args else given["tensor"]
        return func(*args, **given)


def pack_tensors(module: nn.Module, quantized: Callable[[str, Tensor], bool]) -> Arrays:
    """Parameters as float16, or as int8 where `quantized(name, tensor)` says so."""
    packed: Arrays = {}
    for name, tensor in module.state_dict().items():
        values = tensor.detach().float().cpu()
        if quantized(name, values):
            packed[f"{name}.int8"], packed[f"{name}.scale"] = quantize_rows(values)
        else:
            packed[name] = values.numpy().astype(np.float16)
    return packed


def quantize_rows(values: Tensor) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows (R, ...) as int8 and a scale per row; the largest number becomes 127."""
    scale = values.abs().flatten(1).amax(1).clamp(min=1e-12) / 127.0
    rounded = (values / _per_row(scale, values)).round()
    return rounded.to(torch.int8).numpy(), scale.numpy()


def fill(module: nn.Module, arrays: Arrays, folder: Path) -> None:
    """Put packed tensors back into a module, as float32; it may be on "meta"."""
    tensors = {}
    try:
        for name, array in arrays.items():
            if name.endswith(".scale"):
                continue
            values = torch.from_numpy(array).float()
            if name.endswith(".int8"):
                name = name.removesuffix(".int8")
                scale = torch.from_numpy(arrays[f"{name}.scale"])
                values = values * _per_row(scale, values)
            tensors[name] = values
        module.load_state_dict(tensors, assign=True)
    except (RuntimeError, LookupError, TypeError) as error:
        reason = visible(str(error).splitlines()[-1].strip())[:200]
        raise CheckpointError(f"{folder}: weights do not fit: {reason}") from None


def _per_row(scale: Tensor, values: Tensor) -> Tensor:
    return scale.reshape(-1, *[1] * (values.ndim - 1))
