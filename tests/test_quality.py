"""The paper's arithmetic, by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo import quality as q
from texedo.robot import g1

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
NORMALIZERS = q.Normalizers(e_acc=10.0, e_vel=20.0)
unit = st.floats(0.0, 1.0)


def still(frames: int) -> np.ndarray:
    """14 bodies that stand still at a height of 1 m, (T, 14, 3)."""
    return np.full((frames, 14, 3), 1.0)


def upright(frames: int) -> np.ndarray:
    return np.tile(UPRIGHT, (frames, 1))


def judge(robot: np.ndarray, **options: object) -> q.Quality:
    """The quality of upright bodies that follow a reference that stands still."""
    frames = robot.shape[-3]
    ref, quat = still(frames), upright(frames)
    return q.rollout_quality(ref, robot, quat, quat, **options)  # type: ignore[arg-type]


def lifted(frames: int, body: int | slice, height: float, *, at: int) -> np.ndarray:
    """Standing still, but one body is `height` too high in one frame."""
    robot = still(frames)
    robot[at, body, 2] += height
    return robot


def wobbling(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Random positions that stay well inside every threshold."""
    return 1 + np.random.default_rng(seed).uniform(-0.05, 0.05, (*shape, 14, 3))


# Terminations


def test_defaults_are_the_papers_and_the_robots():
    rules = q.PAPER_RULES
    assert (rules.anchor_pos, rules.anchor_ori, rules.ee_body_pos) == (0.25, 0.8, 0.25)
    assert (q.ALPHA, q.BETA, q.ORACLE_VERSION) == (0.4, 0.6, 1)
    assert g1.TRACKED_BODIES[rules.anchor] == g1.ANCHOR_BODY
    assert list(rules.end_effectors) == g1.END_EFFECTORS_IN_TRACKED.tolist()


@pytest.mark.parametrize("sign", [1, -1])
def test_anchor_height_fires_above_a_quarter_metre_and_not_at_it(sign):
    everything = slice(None)  # the whole robot: no end effector moves relatively
    at = judge(lifted(4, everything, sign * 0.25, at=2))
    above = judge(lifted(4, everything, sign * 0.2501, at=2))
    assert at.success and at.reasons.tolist() == [False, False, False]
    assert not above.success and above.failure_frame == 2
    assert q.reason_names(above.reasons) == ("anchor_pos",)


@pytest.mark.parametrize("body", [3, 6, 10, 13])
def test_each_end_effector_fires_above_a_quarter_metre_and_not_at_it(body):
    assert judge(lifted(4, body, -0.25, at=2)).success
    robot = lifted(4, body, -0.2501, at=2)
    assert q.reason_names(judge(robot).reasons) == ("ee_body_pos",)
    flags = q.end_effector_flags(still(4), robot)  # (T, 4)
    assert np.argwhere(flags).tolist() == [[2, (3, 6, 10, 13).index(body)]]


@pytest.mark.parametrize("body", [1, 2, 4, 5, 7, 8, 9, 11, 12])
def test_other_bodies_may_be_anywhere(body):
    assert judge(lifted(4, body, 3.0, at=2)).success


def test_end_effector_height_is_relative_to_the_anchor():
    robot = still(3)
    robot[1, :, 2] += 0.2
    robot[1, 3, 2] += 0.1  # 0.3 m too high in the world, 0.1 m over the pelvis
    assert judge(robot).success
    robot[1, 3, 2] -= 0.4  # 0.1 m too low in the world, 0.3 m under the pelvis
    assert q.reason_names(judge(robot).reasons) == ("ee_body_pos",)


def test_only_heights_count():
    robot = still(4)
    robot[2:, :, :2] += 5.0
    assert judge(robot).success


@pytest.mark.parametrize(("cosine", "fires"), [(0.2 + 1e-9, False), (0.2 - 1e-9, True)])
@pytest.mark.parametrize("axis", [1, 2])
def test_tilt_fires_when_gravity_differs_by_more_than_0_8(cosine, fires, axis):
    tilted = np.zeros(4)
    half = np.arccos(cosine) / 2
    tilted[0], tilted[axis] = np.cos(half), np.sin(half)
    for pair in ((UPRIGHT, tilted), (tilted, UPRIGHT)):
        flags = q.termination_flags(still(1)[0], still(1)[0], *pair)
        assert flags.tolist() == [False, fires, False]


