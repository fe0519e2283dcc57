"""Whole folders: a page about all of them, and a watch over what comes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.apps.cli import main
from texedo.apps.files.check_folder import Checked, Options, Watch, check_files
from texedo.apps.files.check_page import build_check_page
from texedo.formats import save_motion
from texedo.motion import Motion


def sunken(depth: float) -> Motion:
    """A robot that stands below the floor."""
    motion = standing(20)
    pos = np.array(motion.root_pos_w)
    pos[:, 2] -= depth
    return Motion(
        root_pos_w=pos, root_quat_w=motion.root_quat_w, joint_pos=motion.joint_pos
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "in"
    (root / "deep").mkdir(parents=True)
    save_motion(standing(20), root / "good.npz")
    save_motion(sunken(0.3), root / "deep" / "worse.npz")
    save_motion(sunken(0.2), root / "<b>bad\n.npz")
    (root / "junk.npz").write_bytes(b"nothing")
    return root


def test_a_page_has_verdicts_the_worst_with_strips_and_every_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder.parent / "pages" / "all.html"
    assert main(["check", str(folder), "--report", str(page)]) == 2
    out = capsys.readouterr().out
    last = out.splitlines()[-1]
    assert last.startswith("4 motions: 1 ") and "2 fail, 1 unreadable; see" in last
    assert out.count("\n") == 5
    assert f"{folder / 'good.npz'} (50 fps stated, 0.38 s)" in out
    text = page.read_text()
    assert "<h1>4 motions checked</h1>" in text
    assert text.count("data:image/png") >= 2
    # The deeper one comes first among the worst.
    assert text.index("worse.npz") < text.index("&lt;b&gt;bad\\n.npz")
    assert "<b>bad" not in text and "<script" not in text
    for name in ("good.npz", "worse.npz", "junk.npz"):
        assert name in text


def test_warnings_are_worse_than_offsets_and_each_check_counts_by_its_own_limit() -> (
    None
):
    def checked(name: str, verdict: str, value: float, limit: float) -> Checked:
        check = {"name": "x", "verdict": verdict, "value": value, verdict: limit}
        return Checked(name, Path(name), "", {"verdict": verdict, "checks": [check]})

    rows = [
        checked("a", "offset", 1800.0, 1200.0),  # 1.5 times its limit
        checked("b", "offset", 0.02, 0.01),  # 2 times
        checked("c", "warn", 1.1, 1.0),
    ]
    assert [row.name for row in sorted(rows, key=lambda r: r.badness)] == [
        "a",
        "b",
        "c",
    ]


def test_the_exit_code_is_that_of_check(folder: Path, tmp_path: Path) -> None:
    page = str(tmp_path / "a.html")
    assert main(["check", str(folder / "good.npz"), "--report", page]) == 0
    assert main(["check", str(folder / "deep"), "--report", page]) == 1
    assert main(["check", str(folder), "--report", page, "--json"]) == 2


def test_many_files_on_several_processes_come_in_order(tmp_path: Path) -> None:
    for i in range(6):
        save_motion(standing(5 + i), tmp_path / f"{i}.npz")
    rows = check_files(
        [tmp_path], Options(), progress=lambda done, total: None, workers=2
    )
    assert [row.path.name for row in rows] == [f"{i}.npz" for i in range(6)]
    assert [row.record["num_frames"] for row in rows] == [5, 6, 7, 8, 9, 10]


def test_an_empty_page_is_a_page() -> None:
    assert "<h1>0 motions checked</h1>" in build_check_page([], Options())


def test_a_file_is_checked_when_it_has_stopped_growing(tmp_path: Path) -> None:
    watch = Watch((tmp_path,), Options())
    assert list(watch.look()) == []
    path = tmp_path / "a.npz"
    path.write_bytes(b"half")
    assert list(watch.look()) == []  # seen for the first time
    save_motion(standing(20), path)
    assert list(watch.look()) == []  # it has changed
    assert [row.verdict for row in watch.look()] != ["fail"]
    assert len(watch.checked()) == 1
    assert list(watch.look()) == []  # nothing new
    save_motion(sunken(0.3), path)
    os.utime(path, ns=(0, 1))
    assert list(watch.look()) == []
    assert [row.verdict for row in watch.look()] == ["fail"]
    assert len(watch.checked()) == 1
    path.unlink()
    assert list(watch.look()) == [] and watch.checked() == []


def test_ctrl_c_ends_a_watch_with_what_it_has_seen(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from texedo.apps.files import check_folder

    looks = iter(range(2))

    def sleep(seconds: float) -> None:
        if next(looks, None) is None:
            raise KeyboardInterrupt

    monkeypatch.setattr(check_folder.time, "sleep", sleep)
    assert main(["check", str(folder / "deep"), "--watch"]) == 1
    captured = capsys.readouterr()
    assert "worse.npz" in captured.out and "1 motions: 1 fail" in captured.out
    assert "Ctrl-C ends it" in captured.err
