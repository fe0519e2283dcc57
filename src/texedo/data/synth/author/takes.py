"""Takes of a spec: its own tempo, size and small variations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from texedo.data.synth.author.spec import Spec

_TEMPOS = (0.82, 0.92, 1.0, 1.08, 1.2)
_SIZES = (0.8, 0.9, 1.0, 1.08, 1.15)
_SIZES_OF = {
    "wave": (1.1, 1.2, 1.3),
    "jump": (0.95, 1.0, 1.1, 1.2),
    "hop": (0.9, 1.0, 1.1),
    "jumping_jack": (1.0, 1.1),
    "steps": (1.0, 1.08, 1.15, 1.2),
    "routine": (0.96, 1.0, 1.06, 1.12),
    "leg_out": (0.9, 1.0, 1.1),
    "butt_kicks": (0.95, 1.0),
    "jog_place": (0.9, 1.0, 1.1),
    "stomp": (0.9, 1.0, 1.15),
    "lunge": (0.95, 1.0),
    "wide_stance": (0.95, 1.0, 1.1),
    "crouch": (0.85, 1.0, 1.1),
    "zigzag": (1.0, 1.1),
}
"""Smaller ones are not seen for what they are."""
_FIXED_SIZE = frozenset(
    {"half_kneel", "salute", "hand_to_head", "point", "turn", "stand"}
)
_LEAST_TEMPO = {
    ("squat", 4): 1.0,
    ("squat", 5): 1.2,
    ("squat", 6): 1.42,
    ("bow", 3): 1.0,
    ("bow", 4): 1.2,
    ("bow", 5): 1.32,
    ("kick", 4): 1.08,
    ("kick", 5): 1.25,
    ("raise_knee", 5): 1.0,
    ("raise_knee", 6): 1.2,
    ("raise_hand", 3): 1.0,
    ("raise_hand", 4): 1.2,
    ("jumping_jack", 6): 1.08,
}
"""What would last longer than a clip may is not done slowly."""
_BRISK = {"punch": 1.2, "kick": 1.0}
"""Slower is no punch and no kick."""


def drawn(*key: object) -> np.random.Generator:
    """Random numbers of their own for a key."""
    digest = hashlib.sha256(":".join(map(str, key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def varied(spec: Spec, seed: int) -> Spec:
    """The spec with a tempo and a size of its own."""
    rng = drawn(seed, spec.id)
    tempo, size = float(rng.choice(_TEMPOS)), _size(spec, rng)
    if spec.kind in ("walk", "turn") and spec.manner != "plain":
        tempo = 1.0  # the manner has its own
    if abs(spec.angle) >= 180:
        tempo = max(tempo, 1.0)
    least = _LEAST_TEMPO.get((spec.kind, spec.count), 0.0)
    tempo = max(tempo, least, _BRISK.get(spec.kind, 0.0))
    if spec.kind == "walk_far" and spec.count >= 150:
        tempo = max(tempo, 1.0)
    if spec.way == "hook":
        tempo = 1.34
    return replace(spec, tempo=tempo, size=size)


def _size(spec: Spec, rng: np.random.Generator) -> float:
    drawn = float(rng.choice(_SIZES_OF.get(spec.kind, _SIZES)))
    return 1.0 if spec.kind in _FIXED_SIZE else drawn


def of(kind: str, **fields: Any) -> Spec:
    """A spec with tempo and size still to be drawn."""
    return Spec(kind=kind, **fields)


def in_order(
    parts: Sequence[Spec],
    take: int,
    seed: int,
    *,
    tempos: Sequence[float] = (1.0, 1.08, 1.15),
) -> Spec:
    """A sequence whose parts have tempos and sizes of their own, in any order the same."""
    done = []
    for part in parts:
        rng = drawn(seed, part.id, take, *sorted(p.id for p in parts))
        tempo = float(rng.choice(tempos))
        tempo = max(tempo, _BRISK.get(part.kind, 0.0))
        # A take of 1 brings the feet together after steps.
        done.append(replace(part, tempo=tempo, size=_size(part, rng), take=1))
    return Spec(kind="sequence", parts=tuple(done), take=take, free=True)
