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

from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline.again.more import Drawn, More, is_r_text
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator, ReadsPrompts

BELOW, WORDINGS, MOST = 0.88, 4, 32
"""By the development half of `texedo evaluate understanding`, see docs/generate.md."""
ASKED_AS = "asked_as"
"""Column of the table of candidates: the words, where these are not the prompt's."""
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
        if not is_r_text(self.below):
            raise GenerationError(
                f"below must be 0 to 1, as R_text is, got {self.below:g}."
            )
        if self.wordings < 1 or self.most < 1:
            raise GenerationError(
                "Asking in other words needs at least one wording and one candidate, "
                f"got {self.wordings} and {self.most}."
            )

    def is_needed(self, drawn: Drawn) -> bool:
        """Whether nothing fits that was drawn."""
        return not drawn.fits(self.below)

    def count(self, n: int) -> int:
        """Candidates that are drawn in other words beside n."""
        return min(n, self.most)

    def make(self, drawn: Drawn) -> More | None:
        """Candidates for other wordings; None where there are none."""
        wordings = other_words(drawn.generator, drawn.prompt, self.wordings)
        if not wordings:
            return None
        asked = draw_in_other_words(
            drawn.generator,
            wordings,
            self.count(drawn.n),
            seed=drawn.seed,
            sampling=drawn.sampling,
        )
        if not asked:
            return None
        said = ", ".join(f"'{wording}'" for wording in wordings)
        return More(
            motions=[one.motion for one in asked],
            column=ASKED_AS,
            told=[one.wording for one in asked],
            remark=f"no candidate fitted well, so {len(asked)} more were asked for in "
            f"other words: {said}",
        )


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
