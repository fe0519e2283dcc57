"""One numeric thread per worker: torch's own would change bits and fight ours."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LOCK = threading.Lock()
_depth = 0
_before = 1


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Run torch's operators on one thread meanwhile, if torch is loaded at all.

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
            torch.set_num_threads(1)
        _depth += 1
    try:
        yield
    finally:
        with _LOCK:
            _depth -= 1
            if _depth == 0:
                torch.set_num_threads(_before)
