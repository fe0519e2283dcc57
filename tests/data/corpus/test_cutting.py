"""Where recordings are cut, and which parts are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.data.corpus.cutting import (
    MAX_FRAMES,
    MIN_FRAMES,
    Window,
    longest_run,
    propose_windows,
)
from texedo.data.corpus.screening import ScreenCfg, quality_record, screen, unfit_frames
from texedo.data.retarget import FrameQuality


def flawless(frames: int) -> FrameQuality:
    zero = np.zeros(frames, np.float32)
    pair = np.zeros((frames, 2), np.float32)
    return FrameQuality(
        foot_error=pair,
        self_penetration=zero,
        ground_penetration=zero,
        skate=pair,
        lowest=zero,
        joint_speed_ratio=zero,
        limit_violation=zero,
    )


def standing(frames: int) -> np.ndarray:
    qpos = np.zeros((frames, 36), np.float32)
    qpos[:, 2], qpos[:, 3] = 0.75, 1.0
    return qpos


def verdict(qpos: np.ndarray, quality: FrameQuality, window: Window | None = None):
    cfg = ScreenCfg()
    window = window or Window(0, len(qpos), "trial")
    return screen(window, unfit_frames(qpos, quality, cfg), quality, cfg=cfg)


def spans(windows: list[Window]) -> list[tuple[int, int]]:
    return [(window.start, window.stop) for window in windows]


def test_a_short_recording_is_one_clip_and_its_label_is_of_all_of_it() -> None:
    assert propose_windows(300) == [Window(0, 300, "trial")]
    assert propose_windows(100, atomic=True) == [Window(0, 100, "trial")]


def test_less_than_two_seconds_make_no_clip() -> None:
    assert propose_windows(99) == []


def test_a_hair_over_ten_seconds_is_one_clip_cut_short() -> None:
    assert propose_windows(510) == [Window(0, 500, "trial")]


def test_segments_are_taken_as_they_are_and_the_rest_is_cut_evenly() -> None:
    windows = propose_windows(1500, segments=[(4.0, 12.0), (12.5, -1.0)])
    # 0-4 s is a piece; 12.0-12.5 s is too short for one; the second is capped at 10 s;
    # 22.5-30 s is a piece of its own.
    assert spans(windows) == [(0, 200), (200, 600), (625, 1125), (1125, 1500)]
    assert {window.scope for window in windows} == {"part"}


def test_what_two_segments_share_goes_to_the_first() -> None:
    windows = propose_windows(1000, segments=[(0.0, 10.0), (0.0, 10.0), (5.0, 15.0)])
    assert spans(windows)[:2] == [(0, 500), (500, 750)]


def test_long_atomic_segments_are_halved() -> None:
    windows = propose_windows(1000, atomic=True, segments=[(0.0, 10.0)])
    assert spans(windows)[:2] != [(0, 500)]
    assert windows[0].stop == windows[1].start
    assert windows[1].stop == 500
    assert {window.scope for window in windows} == {"window"}


def test_free_cuts_move_to_the_calm_moment_nearby() -> None:
    activity = np.ones(600)
    activity[320:335] = 0.0
    (first, second) = propose_windows(600, activity=activity)
    assert 320 <= first.stop <= 335
    assert second == Window(first.stop, 600, "part")


def test_activity_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"must be \(600,\)"):
        propose_windows(600, activity=np.ones(5))


@settings(max_examples=40, deadline=None)
@given(
    frames=st.integers(0, 3000),
    atomic=st.booleans(),
    segments=st.lists(
        st.tuples(st.floats(0, 70), st.one_of(st.just(-1.0), st.floats(0, 70))),
        max_size=5,
    ),
    seed=st.integers(0, 100),
)
def test_clips_are_ordered_last_two_to_ten_seconds_and_never_overlap(
    frames: int, atomic: bool, segments: list[tuple[float, float]], seed: int
) -> None:
    activity = np.random.default_rng(seed).uniform(0, 1, frames)
    windows = propose_windows(
        frames, atomic=atomic, segments=segments, activity=activity
    )
    end = 0
    for window in windows:
        assert end <= window.start
        assert MIN_FRAMES <= window.num_frames <= MAX_FRAMES
        end = window.stop
    assert end <= frames


def test_most_of_a_long_recording_is_used() -> None:
    for frames in range(526, 4000, 37):
        used = sum(window.num_frames for window in propose_windows(frames))
        assert used == frames


def test_the_longest_run_is_found() -> None:
    assert longest_run([True, False, True, True, False]) == (2, 4)
    assert longest_run([False]) == (0, 0)
    assert longest_run([]) == (0, 0)


def test_a_good_clip_is_kept_whole_without_reasons() -> None:
    result = verdict(standing(200), flawless(200))
    assert result.window == Window(0, 200, "trial")
    assert result.reasons == ()


def bad_frames(reason: str, part: slice) -> tuple[np.ndarray, FrameQuality]:
    """400 standing frames of which `part` breaks one rule."""
    qpos, quality = standing(400), flawless(400)

    def marked(name: str, value: float) -> FrameQuality:
        array = getattr(quality, name).copy()
        array[part] = value
        return replace(quality, **{name: array})

    if reason == "pelvis low":
        qpos[part, 2] = 0.3
    elif reason == "tilted":
        qpos[part, 3:7] = [np.cos(np.pi / 4), np.sin(np.pi / 4), 0, 0]
    elif reason == "root speed":
        qpos[part, 0] = np.arange(len(qpos[part])) * 0.13
    else:
        name, value = {
            "airborne": ("lowest", 0.1),
            "joint speed": ("joint_speed_ratio", 1.01),
            "foot error": ("foot_error", 0.2),
            "self-penetration": ("self_penetration", 0.03),
            "ground penetration": ("ground_penetration", 0.03),
            "joint limit": ("limit_violation", 0.01),
        }[reason]
        quality = marked(name, value)
    return qpos, quality


@pytest.mark.parametrize(
    "reason",
    [
        "pelvis low",
        "tilted",
        "root speed",
        "airborne",
        "joint speed",
        "foot error",
        "self-penetration",
        "ground penetration",
        "joint limit",
    ],
)
def test_each_rule_shrinks_a_clip_to_its_longest_good_part(reason: str) -> None:
    qpos, quality = bad_frames(reason, slice(100, 160))
    result = verdict(qpos, quality)
    assert reason in result.reasons
    assert result.window is not None
    # Five frames of margin; a root that has run away jumps back one frame later still.
    assert result.window.start in (165, 166)
    assert result.window.stop == 400
    assert result.window.scope == "part"


def test_a_clip_whose_good_parts_are_too_short_is_rejected_with_the_reason() -> None:
    qpos, quality = bad_frames("pelvis low", slice(90, 310))
    result = verdict(qpos, quality)
    assert result.window is None
    assert "pelvis low" in result.reasons


def test_a_jump_shorter_than_the_limit_is_fine() -> None:
    for frames, reasons in ((35, ()), (36, ("airborne",))):  # 0.7 s and a frame more
        part = slice(100, 100 + frames)
        qpos, quality = bad_frames("airborne", part)
        time = np.arange(frames) / 50
        qpos[part, 2] += 9.81 / 2 * time * (time[-1] - time)
        assert verdict(qpos, quality).reasons == reasons


def test_feet_that_are_off_on_average_reject_the_whole_clip() -> None:
    quality = replace(flawless(200), foot_error=np.full((200, 2), 0.04, np.float32))
    result = verdict(standing(200), quality)
    assert result.window is None
    assert result.reasons == ("foot error",)


def test_only_the_window_is_looked_at() -> None:
    qpos, quality = bad_frames("pelvis low", slice(0, 100))
    assert verdict(qpos, quality, Window(101, 300, "part")).reasons == ()


def test_the_quality_record_counts_what_is_inside_the_window() -> None:
    skate = np.full((400, 2), np.nan, np.float32)
    skate[100:200, 0] = 0.04
    depth = np.zeros(400, np.float32)
    depth[100:125] = 0.02
    quality = replace(flawless(400), skate=skate, self_penetration=depth)
    record = quality_record(
        standing(400), quality, Window(100, 200, "part"), cfg=ScreenCfg()
    )
    assert record["skate_mean_m_s"] == pytest.approx(0.04)
    assert record["contact_feet_mean"] == 1.0
    assert record["self_penetration_over_1cm"] == 0.25
    assert record["self_penetration_max_m"] == pytest.approx(0.02)
    assert record["pelvis_min_m"] == 0.75


def test_exact_segments_are_the_clips_and_nothing_else_is() -> None:
    segments = [(1.0, 4.0), (3.0, 8.0), (7.5, -1.0), (0.0, 1.5)]
    windows = propose_windows(450, segments=segments, exact=True)
    # 0 to 1.5 s and 7.5 s to the end at 9 s are less than two seconds.
    assert [(w.start, w.stop) for w in windows] == [(50, 200), (150, 400)]
    (long,) = propose_windows(1000, segments=[(2.0, -1.0)], exact=True)
    assert (long.start, long.stop) == (100, 600)
