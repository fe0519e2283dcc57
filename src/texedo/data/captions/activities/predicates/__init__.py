"""Predicates: what a motion can be asked, by name, each answered from 0 to 1."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from types import ModuleType

from texedo.data.captions.activities.predicates import (
    body,
    going,
    hands,
    legs,
    places,
    strokes,
    turning,
)

Predicate = Callable[..., float]


def _predicates(module: ModuleType) -> dict[str, Predicate]:
    """The public functions that a module defines itself."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    }


PREDICATES: dict[str, Predicate] = {
    name: function
    for module in (body, going, hands, legs, places, strokes, turning)
    for name, function in _predicates(module).items()
}


@cache
def parameters(name: str) -> tuple[str, ...]:
    """What a predicate takes, in order, the motion left out."""
    return tuple(inspect.signature(PREDICATES[name]).parameters)[1:]
