"""Who is learned from and who is tested on."""

from __future__ import annotations

from collections import Counter

from texedo.data.capture.cmu import SPLITS
from texedo.data.corpus.splits import SplitCfg, assign_splits, place_group, split_faults
from texedo.data.corpus.store import Clip


def clip(name: str, split: str, **values: object) -> Clip:
    fields = {
        "id": name,
        "trial": name,
        "subject": name.split("_")[0],
        "start": 0.0,
        "end": 2.0,
        "first_frame": 0,
        "num_frames": 100,
        "family": "walk",
        "split": split,
        "group": name,
    }
    return Clip(**(fields | values))  # type: ignore[arg-type]


def test_recordings_of_a_group_share_their_split() -> None:
    groups = {f"{s}_{t:02d}": f"01_{t:02d}" for s in ("01", "02") for t in range(99)}
    subjects = {trial: trial[:2] for trial in groups}
    splits = assign_splits(groups, subjects, cfg=SplitCfg())
    assert all(splits[f"01_{t:02d}"] == splits[f"02_{t:02d}"] for t in range(99))


def test_nothing_moves_when_recordings_are_added_or_rejected() -> None:
    names = [f"{s}_{t}" for s in range(20) for t in range(20)]
    subjects = {name: name.split("_")[0] for name in names}
    whole = assign_splits({n: n for n in names}, subjects, cfg=SPLITS)
    half = assign_splits({n: n for n in names[::2]}, subjects, cfg=SPLITS)
    assert all(whole[name] == split for name, split in half.items())


def test_the_parts_have_the_sizes_asked_for() -> None:
    cfg = SplitCfg(seed=3, test=0.1, val=0.05)
    counts = Counter(place_group(f"group {i}", cfg) for i in range(4000))
    assert abs(counts["test"] / 4000 - 0.1) < 0.02
    assert abs(counts["val"] / 4000 - 0.05) < 0.02


def test_a_held_out_subject_is_in_no_other_split() -> None:
    names = [f"{s}_{t}" for s in range(9) for t in range(9)]
    subjects = {name: name[0] for name in names}
    cfg = SplitCfg(test_subjects=("4",))
    splits = assign_splits({n: n for n in names}, subjects, cfg=cfg)
    assert {n[0] for n, s in splits.items() if s == "test-subject"} == {"4"}
    assert all(splits[f"4_{t}"] == "test-subject" for t in range(9))


def test_a_person_with_two_numbers_is_held_out_under_both() -> None:
    groups = {"1_1": "1_1", "2_1": "1_1", "2_2": "2_2", "3_1": "3_1", "9_1": "9_1"}
    subjects = {trial: trial[0] for trial in groups}
    skeletons = {"1_1": "a", "2_1": "b", "2_2": "b", "3_1": "b", "9_1": "c"}
    cfg = SplitCfg(test=0.0, val=0.0, test_subjects=("1",))
    splits = assign_splits(groups, subjects, skeletons=skeletons, cfg=cfg)
    # 2 shares a recording with 1, and 3 has the skeleton of 2.
    assert {t for t, s in splits.items() if s == "train"} == {"9_1"}


def test_sound_splits_have_no_faults() -> None:
    clips = [clip("1_1", "train"), clip("1_2", "test"), clip("2_1", "test-subject")]
    clips.append(clip("m", "test", subject="1", parents=("1_2",)))
    assert split_faults(clips) == []


def test_every_leak_is_named() -> None:
    leaks = [
        [clip("1_1", "train", group="g"), clip("2_1", "test", group="g")],
        [clip("1_1", "train"), clip("1_2", "test-subject")],
        [clip("1_1", "train"), clip("m", "test", parents=("1_1",))],
        [clip("1_1", "dev")],
    ]
    words = ["group g", "subject 1", "its source 1_1", "no split"]
    for clips, word in zip(leaks, words, strict=True):
        (fault,) = split_faults(clips)
        assert word in fault
