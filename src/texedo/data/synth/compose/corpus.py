"""From a captured corpus to one that is several times as large.

    authored     motions written from specs: clean sides, counts and directions
    mirrored     every captured clip with left and right swapped
    tempo        faster and slower, where physics allows
    overlay      gestures on captured legs
    sequence     two or three motions in a row

`derive` yields them in a fixed order. Work comes in chunks that depend on nothing but
their own content, run on any number of processes, and are kept in a folder if one is
given: an interrupted run takes up where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from texedo.data.captions import clip_phrases
from texedo.data.corpus.splits import SplitCfg
from texedo.data.corpus.store import Corpus
from texedo.data.synth.author import AUTHOR_VERSION, Spec, authored_specs
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.compose.chunks import Chunk, run_chunks
from texedo.data.synth.compose.make import DerivedClip as DerivedClip
from texedo.data.synth.compose.make import make_authored, make_recipes
from texedo.data.synth.compose.mirror import mirror_clip
from texedo.data.synth.compose.quality import MIN_FRAMES
from texedo.data.synth.compose.recipes import DeriveCfg as DeriveCfg
from texedo.data.synth.compose.recipes import Recipe, SequenceRecipe, plan_recipes
from texedo.data.synth.compose.units import Unit, make_units
from texedo.data.synth.compose.words import WORDS_VERSION
from texedo.robot.mirror import mirror_qpos

COMPOSE_VERSION = 3
"""Raise when what is made, or how, changes."""
_SPECS_PER_CHUNK, _RECIPES_PER_CHUNK = 48, 40

Report = Callable[[str, int, int], None]
"""Called with the stage and the number of chunks done and to do."""


def derive(
    corpus: Corpus,
    *,
    phrases_of: Mapping[str, tuple[str, ...]] | None = None,
    written_of: Mapping[str, int] | None = None,
    seed: int = 0,
    cfg: DeriveCfg | None = None,
    workers: int | None = 1,
    folder: Path | None = None,
    report: Report | None = None,
) -> Iterator[DerivedClip]:
    """All derived clips of a corpus of captured ones, in a fixed order.

    `phrases_of` are the verb phrases of captured clips by id, as `caption_captured` made
    them, of which the first `written_of` are in words that somebody wrote; those of
    other clips are made here. The result depends on the corpus, the
    phrases, the seed and `cfg` alone. `workers=None` uses all cores; `folder` keeps
    finished chunks.
    """
    cfg = cfg or DeriveCfg()
    captured = corpus.select(kind="captured")
    specs = list(authored_specs(seed)) if cfg.authored else []
    written: list[DerivedClip] = []
    for clip in run_chunks(
        _authored_chunks(specs, seed, cfg.splits),
        workers=workers,
        folder=folder,
        report=report,
    ):
        written.append(clip)
        yield clip
    if cfg.mirrored:
        for i in captured:
            frames = mirror_qpos(np.asarray(corpus.frames(i)))
            yield DerivedClip(mirror_clip(corpus.clips[i]), frames)
    said = _phrases(corpus, captured, phrases_of or {}, seed)
    said |= {spec.id: tuple(phrases(spec)) for spec in specs if not spec.free}
    free = {spec.id for spec in specs if spec.free}
    written = [made for made in written if made.clip.id not in free]
    units = _units(corpus, captured, written, said, written_of or {})
    recipes = list(plan_recipes(units, seed=seed, cfg=cfg))
    yield from run_chunks(
        _recipe_chunks(recipes, seed), workers=workers, folder=folder, report=report
    )


def _phrases(
    corpus: Corpus,
    captured: Sequence[int],
    known: Mapping[str, tuple[str, ...]],
    seed: int,
) -> dict[str, tuple[str, ...]]:
    """Verb phrases of captured clips by id, made where they are not known."""
    said = dict(known)
    for i in captured:
        source = corpus.clips[i]
        if source.id not in said:
            said[source.id] = clip_phrases(source, corpus.motion(i), seed=seed)
    return said


def _units(
    corpus: Corpus,
    captured: Sequence[int],
    written: Sequence[DerivedClip],
    said: Mapping[str, tuple[str, ...]],
    written_of: Mapping[str, int],
) -> list[Unit]:
    """Everything that can be a part of something: clips with words, no copies.

    The phrases of an authored motion were chosen for it, all of them.
    """
    parts = [
        (clip, np.asarray(corpus.frames(i)), said[clip.id])
        for i in captured
        if (clip := corpus.clips[i]).copy_of is None and clip.num_frames >= MIN_FRAMES
    ]
    parts += [(clip, frames, said[clip.id]) for clip, frames in written]
    whose = {clip.id: len(said[clip.id]) for clip, _ in written}
    return make_units(parts, {**written_of, **whose})


def _authored_chunks(
    specs: Sequence[Spec], seed: int, splits: SplitCfg
) -> Iterator[Chunk]:
    for number, start in enumerate(range(0, len(specs), _SPECS_PER_CHUNK)):
        part = tuple(specs[start : start + _SPECS_PER_CHUNK])
        key = f"{AUTHOR_VERSION}|{COMPOSE_VERSION}|{seed}|{splits}|{part}"
        yield Chunk(
            name=f"authored-{number:03d}",
            key=hashlib.sha256(key.encode()).hexdigest(),
            make=_make_authored,
            content=(part, seed, splits),
        )


def _make_authored(
    specs: Sequence[Spec], seed: int, splits: SplitCfg
) -> list[DerivedClip]:
    return list(make_authored(specs, seed=seed, splits=splits))


def _recipe_chunks(recipes: Sequence[Recipe], seed: int) -> Iterator[Chunk]:
    for number, start in enumerate(range(0, len(recipes), _RECIPES_PER_CHUNK)):
        part = tuple(recipes[start : start + _RECIPES_PER_CHUNK])
        yield Chunk(
            name=f"composed-{number:03d}",
            key=_recipes_key(part, seed),
            make=_make_recipes,
            content=(part, seed),
        )


def _make_recipes(recipes: Sequence[Recipe], seed: int) -> list[DerivedClip]:
    return make_recipes(recipes, seed=seed)


def _recipes_key(recipes: Sequence[Recipe], seed: int) -> str:
    """Everything that the result of some recipes depends on."""
    versions = f"{AUTHOR_VERSION}|{COMPOSE_VERSION}|{WORDS_VERSION}"
    digest = hashlib.sha256(f"{versions}|{seed}".encode())
    for recipe in recipes:
        units = (
            recipe.pick.units if isinstance(recipe, SequenceRecipe) else (recipe.unit,)
        )
        rest = {k: v for k, v in vars(recipe).items() if k not in ("pick", "unit")}
        digest.update(repr(sorted(rest.items())).encode())
        for unit in units:
            digest.update(f"{unit.clip}|{unit.phrases}|{unit.written}".encode())
            digest.update(np.ascontiguousarray(unit.frames).tobytes())
    return digest.hexdigest()
