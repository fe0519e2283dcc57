"""How long each step takes for N candidates of a prompt, on this machine.

Each prompt is timed by itself, in one process, after a first prompt that does not count:
it loads weights and fills caches.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import numpy as np

from texedo.do import Above, select_best
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import TEMPERATURE, Base
from texedo.evaluation.suites.chart import curves_svg
from texedo.evaluation.suites.cost.kept import Kept, Seconds, in_words, machine
from texedo.evaluation.suites.figures import Row, Table, theirs
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.paper import LATENCY_S
from texedo.robot.check import check_motion
from texedo.see.dynamics.protocol import chance_of
from texedo.see.semantics.protocol import r_text
from texedo.text.postprocess import postprocess

STEPS = ("sample", "check", "R_text", "R_dyn", "choose", "perform the choice")
IN_ALL = "in all"
_WARM_UP = "a person stands"


def latency_report(
    base: Base, prompts: Sequence[str], counts: Sequence[int], *, device: str = "cpu"
) -> Report:
    """Seconds of every step for every N, over the prompts; the models are on `device`."""
    where = machine(device)
    kept = Kept(base.folder, "latency", {**base.settings(), "machine": where})
    wanted = [(n, text) for n in counts for text in prompts]
    if any(kept.of(f"{n} {text}") is None for n, text in wanted):
        time_prompt(base, _WARM_UP, 1)
    for done, (n, text) in enumerate(wanted, start=1):
        if kept.of(f"{n} {text}") is None:
            kept.add(f"{n} {text}", time_prompt(base, text, n))
        base.report("time", done, len(wanted))
    rows: dict[str, Row] = {
        f"N = {n}": _row([_known(kept, n, text) for text in prompts]) for n in counts
    }
    rows["paper: N = 32, one A100"] = {k: theirs(v) for k, v in LATENCY_S.items()}
    curves = {
        step: [(n, rows[f"N = {n}"][step]) for n in counts] for step in (*STEPS, IN_ALL)
    }
    return Report(
        suite="latency",
        title="How long it takes",
        settings={**base.settings(), "prompts": len(prompts), "machine": where},
        words=(f"Seconds per prompt on {in_words(where)}; prompts: {len(prompts)}.",),
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
    said = base.dynamics.foresee(motions)
    note()
    chosen = select_best(
        said.r_dyn,
        semantics,
        threshold=Above.of(base.dynamics.threshold, chance_of(base.dynamics, said)),
        preferred=np.array(passing, dtype=np.bool_),
    )
    note()
    rollout([motions[chosen.index]], base.policy, workers=1)
    note()
    return {step: float(own) for step, own in zip(STEPS, np.diff(times), strict=True)}


def _known(kept: Kept, n: int, prompt: str) -> Seconds:
    found = kept.of(f"{n} {prompt}")
    assert found is not None
    return found


def _row(times: Iterable[Seconds]) -> Row:
    own = list(times)
    row = {step: fig.mean(np.array([one[step] for one in own])) for step in STEPS}
    return {**row, IN_ALL: fig.mean(np.array([sum(one.values()) for one in own]))}
