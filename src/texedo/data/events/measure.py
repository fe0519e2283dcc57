"""`measure`: all facts of a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.events.detectors import GROUPS, Detectors
from texedo.data.events.live import Find, LiveFacts
from texedo.data.events.signals import (
    STANDING_HEIGHT,
    Signals,
    compute_many,
    compute_signals,
    mirror_signals,
)
from texedo.data.events.types import Event, Facts, in_time, mirror_event, mirror_facts
from texedo.motion import FPS, Motion
from texedo.robot.mirror import mirror_qpos


def measure(motion: Motion) -> Facts:
    """What the motion measurably does.

    Of a motion and its mirror image one is measured, always the same one, so that the
    facts of the two are exact mirror images whatever rounding does at a threshold.
    """
    qpos = motion.to_qpos()
    image = _measured_image(qpos)
    if image is None:
        return _facts_of(compute_many([qpos])[0])
    return mirror_facts(_facts_of(compute_many([image])[0]))


class Look(NamedTuple):
    """A clip as it was measured; events are looked for when they are asked for."""

    signals: Signals
    facts: LiveFacts


def measure_many(clips: Sequence[NDArray[Any]]) -> list[Look]:
    """The curves of clips (T, 36), and what they measurably do as `measure` has it."""
    images = [_measured_image(clip) for clip in clips]
    chosen = [
        clip if image is None else image
        for clip, image in zip(clips, images, strict=True)
    ]
    return [
        Look(signals, live_facts(signals))
        if image is None
        else Look(mirror_signals(signals), live_facts(signals, mirrored=True))
        for signals, image in zip(compute_many(chosen), images, strict=True)
    ]


def live_facts(signals: Signals, *, mirrored: bool = False) -> LiveFacts:
    """The facts of curves, or of their mirror image."""
    detectors = Detectors(signals)
    measured = _measured(signals, steps=len(detectors.steps.all))
    if not mirrored:
        return LiveFacts(find=detectors.find, **measured)
    left, right = measured["hand_path"]
    measured |= {"turned": -measured["turned"], "hand_path": (right, left)}
    return LiveFacts(find=_mirrored(detectors.find), **measured)


def _mirrored(find: Find) -> Find:
    def found(kind: type[Event]) -> list[Event]:
        return [mirror_event(event) for event in find(kind)]

    return found


def _measured_image(qpos: NDArray[Any]) -> NDArray[Any] | None:
    """The mirror image, if that is the one of the two that is measured."""
    image = mirror_qpos(qpos)
    difference = (qpos - image).ravel()
    different = np.flatnonzero(difference)
    return image if len(different) and difference[different[0]] < 0 else None


def measure_as_is(motion: Motion) -> Facts:
    """The facts, left and right as they come; use `measure`."""
    return _facts_of(compute_signals(motion))


def _facts_of(signals: Signals) -> Facts:
    detectors = Detectors(signals)
    events = [event for group in GROUPS for event in detectors.group(group)]
    measured = _measured(signals, steps=len(detectors.steps.all))
    return Facts(events=in_time(events), **measured)


def _measured(signals: Signals, *, steps: int) -> dict[str, Any]:
    """What is told of the whole motion."""
    moves = np.diff(signals.path_w, axis=0)
    paths = np.linalg.norm(np.diff(signals.palm_t, axis=0), axis=2).sum(axis=0)
    return {
        "duration": len(signals) / FPS,
        "distance": float(np.hypot(moves[:, 0], moves[:, 1]).sum()),
        "displacement": float(np.hypot(*(signals.path_w[-1] - signals.path_w[0]))),
        "turned": float(np.degrees(signals.yaw[-1] - signals.yaw[0])),
        "steps": steps,
        "hand_path": (float(paths[0]), float(paths[1])),
        "lowest": float(signals.height.min()) / STANDING_HEIGHT,
    }
