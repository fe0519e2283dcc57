"""A result tells of itself, draws itself, and writes the folder that the command writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics
from tests.support.generators import StandingGenerator
from tests.support.standing import stiff
from tests.support.verifiers import FakeVerifier
from texedo.core.errors import FileFormatError, GenerationError, RenderError
from texedo.do import Pool, Ranking, Rule
from texedo.formats import load_motion
from texedo.motion import Motion
from texedo.pipeline import Generated, Pipeline
from texedo.pipeline.run.folder import NoPlaceError, Wanted, write_run
from texedo.robot.render import performance


def hand(motion: Motion) -> float:
    """A number in which the standing robots differ."""
    return float(abs(motion.joint_pos[-1, 20]))


def pipeline(**options: object) -> Pipeline:
    """Parts that can be foretold; the second of "walk" does not pass."""
    second = StandingGenerator().sample("walk", 2)[1]
    parts: dict[str, object] = {
        "generator": StandingGenerator(),
        "dynamics": FakeDynamics(
            lambda m: 0.1 if abs(hand(m) - hand(second)) < 1e-3 else 0.98
        ),
        "semantics": FakeVerifier(lambda text, m: hand(m)),
        "tracker": stiff(),
        "scorer": "verifier",
        "confirm": 0,
    }
    # The fake verifier knows the robot whose digest begins like this.
    parts["dynamics"].tracker = stiff().digest[:8]  # type: ignore[attr-defined]
    return Pipeline(**{**parts, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def result() -> Generated:
    return pipeline()("walk", n=4)


def test_every_part_may_be_an_object(result: Generated) -> None:
    assert result.about.weights == {
        "dynamics": "d0",
        "tracker": stiff().digest[:8],
        "semantics": "v0",
    }
    scores = result.candidates["r_text"]
    feasible = [i for i in range(4) if i != 1]
    assert result.selection.index == max(feasible, key=lambda i: scores[i])
    assert result.expected is True


def test_a_rule_may_be_one_s_own() -> None:
    def shortest(pool: Pool) -> Ranking:
        return Ranking(-np.arange(4.0)[::-1], pool.usable, "lateness")

    last = pipeline(rule=Rule(("semantics",), shortest, "last"))("walk", n=4)
    assert last.selection.index == 3 and last.selection.rule == "last"
    assert last.about.request["rule"] == "last"


def test_the_candidates_are_a_table(result: Generated, tmp_path: Path) -> None:
    table = result.candidates
    assert len(table) == len(table.rows) == 4
    assert table[1].motion == result.offered[1].motion
    assert [one.check.verdict for one in table] == table["check"]
    assert table["outcome"][1] == "infeasible"
    text = table.to_csv(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text() == text
    assert [row["candidate"] for row in csv.DictReader(text.splitlines())] == list(
        "0123"
    )
    assert table._repr_html_().count("<tr>") == 5
    assert len(repr(table).splitlines()) == 5
    with pytest.raises(KeyError, match="no column 'speed'; there are candidate"):
        table["speed"]


def test_it_explains_itself_on_one_screen(result: Generated) -> None:
    lines = result.explain().splitlines()
    assert lines[0] == "walk" and len(lines) < 12
    assert "> " in lines[2] and "expected to finish (0.98)" in lines[2]
    text = result.explain()
    assert f"chosen: candidate {result.selection.index}. Highest R_text" in text
    assert "not chosen: 3 of 4: 2 lower R_text, " in text
    assert "1 R_dyn not above 0.6 (right foot height)" in text


def test_the_account_has_what_a_report_needs(result: Generated) -> None:
    account = result.account
    assert account.prompt == account.read_as == "walk" and account.rule == "texedo"
    assert account.threshold == 0.6 and len(account.runners_up) == 2
    for one in account.candidates:
        assert one.risk is not None and len(one.risk) == len(one.motion)
        assert one.expected_limb == "right foot" and one.check_verdict == "pass"
    fails = account.candidates[1]
    assert fails.success == pytest.approx(0.1) and fails.robust == pytest.approx(0.05)
    assert fails.riskiest_second == pytest.approx(0.4, abs=0.02)
    assert account.settings["seed"] == 0 and account.weights["semantics"] == "v0"


def test_saving_writes_the_run_folder(result: Generated, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "run", video=False)
    record = json.loads((folder / "run.json").read_text())
    assert record["chosen"] == result.selection.index
    assert load_motion(folder / "motion.npz") == result.motion
    assert {"motion.npz", "candidates.csv"} <= set(record["files"])
    # The same result may be written again, another one only if that is said.
    result.save(folder, video=False)
    other = pipeline()("wave", n=2)
    with pytest.raises(GenerationError, match="holds the motion of another request"):
        other.save(folder, video=False)
    other.save(folder, video=False, overwrite=True)
    assert json.loads((folder / "run.json").read_text())["prompt"] == "wave"


def test_several_motions_have_a_number_each(tmp_path: Path) -> None:
    result = pipeline()("walk", n=4, top=3)
    wanted = Wanted(video=False, formats=("lafan1",), top=3)
    write_run(tmp_path, result, wanted=wanted)
    for name, motion in zip(("", "-2", "-3"), result.motions, strict=True):
        assert load_motion(tmp_path / f"motion{name}.npz") == motion
        assert (tmp_path / f"motion{name}-lafan1.csv").is_file()


def test_a_full_disk_is_one_line_and_leaves_what_was_there(
    result: Generated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Wanted(video=False)
    write_run(tmp_path / "run", result, wanted=wanted)
    before = {p.name: p.read_bytes() for p in (tmp_path / "run").iterdir()}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def full_inside(*_: object) -> None:
        try:
            full()
        except OSError as error:
            raise FileFormatError("stage/000.npz: cannot be written.") from error

    def full_outside(*_: object) -> None:
        raise RenderError(
            "ffmpeg failed: Error writing trailer: No space left on device"
        )

    for fails in (full, full_inside, full_outside):
        monkeypatch.setattr("texedo.pipeline.run.folder.write_whole", fails)
        with pytest.raises(
            NoPlaceError, match=r"run: cannot be written \(No space left"
        ):
            write_run(tmp_path / "run", result, wanted=wanted)
        assert {p.name: p.read_bytes() for p in (tmp_path / "run").iterdir()} == before


def test_a_place_that_is_a_file_is_found_before_anything_is_written(
    result: Generated, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(GenerationError, match="file: is a file"):
        result.save(tmp_path / "file" / "run")


def test_in_a_notebook_it_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance, "quick_backend", lambda: "software")
    performed = pipeline(generator=StandingGenerator(frames=8), confirm=1)("w", n=1)
    assert performed.performance is not None
    picture = performed._repr_png_()
    assert picture.startswith(b"\x89PNG") and picture is performed._repr_png_()
