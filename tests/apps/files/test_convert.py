"""`texedo convert`: files, folders, containers, and what goes wrong."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.written_elsewhere import LIBRARY
from texedo.apps import cli
from texedo.apps.files import convert
from texedo.formats import detect, formats, load_clip, load_motion, save_motion

MOTION = random_motion(7, 51)


def run(*args: object) -> int:
    return cli.main(["convert", *map(str, args)])


def test_a_file_there_and_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, csv, back = (tmp_path / name for name in ("a.npz", "a.csv", "b.npz"))
    save_motion(MOTION, ours)
    assert run(ours, csv, "--to", "lafan1") == 0
    assert f"wrote {csv} (unitree-csv)" in capsys.readouterr().out
    assert len(csv.read_text().splitlines()) == 31  # 30 fps for one second
    assert run(csv, back, "--from", "lafan1") == 0
    motion = load_motion(back)
    np.testing.assert_allclose(motion.joint_pos[::5], MOTION.joint_pos[::5], atol=1e-4)


def test_rates_can_be_given(tmp_path: Path) -> None:
    ours, csv = tmp_path / "a.npz", tmp_path / "a.csv"
    save_motion(MOTION, ours)
    assert run(ours, csv, "--to", "texedo-csv", "--to-fps", 100) == 0
    assert len(csv.read_text().splitlines()) == 101
    back = tmp_path / "b.npz"
    assert run(csv, back, "--from", "texedo-csv", "--fps", 100) == 0
    assert len(load_motion(back)) == 51


def test_at_the_same_rate_not_a_number_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unitree, kimodo, back = (tmp_path / f"{name}.csv" for name in "abc")
    save_motion(MOTION, unitree, format="unitree-csv")
    assert run(unitree, kimodo, "--from", "unitree-csv", "--to", "kimodo-csv") == 0
    told = "read at 30 fps (assumed: the file states none), 1.00 s; frames as they were"
    assert told in capsys.readouterr().out
    assert run(kimodo, back, "--from", "kimodo-csv", "--to", "unitree-csv") == 0
    assert back.read_text() == unitree.read_text()


def test_a_file_that_carries_its_rate_keeps_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fast, ours, sonic = tmp_path / "a.pkl", tmp_path / "a.npz", tmp_path / "clip"
    save_motion(MOTION, fast, fps=120)
    assert run(fast, ours) == 0
    told = "read at 120 fps (stated in the file), 1.00 s; frames as they were"
    assert told in capsys.readouterr().out
    assert (load_clip(ours).fps, len(load_clip(ours))) == (120, 121)
    assert run(fast, sonic, "--to", "sonic") == 0
    out = capsys.readouterr().out
    assert "resampled from 120 to 50 fps (quintic splines, joints within" in out
    assert len(load_clip(sonic)) == 51


def test_a_folder_keeps_its_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    (source / "deep").mkdir(parents=True)
    save_motion(MOTION, source / "a.npz")
    save_motion(MOTION, source / "deep" / "b.pkl")
    save_motion(MOTION, source / "deep" / "clip", format="sonic")
    (source / "notes.txt").write_text("x")
    assert run(source, out, "--to", "kimodo-csv") == 0
    found = sorted(p.relative_to(out).as_posix() for p in out.rglob("*.*"))
    assert found == ["a.csv", "deep/b.csv", "deep/clip.csv"]
    text = capsys.readouterr().out
    assert "left alone, no motion files: 1 (notes.txt)" in text
    assert "wrote 3 motions" in text
    assert "2 at 50 fps (stated in the file), 2.0 s; 1 at 50 fps (assumed" in text
    assert "resampled from 50 to 30 fps" in text


def test_a_bad_file_in_a_folder_is_named_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    save_motion(MOTION, source / "good.npz")
    save_motion(MOTION, source / "unnamed.csv", format="unitree-csv")
    (source / "broken.npz").write_bytes(b"PK\x03\x04 and then nothing")
    (source / "deep").mkdir()
    (source / "unnamed.csv").rename(source / "deep" / "unnamed.csv")
    assert run(source, out, "--to", "sonic") == 1
    text = capsys.readouterr().out
    assert "2 failed" in text
    assert f"{source / 'broken.npz'}: is a damaged" in text
    assert (
        f"{source / 'deep' / 'unnamed.csv'}: nothing in the file proves its layout"
        in text
    )
    assert [path.name for path in out.iterdir()] == ["good"]


def test_a_container_becomes_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "library.pkl"
    library.write_bytes(LIBRARY)
    assert run(library, tmp_path / "out") == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["walk_001.npz", "wave.npz"]
    assert "wrote 2 motions" in capsys.readouterr().out


def test_clip_names_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    clip = {
        "root_trans_offset": np.zeros((3, 3)),
        "root_rot": np.tile([0.0, 0, 0, 1], (3, 1)),
        "dof": np.zeros((3, 29)),
        "fps": 50,
    }
    names = ["../../escape", "/etc/evil", "..", "a b", "a_b", ""]
    library = tmp_path / "library.pkl"
    library.write_bytes(pickle.dumps(dict.fromkeys(names, clip)))
    assert run(library, tmp_path / "deep" / "out") == 0
    written = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*.npz"))
    assert len(written) == len(names)
    assert {path.parts[:2] for path in written} == {("deep", "out")}


def test_a_bad_clip_in_a_container_is_named_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {
        "root_trans_offset": np.zeros((3, 3)),
        "root_rot": np.tile([0.0, 0, 0, 1], (3, 1)),
        "dof": np.zeros((3, 29)),
        "fps": 50,
    }
    library = tmp_path / "library.pkl"
    bad = {**good, "dof": np.full((3, 29), np.nan)}
    library.write_bytes(pickle.dumps({"good": good, "bad": bad}))
    assert run(library, tmp_path / "out") == 1
    assert "(bad): makes no motion" in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["good.npz"]


def test_two_inputs_of_one_name_do_not_overwrite_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    save_motion(MOTION, source / "a.npz")
    save_motion(MOTION, source / "a.pkl")
    assert run(source, out) == 1
    assert "was just made from another file" in capsys.readouterr().out


def test_a_file_can_go_into_a_folder_that_is_there(tmp_path: Path) -> None:
    save_motion(MOTION, tmp_path / "a.npz")
    (tmp_path / "out").mkdir()
    assert run(tmp_path / "a.npz", tmp_path / "out", "--to", "gmr-pkl") == 0
    assert detect(tmp_path / "out" / "a.pkl")[0].format == "gmr-pkl"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("missing.npz", "b.npz"), "no such file"),
        (("a.npz", "a.npz"), "is the input too"),
        (("a.npz", "b.csv"), "--to unitree-csv"),
        (("a.npz", "b.pkl", "--to", "twist-pkl"), "only read here"),
        (("a.npz", "b.npz", "--to", "nonsense"), "There is no format 'nonsense'"),
        (("a.npz", "b.npz", "--from", "nonsense"), "There is no format 'nonsense'"),
        (("a.npz", "no/b.npz"), "there is no folder"),
        (("a.npz", "b.npz", "--to-fps", "0"), "fps must be from 0.01"),
        (("a.npz", "b.npz", "--fps", "0"), "fps must be from 0.01"),
        (("empty", "out"), "no motion file"),
    ],
)
def test_one_clear_line_for_what_cannot_be_done(
    args: tuple[str, ...],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_motion(MOTION, tmp_path / "a.npz")
    (tmp_path / "empty").mkdir()
    assert run(*args) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    error = captured.err.strip()
    assert error.startswith("error: ")
    assert words in error
    assert "\n" not in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "empty"]


def test_the_help_names_every_format() -> None:
    words = (convert.Cfg.__doc__ or "").replace(",", " ").replace(".", " ").split()
    assert set(formats()) <= {word.strip(";:()") for word in words}


def test_a_run_folder_becomes_one_file_as_its_motion_would(tmp_path: Path) -> None:
    folder, out = tmp_path / "run", tmp_path / "dance.csv"
    folder.mkdir()
    save_motion(MOTION, folder / "motion.npz")
    record = {"version": 2, "request": {}, "files": {"motion.npz": ""}}
    (folder / "run.json").write_text(json.dumps(record))
    assert run(folder, out, "--to", "unitree-csv") == 0
    assert out.is_file()
    assert run(folder, tmp_path / "clip", "--to", "sonic") == 0
    assert (tmp_path / "clip" / "joint_pos.csv").is_file()
