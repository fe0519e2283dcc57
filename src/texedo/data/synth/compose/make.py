"""Carrying out recipes: each gives a clip with its frames, or nothing if it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.captions import swap_sides
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.choice import Choice
from texedo.data.corpus.splits import TEST, TRAIN, VAL, SplitCfg, place_group
from texedo.data.corpus.store import Clip
from texedo.data.synth.author import Authored, Spec, author_many
from texedo.data.synth.author.check import disagreement
from texedo.data.synth.author.phrases import phrases
from texedo.data.synth.author.requested import fulfils
from texedo.data.synth.author.stage.legs import foot_errors
from texedo.data.synth.compose.joining import join_many
from texedo.data.synth.compose.overlay import lay_over
from texedo.data.synth.compose.quality import MAX_FRAMES, judge, measure_made
from texedo.data.synth.compose.recipes import (
    OverlayRecipe,
    Recipe,
    SequenceRecipe,
    TempoRecipe,
)
from texedo.data.synth.compose.tempo import at_tempo
from texedo.data.synth.compose.words import join_captions, overlay_captions
from texedo.motion import FPS, Motion, canonicalize
from texedo.robot.kinematics import motion_kinematics
from texedo.robot.mirror import mirror_qpos

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]

AUTHORED, SEQUENCE, OVERLAY, TEMPO = "authored", "sequence", "overlay", "tempo"
MAKER = "authored"
"""The subject of motions that nobody performed."""
_CAPTIONS = 4
_LONGEST_AUTHORED = 600
"""Four things in order may take twelve seconds [frames]."""


class DerivedClip(NamedTuple):
    """A clip that was made, not captured."""

    clip: Clip
    """`first_frame` is 0: its place is given when the corpus is written."""
    frames: Float32
    """(T, 36)."""


def make_authored(
    specs: Sequence[Spec], *, seed: int, splits: SplitCfg
) -> Iterator[DerivedClip]:
    """Authored clips of specs, in order.

    Those that fail the screening, or are not seen to do what they say, are left out.
    """
    for made in author_many(specs, seed=seed):
        record = _judge_authored(made)
        if record is not None and not unlike_spec(made):
            clip = _clip(
                made.id,
                made.motion,
                kind=AUTHORED,
                trial=made.id,
                subject=MAKER,
                family=made.family,
                split=split_of(made.spec, splits),
                group=made.spec.group,
                label_scope="trial",
                captions=made.captions,
                quality=record,
            )
            yield DerivedClip(clip, made.motion.to_qpos())


def unlike_spec(made: Authored) -> str:
    """What a motion does otherwise than its spec says; "" if nothing.

    Only `free` specs are measured: the captions of the others claim less.
    """
    if not made.spec.free:
        return ""
    scene = Scene.of(made.motion)
    if wrong := disagreement(made.spec, made.events, scene.facts):
        return wrong
    return "" if fulfils(made.spec, scene) else "not what is asked for"


def split_of(spec: Spec, splits: SplitCfg) -> str:
    """Where a spec belongs; a sequence goes with the most withheld of its parts.

    A lesson is there to be learned from, whatever it is made of: its own look (arms in
    this pose, things in this order) is in no test.
    """
    if spec.lesson:
        return TRAIN
    if not spec.parts:
        return place_group(spec.group, splits)
    found = {split_of(part, splits) for part in spec.parts}
    return next(split for split in (TEST, VAL, TRAIN) if split in found)


def _judge_authored(made: Authored) -> dict[str, float] | None:
    error = foot_errors(motion_kinematics(made.motion), made.foot_pos)
    quality = measure_made(made.motion, error)
    return judge(made.motion, quality, longest=_LONGEST_AUTHORED)


def make_recipes(recipes: Sequence[Recipe], *, seed: int) -> list[DerivedClip]:
    """The clips of recipes, in order, without those that do not come out well enough."""
    picks = [r.pick for r in recipes if isinstance(r, SequenceRecipe)]
    joined = iter(join_many([pick.units for pick in picks], longest=MAX_FRAMES))
    made: list[DerivedClip | None] = []
    for recipe in recipes:
        if isinstance(recipe, TempoRecipe):
            made.append(_make_tempo(recipe))
        elif isinstance(recipe, OverlayRecipe):
            made.append(_make_overlay(recipe, seed=seed))
        else:
            made.append(_make_sequence(recipe, next(joined), seed=seed))
    return [clip for clip in made if clip is not None]


def _make_tempo(recipe: TempoRecipe) -> DerivedClip | None:
    source = recipe.unit.clip
    motion = at_tempo(Motion.from_qpos(recipe.unit.frames), recipe.factor)
    if motion is None:
        return None
    quality = measure_made(motion, source.quality.get("foot_error_mean_m", 0.0))
    record = judge(motion, quality)
    if record is None:
        return None
    clip = _from_parent(source, recipe.id, motion, kind=TEMPO, quality=record)
    said = dict(zip(recipe.captions, recipe.weights, strict=True))
    clip = _told(replace(clip, family=source.family), said)
    return DerivedClip(clip, motion.to_qpos())


def _make_overlay(recipe: OverlayRecipe, *, seed: int) -> DerivedClip | None:
    unit = recipe.unit
    laid = lay_over(unit.frames, recipe.spec, recipe.start, key=recipe.id)
    motion = Motion.from_qpos(laid.frames)
    error = unit.clip.quality.get("foot_error_mean_m", 0.0) + laid.foot_error
    record = judge(motion, measure_made(motion, error))
    if record is None:
        return None
    captions = overlay_captions(
        recipe.legs,
        phrases(recipe.spec),
        number=_CAPTIONS,
        choice=Choice(seed, recipe.id),
        written=recipe.written,
    )
    clip = _from_parent(unit.clip, recipe.id, motion, kind=OVERLAY, quality=record)
    return DerivedClip(_told(clip, captions), motion.to_qpos())


def _make_sequence(
    recipe: SequenceRecipe, joined: Float64 | None, *, seed: int
) -> DerivedClip | None:
    units = recipe.pick.units
    if joined is None:
        return None
    motion = canonicalize(Motion.from_qpos(joined))
    error = np.mean([u.clip.quality.get("foot_error_mean_m", 0.0) for u in units])
    record = judge(motion, measure_made(motion, float(error)))
    if record is None:
        return None
    captions = join_captions(
        [unit.phrases for unit in units],
        number=_CAPTIONS,
        choice=Choice(seed, recipe.id),
        written=[unit.written for unit in units],
    )
    frames = motion.to_qpos()
    if recipe.mirrored:
        frames = mirror_qpos(frames)
        captions = {swap_sides(text): weight for text, weight in captions.items()}
    clip = _from_parent(units[0].clip, recipe.id, motion, kind=SEQUENCE, quality=record)
    families = {unit.clip.family for unit in units}
    return DerivedClip(
        replace(
            _told(clip, captions),
            family=families.pop() if len(families) == 1 else "mixed",
            parents=tuple(unit.clip.id for unit in units),
        ),
        frames,
    )


def _told(clip: Clip, captions: Mapping[str, float]) -> Clip:
    """The clip with captions and, where they differ, their weights."""
    weights = tuple(captions.values()) if len(set(captions.values())) > 1 else ()
    return replace(clip, captions=tuple(captions), caption_weights=weights)


def _from_parent(
    parent: Clip, name: str, motion: Motion, *, kind: str, quality: dict[str, float]
) -> Clip:
    """A record that belongs where its (first) parent belongs."""
    return _clip(
        name,
        motion,
        kind=kind,
        trial=parent.trial,
        subject=parent.subject,
        family="mixed",
        split=parent.split,
        group=parent.group,
        parents=(parent.id,),
        quality=quality,
    )


def _clip(name: str, motion: Motion, **fields: Any) -> Clip:
    return Clip(
        id=name,
        start=0.0,
        end=len(motion) / FPS,
        first_frame=0,
        num_frames=len(motion),
        **fields,
    )