def test_tilt_does_not_fire_exactly_at_its_threshold():
    quarter_turn = np.array([1.0, 1.0, 0.0, 0.0])  # upright to lying: 1 exactly
    for limit, fires in ((1.0, False), (np.nextafter(1.0, 0.0), True)):
        rules = q.TerminationRules(anchor_ori=float(limit))
        flags = q.termination_flags(
            still(1)[0], still(1)[0], UPRIGHT, quarter_turn, rules=rules
        )
        assert flags.tolist() == [False, fires, False]


def test_turning_about_the_vertical_is_no_tilt():
    facing_back = np.array([0.0, 0.0, 0.0, 1.0])
    flags = q.termination_flags(still(1)[0], still(1)[0], UPRIGHT, facing_back)
    assert not flags.any()


def test_several_reasons_may_fire_in_the_same_frame():
    robot = still(5)
    robot[3, 0, 2] -= 0.3  # the pelvis alone: end effectors rise relative to it
    result = judge(robot)
    assert q.reason_names(result.reasons) == ("anchor_pos", "ee_body_pos")


def test_reasons_are_those_of_the_first_failure():
    robot = lifted(6, 3, 0.3, at=2)
    robot[4, :, 2] += 1.0
    result = judge(robot)
    assert result.failure_frame == 2
    assert q.reason_names(result.reasons) == ("ee_body_pos",)


def test_frame_0_is_the_start_and_is_not_tested():
    assert judge(lifted(4, slice(None), 1.0, at=0)).success


def test_the_last_frame_is_tested():
    result = judge(lifted(4, slice(None), 1.0, at=3))
    assert not result.success
    assert result.progress == 0.75


@pytest.mark.parametrize(("at", "progress"), [(1, 0.1), (5, 0.5), (9, 0.9)])
def test_progress_is_frames_survived_over_frames(at, progress):
    result = judge(lifted(10, slice(None), 1.0, at=at))
    assert result.failure_frame == at
    assert result.progress == progress


def test_success_has_progress_1_and_tau_t():
    result = judge(still(7))
    assert result.success and result.progress == 1.0 and result.failure_frame == 7


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_state_that_is_not_a_number_has_failed(bad):
    robot = still(5)
    robot[2:] = bad
    result = judge(robot, normalizers=NORMALIZERS)
    assert not result.success and result.failure_frame == 2
    assert result.mpjpe_l == 0.0 and np.isfinite(result.q_star)


def test_a_zero_quaternion_has_failed():
    flags = q.termination_flags(still(1)[0], still(1)[0], UPRIGHT, np.zeros(4))
    assert flags.tolist() == [False, True, False]


def test_flags_step_by_step_are_the_flags_of_the_whole_rollout():
    rng = np.random.default_rng(0)
    ref, robot = (1 + rng.normal(0, 0.2, (3, 20, 14, 3)) for _ in range(2))
    ref_quat, robot_quat = (rng.normal(size=(3, 20, 4)) for _ in range(2))
    whole = q.termination_flags(ref, robot, ref_quat, robot_quat)
    steps = [
        q.termination_flags(ref[:, t], robot[:, t], ref_quat[:, t], robot_quat[:, t])
        for t in range(20)
    ]
    assert whole.any(axis=(0, 1)).all() and not whole.all(axis=(0, 1)).any()
    np.testing.assert_array_equal(whole, np.stack(steps, axis=1))


def test_one_reference_serves_many_rollouts():
    robot = np.stack([still(6), lifted(6, 3, 0.3, at=4)])
    result = judge(robot)
    assert result.success.tolist() == [True, False]
    assert result.failure_frame.tolist() == [6, 4]
    assert result.reasons.shape == (2, 3)


# Tracking errors


def test_mpjpe_l_is_the_mean_distance_after_removing_the_anchor():
    robot = still(4)
    robot[:, 5] += [0.003, 0.0, 0.004]  # 5 mm in one of 14 bodies
    assert q.mpjpe_l(still(4), robot) == pytest.approx(5 / 14)


