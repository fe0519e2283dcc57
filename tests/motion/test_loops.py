"""Where a motion comes back to a posture it can be cut short, or do it again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.events_moves import Pose, bump, squat_angles, walk
from texedo.data.events import measure
from texedo.data.events.types import Squat
from texedo.motion import FPS, Motion
from texedo.motion.loops import Loop, find_loops, repeated, without
from texedo.motion.rotations import quat_rotate, quat_yaw

Floats = NDArray[np.float64]


def poses(motion: Motion) -> Floats:
    return motion.to_qpos().astype(np.float64)


@pytest.fixture(scope="module")
def squats() -> Floats:
    """Three squats of 1.2 s, 0.3 s of standing before and after each."""
    pose = Pose().stand(0.3)
    for _ in range(3):
        pose = pose.phase(1.2, **squat_angles(0.9)).stand(0.3)
    return poses(pose.motion())


def squats_in(qpos: Floats) -> int:
    events = measure(Motion.from_qpos(qpos)).events
    return sum(e.count for e in events if isinstance(e, Squat))


def test_a_loop_lasts_as_long_as_what_is_done_again_and_again(squats: Floats) -> None:
    lengths = {loop.frames for loop in find_loops(squats, most=8)}
    assert any(abs(frames - 75) <= 1 for frames in lengths)  # 1.5 s
    assert any(abs(frames - 150) <= 1 for frames in lengths)  # twice
    assert all(frames >= 12 for frames in lengths)


def test_without_a_loop_there_is_one_squat_less_and_with_it_twice_two_more(
    squats: Floats,
) -> None:
    (loop,) = [x for x in find_loops(squats, most=8) if abs(x.frames - 75) <= 1]
    assert squats_in(squats) == 3
    assert squats_in(without(squats, loop)) == 2
    assert squats_in(repeated(squats, loop, 2)) == 5
    assert len(without(squats, loop)) == len(squats) - loop.frames
    assert len(repeated(squats, loop, 2)) == len(squats) + 2 * loop.frames


def test_nothing_but_a_third_of_a_second_is_changed(squats: Floats) -> None:
    loop = next(loop for loop in find_loops(squats, most=9) if loop.start >= 8)
    edited = without(squats, loop)
    np.testing.assert_array_equal(edited[: loop.start - 8], squats[: loop.start - 8])
    joints = squats[loop.end + 9 :, 7:]
    np.testing.assert_array_equal(edited[-len(joints) :, 7:], joints)


def test_a_walk_goes_on_from_where_it_is_and_no_frame_jumps() -> None:
    qpos = poses(walk(8).motion())
    fastest = np.abs(np.diff(qpos[:, :2], axis=0)).max()
    for loop in find_loops(qpos, most=4):
        for edited in (without(qpos, loop), repeated(qpos, loop, 3)):
            assert np.abs(np.diff(edited[:, :2], axis=0)).max() < fastest + 0.01
            assert np.abs(np.diff(edited[:, 7:], axis=0)).max() * FPS < 15


def test_a_step_of_a_turn_left_out_is_a_smaller_turn() -> None:
    pose = Pose().stand(0.5)
    for _ in range(4):
        for foot, side in enumerate(("right", "left")):
            lifted = {f"{side}_knee": bump, f"{side}_hip_pitch": lambda n: -bump(n)}
            pose = pose.phase(0.4, plant=foot, turn=np.pi / 8, **lifted)
    qpos = poses(pose.stand(0.5).motion())
    loop = min(find_loops(qpos, most=8), key=lambda x: abs(x.frames - 40))
    yaw = np.degrees(np.unwrap(quat_yaw(without(qpos, loop)[:, 3:7])))
    assert loop.frames == pytest.approx(40, abs=2)
    assert yaw[-1] - yaw[0] == pytest.approx(180 - 45, abs=4)


def test_place_and_heading_of_the_start_play_no_part(squats: Floats) -> None:
    moved = squats.copy()
    moved[:, :2] = [3.0, -2.0] + squats[:, :2][:, ::-1] * [-1, 1]
    quarter = np.array([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    moved[:, :3] = quat_rotate(quarter, squats[:, :3]) + [3.0, -2.0, 0.0]
    w, x, y, z = squats[:, 3:7].T
    half = np.sqrt(0.5)
    turned = (half * (w - z), half * (x - y), half * (x + y), half * (w + z))
    moved[:, 3:7] = np.stack(turned, axis=1)
    for a, b in zip(find_loops(squats, most=5), find_loops(moved, most=5), strict=True):
        assert a[:2] == b[:2] and a.apart == pytest.approx(b.apart, abs=1e-6)


def test_what_never_comes_back_and_what_is_too_short_has_no_loop() -> None:
    rising = np.zeros((200, 36))
    rising[:, 3] = 1.0
    rising[:, 2] = np.linspace(0.3, 15.0, 200)
    assert find_loops(rising, most=5) == []
    for frames in (2, 8, 9, 20):
        assert find_loops(rising[:frames], most=5) == []


def test_a_loop_at_the_very_edge_is_joined_without_passing_over() -> None:
    qpos = np.zeros((40, 36))
    qpos[:, 2], qpos[:, 3] = 0.75, 1.0
    assert len(without(qpos, Loop(0, 20, 0.0))) == 20
    assert len(repeated(qpos, Loop(0, 39, 0.0), 2)) == 40 + 78


def test_who_stands_or_drifts_comes_back_from_nowhere() -> None:
    drifting = np.zeros((200, 36))
    drifting[:, 2], drifting[:, 3] = 0.75, 1.0
    drifting[:, 0] = np.linspace(0.0, 0.4, 200)
    drifting[:, 20] = np.linspace(0.0, 0.6, 200)  # One joint, slowly.
    assert find_loops(drifting, most=5) == []
