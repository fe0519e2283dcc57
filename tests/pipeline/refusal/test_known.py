"""Groups of captions, and the phrases that stand for them."""

import numpy as np
import pytest

from texedo.pipeline.refusal.known import Known, group, phrases_of

UP, RIGHT = [0.0, 1.0], [1.0, 0.0]


def plane(*rows: list[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def test_a_sentence_is_as_near_as_its_nearest_group() -> None:
    known = Known(plane(UP, RIGHT), ["wave", "walk"])
    near = known.near(plane([3.0, 4.0], [0.0, 2.0]))
    assert near == pytest.approx([0.8, 1.0])


def test_suggestions_do_not_say_the_same_twice() -> None:
    groups = plane(RIGHT, [1.0, 0.1], [1.0, -1.0], UP)
    known = Known(groups, ["walks", "strolls", "walks", "waves"])
    # The second is nearly the first, the third in the same words.
    assert known.nearest(plane(RIGHT)[0]) == ("walks", "waves")


def test_groups_without_a_phrase_are_near_but_not_suggested() -> None:
    known = Known(plane(UP, RIGHT), ["", "walks"])
    assert known.nearest(plane(UP)[0]) == ("walks",)


def test_two_clouds_become_two_groups() -> None:
    groups = group(plane(UP, [0.1, 1.0], [-0.1, 1.0], RIGHT, [1.0, 0.1]), 2)
    assert np.linalg.norm(groups, axis=1) == pytest.approx([1, 1])
    assert groups[0] == pytest.approx(UP, abs=1e-3)
    assert groups[1] == pytest.approx([1, 0.05], abs=0.01)


def test_a_group_is_named_by_the_nearest_of_its_own_texts() -> None:
    texts = ["wave", "wave wildly", "walk"]
    vectors = plane(UP, [0.3, 1.0], [1.0, 0.2])
    assert phrases_of(plane(UP, RIGHT, [-1.0, 0.0]), vectors, texts) == [
        "wave",
        "walk",
        "",
    ]
