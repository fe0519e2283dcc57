"""What is to be made from a corpus, before anything is made.

A recipe is small and complete: with the motions it names it can be carried out anywhere,
in any order, with the same result. Parts always come from one split.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from texedo.data.captions.choice import Choice
from texedo.data.corpus.splits import SplitCfg
from texedo.data.synth.author.spec import Spec
from texedo.data.synth.compose.overlay import FAMILIES, draw_gesture
from texedo.data.synth.compose.sequence import Pick, made_id, pick_sequences
from texedo.data.synth.compose.tempo import Pace, allowed_factors
from texedo.data.synth.compose.units import Unit
from texedo.data.synth.compose.words import arms_are_free, pace_captions


@dataclass(frozen=True)
class DeriveCfg:
    """How much is made of what, for the whole corpus."""

    mirrored: bool = True
    authored: bool = True
    pairs: int = 2000
    """Sequences of two motions that are tried; about four fifths come out well."""
    triples: int = 260
    overlays: int = 1100
    """Gestures on captured legs that are tried."""
    tempos: int = 1100
    """Faster and slower versions that are tried."""
    splits: SplitCfg = field(default_factory=SplitCfg)
    """Where authored motions go; composed ones stay with their parts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OverlayRecipe:
    """A gesture on the legs of a unit."""

    id: str
    unit: Unit
    spec: Spec
    start: float
    """[s]"""
    legs: tuple[str, ...]
    """Phrases about the legs alone."""
    written: int = 0
    """How many of them, the first ones, are in words that somebody chose."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TempoRecipe:
    """A unit played faster or slower."""

    id: str
    unit: Unit
    factor: float
    captions: tuple[str, ...]
    weights: tuple[float, ...]
    """Of the captions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SequenceRecipe:
    """Two or three units in a row."""

    id: str
    pick: Pick
    mirrored: bool
    """The result is turned into its mirror image: sides come out even."""


Recipe = OverlayRecipe | TempoRecipe | SequenceRecipe


def plan_recipes(
    units: Sequence[Unit], *, seed: int, cfg: DeriveCfg
) -> Iterator[Recipe]:
    """All recipes in a fixed order, without repetition."""
    yield from _tempos(units, seed=seed, number=cfg.tempos)
    yield from _overlays(units, seed=seed, number=cfg.overlays)
    yield from _sequences(units, seed=seed, number=cfg.pairs, parts=2)
    yield from _sequences(units, seed=seed, number=cfg.triples, parts=3)


def _shuffled(units: Iterable[Unit], *key: object) -> list[Unit]:
    ordered = sorted(units, key=lambda unit: unit.clip.id)
    return Choice(*key).shuffled(ordered)


def _captured(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if unit.clip.kind == "captured"]


def _tempos(units: Sequence[Unit], *, seed: int, number: int) -> Iterator[Recipe]:
    """Slow and quick in turn, each unit once."""
    made = 0
    for unit in _shuffled(_captured(units), seed, "tempo"):
        if made == number:
            return
        choice = Choice(seed, "tempo", unit.clip.id)
        paces: tuple[Pace, Pace] = ("slow", "quick")
        pace = paces[made % 2]
        factors = allowed_factors(unit.clip, pace)
        captions = pace_captions(
            unit.phrases,
            quick=pace == "quick",
            number=3,
            choice=choice,
            written=unit.written,
        )
        if factors and captions:
            factor = choice.one(factors)
            made += 1
            yield TempoRecipe(
                id=made_id("tempo", unit.clip.id, factor),
                unit=unit,
                factor=factor,
                captions=tuple(captions),
                weights=tuple(captions.values()),
            )


def _overlays(units: Sequence[Unit], *, seed: int, number: int) -> Iterator[Recipe]:
    made, seen = 0, set()
    bases = [u for u in _captured(units) if u.clip.family in FAMILIES]
    for turn in range(3):
        for unit in _shuffled(bases, seed, "overlay", turn):
            legs = tuple(p for p in unit.phrases if arms_are_free(p))
            if made == number or not legs:
                continue
            drawn = draw_gesture(f"{seed}/{turn}/{unit.clip.id}", unit.clip.duration)
            if drawn is None:
                continue
            spec, start = drawn
            name = made_id("overlay", unit.clip.id, spec.id)
            if name not in seen:
                seen.add(name)
                made += 1
                yield OverlayRecipe(
                    id=name,
                    unit=unit,
                    spec=spec,
                    start=start,
                    legs=legs,
                    written=sum(p in legs for p in unit.phrases[: unit.written]),
                )


def _sequences(
    units: Sequence[Unit], *, seed: int, number: int, parts: int
) -> Iterator[Recipe]:
    for pick in pick_sequences(units, number=number, parts=parts, seed=seed):
        flip = Choice(seed, "mirror", pick.id).chance(0.5)
        yield SequenceRecipe(id=pick.id, pick=pick, mirrored=flip)
