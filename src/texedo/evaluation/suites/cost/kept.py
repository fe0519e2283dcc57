"""Measurements of this machine, kept: a stopped command goes on.

Times belong to a machine: a folder that another one has measured in is measured anew.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from texedo.core.files import write_whole
from texedo.core.threads import available_cores

Seconds = dict[str, float]
"""What was measured, by name."""


def machine(device: str = "cpu") -> dict[str, str]:
    """What times depend on, in words."""
    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(available_cores()),
        "python": platform.python_version(),
    }
    if device.startswith("cuda"):
        import torch

        found["gpu"] = torch.cuda.get_device_name(device)
    return found


def in_words(where: Mapping[str, str]) -> str:
    """The machine for people."""
    gpu = f"{where['gpu']}, " if "gpu" in where else ""
    cores = f"{where['cores']} core{'' if where['cores'] == '1' else 's'}"
    return f"{gpu}{where['processor']}, {cores} ({where['system']})"


class Kept:
    """What was measured with these settings, by a key of the caller's."""

    def __init__(self, folder: Path, name: str, settings: Mapping[str, Any]) -> None:
        text = json.dumps(dict(settings), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._path = folder / f"{name}-{digest}.json"
        self._rows: dict[str, Seconds] = {}
        if self._path.is_file():
            self._rows = json.loads(self._path.read_bytes())

    def of(self, key: str) -> Seconds | None:
        return self._rows.get(key)

    def add(self, key: str, found: Seconds) -> None:
        """Written at once."""
        self._rows[key] = found
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, (json.dumps(self._rows, indent=1) + "\n").encode())


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "an unknown processor"
