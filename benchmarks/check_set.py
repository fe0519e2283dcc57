"""Motions that the limits of `texedo check` are calibrated on, of four kinds.

    python benchmarks/check_set.py CORPUS CMU OUT
    texedo data label-trials OUT

captured   clips of the corpus, from recordings that nothing was learnt from
foreign    recordings retargeted by another recipe (`texedo.data.trials.foreign`), at 30
           frames a second; other recordings to tune limits on than to report on
generated  candidates for lively requests, post-processed as `texedo generate` does; other
           requests to tune limits on than to report on
spoiled    captured clips, spoiled in the ways of `texedo.data.synth.spoil`

All are 6 s long at most. Parts that are there are not made again. `texedo data
label-trials` performs them in physics, nominal and perturbed, part by part;
`check_table.py` then says how the verdicts compare.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.datasets import open_dataset
from texedo.data.capture.source import SourceMotion, make_source
from texedo.data.corpus.corpus_file import open_corpus
from texedo.data.corpus.trials import Trial, TrialPart, write_trials
from texedo.data.synth.spoil import SPOILS, WEIGHTS, spoil
from texedo.data.trials.foreign import FOREIGN_FPS, foreign_look
from texedo.data.trials.plan import job_rng
from texedo.data.trials.pool import LIVELY
from texedo.motion import FPS, resample
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

SECONDS = 6.0
SHORTEST = 1.0
BANDS = {"tune": ((0.0, 0.4), (0.0, 0.12)), "held-out": ((0.4, 0.65), (0.12, 0.2))}
"""Shares of the lively recordings and of all others, from where to where by the hash of
their names: more of those in which controllers fail."""
CAPTURED = 64
PART = 64
"""Motions of a part: what an interruption may cost."""
SPOILED = 128
REQUESTS, CANDIDATES, TEMPERATURE = 64, 4, 1.3
AS_FILED = "as-filed"
"""Folder with the foreign clips at their own rate, part by part."""


def trial(name: str, recipe: str, suite: str, group: str, **said: object) -> Trial:
    return Trial(
        id=name,
        recipe=recipe,
        split="val",
        suite=suite,
        group=group,
        prompt=str(said.get("prompt", "")),
        family=str(said.get("family", "")),
        source=str(said.get("source", "")),
        settings=said.get("settings", {}),  # type: ignore[arg-type]
    )


Made = tuple[Trial, NDArray[np.float32]]


def captured(corpus: Path) -> Iterator[Made]:
    """Pieces of held-out clips, evenly spread over the corpus."""
    loaded = open_corpus(corpus)
    clips = list(loaded)
    rows = [
        i
        for i, clip in enumerate(clips)
        if clip.kind == "captured" and clip.split in ("val", "test")
    ]
    for k in np.linspace(0, len(rows) - 1, CAPTURED).astype(int):
        clip = clips[rows[k]]
        poses = loaded.frames(rows[k])[: round(SECONDS * FPS)]
        if len(poses) >= SHORTEST * FPS:
            yield trial(clip.id, "captured", "", clip.group, family=clip.family), poses


def spoiled(corpus: Path) -> Iterator[Made]:
    """Captured clips with faults from hardly to hopelessly."""
    whole = list(captured(corpus))
    names = sorted(SPOILS)
    weights = np.array([WEIGHTS[name] for name in names])
    for k in range(SPOILED):
        rng = job_rng(0, f"spoiled {k}")
        (told, poses), (_, other) = (
            whole[int(i)] for i in rng.integers(len(whole), size=2)
        )
        way = str(rng.choice(names, p=weights / weights.sum()))
        out, settings = spoil(way, poses, rng, other=other)
        yield (
            trial(
                f"{told.id}~{way}-{k}",
                f"spoiled-{way}",
                "",
                told.group,
                family=told.family,
                source=told.id,
                settings=settings,
            ),
            out[: round(SECONDS * FPS)],
        )


class Window(NamedTuple):
    """A few seconds of a recording."""

    source: SourceMotion
    suite: str
    subject: str
    family: str


def windows(cmu: Path, suite: str) -> Iterator[Window]:
    """Windows of the recordings of a suite."""
    opened = open_dataset("cmu", cmu)
    for found in opened.recordings():
        info = opened.info(found.trial)
        hard = info.label.family in LIVELY or not info.label.keep
        first, last = BANDS[suite][0 if hard else 1]
        if not first <= crc32(found.trial.encode()) % 1000 / 1000 < last:
            continue
        rng = job_rng(0, f"{found.trial} window")
        try:
            source = make_source(read_bvh(found.data, name=f"{found.trial}.bvh"))
        except TexedoError:
            continue
        rate = source.fps / info.time_stretch
        wanted, there = round(SECONDS * rate), len(source)
        if there < SHORTEST * rate:
            continue
        start = int(rng.integers(max(there - wanted, 0) + 1))
        piece = _window(source, start, start + wanted, rate)
        yield Window(piece, suite, info.subject, info.label.family)


def _window(source: SourceMotion, start: int, end: int, rate: float) -> SourceMotion:
    return replace(
        source,
        fps=rate,
        positions={k: v[start:end] for k, v in source.positions.items()},
        orientations={k: v[start:end] for k, v in source.orientations.items()},
    )


def foreign_parts(cmu: Path, suite: str) -> Iterator[tuple[TrialPart, TrialPart]]:
    """Parts at 50 Hz, each with the same clips at their own rate."""
    for batch in batched(windows(cmu, suite), PART):
        yield _foreign_part(batch)


def _foreign_part(batch: Sequence[Window]) -> tuple[TrialPart, TrialPart]:
    rngs = [job_rng(0, f"{window.source.name} foreign") for window in batch]
    clips = foreign_look([window.source for window in batch], rngs)
    trials, poses, filed = [], [], []
    for window, clip in zip(batch, clips, strict=True):
        trials.append(
            trial(
                window.source.name,
                "foreign",
                window.suite,
                window.subject,
                family=window.family,
                source=window.source.name,
                settings=clip.settings,
            )
        )
        # As a file of them would be read.
        motion = resample(*clip[:3], fps=FOREIGN_FPS, ranges=(JOINT_LOWER, JOINT_UPPER))
        poses.append(motion.to_qpos())
        filed.append(np.concatenate(clip[:3], axis=1).astype(np.float32))
    said = tuple(trials)
    return TrialPart(trials=said, poses=poses), TrialPart(trials=said, poses=filed)


def generated(suite: str) -> Iterator[Made]:
    """Candidates for requests that a robot may find hard, other ones in each suite."""
    from texedo.text.generators.find import find_generator
    from texedo.text.generators.ours import OURS
    from texedo.text.learn.trials.make import lively_prompts
    from texedo.text.postprocess import postprocess

    every = lively_prompts()
    first, second = np.split(np.linspace(0, len(every) - 1, REQUESTS).astype(int), 2)
    prompts = [every[i] for i in (first if suite == "tune" else second)]
    generator = find_generator(OURS)
    for start in range(0, len(prompts), 8):
        batch = prompts[start : start + 8]
        rows = generator.sample_many(batch, CANDIDATES, seed=0, temperature=TEMPERATURE)
        for prompt, motions in zip(batch, rows, strict=True):
            done, _ = postprocess(motions)
            for k, motion in enumerate(done):
                poses = motion.to_qpos()[: round(SECONDS * FPS)]
                name = f"{crc32(prompt.encode()):08x}-{k}"
                yield trial(name, "generated", suite, prompt, prompt=prompt), poses


def in_parts(made: Iterator[Made]) -> Iterator[tuple[TrialPart, None]]:
    for batch in batched(made, PART):
        trials, poses = zip(*batch, strict=True)
        yield TrialPart(trials=trials, poses=list(poses)), None


def batched(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(items, size)):
        yield batch


def main() -> int:
    corpus, cmu, out = (Path(text).expanduser() for text in sys.argv[1:4])
    (out / AS_FILED).mkdir(parents=True, exist_ok=True)
    kinds: dict[str, Callable[[], Iterator[tuple[TrialPart, TrialPart | None]]]] = {
        "00": lambda: foreign_parts(cmu, "tune"),
        "01": lambda: foreign_parts(cmu, "held-out"),
        "10": lambda: in_parts(generated("tune")),
        "11": lambda: in_parts(generated("held-out")),
        "2": lambda: in_parts(captured(corpus)),
        "3": lambda: in_parts(spoiled(corpus)),
    }
    for number, make in kinds.items():
        done = out / f"kind-{number}.done"
        if done.exists():
            continue
        for k, (part, filed) in enumerate(make()):
            name = f"part-{number}{k:0{5 - len(number)}d}.npz"
            if filed is not None:
                write_trials(out / AS_FILED / name, filed)
            write_trials(out / name, part)
            print(f"{name}: {len(part.trials)} motions", flush=True)
        done.touch()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