def test_mpjpe_l_averages_over_frames():
    robot = still(4)
    robot[1, 5, 0] += 0.008
    assert q.mpjpe_l(still(4), robot) == pytest.approx(8 / 14 / 4)


def test_mpjpe_l_does_not_see_where_the_robot_is():
    robot = still(4) + np.arange(4)[:, None, None] * [0.1, 0.2, 0.01]
    assert q.mpjpe_l(still(4), robot) == pytest.approx(0.0, abs=1e-9)


def test_mpjpe_l_removes_translation_only():
    ref = still(1).repeat(2, axis=0)
    ref[:, 1:, 0] += 0.1  # 13 bodies 10 cm ahead of the pelvis
    robot = ref.copy()
    robot[:, 1:, :2] = [1.0, 1.1]  # the same, turned by 90 degrees
    assert q.mpjpe_l(ref, robot) == pytest.approx(np.hypot(100, 100) * 13 / 14)


def test_a_wrong_anchor_position_counts_for_every_other_body():
    robot = still(2)
    robot[:, 0, 1] += 0.014
    assert q.mpjpe_l(still(2), robot) == pytest.approx(13.0)
    assert q.mpjpe_l(still(2), robot, anchor=1) == pytest.approx(1.0)


def test_velocity_error_is_of_world_positions():
    # The whole robot drifts by 2 mm a frame: no joint error, a velocity error.
    robot = still(5) + np.arange(5)[:, None, None] * [0.0, 0.002, 0.0]
    assert q.velocity_error(still(5), robot) == pytest.approx(2.0)
    assert q.acceleration_error(still(5), robot) == pytest.approx(0.0, abs=1e-9)


def test_velocity_error_averages_over_t_minus_1_differences():
    robot = still(5)
    robot[3:, 7, 0] += 0.014  # one body jumps once: 14 mm / 14 bodies / 4 differences
    assert q.velocity_error(still(5), robot) == pytest.approx(0.25)


def test_acceleration_error_averages_over_t_minus_2_differences():
    robot = still(5)
    robot[3:, 7, 0] += 0.014  # one jump is +14 and -14 mm: 2 / 14 bodies * 14 / 3
    assert q.acceleration_error(still(5), robot) == pytest.approx(2 / 3)
    parabola = still(5) + 0.001 * np.arange(5)[:, None, None] ** 2 * [1.0, 0.0, 0.0]
    assert q.acceleration_error(still(5), parabola) == pytest.approx(2.0)


def test_errors_are_means_over_the_frames_before_the_failure():
    robot = still(6)
    robot[:3, 7, 0] += [0.0, 0.014, 0.042]  # 0, 1 and 3 mm after the mean over bodies
    robot[3:, :, :] += 9.0  # fires in frame 3
    result = judge(robot)
    assert result.failure_frame == 3
    assert result.mpjpe_l == pytest.approx((0 + 1 + 3) / 3)
    assert result.e_vel == pytest.approx((1 + 2) / 2)
    assert result.e_acc == pytest.approx(1.0)


@pytest.mark.parametrize("after", [0.0, 1e6, np.nan, np.inf])
def test_nothing_after_the_failure_matters(after):
    robot = wobbling(1, (8,))
    robot[5, :, 2] = 2.0
    expected = judge(robot, normalizers=NORMALIZERS)
    robot[6:] = after
    np.testing.assert_equal(judge(robot, normalizers=NORMALIZERS), expected)


def test_a_failure_in_frame_1_has_no_velocity_error_and_no_credit():
    result = judge(lifted(4, slice(None), 1.0, at=1), normalizers=NORMALIZERS)
    assert result.mpjpe_l == 0.0
    assert np.isnan(result.e_vel) and np.isnan(result.e_acc)
    assert result.q_d == 0.0 and result.q_star == 0.0


def test_a_failure_in_frame_2_has_a_velocity_error_only():
    result = judge(lifted(4, slice(None), 1.0, at=2), normalizers=NORMALIZERS)
    assert result.e_vel == 0.0 and np.isnan(result.e_acc)
    assert result.q_d == 0.5
    assert result.q_star == pytest.approx(0.6 * 0.5 * 0.5)


