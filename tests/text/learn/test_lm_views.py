"""Views of a clip: the same motion, other frames, nothing that a caption tells."""

import numpy as np
import pytest

from texedo.learning.features import features_from_qpos
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_LOWER, JOINT_NAMES, JOINT_UPPER
from texedo.text.learn.lm.views import view_of

ARMS = slice(JOINT_NAMES.index("left_shoulder_pitch_joint"), 29)
BODY = slice(0, ARMS.start)


def walk(frames: int = 200) -> Motion:
    """One metre per second forward, turning slowly; all joints swing by 0.2 rad."""
    time = np.arange(frames)[:, None] / 50
    qpos = np.zeros((frames, 36))
    qpos[:, 0] = time[:, 0]
    qpos[:, 2] = 0.75
    yaw = 0.1 * time[:, 0]
    qpos[:, 3], qpos[:, 6] = np.cos(yaw / 2), np.sin(yaw / 2)
    middle = (JOINT_LOWER + JOINT_UPPER) / 2
    qpos[:, 7:] = middle + 0.2 * np.sin(6 * time + np.arange(29))
    return Motion.from_qpos(qpos)


def test_view_0_is_the_clip_and_the_next_three_begin_later() -> None:
    motion = walk()
    assert view_of(motion, 0, (0, 1), flies=False) == motion
    for view in (1, 2, 3):
        later = view_of(motion, view, (0, 1), flies=False)
        assert np.array_equal(later.to_qpos(), motion.to_qpos()[view:])


def test_a_clip_of_22_frames_can_lose_two_and_not_three() -> None:
    motion = walk(22)
    lengths = [len(view_of(motion, v, (0, 1), flies=False)) for v in range(4)]
    assert lengths == [22, 21, 20, 22]


def test_further_views_take_ten_percent_more_or_less_time_for_the_same_way() -> None:
    motion = walk()
    lengths = []
    for view in range(4, 40):
        other = view_of(motion, view, (0, 1), flies=False)
        lengths.append(len(other))
        assert (199 - 3) / 1.1 - 1 <= len(other) - 1 <= 199 * 1.1
        assert other.root_pos_w[-1, 0] == pytest.approx(3.98, abs=0.03)
    assert min(lengths) < 190 < 206 < max(lengths)


def test_a_flight_keeps_its_pace_and_legs_and_waist_their_angles() -> None:
    motion = walk()
    for view in range(4, 20):
        other = view_of(motion, view, (0, 1), flies=True)
        lost = len(motion) - len(other)
        assert 0 <= lost <= 3
        same = Motion.from_qpos(motion.to_qpos()[lost:])
        assert np.array_equal(other.root_pos_w, same.root_pos_w)
        assert np.array_equal(other.root_quat_w, same.root_quat_w)
        assert np.array_equal(other.joint_pos[:, BODY], same.joint_pos[:, BODY])
        change = np.abs(other.joint_pos[:, ARMS] - same.joint_pos[:, ARMS])
        # Two standard deviations of the offset, and of the swing: 0.08 + 0.2 * 0.2.
        assert 0.01 < change.max() < 0.125


def test_arms_stay_within_their_limits() -> None:
    qpos = walk().to_qpos()
    qpos[:, 7:] = JOINT_UPPER
    other = view_of(Motion.from_qpos(qpos), 4, (0, 1), flies=True)
    assert (other.joint_pos[:, ARMS] <= JOINT_UPPER[ARMS] + 1e-6).all()


def test_chance_depends_on_the_key_and_the_number_alone() -> None:
    motion = walk()
    first, again = (view_of(motion, 5, (0, 1), flies=False) for _ in range(2))
    assert first == again
    for view, key in ((6, (0, 1)), (5, (1, 1)), (5, (0, 2))):
        assert view_of(motion, view, key, flies=False) != first


def test_every_view_faces_ahead_at_its_start_for_the_tokenizer() -> None:
    motion = walk()
    for view in (0, 3, 5):
        features = features_from_qpos(
            view_of(motion, view, (0, 1), flies=False).to_qpos()
        )
        assert features[0, 4:6] == pytest.approx([1.0, 0.0])
