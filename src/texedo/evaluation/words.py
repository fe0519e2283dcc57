"""Does a motion go where, and use the limb that, the words say? By rules, without a model.

Nine pairs of sentences that differ in one word: left and right, forward and backward. For
each pair a rule that can be read off the motion says which of the two was done, or neither.
An embedding is blind where its training was; a foot that was raised was raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import Source
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.choices import choose
from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_from_yaw, quat_rotate_inverse, quat_yaw
from texedo.robot.g1 import BODY_INDEX
from texedo.robot.kinematics import motion_kinematics

_RAISED = 0.25
"""A hand so far above the pelvis is up; the shoulder is 0.29 m above it [m]."""
_KICKED = 0.30
"""An ankle so far above the floor has kicked; a step stays below 0.2 [m]."""
_LEAD = 0.10
"""By how much one side must be higher than the other [m]."""
_QUICK, _QUICKER = 1.5, 1.2
"""Speed ahead of a hand that punches [m/s], and times that of the other hand."""

Pair = tuple[float, float]
"""Of left and right."""


class Deeds(NamedTuple):
    """What a motion did, from its first frame to its last."""

    turned: float
    """To the left [rad]."""
    ahead: float
    """Way along its own heading [m]."""
    aside: float
    """Way to its own left [m]."""
    hands: Pair
    """Highest place of each hand above the pelvis [m]."""
    reaching: Pair
    """Highest speed of each hand ahead of the pelvis [m/s]."""
    feet: Pair
    """Highest place of each ankle above the floor [m]."""


def deeds_of(motion: Motion) -> Deeds:
    """Read off a motion of two frames or more."""
    poses = motion_kinematics(motion)
    root = motion.root_pos_w.astype(np.float64)
    yaw = np.unwrap(quat_yaw(motion.root_quat_w.astype(np.float64)))
    way = _in_heading(np.diff(root, axis=0), yaw[:-1]).sum(axis=0)
    hands = [
        _in_heading(poses.pos_w[:, BODY_INDEX[f"{side}_wrist_yaw_link"]] - root, yaw)
        for side in ("left", "right")
    ]
    feet = [
        poses.pos_w[:, BODY_INDEX[f"{side}_ankle_roll_link"], 2]
        for side in ("left", "right")
    ]
    return Deeds(
        turned=float(yaw[-1] - yaw[0]),
        ahead=float(way[0]),
        aside=float(way[1]),
        hands=_highest([hand[:, 2] for hand in hands]),
        reaching=_highest([np.diff(hand[:, 0]) * FPS for hand in hands]),
        feet=_highest(feet),
    )


def _in_heading(
    vectors: NDArray[np.float64], yaw: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Vectors (T, 3) seen by somebody who faces `yaw` (T,): ahead, to the left, up."""
    return np.asarray(quat_rotate_inverse(quat_from_yaw(yaw), vectors))


def _highest(sides: Sequence[NDArray[np.float64]]) -> Pair:
    left, right = (float(values.max()) for values in sides)
    return left, right


class Contrast(NamedTuple):
    """Two sentences, and a rule: 1 if the first was done, -1 for the second, else 0."""

    one: str
    other: str
    rule: Callable[[Deeds], int]


def _beyond(value: float, limit: float) -> int:
    return int(value > limit) - int(value < -limit)


def _leading(sides: Pair, *, least: float) -> int:
    """Which side is up and clearly higher than the other: 1 for left."""
    left, right = sides
    if max(sides) <= least or abs(left - right) <= _LEAD:
        return 0
    return 1 if left > right else -1


def _quicker(sides: Pair) -> int:
    left, right = sides
    if max(sides) <= _QUICK or max(sides) <= _QUICKER * min(sides):
        return 0
    return 1 if left > right else -1


def _turn(deeds: Deeds) -> int:
    return _beyond(deeds.turned, math.radians(30))


def _hand(deeds: Deeds) -> int:
    return _leading(deeds.hands, least=_RAISED)


CONTRASTS = (
    Contrast("a person turns left.", "a person turns right.", _turn),
    Contrast(
        "a person walks forward and turns left.",
        "a person walks forward and turns right.",
        _turn,
    ),
    Contrast(
        "a person walks in a circle counterclockwise.",
        "a person walks in a circle clockwise.",
        lambda deeds: _beyond(deeds.turned, math.pi),
    ),
    Contrast(
        "a person walks forward.",
        "a person walks backward.",
        lambda deeds: _beyond(deeds.ahead, 0.5),
    ),
    Contrast(
        "a person moves sideways to the left.",
        "a person moves sideways to the right.",
        lambda deeds: _beyond(deeds.aside, 0.4),
    ),
    Contrast(
        "a person waves with the left hand.",
        "a person waves with the right hand.",
        _hand,
    ),
    Contrast("a person raises the left arm.", "a person raises the right arm.", _hand),
    Contrast(
        "a person punches with the left hand.",
        "a person punches with the right hand.",
        lambda deeds: _quicker(deeds.reaching),
    ),
    Contrast(
        "a person kicks with the left foot.",
        "a person kicks with the right foot.",
        lambda deeds: _leading(deeds.feet, least=_KICKED),
    ),
)


def words_report(
    bench: Bench,
    *,
    n: int = 32,
    temperature: float = 1.0,
    sources: Sequence[Source] = (),
) -> dict[str, Any]:
    """Shares of n candidates that do what each sentence says, and its opposite.

    For each column of `sources` also whether its highest candidate does.
    """
    asked = [
        (text, sign, pair.rule)
        for pair in CONTRASTS
        for text, sign in ((pair.one, 1), (pair.other, -1))
    ]
    rows: dict[str, dict[str, float]] = {}
    texts = [text for text, _, _ in asked]
    drawn = bench.sample(texts, n, temperature)
    scored = bench.score(sources, texts, drawn)
    for (text, sign, rule), motions in zip(asked, drawn, strict=True):
        done = np.array([sign * rule(deeds_of(motion)) for motion in motions])
        rows[text] = {
            "done": float((done > 0).mean()),
            "opposite": float((done < 0).mean()),
        }
        for name, scores in scored[text].items():
            chosen = done[choose(scores, np.ones(len(done), dtype=np.bool_))]
            rows[text][f"{name}, done"] = float(chosen > 0)
            rows[text][f"{name}, opposite"] = float(chosen < 0)
    mean = {
        name: float(np.mean([row[name] for row in rows.values()]))
        for name in next(iter(rows.values()))
    }
    return {
        "candidates": n,
        "temperature": temperature,
        **bench.hashes(),
        "rows": {**rows, "mean": mean},
    }
