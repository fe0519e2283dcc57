"""R-precision, Frechet distance, spread and the words that say the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from tests.support.standing import standing
from texedo.evaluation.embedding.frames import FRAME_SIZE, motion_frames
from texedo.evaluation.embedding.texts import (
    direction_keys,
    plain,
    say_the_same,
    sentence_keys,
    swap_sides,
)
from texedo.evaluation.metrics import frechet_distance, matching, r_precision
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.spread import spread_cm
from texedo.motion import Motion
from texedo.motion.edit import place
from texedo.motion.rotations import quat_from_yaw

# R-precision


def test_a_motion_at_its_own_text_is_found_at_once() -> None:
    vectors = np.eye(40)
    assert r_precision(vectors, vectors) == {1: 1.0, 2: 1.0, 3: 1.0}


def test_without_any_relation_one_two_and_three_in_32_are_found() -> None:
    rng = np.random.default_rng(0)
    found = r_precision(rng.normal(size=(400, 8)), rng.normal(size=(400, 8)), draws=50)
    assert found[1] == pytest.approx(1 / 32, abs=0.015)
    assert found[3] == pytest.approx(3 / 32, abs=0.025)


def test_a_tie_counts_as_a_miss() -> None:
    # All texts lie at one place: nothing is found, however large k is.
    assert r_precision(np.ones((40, 2)), np.ones((40, 2))) == {1: 0.0, 2: 0.0, 3: 0.0}


def test_texts_that_say_the_same_are_not_drawn_against_each_other() -> None:
    # Each text occurs twice; barred, the copy cannot take the place of the own one.
    vectors = np.repeat(np.eye(40), 2, axis=0)
    same = vectors @ vectors.T > 0.5
    assert r_precision(vectors, vectors, draws=80)[1] < 1
    assert r_precision(vectors, vectors, same=same)[1] == 1


@pytest.mark.parametrize("seed", range(5))
def test_against_all_others_it_is_the_rank_that_scipy_gives(seed: int) -> None:
    # 32 motions and pools of 32: every draw is everybody, so nothing is left to chance.
    from scipy.stats import rankdata

    rng = np.random.default_rng(seed)
    motions = rng.normal(size=(32, 4))
    texts = motions + rng.normal(size=(32, 4))
    ranks = rankdata(-motions @ texts.T, method="max", axis=1).diagonal()
    wanted = {k: float((ranks <= k).mean()) for k in (1, 2, 3)}
    assert 0 < wanted[1] < wanted[3] < 1
    assert r_precision(motions, texts, draws=2) == pytest.approx(wanted)


def test_drawn_rivals_find_it_as_often_as_lots_without_replacement_do() -> None:
    # Of 79 others, b lie nearer; fewer than k of them are among 31 that are drawn.
    from scipy.stats import hypergeom

    rng = np.random.default_rng(0)
    motions = rng.normal(size=(80, 4))
    texts = motions + rng.normal(size=(80, 4))
    scores = motions @ texts.T
    nearer = (scores > scores.diagonal()[:, None]).sum(axis=1)
    found = r_precision(motions, texts, draws=300)
    for k in (1, 2, 3):
        wanted = hypergeom.cdf(k - 1, 79, nearer, 31).mean()
        assert found[k] == pytest.approx(wanted, abs=0.01)


def test_too_few_texts_for_a_pool_are_named() -> None:
    with pytest.raises(ValueError, match="need 31 other texts.*20 motions has 19"):
        r_precision(np.eye(20), np.eye(20))


# Frechet distance


def test_a_set_has_no_distance_from_itself() -> None:
    vectors = np.random.default_rng(0).normal(size=(30, 50))
    assert frechet_distance(vectors, vectors) == pytest.approx(0, abs=1e-9)


def test_a_moved_set_is_the_square_of_the_way_away() -> None:
    vectors = np.random.default_rng(0).normal(size=(30, 2))
    assert frechet_distance(vectors, vectors + [3, 4]) == pytest.approx(25)


def test_one_number_wide_it_is_the_difference_of_the_standard_deviations() -> None:
    a = np.array([[-1.0], [0.0], [1.0]])  # Standard deviation 1, and 3 below.
    assert frechet_distance(a, 3 * a) == pytest.approx((3 - 1) ** 2)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_it_is_what_the_root_of_the_matrix_product_says(seed: int) -> None:
    from scipy.linalg import sqrtm

    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(20, 3)), rng.normal(size=(25, 3)) @ rng.normal(size=(3, 3))
    cov_a, cov_b = np.cov(a.T), np.cov(b.T)
    apart = a.mean(0) - b.mean(0)
    trace = np.trace(cov_a + cov_b - 2 * np.real(sqrtm(cov_a @ cov_b)))
    assert frechet_distance(a, b) == pytest.approx(apart @ apart + trace, abs=1e-6)


def test_one_vector_has_no_spread_to_compare() -> None:
    with pytest.raises(ValueError, match="got 1 and 5"):
        frechet_distance(np.zeros((1, 2)), np.zeros((5, 2)))


def test_matching_is_the_mean_cosine() -> None:
    texts = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert matching(np.array([[1.0, 0.0], [0.0, 1.0]]), texts) == 0.5


# Spread


def raised(motion: Motion, metres: float) -> Motion:
    qpos = motion.to_qpos().copy()
    qpos[:, 2] += metres
    return Motion.from_qpos(qpos)


def test_a_motion_ten_centimetres_higher_is_ten_centimetres_away() -> None:
    motion = random_motion(0, 30)
    assert spread_cm([motion, raised(motion, 0.1)]) == pytest.approx(10, abs=1e-3)


def test_the_spread_is_the_mean_over_pairs() -> None:
    motion = random_motion(0, 30)
    three = [motion, raised(motion, 0.1), raised(motion, 0.3)]  # 10, 30 and 20 cm.
    assert spread_cm(three) == pytest.approx(20, abs=1e-3)


def test_place_and_heading_of_the_start_play_no_part() -> None:
    motion = random_motion(1, 30)
    moved = place(motion, xy=np.array([5.0, -2.0]), yaw=2.0)
    assert spread_cm([motion, moved]) == pytest.approx(0, abs=1e-3)


def test_only_the_frames_that_both_have_are_compared() -> None:
    long = random_motion(2, 60)
    assert spread_cm([long, Motion.from_qpos(long.to_qpos()[:30])]) == pytest.approx(0)


def test_one_candidate_has_no_spread() -> None:
    assert np.isnan(spread_cm([standing(10)]))


# Frames of the embedding


def test_four_frames_become_one_and_the_rest_is_left_out() -> None:
    frames = motion_frames(random_motion(0, 11).to_qpos())
    assert frames.shape == (2, FRAME_SIZE) == (2, 39)
    assert motion_frames(random_motion(0, 3).to_qpos()).shape == (1, 39)


def test_whole_turns_are_counted() -> None:
    # 0.1 rad a frame for 100 frames: 9.9 rad in all, 5 rad/s.
    qpos = standing(100, swing=0).to_qpos().copy()
    qpos[:, 3:7] = quat_from_yaw(0.1 * np.arange(100))
    frames = motion_frames(qpos)
    assert frames[-1, 37] == pytest.approx(9.75, abs=1e-3)  # Mean of 9.6 to 9.9.
    assert frames[:, 38] == pytest.approx(5.0, abs=1e-3)


# Texts


def test_case_and_punctuation_say_nothing() -> None:
    assert plain("He walks,  slowly.") == "he walks slowly"
    keys = sentence_keys(["He walks.", "he walks", "he runs"])
    assert keys[0] == keys[1] != keys[2]


def test_left_is_not_right_however_near_the_sentences_are() -> None:
    texts = ["a person turns left", "a person turns right", "the man turns left"]
    vectors = np.ones((3, 1))
    expected = [[True, False, True], [False, True, False], [True, False, True]]
    assert say_the_same(texts, vectors).tolist() == expected
    assert direction_keys(["walks", "jumps"]).tolist() == [direction_keys([""])[0]] * 2


def test_sides_are_swapped_and_nothing_else() -> None:
    text = "Left hand up, then right; he is upright."
    assert swap_sides(text) == "Right hand up, then left; he is upright."
    assert swap_sides(swap_sides(text)) == text


def test_far_sentences_say_the_same_only_in_the_same_words() -> None:
    same = say_the_same(["he walks", "he jumps", "He walks."], np.eye(3))
    assert same[0].tolist() == [True, False, True]


def test_the_paper_has_thirty_different_prompts() -> None:
    assert len(set(REAL_ROBOT)) == len(REAL_ROBOT) == 30
