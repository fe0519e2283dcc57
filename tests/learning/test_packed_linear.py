"""Weights in oneDNN's own layout, and what becomes of a build that has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from texedo.learning import packed_linear as module  # noqa: E402
from texedo.learning.packed_linear import (  # noqa: E402
    pack_weight,
    packed_linear,
    packing_works,
)


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    packing_works.cache_clear()
    yield
    packing_works.cache_clear()


def test_a_packed_weight_gives_the_plain_product_plus_the_bias() -> None:
    if not packing_works():
        pytest.skip("this build of torch cannot pack weights")
    weight = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    with torch.inference_mode():
        packed = pack_weight(weight, 1)
        x, bias = torch.tensor([[10.0, 100.0]]), torch.tensor([0.5, 0.25])
        assert packed_linear(x, packed).tolist() == [[210.0, 430.0]]
        assert packed_linear(x, packed, bias).tolist() == [[210.5, 430.25]]


def test_a_build_without_the_operators_does_not_pack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(weight: object, rows: int) -> None:
        raise NotImplementedError

    monkeypatch.setattr(module, "pack_weight", missing)
    assert not packing_works()


def test_a_build_whose_operators_are_wrong_does_not_pack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(x: torch.Tensor, packed: torch.Tensor, bias: object) -> torch.Tensor:
        return packed_linear(x, packed) + 0.01

    monkeypatch.setattr(module, "packed_linear", wrong)
    assert not packing_works()
