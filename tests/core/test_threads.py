"""Work that goes on in a thread."""

import threading
from collections.abc import Iterator

import pytest
import torch

from texedo.core.threads import beside_torch, one_ahead, one_torch_thread


def test_the_next_item_is_made_while_one_is_used() -> None:
    made = [threading.Event() for _ in range(3)]

    def items() -> Iterator[int]:
        for number, event in enumerate(made):
            event.set()
            yield number

    given = one_ahead(items())
    assert made[0].wait(5)  # Begun before anybody asks.
    assert next(given) == 0
    assert made[1].wait(5) and not made[2].is_set()
    assert list(given) == [1, 2]


def test_what_goes_wrong_there_is_raised_here_after_what_went_well() -> None:
    def items() -> Iterator[int]:
        yield 7
        raise ValueError("the second is damaged")

    given = one_ahead(items())
    assert next(given) == 7
    with pytest.raises(ValueError, match="the second is damaged"):
        next(given)
    assert list(one_ahead([])) == []


def test_work_beside_torch_has_a_core_of_its_own() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        with beside_torch(lambda: threading.current_thread()) as there:
            assert torch.get_num_threads() == 2
            assert there.result() is not threading.current_thread()
            with one_torch_thread():
                assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 3
        torch.set_num_threads(1)
        with beside_torch(lambda: 7) as seven:
            assert torch.get_num_threads() == 1 and seven.result() == 7
    finally:
        torch.set_num_threads(before)
