"""Work that goes on in a thread."""

import threading
from collections.abc import Iterator

import pytest

from texedo.core.threads import one_ahead


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
