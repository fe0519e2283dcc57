"""What is asked for, and where the candidates of each prompt come from, part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline.adaptive import Adaptive
from texedo.pipeline.again.rounds import Again
from texedo.text.generators.prompts import Sampling, check_count
from texedo.text.generators.protocol import DrawsParts, Generator

CANDIDATES = 32
"""Drawn for a prompt if nothing is said."""
BATCH = 64
"""Candidates that are drawn at once; several prompts share a batch."""

Report = Callable[[str, int, int], None]
"""Called with a stage, the number of candidates it has done, and of all."""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What is asked for beside the prompt."""

    n: int = CANDIDATES
    """Candidates per prompt, or the most of them if sampling is adaptive."""
    seed: int = 0
    sampling: Sampling = field(default_factory=Sampling)
    top: int = 1
    """Motions that are handed out."""
    adaptive: Adaptive | None = None
    """Draw in batches and stop when the next one is not worth it."""
    again: Again = Again()
    """What is tried where no candidate fits."""

    def __post_init__(self) -> None:
        check_count(self.n)
        if not 1 <= self.top <= self.n:
            raise GenerationError(
                f"The number of motions to hand out must be 1 to {self.n}, the number "
                f"of candidates, got {self.top}."
            )


class Source(NamedTuple):
    """Where the candidates of a prompt come from, part by part."""

    parts: list[range]
    draw: Callable[[range], list[Motion]]
    seconds: float = 0.0
    """What was spent before the first part was asked for."""


def sources_of(
    prompts: list[str], generator: Generator, ask: Ask, tell: Report
) -> Iterator[tuple[str, Source]]:
    """A source per prompt; prompts that fail together are tried one by one."""
    if len(prompts) == 1 and isinstance(generator, DrawsParts):
        yield prompts[0], _in_parts(prompts[0], generator, ask, tell)
        return
    tell("sample", 0, ask.n * len(prompts))
    started = time.perf_counter()
    try:
        rows = generator.sample_many(
            prompts, ask.n, seed=ask.seed, **ask.sampling.to_dict()
        )
    except Exception as error:
        if len(prompts) > 1:
            for prompt in prompts:
                yield from sources_of([prompt], generator, ask, tell)
            return
        failure = error  # `error` is gone with the end of this block.
        yield prompts[0], Source([range(ask.n)], lambda _: _raise(failure))
        return
    seconds = (time.perf_counter() - started) / len(prompts)
    for prompt, row in zip(prompts, rows, strict=True):
        sizes = _sizes(ask, len(row))

        def cut(part: range, row: list[Motion] = row) -> list[Motion]:
            return row[part.start : part.stop]

        yield prompt, Source(sizes, cut, seconds)


def _in_parts(prompt: str, generator: DrawsParts, ask: Ask, tell: Report) -> Source:
    def draw(part: range) -> list[Motion]:
        tell("sample", part.start, ask.n)
        settings = ask.sampling.to_dict()
        return generator.sample_part([prompt], part, seed=ask.seed, **settings)[0]

    return Source(_sizes(ask, ask.n), draw)


def _sizes(ask: Ask, count: int) -> list[range]:
    if ask.adaptive is not None:
        return ask.adaptive.parts(count) or [range(0)]
    starts = range(0, max(count, 1), BATCH)
    return [range(at, min(at + BATCH, count)) for at in starts]


def _raise(error: Exception) -> list[Motion]:
    raise error
