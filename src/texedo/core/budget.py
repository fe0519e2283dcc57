"""What reading one file may cost in memory and time, asked before anything is made.

A file may take 250 MB and four times its own size. That is more than any real motion
needs, and less than what brings a machine down: a few kilobytes can unpack to gigabytes,
name one array a thousand times, or ask for numbers that were never there. Readers say
what they are about to make; who asks for too much is refused, and nothing was made.

Time is that of the processor, so that a busy machine or a slow disk refuses nothing.
"""

from __future__ import annotations

import time
from pathlib import Path

from texedo.core.errors import FileFormatError

BASE_BYTES = 250_000_000
PER_BYTE = 4
"""Bytes of memory for every byte of the file, beside the base."""
SECONDS = 5.0
SECONDS_PER_BYTE = 4e-8
"""Beside the base: 25 MB a second, half of what reading numbers from text takes."""


class Budget:
    """The allowance of one file; what is taken stays taken."""

    def __init__(self, path: Path | str, *, size: int) -> None:
        self.path, self.size = path, size
        self.limit = BASE_BYTES + PER_BYTE * size
        self.left = self.limit
        self._seconds = SECONDS + SECONDS_PER_BYTE * size
        self._start = time.thread_time()

    @classmethod
    def of(cls, *paths: Path, name: Path | str | None = None) -> Budget:
        """The budget of a file, or of several that are read together."""
        size = sum(path.stat().st_size for path in paths)
        return cls(name or paths[0], size=size)

    def take(self, count: int, what: str) -> None:
        """Raise `FileFormatError` unless `count` more bytes may be used for `what`."""
        self.left -= count
        if self.left < 0:
            raise FileFormatError(
                f"{self.path}: to read {what} takes more than {_megabytes(self.limit)} "
                f"of memory, the most for a file of {_megabytes(self.size)}; split it "
                "into smaller files."
            )

    def check_time(self, what: str) -> None:
        """Raise `FileFormatError` if the file has taken too long already."""
        if time.thread_time() - self._start > self._seconds:
            raise FileFormatError(
                f"{self.path}: to read {what} takes more than {self._seconds:.0f} s; "
                "split it into smaller files, or save it as npz."
            )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB" if count >= 1_000_000 else f"{count / 1e3:.1f} kB"
