"""All candidates at once, kind by kind, give what one motion by itself gives."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from texedo.data.events import ArmRaise, Jump, Travel, measure, mirror_facts
from texedo.data.events.detectors import GROUPS
from texedo.data.events.measure import Look, measure_many
from texedo.data.events.signals import Signals, compute_many, mirror_signals
from texedo.data.events.types import KINDS
from texedo.data.synth.author import Spec, author_many
from texedo.motion import Motion
from texedo.motion.edit import trim
from texedo.robot.mirror import mirror


@pytest.fixture(scope="module")
def motions() -> list[Motion]:
    spec = Spec(kind="raise_hand", side="left", way="up")
    one = next(iter(author_many([spec]))).motion
    return [one, mirror(one), trim(one, 0.2, 1.5)]


@pytest.fixture(scope="module")
def looks(motions: list[Motion]) -> list[Look]:
    return measure_many([motion.to_qpos() for motion in motions])


def test_every_kind_has_a_detector() -> None:
    assert {kind for kinds in GROUPS.values() for kind in kinds} == set(KINDS)


def test_curves_do_not_depend_on_the_company(motions: list[Motion]) -> None:
    together = compute_many([motion.to_qpos() for motion in motions])
    for motion, own in zip(motions, together, strict=True):
        (alone,) = compute_many([motion.to_qpos()])
        for field in fields(Signals):
            assert (getattr(own, field.name) == getattr(alone, field.name)).all()


def test_mirrored_curves_are_those_of_the_mirrored_motion(looks: list[Look]) -> None:
    own, image = looks[0].signals, mirror_signals(looks[1].signals)
    for field in fields(Signals):
        assert np.array_equal(getattr(own, field.name), getattr(image, field.name))
    twice = mirror_signals(mirror_signals(own))
    assert np.array_equal(twice.palm_f, own.palm_f)


def test_what_is_looked_for_later_is_what_was_measured(
    motions: list[Motion], looks: list[Look]
) -> None:
    for motion, look in zip(motions, looks, strict=True):
        whole = measure(motion)
        assert tuple(look.facts.of(ArmRaise)) == tuple(whole.of(ArmRaise))
        assert look.facts.has(Travel) == whole.has(Travel)
        assert look.facts.of_any((Jump, ArmRaise)) == whole.of_any((Jump, ArmRaise))
        assert look.facts.events == whole.events
        assert look.facts.turned == whole.turned
    assert measure(motions[1]) == mirror_facts(measure(motions[0]))


def test_nobody_looks_for_what_is_not_asked(motions: list[Motion]) -> None:
    facts = measure_many([motions[0].to_qpos()])[0].facts
    assert "events" not in facts.__dict__
    list(facts.of(ArmRaise))
    assert "events" not in facts.__dict__
    assert replace(facts, events=()).events == ()
