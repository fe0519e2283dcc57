"""`texedo retarget` from the command line: the rate of the file, or another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.rigs import motion_builder_names, walker, write_rig
from texedo.apps.cli import main
from texedo.formats import load_motion


def test_a_rate_that_is_given_goes_before_the_one_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sixteen frames: half a second at the 30 of the file, 0.6 s at 25."""
    bvh, out = tmp_path / "walk.bvh", tmp_path / "walk.npz"
    bvh.write_text(write_rig(walker(16), names=motion_builder_names()))
    assert main(["retarget", str(bvh), "-o", str(out), "--fps", "25"]) == 0
    said = capsys.readouterr().out
    assert "25 fps (as given; the file states 30), 0.60 s" in said
    assert load_motion(out).duration == pytest.approx(0.6)
