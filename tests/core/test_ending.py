"""A signal from outside takes the way of Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from texedo.core.ending import Terminated, ends_by_signal
from texedo.core.files import atomic_path


@pytest.fixture
def not_ignored() -> Iterator[None]:
    """As in a terminal: `nohup` makes a process that starts tests deaf to SIGHUP."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("not_ignored")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_cleans_up_what_was_being_written(number: int, tmp_path: Path) -> None:
    path = tmp_path / "motion.npz"
    with pytest.raises(Terminated), ends_by_signal(), atomic_path(path) as temporary:
        temporary.write_bytes(b"half")
        os.kill(os.getpid(), number)
    assert list(tmp_path.iterdir()) == []
    assert issubclass(Terminated, KeyboardInterrupt)


def test_afterwards_the_signal_is_what_it_was() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with ends_by_signal():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_that_somebody_handles_is_left_alone() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    try:
        with ends_by_signal():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert seen == [signal.SIGTERM]
