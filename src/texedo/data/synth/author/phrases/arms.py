"""Phrases for gestures of arms and trunk."""

from __future__ import annotations

from collections.abc import Callable

from texedo.data.synth.author.phrases.common import (
    Phrases,
    author_bank,
    common_slots,
    counted,
    filled,
)
from texedo.data.synth.author.spec import Spec

_BANK = author_bank("arms")


def _said(entry: str, spec: Spec, **slots: str) -> Phrases:
    return filled(_BANK[entry], {**slots, **common_slots(spec)})


def _wave(spec: Spec) -> Phrases:
    where = "above {poss} head" if spec.way == "high" else "beside {poss} head"
    return _said("wave", spec, where=where)


def _raise(spec: Spec) -> Phrases:
    to = "to the sides" if spec.side == "both" else f"out to the {spec.side}"
    way = spec.way if spec.way in ("up", "forward") else "side"
    return _said(f"raise.{way}", spec, to=to)


def _point(spec: Spec) -> Phrases:
    places = {f"to{i}": to for i, to in enumerate(_BANK[f"to.{spec.way}"])}
    return _said("point", spec, **places)


def _clap(spec: Spec) -> Phrases:
    entry = "clap.overhead" if spec.way == "overhead" else "clap.chest"
    return _said(entry, spec, s="s" if spec.count > 1 else "")


def _salute(spec: Spec) -> Phrases:
    return _said("salute", spec)


def _to_head(spec: Spec) -> Phrases:
    return _said("hand_to_head", spec)


def _hips(spec: Spec) -> Phrases:
    entry = "hips.twist" if spec.way == "twist" else f"hips.{spec.base}"
    return _said(entry, spec, hip="hips" if spec.side == "both" else "hip")


def _stretch(spec: Spec) -> Phrases:
    return _said("stretch.sides" if spec.way == "sides" else "stretch.up", spec)


def _bow(spec: Spec) -> Phrases:
    deep = "deep " if spec.size >= 1.1 else "slight " if spec.size < 0.9 else ""
    return _said("bow", spec, deep=deep, bows=counted(spec, f"{deep}bow"))


def _spread(spec: Spec) -> Phrases:
    return _said("spread", spec)


ARM_PHRASES: dict[str, Callable[[Spec], Phrases]] = {
    "wave": _wave,
    "raise_hand": _raise,
    "point": _point,
    "clap": _clap,
    "salute": _salute,
    "hand_to_head": _to_head,
    "hands_on_hips": _hips,
    "stretch_up": _stretch,
    "bow": _bow,
    "spread_arms": _spread,
}
