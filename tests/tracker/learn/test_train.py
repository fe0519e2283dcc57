"""Training: options, files, and a few real iterations on the CPU."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.corpus.packed_clips import RESOLUTION, training_clips_from, write_clips
from texedo.learning.clock import Clock
from texedo.learning.run import parse_options
from texedo.tracker.learn.cfg import TrainCfg


def plain_file(path: Path) -> Path:
    clips = packed(
        standing_qpos(60),
        wavy_qpos(70),
        standing_qpos(30),
        standing_qpos(25),
        splits=("train", "train", "val", "val"),
    )
    np.savez(
        path,
        qpos=clips.qpos,
        starts=clips.starts,
        lengths=clips.lengths,
        ids=np.array(clips.ids),
        families=np.array(clips.families),
        splits=np.array(clips.splits),
    )
    return path


def test_options_are_read_by_the_types_of_their_fields() -> None:
    cfg = parse_options(
        TrainCfg,
        ["--clips", "a.npz", "--minutes", "1.5", "--mirror", "false", "--worlds", "8"],
    )
    assert cfg == TrainCfg(clips="a.npz", minutes=1.5, mirror=False, worlds=8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--worlds", "8"], "--clips is needed"),
        (["--clips", "a", "--mirror", "yes"], "true or false"),
        (["--clips", "a", "--worlds", "many"], "must be int"),
        (["--clips", "a", "--colour", "red"], "Unknown option '--colour'"),
        (["--clips", "a", "--worlds"], "alone"),
    ],
)
def test_wrong_options_say_what_is_wrong(arguments: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_options(TrainCfg, arguments)


def test_a_clock_stops_at_the_iteration_and_before_the_wall() -> None:
    clock = Clock(minutes=0.0, wall=0.0, iterations=3)
    assert [clock.over(i) for i in (0, 2, 3)] == [False, False, True]
    assert Clock(minutes=0.0, wall=1.0, iterations=0).over(0)
    assert not Clock(minutes=1.0, wall=0.0, iterations=0).over(10**6)


def test_a_clock_knows_when_little_is_left() -> None:
    clock = Clock(minutes=1.0, wall=0.0, iterations=0)
    assert clock.left(1.0) and not clock.left(0.9)
    assert not Clock(minutes=0.0, wall=0.0, iterations=10).left(1.0)


def test_clips_are_read_picked_and_mirrored(tmp_path: Path) -> None:
    clips = training_clips_from(plain_file(tmp_path / "clips.npz"))
    held_out = clips.pick(clips.where_split("val"))
    assert held_out.ids == ("clip2", "clip3") and held_out.lengths.tolist() == [30, 25]
    both = clips.with_mirrored()
    assert len(both) == 8 and both.ids[5] == "clip1~mirrored"
    twice = both.pick(range(4, 8)).with_mirrored().pick(range(4, 8))
    np.testing.assert_allclose(twice.qpos, clips.qpos, atol=1e-7)


def test_stored_clips_come_back_to_a_twentieth_of_a_milliradian(tmp_path: Path) -> None:
    clips = packed(wavy_qpos(500), wavy_qpos(400, seed=3), standing_qpos(3))
    write_clips(tmp_path / "small.npz", clips)
    back = training_clips_from(tmp_path / "small.npz")
    np.testing.assert_allclose(back.qpos, clips.qpos, atol=0.51 * RESOLUTION)
    assert back.lengths.tolist() == [500, 400, 3] and back.ids == clips.ids
    assert (tmp_path / "small.npz").stat().st_size < 0.35 * clips.qpos.nbytes


def test_a_file_of_before_there_were_escapes_is_read(tmp_path: Path) -> None:
    path = plain_file(tmp_path / "clips.npz")
    data = {k: v for k, v in np.load(path).items() if k != "qpos"}
    data["lengths"], data["starts"] = np.array([3]), np.array([0])
    data |= {k: data[k][:1] for k in ("ids", "families", "splits")}
    # Heights of 4 m, 4 m and 3.99995 m: 80000, 80000 and 79999 steps of RESOLUTION,
    # hence first differences 80000, 0, -1 and second ones 80000, -80000, -1.
    code = np.zeros((4, 36, 3), dtype=np.uint8)
    for frame, difference in enumerate((80000, -80000, -1)):
        folded = 2 * difference if difference >= 0 else -2 * difference - 1
        code[:, 2, frame] = list(folded.to_bytes(4, "little"))
    np.savez(path, code=code, **data)
    back = training_clips_from(path)
    np.testing.assert_allclose(back.qpos[:, 2], [4.0, 4.0, 3.99995], rtol=1e-7)
    assert not back.qpos[:, [0, 1, *range(3, 36)]].any()


def test_a_jump_of_two_metres_is_stored_like_any_other(tmp_path: Path) -> None:
    qpos = standing_qpos(20)
    qpos[10:, 0] = 2.0
    write_clips(tmp_path / "jump.npz", packed(qpos, standing_qpos(3)))
    back = training_clips_from(tmp_path / "jump.npz")
    assert np.load(tmp_path / "jump.npz")["escapes"].tolist() == [40000, -40000]
    np.testing.assert_allclose(back.qpos[:20, 0], qpos[:, 0], atol=0.51 * RESOLUTION)


@pytest.mark.parametrize(
    ("key", "value"),
    [("code", np.zeros((2, 36, 4), np.uint8)), ("escapes", np.zeros(1, np.int64))],
)
def test_poses_that_do_not_fit_their_clips_are_refused(
    tmp_path: Path, key: str, value: NDArray[Any]
) -> None:
    write_clips(tmp_path / "clips.npz", packed(standing_qpos(5)))
    np.savez(tmp_path / "x.npz", **{**np.load(tmp_path / "clips.npz"), key: value})
    with pytest.raises(FileFormatError, match=r"x\.npz: damaged, pack it again"):
        training_clips_from(tmp_path / "x.npz")


def test_no_clips_are_stored_as_well(tmp_path: Path) -> None:
    write_clips(tmp_path / "none.npz", packed(standing_qpos(5)).pick([]))
    assert len(training_clips_from(tmp_path / "none.npz")) == 0


def test_a_file_that_holds_no_clips_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", qpos=np.zeros((3, 36)))
    with pytest.raises(FileFormatError, match="no 'starts'"):
        training_clips_from(tmp_path / "x.npz")
    with pytest.raises(FileFormatError, match="missing.npz"):
        training_clips_from(tmp_path / "missing.npz")


def test_kinds_of_action_that_no_clip_has_are_named(tmp_path: Path) -> None:
    from texedo.tracker.learn.train import build

    clips = str(plain_file(tmp_path / "clips.npz"))
    cfg = TrainCfg(clips=clips, device="cpu", families="walk,moonwalk")
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
    cfg = TrainCfg(clips=str(plain_file(tmp_path / "clips.npz")), device="cuda:7")
    with pytest.raises(TexedoError, match=r"on cuda:7.*--device cpu"):
        build(cfg)


@pytest.mark.filterwarnings("ignore")
def test_a_resumed_run_is_the_run_itself(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    from texedo.tracker.learn.train import train
    from texedo.tracker.policies.actor import load_tracker

    clips = str(plain_file(tmp_path / "clips.npz"))

    def cfg(out: str, *, iterations: int, resume: str = "") -> TrainCfg:
        return TrainCfg(
            clips=clips,
            out=str(tmp_path / out),
            resume=str(tmp_path / resume) if resume else "",
            iterations=iterations,
            worlds=6,
            horizon=4,
            save_every=2,
            eval_every=3,
            randomize_every=1,
            hidden="16,16",
            device="cpu",
            ramp=2,
        )

    train(cfg("whole", iterations=4))
    train(cfg("part", iterations=2))
    train(cfg("rest", iterations=4, resume="part"))
    whole, rest = (
        load_file(tmp_path / name / "state-0.safetensors") for name in ("whole", "rest")
    )
    assert whole.keys() == rest.keys()
    for name, tensor in whole.items():
        np.testing.assert_array_equal(tensor, rest[name], err_msg=name)
    report = json.loads((tmp_path / "rest" / "report.json").read_text())
    assert report["summary"]["clips"] == 2
    _, metadata = load_tracker(tmp_path / "rest" / "tracker")
    assert metadata["iteration"] == 4
