"""What reading one file may cost."""

from __future__ import annotations

import time

import pytest

from texedo.core import budget
from texedo.core.budget import Budget
from texedo.core.errors import FileFormatError


def test_a_file_may_take_250_mb_and_four_times_its_size() -> None:
    allowance = Budget("walk.npz", size=10_000_000)
    assert allowance.limit == 290_000_000
    allowance.take(290_000_000, "joint_pos")
    with pytest.raises(FileFormatError) as caught:
        allowance.take(1, "joint_pos")
    assert str(caught.value) == (
        "walk.npz: to read joint_pos takes more than 290 MB of memory, the most for a "
        "file of 10 MB; split it into smaller files."
    )


def test_time_is_that_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.05)
    allowance = Budget("walk.pkl", size=0)
    time.sleep(0.1)  # A busy machine or a slow disk costs nothing.
    allowance.check_time("its pickle")
    until = time.thread_time() + 0.1
    while time.thread_time() < until:
        pass
    with pytest.raises(
        FileFormatError, match="walk.pkl: to read its pickle takes more"
    ):
        allowance.check_time("its pickle")
