"""Prompts that candidates are drawn for: captions of a split, and our own list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from texedo.data.trials.pool import LIVELY, ClipPool

_ORDER = {"train": 0, "val": 1, "test": 2, "test-subject": 2}
"""A caption that several splits have belongs to the first of them."""
_SETTING = 512
"""Prompts that share temperature and guidance: a GPU's recording serves them all."""
_FEWEST_SETTINGS = 8
_SHORT = 60
"""Characters of a caption that is joined with others."""
_JOINTS = (", then ", " and then ", ", ", ", after that ")


class PromptJob(NamedTuple):
    """A prompt, and how many candidates are drawn for it with what."""

    text: str
    split: str
    family: str
    source: str = ""
    """The clip whose caption it is."""
    suite: str = ""
    candidates: int = 1
    temperature: float = 1.0
    guidance: float = 1.0


def choose_prompts(
    pool: ClipPool,
    splits: Collection[str],
    number: int | None,
    *,
    rng: np.random.Generator,
    lively_weight: float,
) -> list[PromptJob]:
    """At most `number` different captions of some splits, or all, in random order.

    Captions that a split before them has too are left out. Each clip counts alike,
    however many captions it has, and lively ones `lively_weight` times as much.
    """
    first = min(_ORDER[split] for split in splits)
    taken = {
        text for row in pool.rows if _ORDER[row.split] < first for text in row.captions
    }
    jobs: dict[str, PromptJob] = {}
    weights = []
    for row in pool.rows:
        if row.split not in splits:
            continue
        for text in row.captions:
            if text not in jobs and text not in taken:
                jobs[text] = PromptJob(text, row.split, row.family, row.id)
                lively = lively_weight if row.family in LIVELY else 1.0
                weights.append(lively / len(row.captions))
    # The smallest of exponential times: drawn by weight, without putting back.
    keys = rng.exponential(size=len(jobs)) / np.array(weights)
    every = list(jobs.values())
    return [every[i] for i in np.argsort(keys)[:number]]


def with_routines(
    jobs: Sequence[PromptJob], *, share: float, rng: np.random.Generator
) -> list[PromptJob]:
    """The prompts, a `share` of them joined from two or three lively captions.

    One lively thing after another is what a controller fails at most; captions of
    recordings seldom ask for it. Joined captions are of the same split.
    """
    lively = [job for job in jobs if job.family in LIVELY and len(job.text) <= _SHORT]
    splits = {split: [job for job in lively if job.split == split] for split in _ORDER}
    taken = {job.text for job in jobs}
    found = []
    for job in jobs:
        own = splits[job.split]
        if rng.random() < share and len(own) >= 3:
            number = int(rng.integers(2, 4))
            parts = [own[i] for i in rng.choice(len(own), number, replace=False)]
            joint = _JOINTS[int(rng.integers(len(_JOINTS)))]
            text = joint.join(part.text.rstrip(". ") for part in parts)
            if text not in taken:
                taken.add(text)
                job = PromptJob(text, job.split, "routine", parts[0].source)
        found.append(job)
    return found


def lively_jobs(texts: Sequence[str], split: str) -> list[PromptJob]:
    """Prompts of our own list."""
    return [PromptJob(text, split, "lively") for text in texts]


def read_prompts(text: str) -> list[str]:
    """The prompts of a file with one a line and # before what is none."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def with_settings(
    jobs: Sequence[PromptJob],
    *,
    candidates: int,
    temperatures: tuple[float, float],
    guidances: tuple[float, float],
    rng: np.random.Generator,
) -> list[PromptJob]:
    """Prompts with temperatures and guidances that fill both ranges evenly."""
    if not jobs:
        return []
    size = min(_SETTING, -(-len(jobs) // _FEWEST_SETTINGS))
    count = -(-len(jobs) // size)
    # One of each stripe, in random order: no value is drawn twice or left out.
    spread = [(rng.permutation(count) + rng.random(count)) / count for _ in range(2)]
    t, g = (
        np.round(low + (high - low) * s, 2)
        for (low, high), s in zip((temperatures, guidances), spread, strict=True)
    )
    return [
        job._replace(
            candidates=candidates,
            temperature=float(t[i // size]),
            guidance=float(g[i // size]),
        )
        for i, job in enumerate(jobs)
    ]
