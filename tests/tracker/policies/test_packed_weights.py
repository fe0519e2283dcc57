from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.tracker.policies.test_ours import small_actor
from texedo.core.threads import one_torch_thread
from texedo.tracker.policies import packed_weights as packed
from texedo.tracker.policies.blocks import BlockEvaluator, stable_sizes
from texedo.tracker.policies.packed_weights import fast_network


@pytest.fixture(scope="module")
def rows() -> torch.Tensor:
    """Observations of which some are beyond the limit, and actions too."""
    generator = torch.Generator().manual_seed(1)
    return 5.0 * torch.randn(
        130, small_actor().spec.actor_obs_size, generator=generator
    )


def test_packed_weights_give_the_same_actions(rows: torch.Tensor) -> None:
    actor = small_actor()
    got = fast_network(actor)(rows)
    torch.testing.assert_close(got, actor(rows), rtol=1e-4, atol=1e-4)
    assert float(got.abs().max()) <= actor.spec.action_limit


def test_a_row_has_the_same_bits_in_blocks_of_any_size(rows: torch.Tensor) -> None:
    actor = small_actor()
    network, size = fast_network(actor), actor.spec.actor_obs_size
    with one_torch_thread():
        evaluate = BlockEvaluator(network, size, stable_sizes(network, size))
        together = evaluate(rows)
        for count in (1, 3, 7, 20, 100):
            np.testing.assert_array_equal(evaluate(rows[:count]), together[:count])


def test_where_weights_cannot_be_packed_the_plain_network_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packed, "packing_works", lambda: False)
    actor = small_actor()
    assert fast_network(actor) is actor
