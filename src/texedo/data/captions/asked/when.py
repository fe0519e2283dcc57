"""When a motion does what a rule asks for: which of two deeds comes first.

A predicate has a curve that is high while its deed is begun or goes on: the speed in a
direction, turning to a side, a hand on its way up, a foot that leaves the floor. Two
curves tell how surely one deed comes before the other, however well either is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from texedo.data.captions.activities.predicates import parameters
from texedo.data.captions.activities.rules import Measured, Rule, Value
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.clauses import rule_of_all
from texedo.data.captions.asked.parse import parts_of, steps_of
from texedo.data.captions.asked.wish import rule_of_step
from texedo.data.captions.reader import Clause, read
from texedo.data.captions.reader.check import show_clause
from texedo.data.events.signals import STANDING_HEIGHT, change, smooth
from texedo.data.events.spans import Floats
from texedo.data.events.types import Event
from texedo.motion import FPS

_SIDES = {"left": (0,), "right": (1,)}
_SIGNS = {"left": 1.0, "right": -1.0}
_WAYS = {
    "forward": (1.0, 0.0),
    "backward": (-1.0, 0.0),
    "left": (0.0, 1.0),
    "right": (0.0, -1.0),
}
_NO_TIME = frozenset(("other", "stand", "recover"))
"""Actions that may be seen at any time."""
_ONSET = 40
"""Frames in which an event is noticed: things are told as they begin."""
_LEAST = 1e-3
"""A curve with less in it says nothing."""
Named = Mapping[str, Value]
Curve = Callable[[Scene, Named], Floats]


def _begins(level: Floats) -> Floats:
    """How much of a level is reached at each frame, the first one's own included."""
    steps = np.diff(level, prepend=0.0)
    return np.asarray(np.maximum(steps, 0.0))


def _limbs(named: Named) -> tuple[int, ...]:
    return _SIDES.get(str(named.get("side", "")), (0, 1))


def _over(levels: Floats, named: Named) -> Floats:
    """Of the limb asked for; of both where both are, of the busier one otherwise."""
    own = levels[:, list(_limbs(named))]
    return np.asarray(
        own.min(axis=1) if named.get("side") == "both" else own.max(axis=1)
    )


def _travel(scene: Scene, named: Named) -> Floats:
    way = str(named.get("way", "any"))
    if way in ("any", "either"):
        return scene.speed
    if way == "sideways":
        return np.asarray(np.abs(scene.velocity[:, 1]))
    aim = np.sum([_WAYS.get(part, (0.0, 0.0)) for part in way.split("-")], axis=0)
    return np.asarray(np.maximum(scene.velocity @ aim, 0.0))


def _turning(scene: Scene, named: Named) -> Floats:
    rate = change(scene.signals.yaw)
    sign = _SIGNS.get(str(named.get("side", "")))
    own = np.abs(rate) if sign is None else np.maximum(sign * rate, 0.0)
    return np.asarray(1e3 * own**2)


def _hand_up(scene: Scene, named: Named) -> Floats:
    return _begins(_over(np.maximum(scene.arm[..., 2] + 0.25, 0.0), named))


def _hand_out(scene: Scene, named: Named) -> Floats:
    """Away from where it hangs, in any direction."""
    hanging = np.array([0.0, 0.0, -0.4])
    far = np.linalg.norm(scene.arm - hanging, axis=2)
    return _begins(_over(np.maximum(far - 0.12, 0.0), named))


def _hand_fast(scene: Scene, named: Named) -> Floats:
    speed = np.linalg.norm(scene.palm_rate, axis=2)
    return _over(np.maximum(speed - 0.25, 0.0) ** 2, named)


def _hand_swings(scene: Scene, named: Named) -> Floats:
    speed = np.linalg.norm(scene.palm_rate, axis=2)
    high = np.maximum(scene.arm[..., 2] + 0.3, 0.0)
    return _over(speed * high, named)


def _foot_up(scene: Scene, named: Named) -> Floats:
    height = np.maximum(scene.signals.foot_height - 0.06, 0.0)
    return _begins(_over(height, {**named, "side": named.get("side", "either")}))


def _feet_up(scene: Scene, named: Named) -> Floats:
    del named
    return np.asarray(np.maximum(scene.signals.foot_height.min(axis=1) - 0.02, 0.0))


def _low(scene: Scene, named: Named) -> Floats:
    del named
    drop = 1.0 - scene.signals.height / STANDING_HEIGHT
    return _begins(np.maximum(smooth(drop, 0.1) - 0.06, 0.0))


def _rising(scene: Scene, named: Named) -> Floats:
    del named
    return np.asarray(np.maximum(change(smooth(scene.signals.height, 0.1)), 0.0))


def _bent(scene: Scene, named: Named) -> Floats:
    del named
    return _begins(np.maximum(scene.signals.lean - 10.0, 0.0))


def _tilt(scene: Scene, named: Named) -> Floats:
    side = str(named.get("side", ""))
    if side in ("forward", "back"):
        lean = scene.signals.lean * (1.0 if side == "forward" else -1.0)
        return _begins(np.maximum(lean - 4.0, 0.0))
    tilt = scene.signals.tilt
    own = tilt * _SIGNS[side] if side in _SIGNS else np.abs(tilt)
    return _begins(np.maximum(own - 4.0, 0.0))


