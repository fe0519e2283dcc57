"""Motions of the corpus that can be joined, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from texedo.data.corpus.store import Clip
from texedo.data.synth.compose.pieces import Float32, Piece, pieces_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Unit(Piece):
    """A motion with its words and the frames at which it can be joined to another."""

    clip: Clip
    phrases: tuple[str, ...]
    """Verb phrases that are true of it."""
    written: int = 0
    """How many of them, the first ones, are in words that somebody chose for it."""


def make_units(
    clips: Sequence[tuple[Clip, Float32, tuple[str, ...]]],
    written: Mapping[str, int] | None = None,
) -> list[Unit]:
    """Units of clips, their frames and their phrases, in the same order.

    `written` says by id how many phrases are in words that somebody chose.
    """
    counts = written or {}
    pieces = pieces_of([frames for _, frames, _ in clips])
    return [
        Unit(
            clip=clip,
            frames=piece.frames,
            phrases=phrases,
            written=counts.get(clip.id, 0),
            enter=piece.enter,
            leave=piece.leave,
        )
        for (clip, _, phrases), piece in zip(clips, pieces, strict=True)
    ]


def by_split(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Units of each split, sorted by id."""
    out: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.clip.id):
        out.setdefault(unit.clip.split, []).append(unit)
    return dict(sorted(out.items()))
