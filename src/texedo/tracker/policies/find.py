"""Controllers by name, folder or ONNX file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from texedo.checkpoints.bundled import TRACKER, bundled_folder
from texedo.core.errors import PolicyError
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.protocol import Policy

OURS = "texedo"
"""The tracker that ships with the package."""


def _shipped() -> Policy:
    folder = bundled_folder(
        TRACKER, otherwise="name the folder of a trained one, or 'open-loop'."
    )
    return _load(folder, name=OURS)


def _load(folder: Path, *, name: str | None = None) -> Policy:
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise PolicyError(
                f"A trained tracker needs {package}: pip install 'texedo[learn]'."
            )
    # Here and not above: the baseline does without torch.
    from texedo.tracker.policies.ours import TrackerPolicy

    return TrackerPolicy.load(folder, name=name)


POLICIES: Mapping[str, Callable[[], Policy]] = MappingProxyType(
    {OURS: _shipped, "open-loop": OpenLoopPolicy}
)
"""Policies that have a name."""


def find_policy(which: str) -> Policy:
    """The policy of that name, the tracker in that folder, or in that ONNX file."""
    if which in POLICIES:
        return POLICIES[which]()
    path = Path(which)
    if path.is_dir():
        return _load_sonic(path) if (path / _SONIC_FILE).is_file() else _load(path)
    if path.suffix.lower() == ".onnx" or path.exists():
        return _load_onnx(path)
    known = ", ".join(POLICIES)
    raise PolicyError(
        f"{which!r} is neither a tracker's name ({known}) nor a folder with a trained "
        "one, nor an ONNX file."
    )


_SONIC_FILE = "model_encoder.onnx"


def _load_sonic(folder: Path) -> Policy:
    from texedo.tracker.policies.sonic import SonicPolicy

    return SonicPolicy(folder)


def _load_onnx(path: Path) -> Policy:
    from texedo.tracker.policies.beyondmimic import OnnxPolicy

    return OnnxPolicy(path)
