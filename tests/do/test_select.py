"""Every selection rule on cases that can be checked by eye."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.do import RULES, Above, select_batch, select_best

NAN = float("nan")
#           0     1     2     3
DYNAMICS = [0.95, 0.85, 0.30, 0.81]
SEMANTICS = [0.20, 0.60, 0.90, 0.50]

scores = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12)


def outcomes(selection):
    return [verdict.outcome for verdict in selection.verdicts]


def reasons(selection):
    return [verdict.reason for verdict in selection.verdicts]


# The paper's rule


def test_texedo_takes_the_best_aligned_of_the_feasible():
    selection = select_best(DYNAMICS, SEMANTICS)
    assert selection.index == 1
    assert outcomes(selection) == ["outranked", "chosen", "infeasible", "outranked"]
    assert reasons(selection) == [
        "R_text 0.2 is below 0.6 of candidate 1.",
        "Highest R_text (0.6) among 3 of 4 with R_dyn above 0.8.",
        "R_dyn 0.3 is not above 0.8.",
        "R_text 0.5 is below 0.6 of candidate 1.",
    ]
    assert not selection.fallback
    assert selection.rule == "texedo"


def test_texedo_falls_back_to_the_most_feasible_when_none_is():
    selection = select_best([0.1, 0.7, 0.5], [0.9, 0.1, 0.5])
    assert selection.index == 1
    assert selection.fallback
    assert outcomes(selection) == ["outranked", "chosen_as_fallback", "outranked"]
    assert selection.reason == "Highest R_dyn (0.7): no candidate's R_dyn is above 0.8."


def test_the_threshold_is_of_the_chance_to_finish_where_one_is_given():
    # By R_dyn number 2 would go; by its chance number 0 does.
    chance = [0.5, 0.96, 0.97, NAN]
    selection = select_best(DYNAMICS, SEMANTICS, threshold=Above(0.9, chance))
    assert selection.index == 2
    assert outcomes(selection) == ["infeasible", "outranked", "chosen", "infeasible"]
    assert reasons(selection)[0] == "Chance to finish 0.5 is not above 0.9."
    assert selection.reason == (
        "Highest R_text (0.9) among 2 of 4 with a chance to finish above 0.9."
    )


def test_if_nobodys_chance_is_high_enough_the_highest_r_dyn_is_taken():
    selection = select_best([0.1, 0.7], [0.9, 0.1], threshold=Above(0.9, [0.8, 0.2]))
    assert selection.index == 1 and selection.fallback
    assert selection.reason == (
        "Highest R_dyn (0.7): no candidate's chance to finish is above 0.9."
    )


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_a_score_at_the_threshold_is_not_above_it(width):
    dynamics = np.array([0.8, 0.81], dtype=width)
    selection = select_best(dynamics, np.array([0.9, 0.1], dtype=width))
    assert outcomes(selection) == ["infeasible", "chosen"]


def test_the_threshold_can_be_moved():
    assert select_best(DYNAMICS, SEMANTICS, threshold=0.2).index == 2
    assert select_best(DYNAMICS, SEMANTICS, threshold=0.9).index == 0
    assert select_best(DYNAMICS, SEMANTICS, threshold=0.99).fallback


@settings(max_examples=40, deadline=None)
@given(pool=scores, threshold=st.floats(0, 1))
def test_texedo_never_takes_an_infeasible_motion_over_a_feasible_one(pool, threshold):
    dynamics, semantics = np.array(pool).T
    selection = select_best(dynamics, semantics, threshold=threshold)
    feasible = np.flatnonzero(dynamics > threshold)
    if len(feasible):
        assert selection.index in feasible
        assert semantics[selection.index] == semantics[feasible].max()
    else:
        assert selection.fallback
        assert dynamics[selection.index] == dynamics.max()


@settings(max_examples=40, deadline=None)
@given(pool=scores, rule=st.sampled_from(sorted(RULES)))
def test_every_rule_chooses_exactly_one_and_explains_all(pool, rule):
    dynamics, semantics = np.array(pool).T
    selection = select_best(dynamics, semantics, rule=rule, quality=dynamics)
    chosen = [o.startswith("chosen") for o in outcomes(selection)]
    assert len(chosen) == len(pool)
    assert np.flatnonzero(chosen).tolist() == [selection.index]
    assert all(reason.endswith(".") for reason in reasons(selection))


# The other rules


def test_dynamics_takes_the_most_feasible():
    selection = select_best(DYNAMICS, SEMANTICS, rule="dynamics")
    assert selection.index == 0
    assert selection.reason == "Highest R_dyn (0.95) among 4 candidates."
    assert outcomes(selection)[1:] == ["outranked"] * 3


def test_semantics_takes_the_best_aligned_whatever_it_does():
    selection = select_best(DYNAMICS, SEMANTICS, rule="semantics")
    assert selection.index == 2
    assert selection.verdicts[1].reason == "R_text 0.6 is below 0.9 of candidate 2."


def test_first_takes_the_first():
    selection = select_best(DYNAMICS, SEMANTICS, rule="first")
    assert selection.index == 0
    assert outcomes(selection) == ["chosen"] + ["passed_over"] * 3


def test_oracle_takes_the_best_true_quality():
    quality = [0.1, 0.2, 0.3, 0.9]
    selection = select_best(DYNAMICS, SEMANTICS, rule="oracle", quality=quality)
    assert selection.index == 3
    assert selection.reason == "Highest Q* (0.9) among 4 candidates."


def test_oracle_without_qualities_is_refused():
    with pytest.raises(ValueError, match="'oracle' needs the true qualities"):
        select_best(DYNAMICS, SEMANTICS, rule="oracle")


def test_linear_by_hand():
    # Distances 1, 2, 3: mean 2, standard deviation sqrt(2/3), z = -1.2247, 0, 1.2247.
    semantics = np.exp([-1.0, -2.0, -3.0])
    near = select_best([0.0, 1.2, 1.0], semantics, rule="linear")
    assert near.index == 0  # 1.2247 against 1.2 and -0.2247
    assert near.reason == "Highest weighted score (1.22474) among 3 candidates."
    assert near.verdicts[1].reason == (
        "Weighted score 1.2 is below 1.22474 of candidate 0."
    )
    assert select_best([0.0, 1.3, 1.0], semantics, rule="linear").index == 1


def test_linear_weights_are_of_feasibility_and_of_distance():
    semantics = np.exp([-1.0, -2.0])  # z = -1, 1
    dynamics = [0.2, 0.7]
    assert select_best(dynamics, semantics, rule="linear", weights=(1, 0.2)).index == 1
    assert select_best(dynamics, semantics, rule="linear", weights=(1, 0.3)).index == 0
    assert select_best(dynamics, semantics, rule="linear", weights=(9, 1.0)).index == 1


def test_linear_has_no_filter():
    # The mix takes a motion that falls because it is well aligned; the paper's does not.
    dynamics, semantics = [0.9, 0.1], np.exp([-2.0, -1.0])
    assert select_best(dynamics, semantics, rule="linear").index == 1
    assert select_best(dynamics, semantics, rule="texedo").index == 0


def test_linear_of_equal_distances_is_feasibility_alone():
    assert select_best([0.1, 0.2], [0.5, 0.5], rule="linear").index == 1


def test_linear_survives_a_distance_whose_exponential_is_zero():
    selection = select_best([0.5, 0.5], [0.0, 0.1], rule="linear")
    assert selection.index == 1


@pytest.mark.parametrize("bad", [-0.1, 1.5])
def test_linear_needs_a_score_that_is_an_exponential_of_a_distance(bad):
    with pytest.raises(ValueError, match="R_text = exp"):
        select_best([0.5, 0.5], [bad, 0.5], rule="linear")


# Random


def test_random_is_repeatable_and_depends_on_seed_and_prompt():
    pool = np.linspace(0, 1, 1000)

    def draw(**key):
        return select_best(pool, pool, rule="random", **key).index

    assert draw(seed=3, prompt="wave") == draw(seed=3, prompt="wave")
    assert draw(seed=3, prompt="wave") == draw(seed=np.int64(3), prompt="wave")
    assert draw(seed=3, prompt="wave") != draw(seed=4, prompt="wave")
    assert draw(seed=3, prompt="wave") != draw(seed=3, prompt="walk")


def test_random_does_not_depend_on_the_order_of_prompts():
    prompts = [f"prompt {i}" for i in range(20)]
    pools = [np.zeros(50)] * 20
    forward = select_batch(pools, pools, rule="random", prompts=prompts)
    backward = select_batch(pools, pools, rule="random", prompts=prompts[::-1])
    indices = [s.index for s in forward]
    assert indices == [s.index for s in backward][::-1]
    assert len(set(indices)) > 5


def test_random_of_the_unnamed_prompts_of_a_batch_differs():
    pools = [np.zeros(50)] * 20
    indices = {s.index for s in select_batch(pools, pools, rule="random")}
    assert len(indices) > 5


def test_random_is_fair():
    pool = np.zeros(4)
    draws = [select_best(pool, pool, rule="random", seed=i).index for i in range(2000)]
    # 500 expected each; five standard deviations are 97.
    assert np.abs(np.bincount(draws, minlength=4) - 500).max() < 97


# Ties


@pytest.mark.parametrize(
    "rule", ["texedo", "dynamics", "semantics", "oracle", "linear"]
)
def test_a_tie_goes_to_the_lowest_index(rule):
    pool = [0.1, 0.9, 0.9, 0.9]
    selection = select_best(pool, pool, rule=rule, quality=pool)
    assert selection.index == 1
    assert outcomes(selection)[2:] == ["tied", "tied"]
    assert "as candidate 1, which comes first." in selection.verdicts[3].reason


def test_a_tie_in_the_fallback_goes_to_the_lowest_index():
    selection = select_best([0.1, 0.3, 0.3], [0.1, 0.2, 0.9])
    assert outcomes(selection) == ["outranked", "chosen_as_fallback", "tied"]


# NaN


@pytest.mark.parametrize("bad", [NAN, float("inf"), float("-inf")])
@pytest.mark.parametrize("rule", ["texedo", "dynamics", "oracle", "linear"])
def test_a_candidate_without_a_score_never_wins(rule, bad):
    pool = [bad, 0.85, 0.9]
    selection = select_best(pool, [0.9, 0.5, 0.6], rule=rule, quality=pool)
    assert selection.index == 2
    assert selection.verdicts[0].outcome == "no_score"
    name = "Q*" if rule == "oracle" else "R_dyn"
    assert selection.verdicts[0].reason == (
        f"{name} is {bad}: never chosen without a score."
    )
    if rule == "dynamics":
        assert selection.reason == "Highest R_dyn (0.9) among 2 of 3 candidates."


def test_texedo_needs_both_scores_even_in_the_fallback():
    selection = select_best([0.9, 0.3, 0.2], [NAN, 0.1, 0.9])
    assert outcomes(selection) == ["no_score", "chosen_as_fallback", "outranked"]


def test_a_score_the_rule_does_not_read_may_be_missing():
    selection = select_best([0.1, 0.9], [NAN, NAN], rule="dynamics")
    assert selection.index == 1
    assert select_best([NAN], [NAN], rule="first").index == 0


@pytest.mark.parametrize(
    ("dynamics", "semantics"), [([NAN, NAN], [0.1, 0.2]), ([NAN, 0.9], [0.1, NAN])]
)
def test_no_candidate_with_scores_is_an_error(dynamics, semantics):
    with pytest.raises(ValueError, match="None of the 2 candidates has a finite R_dyn"):
        select_best(dynamics, semantics)


# Wrong arguments


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_empty_set_is_an_error(rule):
    with pytest.raises(ValueError, match="no candidates"):
        select_best([], [], rule=rule, quality=[])


def test_one_candidate_is_chosen_by_every_rule():
    for rule in RULES:
        assert select_best([0.1], [0.1], rule=rule, quality=[0.1]).index == 0


def test_scores_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="dynamics 3, semantics 2"):
        select_best([0.1, 0.2, 0.3], [0.1, 0.2])
    with pytest.raises(ValueError, match="quality 1"):
        select_best([0.1, 0.2], [0.1, 0.2], quality=[0.5])


def test_scores_are_one_row():
    with pytest.raises(ValueError, match=r"one score per candidate, got \(1, 2\)"):
        select_best([[0.1, 0.2]], [[0.1, 0.2]])


def test_an_unknown_rule_is_an_error_that_lists_the_known():
    with pytest.raises(ValueError, match="Unknown rule 'best'; there are texedo, dyn"):
        select_best([0.1], [0.1], rule="best")


def test_a_threshold_that_is_not_a_number_is_an_error():
    with pytest.raises(ValueError, match="must be finite, got nan"):
        select_best([0.1], [0.1], threshold=NAN)


# Batches


def test_a_ragged_batch_equals_a_loop():
    dynamics = [DYNAMICS, [0.1, 0.7], [0.9]]
    semantics = [SEMANTICS, [0.9, 0.1], [0.2]]
    batch = select_batch(dynamics, semantics)
    assert [s.index for s in batch] == [1, 1, 0]
    assert [s.fallback for s in batch] == [False, True, False]
    assert batch == [
        select_best(d, s) for d, s in zip(dynamics, semantics, strict=True)
    ]


def test_a_batch_can_be_an_array():
    batch = select_batch(np.eye(3), np.ones((3, 3)), rule="oracle", quality=np.eye(3))
    assert [s.index for s in batch] == [0, 1, 2]


def test_an_empty_batch_has_no_selections():
    assert select_batch([], []) == []


def test_an_error_in_a_batch_names_the_prompt():
    with pytest.raises(ValueError, match="Prompt 1: There are no candidates"):
        select_batch([[0.1], []], [[0.1], []])


def test_batches_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="dynamics has 2 prompts, semantics 1"):
        select_batch([[0.1], [0.2]], [[0.1]])


# Whom to prefer


def test_among_the_feasible_the_preferred_come_first() -> None:
    dynamics, semantics = [0.9, 0.95, 0.85, 0.1], [0.9, 0.5, 0.7, 1.0]
    plain = select_best(dynamics, semantics)
    assert plain.index == 0
    told = select_best(dynamics, semantics, preferred=[False, True, True, True])
    assert told.index == 2
    assert [v.outcome for v in told.verdicts] == [
        "fails_check",
        "outranked",
        "chosen",
        "infeasible",
    ]
    assert told.verdicts[0].reason == (
        "Fails a check, with R_text 0.9; candidate 2 passes."
    )
    assert "among 2 that fail no check, of 3 of 4 with R_dyn above" in told.reason


def test_if_no_feasible_one_is_preferred_the_rule_alone_decides_and_says_so() -> None:
    told = select_best(
        [0.9, 0.95, 0.1], [0.9, 0.5, 1.0], preferred=[False, False, True]
    )
    assert told.index == 0
    assert told.reason.endswith("; all of them fail a check.")
    assert told.verdicts[1].outcome == "outranked"


def test_a_lower_quality_that_passes_beats_a_higher_one_that_does_not() -> None:
    told = select_best(
        [NAN] * 3,
        [NAN] * 3,
        quality=[0.9, 0.8, 0.7],
        rule="oracle",
        preferred=[False, True, False],
    )
    assert told.index == 1
    assert [v.outcome for v in told.verdicts] == ["fails_check", "chosen", "outranked"]


def test_rules_that_look_at_nothing_prefer_nobody() -> None:
    for rule in ("first", "random"):
        plain = select_best([0.5, 0.5], [0.5, 0.5], rule=rule)
        told = select_best(
            [0.5, 0.5], [0.5, 0.5], rule=rule, preferred=[plain.index != 0] * 2
        )
        assert told == plain


def test_a_fallback_is_whoever_comes_closest() -> None:
    told = select_best([0.2, 0.1], [0.5, 0.5], preferred=[False, True])
    assert told.index == 0 and told.fallback


def test_preferring_all_or_nobody_changes_no_choice() -> None:
    plain = select_best([0.9, 0.95], [0.6, 0.5])
    for everyone in (True, False):
        assert select_best([0.9, 0.95], [0.6, 0.5], preferred=[everyone] * 2).index == (
            plain.index
        )
    with pytest.raises(
        ValueError, match=r"one bool per candidate \(2\), got bool \(3,\)"
    ):
        select_best([0.9, 0.95], [0.6, 0.5], preferred=[True] * 3)


def test_a_batch_may_have_its_own_preferences() -> None:
    both = select_batch(
        [[0.9, 0.95]] * 2, [[0.6, 0.5]] * 2, preferred=[[True, True], [False, True]]
    )
    assert [s.index for s in both] == [0, 1]
