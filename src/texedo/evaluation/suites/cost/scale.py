"""Time and memory for N candidates of a prompt and for P prompts, and how they grow.

What is measured is the pipeline of `texedo generate` up to the choice: sample,
post-process and check, score by both verifiers, choose. Nothing is performed, so that the
figures do not depend on a tracker. Sizes go from small to large, each after a run of the
same shape that does not count: it loads weights and prepares a GPU.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from texedo.core.errors import TexedoError
from texedo.evaluation.suites import figures as fig
from texedo.evaluation.suites.base import TEMPERATURE, Base
from texedo.evaluation.suites.chart import curves_svg
from texedo.evaluation.suites.cost.growth import growth, last_growth
from texedo.evaluation.suites.cost.kept import Kept, Seconds, in_words, machine
from texedo.evaluation.suites.cost.memory import PeakMemory
from texedo.evaluation.suites.figures import Figure, Row, Table
from texedo.evaluation.suites.folder import Report
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.choice import Choice
from texedo.pipeline.drawing import BATCH, Ask
from texedo.pipeline.find import find_scorer
from texedo.pipeline.result import Failed
from texedo.pipeline.stream import Parts, run_stream
from texedo.text.generators.prompts import Sampling, check_count

SUITE = "scale"
STEPS = ("sample", "check", "score", "choose")
IN_ALL, CPU_TIME = "in all", "CPU seconds"
EACH = "ms per candidate"
MEMORY, GPU_MEMORY = "memory, GB", "GPU memory, GB"
LAST = ", last two sizes"
_ENOUGH = 20.0
"""Seconds after which a size is not measured again."""


class Size(NamedTuple):
    """How much is asked for."""

    prompts: int
    candidates: int
    """Of each prompt."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is measured."""

    counts: tuple[int, ...] = (1, 4, 16, 64, 256, 1024)
    """Candidates of one prompt."""
    prompts: tuple[int, ...] = (1, 10, 100, 1000)
    """Prompts of a few candidates each."""
    few: int = 4
    """How many those are."""
    repeats: int = 3
    """Times that a size is measured, as long as that does not take long."""

    def __post_init__(self) -> None:
        for name, own in (("--counts", self.counts), ("--prompts", self.prompts)):
            if any(size < 1 for size in own):
                raise TexedoError(f"{name} must be 1 or more, got {min(own)}.")
        for n in (*self.counts, self.few):
            check_count(n)
        if self.repeats < 1:
            raise TexedoError(f"--repeats must be at least 1, got {self.repeats}.")
        if not self.counts and not self.prompts:
            raise TexedoError(
                "There is no size to measure; name --counts or --prompts."
            )

    def by_candidates(self) -> dict[int, Size]:
        return {n: Size(1, n) for n in sorted(set(self.counts))}

    def by_prompts(self) -> dict[int, Size]:
        return {p: Size(p, self.few) for p in sorted(set(self.prompts))}

    def sizes(self) -> list[Size]:
        """All of them once, small ones first: memory that is not given back to the system
        is part of what the next size seems to need."""
        both = {*self.by_candidates().values(), *self.by_prompts().values()}
        return sorted(both, key=lambda own: (own.prompts * own.candidates, own))


def scale_report(
    base: Base, texts: Sequence[str], plan: Plan, *, device: str = "cpu"
) -> Report:
    """Both tables and the exponents; the models are on `device`."""
    where = machine(device)
    models = ("generator", "dynamics", "semantics", "seed", "temperature")
    settings = {name: base.settings()[name] for name in models} | {
        "device": device,
        "prompts": len(texts),
        "machine": where,
    }
    kept = Kept(base.folder, SUITE, {**settings, "texts": list(texts)})
    bench = _Bench(base, texts, device)
    jobs = plan.sizes()
    found: dict[Size, list[Seconds]] = {}
    for done, size in enumerate(jobs, start=1):
        found[size] = list(_measured(bench, kept, size, plan.repeats))
        base.report("scale", done, len(jobs))
    axes = {
        "candidates": _axis(found, plan.by_candidates()),
        "prompts": _axis(found, plan.by_prompts()),
    }
    axes = {name: rows for name, rows in axes.items() if rows}
    return Report(
        suite=SUITE if device == "cpu" else f"{SUITE}-{device.partition(':')[0]}",
        title="How time and memory grow" + ("" if device == "cpu" else ", on a GPU"),
        settings=settings,
        words=(
            f"On {in_words(where)}. Prompts are asked for {plan.few} candidates each; "
            f"{BATCH} candidates are drawn at once.",
        ),
        tables=(*_tables(axes, plan), _exponents(axes)),
        charts={f"{name}.svg": _chart(name, rows) for name, rows in axes.items()},
    )


