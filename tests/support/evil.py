"""A pickle that does harm."""

import os
from pathlib import Path
from typing import Any


class Evil:
    """Leaves a file behind if it is ever unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"echo run > '{self.marker}'",)
