"""Clips in memory, back to back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from texedo.data.corpus.packed_clips import PackedClips, join_clips


@pytest.fixture
def clips() -> PackedClips:
    return packed(
        standing_qpos(60),
        wavy_qpos(70),
        standing_qpos(30),
        standing_qpos(25),
        splits=("train", "train", "val", "val"),
    )


def test_clips_are_selected_by_split_kind_and_family(clips: PackedClips) -> None:
    clips = replace(clips, kinds=("captured", "captured", "authored", "captured"))
    assert clips.select(split="val") == [2, 3]
    assert clips.select(split="val", kind="captured") == [3]
    assert clips.select(family=("wave",)) == [1, 3]
    assert clips.select() == [0, 1, 2, 3]


def test_picked_clips_keep_their_frames_and_names(clips: PackedClips) -> None:
    picked = clips.pick([3, 1])
    assert picked.ids == ("clip3", "clip1") and picked.lengths.tolist() == [25, 70]
    assert picked.starts.tolist() == [0, 25]
    np.testing.assert_array_equal(picked.frames(1), clips.qpos[60:130])


def test_the_mirror_image_of_a_mirror_image_is_the_clip(clips: PackedClips) -> None:
    both = clips.with_mirrored()
    assert len(both) == 8 and both.ids[5] == "clip1~mirrored"
    assert both.kinds == ("captured",) * 4 + ("mirrored",) * 4
    twice = both.pick(range(4, 8)).with_mirrored().pick(range(4, 8))
    np.testing.assert_allclose(twice.qpos, clips.qpos, atol=1e-7)


def test_joined_clips_follow_one_another() -> None:
    joined = join_clips(
        [packed(standing_qpos(5), standing_qpos(7)), packed(standing_qpos(4))]
    )
    assert joined.ids == ("clip0", "clip1", "clip0")
    assert joined.starts.tolist() == [0, 5, 12]


def test_a_clip_without_a_split_is_a_mistake(clips: PackedClips) -> None:
    with pytest.raises(ValueError, match="one per clip"):
        replace(clips, splits=("train",))
