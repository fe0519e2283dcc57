"""Cores, and one numeric thread per worker: torch's own would change bits and fight ours."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar, cast

Item = TypeVar("Item")

_LOCK = threading.Lock()
_depth = 0
_before = 1


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Run torch's operators on one thread meanwhile, if torch is loaded at all."""
    with _torch_threads(lambda there: 1):
        yield


@contextmanager
def beside_torch(work: Callable[[], Item]) -> Iterator[Future[Item]]:
    """Do `work` in a thread meanwhile, and leave it one of torch's cores.

    Two threads on one core, of which one waits for the other, take twice as long.
    """
    with (
        _torch_threads(lambda there: max(there - 1, 1)),
        ThreadPoolExecutor(1) as pool,
    ):
        yield pool.submit(work)


@contextmanager
def _torch_threads(limit: Callable[[int], int]) -> Iterator[None]:
    """Another number of torch's threads, by the one it has.

    The setting belongs to the process. Several users may be inside at once; the last
    one to leave restores what the first one found.
    """
    global _depth, _before
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    with _LOCK:
        if _depth == 0:
            _before = torch.get_num_threads()
        torch.set_num_threads(limit(torch.get_num_threads()))
        _depth += 1
    try:
        yield
    finally:
        with _LOCK:
            _depth -= 1
            if _depth == 0:
                torch.set_num_threads(_before)


@contextmanager
def torch_workers(count: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """This many threads (all cores unless given), each with one thread of torch's own."""
    with (
        one_torch_thread(),
        ThreadPoolExecutor(count or available_cores(), initializer=_alone) as pool,
    ):
        yield pool


def one_ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The items, each made in a thread while the one before it is being used.

    The first one is begun at once.
    """
    end = object()
    source = iter(items)
    pool = ThreadPoolExecutor(1)
    first: Future[Item | object] = pool.submit(next, source, end)

    def given() -> Iterator[Item]:
        coming = first
        with pool:
            while (item := coming.result()) is not end:
                coming = pool.submit(next, source, end)
                yield cast(Item, item)

    return given()


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Not on macOS and Windows.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _alone() -> None:
    # The number of threads is a thread's own affair in OpenMP: say it in each.
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
