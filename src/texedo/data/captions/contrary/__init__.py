"""Small changes that make a sentence false: `contraries(text)`.

In: a sentence that is true of a motion. Out: `Contrary`s, each true of another motion and
not of that one: the other side, another count, the reverse order, another deed. They are
what a verifier must tell apart and what a generator must not confuse. When in doubt there
is none: what is denied ("without turning left"), bounded ("more than half a turn") or
the same both ways ("left and right") is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from texedo.data.captions.contrary.acts import actions, limbs, negations
from texedo.data.captions.contrary.measured import (
    angles,
    counts,
    directions,
    sides,
    speeds,
)
from texedo.data.captions.contrary.measured import names_a_side as names_a_side
from texedo.data.captions.contrary.order import orders
from texedo.data.captions.contrary.types import Contrary as Contrary
from texedo.data.captions.contrary.types import Kind as Kind
from texedo.data.captions.grammar import fix_articles

_RULES: dict[Kind, Callable[[str], Iterator[str]]] = {
    "side": sides,
    "direction": directions,
    "count": counts,
    "angle": angles,
    "speed": speeds,
    "order": orders,
    "action": actions,
    "limb": limbs,
    "negation": negations,
}


def contraries(text: str) -> list[Contrary]:
    """Sentences that are false of every motion of which this one is true."""
    capital = text[:1].isupper()
    lower = text[:1].lower() + text[1:]
    found: dict[str, Kind] = {}
    for kind, rule in _RULES.items():
        for other in rule(lower):
            if other != lower:
                found.setdefault(fix_articles(other), kind)
    return [
        Contrary(kind, other[:1].upper() + other[1:] if capital else other)
        for other, kind in found.items()
    ]
