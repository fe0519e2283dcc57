"""Shared pieces of the format tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.motions import random_motion
from texedo.formats import get_format, save_motion
from texedo.motion import Motion


class Written:
    """Writes a motion in any format into one folder."""

    def __init__(self, folder: Path, motion: Motion) -> None:
        self.folder, self.motion = folder, motion

    def __call__(self, name: str, *, fps: float | None = None) -> Path:
        entry = get_format(name)
        path = self.folder / (name + (entry.extensions[0] if entry.extensions else ""))
        save_motion(self.motion, path, format=name, fps=fps)
        return path


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path, random_motion(3, 61))
