"""Facts whose events are looked for kind by kind, when they are asked for.

A question about a raised hand needs no steps; of thirty-two candidates nobody wants to
know everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from texedo.data.events.types import KINDS, E, Event, Facts, in_time

Find = Callable[[type[Event]], Sequence[Event]]
"""All events of a kind."""


class LiveFacts(Facts):
    """As `Facts`, but what nobody asks for is never looked for."""

    def __init__(
        self,
        *,
        find: Find | None = None,
        events: tuple[Event, ...] | None = None,
        **measured: Any,
    ) -> None:
        super().__init__(events=events or (), **measured)
        if events is None:
            # Not there until somebody wants all of them.
            del self.__dict__["events"]
        self.__dict__["_find"] = find
        self.__dict__["_known"] = {}

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """In order of their starts; they may overlap."""
        return in_time(chain.from_iterable(map(self._of, KINDS)))

    def of(self, kind: type[E]) -> Iterator[E]:
        """Events of one kind, in order."""
        if "events" in self.__dict__ or kind not in KINDS:
            return super().of(kind)
        return iter(self._of(kind))  # type: ignore[arg-type]

    def has(self, kind: type[Event]) -> bool:
        """Whether there is one."""
        return next(self.of(kind), None) is not None

    def _of(self, kind: type[Event]) -> tuple[Event, ...]:
        known, find = self.__dict__["_known"], self.__dict__["_find"]
        if kind not in known:
            known[kind] = in_time(find(kind))
        return known[kind]  # type: ignore[no-any-return]
