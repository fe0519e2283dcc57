"""At the same rate a conversion moves numbers, and changes none."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.formats import (
    FileClip,
    get_format,
    load_clip,
    save_clip,
    save_motion,
    writable_formats,
)
from texedo.motion.rotations import quat_angle, quat_normalize

RATES = (30.0, 50.0, 60.0, 120.0, 29.97)
few = settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
DIGITS = {"sonic": 6e-7, "bones-seed-csv": 1e-8, "kimodo-npz": 2e-6}
"""Where a format has fewer digits, or other numbers, than a float32 [m, rad]."""
EXACT = sorted(set(writable_formats()) - set(DIGITS))


def place(folder: Path, name: str, stem: str = "clip") -> Path:
    endings = get_format(name).extensions
    return folder / (f"{stem}-{name}" + (endings[0] if endings else ""))


def source(folder: Path, name: str, *, seed: int, frames: int, fps: float) -> FileClip:
    """A random motion in a file of one format, whose frames are `fps` apart."""
    path = place(folder, name, "source")
    save_motion(random_motion(seed, frames), path, format=name, fps=50.0)
    return load_clip(path, format=name, fps=fps)


def assert_same(a: FileClip, b: FileClip, *, atol: float) -> None:
    assert len(a) == len(b)
    assert a.fps == pytest.approx(b.fps, rel=1e-9)
    for one, other in ((a.root_pos_w, b.root_pos_w), (a.joint_pos, b.joint_pos)):
        np.testing.assert_allclose(other, one, rtol=0, atol=atol)
    turns = (quat_normalize(np.asarray(c.root_quat_w, np.float64)) for c in (a, b))
    np.testing.assert_allclose(quat_angle(*turns), 0, atol=max(4 * atol, 1e-7))


@pytest.mark.parametrize("name", writable_formats())
@given(
    seed=st.integers(0, 2**32 - 1),
    frames=st.integers(2, 12),
    fps=st.sampled_from(RATES),
)
@few
def test_every_pair_of_formats_is_lossless_to_the_digits_of_the_format(
    name: str, seed: int, frames: int, fps: float
) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        clip = source(folder, name, seed=seed, frames=frames, fps=fps)
        for other in writable_formats():
            path = place(folder, other)
            save_clip(clip, path, format=other, fps=fps)
            # 2^-24 of the largest number here, which is below 4.
            atol = DIGITS.get(other, 2.0**-22)
            assert_same(clip, load_clip(path, format=other, fps=fps), atol=atol)


@pytest.mark.parametrize("name", EXACT)
def test_there_and_back_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    clip = source(tmp_path, name, seed=4, frames=9, fps=60.0)
    first = place(tmp_path, name, "first")
    save_clip(clip, first, format=name, fps=60.0)
    for other in EXACT:
        between, last = place(tmp_path, other, "between"), place(tmp_path, name, "last")
        save_clip(clip, between, format=other, fps=60.0)
        back = load_clip(between, format=other, fps=60.0)
        save_clip(back, last, format=name, fps=60.0)
        assert last.read_bytes() == first.read_bytes(), other


def test_a_csv_keeps_every_digit_it_has(tmp_path: Path) -> None:
    row = ["0.1234567890123", "-2e-07", "0.8", "0.0", "0.0", "0.0", "1.0"]
    row += [f"0.{j}123456789" for j in range(29)]
    text = "\n".join([",".join(row)] * 3) + "\n"
    there, back = tmp_path / "kimodo.csv", tmp_path / "back.csv"
    (tmp_path / "unitree.csv").write_text(text)
    clip = load_clip(tmp_path / "unitree.csv", format="unitree-csv", fps=60)
    save_clip(clip, there, format="kimodo-csv", fps=60)
    assert there.read_text().startswith("0.1234567890123,-2e-07,0.8,1.0,0.0,0.0,0.0,")
    save_clip(
        load_clip(there, format="kimodo-csv", fps=60),
        back,
        format="unitree-csv",
        fps=60,
    )
    assert back.read_text() == text


def test_a_file_that_carries_its_rate_keeps_that_of_the_source(tmp_path: Path) -> None:
    clip = source(tmp_path, "gmr-pkl", seed=1, frames=7, fps=120.0)
    for name in ("texedo", "gmr-pkl"):
        written = save_clip(clip, place(tmp_path, name), format=name)
        assert (written.fps, len(written)) == (120.0, 7)
        again = load_clip(place(tmp_path, name))
        assert (again.fps, again.rate.origin, len(again)) == (120.0, "file", 7)


@pytest.mark.parametrize(
    ("name", "fps"),
    [("unitree-csv", 30), ("sonic", 50), ("mjlab-npz", 50), ("bones-seed-csv", 120)],
)
def test_a_format_whose_readers_assume_a_rate_is_written_at_that_one(
    name: str, fps: float, tmp_path: Path
) -> None:
    clip = source(tmp_path, "gmr-pkl", seed=2, frames=61, fps=60.0)  # 1 s
    written = save_clip(clip, place(tmp_path, name), format=name)
    assert (written.fps, len(written)) == (fps, fps + 1)
