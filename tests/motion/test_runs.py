import numpy as np

from texedo.motion.runs import true_runs


def test_stretches_at_both_ends_and_in_the_middle_are_found() -> None:
    mask = [True, False, True, True, False, True]
    np.testing.assert_array_equal(true_runs(mask), [[0, 1], [2, 4], [5, 6]])


def test_nothing_true_and_nothing_at_all_give_no_stretch() -> None:
    assert true_runs([False, False]).shape == (0, 2)
    assert true_runs([]).shape == (0, 2)
