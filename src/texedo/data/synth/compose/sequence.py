"""Sequences: two or three motions one after the other, as one clip."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from texedo.data.synth.compose.joining import effort
from texedo.data.synth.compose.quality import MAX_FRAMES
from texedo.data.synth.compose.units import Unit, by_split

_BRIDGE_FRAMES = 95
"""What a bridge takes, almost always."""
_LONGEST_PART = {2: 300, 3: 165}
"""Frames of a part, by the number of parts."""
_CANDIDATES = 10


class Pick(NamedTuple):
    """Units to be joined, in order."""

    units: tuple[Unit, ...]

    @property
    def id(self) -> str:
        return made_id("sequence", *(unit.clip.id for unit in self.units))


def made_id(kind: str, *parts: object) -> str:
    """Name of a composed clip: its kind and a hash of what it is made from."""
    digest = hashlib.sha256("|".join(map(str, (kind, *parts))).encode()).hexdigest()
    return f"{kind[:3]}-{digest[:12]}"


def pick_sequences(
    units: Sequence[Unit], *, number: int, parts: int, seed: int
) -> Iterator[Pick]:
    """About `number` sequences, from each split its share; units of one split only.

    Every unit starts at most as many sequences as it takes to reach the number; its
    followers are the best fitting of a few drawn by its own name.
    """
    fit = [u for u in units if _fits(u, parts)]
    for split, group in by_split(fit).items():
        share = round(number * len(group) / max(len(fit), 1))
        rounds = -(-share // max(len(group), 1))
        made, seen = 0, set()
        for turn in range(2 * rounds + 2):
            order = sorted(group, key=lambda u: _draw(seed, turn, parts, u.clip.id))
            for unit in order:
                if made == share:
                    break
                pick = _chain(unit, group, parts=parts, key=(seed, turn, split))
                if pick is not None and pick.id not in seen:
                    seen.add(pick.id)
                    made += 1
                    yield pick


def _fits(unit: Unit, parts: int) -> bool:
    return (
        unit.enter is not None
        and unit.leave is not None
        and bool(unit.phrases)
        and _span(unit) <= _LONGEST_PART[parts]
    )


def _draw(*key: object) -> bytes:
    return hashlib.sha256("/".join(map(str, key)).encode()).digest()


def _chain(
    unit: Unit, group: Sequence[Unit], *, parts: int, key: tuple[object, ...]
) -> Pick | None:
    """A unit and its followers; None if none of the drawn fits."""
    digest = _draw(*key, parts, unit.clip.id)
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    chain = [unit]
    for _ in range(parts - 1):
        room = MAX_FRAMES - _length(chain) - _BRIDGE_FRAMES * (parts - len(chain))
        drawn = [group[i] for i in rng.integers(len(group), size=_CANDIDATES)]
        options = [
            u
            for u in drawn
            if u.clip.group != chain[-1].clip.group
            and not set(u.phrases) & set(chain[-1].phrases)
            and _span(u) <= room
        ]
        if not options:
            return None
        chain.append(min(options, key=lambda u: effort(chain[-1], u)))
    return Pick(tuple(chain))


def _span(unit: Unit) -> int:
    assert unit.enter is not None and unit.leave is not None
    return unit.leave.frame - unit.enter.frame + 1


def _length(chain: Sequence[Unit]) -> int:
    return sum(_span(unit) for unit in chain)