def _twist(scene: Scene, named: Named) -> Floats:
    side = str(named.get("side", ""))
    away = scene.chest - scene.chest[0]
    own = away * _SIGNS[side] if side in _SIGNS else np.abs(away)
    return _begins(np.maximum(own - 8.0, 0.0))


def _still(scene: Scene, named: Named) -> Floats:
    del named
    speed = np.linalg.norm(scene.palm_rate, axis=2).max(axis=1) + scene.speed
    return np.asarray(np.maximum(0.25 - smooth(speed, 0.2), 0.0))


def _all_of(names: str, curve: Curve) -> dict[str, Curve]:
    return dict.fromkeys(names.split(), curve)


CURVES: dict[str, Curve] = {
    **_all_of(
        "travel walk run circle curve zigzag back_and_forth weaves steps pace", _travel
    ),
    **_all_of("side_to_side staggers tiptoe limps", _travel),
    **_all_of("turn turns swings spins twirls pivots jump_turn", _turning),
    **_all_of("hand_level raises hand_near hand_visits wide_elbows", _hand_up),
    **_all_of("arm_out reaches hands_front hands_apart behind_back", _hand_out),
    **_all_of("arms_crossed hands_together hands_span", _hand_out),
    **_all_of(
        "stroke throws punch punches swings_low swing_across hand_speed", _hand_fast
    ),
    **_all_of("hand_busy quick_hands clap", _hand_fast),
    **_all_of("wave shakes circles", _hand_swings),
    **_all_of("kick leg_out leg_held knee_raise one_leg lunge stomp", _foot_up),
    **_all_of("high_knees lifts_feet taps heels_up", _foot_up),
    **_all_of("jump jumps hop jacks", _feet_up),
    **_all_of("low squat kneel ends_low ducks hand_below", _low),
    **_all_of("rises", _rising),
    **_all_of("bow bent slouched", _bent),
    **_all_of("leans sways", _tilt),
    **_all_of("twists twisted looks looks_back looks_around", _twist),
    **_all_of("still freezes stops", _still),
}
"""By predicate; others say nothing about when."""


def curve_of(rule: Rule, scene: Scene) -> Floats | None:
    """Shares of the deed by frame, (T,), their sum 1; None if nobody can tell."""
    if isinstance(rule, Measured):
        return _measured(rule, scene)
    if rule.how in ("not", "maybe"):
        return None
    found = [c for part in rule.parts if (c := curve_of(part, scene)) is not None]
    if not found:
        return None
    return found[0] if rule.how == "or" else np.asarray(np.mean(found, axis=0))


@lru_cache(4096)
def _arguments(rule: Measured) -> Named:
    known = parameters(rule.name)
    return dict(zip(known, rule.values, strict=False)) | dict(rule.named)


def _measured(rule: Measured, scene: Scene) -> Floats | None:
    curve = CURVES.get(rule.name)
    if curve is None:
        return None
    values = curve(scene, _arguments(rule))
    total = float(values.sum())
    return None if total < _LEAST else np.asarray(values / total)


def precedes(first: Floats, second: Floats) -> float:
    """How much more of `second` comes after `first` than before it, -1 to 1."""
    before = np.cumsum(first)
    return float((second * (2.0 * before - first)).sum() - 1.0)


def _events(events: Sequence[Event], frames: int) -> Floats:
    """The same of events that were seen, each with one share."""
    shares = np.zeros(frames)
    for event in events:
        start = min(max(round(event.start * FPS), 0), frames - 1)
        stop = min(max(round(event.end * FPS), start + 1), start + _ONSET, frames)
        shares[start:stop] += 1.0 / (stop - start)
    return np.asarray(shares / shares.sum())


@dataclass(frozen=True, kw_only=True)
class Deed:
    """A step of a sentence: what is to be seen in its turn."""

    rules: tuple[Rule, ...]
    clauses: tuple[Clause, ...]
    """As the strict reader has them."""

    def curve(self, scene: Scene) -> Floats | None:
        """When it is done, by events and by curves alike; None if nobody can tell."""
        seen = [show_clause(clause, scene.facts).events for clause in self.clauses]
        events = [_events(one, len(scene)) for one in seen if one]
        curves = [c for rule in self.rules if (c := curve_of(rule, scene)) is not None]
        found = [np.mean(rows, axis=0) for rows in (events, curves) if rows]
        return np.asarray(np.mean(found, axis=0)) if found else None


def deeds_of(text: str) -> tuple[Deed, ...]:
    """The steps of a sentence, in the order in which they are to come."""
    return tuple(_deed(part) for part in parts_of(text))


def _deed(part: str) -> Deed:
    wanted = read(part)
    rules = [rule_of_step(step) for step in steps_of(part)] + [rule_of_all(wanted)]
    clauses = [
        clause
        for clause in wanted.clauses
        if not clause.negated and clause.action not in _NO_TIME
    ]
    return Deed(
        rules=tuple(rule for rule in rules if rule is not None), clauses=tuple(clauses)
    )


def in_order(deeds: Sequence[Deed], scene: Scene) -> float:
    """-1, the other way round, over 0, nobody can tell, to 1: one after the other."""
    curves = [deed.curve(scene) for deed in deeds]
    found = [
        precedes(a, b)
        for a, b in zip(curves, curves[1:], strict=False)
        if a is not None and b is not None
    ]
    return float(np.mean(found)) if found else 0.0
