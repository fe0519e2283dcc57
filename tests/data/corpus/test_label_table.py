from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from texedo.core.errors import FileFormatError
from texedo.data.corpus.label_table import (
    Label,
    LabelWriter,
    clip_hash,
    label_quality,
    number_or_none,
    read_labels,
)
from texedo.motion import Motion
from texedo.quality import Normalizers

LABEL = Label(
    clip="aa",
    name="walk",
    tracker="texedo",
    tracker_hash="bb",
    oracle_version=1,
    perturbation="none",
    seed=0,
    draw=0,
    num_frames=100,
    success=False,
    progress=0.61,
    frame=61,
    reason="anchor_pos",
    mpjpe=33.3,
    e_vel=7.5,
    e_acc=None,
)


def _motion(joint: float = 0.0) -> Motion:
    qpos = np.zeros((4, 36))
    qpos[:, 3], qpos[:, 7] = 1.0, joint
    return Motion.from_qpos(qpos)


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    rows = [LABEL, replace(LABEL, draw=1, success=True, reason="", foot_slip=0.01)]
    with LabelWriter(tmp_path / "labels.jsonl") as table:
        assert [table.write(row) for row in rows] == [True, True]
    assert read_labels(tmp_path / "labels.jsonl") == rows


@pytest.mark.parametrize(
    "change",
    [
        {"clip": "cc"},
        {"tracker_hash": "cc"},
        {"oracle_version": 2},
        {"perturbation": "default"},
        {"seed": 1},
        {"draw": 1},
    ],
)
def test_a_rollout_is_labelled_once_and_another_is_another(
    tmp_path: Path, change: dict[str, object]
) -> None:
    other = replace(LABEL, **change)  # type: ignore[arg-type]
    path = tmp_path / "labels.jsonl"
    with LabelWriter(path) as table:
        table.write(LABEL)
    with LabelWriter(path) as table:
        assert LABEL.key in table and other.key not in table
        assert not table.write(replace(LABEL, name="same clip, other name"))
        assert table.write(other)
        assert len(table) == 2
    assert read_labels(path) == [LABEL, other]


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_line_cut_off_by_a_crash_is_written_anew(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [replace(LABEL, draw=d) for d in range(3)]
    with LabelWriter(path) as table:
        for row in rows:
            table.write(row)
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_labels(path) == rows[:2]
    with LabelWriter(path) as table:
        assert len(table) == 2
        assert table.write(rows[2])
    assert read_labels(path) == rows
    assert len(path.read_bytes().splitlines()) == 3


def test_a_file_that_is_nothing_but_a_cut_off_line_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b'{"clip": "a' + b"a" * 9000)
    with LabelWriter(path) as table:
        table.write(LABEL)
    assert read_labels(path) == [LABEL]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{broken\n", "line 2: not a label"),
        (b"[1]\n", "line 2: not a label .not an object"),
        (b'{"version": 9}\n', "label version 9 is not 1; label again"),
        (b'{"version": 1, "clip": "x"}\n', "line 2: not a label"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_lost(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = tmp_path / "labels.jsonl"
    content = LABEL.to_json().encode() + b"\n" + line
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        read_labels(path)
    with pytest.raises(FileFormatError, match=message):
        LabelWriter(path)
    assert path.read_bytes() == content


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "labels.jsonl"
    with LabelWriter(path):
        with pytest.raises(FileFormatError, match="another process is writing"):
            LabelWriter(path)
    with LabelWriter(path) as table:
        assert len(table) == 0


def test_tables_of_two_machines_are_joined_by_hand(tmp_path: Path) -> None:
    parts = []
    for draw in range(2):
        part = tmp_path / f"{draw}.jsonl"
        with LabelWriter(part) as table:
            table.write(replace(LABEL, draw=draw))
        parts.append(part.read_bytes())
    joined = tmp_path / "all.jsonl"
    joined.write_bytes(b"".join(parts))
    assert [label.draw for label in read_labels(joined)] == [0, 1]


def test_a_missing_table_is_an_error_to_read(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="No such file"):
        read_labels(tmp_path / "none.jsonl")


def test_a_clip_is_known_by_its_content() -> None:
    assert clip_hash(_motion()) == clip_hash(_motion())
    assert clip_hash(_motion()) != clip_hash(_motion(1e-3))
    assert len(clip_hash(_motion())) == 64


def test_numbers_that_json_does_not_know_are_left_out() -> None:
    assert number_or_none(float("nan")) is None
    assert number_or_none(1.5) == 1.5
    assert json.loads(LABEL.to_json())["e_acc"] is None


def test_quality_follows_from_a_label_and_the_normalisers() -> None:
    done = replace(LABEL, success=True, progress=1.0, e_acc=1.0)
    # By hand: a failure earns 0.6 * 0.61 * q_d, a success (1 + 0.4 q_d) / 1.4.
    q_d, q_star = label_quality([LABEL, done], Normalizers(e_acc=4.0, e_vel=10.0))
    assert q_d.tolist() == pytest.approx([0.125, 0.5])
    assert q_star.tolist() == pytest.approx([0.6 * 0.61 * 0.125, 1.2 / 1.4])
    assert label_quality([], Normalizers(e_acc=1.0, e_vel=1.0)).q_star.shape == (0,)
