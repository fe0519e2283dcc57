"""Folders with bad files in them: the run goes on, one line each, names escaped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.motions import random_motion
from texedo.apps.cli import main
from texedo.formats import find_sources, load_motion, save_motion

MOTION = random_motion(0, 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good motions, and between them a bad one."""
    root = tmp_path / "in"
    root.mkdir()
    save_motion(MOTION, root / "a.npz")
    (root / "b.npz").write_bytes(b"PK\x03\x04 and nothing more")
    save_motion(MOTION, root / "c.npz")
    return root


def _raise(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("nobody thought of this")


@pytest.fixture
def broken_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader with a fault of our own: it fails at every file called b."""
    from texedo.formats import io

    real = io.check_clips

    def check(path: Path, *args: Any, **options: Any) -> None:
        if path.stem == "b":
            _raise()
        real(path, *args, **options)

    monkeypatch.setattr(io, "check_clips", check)


def test_check_goes_on_after_a_bad_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder), "--json"]) == 2
    captured = capsys.readouterr()
    files = [Path(row["file"]).name for row in json.loads(captured.out)]
    assert files == ["a.npz", "c.npz"]
    assert captured.err.count("\n") == 1 and "b.npz: is a damaged" in captured.err


@pytest.mark.parametrize("command", ["check", "info", "convert"])
def test_a_fault_of_our_own_does_not_end_a_run(
    command: str,
    folder: Path,
    broken_reader: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save_motion(MOTION, folder / "b.npz")
    place = [str(folder.parent / "out")] if command == "convert" else ["--json"]
    assert main([command, str(folder), *place]) in (1, 2)
    captured = capsys.readouterr()
    said = captured.err + captured.out
    assert "unexpected ZeroDivisionError: nobody thought of this" in said
    assert "Traceback" not in said
    if command == "convert":
        written = sorted(p.name for p in (folder.parent / "out").iterdir())
        assert written == ["a.npz", "c.npz"]
    else:
        assert "c.npz" in captured.out


def test_names_are_shown_with_their_control_characters_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_motion(MOTION, tmp_path / "good\x1b[31m\nname.npz")
    (tmp_path / "bad\x1b[2J\rname.npz").write_bytes(b"nothing")
    (tmp_path / os.fsdecode(b"byte\xff.npz")).write_bytes(b"nothing")
    for command in (["check", "--brief"], ["check"], ["info"]):
        main([command[0], str(tmp_path), *command[1:]])
        captured = capsys.readouterr()
        said = captured.out + captured.err
        assert "\x1b[2J" not in said and "\x1b[31m" not in said and "\r" not in said
        assert "good\\x1b[31m\\nname.npz" in said.replace("\n", "")
        assert "bad\\x1b[2J\\rname.npz" in said
        assert "byte\\xff.npz" in said


def test_hidden_folders_are_no_clips(tmp_path: Path) -> None:
    save_motion(MOTION, tmp_path / "clip", format="sonic")
    save_motion(MOTION, tmp_path / ".clip.0123456789ab.tmp", format="sonic")
    assert find_sources(tmp_path).sources == [tmp_path / "clip"]


def test_a_folder_that_may_not_be_read_does_not_end_a_run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "b.npz").unlink()
    (folder / "locked").mkdir()
    real = os.scandir

    def scandir(path: Any) -> Iterator[Any]:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert find_sources(folder).unreadable == [folder / "locked"]
    assert main(["check", str(folder), "--json"]) == 2
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 2
    assert "locked: this folder may not be read" in captured.err
    assert main(["convert", str(folder), str(folder.parent / "out")]) == 1
    assert len(list((folder.parent / "out").iterdir())) == 2


def test_the_output_may_be_a_link(tmp_path: Path) -> None:
    save_motion(MOTION, tmp_path / "in.npz")
    (tmp_path / "there").mkdir()
    link = tmp_path / "out.npz"
    link.symlink_to(tmp_path / "there" / "real.npz")
    for _ in range(2):  # First it leads nowhere, then to a file.
        assert main(["convert", str(tmp_path / "in.npz"), str(link)]) == 0
        assert link.is_symlink()
        assert load_motion(tmp_path / "there" / "real.npz") == MOTION
    assert [p.name for p in (tmp_path / "there").iterdir()] == ["real.npz"]


def test_sigterm_leaves_nothing_behind(tmp_path: Path) -> None:
    """A program that is just writing is ended; its temporary file is gone."""
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from texedo.apps import cli\n"
        "from texedo.core.files import atomic_path\n"
        "def work(args):\n"
        f"    with atomic_path(Path({str(tmp_path / 'out.npz')!r})) as temporary:\n"
        "        temporary.write_bytes(b'half')\n"
        "        print('writing', flush=True)\n"
        "        time.sleep(60)\n"
        "cli._dispatch = work\n"
        "sys.exit(cli.main([]))\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "writing\n"
    assert len(list(tmp_path.iterdir())) == 1
    started = time.monotonic()
    child.send_signal(signal.SIGTERM)
    _, said = child.communicate(timeout=20)
    assert child.returncode == 143 and time.monotonic() - started < 10
    assert said == "\ninterrupted; run the same command again to resume\n"
    assert list(tmp_path.iterdir()) == []
