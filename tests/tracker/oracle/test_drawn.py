"""Robots drawn on a device against those that numpy draws one by one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.support.warp import need_warp
from texedo.robot.mjcf import SOLE_FRICTION
from texedo.tracker.oracle.drawn import draw_robots
from texedo.tracker.sim.perturb import Perturbation, draw, robot_keys
from texedo.tracker.sim.philox import Streams

CPU = torch.device("cpu")
CLIPS = ("walk", "wave", "a longer clip")
LENGTHS = (90, 251, 700)
RANGES = Perturbation(draws=2)


def test_the_numbers_are_those_of_one_robot_drawn_alone() -> None:
    keys = robot_keys(CLIPS, draws=2, seed=5).reshape(-1, 3, 2)
    robots = draw_robots(RANGES, keys, np.repeat(LENGTHS, 2), device=CPU)
    frame = torch.tensor([0, 1, 7, 250, 11, 42])
    noise = Streams(robots.noise_keys, frame, width=70)
    noise.read()
    for i in range(6):
        clip, frames = CLIPS[i // 2], LENGTHS[i // 2]
        one = draw(RANGES, seed=5, clip=clip, index=i % 2, num_frames=frames)
        body = robots.domain
        assert float(body.friction[i]) == pytest.approx(one.sole_friction)
        assert float(body.torso_mass[i]) == pytest.approx(one.torso_mass)
        np.testing.assert_allclose(body.torso_com[i], one.torso_com, atol=1e-8)
        np.testing.assert_allclose(
            body.motor_strength[i], one.motor_strength, rtol=1e-6
        )
        assert int(body.delay[i]) == one.delay
        felt = robots.push_frames[i] >= 0
        assert robots.push_frames[i][felt].tolist() == one.push_frames.tolist()
        np.testing.assert_allclose(robots.push_vel[i][felt], one.push_vel_w, atol=1e-7)
        if frame[i] < frames:
            half = noise.uniform()[i].numpy() * 2 - 1
            wanted = one.noise[frame[i]]
            np.testing.assert_array_equal(half * RANGES.noise.widths(), wanted)


def test_a_robot_depends_on_its_clip_and_not_on_its_place() -> None:
    keys = robot_keys(CLIPS, draws=2, seed=0)
    turned = robot_keys(CLIPS[::-1], draws=2, seed=0)
    np.testing.assert_array_equal(keys[::-1], turned)
    assert len(np.unique(keys.reshape(-1, 2), axis=0)) == 3 * 2 * 3
    assert not (robot_keys(CLIPS, draws=2, seed=1) == keys).any()


def test_a_nominal_robot_among_them_is_not_perturbed() -> None:
    keys = robot_keys(CLIPS[:1], draws=2, seed=0)[0]
    robots = draw_robots(
        RANGES,
        keys,
        np.array([400, 400]),
        device=CPU,
        nominal=np.array([True, False]),
    )
    assert float(robots.domain.friction[0]) == pytest.approx(SOLE_FRICTION)
    assert robots.domain.motor_strength[0].tolist() == [1.0] * 29
    assert int(robots.domain.delay[0]) == 0
    assert (robots.push_frames[0] == -1).all() and (robots.push_frames[1] > 0).any()
    assert not robots.noise_widths[0].any() and robots.noise_widths[1].all()


@pytest.mark.xdist_group("warp")
@pytest.mark.filterwarnings("ignore")  # Warp speaks of missing CUDA drivers.
def test_the_kernel_of_the_gpu_makes_the_same_bits() -> None:
    need_warp()
    from texedo.tracker.sim.philox_warp import block_reader

    keys = torch.from_numpy(robot_keys(CLIPS, draws=1, seed=0)[:, 0, 2].copy())
    frame = torch.tensor([0, 3, 1001])
    streams = Streams(keys, frame, width=70)
    bits = torch.zeros(3, 72, dtype=torch.int64)
    read = block_reader(keys, frame, bits, width=70)
    for _ in range(2):
        streams.read()
        read()
        odd = (frame % 2 == 1)[:, None]
        got = torch.where(odd, bits[:, 2:], bits[:, :70])
        assert torch.equal(got, streams.bits())
        frame += 1  # Both follow the robots to their next frame.
