"""Clips that a tracker fails at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.reference_clips import packed, standing_qpos
from texedo.apps import cli
from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import clips_from, write_clips
from texedo.data.corpus.packed_clips import PackedClips
from texedo.tracker.learn.hard import choose_hard
from texedo.tracker.policies.open_loop import OpenLoopPolicy


@pytest.fixture
def clips() -> PackedClips:
    """Walk, wave, walk, wave; the second walk sinks into the floor. The last is val."""
    sinking = standing_qpos(30)
    sinking[10:, 2] = 0.2  # No robot follows that.
    standing = standing_qpos(30)
    splits = ("train", "train", "train", "val")
    return packed(standing, standing, sinking, standing, splits=splits)


def test_what_is_failed_at_is_kept_with_some_others_and_val(clips: PackedClips) -> None:
    hard = choose_hard(
        clips, OpenLoopPolicy(), families=["walk"], beside=["wave"], count=5
    )
    assert hard.ids == (clips.ids[2], clips.ids[1], clips.ids[3])
    assert hard.splits == ("train", "train", "val")


def test_a_tracker_that_fails_at_nothing_needs_no_training(clips: PackedClips) -> None:
    with pytest.raises(TexedoError, match="none of these 1 clips"):
        choose_hard(clips, OpenLoopPolicy(), families=["wave"], beside=[], count=0)


def test_unknown_families_are_named_with_those_there_are(clips: PackedClips) -> None:
    with pytest.raises(TexedoError, match="No clip of hop; there are walk, wave"):
        choose_hard(clips, OpenLoopPolicy(), families=["hop"], beside=[], count=0)
    with pytest.raises(TexedoError, match="No clip of waves; there are walk, wave"):
        choose_hard(
            clips, OpenLoopPolicy(), families=["walk"], beside=["waves"], count=0
        )


def test_the_command_writes_a_clip_file(clips: PackedClips, tmp_path: Path) -> None:
    write_clips(tmp_path / "all.npz", clips)
    options = ["--tracker", "open-loop", "--families", "walk"]
    out = tmp_path / "hard.npz"
    command = ["tracker", "hard", str(tmp_path / "all.npz"), "-o", str(out)]
    assert cli.main([*command, *options]) == 0
    written = clips_from(out)
    assert written.ids == (clips.ids[2], clips.ids[3])
    np.testing.assert_allclose(written.qpos[:30], clips.qpos[60:90], atol=5e-5)
