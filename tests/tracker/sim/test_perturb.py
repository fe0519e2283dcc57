from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.motion.rotations import quat_angle
from texedo.tracker.sim.perturb import (
    PERTURBATIONS,
    Draw,
    Perturbation,
    StateNoise,
    draw,
    find_perturbation,
    measured,
)

DEFAULT = PERTURBATIONS["default"]


def _draw(
    *, seed: int = 0, clip: str = "walk", index: int = 0, frames: int = 300
) -> Draw:
    return draw(DEFAULT, seed=seed, clip=clip, index=index, num_frames=frames)


def _same(a: Draw, b: Draw) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40), index=st.integers(0, 9), frames=st.integers(3, 2000))
def test_every_draw_lies_within_the_ranges(seed: int, index: int, frames: int) -> None:
    robot = draw(DEFAULT, seed=seed, clip="c", index=index, num_frames=frames)
    assert 0.4 <= robot.sole_friction <= 1.0
    assert 0.9 <= robot.torso_mass <= 1.1
    assert robot.torso_com.shape == (3,) and np.abs(robot.torso_com).max() <= 0.03
    assert robot.motor_strength.shape == (29,)
    assert np.abs(robot.motor_strength - 1).max() <= 0.1
    assert 0 <= robot.delay <= 4
    assert robot.push_vel_w.shape == (len(robot.push_frames), 2)
    assert (np.linalg.norm(robot.push_vel_w, axis=1) <= 0.4 + 1e-12).all()
    waits = np.diff(np.concatenate(([0], robot.push_frames)))
    assert ((waits >= 99) & (waits <= 201)).all()  # 2 to 4 s of 50 frames, rounded
    assert (robot.push_frames < frames - 1).all()
    assert robot.noise.shape == (frames, 70)
    assert (np.abs(robot.noise) <= StateNoise().widths()).all()


def test_draws_fill_their_ranges() -> None:
    robots = [_draw(index=i) for i in range(300)]
    friction = np.array([r.sole_friction for r in robots])
    assert friction.min() < 0.42 and friction.max() > 0.98
    assert {r.delay for r in robots} == {0, 1, 2, 3, 4}
    strength = np.array([r.motor_strength for r in robots])
    assert strength.min() < 0.901 and strength.max() > 1.099
    assert all(len(r.push_frames) in (1, 2) for r in robots)  # 6 s


def test_a_draw_can_be_repeated() -> None:
    assert _same(_draw(), _draw())


@pytest.mark.parametrize(
    "other", [{"seed": 1}, {"clip": "run"}, {"index": 1}], ids=["seed", "clip", "index"]
)
def test_seed_clip_and_number_each_give_another_robot(other: dict[str, object]) -> None:
    a, b = _draw(), _draw(**other)  # type: ignore[arg-type]
    assert a.sole_friction != b.sole_friction
    assert not np.array_equal(a.noise[0], b.noise[0])


def test_the_noise_of_a_frame_does_not_depend_on_the_length_of_the_motion() -> None:
    np.testing.assert_array_equal(_draw(frames=300).noise[:50], _draw(frames=50).noise)


def test_known_numbers_do_not_change() -> None:
    # Labels rest on them: a change here needs a new oracle version.
    robot = _draw()
    assert robot.sole_friction == pytest.approx(0.8860128, abs=1e-6)
    assert robot.delay == 2


def test_there_are_no_pushes_in_a_short_motion() -> None:
    assert len(_draw(frames=50).push_frames) == 0


def test_measurements_err_where_the_noise_says() -> None:
    qpos, qvel = np.zeros((1, 36)), np.zeros((1, 35))
    qpos[:, 3] = 1.0
    noise = np.zeros((1, 70))
    noise[0, 2], noise[0, 5], noise[0, 6], noise[0, 10] = 0.1, 0.05, 0.3, 0.2
    noise[0, 12], noise[0, 41] = 0.01, 0.5
    seen_pos, seen_vel = measured(qpos, qvel, noise)
    assert seen_pos[0, 2] == 0.1
    assert quat_angle(seen_pos[0, 3:7], qpos[0, 3:7]) == pytest.approx(0.05)
    assert seen_vel[0, 0] == 0.3 and seen_vel[0, 4] == 0.2
    assert seen_pos[0, 7] == 0.01 and seen_vel[0, 6] == 0.5
    assert np.count_nonzero(seen_vel) == 3


def test_a_perturbation_is_found_by_name_or_taken_as_it_is() -> None:
    mine = Perturbation(name="mine", draws=2)
    assert find_perturbation(mine) is mine
    assert find_perturbation("default").draws == 5
    with pytest.raises(ValueError, match="There is no perturbation 'storm'"):
        find_perturbation("storm")
