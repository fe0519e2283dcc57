"""What all trainers share: the clock, the folder of a run, Ctrl-C."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from texedo.core.errors import CheckpointError, TexedoError
from texedo.learning import clock as clock_module
from texedo.learning.clock import Clock
from texedo.learning.options import TrainOptions
from texedo.learning.run import RunFolder, clips_digest
from texedo.learning.state import save_run


@dataclass(frozen=True, kw_only=True)
class Options(TrainOptions):
    data: str = "here.npz"
    width: int = 16
    sizes: tuple[int, ...] = (3, 2)

    PLACES: ClassVar = frozenset({"data"})


def clock(seconds: float = 0.0, **options: float) -> Clock:
    return Clock(Options(**options), seconds=seconds, report_seconds=20.0)  # type: ignore[arg-type]


def test_steps_end_a_run_whatever_the_minutes_say() -> None:
    counted = clock(steps=4, minutes=1e-9)
    assert [counted.over(step) for step in (0, 3, 4)] == [False, False, True]
    assert counted.fraction(1) == 0.25


def test_minutes_count_over_all_calls() -> None:
    assert clock(minutes=2.0, seconds=60.0).fraction(10**6) == pytest.approx(0.5, 1e-3)
    assert not clock(minutes=2.0, seconds=100.0).over(10**6)
    assert clock(minutes=2.0, seconds=120.0).over(0)


def test_a_wall_leaves_room_for_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_module, "PROCESS_START", time.monotonic() - 10.0)
    assert clock(wall=29.0, minutes=5.0).over(0)
    assert not clock(wall=40.0, minutes=5.0).over(0)
    # The wall cuts a run with minutes short; its schedule is that of the minutes.
    assert clock(wall=40.0, minutes=5.0, seconds=150.0).fraction(0) == pytest.approx(
        0.5, 1e-2
    )
    # Without minutes the schedule ends with the wall: 10 s, after the 30 of before.
    assert clock(wall=40.0, seconds=30.0).fraction(0) == pytest.approx(0.75, 1e-2)


def test_an_evaluation_tells_how_long_the_report_will_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock_module, "PROCESS_START", time.monotonic())
    counted = clock(wall=25.0, minutes=5.0)
    assert not counted.over(0)
    with counted.evaluating(report_is=300.0):
        time.sleep(0.1)
    assert counted.over(0)  # 10 s + 300 * 0.1 s are more than are left.


def test_a_run_needs_an_end() -> None:
    with pytest.raises(TexedoError, match="needs an end: give --minutes"):
        clock()


def test_ctrl_c_ends_the_training_after_the_step_and_is_told_after_the_save() -> None:
    saved = []
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), clock(steps=9) as counted:
        step = 0
        while not counted.over(step):
            if step == 2:
                signal.raise_signal(signal.SIGINT)
            step += 1
        saved.append(step)
    assert saved == [3] and signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_ends_it_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), clock(steps=9):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")


def folder(out: Path, *, data: str = "d", **options: object) -> RunFolder:
    return RunFolder(Options(out=str(out), **options), data=data)  # type: ignore[arg-type]


def begin(out: Path) -> None:
    tensors = {"w": np.arange(3.0)}
    folder(out).save(tensors, step=7, seconds=42.0, best="inf")


def test_a_run_that_began_in_a_folder_goes_on_there(tmp_path: Path) -> None:
    assert folder(tmp_path).earlier() is None
    begin(tmp_path)
    # Where the data lie and how long it may take are free.
    saved = folder(tmp_path, steps=9, wall=3.0).earlier()
    assert saved is not None
    assert (saved.step, saved.seconds, saved.values) == (7, 42.0, {"best": "inf"})
    assert saved.tensors["w"].tolist() == [0.0, 1.0, 2.0]


def test_another_configuration_is_refused_with_the_way_out(tmp_path: Path) -> None:
    begin(tmp_path)
    with pytest.raises(
        CheckpointError, match=r"--width 16, not 32; .*another --out, .*--resume"
    ):
        folder(tmp_path, width=32).earlier()
    with pytest.raises(CheckpointError, match="learns from other data"):
        folder(tmp_path, data="e").earlier()


def test_another_run_may_begin_with_its_weights(tmp_path: Path) -> None:
    begin(tmp_path / "a")
    fork = folder(tmp_path / "b", width=32, resume=str(tmp_path / "a"), data="e")
    saved = fork.earlier()
    # Steps go on, minutes begin anew.
    assert saved is not None and (saved.step, saved.seconds) == (7, 0.0)
    fork.save(saved.tensors, step=8, seconds=1.0)
    again = fork.earlier()  # Now it has begun: it goes on with its own.
    assert again is not None and (again.step, again.seconds) == (8, 1.0)


def test_a_folder_to_resume_without_a_state_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="nowhere: no state"):
        folder(tmp_path, resume=str(tmp_path / "nowhere")).earlier()


def test_states_of_before_had_iterations_and_no_options(tmp_path: Path) -> None:
    save_run(tmp_path, {"w": np.zeros(2)}, {"iteration": 5, "learning_rate": 0.1})
    saved = folder(tmp_path, width=99).earlier()
    assert saved is not None and (saved.step, saved.seconds) == (5, 0.0)
    assert saved.values == {"learning_rate": 0.1}


def test_what_is_trained_does_not_tell_where_things_lay() -> None:
    public = replace(Options(), data="/home/me/x.npz", out="/tmp/y").public()
    assert public["width"] == 16 and not {"data", "out", "device"} & public.keys()


def test_clips_are_named_by_their_ids_and_lengths() -> None:
    one = clips_digest(("a", "b"), np.array([3, 4]))
    assert one == clips_digest(("a", "b"), np.array([3, 4], dtype=np.int32))
    assert one != clips_digest(("a", "b"), np.array([3, 5]))
    assert one != clips_digest(("a", "c"), np.array([3, 4]))
