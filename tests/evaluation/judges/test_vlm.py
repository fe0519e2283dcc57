"""The ensemble of models, against a server of the test's own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.chat_server import ChatServer, Step, chat_server
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError, TexedoError
from texedo.evaluation.judges.vlm import ask as asking
from texedo.evaluation.judges.vlm.ask import Client, Question, ask_patiently
from texedo.evaluation.judges.vlm.frames import pictures
from texedo.evaluation.judges.vlm.judge import VlmCfg, VlmJudge
from texedo.evaluation.judges.vlm.models import Model, key_of, parse_model
from texedo.evaluation.judges.vlm.reply import ReplyError, read_reply
from texedo.motion import Motion

KEY = "sk-not-to-be-seen-anywhere"
MOTION = random_motion(0)


def holistic(*labels: str, score: Any = 10, opposite: bool = False) -> str:
    units = [
        {
            "id": k,
            "category": "ACTION" if k == 1 else "SPATIAL",
            "content": "walk",
            "label": label,
            "opposite": opposite,
        }
        for k, label in enumerate(labels, 1)
    ]
    return json.dumps({"semantic_units": units, "score": score, "justification": ""})


def per_axis(*marks: Any, score: Any = 10) -> str:
    names = (
        "A_primary_action",
        "B_body_part",
        "C_spatial",
        "D_temporal",
        "E_attribute",
    )
    axes = {name: {"score": mark} for name, mark in zip(names, marks, strict=False)}
    return json.dumps({"axes": axes, "has_spatial": True, "sum": 10, "score": score})


def draw(motion: Motion, count: int) -> list[bytes]:
    return [b"picture %d" % k for k in range(count)]


def judge(
    cache: Path, url: str, *, kind: str = "openai", waits: list[float] | None = None
) -> VlmJudge:
    base = f"{url}/v1" if kind == "openai" else url

    def ask(client: Client, question: Question) -> str:
        sleep = (waits if waits is not None else []).append
        return ask_patiently(client, question, tries=3, sleep=sleep)

    cfg = VlmCfg(
        models=(f"{kind}:m@{base}",),
        frames=(8,),
        rubrics=("holistic",),
        cache=cache,
        timeout=0.5,
    )
    return VlmJudge(cfg, draw=draw, ask=ask)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)


# Answers


def test_the_score_is_computed_from_the_labels_not_believed() -> None:
    found = read_reply(holistic("MATCH", "MISMATCH", score=9), "holistic")
    assert (found.score, found.said, found.contradicts) == (3, 9, True)
    assert read_reply(per_axis(0, 2, 2, 2, 2, score=8), "per_axis").score == 3
    assert not read_reply(holistic("MATCH"), "holistic").contradicts


def test_the_contrary_direction_is_read() -> None:
    labels = ("MATCH", "MISMATCH", "MATCH", "MATCH", "MATCH")
    assert read_reply(holistic(*labels), "holistic").score == 7
    assert read_reply(holistic(*labels, opposite=True), "holistic").score == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I think it is fine.", "not JSON"),
        ("```json\n{}\n```", "not JSON"),
        ("[]", "no JSON object"),
        ("{}", "semantic_units"),
        (holistic(), "1 to 32"),
        (holistic("GOOD"), "label is 'GOOD'"),
        (holistic("unknown"), "label is 'unknown'"),
        ('{"semantic_units": [{"category": "MOOD"}]}', "category is 'MOOD'"),
        ('{"semantic_units": [3]}', "no object"),
        (holistic("MATCH").replace("ACTION", "BODY"), "no ACTION"),
    ],
)
def test_what_does_not_follow_the_rubric_is_refused(text: str, says: str) -> None:
    with pytest.raises(ReplyError, match=says):
        read_reply(text, "holistic")


@pytest.mark.parametrize("marks", [(2, 2, 2, 2), (2, 2, 2, 2, 3), (2, 2, 2, 2, True)])
def test_axes_are_all_there_and_0_1_or_2(marks: tuple[Any, ...]) -> None:
    with pytest.raises(ReplyError, match="E_attribute"):
        read_reply(per_axis(*marks), "per_axis")


# Models and keys


def test_models_are_named_by_kind_name_and_address() -> None:
    assert parse_model("openai:a/b@http://localhost:1/v1") == Model(
        "openai", "a/b", "http://localhost:1/v1"
    )
    for bad in ("gpt", "other:m", "openai:", "openai:m@ftp://x"):
        with pytest.raises(TexedoError, match="m|gpt"):
            parse_model(bad)
    with pytest.raises(TexedoError, match="OPENAI_API_KEY") as error:
        parse_model(f"openai:m@https://user:{KEY}@host/v1")
    assert KEY not in str(error.value)


def test_a_key_comes_from_the_environment_or_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert key_of(parse_model("gemini:m")) == KEY
    monkeypatch.delenv("OPENAI_API_KEY")
    assert key_of(parse_model("openai:m@http://localhost:1/v1")) == "none"
    with pytest.raises(TexedoError, match="set OPENAI_API_KEY"):
        key_of(parse_model("openai:m"))


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(asking.importlib, "import_module", missing)
    with pytest.raises(TexedoError, match=r"texedo\[judge\]"):
        asking.connect(parse_model("gemini:m"), timeout=1)


# Asking


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_rubric_prompt_and_pictures_are_sent_at_temperature_zero(
    kind: str, tmp_path: Path
) -> None:
    with chat_server([Step(holistic("MATCH"))]) as server:
        found = judge(tmp_path, server.url, kind=kind).judge("walk <b>", MOTION)
    assert found.score == 10
    sent = json.dumps(server.requests[0])
    assert sent.count("image/png") == 8 and "walk <b>" in sent
    assert "STANDS FOR THE PERSON" in sent and '"temperature": 0' in sent


def test_the_mean_of_eight_calls_is_the_score(tmp_path: Path) -> None:
    with chat_server([Step(holistic("MATCH"))]) as server:
        cfg = VlmCfg(
            models=(f"openai:m@{server.url}/v1", f"gemini:m@{server.url}"),
            cache=tmp_path,
        )
        asked: list[Question] = []

        def ask(client: Client, question: Question) -> str:
            asked.append(question)
            if "FIVE AXES" in question.rubric:
                return per_axis(2, 2, 1, 1, 2)
            return holistic("MATCH" if len(question.pictures) == 8 else "MISMATCH")

        found = VlmJudge(cfg, draw=draw, ask=ask).judge("walk", MOTION)
    # Each model: 10 and 1 by the holistic rubric, 8 and 8 by the axes.
    assert len(asked) == 8 and found.score == pytest.approx((10 + 1 + 8 + 8) / 4)


def test_answers_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    with chat_server([Step(holistic("MATCH"))]) as server:
        first = judge(tmp_path, server.url)
        assert first.plan([("walk", MOTION)]).calls == 1
        first.judge("walk", MOTION)
        assert judge(tmp_path, server.url).judge("walk", MOTION).score == 10
        assert first.plan([("walk", MOTION)])[:2] == (0, 1)
        first.judge("run", MOTION)
    assert len(server.requests) == 2
    kept = [path.read_text() for path in tmp_path.rglob("*.json")]
    assert len(kept) == 2 and KEY not in "".join(kept)


def test_a_plan_sends_nothing_and_counts_the_cost(tmp_path: Path) -> None:
    with chat_server([Step(holistic("MATCH"))]) as server:
        plan = judge(tmp_path, server.url).plan([("walk", MOTION), ("run", MOTION)])
    assert server.requests == [] and (plan.calls, plan.pictures) == (2, 16)
    assert plan.cost(1.0, 0.0) == pytest.approx(plan.input_tokens / 1e6)


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_a_busy_server_is_waited_for_as_long_as_it_asks(
    kind: str, tmp_path: Path
) -> None:
    steps = [Step(status=429, headers={"Retry-After": "7"}), Step(holistic("MATCH"))]
    waits: list[float] = []
    with chat_server(steps) as server:
        found = judge(tmp_path, server.url, kind=kind, waits=waits)
        assert found.judge("walk", MOTION).score == 10
    assert len(server.requests) == 2 and waits == [7.0]


def test_waits_grow_and_end(tmp_path: Path) -> None:
    waits: list[float] = []
    with chat_server([Step(status=503)]) as server:
        with pytest.raises(TexedoError, match="503.*tried 3 times") as error:
            judge(tmp_path, server.url, waits=waits).judge("walk", MOTION)
    assert 1 <= waits[0] < waits[1] <= 2.5 and KEY not in str(error.value)


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_a_server_that_does_not_answer_in_time_is_named(
    kind: str, tmp_path: Path
) -> None:
    with chat_server([Step(holistic("MATCH"), delay=5)]) as server:
        with pytest.raises(TexedoError, match=r"(?i)time.*tried 3 times"):
            judge(tmp_path, server.url, kind=kind).judge("walk", MOTION)
    assert len(server.requests) == 3


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_the_key_is_in_no_message_even_if_the_server_repeats_it(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    body = json.dumps({"error": {"code": 401, "message": f"bad key {KEY}"}})
    caplog.set_level(0)
    with chat_server([Step(status=401, body=body)]) as server:
        with pytest.raises(TexedoError, match="401") as error:
            judge(tmp_path, server.url, kind=kind).judge("walk", MOTION)
    assert len(server.requests) == 1  # A wrong key does not get better.
    assert KEY in json.dumps(server.headers)
    assert KEY not in str(error.value) and KEY not in caplog.text
    assert error.value.__cause__ is None and error.value.__suppress_context__


def test_an_answer_that_strays_once_is_asked_for_again(tmp_path: Path) -> None:
    steps = [Step("Sure! Here it is."), Step(holistic("MATCH"))]
    with chat_server(steps) as server:
        assert judge(tmp_path, server.url).judge("walk", MOTION).score == 10
    assert len(server.requests) == 2


def test_an_answer_that_strays_twice_is_left_out_and_not_kept(tmp_path: Path) -> None:
    with chat_server([Step("no")]) as server:
        (answer,) = judge(tmp_path, server.url).answers("walk", MOTION)
        assert answer.reply is None and "not JSON" in answer.fault
        with pytest.raises(TexedoError, match="none of 1 answers"):
            judge(tmp_path, server.url).judge("walk", MOTION)
    assert not list(tmp_path.rglob("*.json"))


def test_a_server_of_another_kind_is_named(tmp_path: Path) -> None:
    with chat_server([Step(body="<html>hello</html>")]) as server:
        with pytest.raises(TexedoError, match="openai:m@"):
            judge(tmp_path, server.url).judge("walk", MOTION)


def test_a_damaged_file_of_the_cache_is_asked_for_again(tmp_path: Path) -> None:
    with chat_server([Step(holistic("MATCH"))]) as server:
        judge(tmp_path, server.url).judge("walk", MOTION)
        for path in tmp_path.rglob("*.json"):
            path.write_text("{")
        assert judge(tmp_path, server.url).judge("walk", MOTION).score == 10
    assert len(server.requests) == 2


def test_rubrics_may_come_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "holistic.txt").write_text("my own rubric")
    cfg = VlmCfg(models=("openai:m",), rubrics=("holistic",), rubric_folder=tmp_path)
    assert VlmJudge(cfg, draw=draw).rubrics == {"holistic": "my own rubric"}
    with pytest.raises(FileFormatError, match="per_axis.txt"):
        VlmJudge(VlmCfg(rubric_folder=tmp_path), draw=draw)


def test_pictures_are_png_files_from_first_to_last_frame() -> None:
    files = pictures(MOTION, 3, size=(64, 48), backend="software")
    assert len(files) == 3 and all(f.startswith(b"\x89PNG") for f in files)
    assert files[0] != files[2]


def test_the_server_of_these_tests_repeats_its_last_step() -> None:
    assert ChatServer([Step("a"), Step("b")], requests=[{}] * 5).next().answer == "b"
