"""TEXT: a prompt in, N candidate motions out. What every generator offers.

    generator = find_generator("texedo")
    motions = generator.sample("a person waves", 8, seed=0)

A generator of your own is any object with these names; publish a function that makes it
as an entry point of the group `texedo.generators`, and it has a name on the command
line. Motions are given as the model made them: `texedo.text.postprocess` makes them fit for
a robot, and the pipeline calls it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict, Unpack, runtime_checkable

from texedo.motion import Motion

DEFAULT_TEMPERATURE, DEFAULT_TOP_K, DEFAULT_TOP_P = 1.0, 200, 0.98
"""The paper cuts at 50 and 0.95. With guidance that costs variety and agreement with the
text, see docs/evaluation.md."""


class Generator(Protocol):
    """A source of candidate motions."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything its motions depend on."""
        ...

    def sample(
        self,
        prompt: str,
        n: int,
        *,
        seed: int = 0,
        temperature: float = DEFAULT_TEMPERATURE,
        top_k: int = DEFAULT_TOP_K,
        top_p: float = DEFAULT_TOP_P,
        duration: float | None = None,
    ) -> list[Motion]:
        """Candidates 0 to n-1 of a prompt; fewer if there are no more.

        Candidate i depends on the prompt, the settings, the seed and i alone: neither
        on n nor on other prompts.
        """
        ...

    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        temperature: float = DEFAULT_TEMPERATURE,
        top_k: int = DEFAULT_TOP_K,
        top_p: float = DEFAULT_TOP_P,
        duration: float | None = None,
    ) -> list[list[Motion]]:
        """`sample` for every prompt, in one batch where that is faster."""
        ...


class Settings(TypedDict, total=False):
    """What `sample` and `sample_many` may be told beside prompt and number."""

    seed: int
    temperature: float
    top_k: int
    top_p: float
    duration: float | None


class ManyPrompts(ABC):
    """Makes a generator of whoever samples for many prompts: one of them is a batch."""

    @abstractmethod
    def sample_many(
        self, prompts: Sequence[str], n: int, **settings: Unpack[Settings]
    ) -> list[list[Motion]]:
        """As `Generator.sample_many`."""

    def sample(self, prompt: str, n: int, **settings: Unpack[Settings]) -> list[Motion]:
        """Candidates 0 to n-1 of one prompt; settings are those of `sample_many`."""
        return self.sample_many([prompt], n, **settings)[0]


@runtime_checkable
class Remarks(Protocol):
    """What a generator may offer beside: what it will do to a prompt."""

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """Sentences for the user: cut short, no word known, a setting not heeded."""
        ...


def prompt_remarks(generator: Generator, prompt: str) -> tuple[str, ...]:
    """What the generator says about a prompt; nothing if it has no opinion."""
    return generator.remarks(prompt) if isinstance(generator, Remarks) else ()


MakeGenerator = Callable[[], Generator]
"""What an entry point of the group `texedo.generators` is."""
