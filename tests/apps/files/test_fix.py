"""`texedo fix` from the command line: what is written, told, and the exit codes."""

import json
from pathlib import Path

import numpy as np
import pytest

from texedo.apps import cli
from texedo.apps.files import fix
from texedo.apps.generate.demo import wave_motion
from texedo.formats import get_format, load_motion, read_clips, save_motion
from texedo.motion import Motion, trim
from texedo.robot.check import check_motion

Capture = pytest.CaptureFixture[str]


def wave(height: float = 0.0) -> Motion:
    qpos = np.array(trim(wave_motion(), 0.0, 1.0).to_qpos())
    qpos[:, 2] += height
    return Motion.from_qpos(qpos)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "good.npz"
    path.parent.mkdir()
    save_motion(wave(), path)
    return path


@pytest.fixture
def high(tmp_path: Path, good: Path) -> Path:
    """The same, 30 cm above the floor."""
    path = good.with_name("high.npz")
    save_motion(wave(0.3), path)
    return path


def test_what_passes_is_written_byte_for_byte(
    good: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.npz"
    assert cli.main(["fix", str(good), "-o", str(out)]) == 0
    assert out.read_bytes() == good.read_bytes()
    assert "nothing to repair" in capsys.readouterr().out


def test_what_passes_keeps_its_frames_in_another_format(
    good: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    assert cli.main(["fix", str(good), "-o", str(out), "--to", "texedo-csv"]) == 0
    again = load_motion(out, format="texedo-csv")
    assert np.abs(again.to_qpos() - wave().to_qpos()).max() < 1e-5


@pytest.mark.parametrize("name", ["mjlab-npz", "unitree-csv"])
def test_a_file_keeps_its_format_where_none_is_named(tmp_path: Path, name: str) -> None:
    ending = get_format(name).extensions[0]
    source, out = (tmp_path / f"{stem}{ending}" for stem in ("high", "out"))
    save_motion(wave(0.3), source, format=name)
    assert cli.main(["fix", str(source), "-o", str(out), "--from", name]) == 0
    assert read_clips(out, format=name).format.name == name
    assert load_motion(out, format=name).root_pos_w[0, 2] < 0.9


def test_a_clip_that_hovers_fails_before_and_passes_after(
    high: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.npz"
    assert cli.main(["check", str(high), "--brief"]) == 1
    capsys.readouterr()
    assert cli.main(["fix", str(high), "-o", str(out)]) == 0
    told = capsys.readouterr().out
    row = next(line for line in told.splitlines() if "fail -> pass" in line)
    assert row.split()[:2] == ["hover", "0.3"]
    assert "raised by -30" in told
    assert check_motion(load_motion(out)).verdict == "pass"


def test_a_folder_is_repaired_file_by_file_and_summed_up(
    good: Path, high: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    assert cli.main(["fix", str(good.parent), "-o", str(out), "--brief"]) == 0
    told = capsys.readouterr().out
    assert sorted(path.name for path in out.iterdir()) == ["good.npz", "high.npz"]
    assert "fail -> pass" in told
    assert "before: 1 pass, 1 fail; after: 2 pass" in told


def test_json_holds_before_and_after(
    high: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.npz"
    assert cli.main(["fix", str(high), "-o", str(out), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["before"], record["after"]) == ("fail", "pass")
    assert record["floor_shift_m"] == pytest.approx(-0.3, abs=0.01)
    assert record["pose_change_m"] < 0.001
    hover = next(item for item in record["checks"] if item["name"] == "hover")
    assert hover["before"] == pytest.approx(0.3, abs=0.01) and hover["after"] < 0.01


def test_what_cannot_be_helped_is_exit_code_1(tmp_path: Path) -> None:
    qpos = wave().to_qpos().astype(np.float64)
    # Lying down from the first frame on.
    qpos[:, 3:7] = [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]
    qpos[:, 2] = 0.2
    path, out = tmp_path / "lying.npz", tmp_path / "out.npz"
    save_motion(Motion.from_qpos(qpos), path)
    assert cli.main(["fix", str(path), "-o", str(out)]) == 1
    assert out.exists()


def test_a_film_shows_what_changed_with_what_it_was_as_a_ghost(
    good: Path, high: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    films: list[tuple[Motion, str, Motion]] = []
    monkeypatch.setattr(
        fix,
        "render_motion",
        lambda motion, path, *, ghost: films.append((motion, path.name, ghost)),
    )
    out, film = tmp_path / "out", tmp_path / "film.mp4"
    command = ["fix", str(good.parent), "-o", str(out), "--video", str(film)]
    assert cli.main(command) == 0
    ((motion, name, ghost),) = films
    assert (motion, ghost) == (load_motion(out / "high.npz"), wave(0.3))
    assert name == "film-high.mp4"


def test_a_film_of_no_known_kind_is_refused_before_the_work(
    high: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.npz"
    assert cli.main(["fix", str(high), "-o", str(out), "--video", "film.xyz"]) == 2
    assert not out.exists()
