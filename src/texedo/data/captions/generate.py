"""`captions`: three to five sentences for a motion."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from texedo.data.captions.beats import Beat, find_beats, same_hand, shares
from texedo.data.captions.choice import Choice
from texedo.data.captions.labelled import (
    action_part,
    extended_caption,
    own_caption,
    true_captions,
    wording_of,
)
from texedo.data.captions.phrases import phrase
from texedo.data.captions.plain import plain_phrases
from texedo.data.captions.sentences import Part, sentence
from texedo.data.captions.sides import skeleton, swap_sides
from texedo.data.captions.types import Annotation, Caption, mirror_annotation
from texedo.data.captions.wording import Wording
from texedo.data.events import (
    ArmRaise,
    Bow,
    Clap,
    Event,
    Facts,
    Gesture,
    KneeRaise,
    Punch,
    Still,
    Wave,
    mirror_facts,
)

MAX_PARTS = 3
"""More in one sentence is a list."""
SLIGHT = 0.45
"""Beats below this weight are told only where there is room."""
TRIES = 12
"""Wordings tried for a sentence that is not yet among the captions."""


def captions(
    facts: Facts, label: Annotation | None = None, *, seed: object
) -> list[Caption]:
    """Three to five captions of a motion, the same for the same facts, label and seed.

    Of a motion and its mirror image one is put into words, always the same one, and the
    other gets those words with the sides swapped.
    """
    label = label or Annotation()
    mirrored = mirror_facts(facts), mirror_annotation(label)
    if repr(mirrored) < repr((facts, label)):
        told = _texts(*mirrored, seed=seed)
        return [replace(one, text=swap_sides(one.text)) for one in told]
    return _texts(facts, label, seed=seed)


def _texts(facts: Facts, label: Annotation, *, seed: object) -> list[Caption]:
    """Distinct sentences, the label's own first."""
    choice = Choice(seed, "plan")
    beats = find_beats(facts)
    # Few motions have a style: their words need every sentence they can get.
    count = 5 if label.style else choice.weighted({3: 30, 4: 45, 5: 25})
    own = choice.shuffled(true_captions(label, facts))
    kinds = _plan(count, own, choice)
    texts: list[Caption] = []
    seen: set[str] = set()
    for slot, (kind, source) in enumerate(kinds):
        for attempt in range(TRIES):
            fresh = Choice(seed, slot, attempt)
            wording = wording_of(label, facts, fresh)
            scene = _Scene(facts, label, beats, wording)
            text = _one(kind, source, scene, fresh)
            if text is not None and skeleton(text) not in seen:
                texts.append(Caption(text=text, measured=kind == "measured"))
                seen.add(skeleton(text))
                break
            kind = "measured" if text is None else kind
    return texts


class _Scene(NamedTuple):
    """All that a sentence may draw on."""

    facts: Facts
    label: Annotation
    beats: list[Beat]
    wording: Wording


def _plan(count: int, own: list[str], choice: Choice) -> list[tuple[str, str]]:
    """Which kind of sentence goes where; each of the label's own is used once."""
    kinds: list[tuple[str, str]] = [("own", text) for text in own[:1]]
    kinds += [("extended", text) for text in own[1:2]]
    kinds += [("measured", "")]
    rest = [("action", ""), ("measured", ""), ("measured", "")]
    rest += [("own", text) for text in own[2:3]]
    return [*kinds, *choice.shuffled(rest)][:count]


def _one(kind: str, source: str, scene: _Scene, choice: Choice) -> str | None:
    facts, label, beats, wording = scene
    if kind == "own":
        return own_caption(source, choice)
    if kind == "extended":
        return extended_caption(source, beats, choice, wording)
    if kind == "action":
        part = action_part(label, beats, choice, wording)
        return sentence([part], choice) if part is not None else None
    return sentence(measured_parts(beats, facts, choice, wording), choice)


def measured_parts(
    beats: list[Beat], facts: Facts, choice: Choice, wording: Wording
) -> list[Part]:
    """What to say of measured facts alone; the manner comes from the style."""
    beats = [_heard(beat, wording) for beat in beats]
    chosen = _chosen(beats, choice)
    manner = wording.manner
    if not chosen:
        return [Part(_quiet(facts, choice))]
    if all(isinstance(beat.event, Gesture) for beat in chosen):
        return _gesturing(chosen[0], choice, wording)
    if manner is not None and manner.looks and choice.chance(0.15):
        best = max(chosen, key=lambda beat: beat.weight)
        said = phrase(best, choice, Wording(named=wording.named))
        return [Part(choice.one(manner.looks), said)]
    return _parts(chosen, choice, wording)


