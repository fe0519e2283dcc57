"""Which of two deeds comes first, measured."""

from __future__ import annotations

import numpy as np
import pytest

from texedo.data.captions.activities.rules import parse
from texedo.data.captions.activities.scene import Scene
from texedo.data.captions.asked.when import curve_of, deeds_of, in_order, precedes
from texedo.data.synth.author import Spec, author_many
from texedo.motion.edit import concatenate
from texedo.robot.mirror import mirror


@pytest.fixture(scope="module")
def left_then_right() -> Scene:
    spec = Spec(kind="raise_hand", side="left", way="up")
    left = next(iter(author_many([spec]))).motion
    return Scene.of(concatenate(left, mirror(left)))


def test_shares_of_one_before_the_other() -> None:
    early, late = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.5, 0.5])
    assert precedes(early, late) == 1.0 and precedes(late, early) == -1.0
    assert precedes(late, late) == 0.0
    assert precedes(np.array([0.5, 0.0, 0.5]), np.array([0.0, 1.0, 0.0])) == 0.0


def test_the_order_of_two_hands_is_seen(left_then_right: Scene) -> None:
    right_order = deeds_of("raise your left hand, then raise your right hand")
    wrong_order = deeds_of("raise your left hand after raising your right hand")
    assert in_order(right_order, left_then_right) > 0.5
    assert in_order(wrong_order, left_then_right) < -0.5


def test_of_what_is_not_done_nobody_can_say_when(left_then_right: Scene) -> None:
    assert curve_of(parse("jump()"), left_then_right) is None
    assert curve_of(parse("not wave(left)"), left_then_right) is None
    assert in_order(deeds_of("jump, then ponder"), left_then_right) == 0.0
    curve = curve_of(parse("hand_level(head, left)"), left_then_right)
    assert curve is not None and curve.sum() == pytest.approx(1.0)
