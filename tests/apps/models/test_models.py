"""`texedo models` and `texedo models fetch` from the command line."""

import json
from pathlib import Path

import pytest

from tests.support.file_server import FileServer, Served
from texedo.apps import cli

Capture = pytest.CaptureFixture[str]
BASE = "JianuoCao/TEXEDO-Checkpoint/resolve/main/verifiers/dynamic/"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path))
    return tmp_path


def test_the_list_has_what_ships_and_what_could_be_fetched(capsys: Capture) -> None:
    assert cli.main(["models"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("tracker", "tokenizer", "semantics", "MIT"))
    assert "official-generator   lacks generator, words" in out


def test_json_has_cards_hashes_and_numbers(capsys: Capture) -> None:
    assert cli.main(["models", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    tracker = next(m for m in record["installed"] if m["name"] == "tracker")
    assert len(tracker["sha256"]) == 64 and tracker["intact"]
    assert tracker["quality"]["success"] > 0.9
    assert tracker["card"].startswith("# The tracker that ships")


def test_a_model_is_fetched_and_then_listed(capsys: Capture) -> None:
    files = {f"{BASE}checkpoint_last.pt": Served(b"w" * 3000, cut_after=[1000])}
    files[f"{BASE}norm_stats.npz"] = Served(b"s")
    with FileServer(files) as server:
        args = ["models", "fetch", "official-dynamics", "--url", server.url()]
        assert cli.main(args) == 0
        first, second = capsys.readouterr().out.splitlines()
    assert "checkpoint_last.pt: fetched" in first
    assert "norm_stats.npz: fetched" in second
    cli.main(["models"])
    assert "official-dynamics    here" in capsys.readouterr().out


def test_what_the_server_has_not_is_one_line(capsys: Capture) -> None:
    with FileServer({}) as server:
        args = ["models", "fetch", "dynamic-scales", "--url", server.url()]
        assert cli.main(args) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "is not there (404)" in said


def test_a_wrong_hash_is_one_line(capsys: Capture, home: Path) -> None:
    with FileServer({f"{BASE}norm_stats.npz": Served(b"s")}) as server:
        args = ["models", "fetch", "dynamic-scales", "--url", server.url()]
        assert cli.main([*args, "--sha256", "0" * 64]) == 2
    assert "should be 000" in capsys.readouterr().err
    assert not list(home.rglob("norm_stats.npz*"))


@pytest.mark.parametrize("name", ["nothing", "official"])
def test_an_unknown_name_lists_the_known_ones(name: str, capsys: Capture) -> None:
    assert cli.main(["models", "fetch", name]) == 2
    assert "official-generator, official-tokenizer" in capsys.readouterr().err
