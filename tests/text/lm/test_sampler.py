"""Drawing tokens: the right distribution, the right limits, the same numbers again."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from texedo.text.lm.sampler import SamplingCfg, draw, uniforms

ALL = SamplingCfg(top_k=0, top_p=1.0)


def drawn(logits: Tensor, cfg: SamplingCfg, count: int = 20_000) -> Tensor:
    """How often each token comes, for evenly spread random numbers."""
    generator = torch.Generator().manual_seed(0)
    u = torch.rand(count, generator=generator)
    tokens = draw(logits.expand(count, -1), u, cfg)
    return torch.bincount(tokens, minlength=logits.shape[-1])


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("top_k", [0, 4])
def test_frequencies_pass_a_chi_square_test(temperature: float, top_k: int) -> None:
    logits = torch.tensor([0.3, -1.0, 2.0, 0.0, 1.0, -0.5])
    cfg = SamplingCfg(temperature=temperature, top_k=top_k, top_p=1.0)
    kept = logits.clone()
    if top_k:
        kept[[1, 5]] = -np.inf
    expected = 20_000 * torch.softmax(kept / temperature, -1)
    found = drawn(logits, cfg)
    possible = expected > 0
    assert found[~possible].sum() == 0
    chi_square = ((found - expected) ** 2 / expected)[possible].sum()
    # 99.9 % of the chi-square distribution with 5 and 3 degrees of freedom.
    assert chi_square < (20.5 if not top_k else 16.3)


def test_top_p_keeps_the_fewest_tokens_that_reach_it() -> None:
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05]).log()
    for top_p, kept in ((0.4, 1), (0.5, 1), (0.51, 2), (0.81, 3), (0.96, 4)):
        found = drawn(logits, SamplingCfg(top_k=0, top_p=top_p))
        assert (found > 0).sum() == kept, top_p


def test_top_p_counts_what_top_k_left() -> None:
    # Of 0.5, 0.3 (and 0.2, dropped) the first holds 0.625.
    logits = torch.tensor([0.5, 0.3, 0.2]).log()
    assert (drawn(logits, SamplingCfg(top_k=2, top_p=0.62)) > 0).tolist() == [1, 0, 0]
    assert (drawn(logits, SamplingCfg(top_k=2, top_p=0.63)) > 0).tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    "cfg",
    [
        SamplingCfg(top_k=1),
        SamplingCfg(top_k=0, top_p=1e-9),
        SamplingCfg(temperature=1e-6),
        SamplingCfg(temperature=1e-38, top_k=0, top_p=1.0),
    ],
)
def test_the_limits_are_all_greedy(cfg: SamplingCfg) -> None:
    logits = torch.randn(64, 300, generator=torch.Generator().manual_seed(1))
    u = torch.rand(64, generator=torch.Generator().manual_seed(2))
    assert torch.equal(draw(logits, u, cfg), logits.argmax(-1))


def test_ties_are_shared_evenly_but_never_exceed_top_k() -> None:
    logits = torch.zeros(8)
    assert (drawn(logits, ALL) - 2500).abs().max() < 250
    assert (drawn(logits, SamplingCfg(top_k=3, top_p=1.0)) > 0).sum() == 3


def test_impossible_tokens_are_never_drawn_even_by_the_largest_number() -> None:
    logits = torch.tensor([[-np.inf, 1.0, -np.inf, 0.0, -np.inf]])
    for u in (0.0, 0.5, 1 - 2.0**-24, 1.0):
        for cfg in (ALL, SamplingCfg(top_k=4), SamplingCfg(top_k=0, top_p=0.99)):
            assert draw(logits, torch.tensor([u]), cfg).item() in (1, 3)


@given(
    st.integers(0, 2**31),
    st.floats(0.05, 5),
    st.integers(0, 12),
    st.floats(0.01, 1.0),
)
@settings(max_examples=60, deadline=None)
def test_a_draw_is_always_one_of_the_kept_tokens(
    seed: int, temperature: float, top_k: int, top_p: float
) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = 5 * torch.randn(16, 10, generator=generator)
    u = torch.rand(16, generator=generator)
    cfg = SamplingCfg(temperature=temperature, top_k=top_k, top_p=top_p)
    tokens = draw(logits, u, cfg)
    rank = (logits > logits.gather(-1, tokens[:, None])).sum(-1)
    assert (rank < (top_k or 10)).all()


def test_numbers_belong_to_seed_prompt_and_candidate() -> None:
    many = uniforms("walk", range(32), 100, seed=1)
    assert np.array_equal(uniforms("walk", range(3), 50, seed=1), many[:3, :50])
    assert np.array_equal(uniforms("walk", range(7, 9), 100, seed=1), many[7:9])
    for other in (("walk", 2), ("walk ", 1), ("jump", 1)):
        different = uniforms(other[0], range(32), 100, seed=other[1])
        assert not np.isclose(different, many).any(axis=1).all()
    assert many.min() >= 0 and many.max() < 1
    assert abs(many.mean() - 0.5) < 0.02


def test_a_prompt_of_any_characters_has_numbers() -> None:
    assert uniforms("\ud800 🤖", range(1), 3, seed=-5).shape == (1, 3)
    assert uniforms("walk", range(0), 3, seed=0).shape == (0, 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"temperature": 0.0},
        {"temperature": -1.0},
        {"temperature": float("nan")},
        {"temperature": float("inf")},
        {"top_k": -1},
        {"top_p": 0.0},
        {"top_p": 1.5},
        {"top_p": float("nan")},
    ],
)
def test_senseless_settings_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        SamplingCfg(**changes)  # type: ignore[arg-type]
