"""Waits at the ends of a motion are cut short; what stands still on purpose is not."""

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.motion import FPS, Motion
from texedo.robot import g1
from texedo.text.postprocess import postprocess
from texedo.text.postprocess.idle import (
    LONGEST_WAIT,
    WAIT_KEPT,
    without_pauses,
    without_waits,
)

SHOULDER = g1.JOINT_INDEX["left_shoulder_pitch_joint"]


def swinging(
    before: float, swings: float, after: float, *, held: bool = False
) -> Motion:
    """The left arm swings forwards once a second between two waits [s].

    With `held` it stays up in the end, in front of the body.
    """
    frames = round((before + swings + after) * FPS)
    qpos = standing(frames, swing=0.0).to_qpos().astype(np.float64)
    time = np.clip(np.arange(frames) / FPS - before, 0.0, swings)
    up = 0.75 * (1 - np.cos(2 * np.pi * time))
    if held:
        up = np.where(time > swings - 0.5, 1.5, up)
    qpos[:, 7 + SHOULDER] -= up
    return Motion.from_qpos(qpos)


def test_eight_seconds_of_waiting_become_half_a_second_at_each_end() -> None:
    motion = swinging(3.0, 4.0, 5.0)
    (out,), (record,) = postprocess([motion])
    # Speeds are means over a second, so a swing is felt up to half a second away.
    assert record.start_cut == pytest.approx(3.0 - WAIT_KEPT, abs=0.6)
    assert record.end_cut == pytest.approx(5.0 - WAIT_KEPT, abs=0.6)
    cut = round((record.start_cut + record.end_cut) * FPS)
    assert len(out) == len(motion) - cut
    start = round(record.start_cut * FPS)
    kept = motion.joint_pos[start : start + len(out)]
    np.testing.assert_allclose(out.joint_pos, kept, atol=1e-6)


def test_a_short_wait_is_left_alone() -> None:
    motion = swinging(1.4, 4.0, 1.4)
    assert LONGEST_WAIT > 1.4
    (out,), (record,) = postprocess([motion])
    assert out == motion
    assert record.start_cut == record.end_cut == 0.0


def test_a_motion_that_only_stands_keeps_its_length() -> None:
    motion = standing(600, swing=0.05)
    assert without_waits(motion) == (motion, 0.0, 0.0)


def test_a_pose_that_is_held_is_no_wait() -> None:
    motion = swinging(0.2, 2.5, 5.0, held=True)
    assert without_waits(motion)[2] == 0.0


def test_a_length_that_was_asked_for_is_kept() -> None:
    motion = swinging(3.0, 4.0, 5.0)
    (out,), (record,) = postprocess([motion], keep_length=True)
    assert len(out) == len(motion)
    assert record.start_cut == record.end_cut == 0.0


def test_two_frames_are_a_motion_too() -> None:
    motion = standing(2)
    assert without_waits(motion) == (motion, 0.0, 0.0)


def pausing(seconds: float) -> Motion:
    """Two swings, a pause [s], two more."""
    two = swinging(0.0, 2.0, 0.0).to_qpos()
    still = np.repeat(two[-1:], round(seconds * FPS), axis=0)
    return Motion.from_qpos(np.concatenate((two, still, two)))


def test_a_pause_of_three_seconds_in_between_becomes_one_second_at_most() -> None:
    motion = pausing(3.0)
    out = without_pauses(motion)
    assert 4.0 < out.duration <= 5.0  # 4 s of swings, and a second of it at most.
    assert np.abs(np.diff(out.joint_pos, axis=0)).max() == pytest.approx(
        np.abs(np.diff(motion.joint_pos, axis=0)).max(), rel=0.05
    )


@pytest.mark.parametrize("motion", [pausing(0.8), swinging(2.0, 2.0, 2.0)])
def test_short_pauses_and_waits_at_the_ends_are_no_pauses(motion: Motion) -> None:
    assert without_pauses(motion) == motion
