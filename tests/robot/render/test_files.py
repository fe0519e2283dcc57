"""Videos, animations and contact sheets: their frames, sizes and failures."""

import re
import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image as PilImage

from tests.support.pictures import SIZE, stroll
from texedo.core.errors import RenderError
from texedo.motion import Motion
from texedo.robot.render import draw_label, film, render_motion, tile


def draw(path: Path, motion: Motion | None = None, **options):
    options = {"size": SIZE, "backend": "software"} | options
    return render_motion(motion or stroll(), path, **options)


def test_a_video_has_as_many_frames_as_the_motion_lasts(tmp_path):
    done = draw(tmp_path / "x.mp4", fps=10)
    assert done.pictures == 6  # 0.0, 0.1, ... 0.5 s
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(done.path))
    assert frames == 6
    assert seconds == pytest.approx(0.6, abs=0.02)


def test_a_video_of_odd_size_is_rounded_up_because_its_colours_come_in_pairs(tmp_path):
    done = draw(tmp_path / "x.mp4", stroll(3), size=(33, 31), fps=25)
    assert (done.width, done.height) == (34, 32)
    program = imageio_ffmpeg.get_ffmpeg_exe()
    probe = subprocess.run(
        [program, "-i", done.path], capture_output=True, text=True, check=False
    )
    assert re.search(r"h264 .*yuv420p.* 34x32", probe.stderr)


def test_an_animation_loops_and_lasts_as_long_as_the_motion(tmp_path):
    done = draw(tmp_path / "x.gif", fps=15)
    with PilImage.open(done.path) as image:
        assert image.n_frames == done.pictures == 8
        assert image.info["loop"] == 0
        total = 0
        for i in range(image.n_frames):
            image.seek(i)
            total += image.info["duration"]
    assert total == 530  # 8/15 s in whole hundredths


@pytest.mark.parametrize(
    ("frames", "rows"), [(26, 2), (251, 3)], ids=["short", "longer than four seconds"]
)
def test_a_contact_sheet_is_a_grid_of_panels(tmp_path, frames, rows):
    done = draw(tmp_path / "x.png", stroll(frames))
    with PilImage.open(done.path) as image:
        assert image.size == (4 * 64 + 3 * 4, rows * 48 + (rows - 1) * 4)
    assert (done.width, done.height) == image.size
    assert done.pictures == 4 * rows


def test_a_motion_of_two_frames_makes_a_sheet_of_two_panels(tmp_path):
    done = draw(tmp_path / "x.png", stroll(2))
    assert (done.pictures, done.width) == (2, 2 * 64 + 4)


def test_progress_counts_to_the_end(tmp_path):
    seen = []
    draw(tmp_path / "x.png", progress=lambda n, total: seen.append((n, total)))
    assert seen == [(n, 8) for n in range(1, 9)]


def test_a_shorter_ghost_is_drawn_to_the_end(tmp_path):
    assert draw(tmp_path / "x.png", ghost=stroll(5)).pictures == 8


@pytest.mark.parametrize("name", ["x.avi", "x", "x.mp4.txt"])
def test_an_unknown_suffix_is_refused_with_the_three_known_ones(tmp_path, name):
    with pytest.raises(RenderError, match=r"\.mp4 .*\.gif .*\.png"):
        draw(tmp_path / name)


@pytest.mark.parametrize("name", ["missing/x.mp4", "folder.gif"])
def test_an_output_that_cannot_be_written_is_refused_before_any_drawing(
    tmp_path, name, monkeypatch
):
    (tmp_path / "folder.gif").mkdir()
    monkeypatch.setattr(film, "make_renderer", pytest.fail)
    with pytest.raises(RenderError, match=name):
        draw(tmp_path / name)


@pytest.mark.parametrize("suffix", ["mp4", "gif", "png"])
def test_an_interrupted_drawing_leaves_what_was_there_before(tmp_path, suffix):
    path = tmp_path / f"x.{suffix}"
    path.write_text("before")

    def interrupt(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        draw(path, progress=interrupt)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failing_encoder_is_reported_and_leaves_nothing(tmp_path, monkeypatch):
    broken = tmp_path / "broken-ffmpeg"
    broken.write_text("#!/bin/sh\necho 'disk on fire' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: str(broken))
    with pytest.raises(RenderError, match="disk on fire"):
        draw(tmp_path / "x.mp4")
    assert list(tmp_path.iterdir()) == [broken]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "fps"),
        ({"fps": 1e6}, "fps"),
        ({"size": (8, 8)}, "16"),
        ({"size": (99999, 64)}, "4096"),
    ],
)
def test_impossible_pictures_are_refused(tmp_path, options, message):
    with pytest.raises(RenderError, match=message):
        draw(tmp_path / "x.mp4", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("corner", ["top-left", "bottom-right"])
def test_a_label_changes_its_corner_only(corner):
    blank = np.full((100, 200, 3), 200, np.uint8)
    changed = (draw_label(blank, "1.25 s", corner=corner) != blank).any(axis=2)
    rows, cols = np.nonzero(changed)
    if corner == "top-left":
        assert rows.max() < 50
        assert cols.max() < 100
    else:
        assert rows.min() > 50
        assert cols.min() > 100
    assert (blank == 200).all()


def test_pictures_are_laid_out_in_rows():
    pictures = [np.full((2, 3, 3), 10 * i, np.uint8) for i in range(3)]
    sheet = tile(pictures, columns=2, gap=1)
    assert sheet.shape == (5, 7, 3)
    assert sheet[0, 0, 0] == 0
    assert sheet[0, 4, 0] == 10
    assert sheet[3, 0, 0] == 20
    assert sheet[3, 4, 0] == 255
