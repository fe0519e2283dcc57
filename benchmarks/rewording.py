"""What asking again in other words is worth, beside drawing more of the same.

    texedo evaluate understanding --part test -n 32 --semantics texedo -o FOLDER
    python benchmarks/rewording.py FOLDER [PART] [CANDIDATES] [BELOW]

Takes the candidates and R_text that `texedo evaluate understanding` kept in FOLDER (part
test, 32 of each prompt). Where none that passes R_dyn has an R_text of BELOW (what ships)
more are drawn as `texedo generate` does, and as many with the sentence as it was said. Every
candidate is judged by its prompt's rule. Intervals are of 95 %, by prompts; changes are
against the candidates that were there before.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from meaning import best, cells, meaning, passing, with_a_rule
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.page import markdown
from texedo.evaluation.understanding.suite import Part, Prompt
from texedo.motion import Motion
from texedo.pipeline.again.rewording import Rewording, draw_in_other_words, other_words
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS, TokenGenerator
from texedo.text.generators.prompts import Sampling
from texedo.text.postprocess import postprocess


class Looked(NamedTuple):
    """What is known of some candidates of a prompt, (N,) each."""

    r_text: NDArray[np.float64]
    right: NDArray[np.bool_]
    passes: NDArray[np.bool_]

    def beside(self, others: Looked | None) -> Looked:
        """With others behind them."""
        if others is None:
            return self
        return Looked(*(np.concatenate(two) for two in zip(self, others, strict=True)))

    @property
    def chosen_is_right(self) -> float:
        return float(self.right[best(self.r_text, self.passes)])


def look(
    prompts: Sequence[Prompt], drawn: Sequence[Sequence[Motion]], folder: Path
) -> list[Looked]:
    """Of all candidates, as many of each prompt."""
    if not prompts:
        return []
    r_text, right = meaning(prompts, drawn, folder)
    rows = zip(r_text, right, passing(drawn), strict=True)
    return [Looked(*own) for own in rows]


def again(
    generator: TokenGenerator, prompt: str, n: int, how: Rewording
) -> tuple[list[Motion], list[Motion]] | None:
    """More candidates in other words, and as many of the same; None: no other words."""
    wordings = other_words(generator, prompt, how.wordings)
    if not wordings:
        return None
    count = how.count(n)
    asked = draw_in_other_words(
        generator, wordings, count, seed=0, sampling=Sampling(temperature=1.0)
    )
    same = generator.sample_part([prompt], range(n, n + count), temperature=1.0)[0]
    other = [one.motion for one in asked]
    return list(postprocess(other)[0]), list(postprocess(same)[0])


def main() -> int:
    given = [*sys.argv[1:], *(None,) * 4][:4]
    if given[0] is None:
        print(__doc__)
        return 2
    folder = Path(given[0])
    part: Part = next(p for p in get_args(Part) if p == (given[1] or "test"))
    n, how = int(given[2] or 32), Rewording()
    if given[3] is not None:
        how = Rewording(below=float(given[3]))
    prompts, generator = with_a_rule(part), find_generator(OURS)
    assert isinstance(generator, TokenGenerator)
    bench = Bench(generator=generator, policy=None, folder=folder)
    before = look(prompts, bench.sample([p.text for p in prompts], n, 1.0), folder)
    poor = [i for i, x in enumerate(before) if how.is_needed(x.r_text, x.passes)]
    more = {i: again(generator, prompts[i].text, n, how) for i in poor}
    asked = [i for i, both in more.items() if both is not None]
    print(f"{len(poor)} of {len(prompts)} prompts; {len(asked)} have other words")
    ways: dict[str, dict[int, Looked]] = {"as it was said": {}}
    for place, name in enumerate(("in other words", "more of the same")):
        drawn = [both[place] for both in more.values() if both is not None]
        found = look([prompts[i] for i in asked], drawn, folder)
        ways[name] = dict(zip(asked, found, strict=True))
    was = np.array([own.chosen_is_right for own in before])
    rows = {}
    for name, extra in ways.items():
        whole = [own.beside(extra.get(i)) for i, own in enumerate(before)]
        right = np.array([own.chosen_is_right for own in whole])
        available = np.array([float(own.right.any()) for own in whole])
        rows[name] = {
            "draws": f"{np.mean([len(own.right) for own in whole]):.1f}",
            **cells("available", available),
            **cells("right", right),
            **cells("right, change", right - was),
        }
    print(markdown(rows, digits=3))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
