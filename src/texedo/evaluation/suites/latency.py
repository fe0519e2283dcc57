"""How long each step takes for N candidates of a prompt, on this machine.

Each prompt is timed by itself, in one process, after a first prompt that does not count:
it loads weights and fills caches. Times are kept, so a stopped measurement goes on; they
are of this machine, and a folder that another machine has measured in is measured anew.
"""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from texedo.core.files import write_whole
from texedo.core.threads import available_cores
from texedo.do import select_best
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import TEMPERATURE, Base
from texedo.evaluation.suites.chart import curves_svg
from texedo.evaluation.suites.figures import Row, Table, theirs
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.paper import LATENCY_S
from texedo.robot.check import check_motion
from texedo.see.semantics.protocol import r_text
from texedo.text.postprocess import postprocess

STEPS = ("sample", "check", "R_text", "R_dyn", "choose", "perform the choice")
IN_ALL = "in all"
_WARM_UP = "a person stands"

Seconds = dict[str, float]


def machine() -> dict[str, str]:
    """What times depend on, in words."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(available_cores()),
        "python": platform.python_version(),
    }


def latency_report(base: Base, prompts: Sequence[str], counts: Sequence[int]) -> Report:
    """Seconds of every step for every N, over the prompts."""
    kept = _Kept(base, machine())
    wanted = [(n, text) for n in counts for text in prompts]
    if any(kept.of(n, text) is None for n, text in wanted):
        time_prompt(base, _WARM_UP, 1)
    for done, (n, text) in enumerate(wanted, start=1):
        if kept.of(n, text) is None:
            kept.add(n, text, time_prompt(base, text, n))
        base.report("time", done, len(wanted))
    rows: dict[str, Row] = {
        f"N = {n}": _row([_known(kept, n, text) for text in prompts]) for n in counts
    }
    rows["paper: N = 32, one A100"] = {k: theirs(v) for k, v in LATENCY_S.items()}
    curves = {
        step: [(n, rows[f"N = {n}"][step]) for n in counts] for step in (*STEPS, IN_ALL)
    }
    where = machine()
    return Report(
        suite="latency",
        title="How long it takes",
        settings={**base.settings(), "prompts": len(prompts), "machine": where},
        words=(
            f"Seconds per prompt on {where['processor']}, {where['cores']} cores "
            f"({where['system']}); prompts: {len(prompts)}.",
        ),
        tables=(
            Table(
                name="seconds",
                title="Seconds per prompt",
                rows=rows,
                note="check: post-processing and `texedo check` of all candidates; "
                "perform the choice: one roll-out in physics.",
                theirs=("paper: N = 32, one A100",),
            ),
        ),
        charts={
            "seconds.svg": curves_svg(curves, title="Seconds per prompt", unit="s")
        },
    )


def time_prompt(base: Base, prompt: str, n: int) -> Seconds:
    """Seconds of each step."""
    # Here and not above: it loads the simulator.
    from texedo.tracker.oracle.rollout import rollout

    times = [time.perf_counter()]

    def note() -> None:
        times.append(time.perf_counter())

    (drawn,) = base.generator.sample_many(
        [prompt], n, seed=base.seed, temperature=TEMPERATURE
    )
    note()
    motions = list(postprocess(drawn)[0])
    passing = [check_motion(motion).verdict != "fail" for motion in motions]
    note()
    semantics = r_text(base.semantics, prompt, motions)
    note()
    dynamics = base.dynamics.foresee(motions).r_dyn
    note()
    chosen = select_best(
        dynamics,
        semantics,
        threshold=base.dynamics.threshold,
        preferred=np.array(passing, dtype=np.bool_),
    )
    note()
    rollout([motions[chosen.index]], base.policy, workers=1)
    note()
    return {step: float(own) for step, own in zip(STEPS, np.diff(times), strict=True)}


class _Kept:
    """Times that were measured on this machine with these models."""

    def __init__(self, base: Base, where: Mapping[str, str]) -> None:
        text = json.dumps([base.settings(), dict(where)], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._path: Path = base.folder / f"latency-{digest}.json"
        self._rows: dict[str, Seconds] = {}
        if self._path.is_file():
            self._rows = json.loads(self._path.read_bytes())

    def of(self, n: int, prompt: str) -> Seconds | None:
        return self._rows.get(f"{n} {prompt}")

    def add(self, n: int, prompt: str, seconds: Seconds) -> None:
        self._rows[f"{n} {prompt}"] = seconds
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, (json.dumps(self._rows, indent=1) + "\n").encode())


def _known(kept: _Kept, n: int, prompt: str) -> Seconds:
    found = kept.of(n, prompt)
    assert found is not None
    return found


def _row(times: Iterable[Seconds]) -> Row:
    own = list(times)
    row = {step: fig.mean(np.array([one[step] for one in own])) for step in STEPS}
    return {**row, IN_ALL: fig.mean(np.array([sum(one.values()) for one in own]))}


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "an unknown processor"
