"""The most memory that something takes on its way."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_GPU = "cuda"


class PeakMemory:
    """Of this process, and of the GPU, from the moment it is made [GB].

    Weights and programs that were loaded before are part of it. Where the system cannot
    forget the highest value so far, it is that since the start of the process.
    """

    def __init__(self, device: str) -> None:
        self._on_gpu = device.startswith(_GPU)
        try:
            _RESET.write_text("5")  # Linux: forget the highest value so far.
        except OSError:
            pass
        if self._on_gpu:
            import torch

            torch.cuda.reset_peak_memory_stats()

    def host(self) -> float:
        """Of the process."""
        try:
            for line in _STATUS.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024 / 1e9
        except OSError:
            pass
        # The same elsewhere: kilobytes, on macOS bytes.
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9

    def gpu(self) -> float | None:
        """Of tensors there; None without a GPU."""
        if not self._on_gpu:
            return None
        import torch

        return torch.cuda.max_memory_allocated() / 1e9