def test_two_frames_are_too_few_for_an_acceleration():
    result = judge(still(2), normalizers=NORMALIZERS)
    assert result.success and np.isnan(result.e_acc) and result.q_d == 0.5


# Batches


def test_a_batch_equals_a_loop_bit_for_bit():
    robot = wobbling(2, (3, 2, 11))
    robot[1, 0, 6, :, 2] += 0.5
    batch = judge(robot, normalizers=NORMALIZERS)
    assert batch.success.shape == (3, 2)
    for i in np.ndindex(3, 2):
        alone = judge(robot[i], normalizers=NORMALIZERS)
        for name, value in alone._asdict().items():
            np.testing.assert_array_equal(getattr(batch, name)[i], value, name)


@pytest.mark.parametrize("padding", [0.0, 7.0, np.nan])
def test_a_padded_batch_equals_its_rollouts_bit_for_bit(padding):
    lengths = [5, 12, 30, 9]
    clips = [wobbling(i, (n,)) for i, n in enumerate(lengths)]
    clips[3][4, 10, 2] += 0.5
    robot = np.full((4, 30, 14, 3), padding)
    ref, quat = robot.copy(), np.full((4, 30, 4), padding)
    for i, clip in enumerate(clips):
        robot[i, : len(clip)] = clip
        ref[i, : len(clip)] = 1.0
        quat[i, : len(clip)] = UPRIGHT
    padded = q.rollout_quality(
        ref, robot, quat, quat, num_frames=lengths, normalizers=NORMALIZERS
    )
    assert padded.success.tolist() == [True, True, True, False]
    assert padded.failure_frame.tolist() == [5, 12, 30, 4]
    for i, clip in enumerate(clips):
        alone = judge(clip, normalizers=NORMALIZERS)
        for name, value in alone._asdict().items():
            np.testing.assert_array_equal(getattr(padded, name)[i], value, name)


def test_the_memory_layout_of_the_arrays_changes_no_bit():
    robot = wobbling(3, (40,))
    np.testing.assert_equal(judge(np.asfortranarray(robot)), judge(robot))


@pytest.mark.parametrize("lengths", [[1, 5], [5, 7], [-1, 5]])
def test_lengths_outside_the_batch_are_refused(lengths):
    with pytest.raises(ValueError, match="2 to 6 frames"):
        judge(wobbling(0, (2, 6)), num_frames=lengths)


def test_lengths_are_whole_numbers():
    with pytest.raises(ValueError, match="whole numbers"):
        judge(wobbling(0, (2, 6)), num_frames=[2.5, 6.0])


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"\(\.\.\., B, 3\), got \(4, 14, 2\)"):
        q.mpjpe_l(np.zeros((4, 14, 2)), np.zeros((4, 14, 2)))
    with pytest.raises(ValueError, match=r"share \(T, B, 3\)"):
        q.mpjpe_l(still(4), still(5))
    with pytest.raises(ValueError, match=r"\(\.\.\., 4\), got \(3,\)"):
        q.termination_flags(still(1)[0], still(1)[0], np.ones(3), UPRIGHT)
    with pytest.raises(ValueError, match=r"\(\.\.\., T, 3\)"):
        q.survival(np.zeros((4, 2), dtype=bool))


# q_d and Q*


@pytest.mark.parametrize(
    ("e_acc", "e_vel", "expected"),
    [
        (0.0, 0.0, 1.0),
        (10.0, 20.0, 0.0),
        (5.0, 20.0, 0.25),
        (2.5, 5.0, 0.75),
        (1000.0, 0.0, 0.5),  # one error beyond its normaliser costs no more than half
        (np.nan, 5.0, 0.375),
        (np.nan, np.nan, 0.0),
        (np.inf, 0.0, 0.5),
    ],
)
def test_q_d_is_the_mean_of_two_clipped_errors(e_acc, e_vel, expected):
    assert q.tracking_quality(e_acc, e_vel, normalizers=NORMALIZERS) == expected


def test_normalizers_are_95th_percentiles_of_the_errors_there_are():
    errors = np.append(np.arange(101.0), np.nan)
    fitted = q.fit_normalizers(errors, 2 * errors)
    assert fitted == q.Normalizers(e_acc=95.0, e_vel=190.0)


