"""Trackers that somebody spoiled: one line each, and nothing large is made."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.onnx_files import TERMS, linear, metadata
from texedo.core.errors import CheckpointError, PolicyError, TexedoError
from texedo.tracker.policies.actor import Actor, save_tracker
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.onnx_metadata import TERM_SIZES
from texedo.tracker.policies.sonic_config import read_layout
from texedo.tracker.policies.spec import TrackerSpec

SIZE = sum(TERM_SIZES[term] for term in TERMS)


def refused(which: Path, words: str, kind: type[TexedoError] = PolicyError) -> None:
    with pytest.raises(kind, match=words) as caught:
        find_policy(str(which))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"spec": 5}, "holds no names and values"),
        ({"spec": {"hidden_sizes": "many"}}, "hidden_sizes should be a list"),
        ({"spec": {"hidden_sizes": [10_000_000]}}, "weights do not fit the config"),
        (
            {"spec": {"history_length": 10**9}},
            "history_length should be a whole number",
        ),
        (
            {"spec": {"future_offsets": [[1]]}},
            "future_offsets should be a whole number",
        ),
        ({"spec": {"held_joints": [5]}}, "held_joints should be a short text"),
        ({"spec": {"action_limit": "8"}}, "action_limit should be a number"),
        ({"metadata": "text"}, "metadata should be names and values"),
        ({"metadata": {"e95": [1]}}, "metadata.e95 must hold positive"),
        ({"joint_names": 29}, "made for other joints"),
    ],
)
def test_wrong_types_in_the_config_of_a_tracker(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    spec = TrackerSpec(hidden_sizes=(8,), future_offsets=(1,), velocity_offsets=(1,))
    path = save_tracker(tmp_path, Actor(spec)) / "config.json"
    config = json.loads(path.read_text())
    config["spec"].pop("actor_obs_size")
    for key, value in changes.items():
        config[key] = {**config[key], **value} if isinstance(value, dict) else value
    path.write_text(json.dumps(config))
    refused(tmp_path, words, CheckpointError)


def policy(tmp_path: Path, **changes: str) -> Path:
    props = metadata(**changes)
    return linear(tmp_path / "p.onnx", size=SIZE, bias=np.zeros(29), props=props)


def test_metadata_that_are_no_utf_8(tmp_path: Path) -> None:
    path = policy(tmp_path, run_path="somebody")
    assert find_policy(str(path)).name == "p"
    path.write_bytes(path.read_bytes().replace(b"somebody", b"some\xff\xfedy"))
    refused(path, "p.onnx: .*(UTF-8|not an ONNX file)")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reference_lead": "nan"}, "reference_lead is nan"),
        ({"reference_lead": "1e300"}, r"reference_lead is 1e\+300"),
        ({"joint_stiffness": "inf"}, "joint_stiffness holds NaN or infinity"),
        (
            {"observation_history_lengths": ",".join(["1e9"] * 8)},
            "history length is 1e",
        ),
        ({"joint_stiffness": "\x1b[31m"}, r"x1b\[31m"),
    ],
)
def test_numbers_that_nobody_can_mean(
    changes: dict[str, str], words: str, tmp_path: Path
) -> None:
    refused(policy(tmp_path, **changes), words)


def test_only_regular_files_of_a_sane_size_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.onnx")
    refused(tmp_path / "pipe.onnx", "is no regular file")
    refused(Path("/dev/zero"), "is no regular file")
    (tmp_path / "folder.onnx").mkdir()
    refused(tmp_path / "folder.onnx", "config.json", CheckpointError)
    with open(tmp_path / "large.onnx", "wb") as stream:
        stream.truncate((2 << 30) + 1)  # a hole: it takes no disk
    refused(tmp_path / "large.onnx", "is larger than 2048 MiB")
    path = policy(tmp_path)
    os.mkfifo(path.with_name("p.onnx.data"))
    refused(path, "p.onnx.data: is no regular file")


def test_a_layout_of_sonic_is_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "observation_config.yaml"
    path.write_bytes(b" " * (2 << 20))
    with pytest.raises(PolicyError, match="is larger than 1 MiB"):
        read_layout(path)
    path.write_text("observations:\n - name: his_last_actions_99999999frame_step1\n")
    with pytest.raises(PolicyError, match="no enabled names"):
        read_layout(path)
