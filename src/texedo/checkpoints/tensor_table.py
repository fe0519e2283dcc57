"""Tensors of a file, each of which must have the name and the shape that a table says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from texedo.checkpoints.torch_files import TorchFile
from texedo.core.errors import CheckpointError

if TYPE_CHECKING:
    from torch import Tensor

Shapes = Mapping[str, tuple[int, ...]]


def layer(name: str, *weight: int) -> dict[str, tuple[int, ...]]:
    """A linear or convolutional layer, or a norm: its weight, and a bias per output."""
    return {f"{name}.weight": weight, f"{name}.bias": weight[:1]}


def table_tensors(
    file: TorchFile, section: str, shapes: Shapes, *, expected: str
) -> dict[str, Tensor]:
    """The tensors of a section as float32; raises `CheckpointError`.

    `expected` says what file this should be, and ends the message.
    """
    found = file.tensors(section)

    def refuse(name: str, reason: str) -> CheckpointError:
        return CheckpointError(
            f"{file.path}: {section}.{name} {reason}; it is not {expected}."
        )

    for name, shape in shapes.items():
        if name not in found:
            raise refuse(name, f"is missing, a tensor of shape {shape}")
        if tuple(found[name].shape) != shape:
            own = tuple(found[name].shape)
            raise refuse(name, f"has the shape {own}, expected {shape}")
        tensor = found[name]
        if not tensor.is_floating_point() or not bool(tensor.isfinite().all()):
            raise refuse(name, "holds something else than finite numbers")
    for name in found.keys() - shapes.keys():
        raise refuse(name, f"is unknown, one more than the {len(shapes)} tensors")
    return {name: found[name].float() for name in shapes}
