"""The other recipe: the same walk, at another rate and scale, and not on its floor."""

import numpy as np
import pytest

from tests.support.rigs import motion_builder_names, walker, write_rig
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.source import CMU_UNIT, SourceMotion, make_source
from texedo.data.trials.foreign import FOREIGN_FPS, ForeignClip, foreign_look
from texedo.motion import resample
from texedo.robot.check import check_motion
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER


@pytest.fixture(scope="module")
def source() -> SourceMotion:
    text = write_rig(walker(), motion_builder_names(toe="ToeBase"), unit=CMU_UNIT)
    return make_source(read_bvh(text))


@pytest.fixture(scope="module")
def clips(source: SourceMotion) -> list[ForeignClip]:
    return foreign_look([source] * 2, [np.random.default_rng(i) for i in range(2)])


def test_there_are_30_frames_a_second_within_the_ranges(
    source: SourceMotion, clips: list[ForeignClip]
) -> None:
    for clip in clips:
        assert len(clip.joint_pos) == int(source.duration * FOREIGN_FPS + 1e-6) + 1
        assert (clip.joint_pos >= JOINT_LOWER - 1e-9).all()
        assert (clip.joint_pos <= JOINT_UPPER + 1e-9).all()


def test_the_scale_and_the_floor_are_those_that_are_said(
    clips: list[ForeignClip],
) -> None:
    ways = [np.ptp(clip.root_pos_w[:, 0]) for clip in clips]
    scales = [clip.settings["scale"] for clip in clips]
    assert np.array(ways) / ways[0] == pytest.approx(np.array(scales) / scales[0], 0.03)
    assert len({clip.settings["floor_m"] for clip in clips}) == 2


def test_nothing_puts_the_clips_on_their_floor(clips: list[ForeignClip]) -> None:
    for clip in clips:
        report = check_motion(resample(*clip[:3], fps=FOREIGN_FPS))
        assert max(report["hover"].value, report["ground penetration"].value) > 0.005