def test_normalizers_must_be_positive():
    with pytest.raises(ValueError, match="e_vel must be positive, got 0"):
        q.Normalizers(e_acc=1.0, e_vel=0.0)
    with pytest.raises(ValueError, match="nothing to normalise"):
        q.fit_normalizers([np.nan], [1.0])


@pytest.mark.parametrize(
    ("success", "q_d", "progress", "expected"),
    [
        (1, 1.0, 1.0, 1.0),
        (1, 0.0, 1.0, 1 / 1.4),
        (1, 0.5, 1.0, 1.2 / 1.4),
        (0, 1.0, 0.5, 0.3),
        (0, 0.5, 0.5, 0.15),
        (0, 0.0, 0.9, 0.0),
        (0.5, 0.5, 0.5, 0.6 / 1.4 + 0.075),  # a predicted probability: R_dyn
    ],
)
def test_q_star_by_hand(success, q_d, progress, expected):
    assert q.oracle_quality(success, q_d, progress) == pytest.approx(expected)


def test_grading_later_equals_grading_at_once():
    robot = wobbling(4, (3, 9))
    robot[1, 5] += 1.0
    later = judge(robot)
    assert np.isnan(later.q_d).all() and np.isnan(later.q_star).all()
    at_once = judge(robot, normalizers=NORMALIZERS)
    np.testing.assert_equal(q.grade(later, NORMALIZERS), at_once)


@settings(max_examples=40, deadline=None)
@given(
    alpha=st.floats(1e-3, 10.0),
    share=st.floats(1e-3, 1.0, exclude_max=True),
    good=st.tuples(unit, unit),
    bad=st.tuples(unit, unit),
)
def test_proposition_1_below_the_bound_any_success_beats_any_failure(
    alpha, share, good, bad
):
    bound = 1 / (1 + alpha)
    beta = share * bound
    if beta == bound:  # rounding up to the bound itself
        beta = float(np.nextafter(bound, 0))
    success = q.oracle_quality(1, *good, alpha=alpha, beta=beta)
    failure = q.oracle_quality(0, *bad, alpha=alpha, beta=beta)
    assert success > failure


@settings(max_examples=40, deadline=None)
@given(alpha=st.floats(1e-3, 10.0), factor=st.floats(1.0, 5.0))
def test_proposition_1_from_the_bound_on_some_failure_is_no_worse_than_some_success(
    alpha, factor
):
    beta = factor / (1 + alpha)
    worst_success = q.oracle_quality(1, 0.0, 1.0, alpha=alpha, beta=beta)
    best_failure = q.oracle_quality(0, 1.0, 1.0, alpha=alpha, beta=beta)
    assert not worst_success > best_failure


def test_the_weights_we_use_satisfy_proposition_1():
    assert 0 < q.BETA < 1 / (1 + q.ALPHA)


@settings(max_examples=40, deadline=None)
@given(y_s=unit, low=unit, high=unit, progress=unit)
def test_q_star_grows_with_q_d_and_stays_between_0_and_1(y_s, low, high, progress):
    low, high = min(low, high), max(low, high)
    worse, better = q.oracle_quality(y_s, [low, high], progress)
    assert 0 <= worse <= better + 1e-15 and better <= 1 + 1e-15


# Wilson interval


def test_wilson_interval_of_published_cases():
    # 8 of 10 at 95 %: 0.4902 to 0.9433.
    low, high = q.wilson_interval(8, 10)
    assert (low, high) == (
        pytest.approx(0.4902, abs=1e-4),
        pytest.approx(0.9433, abs=1e-4),
    )


def test_wilson_interval_at_the_ends():
    z2 = 1.959963984540054**2
    low, high = q.wilson_interval([0, 10, 0], [10, 10, 0])
    assert low.tolist() == pytest.approx([0.0, 10 / (10 + z2), 0.0])
    assert high.tolist() == pytest.approx([z2 / (10 + z2), 1.0, 1.0])


def test_wilson_interval_refuses_more_successes_than_trials():
    with pytest.raises(ValueError, match="between 0 and trials"):
        q.wilson_interval(11, 10)
    with pytest.raises(ValueError, match="confidence"):
        q.wilson_interval(1, 10, confidence=95)
