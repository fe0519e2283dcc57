"""Folders of weights: what is written comes back, what is damaged does not."""

import json
from pathlib import Path

import numpy as np
import pytest

from texedo.checkpoints.artifact import read_artifact, read_config, write_artifact
from texedo.core.errors import CheckpointError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tensors = {"a": np.arange(6.0).reshape(2, 3), "b": np.ones(2, dtype=np.float16)}
    return write_artifact(
        tmp_path / "thing", kind="thing", config={"size": 3}, tensors=tensors
    )


def test_what_is_written_comes_back(folder: Path) -> None:
    config, tensors = read_artifact(folder, kind="thing")
    assert config["size"] == 3
    np.testing.assert_array_equal(tensors["a"], [[0, 1, 2], [3, 4, 5]])
    assert tensors["b"].dtype == np.float16


def test_the_same_content_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    _, tensors = read_artifact(folder, kind="thing")
    again = write_artifact(
        tmp_path / "again", kind="thing", config={"size": 3}, tensors=tensors
    )
    for name in ("config.json", "weights.safetensors"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_a_config_cannot_forge_the_seal(tmp_path: Path) -> None:
    write_artifact(tmp_path, kind="thing", config={"sha256": "0"}, tensors={})
    assert len(read_config(tmp_path, kind="thing")["sha256"]) == 64


def test_a_transposed_array_is_stored_in_its_own_order(tmp_path: Path) -> None:
    array = np.arange(6.0).reshape(2, 3).T
    write_artifact(tmp_path, kind="thing", config={}, tensors={"x": array})
    np.testing.assert_array_equal(read_artifact(tmp_path, kind="thing")[1]["x"], array)


def test_changed_weights_are_refused(folder: Path) -> None:
    path = folder / "weights.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match="sha256"):
        read_artifact(folder, kind="thing")


def test_the_wrong_kind_names_both(folder: Path) -> None:
    with pytest.raises(CheckpointError, match="'thing', expected 'other'"):
        read_artifact(folder, kind="other")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="nowhere"):
        read_artifact(tmp_path / "nowhere", kind="thing")


def test_another_version_is_refused(folder: Path) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"artifact_version": 7}))
    with pytest.raises(CheckpointError, match="version 7"):
        read_config(folder, kind="thing")


@pytest.mark.parametrize("text", ["", "{", "[1]", "\xff"])
def test_a_config_that_is_no_config_is_refused(folder: Path, text: str) -> None:
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(CheckpointError):
        read_config(folder, kind="thing")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CheckpointError, match=r"file.thing: cannot be written \(Not a"):
        write_artifact(tmp_path / "file" / "thing", kind="x", config={}, tensors={})
