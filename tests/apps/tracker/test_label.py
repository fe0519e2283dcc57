from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.standing import ON_THE_FLOOR, standing
from tests.support.warp import need_warp
from tests.tracker.policies.test_ours import small_actor
from texedo.apps.cli import EXIT_INTERRUPTED, main
from texedo.apps.tracker import label as app
from texedo.data.corpus.label_table import Label, clip_hash, label_quality, read_labels
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.formats import save_motion
from texedo.quality import ORACLE_VERSION, Normalizers, fit_normalizers
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.actor import load_tracker, save_tracker
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.ours import freeze_normalizers

MOTIONS = [standing(20 + 5 * k, seed=k) for k in range(4)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "motions"
    folder.mkdir()
    for k, motion in enumerate(MOTIONS):
        save_motion(motion, folder / f"m{k}.npz")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    clips = [
        Clip(
            id=f"c{k}",
            trial="t",
            subject="s",
            start=0.0,
            end=len(motion) / 50,
            first_frame=0,
            num_frames=len(motion),
            family="stand",
            split="test" if k == 3 else "train",
            group="t",
            kind="mirrored" if k == 2 else "captured",
        )
        for k, motion in enumerate(MOTIONS)
    ]
    write_corpus(tmp_path / "corpus", clips, [m.to_qpos() for m in MOTIONS])
    return tmp_path / "corpus"


def _label(source: Path, out: Path, *more: str) -> int:
    args = ["label", str(source), "--tracker", "open-loop", "--out", str(out), *more]
    return main(args)


def test_every_clip_gets_one_label(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    assert _label(folder, out) == 0
    labels = {Path(row.name).stem: row for row in read_labels(out)}
    assert sorted(labels) == ["m0", "m1", "m2", "m3"]
    policy = OpenLoopPolicy()
    for k, motion in enumerate(MOTIONS):
        row = labels[f"m{k}"]
        assert row.clip == clip_hash(motion) and row.num_frames == len(motion)
        assert (row.tracker, row.tracker_hash) == ("open-loop", policy.digest)
        assert row.oracle_version == ORACLE_VERSION
        assert (row.perturbation, row.seed, row.draw) == ("none", 0, 0)
        assert row.success and row.progress == 1.0 and row.frame == len(motion)


def test_a_second_run_labels_nothing_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "labels.jsonl"
    _label(folder, out)
    before = out.read_bytes()
    assert (
        _label(folder, out, "--seed", "5") == 0
    )  # Nothing is random without --perturb.
    assert out.read_bytes() == before
    assert "0 labels written, 4 clips had theirs" in capsys.readouterr().out


def test_perturbed_labels_stand_beside_the_nominal_ones(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labels.jsonl"
    _label(folder, out)
    assert _label(folder, out, "--perturb", "--seed", "2") == 0
    rows = [row for row in read_labels(out) if row.perturbation == "default"]
    assert len(rows) == 20 and {row.seed for row in rows} == {2}
    assert sorted({row.draw for row in rows}) == [0, 1, 2, 3, 4]


def test_a_corpus_is_labelled_by_split_and_kind(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    _label(corpus, out, "--split", "test")
    assert [row.name for row in read_labels(out)] == ["c3"]
    _label(corpus, out, "--kind", "captured", "--limit", "1")
    assert [row.name for row in read_labels(out)] == ["c3", "c0"]
    _label(corpus, out)
    assert sorted(row.name for row in read_labels(out)) == ["c0", "c1", "c2", "c3"]


def test_an_interrupted_run_keeps_its_labels_and_is_gone_on_with(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "labels.jsonl"
    real = app.rollout_stream

    def interrupted(*args: Any, **options: Any) -> Iterator[Any]:
        for done, finished in enumerate(real(*args, **options)):
            if done == 2:
                raise KeyboardInterrupt
            yield finished

    monkeypatch.setattr(app, "rollout_stream", interrupted)
    assert _label(folder, out) == EXIT_INTERRUPTED
    kept = read_labels(out)
    assert len(kept) == 2
    assert "2 labels written" in capsys.readouterr().out
    monkeypatch.setattr(app, "rollout_stream", real)
    assert _label(folder, out) == 0
    rows = read_labels(out)
    assert rows[:2] == kept and len(rows) == len({row.key for row in rows}) == 4


def test_bad_motions_are_named_and_the_others_are_labelled(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_motion(standing(30, height=ON_THE_FLOOR + 1), folder / "air.npz")
    (folder / "broken.npz").write_bytes(b"nothing")
    out = tmp_path / "labels.jsonl"
    assert _label(folder, out) == 2
    assert len(read_labels(out)) == 4
    captured = capsys.readouterr()
    assert "air.npz: The motion starts in mid-air" in captured.err
    assert "broken.npz" in captured.err
    assert "2 clips could not be rolled out" in captured.out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--limit", "0"], "--limit must be at least 1"),
        (["--split", "test"], "is no corpus"),
    ],
)
def test_wrong_options_are_told_in_a_line(
    folder: Path,
    tmp_path: Path,
    more: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _label(folder, tmp_path / "labels.jsonl", *more) == 2
    assert message in capsys.readouterr().err


def test_an_empty_folder_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert _label(tmp_path / "empty", tmp_path / "labels.jsonl") == 2
    assert "holds nothing to label" in capsys.readouterr().err
    assert not (tmp_path / "labels.jsonl").exists()
    assert _label(tmp_path / "gone", tmp_path / "labels.jsonl") == 2


def _frozen(corpus: Path, tmp_path: Path) -> tuple[str, Path, list[str]]:
    """A tracker, a table, and the command that freezes the tracker's normalisers."""
    tracker, out = str(tmp_path / "tracker"), tmp_path / "labels.jsonl"
    save_tracker(tracker, small_actor())
    args = ["label", str(corpus), "--tracker", tracker, "--out", str(out)]
    return tracker, out, [*args, "--freeze-normalizers"]


def test_normalisers_are_frozen_from_the_captured_training_clips(
    corpus: Path, tmp_path: Path
) -> None:
    tracker, out, freeze = _frozen(corpus, tmp_path)
    assert main(freeze) == 0  # Of all labels, those of c0 and c1 count.
    rows = [row for row in read_labels(out) if row.name in ("c0", "c1")]
    assert len(rows) == 2 and len(read_labels(out)) == 4
    fitted = find_policy(tracker).normalizers
    assert fitted == fit_normalizers(
        [row.e_acc or np.nan for row in rows], [row.e_vel or np.nan for row in rows]
    )
    assert load_tracker(tracker)[1]["e95"]["roll_outs"] == 2


def test_a_copy_of_a_recording_does_not_count_twice(
    corpus: Path, tmp_path: Path
) -> None:
    source = Corpus.load(corpus)
    clips = [replace(c, copy_of="t0" if c.id == "c1" else None) for c in source]
    write_corpus(corpus, clips, [m.to_qpos() for m in MOTIONS])
    tracker, out, freeze = _frozen(corpus, tmp_path)
    assert main([*freeze, "--split", "train", "--kind", "captured"]) == 0
    (row,) = (row for row in read_labels(out) if row.name == "c0")
    fitted = find_policy(tracker).normalizers
    assert fitted is not None and fitted.e_acc == row.e_acc
    assert load_tracker(tracker)[1]["e95"]["roll_outs"] == 1


def test_frozen_normalisers_are_replaced_only_by_force(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tracker, out, freeze = _frozen(corpus, tmp_path)
    freeze_normalizers(tracker, Normalizers(e_acc=1.0, e_vel=2.0))
    assert main(freeze) == 2
    assert "has normalisers already" in capsys.readouterr().err
    assert not out.exists()  # Said before the work, not after it.
    assert main([*freeze, "--force"]) == 0
    fitted = find_policy(tracker).normalizers
    assert fitted is not None and fitted != Normalizers(e_acc=1.0, e_vel=2.0)


@pytest.mark.parametrize(
    "more", [["--split", "test"], ["--limit", "1"], ["--perturb"], ["--kind", "tempo"]]
)
def test_normalisers_are_frozen_from_all_clips_or_not_at_all(
    corpus: Path, tmp_path: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, freeze = _frozen(corpus, tmp_path)
    assert main([*freeze, *more]) == 2
    assert "needs all captured training clips" in capsys.readouterr().err
    assert not out.exists()


def test_labels_that_are_older_than_the_normalisers_have_a_quality(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tracker, out, freeze = _frozen(corpus, tmp_path)
    main(freeze)
    before = out.read_bytes()
    policy = find_policy(tracker)
    assert policy.normalizers is not None
    _, q_star = label_quality(read_labels(out), policy.normalizers)
    result = rollout([MOTIONS[int(row.name[1])] for row in read_labels(out)], policy)
    np.testing.assert_allclose(q_star, result.quality.q_star, rtol=1e-12)
    capsys.readouterr()
    assert main(freeze[:-1]) == 0 and out.read_bytes() == before
    again = tmp_path / "again.jsonl"
    main([*freeze[:-2], str(again)])
    assert f"mean Q* {q_star.mean():.3f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("device", "message"), [("tpu", "must be cpu or cuda"), ("cuda", "has no GPU")]
)
def test_a_device_that_is_not_there_is_told_before_the_work(
    folder: Path,
    tmp_path: Path,
    device: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    need_warp()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert _label(folder, tmp_path / "labels.jsonl", "--device", device) == 2
    assert message in capsys.readouterr().err


@pytest.mark.xdist_group("warp")
@pytest.mark.filterwarnings("ignore")  # Warp speaks of missing CUDA drivers.
def test_a_gpu_writes_the_same_table(
    corpus: Path,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    need_warp()
    from texedo.tracker.oracle import stream as module

    real = module.warp_stream

    def on_the_cpu(*args: Any, device: str, **options: Any) -> Any:
        assert device == "cuda"
        return real(*args, device="cpu", worlds=2, **options)

    monkeypatch.setattr(module, "warp_stream", on_the_cpu)
    monkeypatch.setattr(app, "check_device", lambda device: None)
    tracker = str(tmp_path / "tracker")
    save_tracker(tracker, small_actor())
    save_motion(standing(30, height=ON_THE_FLOOR + 1), folder / "air.npz")
    tables = {}
    for device in ("cpu", "cuda"):
        tables[device] = tmp_path / f"{device}.jsonl"
        args = ["--tracker", tracker, "--device", device]
        args += ["--out", str(tables[device])]
        assert main(["label", str(corpus), *args, "--split", "test"]) == 0
        assert main(["label", str(folder), *args]) == 2
        assert "air.npz: The motion starts in mid-air" in capsys.readouterr().err
    ours, theirs = (sorted(read_labels(t), key=_clip) for t in tables.values())
    assert len(ours) == 4 and {row.device for row in theirs} == {"cuda"}
    for one, other in zip(ours, theirs, strict=True):
        assert one.key == other.key and one.frame == other.frame
        assert other.mpjpe == pytest.approx(one.mpjpe, rel=0.02)
        assert other.foot_slip == pytest.approx(one.foot_slip, abs=0.01)


def _clip(row: Label) -> str:
    return row.clip
