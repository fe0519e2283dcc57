"""Choices that depend on a key alone, never on the order of calls elsewhere."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_OPTIONS = re.compile(r"\[([^\[\]]*)\]")


class Choice:
    """A stream of choices for one key, such as (seed, clip, caption number)."""

    def __init__(self, *key: object) -> None:
        self._random = random.Random("/".join(map(str, key)))

    def one(self, options: Sequence[T]) -> T:
        """Any of them, all alike."""
        return options[int(self._random.random() * len(options))]

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def weighted(self, options: dict[T, float]) -> T:
        """Any of the keys, in proportion to its value."""
        at = self._random.random() * sum(options.values())
        for option, weight in options.items():
            at -= weight
            if at < 0:
                return option
        return option

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        order = [(self._random.random(), i) for i in range(len(items))]
        return [items[i] for _, i in sorted(order)]

    def text(self, template: str) -> str:
        """A template with one alternative of every "[this|that|]" kept, inside out."""
        while (match := _OPTIONS.search(template)) is not None:
            chosen = self.one(match[1].split("|"))
            template = template[: match.start()] + chosen + template[match.end() :]
        return template
