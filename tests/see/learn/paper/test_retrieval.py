"""Retrieval in pools, with captions that say the same kept apart."""

import numpy as np
import pytest

from texedo.see.learn.paper.retrieval import pairwise, retrieval, share_a_caption


def test_distances_by_hand() -> None:
    a = np.array([[0.0, 0.0], [3.0, 4.0]], dtype=np.float32)
    np.testing.assert_allclose(pairwise(a, a), [[0, 5], [5, 0]])


def test_clips_that_share_a_caption_are_known() -> None:
    keys = [np.array([1, 2]), np.array([3]), np.array([2, 4])]
    expected = [[True, False, True], [False, True, False], [True, False, True]]
    assert share_a_caption(keys).tolist() == expected


def test_motions_that_lie_on_their_captions_find_them() -> None:
    places = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    captions = tuple(np.array([i]) for i in range(40))
    found = retrieval(places, places, captions, np.arange(40))
    assert found["pool"] == 32 and found["matching"] == pytest.approx(0.0, abs=1e-6)
    assert found["text_r1"] == found["motion_r1"] == 1.0 and found["gap"] > 1.0


def test_strangers_are_found_by_chance() -> None:
    rng = np.random.default_rng(0)
    texts, motions = rng.normal(size=(2, 400, 8)).astype(np.float32)
    captions = tuple(np.array([i]) for i in range(400))
    found = retrieval(texts, motions, captions, np.arange(400))
    assert found["text_r1"] == pytest.approx(1 / 32, abs=0.015)
    assert found["motion_r3"] == pytest.approx(3 / 32, abs=0.025)


def test_a_tie_is_no_success() -> None:
    captions = tuple(np.array([i]) for i in range(3))
    same = np.zeros((3, 2), dtype=np.float32)
    found = retrieval(same, same, captions, np.arange(3))
    assert found["pool"] == 3 and found["text_r1"] == found["text_r2"] == 0.0
    assert found["text_r3"] == 1.0


def test_captions_that_say_the_same_are_not_drawn_against_each_other() -> None:
    # Clips 0 and 1 lie together and say the same: neither is the other's rival.
    motions = np.array([[0.0], [0.0], [5.0]], dtype=np.float32)
    captions = (np.array([0]), np.array([1]), np.array([2]))
    found = retrieval(motions, motions, captions, np.array([7, 7, 8]))
    assert found["pool"] == 2 and found["text_r1"] == found["motion_r1"] == 1.0


def test_clips_that_all_say_the_same_have_no_figures() -> None:
    rows = np.zeros((2, 2), dtype=np.float32)
    captions = (np.array([0]), np.array([0]))
    assert retrieval(rows, rows, captions, np.array([5])) == {"pool": 1.0}
