"""A function on tensors that is recorded once and then replayed as one CUDA graph.

Hundreds of small operators cost more to call than to run; a graph is one call. It
replays fixed memory: what the function reads and what it leaves behind must stay where
it is. `Carried` keeps attributes that a function rebinds in one place.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Sequence

import torch
from torch import Tensor


class Carried:
    """Tensor attributes of an object that live at fixed addresses between calls."""

    def __init__(self, owner: object, names: Sequence[str]) -> None:
        self._owner = owner
        self._home: dict[str, Tensor] = {n: getattr(owner, n).clone() for n in names}
        self.settle()

    def restore(self) -> None:
        """Bind the attributes to what is at home, whatever they are bound to now."""
        for name, home in self._home.items():
            setattr(self._owner, name, home)

    def settle(self) -> None:
        """Bring home what was bound to the attributes meanwhile."""
        for name, home in self._home.items():
            value = getattr(self._owner, name)
            if value is not home:
                home.copy_(value)
                setattr(self._owner, name, home)


class Replayed:
    """Calls `function` the first times, records it once, then replays the record.

    On a CPU it is simply called. The first calls are real: they also set up what must
    not be set up while a graph is recorded (library handles, cached constants). Where
    capture fails there is a warning, and the function is called ever after: the same
    numbers, more slowly.
    """

    WARM_UP = 2

    def __init__(
        self,
        function: Callable[[], None],
        device: torch.device,
        carried: Carried | None = None,
    ) -> None:
        self._function, self._carried = function, carried
        self._records = device.type == "cuda"
        self._calls = 0
        self.failed = False
        """Whether recording was tried in vain."""
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        self._calls += 1
        if self._records and self._graph is None and self._calls > self.WARM_UP:
            self._try_to_record()
        if self._graph is None:
            self._function()
        else:
            self._graph.replay()

    def _try_to_record(self) -> None:
        try:
            self._graph = self._record()
        except RuntimeError as error:
            # Nothing was run while it was recorded: all numbers are as before.
            self._records, self.failed = False, True
            if self._carried is not None:
                self._carried.restore()
            warnings.warn(
                f"No CUDA graph, going on without: {error}",
                RuntimeWarning,
                stacklevel=2,
            )

    def _record(self) -> torch.cuda.CUDAGraph:
        graph = torch.cuda.CUDAGraph()
        gc.collect()
        # Memory that is freed while a graph is recorded would break the recording.
        gc.disable()
        try:
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                self._function()
        finally:
            gc.enable()
        return graph
