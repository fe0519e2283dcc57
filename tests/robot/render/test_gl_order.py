"""Triton is loaded before OpenGL where torch may ask for it later."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from texedo.robot.render.gl import triton_first


@pytest.mark.parametrize(("with_torch", "loaded"), [(True, True), (False, False)])
def test_triton_comes_first_where_there_is_torch(
    with_torch: bool, loaded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "triton.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    if with_torch:
        monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    triton_first()
    assert ("triton" in sys.modules) is loaded
    monkeypatch.delitem(sys.modules, "triton", raising=False)


def test_a_broken_triton_is_no_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "triton.py").write_text("raise OSError('no driver')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    triton_first()
    assert "triton" not in sys.modules