def _heard(beat: Beat, wording: Wording) -> Beat:
    """What somebody has named weighs more: the punches of a boxer, a waving hand."""
    names: dict[type[Event], str] = {
        Punch: "box",
        Wave: "wave",
        Clap: "clap",
        KneeRaise: "march",
        Bow: "bow",
    }
    name = names.get(type(beat.event))
    if name is None or not wording.names(name):
        return beat
    return replace(beat, weight=2 * beat.weight)


def _gesturing(beat: Beat, choice: Choice, wording: Wording) -> list[Part]:
    """Hands that move while nothing else does."""
    said = phrase(beat, choice, wording)
    if wording.manner is not None and choice.chance(0.5):
        said = f"{said} {choice.one(wording.manner.manners)}"
    if choice.chance(0.5):
        return [Part(said)]
    stand = choice.text("~stand [in place|on the spot|in one place|there|]")
    if choice.chance(0.5):
        return [Part(f"{stand} and {said}")]
    return [Part(stand, said)]


def _chosen(beats: list[Beat], choice: Choice) -> list[Beat]:
    """The weightiest beats, as many as a sentence holds, in order of time."""
    strong = [beat for beat in beats if beat.weight >= SLIGHT]
    pool = strong or [b for b in beats if not isinstance(b.event, Gesture)] or beats
    limit = choice.weighted({1: 28, 2: 42, 3: 30})
    if len(strong) < limit and choice.chance(0.35):
        slight = [b for b in beats if b not in pool and not isinstance(b.event, Still)]
        pool = pool + sorted(slight, key=lambda b: -b.weight)[:1]
    ranked: list[Beat] = []
    for beat in sorted(pool, key=lambda beat: -beat.weight):
        if len(ranked) < limit and not any(_says_the_same(beat, r) for r in ranked):
            ranked.append(beat)
    if all(isinstance(beat.event, Still) and beat.weight < 1 for beat in ranked):
        ranked += sorted(
            (b for b in beats if not isinstance(b.event, Still)),
            key=lambda b: -b.weight,
        )[:1]
    return [beat for beat in beats if beat in ranked]


def _says_the_same(a: Beat, b: Beat) -> bool:
    """Two of a kind with the same side and direction: telling both sounds like a stammer."""
    if type(a.event) is not type(b.event):
        return False
    names = ["side", "direction", "kind", "turn"]
    if isinstance(a.event, ArmRaise):
        names.append("level")
    return all(
        getattr(a.event, name, None) == getattr(b.event, name, None) for name in names
    )


def _parts(beats: list[Beat], choice: Choice, wording: Wording) -> list[Part]:
    """Beats that overlap become one part: the longer goes on during the other."""
    groups: list[list[Beat]] = []
    for beat in beats:
        last = groups[-1] if groups else None
        together = last is not None and shares(last[0].event, beat.event)
        if last is not None and together and same_hand(last[0].event, beat.event):
            continue  # one hand cannot do two things at once
        if last is not None and len(last) == 1 and together:
            last.append(beat)
        else:
            groups.append([beat])
    parts = []
    for group in groups[:MAX_PARTS]:
        said = [phrase(beat, choice, wording) for beat in group]
        parts.append(Part(said[0], said[1] if len(said) > 1 else None))
    return parts


def _quiet(facts: Facts, choice: Choice) -> str:
    """For a motion in which nothing stands out."""
    return choice.text(
        "[~stand [in place|on the spot|upright|]|~stay in place|~remain standing] "
        "[with little movement|moving only a little|and ~shift slightly|]"
    )


def verb_phrases(
    facts: Facts, label: Annotation | None = None, *, seed: object, number: int = 4
) -> list[str]:
    """Different verb phrases ("~walk forward"): what a motion does above all.

    For sentences about several motions; see `grammar` for the notation. The activity
    that the label names comes first, then `number` at most of what was measured, then
    the label's own sentences as far as they are plain. As with `captions`, a motion and
    its mirror image are told alike.
    """
    label = label or Annotation()
    mirrored = mirror_facts(facts), mirror_annotation(label)
    if repr(mirrored) < repr((facts, label)):
        told = _phrases(*mirrored, seed=seed, number=number)
        return [swap_sides(text) for text in told]
    return _phrases(facts, label, seed=seed, number=number)


def _phrases(
    facts: Facts, label: Annotation, *, seed: object, number: int
) -> list[str]:
    beats = find_beats(facts)
    actions: dict[str, None] = {}
    measured: dict[str, None] = {}
    for attempt in range(TRIES):
        choice = Choice(seed, "phrases", attempt)
        wording = wording_of(label, facts, choice)
        action = action_part(label, beats, choice, wording)
        if action is not None and len(actions) < number:
            actions[action.as_phrase()] = None
        parts = measured_parts(beats, facts, choice, wording)
        # One of several parts may be the least of them; alone it is the weightiest.
        if len(parts) == 1 and len(measured) < number:
            measured[parts[0].as_phrase()] = None
    own = plain_phrases(true_captions(label, facts))
    return list(dict.fromkeys((*actions, *measured, *own)))
