"""Turning: by how much, to which side, on the spot or not; looking and twisting."""

from __future__ import annotations

import numpy as np

from texedo.data.captions.activities.predicates.grades import (
    at_least,
    at_most,
    grade,
    held,
)
from texedo.data.captions.activities.scene import Scene
from texedo.data.events.spans import turning_points
from texedo.motion import FPS

_SIGN = {"left": 1.0, "right": -1.0}


def _turned(scene: Scene) -> float:
    """Net change of facing, left positive [degrees]."""
    return float(np.degrees(scene.signals.yaw[-1] - scene.signals.yaw[0]))


def turn(
    scene: Scene, side: str = "either", angle: float = 90, off: float = 30
) -> float:
    """The facing ends `angle` degrees to a side; further off than `off` is perhaps."""
    net = _turned(scene)
    own = net * _SIGN[side] if side in _SIGN else abs(net)
    return grade(-abs(own - angle), -1.8 * off, -off)


def turns(scene: Scene, side: str = "either", min: float = 45) -> float:
    """The facing changes by at least `min` degrees to a side."""
    net = _turned(scene)
    own = net * _SIGN[side] if side in _SIGN else abs(net)
    return at_least(own, min, margin=0.35)


def swings(
    scene: Scene, side: str = "either", min: float = 45, max: float = 1e6
) -> float:
    """The facing changes by so much to a side at some time, and never by more than
    `max`, whatever follows."""
    yaw = np.degrees(scene.signals.yaw)
    left = float((yaw - np.minimum.accumulate(yaw)).max())
    right = float((np.maximum.accumulate(yaw) - yaw).max())
    own = {"left": left, "right": right}.get(side, float(np.maximum(left, right)))
    enough = at_least(own, min, margin=0.35)
    return float(np.minimum(enough, at_most(own, max, margin=0.3)))


def spins(scene: Scene, side: str = "either", rounds: float = 1) -> float:
    """Whole rounds: at least nearly so many, and not another one."""
    net = _turned(scene)
    own = (net * _SIGN[side] if side in _SIGN else abs(net)) / 360.0
    enough = grade(own, 0.6 * rounds, 0.85 * rounds)
    return float(np.minimum(enough, grade(-own, -rounds - 0.9, -rounds - 0.5)))


def twirls(scene: Scene, min: float = 300) -> float:
    """All turning together; round and round, either way."""
    return at_least(float(np.abs(np.diff(np.degrees(scene.signals.yaw))).sum()), min)


def faces(scene: Scene, max: float = 35) -> float:
    """It never turns away by more than `max` degrees."""
    yaw = np.degrees(scene.signals.yaw - scene.signals.yaw[0])
    return grade(-float(np.abs(yaw).max()), -2.0 * max, -max)


def pivots(scene: Scene, min: float = 2) -> float:
    """The facing swings to one side and back."""
    points = turning_points(np.degrees(scene.signals.yaw), 28.0)
    return grade(len(points) - 1, min - 1.5, min)


def looks(scene: Scene, side: str, min: float = 22) -> float:
    """The chest, which carries the head, turns to a side."""
    away = scene.chest - scene.chest[0]
    away = away * _SIGN[side] if side in _SIGN else np.abs(away)
    return held(away, 0.3, no=0.5 * min, yes=min)


def looks_around(scene: Scene, min: float = 2) -> float:
    """The chest turns to one side and to the other."""
    points = turning_points(scene.chest, 28.0)
    return grade(len(points) - 1, min - 1.2, min)


def looks_back(scene: Scene, side: str = "either") -> float:
    """The chest turns far relative to the feet."""
    twist = scene.signals.twist
    own = twist * _SIGN[side] if side in _SIGN else np.abs(twist)
    return held(own, 0.25, no=25.0, yes=42.0)


def twisted(scene: Scene, side: str = "either", min: float = 25) -> float:
    """The chest is turned over the feet for a moment."""
    twist = scene.signals.twist
    own = twist * _SIGN[side] if side in _SIGN else np.abs(twist)
    return held(own, 0.2, no=0.55 * min, yes=min)


def twists(scene: Scene, min: float = 2) -> float:
    """It turns over the feet from side to side, `min` swings in all."""
    points = turning_points(scene.signals.twist, 22.0)
    return grade(len(points) - 1, min - 1.5, min)


def quick_turn(scene: Scene, min: float = 110) -> float:
    """It turns at least so fast for a while [degrees/s]."""
    return at_least(_turning_speed(scene), min, margin=0.5)


def slow_turn(scene: Scene, max: float = 60) -> float:
    """It never turns faster than that for long [degrees/s]."""
    return at_most(_turning_speed(scene), max, margin=1.0)


def _turning_speed(scene: Scene) -> float:
    speed = np.abs(np.gradient(np.degrees(scene.signals.yaw))) * FPS
    moving = speed[speed > 8.0]
    return float(np.quantile(moving, 0.8)) if len(moving) else 0.0
