"""Worker processes that are told to end clean up after themselves."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from texedo.core.pool import Crew

SCRIPT = """
import sys, time
from pathlib import Path
from texedo.core.ending import Terminated, ends_by_signal
from texedo.core.files import atomic_path
from texedo.core.pool import map_unordered

OUT = Path(sys.argv[1])

def write(i):
    with atomic_path(OUT / f"{i}.bin") as temporary:
        temporary.write_bytes(b"half")
        time.sleep(60)

if __name__ == "__main__":
    try:
        with ends_by_signal():
            list(map_unordered(write, ((i,) for i in range(6)), workers=2))
    except Terminated:
        sys.exit(143)
"""


def test_workers_leave_no_temporary_file_and_take_no_other_work(tmp_path: Path) -> None:
    script, out = tmp_path / "work.py", tmp_path / "out"
    script.write_text(SCRIPT)
    out.mkdir()
    parent = subprocess.Popen([sys.executable, str(script), str(out)])
    until = time.monotonic() + 60
    while len(list(out.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert len(list(out.iterdir())) == 2
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(timeout=30) == 143
    assert list(out.iterdir()) == []


def test_a_crew_is_started_once_and_answers_in_order() -> None:
    with Crew(2) as crew:
        first = list(crew.ordered(divmod, [(number, 4) for number in range(9)]))
        again = sorted(crew.unordered(abs, [(-3,), (2,)]))
    assert first == [divmod(number, 4) for number in range(9)]
    assert again == [2, 3]
    assert list(Crew(1).ordered(abs, [(-1,), (-2,)])) == [1, 2]
