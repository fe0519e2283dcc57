"""Training: options, files, and a few real iterations on the CPU."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.reference_clips import (
    packed,
    standing_qpos,
    unversioned_file,
    wavy_qpos,
)
from texedo.core.errors import TexedoError
from texedo.tracker.learn.cfg import TrackerTrainCfg


def plain_file(path: Path) -> Path:
    clips = packed(
        standing_qpos(60),
        wavy_qpos(70),
        standing_qpos(30),
        standing_qpos(25),
        splits=("train", "train", "val", "val"),
    )
    return unversioned_file(path, clips)


def test_kinds_of_action_that_no_clip_has_are_named(tmp_path: Path) -> None:
    from texedo.tracker.learn.train import build

    clips = str(plain_file(tmp_path / "clips.npz"))
    cfg = TrackerTrainCfg(clips=clips, device="cpu", families="walk,moonwalk")
    with pytest.raises(
        TexedoError, match=r"no 'moonwalk' to learn from.*some of.*walk"
    ):
        build(cfg)


def test_a_gpu_that_is_not_there_is_named_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from texedo.tracker.learn.train import build

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    cfg = TrackerTrainCfg(
        clips=str(plain_file(tmp_path / "clips.npz")), device="cuda:7"
    )
    with pytest.raises(TexedoError, match=r"on cuda:7.*--device cpu"):
        build(cfg)


@pytest.mark.filterwarnings("ignore")
def test_a_resumed_run_is_the_run_itself(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    from texedo.tracker.learn.train import train
    from texedo.tracker.policies.actor import load_tracker

    clips = str(plain_file(tmp_path / "clips.npz"))

    def cfg(out: str, *, steps: int, resume: str = "") -> TrackerTrainCfg:
        return TrackerTrainCfg(
            clips=clips,
            out=str(tmp_path / out),
            resume=str(tmp_path / resume) if resume else "",
            steps=steps,
            worlds=6,
            horizon=4,
            save_every=2,
            eval_every=3,
            randomize_every=1,
            hidden="16,16",
            device="cpu",
            ramp=2,
        )

    train(cfg("whole", steps=4))
    train(cfg("part", steps=2))
    train(cfg("rest", steps=4, resume="part"))
    whole, rest = (
        load_file(tmp_path / name / "state-0.safetensors") for name in ("whole", "rest")
    )
    assert whole.keys() == rest.keys()
    for name, tensor in whole.items():
        np.testing.assert_array_equal(tensor, rest[name], err_msg=name)
    report = json.loads((tmp_path / "rest" / "report.json").read_text())
    assert report["summary"]["clips"] == 2
    _, metadata = load_tracker(tmp_path / "rest" / "tracker")
    assert metadata["step"] == 4
