"""The progress bar of the commands, where there is no terminal and where there is one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from texedo.apps import bars
from texedo.apps.bars import Bar, progress_bar


def test_a_short_job_writes_nothing_into_a_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress_bar("drawing") as report:
        report(1, 2)
        report(2, 2)
    assert capsys.readouterr() == ("", "")


def test_a_long_job_says_how_far_it_is_in_a_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "_LOG_SECONDS", -1.0)
    with Bar("labelling", total=3, long=True) as bar:
        bar.advance(note="success 1.000")
        bar.stage("writing")
        bar.show(5, 7, note="")
    assert capsys.readouterr().err.splitlines() == [
        "labelling: 1/3 success 1.000",
        "writing: 0/?",
        "writing: 5/7",
    ]


def test_steps_that_end_on_four_threads_are_all_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bar("labelling", total=400, long=True) as bar:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: bar.advance(), range(400)))
        monkeypatch.setattr(bars, "_LOG_SECONDS", -1.0)
        bar.show()
    assert capsys.readouterr().err == "labelling: 400/400\n"


def test_a_stopped_bar_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # A terminal, as rich sees it.
    with Bar("labelling", total=2) as bar:
        bar.show(1)
        assert bar._progress.live.is_started
        bar.stop()
        bar.show(2)
        assert not bar._progress.live.is_started


def test_a_name_in_brackets_is_shown_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Bar("[bold]x.csv", total=2, long=True) as bar:
        bar.show(1)
    assert "[bold]x.csv" in capsys.readouterr().err
