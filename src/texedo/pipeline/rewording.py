"""Asking again in other words, where no candidate fits.

A generator may stumble over one word of a sentence and know another that says the same:
of "a person jumps forward once" 6 % of the candidates are right, of "a person does one
jump forward" 94 %. Which words those are nobody knows beforehand. But where nothing that
was drawn fits, more of the same seldom helps, and other wordings of the sentence may; what
they bring is compared with the sentence as it was said, like all other candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator, ReadsPrompts

BELOW, WORDINGS, MOST = 0.88, 4, 32
"""By the development half of `texedo evaluate understanding`, see docs/generate.md."""
ASKED_AS = "asked_as"
"""Column of the table of candidates: the words, where these are not the prompt's."""
FEWEST = 8
"""Of fewer candidates nobody can say that the sentence is not understood."""
_TRIES = 2
"""Wordings that are made for each that is used: some are read alike."""


class Asked(NamedTuple):
    """A candidate, and the words it was asked for in."""

    wording: str
    motion: Motion


@dataclass(frozen=True, kw_only=True)
class Rewording:
    """When to ask again, and how often."""

    below: float = BELOW
    """R_text of the best candidate that passes, below which nothing fits."""
    wordings: int = WORDINGS
    """Other wordings that are tried at most."""
    most: int = MOST
    """Candidates that are drawn for them at most, and no more than were asked for."""

    def __post_init__(self) -> None:
        if not 0 <= self.below <= 1:
            raise GenerationError(
                f"below must be 0 to 1, as R_text is, got {self.below:g}."
            )
        if self.wordings < 1 or self.most < 1:
            raise GenerationError(
                "Asking in other words needs at least one wording and one candidate, "
                f"got {self.wordings} and {self.most}."
            )

    def is_needed(self, r_text: ArrayLike, passes: ArrayLike) -> bool:
        """Whether none of these candidates, (N,), fits; not where nobody can tell."""
        r_text = np.asarray(r_text, dtype=np.float64)
        known = np.isfinite(r_text)
        if len(r_text) < FEWEST or not known.any():
            return False
        best = r_text[known & np.asarray(passes, dtype=np.bool_)].max(initial=0.0)
        return bool(best < self.below)

    def count(self, n: int) -> int:
        """Candidates that are drawn in other words beside n."""
        return min(n, self.most)


def other_words(generator: Generator, prompt: str, most: int) -> list[str]:
    """Wordings that say the same and that the generator reads otherwise: first those of
    known requests, then other forms of the sentence. None where the generator does not
    say how it reads, since files or a service may not be asked twice."""
    if not isinstance(generator, ReadsPrompts):
        return []
    # Here and not above: the grammar of captions is only loaded where it is needed.
    from texedo.data.captions.asked.wordings import other_wordings
    from texedo.data.captions.choice import Choice
    from texedo.data.captions.paraphrase import paraphrases

    read = generator.read_as(prompt)
    forms = paraphrases(read, number=_TRIES * most, choice=Choice(0))
    made = [*other_wordings(read), *forms]
    found = dict.fromkeys(generator.read_as(text) for text in made)
    return [text for text in found if text != read][:most]


def draw_in_other_words(
    generator: Generator,
    wordings: Sequence[str],
    count: int,
    *,
    seed: int,
    sampling: Sampling,
) -> list[Asked]:
    """So many candidates, as good as the same number for each wording."""
    each = -(-count // len(wordings))
    rows = generator.sample_many(wordings, each, seed=seed, **sampling.to_dict())
    turns = [
        Asked(wording, row[i])
        for i in range(each)
        for wording, row in zip(wordings, rows, strict=True)
        if i < len(row)
    ]
    return turns[:count]
