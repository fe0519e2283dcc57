"""A corpus of a few dozen short clips with captions, for motions to try."""

from dataclasses import replace
from pathlib import Path

from tests.support.motions import random_motion
from tests.support.small_clips import small_clip
from texedo.data.corpus.store import Clip, write_corpus

COUNTS = {"train": 20, "val": 6, "test": 6, "test-subject": 4}


def trial_corpus(folder: Path, frames: int = 60) -> Path:
    """Clips of all splits with two captions each; all of them say "walk", too."""
    clips: list[Clip] = []
    for split, count in COUNTS.items():
        for i in range(count):
            clip = small_clip(f"{split}-{i}", frames, split)
            texts = ("walk", f"{split} walk {i}", f"{split} jump {i}")
            family = "jump" if i % 2 else "walk"
            clips.append(replace(clip, captions=texts, family=family))
    poses = [random_motion(i, c.num_frames).to_qpos() for i, c in enumerate(clips)]
    write_corpus(folder, clips, poses)
    return folder
