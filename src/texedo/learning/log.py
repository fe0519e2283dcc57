"""The log of a training run: lines of JSON, in a file and on the screen."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from texedo.learning.clock import PROCESS_START


class RunLog:
    """`log.jsonl` in a folder, which is made with the first line."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "log.jsonl"

    def write(self, event: str, **values: Any) -> None:
        row = {"event": event, "t": time.monotonic() - PROCESS_START, **values}
        line = json.dumps(_short(row))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value
