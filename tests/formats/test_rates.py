"""At which rate a file is read, and who says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.formats.conftest import Written
from texedo.core.errors import AmbiguousFormatError, FileFormatError
from texedo.formats import Rate, Reading, load_clip, load_motion, tally


@pytest.mark.parametrize(
    ("name", "fps", "origin"),
    [
        ("texedo", 50, "file"),
        ("gmr-pkl", 50, "file"),
        ("mjlab-npz", 50, "file"),
        ("kimodo-npz", 30, "file"),
        ("unitree-csv", 30, "format"),
        ("kimodo-csv", 30, "format"),
        ("texedo-csv", 50, "format"),
        ("texedo-npy", 50, "format"),
        ("bones-seed-csv", 120, "format"),
        ("sonic", 50, "format"),
    ],
)
def test_a_rate_is_stated_in_the_file_or_assumed(
    name: str, fps: float, origin: str, written: Written
) -> None:
    path = written(name)
    clip = load_clip(path, format=name)
    assert (clip.fps, clip.rate.origin) == (fps, origin)
    assert clip.duration == pytest.approx(1.2)
    given = load_clip(path, format=name, fps=60).rate
    assert given[:2] == (60.0, "given")
    assert str(given) == (
        f"60 fps (as given; the file states {fps:g})"
        if origin == "file"
        else "60 fps (as given)"
    )


def test_a_rate_in_the_name_of_a_file_is_stated(tmp_path: Path) -> None:
    path = tmp_path / "walk_100_jpos.npy"
    np.save(path, np.tile([0, 0, 0.8, 0, 0, 0, 1, *[0] * 29], (11, 1)))
    clip = load_clip(path, format="amass-npy")
    assert str(clip.reading) == "100 fps (stated in the file's name), 0.10 s"


def test_a_reading_in_words() -> None:
    reading = Reading(Rate(30.0, "format"), 373)
    assert str(reading) == "30 fps (assumed: the file states none), 12.40 s"
    assert reading.brief == "30 fps assumed, 12.40 s"
    assert reading.to_dict() == {"fps": 30.0, "fps_is": "assumed", "duration_s": 12.4}


def test_many_readings_are_counted_by_rate() -> None:
    csv, npz = Rate(30.0, "format"), Rate(50.0, "file")
    said = tally([Reading(npz, 51), Reading(csv, 31), Reading(csv, 61)])
    assert said == (
        "2 at 30 fps (assumed: the file states none), 3.0 s; "
        "1 at 50 fps (stated in the file), 1.0 s"
    )


def test_a_file_without_a_rate_is_shown_at_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    rows = np.tile([0, 0, 0.8, 0, 0, 0, 1, *[0.0] * 29], (601, 1))
    rows[:, 10] = np.arange(601) * 0.01  # a knee: 0.01 rad a frame
    np.savetxt(path, rows, delimiter=",", fmt="%g")
    with pytest.raises(AmbiguousFormatError) as caught:
        load_motion(path)
    message = str(caught.value)
    for words in (
        "at 30 fps it lasts 20.00 s and its fastest joint turns at 0.3 rad/s",
        "at 50, 12.00 s and 0.5",
        "at 60, 10.00 s and 0.6",
        "at 120, 5.00 s and 1.2",
        "--from unitree-csv --fps FPS",
    ):
        assert words in message
    assert "\n" not in message


def test_who_names_the_rate_is_asked_for_the_layout_alone(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    rows = np.tile([0, 0, 0.8, 0, 0, 0, 1, *[0.0] * 29], (61, 1))
    np.savetxt(path, rows, delimiter=",", fmt="%g")
    with pytest.raises(AmbiguousFormatError) as caught:
        load_motion(path, fps=60)
    assert "Nor is its rate" not in str(caught.value)
    assert "--from unitree-csv or" in str(caught.value)
    assert load_motion(path, format="lafan1", fps=60).duration == pytest.approx(1.0)


def test_numbers_that_are_none_have_no_speed(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    np.savetxt(path, np.full((5, 36), np.nan), delimiter=",")
    with pytest.raises(AmbiguousFormatError) as caught:
        load_motion(path)
    assert "nan" not in str(caught.value)


def test_an_array_whose_name_states_no_rate_is_shown_at_the_usual_ones(
    tmp_path: Path,
) -> None:
    rows = np.tile([0, 0, 0.8, 0, 0, 0, 1, *[0.0] * 29], (121, 1))
    rows[:, 10] = np.arange(121) * 0.01
    np.save(tmp_path / "walk.npy", rows)
    said = r"at 30 fps it lasts 4.00 s .* at 120, 1.00 s and 1.2; .*--fps 120"
    with pytest.raises(FileFormatError, match=said):
        load_motion(tmp_path / "walk.npy", format="amass-npy")
    named = tmp_path / "walk_120_jpos.npy"
    np.save(named, rows)
    assert load_motion(named, format="amass-npy").duration == pytest.approx(1.0)
