"""Motions varied for training still are what their sentences say."""

from dataclasses import replace

import numpy as np
import torch

from texedo.see.learn.semantics.augment import at_tempo, augment, hide
from texedo.see.learn.semantics.cfg import CrossTrainCfg
from texedo.see.semantics.cross.frames import BODIES, JOINTS, TURNING, VELOCITY

PLAIN = CrossTrainCfg(
    data="", text_encoder="", tempo=0.0, clip_noise=0.0, frame_noise=0.0, hidden=0.0
)


def _line(frames: int = 21) -> torch.Tensor:
    """Every number grows by 1 a frame, (1, T, 80)."""
    return torch.arange(float(frames))[None, :, None].repeat(1, 1, 80)


def test_twice_as_fast_is_half_as_long_and_has_twice_the_velocity() -> None:
    out, lengths = at_tempo(
        _line(), torch.tensor([21]), torch.tensor([2.0]), longest=1.0
    )
    assert lengths.tolist() == [11]
    np.testing.assert_allclose(out[0, :11, JOINTS], _line()[0, :21:2, JOINTS])
    np.testing.assert_allclose(out[0, :11, TURNING], 2 * _line()[0, :21:2, TURNING])
    np.testing.assert_allclose(out[0, :11, VELOCITY], 2 * _line()[0, :21:2, VELOCITY])
    assert (out[0, 11:] == 0).all()


def test_half_as_fast_has_frames_in_between() -> None:
    out, lengths = at_tempo(
        _line(5), torch.tensor([5]), torch.tensor([0.5]), longest=2.0
    )
    assert lengths.tolist() == [9]
    assert out[0, :9, 0].tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    assert out[0, :3, TURNING].tolist() == [0, 0.25, 0.5]


def test_either_joints_or_bodies_are_hidden_and_never_both() -> None:
    torch.manual_seed(0)
    mean = torch.full((80,), -7.0)
    out = hide(torch.zeros(1000, 2, 80), mean, 0.3)
    joints = (out[:, 0, JOINTS] == -7).all(1)
    bodies = (out[:, 0, BODIES] == -7).all(1)
    assert not (joints & bodies).any()
    assert abs(joints.float().mean() - 0.3) < 0.05
    assert abs(bodies.float().mean() - 0.3) < 0.05
    assert (out[:, 0, : JOINTS.start] == 0).all()


def test_an_offset_is_the_same_on_all_frames_and_nothing_is_done_unasked() -> None:
    torch.manual_seed(0)
    frames, lengths = torch.zeros(4, 6, 80), torch.full((4,), 6)
    mean, std = torch.zeros(80), torch.full((80,), 2.0)
    same, kept = augment(frames, lengths, mean, std, PLAIN)
    assert torch.equal(same, frames) and torch.equal(kept, lengths)
    cfg = replace(PLAIN, clip_noise=0.5)
    moved, _ = augment(frames, lengths, mean, std, cfg)
    assert torch.equal(moved, moved[:, :1].expand_as(moved))
    assert abs(float(moved[:, 0].std()) - 1.0) < 0.2
