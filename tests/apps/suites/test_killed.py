"""A command that is killed goes on, and its tables are those of one that was not."""

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SUITES = ("selection", "best-of-n", "ood", "robot-prompts")
# Models that can be foretold; the process kills itself at the n-th thing it tells.
DRIVER = """
import os, signal, sys
from contextlib import contextmanager
from dataclasses import replace

from tests.support.standing import stiff
from tests.support.suites import KnowingVerifier, LengthJudge, UnevenGenerator
from tests.support.verifiers import FakeVerifier
from texedo.apps import cli
from texedo.apps.suites import all_, options
from texedo.quality import Normalizers

deadly, told = int(sys.argv[1]), []

def tell(what, done, total):
    told.append(what)
    if len(told) == deadly:
        os.kill(os.getpid(), signal.SIGKILL)

@contextmanager
def stage_bar():
    yield tell

policy = replace(stiff(), normalizers=Normalizers(e_acc=5.0, e_vel=20.0))
fake = FakeVerifier(lambda text, motion: len(motion) / 100)
options.find_generator = lambda which, device="auto": UnevenGenerator()
options.find_policy = lambda which: policy
options.find_dynamics = lambda which: KnowingVerifier()
options.find_semantics = lambda which: fake
options.find_judges = lambda names: (LengthJudge(),)
options.stage_bar = stage_bar
all_.SIZES["tiny"] = all_.SIZES["tiny"]._replace(prompts=2, robot=2)
code = cli.main(["evaluate", "all", "--size", "tiny", *sys.argv[2:]])
print(len(told))
sys.exit(code)
"""


def run(out: Path, *, deadly: int = 0) -> subprocess.CompletedProcess[str]:
    only = [word for name in SUITES for word in ("--only", name)]
    return subprocess.run(
        [sys.executable, "-c", DRIVER, str(deadly), "-o", str(out), *only],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def tables(out: Path) -> dict[str, bytes]:
    """Everything but what is kept to go on with."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.relative_to(out).parts[0] != "kept"
    }


def test_killed_half_way_it_ends_with_the_same_tables_byte_for_byte(
    tmp_path: Path,
) -> None:
    whole = run(tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    steps = int(whole.stdout.splitlines()[-1])
    out = tmp_path / "killed"
    assert run(out, deadly=steps // 2).returncode == -signal.SIGKILL
    assert (out / "kept" / "labels.jsonl").is_file()
    assert not (out / "results.md").exists()
    again = run(out)
    assert again.returncode == 0, again.stderr
    found = tables(out)
    assert {"results.md", "index.html", "best-of-n/success.svg"} <= set(found)
    assert found == tables(tmp_path / "whole")
