"""`texedo render` from the command line: files, messages, exit codes."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PilImage

from texedo.apps import cli
from texedo.apps.files import render
from texedo.formats import save_motion
from texedo.motion import Motion
from texedo.robot import g1
from texedo.robot.render import film

Capture = pytest.CaptureFixture[str]
SMALL = ["--width", "48", "--height", "48", "--backend", "software"]


@pytest.fixture
def motion(tmp_path: Path) -> Path:
    qpos = np.tile([0, 0, g1.KNEES_BENT_HEIGHT, 1, 0, 0, 0, *g1.KNEES_BENT], (11, 1))
    qpos[:, 0] = np.linspace(0, 0.2, 11)
    path = tmp_path / "step.npz"
    save_motion(Motion.from_qpos(qpos), path)
    return path


def test_a_contact_sheet_is_written_and_summed_up(
    motion: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "step.png"
    assert cli.main(["render", str(motion), "-o", str(out), *SMALL]) == 0
    with PilImage.open(out) as image:
        assert image.size == (4 * 48 + 3 * 4, 2 * 48 + 4)
    printed = capsys.readouterr().out
    assert "8 panels, 204x100" in printed
    assert "drawn by software" in printed


@pytest.mark.parametrize("suffix", ["mp4", "gif"])
def test_a_film_is_written_with_a_ghost(
    motion: Path, tmp_path: Path, capsys: Capture, suffix: str
) -> None:
    out = tmp_path / f"step.{suffix}"
    args = ["render", str(motion), "-o", str(out), "--ghost", str(motion)]
    assert cli.main([*args, "--to-fps", "10", *SMALL]) == 0
    assert out.stat().st_size > 500
    assert "3 frames" in capsys.readouterr().out


def test_one_side_gives_the_other(motion: Path, tmp_path: Path) -> None:
    out = tmp_path / "step.mp4"
    args = ["render", str(motion), "-o", str(out), "--width", "64", "--to-fps", "5"]
    assert cli.main([*args, "--backend", "software"]) == 0
    assert render._size(64, None, square=False) == (64, 48)
    assert render._size(None, 48, square=False) == (64, 48)
    assert render._size(None, 48, square=True) == (48, 48)
    assert render._size(None, None, square=True) is None


def test_an_unknown_suffix_names_the_three_known_ones(
    motion: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "step.avi"
    assert cli.main(["render", str(motion), "-o", str(out)]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    for word in ("step.avi", ".mp4", ".gif", ".png"):
        assert word in message


@pytest.mark.parametrize(
    ("name", "said"), [("missing/x.mp4", "x.mp4"), ("taken.gif", "folder")]
)
def test_an_unwritable_output_is_an_error_before_any_drawing(
    motion: Path,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    said: str,
) -> None:
    (tmp_path / "taken.gif").mkdir()
    monkeypatch.setattr(film, "make_renderer", pytest.fail)
    assert cli.main(["render", str(motion), "-o", str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err


def test_a_missing_motion_is_named(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "x.png"
    assert cli.main(["render", str(tmp_path / "gone.npz"), "-o", str(out)]) == 2
    assert "gone.npz" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("side", ["0", "-5", "7", "100000"])
def test_an_impossible_size_is_refused(
    motion: Path, tmp_path: Path, capsys: Capture, side: str
) -> None:
    out = tmp_path / "x.png"
    assert cli.main(["render", str(motion), "-o", str(out), "--width", side]) == 2
    assert side in capsys.readouterr().err
    assert not out.exists()


def test_ctrl_c_leaves_no_half_written_file(
    motion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    def draw_two(*args: object, **kwargs: object) -> None:
        drawn.append(1)
        if len(drawn) == 2:
            raise KeyboardInterrupt
        return original(*args, **kwargs)

    from texedo.robot.render.software import SoftwareRenderer

    original = SoftwareRenderer.render
    monkeypatch.setattr(SoftwareRenderer, "render", draw_two)
    out = tmp_path / "step.mp4"
    assert cli.main(["render", str(motion), "-o", str(out), *SMALL]) == 130
    assert list(tmp_path.iterdir()) == [motion]
