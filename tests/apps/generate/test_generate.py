"""`texedo generate` from the command line to the run folder, in real physics."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.forecasts import FakeDynamics
from tests.support.generators import StandingGenerator, TableScorer
from tests.support.standing import leap
from tests.support.verifiers import FakeVerifier
from texedo.apps.cli import main
from texedo.apps.generate.job import folder_name
from texedo.formats import load_motion
from texedo.motion import Motion
from texedo.pipeline import find as find_module
from texedo.pipeline.run.folder import finished_run
from texedo.robot.render import performance as rollout_video
from texedo.text.generators.prompts import Sampling
from texedo.text.postprocess import postprocess
from texedo.tracker.policies.open_loop import OpenLoopPolicy

QUICK = ["-n", "3", "--no-video", "--confirm", "0"]


pytestmark = pytest.mark.usefixtures("generator")


def record(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text()))


def test_a_sentence_becomes_a_folder_with_a_motion_and_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["generate", "a person waves", *QUICK, "-o", str(out)]) == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "candidates.csv",
        "motion.npz",
        "report.html",
        "run.json",
    ]
    table = (out / "candidates.csv").read_text()
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["candidate"] for row in rows] == ["0", "1", "2"]
    chosen = [row for row in rows if row["outcome"] == "chosen"]
    run = record(out)
    assert len(chosen) == 1 and int(chosen[0]["candidate"]) == run["chosen"]
    assert float(chosen[0]["q_star"]) == max(float(row["q_star"]) for row in rows)
    assert run["prompt"] == "a person waves" and run["survivors"] == 3
    assert run["motion_sha256"] == chosen[0]["sha256"]
    assert set(run["seconds"]) >= {"sample", "check", "perform", "choose", "write"}
    assert run["versions"]["mujoco"]
    text = capsys.readouterr().out
    assert "Highest Q*" in text and "3 of 3 candidates performed to the end" in text


def test_the_same_command_gives_the_same_motion(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["generate", "a person waves", *QUICK, "-o", name, "--seed", "4"])
    one, two = ((tmp_path / name / "motion.npz") for name in ("one", "two"))
    for name in ("motion.npz", "candidates.csv"):
        first, second = (path.with_name(name).read_bytes() for path in (one, two))
        assert first == second
    main(["generate", "a person waves", *QUICK, "-o", "three", "--seed", "5"])
    assert load_motion(one) != load_motion(tmp_path / "three" / "motion.npz")


def test_what_is_finished_is_not_done_again(
    generator: StandingGenerator, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "a person waves", *QUICK]
    assert main(command) == main(command) == 0
    assert len(generator.batches) == 1
    assert "was finished" in capsys.readouterr().out
    assert main([*command, "--again"]) == 0
    assert len(generator.batches) == 2


def test_a_run_that_was_cut_off_is_done_again(
    tmp_path: Path, generator: StandingGenerator
) -> None:
    command = ["generate", "a person waves", *QUICK, "-o", "run"]
    main(command)
    (tmp_path / "run" / "motion.npz").unlink()
    main(command)
    assert len(generator.batches) == 2
    assert finished_run(tmp_path / "run", {"prompt": "another"}) is None


def test_several_prompts_have_a_folder_each_and_go_on_where_they_stopped(
    tmp_path: Path, generator: StandingGenerator
) -> None:
    (tmp_path / "list.txt").write_text("a person waves\n# no\na person bows\n")
    command = ["generate", "a person sits", "--prompts-file", "list.txt", *QUICK]
    assert main([*command, "-o", "all"]) == 0
    names = ["001-a-person-sits", "002-a-person-waves", "003-a-person-bows"]
    assert sorted(p.name for p in (tmp_path / "all").iterdir()) == names
    (tmp_path / "all" / names[1] / "candidates.csv").unlink()
    assert main([*command, "-o", "all"]) == 0
    assert generator.batches[1:] == [["a person waves"]]


def test_a_prompt_that_fails_is_exit_code_2_and_the_others_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "fail", "a person bows", *QUICK, "-o", "all"]) == 2
    assert (tmp_path / "all" / "002-a-person-bows" / "run.json").exists()
    assert not (tmp_path / "all" / "001-fail").exists()
    assert "error: 'fail': This prompt is called fail." in capsys.readouterr().err


def test_if_nobody_survives_the_best_is_handed_out_with_exit_code_1(
    tmp_path: Path,
    generator: StandingGenerator,
    capsys: pytest.CaptureFixture[str],
) -> None:
    generator.frames = 90
    command = ["generate", "a person waves", *QUICK, "--tracker", "weak", "-o", "run"]
    assert main(command) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "no candidate survives" in text and "0 of 3" in text
    assert (tmp_path / "run" / "motion.npz").exists()
    assert record(tmp_path / "run")["survived"] is False
    assert "fails at" in record(tmp_path / "run")["verdict"]
    # Asked again it says the same without doing it again.
    assert main(command) == 1
    assert len(generator.batches) == 1


def test_json_has_one_object_a_prompt_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["generate", "a person bows", "fail", *QUICK, "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert code == 2 and [row["prompt"] for row in rows] == ["a person bows", "fail"]
    assert rows[0]["survived"] and rows[0]["folder"].endswith("001-a-person-bows")
    assert rows[1]["error"] == "This prompt is called fail."


def test_other_formats_and_all_candidates_are_written_if_asked_for(
    tmp_path: Path,
) -> None:
    command = ["generate", "a person bows", *QUICK, "-o", "run"]
    extras = ["--format", "lafan1", "sonic", "--keep-candidates"]
    assert main([*command, *extras]) == 0
    run = tmp_path / "run"
    assert len(list((run / "candidates").iterdir())) == 3
    assert (run / "motion-lafan1.csv").exists() and (run / "motion-sonic").is_dir()
    # Another request for the same folder leaves nothing of the first behind.
    (run / "notes.txt").write_text("mine")
    assert main([*command, "--overwrite"]) == 0
    names = {path.name for path in run.iterdir()}
    assert names == {"motion.npz", "report.html", "run.json", "notes.txt"} | {
        "candidates.csv"
    }


def test_the_performance_is_drawn(
    tmp_path: Path, generator: StandingGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Which way of drawing is faster takes seconds to find out.
    monkeypatch.setattr(rollout_video, "quick_backend", lambda: "software")
    generator.frames = 12
    assert main(["generate", "a person bows", "-n", "1", "-o", "run"]) == 0
    with Image.open(tmp_path / "run" / "sheet.png") as sheet:
        assert sheet.width > 1000
    assert (tmp_path / "run" / "performance.mp4").stat().st_size > 1000


def test_the_settings_that_were_used_are_stored(
    tmp_path: Path, generator: StandingGenerator
) -> None:
    generator.defaults = Sampling(temperature=1.0, top_k=200, top_p=0.98, guidance=3.0)  # type: ignore[attr-defined]
    assert main(["generate", "wave", *QUICK, "-o", "run", "--top-k", "9"]) == 0
    request = record(tmp_path / "run")["request"]
    used = {
        name: request[name] for name in ("temperature", "top_k", "top_p", "guidance")
    }
    assert used == {"temperature": 1.0, "top_k": 9, "top_p": 0.98, "guidance": 3.0}
    assert request["rule"] == "oracle" and request["threshold"] == 0.8
    assert request["duration"] is None  # The generator decided.


def test_the_table_says_what_each_candidate_does(tmp_path: Path) -> None:
    assert main(["generate", "wave", *QUICK, "-o", "run"]) == 0
    table = (tmp_path / "run" / "candidates.csv").read_text()
    for row in csv.DictReader(table.splitlines()):
        assert float(row["displacement_m"]) == 0.0 and float(row["turn_deg"]) == 0.0
        assert 0.5 < float(row["hand_height_m"]) < 1.2
        assert float(row["foot_height_m"]) < 0.01
        assert row["jumps"] == "0" and 0 <= float(row["idle_share"]) <= 1


def test_a_run_folder_is_taken_for_its_motion_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    extras = ["--keep-candidates", "--format", "lafan1"]
    assert main(["generate", "wave", *QUICK, "-o", "run", *extras]) == 0
    capsys.readouterr()
    for command in (
        ["info", "run", "--json"],
        ["check", "run", "--json"],
        ["rollout", "run", "--tracker", "open-loop", "--json"],
    ):
        assert main(command) == 0
        (row,) = json.loads(capsys.readouterr().out)
        assert row["file"] == "run/motion.npz"
    picture = ["render", "run", "-o", "picture.png", "--backend", "software"]
    assert main([*picture, "--width", "60"]) == 0
    assert (tmp_path / "picture.png").exists()


def test_however_many_there_are_what_is_printed_fits_a_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class LastIsBest(TableScorer):
        def __init__(self, *_: object, **__: object) -> None:
            super().__init__(lambda _: [0.8] * 46 + [0.85, 0.3, 0.2, 0.9])

    monkeypatch.setattr("texedo.pipeline.oracle.OracleScorer", LastIsBest)
    assert main(["generate", "wave", "-n", "50", *QUICK[2:]]) == 0
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    numbers = [line[:2] for line in lines if "s" in line[:4]]
    # The winner and the two that come next; all others in a sentence.
    assert [line[-1] if line[0] == ">" else line[0] for line in numbers] == [
        "49",
        "46",
        "0",
    ]
    assert "not chosen: 49 of 50: 49 lower Q*" in out
    assert len(lines) < 24 and max(map(len, out.splitlines())) <= 140


def test_a_scorer_that_knows_survival_alone_falls_without_a_crash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Falls(TableScorer):
        def __init__(self, *_: object, **__: object) -> None:
            super().__init__(lambda _: [0.1, 0.2, 0.3])

    monkeypatch.setattr("texedo.pipeline.oracle.OracleScorer", Falls)
    assert main(["generate", "wave", *QUICK, "-o", "run"]) == 1
    assert "no candidate survives." in capsys.readouterr().out
    assert record(tmp_path / "run")["verdict"] == "fails"


def test_a_choice_that_fails_its_check_is_said_aloud(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], generator: StandingGenerator
) -> None:
    plain = generator._motion
    generator._motion = lambda *args: leap(plain(*args))  # type: ignore[method-assign]
    main(["generate", "wave", *QUICK, "-o", "run"])
    assert "it fails `texedo check`: " in capsys.readouterr().out
    assert record(tmp_path / "run")["table_row"]["check"] == "fail"


@pytest.mark.parametrize("args", [["-"], ["--prompts-file", "-"]])
def test_prompts_are_read_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    text = "a person waves\n\n# no\na person bows\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["generate", *args, *QUICK, "-o", "all"]) == 0
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert names == ["001-a-person-waves", "002-a-person-bows"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "no prompt"),
        (["-", "--prompts-file", "-"], "standard input can be read once"),
        (["wave", "--rule", "texedo"], "needs the scores dynamics and semantics"),
        (["wave", "--rule", "best"], "best"),
        (
            ["wave", "--threshold", "2"],
            "threshold must be 0 to 1, as scores are, got 2",
        ),
        (["  "], "is empty"),
        (["wave", "-n", "0"], "1 to 4096, got 0"),
        (["wave", "-n", "100000"], "1 to 4096, got 100000"),
        (["wave", "--temperature", "-1"], "temperature must be above 0"),
        (["wave", "--temperature", "nan"], "temperature must be above 0"),
        (["wave", "--top-p", "1.5"], "top_p must be above 0"),
        (["wave", "--guidance", "50"], "guidance must be 0 to 10, got 50"),
        (["wave", "--duration", "3600"], "duration must be 0.32 to 20 s"),
        (["wave", "--workers", "0"], "--workers must be at least 1"),
        (["wave", "--confirm", "-1"], "--confirm must be 0 or more"),
        (["wave", "--top", "4"], "must be 1 to 3, the number of candidates, got 4"),
        (["wave", "--device", "tpu"], "no device 'tpu'; there are auto, cpu, cuda"),
        (["wave", "--format", "mp3"], "mp3"),
        (["--prompts-file", "missing.txt"], "missing.txt: no such file"),
    ],
)
def test_a_wrong_option_is_exit_code_2_before_anything_is_done(
    args: list[str],
    said: str,
    generator: StandingGenerator,
    capsys: pytest.CaptureFixture[str],
) -> None:
    count = [] if "-n" in args else ["-n", "3"]
    assert main(["generate", *args, *count]) == 2
    assert said in capsys.readouterr().err
    assert generator.batches == []


def test_a_long_prompt_has_a_short_folder_of_its_own() -> None:
    first, second = ("walk " * 500 + end for end in ("left", "right"))
    names = {folder_name(first), folder_name(second)}
    assert len(names) == 2 and all(len(name) < 60 for name in names)
    assert folder_name("A person waves.") == "a-person-waves"


# With a semantic verifier


def test_the_best_aligned_survivor_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def find(which: str | None) -> FakeVerifier:
        assert which == "paper"
        return FakeVerifier(lambda text, m: float(abs(m.joint_pos[-1, 20])))

    monkeypatch.setattr(find_module, "find_semantics", find)
    command = ["generate", "wave", *QUICK, "-o", "run", "--semantics", "paper"]
    assert main(command) == 0
    found = record(tmp_path / "run")
    assert found["request"]["rule"] == "texedo"
    assert found["request"]["scorer"].endswith("R_text of fake")
    assert found["weights"]["semantics"] == "v0"
    table = (tmp_path / "run" / "candidates.csv").read_text()
    scores = [float(row["r_text"]) for row in csv.DictReader(table.splitlines())]
    assert found["chosen"] == scores.index(max(scores))
    assert "Highest R_text" in found["why"]
    assert "R_text" in capsys.readouterr().out


def test_without_a_verifier_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(find_module, "has_semantics", lambda: True)
    command = ["generate", "wave", *QUICK, "-o", "run", "--semantics", "none"]
    assert main(command) == 0
    assert record(tmp_path / "run")["request"]["rule"] == "oracle"
    assert main([*command, "--rule", "semantics"]) == 2
    assert "needs the scores semantics" in capsys.readouterr().err


# With a dynamic verifier


def foresees(
    monkeypatch: pytest.MonkeyPatch, chances: list[float], **options: Any
) -> None:
    """The candidates of the prompt "wave" have these chances, and R_text goes up."""
    motions = StandingGenerator().sample("wave", len(chances))
    ends = [float(postprocess([m])[0][0].joint_pos[-1, 20]) for m in motions]

    def number(motion: Motion) -> int:
        return int(np.argmin(np.abs(np.array(ends) - motion.joint_pos[-1, 20])))

    verifier = FakeDynamics(lambda motion: chances[number(motion)], **options)
    reader = FakeVerifier(lambda _, motion: number(motion) / 10)
    monkeypatch.setattr(find_module, "has_dynamics", lambda: True)
    monkeypatch.setattr(find_module, "has_semantics", lambda: True)
    monkeypatch.setattr(find_module, "find_dynamics", lambda which: verifier)
    monkeypatch.setattr(find_module, "find_semantics", lambda which: reader)


def perform_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Somebody was performed.")

    monkeypatch.setattr("texedo.pipeline.oracle.OracleScorer", refuse)


def test_a_verifier_chooses_without_performing_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    promise = {"max_failure": 0.01, "threshold": 0.6, "n": 500, "level": 0.95}
    foresees(monkeypatch, [0.95, 0.98, 0.1], guarantee=promise)
    perform_nothing(monkeypatch)
    assert main(["generate", "wave", *QUICK, "-o", "run"]) == 0
    found = record(tmp_path / "run")
    # Candidate 2 fits best and is expected to fall.
    assert found["chosen"] == 1 and found["expected"] is True
    assert found["survived"] is None and found["survivors"] is None
    assert found["request"]["threshold"] == 0.6 and found["guarantee"] == promise
    assert found["weights"] == {"dynamics": "d0", "tracker": "t0", "semantics": "v0"}
    assert found["table_row"]["expected_success"] == 0.98
    assert "score" in found["seconds"] and "perform" not in found["seconds"]
    table = (tmp_path / "run" / "candidates.csv").read_text()
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["outcome"] for row in rows] == ["outranked", "chosen", "infeasible"]
    assert rows[2]["expected_part"] == "right foot" and rows[0]["survived"] == ""
    out = " ".join(capsys.readouterr().out.split())
    assert "not performed: expected to finish (0.98)." in out
    assert "not chosen: 2 of 3: 1 lower R_text, " in out
    assert "1 R_dyn not above 0.6 (right foot height)" in out
    assert "At most 1 % of the motions that are chosen so fail" in out
    assert "R_dyn" in out and "Q*" not in out


def test_the_winner_is_performed_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    foresees(monkeypatch, [0.95, 0.98, 0.1])
    command = ["generate", "wave", "-n", "3", "--no-video", "-o"]
    assert main([*command, "run"]) == 0
    found = record(tmp_path / "run")
    assert found["chosen"] == 1 and found["survived"] is True
    assert found["expected"] is None and found["holds"] is True
    assert list(found["performed"]) == ["1"] and "confirm" in found["seconds"]
    assert found["request"]["confirm"] == 3 and found["weights"]["tracker"] != "t0"
    out = capsys.readouterr().out
    assert "performed to the end" in out and "not performed" not in out
    # Five perturbed robots, who have the same motion.
    assert main([*command, "robust", "--robust"]) in (0, 1)
    robust = record(tmp_path / "robust")
    assert robust["performed"]["1"]["robots"] == 5
    assert "of 5 perturbed robots finish" in capsys.readouterr().out


def test_a_winner_that_falls_gives_way_and_the_last_try_is_said_aloud(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    generator: StandingGenerator,
) -> None:
    foresees(monkeypatch, [0.95, 0.98, 0.97])
    generator.frames = 90  # Long enough for a robot without a controller to fall.
    monkeypatch.setattr(
        "texedo.tracker.policies.find.find_policy", lambda _: OpenLoopPolicy()
    )
    command = ["generate", "wave", "-n", "3", "--no-video", "-o", "run"]
    assert main([*command, "--confirm", "2"]) == 1
    found = record(tmp_path / "run")
    assert len(found["performed"]) == 2 and found["survived"] is False
    assert found["rejected"]["fails in physics"] == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "none of the 2 best holds in physics. The motion is the best of them" in out


def test_several_motions_are_written_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    foresees(monkeypatch, [0.95, 0.98, 0.97])
    command = ["generate", "wave", *QUICK, "-o", "run"]
    assert main([*command, "--top", "2", "--format", "lafan1"]) == 0
    found = record(tmp_path / "run")
    assert found["handed_out"] == [2, 1]
    motions = {"motion.npz", "motion-2.npz", "motion-lafan1.csv", "motion-2-lafan1.csv"}
    assert motions <= set(found["files"]) and ", 2 motions" in capsys.readouterr().out
    # One motion in its place leaves no second one behind.
    assert main([*command, "--overwrite"]) == 0
    assert not (tmp_path / "run" / "motion-2.npz").exists()


def test_adaptive_sampling_is_asked_for_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    foresees(monkeypatch, [0.9] * 12)
    monkeypatch.setattr(
        find_module, "find_semantics", lambda which: FakeVerifier(lambda *_: 0.9)
    )
    command = ["generate", "wave", "--no-video", "--confirm", "0", "--adaptive"]
    assert main([*command, "-n", "12", "-o", "run"]) == 0
    found = record(tmp_path / "run")
    assert found["candidates"] == 8 and found["request"]["candidates"] == 12
    rule = {"first": 8, "batch": 4, "ahead": 12, "worth": 0.04}
    assert found["request"]["adaptive"] == rule
    assert main([*command, "--semantics", "none"]) == 2
    assert "Adaptive sampling stops by R_text" in capsys.readouterr().err


def test_if_nobody_passes_the_best_is_handed_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    foresees(monkeypatch, [0.1, 0.3, 0.2])
    command = ["generate", "wave", *QUICK, "-o", "run"]
    assert main(command) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "The motion is the best of them, expected to fall at 0.4 s" in out
    assert "Highest R_dyn (0.36" in out
    assert "no candidate's R_dyn is above 0.6. Try more candidates" in out
    found = record(tmp_path / "run")
    assert (found["chosen"], found["expected"]) == (1, False)
    assert "guarantee" not in found and (tmp_path / "run" / "motion.npz").exists()
    assert main(command) == 1
    assert "no candidate passes." in capsys.readouterr().out


def test_the_oracle_is_asked_for_by_name_or_by_a_tracker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foresees(monkeypatch, [0.9, 0.9, 0.9])
    for i, options in enumerate((["--scorer", "oracle"], ["--tracker", "stiff"])):
        main(["generate", "wave", *QUICK, "-o", f"run{i}", *options])
        found = record(tmp_path / f"run{i}")
        assert found["survivors"] == 3 and found["expected"] is None
        assert found["request"]["threshold"] == 0.8


def test_without_a_semantic_verifier_the_safest_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foresees(monkeypatch, [0.9, 0.7, 0.97])
    options = ["--semantics", "none", "--threshold", "0.5"]
    assert main(["generate", "wave", *QUICK, "-o", "run", *options]) == 0
    found = record(tmp_path / "run")
    assert found["request"]["rule"] == "dynamics" and found["chosen"] == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--scorer", "judge"], "no scorer 'judge'; there are verifier, oracle"),
        (["--scorer", "oracle", "--dynamics", "paper"], "needs no verifier (paper)"),
        (["--scorer", "verifier", "--tracker", "weak"], "texedo adapt --tracker weak"),
        (["--rule", "oracle"], "needs the scores quality, which R_dyn of fake"),
    ],
)
def test_scorers_that_do_not_go_together_are_refused(
    args: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    foresees(monkeypatch, [0.9, 0.9, 0.9])
    assert main(["generate", "wave", *QUICK, *args]) == 2
    assert said in capsys.readouterr().err


def test_a_verifier_that_is_not_there_is_told_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("texedo.checkpoints.bundled.BUNDLED", Path("nowhere"))
    assert main(["generate", "wave", *QUICK, "--scorer", "verifier"]) == 2
    assert "no dynamics of its own" in capsys.readouterr().err


def test_the_command_loads_a_simulator_only_for_the_oracle() -> None:
    code = (
        "import sys, texedo.apps.generate.command;"
        "bad = {'torch', 'mujoco'} & set(sys.modules);"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
