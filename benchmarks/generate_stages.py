"""Seconds of each stage from a sentence to a motion, for the first call and for later ones.

    python benchmarks/generate_stages.py [--clock cpu]
    python benchmarks/generate_stages.py --device cuda

A pipeline is loaded and asked the same thing several times; nothing is written or drawn.
`first` is the first call, `warm` the median of the others. With `--clock cpu` it is the
CPU's seconds over all threads, which other work on the machine changes less. On a GPU the same is done on the
CPU for comparison: how many candidates are the same motion, how far the scores of the same
motions are apart, and whether the choice is the same. Then the other ways through the
device: adaptive, several prompts at once, 256 candidates, files to select from.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import tyro

from texedo.evaluation.tables import markdown
from texedo.pipeline import Generated, Pipeline, load

PROMPT = "a person walks forward and waves"
OTHERS = ("a person turns left", "someone bows", "a person raises both arms")
LOOKED_AT = ("sample", "check", "score", "choose")
"""The stages that have a limit together: sampling, scoring and selection."""
MILLIMETRE = 1e-3


@dataclass(frozen=True)
class Cfg:
    """Time the stages."""

    prompt: tyro.conf.Positional[str] = PROMPT
    device: Literal["cpu", "cuda"] = "cpu"
    num: int = 32
    """Candidates."""
    calls: int = 4
    """How often it is asked, the first included."""
    clock: Literal["wall", "cpu"] = "wall"
    """What is counted: seconds that pass, or that the CPU works on it."""


def main(cfg: Cfg) -> int:
    print(f"load average {os.getloadavg()[0]:.1f}")
    if cfg.clock == "cpu":
        time.perf_counter = time.process_time
    pipe, results = timed_calls(cfg, cfg.device)
    if cfg.device == "cuda":
        compare(cfg, pipe, results[0])
        other_ways(cfg, pipe)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory {memory:.2f} GB")
    return 0


def timed_calls(cfg: Cfg, device: str) -> tuple[Pipeline, list[Generated]]:
    """Load and ask; prints a table."""
    started, busy = time.perf_counter(), time.process_time()
    pipe = load(device=device)
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    print(f"\n{device}: loaded in {seconds:.2f} s ({busy:.2f} s of CPU)")
    results, used = [], []
    for _ in range(cfg.calls):
        busy = time.process_time()
        results.append(pipe(cfg.prompt, n=cfg.num))
        used.append(time.process_time() - busy)
    rows = {
        stage: _row([result.seconds.get(stage, 0.0) for result in results])
        for stage in (*LOOKED_AT, "confirm")
    }
    whole = [sum(r.seconds[stage] for stage in LOOKED_AT) for r in results]
    rows["sample to choose"] = _row(whole)
    rows["CPU seconds of all"] = _row(used)
    print(markdown(rows))
    return pipe, results


def _row(values: list[float]) -> dict[str, float]:
    later = values[1:] or values
    return {"first": round(values[0], 2), "warm": round(statistics.median(later), 2)}


def compare(cfg: Cfg, pipe: Pipeline, found: Generated) -> None:
    """The same request on the CPU."""
    _, (plain, *_) = timed_calls(cfg, "cpu")
    pairs = list(zip(plain.offered, found.offered, strict=True))
    same = [len(a.motion) == len(b.motion) for a, b in pairs]
    apart = [
        float(np.abs(a.motion.to_qpos() - b.motion.to_qpos()).max()) if alike else None
        for (a, b), alike in zip(pairs, same, strict=True)
    ]
    alike = sum(far is not None and far < MILLIMETRE for far in apart)
    print(f"\nsame motions on both: {alike} of {len(pairs)} within {MILLIMETRE:g}")
    motions = [candidate.motion for candidate in plain.offered]
    again = pipe.parts.scorer.score(cfg.prompt, motions)
    for name in ("dynamics", "semantics"):
        there, here = getattr(again, name), getattr(plain.scores, name)
        print(f"{name} of the same motions: {np.abs(there - here).max():.1e} apart")
    choices = plain.selection.index, found.selection.index
    print(f"chosen: {choices[0]} on the CPU, {choices[1]} on the GPU")


def other_ways(cfg: Cfg, pipe: Pipeline) -> None:
    """Whatever else computes on the device."""
    from texedo.apps.cli import main as texedo

    def tell(name: str, started: float, said: str) -> None:
        print(f"{name}: {time.perf_counter() - started:.2f} s, {said}")

    started = time.perf_counter()
    few = pipe(cfg.prompt, n=cfg.num, adaptive=True)
    tell("adaptive", started, f"{len(few.offered)} drawn, {few.verdict}")
    started = time.perf_counter()
    several = pipe(list(OTHERS), n=8)
    tell("three prompts", started, "; ".join(result.verdict for result in several))
    started = time.perf_counter()
    many = pipe(cfg.prompt, n=256)
    tell("256 candidates", started, many.verdict)
    with tempfile.TemporaryDirectory() as folder:
        run, picked = Path(folder) / "run", Path(folder) / "picked"
        kept = ["-n", "8", "--keep-candidates", "--no-video", "--out", str(run)]
        place = ["--device", cfg.device]
        codes = [
            texedo(["generate", cfg.prompt, *kept, *place]),
            texedo(["generate", cfg.prompt, *kept, *place]),
            texedo(
                ["select", cfg.prompt, str(run / "candidates"), *place]
                + ["--no-video", "--out", str(picked)]
            ),
            texedo(["score", str(run / "candidates"), "--prompt", cfg.prompt]),
        ]
    print(f"exit codes of generate, the same again, select, score: {codes}")


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Cfg)))
