"""The ends of a decoded clip: what the decoder's padding did to them is gone."""

import numpy as np
import pytest

from texedo.data.corpus.sample import load_sample
from texedo.learning.features import JOINTS, NUM_FEATURES, VELOCITY
from texedo.motion import FPS

pytest.importorskip("torch")

from texedo.checkpoints.bundled import TOKENIZER, bundled_folder
from texedo.text.tokenizer.ends import SPAN, without_padding_trace
from texedo.text.tokenizer.tokenizer import load_tokenizer


def clip(frames: int) -> np.ndarray:
    """The first joint turns by 1 a frame, and the robot walks at 2 m/s."""
    features = np.zeros((frames, NUM_FEATURES), dtype=np.float32)
    features[:, JOINTS.start] = np.arange(frames)
    features[:, VELOCITY.start] = 2.0
    return features


def test_five_frames_are_left_out_and_twenty_fill_their_place() -> None:
    out = without_padding_trace(clip(100))
    joint = out[:, JOINTS.start]
    # source(t) = 5 + t / 2 + t^2 / 80
    assert joint[[0, 4, 12, 20]].tolist() == pytest.approx([5.0, 7.2, 12.8, 20.0])
    assert joint[[99, 95, 87, 79]].tolist() == pytest.approx([94.0, 91.8, 86.2, 79.0])
    assert SPAN == 20
    assert np.array_equal(out[20:80], clip(100)[20:80])


def test_the_walk_slows_down_with_the_joints() -> None:
    speed = without_padding_trace(clip(100))[:, VELOCITY.start]
    assert speed[[0, 10, 20, 50, 79, 89, 99]].tolist() == pytest.approx(
        [1.0, 1.5, 2.0, 2.0, 2.0, 1.5, 1.0]
    )


def test_a_clip_of_one_code_stays_and_a_short_one_leaves_out_less() -> None:
    assert np.array_equal(without_padding_trace(clip(4)), clip(4))
    joint = without_padding_trace(clip(16))[:, JOINTS.start]
    assert joint[0] == pytest.approx(2.0) and joint[-1] == pytest.approx(13.0)
    assert (np.diff(joint) > 0).all()


def test_decoded_clips_begin_and_end_no_rougher_than_they_go_on() -> None:
    sample = load_sample()
    tokenizer = load_tokenizer(bundled_folder(TOKENIZER, otherwise=""))
    clips = [sample.frames(i) for i in range(12)]
    decoded = tokenizer.decode(tokenizer.encode_qpos(clips))
    bends = [np.abs(np.diff(qpos[:, 7:], n=2, axis=0)).max(1) for qpos in decoded]
    middle = np.mean([bend[SPAN:-SPAN].mean() for bend in bends]) * FPS**2
    first = np.mean([bend[0] for bend in bends]) * FPS**2
    last = np.mean([bend[-1] for bend in bends]) * FPS**2
    # With the frames that the padding reaches it is 7 and 12 times as much.
    assert first < middle and last < middle
