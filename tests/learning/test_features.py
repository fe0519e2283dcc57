"""Features of a frame: exact there and back, blind to place and heading."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.learning.features import (
    HEADING,
    HEIGHT,
    JOINTS,
    MIRROR_INDEX,
    NUM_FEATURES,
    UP,
    VELOCITY,
    features_from_qpos,
    mirror_features,
    qpos_from_features,
)
from texedo.motion import Motion
from texedo.motion.rotations import quat_angle, quat_from_yaw, quat_yaw
from texedo.robot.mirror import mirror_qpos


def walking(frames: int = 51, *, speed: float = 1.0, yaw: float = 0.0) -> Motion:
    """Straight ahead at `speed` [m/s], upright, 0.75 m high."""
    far = np.arange(frames)[:, None] / 50 * speed
    path = far * [[np.cos(yaw), np.sin(yaw)]]
    return Motion(
        root_pos_w=np.concatenate((path, np.full((frames, 1), 0.75)), axis=1),
        root_quat_w=np.tile(quat_from_yaw(np.array(yaw)), (frames, 1)),
        joint_pos=np.zeros((frames, 29)),
    )


def test_a_walk_of_one_metre_a_second_reads_as_such_in_any_direction() -> None:
    for yaw in (0.0, 0.7, -2.0, np.pi):
        features = features_from_qpos(walking(yaw=yaw).to_qpos())
        assert features.shape == (51, 37)
        assert features[:, HEIGHT] == pytest.approx(0.75)
        assert features[:, UP] == pytest.approx(np.tile([0, 0, 1], (51, 1)), abs=1e-6)
        assert features[:, HEADING] == pytest.approx(np.tile([1, 0], (51, 1)), abs=1e-6)
        assert features[:, VELOCITY] == pytest.approx(
            np.tile([1, 0], (51, 1)), abs=1e-4
        )


def test_a_walk_of_one_second_ends_a_metre_ahead_of_the_origin() -> None:
    qpos = qpos_from_features(features_from_qpos(walking(yaw=2.0).to_qpos()))
    assert qpos[0, :3] == pytest.approx([0, 0, 0.75], abs=1e-6)
    assert qpos[-1, :3] == pytest.approx([1, 0, 0.75], abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60))
def test_features_and_back_is_the_motion_put_at_the_origin(
    seed: int, frames: int
) -> None:
    motion = random_motion(seed, frames)
    qpos = qpos_from_features(features_from_qpos(motion.to_qpos()))
    start = motion.root_pos_w[0]
    yaw = quat_yaw(motion.root_quat_w[:1].astype(np.float64))[0]
    c, s = np.cos(-yaw), np.sin(-yaw)
    xy = (motion.root_pos_w[:, :2] - start[:2]) @ np.array([[c, s], [-s, c]])
    assert np.abs(qpos[:, :2] - xy).max() < 1e-4
    assert np.abs(qpos[:, 2] - motion.root_pos_w[:, 2]).max() < 1e-6
    assert np.abs(qpos[:, 7:] - motion.joint_pos).max() == 0.0
    there = features_from_qpos(qpos)
    assert np.abs(there - features_from_qpos(motion.to_qpos())).max() < 2e-3


def test_the_heading_is_kept_over_many_turns() -> None:
    frames = 1000
    yaw = np.linspace(0, 6 * np.pi, frames)
    motion = Motion(
        root_pos_w=np.tile([0, 0, 0.75], (frames, 1)),
        root_quat_w=quat_from_yaw(yaw),
        joint_pos=np.zeros((frames, 29)),
    )
    qpos = qpos_from_features(features_from_qpos(motion.to_qpos()))
    quat = motion.root_quat_w.astype(np.float64)
    assert quat_angle(qpos[:, 3:7].astype(np.float64), quat).max() < 1e-5


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_mirrored_features_are_the_features_of_the_mirrored_motion(seed: int) -> None:
    qpos = random_motion(seed, 30).to_qpos()
    expected = features_from_qpos(mirror_qpos(qpos))
    found = mirror_features(features_from_qpos(qpos))
    assert np.abs(found - expected).max() < 1e-4
    assert found.dtype == np.float32
    assert sorted(MIRROR_INDEX) == list(range(NUM_FEATURES))


def test_a_broken_heading_still_gives_finite_poses() -> None:
    features = np.zeros((8, 37), dtype=np.float32)
    assert np.isfinite(qpos_from_features(features)).all()


def test_one_frame_has_features_and_stands_still() -> None:
    features = features_from_qpos(walking().to_qpos()[:1])
    assert features.shape == (1, 37)
    assert (features[:, VELOCITY] == 0).all()
    assert qpos_from_features(features)[0, 7:].tolist() == [0.0] * 29
    assert features[:, JOINTS].shape == (1, 29)


def test_torch_agrees_with_numpy_on_path_heading_and_tilt() -> None:
    torch = pytest.importorskip("torch")
    from texedo.learning import features_torch as twin
    from texedo.motion.rotations import quat_multiply, quat_to_matrix

    qpos = random_motion(5, 80).to_qpos()
    features = features_from_qpos(qpos)
    back = qpos_from_features(features).astype(np.float64)
    tensor = torch.as_tensor(features)[None]
    path = twin.path_from_start(tensor)[0].numpy()
    assert np.abs(path - back[:, :2]).max() < 1e-4
    yaw = quat_yaw(back[:, 3:7])
    heading = twin.heading_from_start(tensor)[0].numpy()
    assert np.abs(heading - np.stack((np.cos(yaw), np.sin(yaw)), -1)).max() < 1e-4
    tilt = quat_to_matrix(quat_multiply(quat_from_yaw(-yaw), back[:, 3:7]))
    assert np.abs(twin.tilt_matrix(tensor)[0].numpy() - tilt).max() < 1e-4


def test_augmented_windows_keep_the_speed_and_turn_the_heading() -> None:
    torch = pytest.importorskip("torch")
    from texedo.text.learn.tokenizer.augment import Augment, Shares

    features = torch.as_tensor(features_from_qpos(random_motion(1, 40).to_qpos()))
    generator = torch.Generator().manual_seed(0)
    augment = Augment("cpu", Shares(random_yaw=1.0))
    windows = augment(features.repeat(64, 1, 1), generator)
    speed = features[:, VELOCITY].norm(dim=-1)
    assert torch.allclose(windows[..., VELOCITY].norm(dim=-1), speed, atol=1e-5)
    assert torch.allclose(windows[..., HEADING].norm(dim=-1), torch.ones(64, 40))
    start = torch.atan2(windows[:, 0, 5], windows[:, 0, 4])
    assert start.min() < -2 and start.max() > 2
    mirrored = (windows[:, :, 7] * features[:, 7] < -1e-6).any(dim=1)
    assert 16 < int(mirrored.sum()) < 48
    quarter = Augment("cpu", Shares(random_yaw=0.25))
    some = quarter(features.repeat(64, 1, 1), generator)
    turned = some[:, 0, HEADING.start] < 1 - 1e-6
    assert 4 < int(turned.sum()) < 32


def test_mixed_windows_take_the_upper_body_of_their_neighbour() -> None:
    torch = pytest.importorskip("torch")
    from texedo.text.learn.tokenizer.augment import UPPER, Augment, Shares

    # 8 numbers of the root and 12 joints of the legs come first.
    assert (UPPER.start, UPPER.stop) == (20, 37)
    windows = torch.arange(4.0)[:, None, None].repeat(1, 5, 37)
    augment = Augment("cpu", Shares(mirror=0.0, mix=1.0))
    mixed = augment(windows.clone(), torch.Generator().manual_seed(0))
    assert mixed[:, 0, 19].tolist() == [0, 1, 2, 3]
    assert mixed[:, 0, 20].tolist() == [3, 0, 1, 2]
    assert torch.equal(mixed[..., :20], windows[..., :20])


def test_restyled_windows_change_their_joints_and_nothing_else() -> None:
    torch = pytest.importorskip("torch")
    from texedo.text.learn.tokenizer.augment import Augment, Shares

    swing = torch.sin(torch.arange(40.0))[None, :, None].repeat(200, 1, 37)
    augment = Augment("cpu", Shares(mirror=0.0, restyle=1.0))
    changed = augment(swing.clone(), torch.Generator().manual_seed(0))
    assert torch.equal(changed[..., :8], swing[..., :8])
    # Offsets and swings are cut at two standard deviations: 0.12 rad and 30 %.
    offset = (changed - swing).mean(1)[:, 8:]
    assert 0.1 < float(offset.abs().max()) <= 0.12 + 1e-5
    share = changed[..., 8:].std(1) / swing[..., 8:].std(1)
    assert 0.7 - 1e-5 < float(share.min()) < 0.75 < 1.25 < float(share.max()) < 1.31
