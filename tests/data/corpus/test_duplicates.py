"""Copies are found, look-alikes are not."""

from __future__ import annotations

import numpy as np

from tests.support.motions import random_motion
from texedo.data.corpus.duplicates import (
    COPY_TOLERANCE,
    DuplicateCfg,
    find_duplicates,
    group_trials,
)


def joints(seed: int, frames: int = 400) -> np.ndarray:
    return random_motion(seed, frames).joint_pos


def test_a_copy_is_found_and_different_motions_are_not() -> None:
    (pair,) = find_duplicates({"a": joints(1), "b": joints(2), "c": joints(1)})
    assert (pair.first, pair.second, pair.shift, pair.overlap) == ("a", "c", 0, 400)
    assert pair.difference == 0.0


def test_a_copy_shifted_in_time_is_found_with_its_shift() -> None:
    whole = joints(3, 600)
    (pair,) = find_duplicates({"a": whole[133:533], "b": whole})
    assert (pair.shift, pair.overlap) == (133, 400)
    (pair,) = find_duplicates({"a": whole, "b": whole[133:533]})
    assert (pair.shift, pair.overlap) == (-133, 400)


def test_a_copy_that_was_processed_again_is_found() -> None:
    noisy = joints(4) + np.random.default_rng(0).normal(0, 0.02, (400, 29))
    (pair,) = find_duplicates({"a": joints(4), "b": noisy})
    assert COPY_TOLERANCE < pair.difference < 0.03


def test_a_short_part_in_common_is_not_enough() -> None:
    a, b = joints(5).copy(), joints(6).copy()
    b[:150] = a[:150]
    assert find_duplicates({"a": a, "b": b}) == []
    (pair,) = find_duplicates({"a": a[:260], "b": b[:260]}, DuplicateCfg(tolerance=9))
    assert pair.overlap >= 130


def test_people_who_stand_still_alike_are_not_duplicates() -> None:
    still = np.zeros((400, 29))
    assert find_duplicates({"a": still, "b": still + 0.001}) == []


def test_recordings_too_short_to_judge_are_left_alone() -> None:
    assert find_duplicates({"a": joints(1, 50), "b": joints(1, 50)}) == []
    assert find_duplicates({}) == []


def test_groups_are_chains_named_by_their_first_member() -> None:
    groups = group_trials(list("abcdef"), [("c", "d"), ("e", "d"), ("b", "e")])
    assert groups == {"a": "a", "b": "b", "c": "b", "d": "b", "e": "b", "f": "f"}
