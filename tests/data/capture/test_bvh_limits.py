"""BVH and mapping files that nobody means: refused before they cost anything."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.support.rigs import motion_builder_names, walker, write_rig
from texedo.core import budget
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.source import load_source


def chain(joints: int, frames: int = 2) -> str:
    """A skeleton of one long limb."""
    channels = "CHANNELS 3 Zrotation Xrotation Yrotation"
    lines = ["HIERARCHY", "ROOT r", "{", "OFFSET 0 0 0", channels]
    for i in range(joints):
        lines += [f"JOINT j{i}", "{", "OFFSET 0 1 0", channels]
    lines += ["End Site", "{", "OFFSET 0 1 0", "}", *["}"] * (joints + 1)]
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.01"]
    return "\n".join([*lines, *[" ".join(["0"] * (3 * joints + 3))] * frames]) + "\n"


def test_twenty_thousand_joints_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "chain.bvh"
    path.write_text(chain(20_000))
    start = time.thread_time()
    with pytest.raises(FileFormatError, match="line 8002: more than 2000 joints"):
        load_source(path)
    assert time.thread_time() - start < 2
    with pytest.raises(TexedoError, match="no joint fits hips"):
        load_source(chain(300))


def test_poses_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_rig(walker(50), motion_builder_names())
    load_source(text)
    monkeypatch.setattr(budget, "BASE_BYTES", 100_000)
    monkeypatch.setattr(budget, "PER_BYTE", 0)
    with pytest.raises(FileFormatError, match="to read its rows takes more than 100"):
        load_source(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Frame Time: 0.0333333", "Frame Time: 1e-320", "Frame Time is .*positive"),
        ("Frame Time: 0.0333333", "Frame Time: 1e300", "Frame Time is 1e.300"),
        ("OFFSET 0.000000", "OFFSET 1e200", "not finite, or too large"),
        ("JOINT Spine\n", "JOINT " + "s" * 300 + "\n", "a joint's name of 300"),
        ("ROOT Hips", "ROOT Hips" + " OFFSET 0 0 0" * 90, "361 words|362 words"),
        ("ROOT Hips", "RO\x1bOT Hips", r"RO\\x1bOT Hips"),
    ],
)
def test_numbers_and_names_that_nobody_means(old: str, new: str, words: str) -> None:
    text = write_rig(walker(4), motion_builder_names())
    assert old in text
    with pytest.raises(FileFormatError, match=words) as caught:
        read_bvh(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_half_a_character_of_utf_16_is_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_bytes(b"\xff\xfeH\x00I\xd8")
    with pytest.raises(FileFormatError, match="not a BVH file"):
        read_bvh(path)


def test_pipes_and_large_files_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    with pytest.raises(FileFormatError, match="is no regular file"):
        load_source(tmp_path / "pipe.bvh")
    with open(tmp_path / "large.bvh", "wb") as stream:
        stream.truncate((1 << 30) + 1)
    with pytest.raises(FileFormatError, match="is larger than 1024 MiB"):
        load_source(tmp_path / "large.bvh")


def test_a_mapping_is_a_small_regular_file(tmp_path: Path) -> None:
    text = write_rig(walker(4), motion_builder_names())
    path = tmp_path / "mapping.json"
    path.write_text("[" * 100_000)
    with pytest.raises(FileFormatError, match="is not JSON: nested too deeply"):
        load_source(text, mapping=path)
    path.write_bytes(b" " * (2 << 20))
    with pytest.raises(FileFormatError, match="is larger than 1 MiB"):
        load_source(text, mapping=path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(FileFormatError, match="is no regular file"):
        load_source(text, mapping=path)
