"""Recordings on other skeletons: the same performance, read by the same reader."""

import numpy as np
import pytest

from tests.support.rigs import motion_builder_names, walker, write_rig
from texedo.data.capture.bvh import read_bvh
from texedo.data.capture.source import CMU_UNIT, make_source
from texedo.data.trials.bvh import RecordingJob, retargeted_part
from texedo.data.trials.strange import strange

TEXT = write_rig(walker(), motion_builder_names(toe="ToeBase"), unit=CMU_UNIT)


@pytest.mark.parametrize("seed", range(8))
def test_a_strange_skeleton_stands_on_its_feet(seed: int) -> None:
    other, said = strange(read_bvh(TEXT), np.random.default_rng(seed))
    source = make_source(other)
    hips, foot = source.positions["hips"], source.positions["left_foot"]
    assert (hips[:, 2] - foot[:, 2] > 0.5).all()
    assert source.fps == said["fps"] and source.profile != "cmu"


def test_limbs_have_the_lengths_that_are_said() -> None:
    plain = make_source(read_bvh(TEXT), scale=CMU_UNIT).bone_lengths
    other, said = strange(read_bvh(TEXT), np.random.default_rng(1))
    lengths = make_source(other, scale=said["unit_m"]).bone_lengths
    for part in ("thigh", "shin", "upper_arm", "forearm"):
        ratio = lengths[f"left_{part}"] / plain[f"left_{part}"]
        assert ratio == pytest.approx(said[part], rel=1e-4), part


def test_a_recording_becomes_motions_of_the_foreign_set() -> None:
    job = RecordingJob("99_01", "99_01", "walk", TEXT.encode(), 1.0)
    bad = job._replace(trial="99_02", data=b"HIERARCHY\n")
    part = retargeted_part([job, bad], skeletons=2, seed=0)
    assert [trial.id for trial in part.trials] == [
        "99_01~skeleton0-0",
        "99_01~skeleton1-0",
    ]
    for trial, qpos in zip(part.trials, part.poses, strict=True):
        assert trial.suite == "foreign" and trial.split == "test-subject"
        assert qpos.dtype == np.float32 and 140 <= len(qpos) <= 150
        assert 0.5 < qpos[:, 2].mean() < 0.9
