"""Phrases for the third grid: routines, single legs, stances, and poses that are kept."""

from __future__ import annotations

from texedo.data.captions.activities.phrasing import with_count
from texedo.data.captions.activities.table import Asked
from texedo.data.synth.author.phrases.common import (
    Phrases,
    author_bank,
    common_slots,
    counted,
    filled,
)
from texedo.data.synth.author.requested import asked_for
from texedo.data.synth.author.routines import load_routines
from texedo.data.synth.author.spec import Spec

_BANK = author_bank("wanted")
_OTHER = {"left": "right", "right": "left"}
_MOST = 5
"""Wordings of a request that are taken."""
_PLAIN = 2
"""Of the phrases for a pose and a deed so many name the deed alone."""


def said(entry: str, spec: Spec, **slots: str) -> Phrases:
    """The phrases of an entry for a spec."""
    slots["other"] = _OTHER.get(spec.side, "")
    return filled(_BANK[entry], {**common_slots(spec), **slots})


def has_hold(way: str) -> bool:
    return f"hold.{way}" in _BANK


def held(spec: Spec) -> Phrases:
    """What is said of arms that keep the pose of a spec."""
    return said(f"hold.{spec.way}", spec)


def legs_march() -> Phrases:
    return list(_BANK["legs.march"])


def routine_phrases(spec: Spec) -> Phrases:
    """The wordings of the request, and those of the routine itself."""
    own = load_routines()[spec.way].words
    return [*filled(own, common_slots(spec)), *requested(spec)]


def requested(spec: Spec) -> Phrases:
    """Wordings of the request that a spec is for, as verb phrases."""
    asked = asked_for(spec)
    if asked is None:
        return []
    wordings = list(asked.wordings)
    if asked.side:
        # Some leave the side open.
        wordings += Asked(request=asked.request, count=asked.count).wordings[:1]
    found = [with_count(w, asked.count) for w in wordings if w.startswith("~")]
    return list(dict.fromkeys(phrase for phrase in found if phrase))


def single_leg(spec: Spec) -> Phrases:
    """Stamps, heels, lunges, stances and the like."""
    return [*said(_entry(spec), spec), *requested(spec)[:_MOST]]


def _entry(spec: Spec) -> str:
    if spec.kind == "leg_out":
        return f"{'kick' if spec.manner == 'kick' else 'leg_out'}.{spec.way}"
    if spec.kind == "stomp":
        return "stomp.both" if spec.side == "both" else "stomp.side"
    if spec.kind == "crouch":
        return "crouch.stays" if spec.take % 2 else "crouch.held"
    entries = {
        "jog_place": {"": "jog_place.plain", "high": "jog_place.high"},
        "lunge": {"": "lunge.ahead", "out": "lunge.aside"},
        "wide_stance": {"": "wide.plain", "arms": "wide.arms"},
        "side_to_side": {"": "aside.plain", "beat": "aside.beat"},
    }
    return entries[spec.kind][spec.way] if spec.kind in entries else spec.kind


def half_squats(spec: Spec) -> Phrases:
    return said("squat.half", spec, squats=counted(spec, "half squat"))


def kneel_and_stay(spec: Spec) -> Phrases:
    return said("kneel.stays", spec)


def jump_aside(spec: Spec) -> Phrases:
    return said("jump.aside", spec, way=spec.way)


def about_face(spec: Spec) -> Phrases:
    return said("about", spec, side="left" if spec.angle > 0 else "right")


def big_circle(spec: Spec) -> Phrases:
    side, way = (
        ("left", "counterclockwise") if spec.angle > 0 else ("right", "clockwise")
    )
    return filled(_BANK["circle"], {"side": side, "round": way})


def with_pose(pose: Phrases, deed: Phrases) -> Phrases:
    """A deed with arms that keep a pose; the last ones are about the deed alone."""
    plain = [p for p in deed if "," not in p and " and " not in p] or deed
    both = [f"{phrase} {pose[i % len(pose)]}" for i, phrase in enumerate(plain)]
    return [*both, *plain[:_PLAIN]]
