"""Settings that anybody may have edited."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

from texedo.checkpoints.artifact import read_artifact, read_config, write_artifact
from texedo.checkpoints.sizes import check_shapes, read_settings
from texedo.core.errors import CheckpointError


@dataclass(frozen=True)
class Inner:
    width: int = 4


@dataclass(frozen=True)
class Outer:
    num_layers: int = 2
    scale: float = 1.0
    tied: bool = False
    name: str = "a"
    levels: tuple[int, ...] = (1, 2)
    max_tokens: int = 256
    inner: Inner = field(default_factory=Inner)


def test_what_json_gives_becomes_settings() -> None:
    values = {"scale": 2, "levels": [3, 4], "inner": {"width": 8}}
    assert read_settings(Outer, values, "x") == Outer(
        scale=2.0, levels=(3, 4), inner=Inner(8)
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "settings should be names and values, not a list"),
        ({"num_layers": "2"}, "num_layers should be a whole number up to 256"),
        ({"num_layers": 1000}, "num_layers should be a whole number up to 256"),
        ({"num_layers": True}, "num_layers should be a whole number"),
        ({"max_tokens": 10**7}, "max_tokens should be a whole number up to 1024"),
        ({"scale": float("inf")}, "scale should be a number"),
        ({"scale": 10**400}, "scale should be a number"),
        ({"tied": 1}, "tied should be true or false"),
        ({"name": ["a"]}, "name should be a short text, and is a list"),
        ({"levels": 3}, "levels should be a list"),
        ({"levels": [3, "4"]}, "levels should be a whole number"),
        ({"inner": {"width": 10**12}}, "width should be a whole number up to 10000000"),
        ({"wings": 2}, "has a setting 'wings', so it was written by another version"),
    ],
)
def test_wrong_types_and_sizes_are_named(values: Any, words: str) -> None:
    with pytest.raises(CheckpointError, match=words) as caught:
        read_settings(Outer, values, "folder")
    assert str(caught.value).startswith("folder: ") and "\n" not in str(caught.value)


def test_a_network_is_compared_before_it_is_made() -> None:
    tensors = {"weight": np.zeros((2, 3)), "bias": np.zeros(2)}
    check_shapes(lambda: nn.Linear(3, 2), tensors, "folder")
    with pytest.raises(
        CheckpointError, match=r"weight is \(2, 3\), not \(2, 9000000\)"
    ):
        # 72 MB, if it were made.
        check_shapes(lambda: nn.Linear(9_000_000, 2), tensors, "folder")


def stored(folder: Path, **changes: Any) -> Path:
    write_artifact(folder, kind="k", config={}, tensors={"a": np.zeros(2)})
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return folder


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metadata": [1]}, "metadata should be names and values"),
        ({"kind": ["k"]}, r"holds \['k'\], expected 'k'"),
        ({"artifact_version": {"a": 1}}, "artifact version .* is not 1"),
        ({"sha256": 5}, "sha256 does not match"),
    ],
)
def test_wrong_types_in_a_config_are_one_line(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError, match=words) as caught:
        read_artifact(stored(tmp_path, **changes), kind="k")
    assert "\n" not in str(caught.value)


def test_a_config_is_a_small_regular_file(tmp_path: Path) -> None:
    path = stored(tmp_path) / "config.json"
    path.write_text("[" * 100_000)
    with pytest.raises(CheckpointError, match="not JSON: nested too deeply"):
        read_config(tmp_path, kind="k")
    path.write_bytes(b" " * (17 << 20))
    with pytest.raises(CheckpointError, match="is larger than 16 mib"):
        read_config(tmp_path, kind="k")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CheckpointError, match="is no regular file"):
        read_config(tmp_path, kind="k")