class _Bench:
    """The pipeline at work, with a clock."""

    def __init__(self, base: Base, texts: Sequence[str], device: str) -> None:
        seeing = find_scorer(dynamics=base.dynamics, semantics=base.semantics)
        choice = Choice(rule="texedo", threshold=float(base.dynamics.threshold))
        self._parts = Parts(base.generator, seeing.scorer, choice)
        self._base, self._texts, self._device = base, texts, device
        self._shapes: set[Size] = set()

    def measure(self, size: Size, again: int) -> Seconds:
        """Seconds of each step, and the highest memory."""
        shape = Size(
            min(size.prompts, max(BATCH // size.candidates, 1)),
            min(size.candidates, BATCH),
        )
        if shape not in self._shapes:
            self._shapes.add(shape)
            self._run(shape, 0)
        memory = PeakMemory(self._device)
        wall, cpu = time.perf_counter(), time.process_time()
        found = self._run(size, again)
        found[IN_ALL] = time.perf_counter() - wall
        found[CPU_TIME] = time.process_time() - cpu
        found[EACH] = 1000 * found[IN_ALL] / (size.prompts * size.candidates)
        found[MEMORY] = memory.host()
        if (gpu := memory.gpu()) is not None:
            found[GPU_MEMORY] = gpu
        return found

    def _run(self, size: Size, again: int) -> Seconds:
        """Nothing that was generated is kept, as in a command that writes it away."""
        found = dict.fromkeys(STEPS, 0.0)
        sampling = Sampling(temperature=TEMPERATURE)
        for round_, texts in enumerate(_rounds(self._texts, size.prompts)):
            # A prompt that comes again is drawn anew.
            seed = self._base.seed + again + 1000 * round_
            # So many candidates and no more, whatever they are like.
            ask = Ask(
                n=size.candidates, seed=seed, sampling=sampling, again=Again.never()
            )
            for result in run_stream(texts, self._parts, ask):
                if isinstance(result, Failed):
                    raise result.error
                for step in STEPS:
                    found[step] += result.seconds.get(step, 0.0)
        return found


def _rounds(texts: Sequence[str], count: int) -> Iterator[list[str]]:
    """So many prompts: the list from its beginning, as often as needed."""
    for start in range(0, count, len(texts)):
        yield list(texts[: count - start])


def _measured(bench: _Bench, kept: Kept, size: Size, repeats: int) -> Iterator[Seconds]:
    spent = 0.0
    for again in range(repeats):
        key = f"{size.prompts} x {size.candidates} #{again}"
        own = kept.of(key)
        if own is None:
            own = bench.measure(size, again)
            kept.add(key, own)
        yield own
        spent += own[IN_ALL]
        if spent > _ENOUGH:
            return


Rows = dict[int, Row]
"""What was measured, by size."""


def _axis(found: dict[Size, list[Seconds]], sizes: dict[int, Size]) -> Rows:
    return {number: _row(found[size]) for number, size in sizes.items()}


def _row(runs: Sequence[Seconds]) -> Row:
    names = (*STEPS, IN_ALL, CPU_TIME, EACH, MEMORY, GPU_MEMORY)
    return {
        name: _mean(np.array([run[name] for run in runs]))
        for name in names
        if name in runs[0]
    }


def _mean(values: np.ndarray[Any, np.dtype[np.float64]]) -> Figure:
    if len(values) == 1:
        return Figure(value=float(values[0]), n=1, digits=2)
    return fig.mean(values, digits=2)


def _tables(axes: dict[str, Rows], plan: Plan) -> list[Table]:
    titles = {
        "candidates": "One prompt, N candidates",
        "prompts": f"P prompts, {plan.few} candidates each",
    }
    return [
        Table(
            name=name,
            title=titles[name],
            rows={
                f"{'N' if name == 'candidates' else 'P'} = {k}": rows[k] for k in rows
            },
            note="Seconds from the prompt to the choice; check: post-processing and "
            "`texedo check`; score: R_dyn and R_text; CPU seconds: of all threads "
            "together; memory: the most that the process holds, weights included; n: runs.",
        )
        for name, rows in axes.items()
    ]


def _exponents(axes: dict[str, Rows]) -> Table:
    found: dict[str, Row] = {}
    for name, rows in axes.items():
        found[name] = _fitted(rows, growth)
        last = _fitted(rows, last_growth)
        found[name] |= {f"{own}{LAST}": last[own] for own in (IN_ALL, CPU_TIME)}
    return Table(
        name="growth",
        title="Growth",
        rows=found,
        note="Slope of the logarithm of the cost against that of the size, with "
        "Student's 95 % interval: 1 is in proportion to the size, 0 not at all; n: sizes.",
    )


def _fitted(
    rows: Rows, fit: Callable[[Sequence[float], Sequence[float]], Figure]
) -> Row:
    names = [name for name in next(iter(rows.values())) if name != EACH]
    return {
        name: fit(list(rows), [_value(row, name) for row in rows.values()])
        for name in names
    }


def _value(row: Row, name: str) -> float:
    value = row[name].value if name in row else None
    return float("nan") if value is None else value


def _chart(name: str, rows: Rows) -> str:
    curves = {
        step: [(size, row[step]) for size, row in rows.items()]
        for step in (*STEPS, IN_ALL)
    }
    return curves_svg(
        curves, title=f"Seconds, by {name}", unit="s", across=name, log=True
    )
