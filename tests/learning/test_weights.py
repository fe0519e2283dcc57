"""What is learnt, saved as arrays and put back."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from texedo.core.errors import CheckpointError
from texedo.learning.weights import load_weights, pack_learnt, restore_learnt

Learnt = tuple[dict[str, nn.Parameter], list[Tensor], torch.optim.Optimizer]


def _learnt(*values: float) -> Learnt:
    weight = nn.Parameter(torch.tensor(values))
    return {"w": weight}, [torch.zeros(len(values))], torch.optim.Adam([weight], lr=0.5)


def test_weights_mean_and_optimiser_come_back() -> None:
    named, mean, optimizer = _learnt(1.0, 2.0)
    named["w"].sum().backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    tensors = pack_learnt(named, mean, optimizer)
    # The first step of Adam is the learning rate, against the gradient.
    assert tensors["model.w"].tolist() == pytest.approx([0.5, 1.5])
    assert tensors["mean.w"].tolist() == [0.0, 0.0]
    other, other_mean, other_optimizer = _learnt(7.0, 8.0)
    other_mean[0] += 9.0
    restore_learnt(other, other_mean, other_optimizer, tensors, folder=Path("run"))
    assert torch.equal(other["w"], named["w"])
    assert other_mean[0].tolist() == [0.0, 0.0]
    # A tenth of the gradient 1 is the first moment.
    moment = other_optimizer.state[other["w"]]["exp_avg"]
    assert moment.tolist() == pytest.approx([0.1, 0.1])


def test_weights_of_other_sizes_or_names_are_another_network() -> None:
    tensors = pack_learnt(*_learnt(1.0, 2.0))
    for found in (tensors, {}):
        with pytest.raises(CheckpointError, match="^run: another network was saved"):
            restore_learnt(*_learnt(1.0, 2.0, 3.0), found, folder=Path("run"))
    with pytest.raises(CheckpointError, match="size mismatch for bias"):
        load_weights(nn.Linear(2, 3), nn.Linear(2, 4).state_dict(), folder=Path("run"))
