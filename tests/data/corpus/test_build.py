"""From a folder of BVH files to a corpus, with a stand-in for the retargeting."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from tests.data.corpus.test_cutting import flawless
from tests.support.rigs import motion_builder_names, t_pose_first, walker, write_rig
from texedo.apps.data import build as data_build
from texedo.core.errors import FileFormatError, RetargetError
from texedo.core.pool import batch_by_size, map_unordered
from texedo.data.capture.archives import find_source, read_source
from texedo.data.capture.cmu import Cmu, read_labels, read_segments, trial_order
from texedo.data.capture.source import SourceMotion, resample_source
from texedo.data.corpus.assemble import FAILED
from texedo.data.corpus.build import BuildCfg, Progress, build_corpus
from texedo.data.corpus.splits import SplitCfg, split_faults
from texedo.data.corpus.store import Corpus
from texedo.data.retarget import RetargetResult
from texedo.motion import Motion

ROOT = Path(__file__).parents[3]
SMALL_BATCHES = BuildCfg(batch_size=2)


@dataclass(frozen=True)
class Stub:
    """Joint angles that follow the source's hands and feet: not a robot's, but smooth,
    different for different sources, and quick."""

    version: str = "stub"
    wait: float = 0.0
    refuse: tuple[str, ...] = ()
    break_on: tuple[str, ...] = ()
    calls: list[list[str]] = field(default_factory=list, compare=False)

    def __call__(
        self, sources: Sequence[SourceMotion]
    ) -> list[RetargetResult | RetargetError]:
        time.sleep(self.wait)
        names = [source.name for source in sources]
        self.calls.append(names)
        if set(names) & set(self.break_on):
            raise ZeroDivisionError("a bug")
        return [self._one(source) for source in sources]

    def _one(self, source: SourceMotion) -> RetargetResult | RetargetError:
        if source.name in self.refuse:
            return RetargetError(f"{source.name}: the pelvis moves at 90 m/s.")
        source = resample_source(source, fps=50.0)
        hips = source.positions["hips"]
        ends = ("left_hand", "right_hand", "left_foot", "right_foot")
        limbs = np.concatenate([source.positions[e] - hips for e in ends], axis=1)
        motion = Motion(
            root_pos_w=hips,
            root_quat_w=source.orientations["hips"],
            joint_pos=np.pad(limbs, ((0, 0), (0, 17))),
        )
        return RetargetResult(
            name=source.name,
            motion=motion,
            quality=flawless(len(motion)),
            planted=np.zeros((len(motion), 2), bool),
        )


def bvh_text(seconds: float) -> str:
    person = t_pose_first(walker(frames=round(seconds * 30) + 1))
    return write_rig(person, motion_builder_names())


@pytest.fixture(scope="module")
def recordings() -> dict[str, str]:
    """Six people walk for a while; 05_01 is a copy of 02_01, 04_01 is too short."""
    seconds = {"01_01": 3.0, "02_01": 4.0, "03_01": 14.0, "03_02": 5.0, "04_01": 1.5}
    texts = {trial: bvh_text(length) for trial, length in seconds.items()}
    return texts | {"05_01": texts["02_01"]}


@pytest.fixture
def folder(tmp_path: Path, recordings: dict[str, str]) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    for trial, text in recordings.items():
        (source / f"{trial}.bvh").write_text(text)
    rows = [
        {
            "description": "stroll",
            "trials": ["03_01"],
            "action": "walk",
            "atomic": True,
        },
        {"description": "fall", "trials": ["06_01"], "action": "fall", "keep": False},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (source / "labels.jsonl").write_text(lines)
    (source / "segments.csv").write_text("trial,start_s,end_s\n03_01,2.00,9.00\n")
    (source / "06_01.bvh").write_text("not kept, so never read")
    return source


def content(corpus_folder: Path) -> dict[str, bytes]:
    names = ("frames.npy", "clips.jsonl", "corpus.json", "rejected.jsonl")
    return {name: (corpus_folder / name).read_bytes() for name in names}


def test_a_folder_of_recordings_becomes_a_corpus(folder: Path, tmp_path: Path) -> None:
    built = build_corpus(Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1)
    corpus = built.corpus
    assert not built.was_up_to_date
    assert [clip.id for clip in corpus] == [
        "01_01-00",
        "02_01-00",
        "03_01-00",
        "03_01-01",
        "03_01-02",
        "03_02-00",
        "05_01-00",
    ]
    walk = corpus.clips[corpus.index("03_01-01")]
    assert (walk.start, walk.end, walk.num_frames) == (2.0, 9.0, 350)
    assert (walk.family, walk.description, walk.label_scope) == (
        "walk",
        "stroll",
        "window",
    )
    assert corpus.clips[0].family == "unlabelled"
    assert corpus.clips[0].label_scope == "trial"
    summary = corpus.info["summary"]
    assert summary["trials"] == 6
    assert summary["trials_accepted"] == 5
    assert summary["trials_accepted_unique"] == 4
    assert summary["rejected"] == {"too short": 1}


def test_every_clip_starts_above_the_origin_facing_x(
    folder: Path, tmp_path: Path
) -> None:
    corpus = build_corpus(
        Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1
    ).corpus
    for i in range(len(corpus)):
        first = corpus.frames(i)[0]
        np.testing.assert_allclose(first[:2], 0.0, atol=1e-5)
        np.testing.assert_allclose(first[3] * first[6], first[4] * -first[5], atol=1e-5)


def test_a_copy_is_marked_and_shares_group_and_split(
    folder: Path, tmp_path: Path
) -> None:
    corpus = build_corpus(
        Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1
    ).corpus
    original, copy = (corpus.clips[corpus.index(n)] for n in ("02_01-00", "05_01-00"))
    assert (original.copy_of, copy.copy_of) == (None, "02_01")
    assert original.group == copy.group == "02_01"
    assert original.split == copy.split
    assert split_faults(corpus) == []


def test_a_second_build_does_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_corpus(Cmu.open(folder), out, solver=Stub(), workers=1)
    before = content(out)
    again = Stub()
    assert build_corpus(Cmu.open(folder), out, solver=again, workers=1).was_up_to_date
    assert again.calls == []
    assert content(out) == before


def test_only_what_changed_is_retargeted_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_corpus(Cmu.open(folder), out, cfg=SMALL_BATCHES, solver=Stub(), workers=1)
    (folder / "01_01.bvh").write_text(bvh_text(3.2))
    again = Stub()
    build_corpus(Cmu.open(folder), out, cfg=SMALL_BATCHES, solver=again, workers=1)
    (batch,) = again.calls
    assert "01_01" in batch
    assert len(batch) <= 2


def test_other_settings_cut_anew_without_retargeting(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build_corpus(Cmu.open(folder), out, solver=Stub(), workers=1)
    again = Stub()
    cfg = BuildCfg(splits=SplitCfg(test_subjects=("03",)))
    built = build_corpus(Cmu.open(folder), out, cfg=cfg, solver=again, workers=1)
    assert not built.was_up_to_date
    assert again.calls == []
    # All recordings here are of one skeleton, so the person is held out everywhere.
    assert built.corpus.info["splits"] == {"test-subject": 7}


def test_a_newer_retargeting_does_everything_again(
    folder: Path, tmp_path: Path
) -> None:
    build_corpus(Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1)
    newer = Stub(version="stub 2")
    build_corpus(Cmu.open(folder), tmp_path / "out", solver=newer, workers=1)
    assert sum(map(len, newer.calls)) == 6


def test_bad_recordings_are_recorded_and_the_build_goes_on(
    folder: Path, tmp_path: Path, recordings: dict[str, str]
) -> None:
    text = recordings["01_01"]
    (folder / "07_01.bvh").write_text("garbage")
    (folder / "07_02.bvh").write_text(text[: len(text) // 2])
    (folder / "07_03.bvh").write_text("")
    (folder / "07_04.bvh").write_text(text.replace("Frames: 92", "Frames: 0"))
    solver = Stub(refuse=("02_01",))
    corpus = build_corpus(
        Cmu.open(folder), tmp_path / "out", solver=solver, workers=1
    ).corpus
    lines = (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()
    rejected = {row["trial"]: row["detail"] for row in map(json.loads, lines)}
    assert set(rejected) == {"02_01", "04_01", "07_01", "07_02", "07_03", "07_04"}
    assert "does not begin with HIERARCHY" in rejected["07_01"]
    assert "90 m/s" in rejected["02_01"]
    assert {clip.trial for clip in corpus} == {"01_01", "03_01", "03_02", "05_01"}
    assert build_corpus(
        Cmu.open(folder), tmp_path / "out", solver=solver
    ).was_up_to_date


def test_a_bug_costs_one_recording_and_is_tried_again_next_time(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    corpus = build_corpus(
        Cmu.open(folder), out, solver=Stub(break_on=("03_02",)), workers=1
    ).corpus
    assert len(corpus) == 6
    assert "ZeroDivisionError: a bug" in (out / "rejected.jsonl").read_text()
    assert corpus.info["summary"]["rejected"][FAILED] == 1
    repaired = build_corpus(Cmu.open(folder), out, solver=Stub(), workers=1)
    assert len(repaired.corpus) == 7


def test_workers_and_interruptions_do_not_change_the_result(
    folder: Path, tmp_path: Path
) -> None:
    """Killed without warning after its first results, then finished."""
    whole, halted = tmp_path / "whole", tmp_path / "halted"
    build_corpus(Cmu.open(folder), whole, cfg=SMALL_BATCHES, solver=Stub(), workers=1)
    code = (
        "from pathlib import Path; from tests.data.corpus.test_build import *\n"
        f"build_corpus(Cmu.open(Path({str(folder)!r})), Path({str(halted)!r}),"
        " cfg=SMALL_BATCHES, solver=Stub(wait=0.5), workers=1)"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=env)
    deadline = time.monotonic() + 60
    while not list(halted.glob("trials/*.npz")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    finished = len(list(halted.glob("trials/*.npz")))
    assert 0 < finished < 6
    resumed = Stub()
    build_corpus(Cmu.open(folder), halted, cfg=SMALL_BATCHES, solver=resumed, workers=2)
    assert content(halted) == content(whole)


def test_archives_and_folders_give_the_same(
    folder: Path, tmp_path: Path, recordings: dict[str, str]
) -> None:
    packed = tmp_path / "packed"
    packed.mkdir()
    with tarfile.open(packed / "bvh60_001-099.tar.xz", "w:xz") as archive:
        for trial, text in recordings.items():
            member = tarfile.TarInfo(f"{trial[:2]}/{trial}.bvh")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    for name in ("labels.jsonl", "segments.csv"):
        (packed / name).write_bytes((folder / name).read_bytes())
    build_corpus(Cmu.open(folder), tmp_path / "a", solver=Stub(), workers=1)
    build_corpus(Cmu.open(packed), tmp_path / "b", solver=Stub(), workers=1)
    a, b = content(tmp_path / "a"), content(tmp_path / "b")
    assert a["frames.npy"] == b["frames.npy"]
    assert a["clips.jsonl"] == b["clips.jsonl"]


def test_recordings_known_to_play_too_fast_are_slowed_down(
    tmp_path: Path, recordings: dict[str, str]
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for trial in ("74_01", "73_01"):  # 74 was captured at half the rate of its files
        (source / f"{trial}.bvh").write_text(recordings["01_01"])
    corpus = build_corpus(
        Cmu.open(source), tmp_path / "out", solver=Stub(), workers=1
    ).corpus
    lengths = {clip.trial: clip.num_frames for clip in corpus}
    assert lengths == {"73_01": 151, "74_01": 301}


def test_progress_runs_through_the_stages(folder: Path, tmp_path: Path) -> None:
    seen: list[Progress] = []
    build_corpus(
        Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1, report=seen.append
    )
    stages = list(dict.fromkeys(progress.stage for progress in seen))
    assert stages == ["survey", "retarget", "assemble", "caption"]
    assembled = [progress for progress in seen if progress.stage == "assemble"]
    assert assembled[-1].done == assembled[-1].total == 6
    assert seen[-1].done == seen[-1].total == 7  # clips with captions
    assert max(progress.seconds for progress in seen) > 25


def test_a_build_without_a_single_clip_says_why(tmp_path: Path) -> None:
    (tmp_path / "01_01.bvh").write_text("garbage")
    with pytest.raises(FileFormatError, match=r"No clip .* 1 x could not .* HIERARCHY"):
        build_corpus(Cmu.open(tmp_path), tmp_path / "out", solver=Stub(), workers=1)


def test_a_source_without_recordings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="does not exist"):
        find_source(tmp_path / "absent")
    with pytest.raises(FileFormatError, match=r"holds no \.bvh"):
        find_source(tmp_path)


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.tar.xz").write_bytes(b"\xfd7zXZ\x00 but then nothing")
    with pytest.raises(FileFormatError, match=r"x\.tar\.xz is damaged"):
        list(read_source(find_source(tmp_path)))


def test_labels_and_segments_say_which_line_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(
        '{"description": "a", "trials": [], "action": "b"}\n{"trials": 1}\n'
    )
    with pytest.raises(FileFormatError, match="line 2"):
        read_labels(path)
    path.write_text("trial,start_s,end_s\n01_01,0.5,soon\n")
    with pytest.raises(FileFormatError, match="line 2"):
        read_segments(path)


def test_recordings_are_ordered_by_number() -> None:
    trials = ["105_02", "02_10", "walk", "02_9", "14_01"]
    expected = ["02_9", "02_10", "14_01", "105_02", "walk"]
    assert sorted(trials, key=trial_order) == expected


def test_batches_hold_similar_sizes_and_every_item_once() -> None:
    sizes = [20, 100, 21, 1000, 22, 101, 23, 4]
    batches = list(batch_by_size(sizes, lambda size: size, batch=3))
    assert batches == [[20, 21, 22], [1000, 100, 101], [23, 4]]


def double(x: int) -> int:
    return 2 * x


def test_work_is_spread_over_processes_and_drawn_as_needed() -> None:
    results = map_unordered(double, ((i,) for i in range(20)), workers=2)
    assert sorted(results) == [2 * i for i in range(20)]
    assert "OMP_NUM_THREADS" not in os.environ or os.environ["OMP_NUM_THREADS"]


def test_an_error_in_a_worker_reaches_the_caller() -> None:
    with pytest.raises(TypeError):
        list(map_unordered(double, [(None,)], workers=2))


def test_the_command_says_where_the_source_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path))
    with pytest.raises(FileFormatError, match="pass --source"):
        data_build.run(data_build.Cfg(dataset="cmu"))


def test_the_command_finds_a_finished_corpus(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from texedo.data.retarget.trials import RetargetSolver

    stub = Stub(version=RetargetSolver().version)
    build_corpus(Cmu.open(folder), tmp_path / "out", solver=stub, workers=1)
    cfg = data_build.Cfg(
        dataset="cmu", source=folder, out=tmp_path / "out", captured_only=True
    )
    assert data_build.run(cfg) == 0
    assert "is up to date" in " ".join(capsys.readouterr().out.split())


def test_the_summary_prints(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    build_corpus(Cmu.open(folder), tmp_path / "out", solver=Stub(), workers=1)
    data_build.print_summary(Console(width=100), Corpus.load(tmp_path / "out"))
    printed = capsys.readouterr().out
    assert "windows accepted" in printed
    assert "foot skate" in printed
