"""Which sides a sentence names, and which sides a motion is on.

Whatever is done with "the right hand", the right hand usually moves more than the left
one, and rises higher; whoever goes "to the left" turns or drifts there. That is weak
evidence, but it is there for almost every sentence with a side in it, also for those
that no rule knows. It is the same for the mirrored motion and the sentence with the
sides exchanged, and the negative if only one of the two is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.parse import parts_of
from texedo.data.captions.contrary import names_a_side
from texedo.data.events.signals import change, rate
from texedo.data.events.spans import Floats

What = Literal["hand", "leg", "turn", "way", "lean", "look"]

_WORDS: dict[What, str] = {
    "hand": "hand arm fist palm wrist forearm claw wing paw hook jab punch uppercut cross "
    "handed slap backhand forehand",
    "leg": "leg foot knee heel toe thigh kick kicks footed roundhouse",
    "turn": "turn turns spin spins pirouette circle circles arc u-turn pivot swivel",
}
"""Words right after a side that tell what it is the side of."""
_VERBS: dict[What, str] = {
    "turn": "turn spin rotat pivot swivel twirl whirl veer curv circl arc corner swerv "
    "around",
    "way": "step walk mov sidestep shuffl jump hop leap spring slid lung straf drift "
    "shift go head travel run jog dodg march skip advanc glid stagger stumbl",
    "lean": "lean tilt sway bend bent tip rock",
    "look": "look fac twist glanc torso chest gaz peer",
}
"""Beginnings of words before a side that do the same."""
_STEMS = {stem: what for what, stems in _VERBS.items() for stem in stems.split()}
_NOUNS = {word: what for what, words in _WORDS.items() for word in words.split()}
_LONGEST_ENDING = 4
_SIDE = re.compile(r"(left|right)(?:wards?)?")
_CLOCK = {"clockwise": -1.0, "counterclockwise": 1.0, "anticlockwise": 1.0}
_BREAK = frozenset(",") | frozenset(("and", "then", "while", "as", "but"))
_PLACES = frozenset("hip hips side shoulder ear cheek eye thigh waist".split())
"""Places on the body that a hand may go to: their side is not its own."""
_RESTS = re.compile(
    r"\b(?:hips?|waist|limp\w*|hobbl\w*|hurt\w*|injur\w*|bad|sore|painful|stiff)\b"
)
"""A hand on the hip rests, and so does a bad leg."""
_STANDS = re.compile(r"\b(?:stand\w*|balanc\w*|hop\w*|weight)\b.*\bon\b")
"""On a leg: the other one is lifted."""


@dataclass(frozen=True)
class Mention:
    """A side in a sentence."""

    what: What
    sign: float
    """1 for left, -1 for right."""
    step: int
    """Number of the step that it is in."""
    steps: int


def mentions_of(text: str) -> tuple[Mention, ...]:
    """Of a sentence in its normal form; none if it may be true of the mirror image too."""
    text = text.lower()
    if not names_a_side(text):
        return ()
    parts = parts_of(text)
    return tuple(
        Mention(what, sign, step, len(parts))
        for step, part in enumerate(parts)
        for what, sign in _sides(part)
    )


def _sides(part: str) -> list[tuple[What, float]]:
    words = re.findall(r"[a-z]+|,", part.replace("-", " "))
    found: list[tuple[What, float]] = []
    for i, word in enumerate(words):
        if word in _CLOCK:
            found.append(("turn", _CLOCK[word]))
        elif match := _SIDE.fullmatch(word):
            sign = 1.0 if match[1] == "left" else -1.0
            what = _what(words, i)
            if what is None or (what in ("hand", "leg") and _RESTS.search(part)):
                continue
            if what == "leg" and _STANDS.search(part):
                sign = -sign
            found.append((what, sign))
    return found


def _what(words: Sequence[str], at: int) -> What | None:
    """What the side at this place is the side of."""
    for word in words[at + 1 : at + 3]:
        if word in _BREAK:
            break
        if word in _NOUNS:
            return _NOUNS[word]
        if word in _PLACES:
            return None
    for word in reversed(words[:at]):
        for size in range(len(word), max(1, len(word) - _LONGEST_ENDING) - 1, -1):
            if word[:size] in _STEMS:
                return _STEMS[word[:size]]
    return None


Contrast = Callable[[Scene, Floats], float]
"""How much more of something is on the left than on the right, -1 to 1, at frames of
these weights (T,)."""
_LEAST = 1e-6


def _of_two(curve: Callable[[Scene], Floats]) -> Contrast:
    """Of a curve that both sides have, (T, 2), 0 or more."""

    def contrast(scene: Scene, weights: Floats) -> float:
        left, right = weights @ curve(scene)
        return float((left - right) / (left + right + _LEAST))

    return contrast


def _of_signed(curve: Callable[[Scene], Floats]) -> Contrast:
    """Of a curve that is positive to the left, (T,)."""

    def contrast(scene: Scene, weights: Floats) -> float:
        values = curve(scene)
        total = float(weights @ np.abs(values))
        return float(weights @ values) / (total + _LEAST)

    return contrast


def _net_turn(scene: Scene, weights: Floats) -> float:
    return float(np.tanh(weights @ change(scene.signals.yaw)))


def _net_drift(scene: Scene, weights: Floats) -> float:
    seconds = scene.seconds / len(scene)
    return float(np.tanh(2.0 * seconds * (weights @ scene.velocity[:, 1])))


def _hand_energy(scene: Scene) -> Floats:
    speed = np.linalg.norm(scene.palm_rate, axis=2)
    return np.asarray(np.maximum(speed - 0.1, 0.0) ** 2)


def _hand_height(scene: Scene) -> Floats:
    return np.asarray(np.maximum(scene.arm[..., 2] + 0.25, 0.0))


def _foot_height(scene: Scene) -> Floats:
    return np.asarray(np.maximum(scene.signals.foot_height - 0.05, 0.0))


def _foot_energy(scene: Scene) -> Floats:
    return np.asarray((rate(scene.signals.foot_w) ** 2).sum(axis=2))


def _knee_height(scene: Scene) -> Floats:
    high = scene.signals.knee_f[..., 2] - scene.signals.hip_f[..., 2]
    return np.asarray(np.maximum(high + 0.25, 0.0))


def _foot_ahead(scene: Scene) -> Floats:
    ahead = scene.signals.foot_f[..., 0]
    return np.asarray(np.maximum(ahead - ahead[:, ::-1], 0.0))


def _turning(scene: Scene) -> Floats:
    return np.asarray(change(scene.signals.yaw))


def _chest(scene: Scene) -> Floats:
    return np.asarray(change(scene.chest))


def _drift(scene: Scene) -> Floats:
    return np.asarray(scene.velocity[:, 1])


def _tilt(scene: Scene) -> Floats:
    return scene.signals.tilt


CONTRASTS: dict[What, tuple[Contrast, ...]] = {
    "hand": (_of_two(_hand_energy), _of_two(_hand_height)),
    "leg": (
        _of_two(_foot_height),
        _of_two(_foot_energy),
        _of_two(_knee_height),
        _of_two(_foot_ahead),
    ),
    "turn": (_of_signed(_turning), _net_turn, _of_signed(_chest)),
    "way": (_of_signed(_drift), _net_drift, _net_turn),
    "lean": (_of_signed(_tilt), _of_signed(_chest)),
    "look": (_of_signed(_turning), _net_turn, _of_signed(_chest)),
}
WEIGHTS: dict[What, tuple[float, ...]] = {
    "hand": (1.3, 3.7),
    "leg": (1.3, 0.9, 1.9, 0.6),
    "turn": (3.2, 1.4, 1.4),
    "way": (0.8, 2.0, 2.5),
    "lean": (2.8, 1.4),
    "look": (1.2, 1.3, 0.6),
}
"""Log-odds of a whole contrast, fitted on captions of captured clips of `train` against
the same with the sides exchanged."""


def contrasts_of(mention: Mention, scene: Scene) -> Floats:
    """Each contrast that is about it, positive if the motion is on the side it names."""
    weights = _window(len(scene), mention.step, mention.steps)
    found = [contrast(scene, weights) for contrast in CONTRASTS[mention.what]]
    return mention.sign * np.asarray(found)


def on_its_sides(mentions: Sequence[Mention], scene: Scene) -> float:
    """Evidence that a motion is on the sides that a sentence names [log-odds]."""
    if not mentions:
        return 0.0
    found = [
        float(contrasts_of(mention, scene) @ np.asarray(WEIGHTS[mention.what]))
        for mention in mentions
    ]
    # Mentions of one sentence are often of one deed: less than independent ones.
    return sum(found) / float(np.sqrt(len(found)))


def _window(frames: int, step: int, steps: int) -> Floats:
    """Frames in which a step may be done, the others weigh nothing, (T,)."""
    if steps < 2:
        return np.ones(frames)
    at = (np.arange(frames) + 0.5) / frames * steps
    return np.asarray(np.clip(1.2 - np.abs(at - (step + 0.5)), 0.0, 1.0))
