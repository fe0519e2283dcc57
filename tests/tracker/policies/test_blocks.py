from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from texedo.core.threads import one_torch_thread
from texedo.tracker.policies.blocks import SIZES, BlockEvaluator, stable_sizes


@pytest.fixture(scope="module")
def network() -> nn.Module:
    torch.manual_seed(0)
    layers = nn.Linear(70, 96), nn.ELU(), nn.Linear(96, 29)
    return nn.Sequential(*layers).requires_grad_(False)


def _depends_on_its_place(x: Tensor) -> Tensor:
    return x[:, :4] + torch.arange(len(x))[:, None]


def _depends_on_the_size(x: Tensor) -> Tensor:
    return x[:, :4] + len(x)


def test_where_rows_depend_on_the_size_of_the_block_there_is_one_size() -> None:
    assert stable_sizes(_depends_on_the_size, 6) == (32,)


def test_where_rows_depend_on_their_place_they_go_one_by_one() -> None:
    assert stable_sizes(_depends_on_its_place, 6) == (1,)


@pytest.mark.parametrize("sizes", SIZES)
def test_padding_is_never_seen(network: nn.Module, sizes: tuple[int, ...]) -> None:
    evaluate = BlockEvaluator(network, 70, sizes)
    for rows in (1, 7, 8, 33, 64, 65, 130):
        x = torch.randn(rows, 70)
        got = evaluate(x.numpy())
        assert got.shape == (rows, 29)
        np.testing.assert_allclose(got, network(x).numpy(), rtol=1e-4, atol=1e-5)


def test_a_row_has_the_same_bits_alone_and_among_others(network: nn.Module) -> None:
    with one_torch_thread():
        evaluate = BlockEvaluator(network, 70, stable_sizes(network, 70))
        x = torch.randn(100, 70).numpy()
        together = evaluate(x)
        backwards = evaluate(x[::-1].copy())[::-1]
        alone = np.concatenate([evaluate(row[None]) for row in x])
    np.testing.assert_array_equal(together, backwards)
    np.testing.assert_array_equal(together, alone)


def test_the_number_of_threads_is_given_back() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with one_torch_thread(), one_torch_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
