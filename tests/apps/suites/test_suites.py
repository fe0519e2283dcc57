"""The suites as commands, on models that can be foretold."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.standing import stiff
from tests.support.suites import KnowingVerifier, UnevenGenerator
from tests.support.verifiers import FakeVerifier
from texedo.apps import cli
from texedo.apps.suites import all_, cases, options, others, robot_prompts, selection
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.evaluation.suites import ood as ood_list
from texedo.evaluation.suites.prompts import Asked
from texedo.quality import Normalizers


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = replace(stiff(), normalizers=Normalizers(e_acc=5.0, e_vel=20.0))
    fake = FakeVerifier(lambda text, motion: len(motion) / 100)
    monkeypatch.setattr(
        options, "find_generator", lambda which, device="auto": UnevenGenerator()
    )
    monkeypatch.setattr(options, "find_policy", lambda which: policy)
    monkeypatch.setattr(options, "find_dynamics", lambda which: KnowingVerifier())
    monkeypatch.setattr(options, "find_semantics", lambda which: fake)
    monkeypatch.setattr(options, "find_judges", lambda names: ())


def replace_size(*, num: int, draws: int) -> all_.Size:
    """As small as it gets."""
    return all_.SIZES["tiny"]._replace(
        num=num, draws=draws, prompts=1, robot=1, counts=(1,), many=(1,)
    )


def evaluate(*args: str) -> int:
    return cli.main(["evaluate", *args])


def test_the_main_table_is_printed_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("\nstand\n\nstay\nstand\n")
    out = tmp_path / "results"
    args = ["-n", "4", "--draws", "0", "-o", str(out), "--prompts-file", str(prompts)]
    assert evaluate("selection", *args) == 0
    said = capsys.readouterr().out
    assert "2 prompts, N = 4" in said and "| semantics only | 2 | 0.000" in said
    assert "| paper: Texedo, N = 32 | - | 0.984" in said
    table = (out / "selection" / "selection.md").read_text()
    assert table in said
    assert evaluate("selection", *args, "--json") == 0
    assert json.loads(capsys.readouterr().out)["settings"]["prompts"] == 2
    assert (out / "selection" / "selection.md").read_text() == table


def test_captions_from_a_file_are_asked_beside_the_prompts_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [Asked(text="stand", kind="people")]
    monkeypatch.setattr(selection, "ruled", lambda part: rules)
    path = tmp_path / "captions.txt"
    path.write_text("a person waves\n\nstand\n")
    asked = selection.asked_for(selection.Cfg(captions=path))
    assert [(own.text, own.kind, own.shown) for own in asked] == [
        ("stand", "people", True),
        ("a person waves", "captions", False),
    ]


def test_a_generator_that_nobody_has_seen_stands_beside_the_papers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(UnevenGenerator):
        name, digest = "other", "o0"

    def find(which: str, device: str = "auto") -> UnevenGenerator:
        return Other() if which == "other" else UnevenGenerator()

    monkeypatch.setattr(options, "find_generator", find)
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("stand\nstay\n")
    out = tmp_path / "results"
    args = ["-n", "4", "--draws", "0", "-o", str(out), "--prompts-file", str(prompts)]
    assert evaluate("unseen-generator", *args, "--unseen", "other") == 0
    said = capsys.readouterr().out
    assert "never seen: other" in said and "| semantics only | 2 | 0.000" in said
    assert "| paper: Kimodo, Texedo, N = 32 | - | 0.954 | 37.49" in said
    report = json.loads((out / "unseen-generator/unseen-generator.json").read_text())
    assert report["settings"]["generator"] == "o0"
    assert evaluate("unseen-generator", *args, "--unseen", "texedo") == 2
    assert "is the generator of the main table" in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_named_before_anything_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--device", "--physics"):
        assert evaluate("ood", option, "tpu", "-o", str(tmp_path / "r")) == 2
        assert "must be cpu or cuda, got 'tpu'" in capsys.readouterr().err
    assert evaluate("ood", "--workers", "0", "-o", str(tmp_path / "r")) == 2
    assert "--workers" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_a_folder_of_another_version_is_named_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.json").write_text('{"kind": "texedo-results", "version": 0}')
    assert (
        evaluate("robot-prompts", "--limit", "1", "-n", "1", "-o", str(tmp_path)) == 2
    )
    assert "version 0" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--draws", "-1"], "--draws"),
        (["-n", "0"], "1 to"),
        (["--limit", "0"], "--limit"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    args: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("ood", *args, "-o", str(tmp_path / "r")) == 2
    assert said in capsys.readouterr().err


def test_prompts_are_checked_against_a_corpus(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ood_list, "_REQUESTS", 5)
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("genuflect slowly\nwalk\n")
    counted = tmp_path / "counted.json"
    args = ["--check", str(SAMPLE_FILE), "--prompts-file", str(prompts)]
    assert evaluate("ood", *args, "--write", str(counted)) == 1
    said = capsys.readouterr().out
    assert "genuflect slowly: genuflect" in said
    assert "walk: nothing: it is in distribution" in said
    assert "1 of 2 prompts are out of distribution" in said
    assert json.loads(counted.read_text())["words"]["walk"] > 0


def test_all_suites_go_to_one_page_and_again_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[str] = []

    def steps(
        given: others.Given, *, candidates: int
    ) -> tuple[others.Steps, dict[str, str]]:
        def words() -> None:
            calls.append("words")
            for name in ("words/words", "understanding/understanding-dev"):
                path = given.out / f"{name}.md"
                path.parent.mkdir(exist_ok=True)
                path.write_text("| | right |\n|---|---|\n| left | 1 |\n")
                path.with_suffix(".json").write_text("{}")

        return {"words": words}, {"dynamics": "no --trials."}

    monkeypatch.setattr(others, "steps", steps)
    size = replace_size(num=2, draws=1)
    monkeypatch.setitem(all_.SIZES, "tiny", size)
    out, page = tmp_path / "out", tmp_path / "docs" / "results.md"
    args = ["all", "--size", "tiny", "-o", str(out), "--page", str(page)]
    assert evaluate(*args) == 0
    assert "7 suites" in capsys.readouterr().out
    text = page.read_text()
    headings = ("Selection", "Best of N", "Out of dis", "The prompts of", "How long it")
    headings += ("How time and memory grow", "Understanding, dev", "Words")
    assert all(f"\n## {heading}" in text for heading in headings)
    assert "- `dynamics`: no --trials." in text
    assert (page.parent / "images/results/best-of-n/success.svg").is_file()
    html = (out / "index.html").read_text()
    for name in ("How long it takes", "Understanding, dev", "Words"):
        assert f"<h1>{name}</h1>" in html
    labels = (out / "kept" / "labels.jsonl").read_bytes()
    assert evaluate(*args) == 0
    assert page.read_text() == text and calls == ["words"]
    assert (out / "kept" / "labels.jsonl").read_bytes() == labels


def test_a_suite_that_fails_stops_no_other_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(cfg: object, base: object) -> None:
        from texedo.core.errors import TexedoError

        raise TexedoError("No luck.")

    monkeypatch.setattr(robot_prompts, "report", fail)
    size = replace_size(num=1, draws=0)
    monkeypatch.setitem(all_.SIZES, "tiny", size)
    args = ["--size", "tiny", "--only", "robot-prompts", "--only", "ood"]
    assert evaluate("all", *args, "-o", str(tmp_path)) == 1
    assert "robot-prompts: No luck." in capsys.readouterr().err
    text = (tmp_path / "results.md").read_text()
    assert "--only robot-prompts --only ood`" in text
    assert "- `robot-prompts`: No luck." in text and "## Out of dis" in text
    assert evaluate("all", "--only", "nothing", "-o", str(tmp_path)) == 2
    assert "There is no suite 'nothing'" in capsys.readouterr().err


def test_suites_without_what_they_need_are_left_out(tmp_path: Path) -> None:
    given = others.Given(
        out=tmp_path,
        part="dev",
        generator="texedo",
        tracker="texedo",
        dynamics="texedo",
        semantics="texedo",
        corpus=None,
        trials=None,
        embedding=None,
        seed=0,
        device="cpu",
        workers=None,
    )
    found, left_out = others.steps(given, candidates=1)
    assert set(found) == {"understanding", "words"}
    assert left_out["tracker"] == "no --corpus."
    corpus = given._replace(corpus=tmp_path, trials=tmp_path, embedding=tmp_path)
    found, left_out = others.steps(corpus, candidates=1)
    assert {"tracker", "tokenizer", "semantics", "generator", "dynamics"} <= set(found)
    assert not left_out


def test_cases_are_drawn_from_results_with_choices_that_may_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases, "quick_backend", lambda: "software")
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("stand\n")
    out, picture = tmp_path / "results", tmp_path / "pictures" / "cases.png"
    args = ["-n", "4", "--draws", "0", "-o", str(out), "--prompts-file", str(prompts)]
    assert evaluate("selection", *args) == 0
    assert evaluate("cases", str(out), "-o", str(picture)) == 0
    assert "base fails at both: in none of these results" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    (out / "selection" / "selection.json").unlink()
    assert evaluate("cases", str(out), "-o", str(picture)) == 2
    assert "holds no choices" in capsys.readouterr().err


def test_sizes_are_measured_as_named_and_nonsense_is_refused_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("stand\n\nstay\nstand\n")
    args = ["--prompts-file", str(prompts), "--repeats", "1", "-o", str(out)]
    assert evaluate("scale", "--counts", "0", *args) == 2
    assert "--counts must be 1 or more" in capsys.readouterr().err
    assert not out.exists()
    sizes = ["--counts", "1", "2", "--prompts", "3", "-n", "2"]
    assert evaluate("scale", *sizes, *args) == 0
    said = capsys.readouterr().out
    assert "| N = 2 | 1 |" in said and "| P = 3 | 1 |" in said
    report = json.loads((out / "scale" / "scale.json").read_text())
    assert report["settings"]["prompts"] == 2
    growth = report["tables"][2]["rows"]["candidates"]["in all"]
    assert growth["n"] == 2 and growth["interval"] is None
    assert (out / "scale" / "candidates.svg").is_file()
