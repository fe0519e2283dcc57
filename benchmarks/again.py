"""What it is worth to write motions, to join steps, to edit candidates, and to ask again
in other words, where none fits.

    texedo evaluate understanding --part test -n 32 --semantics texedo -o FOLDER
    python benchmarks/again.py FOLDER [PART] [CANDIDATES] [WAY ...]

Takes the candidates and R_text that `texedo evaluate understanding` kept in FOLDER (part
test, 32 of each prompt). Where none that passes R_dyn fits, more are made as `texedo
generate` does; beside that, as many more are drawn with the sentence as it was said. Every
candidate is judged by its prompt's rule. Ways are written, joined, edited, words, all
(one after the other) and same (as many more as it was said); all of them if none is
named. Intervals are of 95 %, by prompts; changes are
against the candidates that were there before.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from meaning import best, cells, looked, meaning, passing, with_a_rule
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.page import markdown
from texedo.evaluation.understanding.suite import Part, Prompt
from texedo.motion import Motion
from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.joining import Joining
from texedo.pipeline.again.more import Drawn, raised
from texedo.pipeline.again.rewording import Rewording
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.again.writing import Writing
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS, TokenGenerator
from texedo.text.generators.prompts import Sampling
from texedo.text.postprocess import postprocess

PLAIN = "as it was said"
WRITTEN, JOINED, EDITED, ASKED, ALL, SAME = (
    "written",
    "joined",
    "edited",
    "words",
    "all",
    "same",
)
SAMPLING = Sampling(temperature=1.0)
How = Writing | Joining | Editing | Rewording
Ways = dict[str, tuple[str, tuple[How, ...]]]
"""Where each one goes on from, and how."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pool:
    """The candidates of a prompt, and what is known of them."""

    prompt: Prompt
    motions: tuple[Motion, ...]
    r_text: NDArray[np.float64]
    right: NDArray[np.bool_]
    passes: NDArray[np.bool_]

    def beside(
        self,
        folder: Path,
        more: Sequence[Motion],
        odds: float | NDArray[np.float64] = 0.0,
    ) -> Pool:
        """With others behind them, for which there is evidence of `odds`."""
        others = look([self.prompt], [postprocess(list(more))[0]], folder)[0]
        return replace(
            self,
            motions=(*self.motions, *others.motions),
            r_text=np.concatenate((self.r_text, raised(others.r_text, odds))),
            right=np.concatenate((self.right, others.right)),
            passes=np.concatenate((self.passes, others.passes)),
        )

    @property
    def chosen_is_right(self) -> float:
        return float(self.right[best(self.r_text, self.passes)])


def look(
    prompts: Sequence[Prompt], drawn: Sequence[Sequence[Motion]], folder: Path
) -> list[Pool]:
    """Of all candidates, as many of each prompt."""
    r_text, right = meaning(prompts, drawn, folder)
    rows = zip(prompts, drawn, r_text, right, passing(drawn), strict=True)
    return [
        Pool(prompt=p, motions=tuple(m), r_text=t, right=r, passes=ok)
        for p, m, t, r, ok in rows
    ]


def tried(
    pool: Pool,
    hows: Sequence[How],
    n: int,
    generator: TokenGenerator,
    folder: Path,
) -> Pool:
    """With more candidates where none fits and `n` were drawn."""
    for how in hows:
        drawn = Drawn(
            prompt=pool.prompt.text,
            generator=generator,
            n=n,
            seed=0,
            sampling=SAMPLING,
            motions=pool.motions,
            r_text=pool.r_text,
            may_win=pool.passes,
            look=looked,
        )
        more = how.make(drawn) if how.is_needed(drawn) else None
        if more is not None:
            pool = pool.beside(folder, more.motions, more.odds)
    return pool


def more_of_the_same(
    pool: Pool, count: int, generator: TokenGenerator, folder: Path
) -> Pool:
    """With so many more, drawn for the sentence as it was said."""
    n, text = len(pool.motions), pool.prompt.text
    if not count:
        return pool
    part = range(n, n + count)
    (drawn,) = generator.sample_part([text], part, **SAMPLING.to_dict())
    return pool.beside(folder, drawn)


WAYS: Ways = {
    WRITTEN: (PLAIN, (Writing(),)),
    JOINED: (PLAIN, (Joining(),)),
    EDITED: (PLAIN, (Editing(),)),
    ASKED: (PLAIN, (Rewording(),)),
    ALL: (PLAIN, Again().rounds),
}


def main() -> int:
    given = [*sys.argv[1:], *("", "test", "32")[len(sys.argv[1:4]) :]]
    if not given[0]:
        print(__doc__)
        return 2
    folder, wanted = Path(given[0]), given[3:] or [*WAYS, SAME]
    part: Part = next(p for p in get_args(Part) if p == given[1])
    prompts, generator = with_a_rule(part), find_generator(OURS)
    assert isinstance(generator, TokenGenerator)
    bench = Bench(generator=generator, policy=None, folder=folder)
    drawn = bench.sample([p.text for p in prompts], int(given[2]), 1.0)
    n, before = len(drawn[0]), look(prompts, drawn, folder)
    found = {PLAIN: before}
    for name, (start, hows) in WAYS.items():
        if name in wanted:
            pools = found.get(start, before)
            found[name] = [tried(pool, hows, n, generator, folder) for pool in pools]
            print(f"{name}: done", file=sys.stderr, flush=True)
    if SAME in wanted:
        found[SAME] = [
            more_of_the_same(a, len(b.motions) - len(a.motions), generator, folder)
            for a, b in zip(before, found.get(ALL, before), strict=True)
        ]
    print(markdown(rows_of(before, found), digits=3))
    return 0


def rows_of(
    before: Sequence[Pool], found: dict[str, list[Pool]]
) -> dict[str, dict[str, object]]:
    was = np.array([pool.chosen_is_right for pool in before])
    rows: dict[str, dict[str, object]] = {}
    for name, pools in found.items():
        right = np.array([pool.chosen_is_right for pool in pools])
        available = np.array([float(pool.right.any()) for pool in pools])
        grown = [
            len(a.motions) < len(b.motions) for a, b in zip(before, pools, strict=True)
        ]
        rows[name] = {
            "prompts": sum(grown),
            "candidates": f"{np.mean([len(pool.motions) for pool in pools]):.1f}",
            **cells("available", available),
            **cells("right", right),
            **cells("right, change", right - was),
        }
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
