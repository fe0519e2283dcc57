"""Wrists that move, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.reference_clips import packed, standing_qpos
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.synth.wrists import WRISTS, move_wrists
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

COLUMNS = [7 + joint for joint in WRISTS]


def clips(count: int = 40) -> PackedClips:
    return packed(*[standing_qpos(30)] * count)


def test_six_joints_are_wrists() -> None:
    assert len(WRISTS) == 6


def test_only_wrists_move_and_they_stay_in_range() -> None:
    before, after = clips(), move_wrists(clips(), share=1.0)
    others = [c for c in range(36) if c not in COLUMNS]
    np.testing.assert_array_equal(before.qpos[:, others], after.qpos[:, others])
    angles = after.qpos[:, COLUMNS]
    assert (angles >= JOINT_LOWER[list(WRISTS)]).all()
    assert (angles <= JOINT_UPPER[list(WRISTS)]).all()
    assert 0.3 < angles.std() < 0.8


def test_a_share_of_the_clips_is_left_as_it_was() -> None:
    after = move_wrists(clips(400), share=0.5)
    moved = [
        bool(np.any(after.motion(i).joint_pos[:, list(WRISTS)])) for i in range(400)
    ]
    assert 160 <= sum(moved) <= 240
    np.testing.assert_array_equal(move_wrists(clips(), share=0.0).qpos, clips().qpos)


def test_a_clip_gets_the_same_wrists_whatever_clips_are_beside_it() -> None:
    all_of_them, some = move_wrists(clips(), share=1.0), clips().pick([7, 3])
    np.testing.assert_array_equal(
        move_wrists(some, share=1.0).motion(0).joint_pos,
        all_of_them.motion(7).joint_pos,
    )


def test_a_share_beyond_one_is_refused() -> None:
    with pytest.raises(ValueError, match="share must be between 0 and 1, got 1.5"):
        move_wrists(clips(), share=1.5)
