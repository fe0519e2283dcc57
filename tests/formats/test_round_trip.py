"""Every writable format gives back what was put in."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.formats import get_format, load_motion, save_motion, writable_formats
from texedo.motion import Motion
from texedo.robot.kinematics import motion_kinematics

few = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def through_file(motion: Motion, name: str, fps: float | None) -> Motion:
    """Write and read back in one format at one rate."""
    entry = get_format(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (
            "clip" + (entry.extensions[0] if entry.extensions else "")
        )
        save_motion(motion, path, format=name, fps=fps)
        return load_motion(path, format=name, fps=fps)


@pytest.mark.parametrize("name", writable_formats())
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(2, 80))
@few
def test_the_same_rate_brings_the_same_motion_back(
    name: str, seed: int, frames: int
) -> None:
    motion = random_motion(seed, frames)
    back = through_file(motion, name, 50.0)
    assert len(back) == frames
    np.testing.assert_allclose(back.joint_pos, motion.joint_pos, atol=1e-4)
    here, there = motion_kinematics(motion), motion_kinematics(back)
    assert np.linalg.norm(here.pos_w - there.pos_w, axis=-1).max() < 1e-4
    cosine = np.abs((here.quat_w * there.quat_w).sum(axis=-1))
    assert cosine.min() > 1 - 1e-6


@pytest.mark.parametrize("name", writable_formats())
def test_another_rate_agrees_at_shared_instants(name: str) -> None:
    motion = random_motion(11, 101)  # 2 s: both rates have a frame every 0.1 s
    back = through_file(motion, name, 30.0)
    assert len(back) == 101
    shared = slice(None, None, 5)
    np.testing.assert_allclose(
        back.joint_pos[shared], motion.joint_pos[shared], atol=1e-4
    )
    here, there = motion_kinematics(motion), motion_kinematics(back)
    gap = np.linalg.norm(here.pos_w[shared] - there.pos_w[shared], axis=-1)
    assert gap.max() < 1e-4


@pytest.mark.parametrize("name", writable_formats())
def test_by_default_a_file_plays_as_long_as_the_motion(name: str) -> None:
    motion = random_motion(12, 101)
    assert len(through_file(motion, name, None)) == 101


@pytest.mark.parametrize(
    ("name", "rows"), [("unitree-csv", 61), ("kimodo-csv", 61), ("texedo-csv", 101)]
)
def test_a_headerless_csv_is_written_at_the_rate_its_readers_assume(
    name: str, rows: int, tmp_path: Path
) -> None:
    path = tmp_path / "clip.csv"
    save_motion(random_motion(13, 101), path, format=name)
    assert len(path.read_text().splitlines()) == rows


def test_the_same_motion_gives_the_same_bytes(tmp_path: Path) -> None:
    motion = random_motion(14, 20)
    for name in ("texedo", "mjlab-npz", "kimodo-npz"):
        save_motion(motion, tmp_path / "a.npz", format=name)
        save_motion(motion, tmp_path / "b.npz", format=name)
        assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
