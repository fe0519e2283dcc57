"""Tensors of a file are taken only if all have the names and shapes of the table."""

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.support.released_verifiers import save
from texedo.checkpoints.tensor_table import layer, table_tensors
from texedo.checkpoints.torch_files import read_torch_file
from texedo.core.errors import CheckpointError

SHAPES = {**layer("a", 2, 3), "b": (4,)}


def good() -> dict[str, Any]:
    return {
        "a.weight": torch.ones(2, 3, dtype=torch.float16),
        "a.bias": torch.ones(2),
        "b": torch.ones(4, dtype=torch.float64),
    }


def read(path: Path, tensors: dict[str, Any]) -> dict[str, torch.Tensor]:
    file = read_torch_file(save(path / "a.pt", {"net": tensors}))
    return table_tensors(file, "net", SHAPES, expected="the file of the release")


def test_a_layer_has_a_weight_and_a_bias_per_output() -> None:
    assert layer("a", 2, 3) == {"a.weight": (2, 3), "a.bias": (2,)}


def test_tensors_of_the_right_shapes_come_as_float32(tmp_path: Path) -> None:
    found = read(tmp_path, good())
    assert {name: tuple(found[name].shape) for name in found} == SHAPES
    assert all(tensor.dtype == torch.float32 for tensor in found.values())


@pytest.mark.parametrize(
    ("name", "tensor", "said"),
    [
        (
            "a.weight",
            torch.ones(3, 2),
            "net.a.weight has the shape .3, 2., expected .2,",
        ),
        ("a.bias", None, "net.a.bias is missing, a tensor of shape .2,."),
        ("c", torch.ones(1), "net.c is unknown, one more than the 3 tensors"),
        ("b", torch.full((4,), torch.nan), "net.b holds something else than finite"),
        ("b", torch.ones(4, dtype=torch.int64), "net.b holds something else"),
    ],
)
def test_the_tensor_that_is_wrong_is_named(
    tmp_path: Path, name: str, tensor: torch.Tensor | None, said: str
) -> None:
    tensors = {**good(), name: tensor}
    if tensor is None:
        del tensors[name]
    with pytest.raises(CheckpointError, match=f"a.pt: {said}") as error:
        read(tmp_path, tensors)
    assert str(error.value).endswith("it is not the file of the release.")
