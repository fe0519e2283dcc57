"""Files that are read back: labels arrive, and what differs is not kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.formats import FileClip, get_format, load_motion, registry, writable_formats
from texedo.formats.compare import save_compared
from texedo.formats.motion_file import MotionFile
from texedo.robot.g1 import BODY_NAMES, ISAACLAB_JOINT_NAMES, JOINT_NAMES

LABELS = {"motion_sha256": "ab12", "prompt": "a person wävës"}


def place(folder: Path, name: str) -> Path:
    endings = get_format(name).extensions
    return folder / f"clip{endings[0] if endings else ''}"


def labels_of(path: Path, name: str) -> dict[str, Any]:
    """What a file or the one beside it says of itself, names of joints included."""
    if path.is_dir():
        found = json.loads((path / "info.txt").read_text(encoding="utf-8"))
    elif name == "gmr-pkl":
        data = MotionFile(path).pickle
        found = json.loads(data["texedo"]) | {"joint_names": list(data["joint_names"])}
    elif path.suffix == ".npz":
        with np.load(path) as data:
            found = json.loads(str(data["texedo"]))
            found["joint_names"] = data["joint_names"].tolist()
    else:
        beside = path.with_name(f"{path.name}.json")
        found = json.loads(beside.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", writable_formats())
def test_every_format_comes_back_with_its_labels(name: str, tmp_path: Path) -> None:
    path = place(tmp_path, name)
    motion = random_motion(4, 40)
    written = save_compared(motion, path, format=name, labels=LABELS)
    assert written.worst <= get_format(name).tolerance
    assert all(file.exists() for file in written.files)
    found = labels_of(path, name)
    isaac = name in ("sonic", "beyondmimic-npz", "texedo-npy")
    order = ISAACLAB_JOINT_NAMES if isaac else JOINT_NAMES
    assert found["joint_names"] == list(order)
    assert LABELS.items() <= found.items()
    assert load_motion(path, format=name).duration == pytest.approx(0.78, abs=0.03)


def test_bodies_are_named_in_the_order_of_their_columns(tmp_path: Path) -> None:
    for name in ("beyondmimic-npz", "mjlab-npz"):
        path = tmp_path / f"{name}.npz"
        save_compared(random_motion(0, 10), path, format=name, labels=LABELS)
        with np.load(path) as data:
            names = data["body_names"].tolist()
        assert sorted(names) == sorted(BODY_NAMES)
        assert (names == list(BODY_NAMES)) == (name == "mjlab-npz")


def spoiled(monkeypatch: pytest.MonkeyPatch, name: str, **changes: Any) -> None:
    """A writer that writes something else than it was given."""
    entry = get_format(name)
    write = entry.write
    assert write is not None

    def wrong(path: Path, clip: FileClip) -> None:
        write(path, replace(clip, **{k: f(clip) for k, f in changes.items()}))

    monkeypatch.setitem(registry._FORMATS, name, replace(entry, write=wrong))


def test_a_number_that_differs_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "clip.csv"
    path.write_text("old")
    spoiled(monkeypatch, "unitree-csv", joint_pos=lambda c: c.joint_pos + 1e-4)
    with pytest.raises(FileFormatError, match="differs by 0.0001 .* nothing was kept"):
        save_compared(random_motion(0, 9), path, format="unitree-csv", labels=LABELS)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["clip.csv"]


def test_a_frame_too_few_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled(
        monkeypatch,
        "sonic",
        root_pos_w=lambda c: c.root_pos_w[1:],
        root_quat_w=lambda c: c.root_quat_w[1:],
        joint_pos=lambda c: c.joint_pos[1:],
    )
    with pytest.raises(FileFormatError, match="8 frames at 50 fps were read back"):
        save_compared(random_motion(0, 9), tmp_path / "c", format="sonic", labels={})
    assert list(tmp_path.iterdir()) == []


def test_the_opposite_quaternion_is_the_same_rotation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled(monkeypatch, "texedo-npy", root_quat_w=lambda c: -c.root_quat_w)
    path = tmp_path / "c.npy"
    motion = random_motion(0, 9)
    save_compared(motion, path, format="texedo-npy", labels={})
    assert path.is_file()
