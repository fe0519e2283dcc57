"""A batch that is killed leaves finished runs whole, and the rest to be done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.ctrl_c import heeding_ctrl_c
from tests.support.standing import standing
from texedo.core.files import file_sha256
from texedo.formats import save_motion

PROMPTS = [f"stand {word}" for word in ("still", "up", "there", "here", "by")]


def command(folder: Path) -> list[str]:
    words = ["generate", "--prompts-file", str(folder / "prompts.txt"), "-n", "2"]
    words += ["--generator", f"folder:{folder / 'motions'}", "--scorer", "oracle"]
    words += ["--tracker", "open-loop", "--semantics", "none", "--no-video"]
    return [sys.executable, "-m", "texedo", *words, "-o", str(folder / "runs")]


def finished(folder: Path) -> dict[str, float]:
    """When each finished run was written, by its folder."""
    found = {}
    for path in sorted((folder / "runs").glob("*/run.json")):
        record = json.loads(path.read_bytes())
        if record["state"] == "finished":
            for name, digest in record["files"].items():
                assert file_sha256(path.parent / name) == digest
            found[path.parent.name] = path.stat().st_mtime
    return found


@pytest.mark.slow
@pytest.mark.parametrize("with_signal", [signal.SIGKILL, signal.SIGINT])
def test_a_batch_that_is_stopped_anywhere_goes_on_where_it_was(
    tmp_path: Path, with_signal: signal.Signals
) -> None:
    (tmp_path / "motions").mkdir()
    for i in range(2):
        save_motion(standing(60, seed=i), tmp_path / "motions" / f"{i}.npz")
    (tmp_path / "prompts.txt").write_text("\n".join(PROMPTS))
    with heeding_ctrl_c():
        process = subprocess.Popen(
            command(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    for _ in range(2000):
        if list((tmp_path / "runs").glob("*/run.json")):
            break
        time.sleep(0.01)
    os.kill(process.pid, with_signal)
    said = process.communicate()[1]
    if with_signal == signal.SIGINT and process.returncode:
        assert process.returncode == 130 and "to resume" in said
    before = finished(tmp_path)
    done = subprocess.run(command(tmp_path), capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    after = finished(tmp_path)
    assert len(after) == len(PROMPTS)
    assert {name: after[name] for name in before} == before
    assert not list((tmp_path / "runs").glob("*/.*"))
