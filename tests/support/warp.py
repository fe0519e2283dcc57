"""Tests that need MuJoCo-Warp, which also runs on a CPU."""

import pytest


def need_warp() -> None:
    """Skip, and say what is missing."""
    pytest.importorskip("mujoco_warp", reason="MuJoCo-Warp is an extra: texedo[gpu]")
