"""TEXT: a prompt in, N candidate motions out. What every generator offers.

    generator = find_generator("texedo")
    motions = generator.sample("a person waves", 8, seed=0, temperature=0.8)

A generator of your own is any object with these names; publish a function that makes it
as an entry point of the group `texedo.generators`, and it has a name on the command
line. It is told only the settings that the user gave, so it may have any defaults, and
need not take a setting that it has no use for. Motions are given as the model made them:
`texedo.text.postprocess` makes them fit for a robot, and the pipeline calls it.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.text.generators.prompts import Sampling, check_count
from texedo.text.generators.prompts import Settings as Settings


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
        self, prompt: str, n: int, *, seed: int = 0, **settings: Unpack[Settings]
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
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """`sample` for every prompt, in one batch where that is faster."""
        ...


class ManyPrompts(ABC):
    """Makes a generator of whoever samples for many prompts: one of them is a batch."""

    @abstractmethod
    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """As `Generator.sample_many`."""

    def sample(
        self, prompt: str, n: int, *, seed: int = 0, **settings: Unpack[Settings]
    ) -> list[Motion]:
        """Candidates 0 to n-1 of one prompt; settings are those of `sample_many`."""
        return self.sample_many([prompt], n, seed=seed, **settings)[0]


class ManyParts(ManyPrompts):
    """Makes a generator of whoever samples parts: all candidates are one of them."""

    @abstractmethod
    def sample_part(
        self,
        prompts: Sequence[str],
        part: range,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """As `DrawsParts.sample_part`."""

    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """Candidates 0 to n-1 of all prompts; settings are those of `sample_part`."""
        return self.sample_part(prompts, range(check_count(n)), seed=seed, **settings)


@runtime_checkable
class DrawsParts(Protocol):
    """What a generator may offer beside: candidates without those before them."""

    def sample_part(
        self,
        prompts: Sequence[str],
        part: range,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """The candidates with these numbers, as `sample_many` would give them."""
        ...


@runtime_checkable
class Remarks(Protocol):
    """What a generator may offer beside: what it will do to a prompt."""

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """Sentences for the user: cut short, no word known, a setting without effect."""
        ...


def prompt_remarks(generator: Generator, prompt: str) -> tuple[str, ...]:
    """What the generator says about a prompt; nothing if it has no opinion."""
    return generator.remarks(prompt) if isinstance(generator, Remarks) else ()


@runtime_checkable
class ReadsPrompts(Protocol):
    """What a generator may offer beside: what it makes of a prompt."""

    def read_as(self, prompt: str) -> str:
        """The prompt as it is read: typos put right, in the third person."""
        ...


def prompt_reading(generator: Generator, prompt: str) -> str:
    """The prompt as the generator reads it; as it is if it does not say."""
    return generator.read_as(prompt) if isinstance(generator, ReadsPrompts) else prompt


@runtime_checkable
class NamesCandidates(Protocol):
    """What a generator may offer beside: where its candidates are from."""

    def names(self, prompt: str) -> Sequence[str]:
        """A name for each candidate of a prompt, as of a file."""
        ...


@runtime_checkable
class Defaults(Protocol):
    """What a generator may offer beside: the settings it takes where none is given."""

    @property
    def defaults(self) -> Sampling:
        """None for what it has no setting of."""
        ...


def used_sampling(generator: Generator, given: Sampling) -> Sampling:
    """The settings that a generator samples with, as far as it says."""
    return given.over(generator.defaults) if isinstance(generator, Defaults) else given


@runtime_checkable
class TakesSettings(Protocol):
    """What a generator may offer beside: which settings it has."""

    @property
    def takes(self) -> Collection[str]:
        """Fields of `Sampling`; the others are refused."""
        ...


def check_settings(generator: Generator, given: Sampling) -> None:
    """Raise `GenerationError` for a setting that the generator does not take."""
    known: Collection[str]
    if isinstance(generator, TakesSettings):
        known = generator.takes
    else:
        parameters = inspect.signature(generator.sample_many).parameters
        if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
            return
        known = parameters
    for name, value in given.to_dict().items():
        if name not in known:
            raise GenerationError(
                f"{name} {value:g}: generator {generator.name} has no such setting; "
                "leave it out."
            )


class LogLikelihood(NamedTuple):
    """How likely a generator holds N motions, (N,) each."""

    given: NDArray[np.float64]
    """log p(motion | prompt) [nat]."""
    alone: NDArray[np.float64]
    """log p(motion), whatever the prompt [nat]."""
    tokens: NDArray[np.int64]
    """Decisions that these are sums over."""


@runtime_checkable
class Likelihood(Protocol):
    """What a generator may offer beside: how likely it is to make a motion."""

    def log_likelihood(self, prompt: str, motions: Sequence[Motion]) -> LogLikelihood:
        """Of motions of any source; raises `GenerationError` if it cannot tell."""
        ...


MakeGenerator = Callable[[], Generator]
"""What an entry point of the group `texedo.generators` is."""
