"""Claims: what is read from a sentence, and which motions speak against it."""

import pytest

from texedo.data.captions.claims import (
    claims_of,
    contradicted_claims,
    contradicts,
    fully_borne_out,
)
from texedo.data.events import Event, Facts, Lean, Travel, Turn


def facts_of(
    *events: Event, turned: float = 0.0, steps: int = 0, lowest: float = 1.0
) -> Facts:
    return Facts(
        duration=5.0,
        events=events,
        distance=sum(e.distance for e in events if isinstance(e, Travel)),
        displacement=0.0,
        turned=turned,
        steps=steps,
        hand_path=(0.0, 0.0),
        lowest=lowest,
    )


def ahead(start: float = 0.0, end: float = 5.0) -> Travel:
    return Travel(
        start=start,
        end=end,
        gait="walk",
        direction="forward",
        distance=0.5 * (end - start),
        speed=0.5,
        steps=4,
    )


RIGHT = Turn(start=1, end=2, side="right", angle=90, travelling=False)


@pytest.mark.parametrize(
    "text",
    [
        "lifts the knees in turn",
        "walks on without turning",
        "turns into a prairie dog",
        "bent over, turning the wrench",
        "kicks right and left by turns",
    ],
)
def test_not_every_turn_is_one_of_the_body(text: str) -> None:
    assert "turn" not in {claim.name for claim in claims_of(text)}


def test_a_side_belongs_to_the_nearest_verb() -> None:
    names = {claim.name for claim in claims_of("turns right and steps left")}
    assert {"turn", "turn right", "left", "right"} == names
    names = {claim.name for claim in claims_of("turns under the left arm")}
    assert names == {"turn", "left limb"}


def test_a_label_must_be_measured_and_a_watcher_only_possible() -> None:
    # 20 degrees are no turn to the detectors and a slight one to the eye.
    slightly = facts_of(ahead(), turned=20.0, steps=4)
    text = "walks ahead, turning slightly left"
    assert contradicts(text, slightly)
    assert not contradicts(text, slightly, watched=True)
    wrong = "walks ahead, turning slightly right"
    assert contradicted_claims(wrong, slightly, watched=True) == ["turn right", "right"]


def test_who_waits_before_the_walk_waits() -> None:
    text = "waits and then walks forward"
    late, at_once = facts_of(ahead(start=0.6)), facts_of(ahead())
    assert not contradicts(text, late, watched=True)
    assert contradicted_claims(text, at_once, watched=True) == ["still"]


def test_a_lean_to_a_side_is_something_on_that_side() -> None:
    lean = facts_of(Lean(start=1, end=2, side="left", angle=20))
    assert not contradicts("leans left", lean, watched=True)
    assert contradicts("leans right", lean, watched=True)


def test_nobody_walks_without_a_step() -> None:
    assert contradicts("walks on", facts_of(), watched=True)
    assert not contradicts("walks on", facts_of(steps=1), watched=True)
    assert not contradicts("shuffles round to the right", facts_of(RIGHT), watched=True)


def test_what_is_only_possible_is_not_borne_out() -> None:
    assert fully_borne_out("a person turns right", facts_of(RIGHT))
    assert not fully_borne_out("a person turns right", facts_of(turned=-20.0))
