"""Batches of recordings on all cores, so that nothing is lost or left behind."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, TypeVar

from texedo.core.ending import WorkerEnds, end_worker
from texedo.core.errors import TexedoError
from texedo.core.threads import available_cores

_BUCKET_RATIO = 1.5
"""Sizes in a full batch differ by this factor at most."""

_GRACE = 3.0
"""Seconds that workers have to clean up."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def batch_by_size(
    items: Iterable[Item], size: Callable[[Item], int], *, batch: int
) -> Iterator[list[Item]]:
    """Groups of similar size, formed while the items stream by.

    Which items meet depends on the stream alone, not on what was done before.
    """
    buckets: defaultdict[int, list[Item]] = defaultdict(list)
    for item in items:
        key = int(math.log(max(size(item), 1), _BUCKET_RATIO))
        buckets[key].append(item)
        if len(buckets[key]) == batch:
            yield buckets.pop(key)
    # Large ones first: the last batch to finish should be a small one.
    rest = [item for key in sorted(buckets, reverse=True) for item in buckets[key]]
    for start in range(0, len(rest), batch):
        yield rest[start : start + batch]


def map_unordered(
    function: Callable[..., Result],
    calls: Iterable[tuple[Any, ...]],
    *,
    workers: int | None = None,
) -> Iterator[Result]:
    """Results of `function(*call)` as they come, on `workers` processes (default: all
    cores; 1 stays in this process). Calls are drawn only as workers become free."""
    with Crew(workers) as crew:
        yield from crew.unordered(function, calls)


class Crew:
    """Worker processes that are started for the first call, and kept until the end."""

    def __init__(self, workers: int | None = None) -> None:
        """Default: all cores; 1 stays in this process."""
        self.workers = workers or available_cores()
        self._before: set[multiprocessing.process.BaseProcess] = set()
        self._pool: ProcessPoolExecutor | None = None

    def unordered(
        self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Results as they come; calls are drawn only as workers become free."""
        if self.workers == 1:
            yield from (function(*call) for call in calls)
            return
        with _one_thread_each():
            yield from _drain(self._start(), function, calls, limit=self.workers + 1)

    def ordered(
        self, function: Callable[..., Result], calls: Sequence[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Results in the order of the calls, each as soon as those before it are there."""
        waiting: dict[int, Result] = {}
        numbered = ((function, i, call) for i, call in enumerate(calls))
        due = 0
        for i, result in self.unordered(_numbered, numbered):
            waiting[i] = result
            while due in waiting:
                yield waiting.pop(due)
                due += 1

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._before = set(multiprocessing.active_children())
            # Not fork: the parent may hold threads and locks of BLAS or of a user's
            # program.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=_start_worker
            )
        return self._pool

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        if kind is None:
            pool.shutdown()
            return
        if isinstance(error, BrokenProcessPool):
            raise TexedoError(
                "A worker process was killed, perhaps out of memory. What was "
                "finished is kept: run again, with fewer --workers."
            ) from error
        pool.shutdown(wait=False, cancel_futures=True)
        _end_all(set(multiprocessing.active_children()) - self._before)


def _numbered(
    function: Callable[..., Result], number: int, call: tuple[Any, ...]
) -> tuple[int, Result]:
    return number, function(*call)


def _end_all(children: Iterable[multiprocessing.process.BaseProcess]) -> None:
    """Ask the workers to clean up and end; who does not in time is killed."""
    for child in children:
        child.terminate()
    until = time.monotonic() + _GRACE
    for child in children:
        child.join(max(0.0, until - time.monotonic()))
        if child.is_alive():
            child.kill()


def _drain(
    pool: ProcessPoolExecutor,
    function: Callable[..., Result],
    calls: Iterable[tuple[Any, ...]],
    *,
    limit: int,
) -> Iterator[Result]:
    pending: set[Future[Result]] = set()
    for call in calls:
        pending.add(pool.submit(_unless_ending, function, *call))
        while len(pending) >= limit:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


class _one_thread_each:
    """Workers get one BLAS thread: as many as cores in every worker would only fight."""

    _NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in self._NAMES}
        os.environ.update({name: "1" for name in self._NAMES})

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _unless_ending(function: Callable[..., Result], *call: Any) -> Result:
    """The call in a worker; one that was told to end takes no other.

    The executor would hand the end to the parent like any error, and go on.
    """
    try:
        return function(*call)
    except WorkerEnds:
        os._exit(1)


def _start_worker() -> None:
    # Ctrl-C reaches the whole group; the parent decides what becomes of the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_worker()
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End when the parent does, also when it was killed and could not say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
