"""What a training ends with: the command that puts its result to use."""

from __future__ import annotations

import shlex
from pathlib import Path


def say_next(*words: str | Path) -> None:
    """Print a `texedo` command, as a shell would want it."""
    print(f"next: texedo {shlex.join(map(str, words))}")
