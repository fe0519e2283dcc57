"""Motions to try and their labels come back from disk as they were written."""

import math
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.core.errors import FileFormatError
from texedo.data.corpus.trials import (
    Trial,
    TrialLabels,
    TrialPart,
    labels_folder,
    read_labels,
    read_rollouts,
    read_trials,
    trial_parts,
    write_labels,
    write_trials,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRIALS = st.builds(
    Trial,
    **{name: TEXT for name in ("id", "recipe", "split", "suite", "group")},
    **{name: TEXT for name in ("prompt", "family", "source")},
    settings=st.dictionaries(TEXT, st.floats(allow_nan=False), max_size=3),
)
DIGEST = "0123456789abcdef"


def trial(name: str = "a") -> Trial:
    return Trial(
        id=name,
        recipe="spoiled-tempo",
        split="train",
        suite="",
        group="g",
        prompt="",
        family="walk",
        source="cmu-01",
        settings={"tempo": 1.4},
    )


def part_of(lengths: list[int], trials: list[Trial] | None = None) -> TrialPart:
    rng = np.random.default_rng(len(lengths))
    return TrialPart(
        trials=tuple(trials or [trial(str(i)) for i in range(len(lengths))]),
        poses=[rng.normal(size=(t, 36)).astype(np.float32) for t in lengths],
    )


def labels_of(frames: list[int], draws: int = 5) -> TrialLabels:
    m = len(frames)
    tau = np.array(frames, dtype=np.int32)
    return TrialLabels(
        valid=np.ones(m, dtype=bool),
        frames=tau,
        executed=tau,
        success=np.ones(m, dtype=bool),
        reasons=np.zeros((m, 3), dtype=bool),
        limbs=np.zeros((m, 4), dtype=bool),
        e_mpjpe=np.full(m, 12.5, dtype=np.float32),
        e_vel=np.full(m, math.nan, dtype=np.float32),
        e_acc=np.full(m, math.nan, dtype=np.float32),
        perturbed_executed=np.repeat(tau[:, None], draws, axis=1),
        perturbed_success=np.ones((m, draws), dtype=bool),
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), TRIALS), min_size=1, max_size=5))
def test_any_part_comes_back_as_it_was(rows: list[tuple[int, Trial]]) -> None:
    part = part_of([t for t, _ in rows], [one for _, one in rows])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "part-00000.npz"
        write_trials(path, part)
        back = read_trials(path)
    assert back.trials == part.trials
    assert [qpos.dtype for qpos in back.poses] == [np.float32] * len(rows)
    for ours, theirs in zip(part.poses, back.poses, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(2, 500), min_size=1, max_size=6), st.integers(0, 5))
def test_any_labels_come_back_as_they_were(frames: list[int], draws: int) -> None:
    labels = labels_of(frames, draws)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "labels" / "part-00000.npz"
        write_labels(path, labels)
        back = read_labels(path)
    for name in (field.name for field in fields(TrialLabels)):
        ours, theirs = getattr(labels, name), getattr(back, name)
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("read", [read_trials, read_labels])
def test_a_file_of_something_else_is_refused_by_name(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "part-00000.npz"
    np.savez(path, other=np.zeros(3))
    with pytest.raises(FileFormatError, match=r"part-00000\.npz"):
        read(path)
    for content in (b"", path.read_bytes()[:99], b"poses"):
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=r"part-00000\.npz"):
            read(path)


def test_labels_with_a_column_of_another_length_are_refused() -> None:
    with pytest.raises(FileFormatError, match=r"limbs must be \(2, 4\)"):
        replace(labels_of([3, 4]), limbs=np.zeros((2, 3), dtype=bool))


def test_a_folder_is_read_part_by_part_where_there_are_labels(tmp_path: Path) -> None:
    for number, lengths in enumerate([[3, 4], [5], [6]]):
        write_trials(tmp_path / f"part-{number:05d}.npz", part_of(lengths))
    with pytest.raises(FileFormatError, match="found none"):
        read_rollouts(tmp_path)
    own = labels_folder(tmp_path, DIGEST)
    assert own.name == "labels-0123456789ab"
    write_labels(own / "part-00000.npz", labels_of([3, 4]))
    write_labels(own / "part-00002.npz", labels_of([6]))
    assert len(trial_parts(tmp_path)) == 3
    found = list(read_rollouts(tmp_path))
    assert [labels.frames.tolist() for _, labels in found] == [[3, 4], [6]]
    assert [len(qpos) for part, _ in found for qpos in part.poses] == [3, 4, 6]


def test_of_two_trackers_one_must_be_named(tmp_path: Path) -> None:
    write_trials(tmp_path / "part-00000.npz", part_of([3]))
    for digest in ("aaaaaaaaaaaaa", "bbbbbbbbbbbbb"):
        own = labels_folder(tmp_path, digest)
        write_labels(own / "part-00000.npz", labels_of([3]))
    with pytest.raises(FileFormatError, match="labels-aaaaaaaaaaaa, labels-bbbb"):
        read_rollouts(tmp_path)
    assert len(list(read_rollouts(tmp_path, labels=own))) == 1


def test_labels_of_other_motions_are_refused(tmp_path: Path) -> None:
    write_trials(tmp_path / "part-00000.npz", part_of([3, 4]))
    own = labels_folder(tmp_path, DIGEST)
    write_labels(own / "part-00000.npz", labels_of([3, 5]))
    with pytest.raises(FileFormatError, match="labels of other motions"):
        list(read_rollouts(tmp_path))


def test_an_empty_folder_says_what_would_fill_it(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="texedo data trials"):
        trial_parts(tmp_path)


def test_half_of_the_validation_prompts_are_reserved_and_no_others() -> None:
    def reserved(suite: str) -> float:
        trials = [
            Trial(
                id=str(i),
                recipe="candidate",
                split="val",
                suite=suite,
                group=f"prompt {i}",
                prompt="",
                family="",
                source="",
                settings={},
            )
            for i in range(400)
        ]
        return sum(trial.reserved for trial in trials) / len(trials)

    assert reserved("plain") == reserved("") == 0
    assert 0.4 < reserved("plain-val") < 0.6
