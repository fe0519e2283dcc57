"""The command line: finding commands, help, exit codes and errors."""

import importlib
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest

import texedo
from tests.support import fake_command
from tests.support.standing import standing
from texedo.apps import cli


@pytest.fixture(autouse=True)
def fake_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    row = cli.Command("tests.support.fake_command", "Testing", "does as it is told")
    monkeypatch.setitem(cli.COMMANDS, "obey", row)
    monkeypatch.setitem(cli.COMMANDS, "train parrot", row)
    missing = cli.Command("texedo.apps.not_written_yet", "Testing", "later")
    monkeypatch.setitem(cli.COMMANDS, "later", missing)


def test_a_command_gets_its_options_and_its_exit_code_comes_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["obey", "--say", "hello"]) == 0
    assert capsys.readouterr().out == "hello\n"
    assert cli.main(["obey", "--say", "no"]) == 1


def test_a_command_may_have_two_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", "parrot", "--say", "hello", "--loud"]) == 0
    assert capsys.readouterr().out == "HELLO\n"


def test_the_first_word_of_two_asks_for_the_second(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["train"]) == 2
    assert "needs a second word" in (err := capsys.readouterr().err)
    assert "train parrot     does as it is told" in err


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_the_help_of_a_first_word_lists_what_may_follow(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", word]) == 0
    out = capsys.readouterr().out
    assert "texedo train parrot     does as it is told" in out
    assert "texedo train tracker" in out and "data build" not in out


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command_with_one_line_and_an_example(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(args) == 0
    out = capsys.readouterr().out
    assert "does as it is told" in out
    assert "Example" in out
    for name, row in cli.available_commands().items():
        assert f"  {name} " in out and row.help in out
    assert all(len(line) <= 88 for line in out.splitlines())


def test_help_never_names_a_command_that_is_not_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cli.main(["--help"])
    assert "later" not in capsys.readouterr().out
    assert cli.main(["later"]) == 2


def test_every_command_in_the_example_exists() -> None:
    used = [line.split()[1] for line in cli._EXAMPLE.splitlines() if "texedo " in line]
    assert used and set(used) <= set(cli.COMMANDS)


def test_the_help_of_a_command_is_made_of_its_docstrings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as exit_info:
        cli.main(["obey", "--help"])
    assert exit_info.value.code == 0
    out = capsys.readouterr().out
    assert "texedo obey" in out and "Do as you are told." in out
    assert "What to print." in out
    assert "--no-loud" not in out  # one spelling of a switch is enough


def test_a_wrong_option_is_exit_code_2() -> None:
    with pytest.raises(SystemExit) as exit_info:
        cli.main(["obey", "--sya", "hello"])
    assert exit_info.value.code == 2


@pytest.mark.parametrize(
    ("typed", "meant"), [("obay", "obey"), ("train parot", "train parrot")]
)
def test_an_unknown_command_suggests_the_nearest(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(typed.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1
    assert meant in err


def test_nothing_near_points_to_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["xyzzy"]) == 2
    assert "--help" in capsys.readouterr().err


def test_an_option_before_the_command_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["--say", "hello", "obey"]) == 2
    assert "after a command" in capsys.readouterr().err


def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["obey", "--raises", "motion"]) == 2
    err = capsys.readouterr().err
    assert err == "error: walk.csv: frame 3 holds NaN; repair it.\n"


def test_an_operating_system_error_names_its_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["obey", "--raises", "os"]) == 2
    assert "gone.npz" in capsys.readouterr().err


def test_debugging_shows_where_bad_input_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEXEDO_DEBUG", "1")
    with pytest.raises(texedo.TexedoError):
        cli.main(["obey", "--raises", "motion"])


def test_ctrl_c_is_exit_code_130_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["obey", "--raises", "interrupt"]) == 130
    err = capsys.readouterr().err
    assert err == "\ninterrupted; run the same command again to resume\n"
    monkeypatch.setattr(fake_command, "INTERRUPTED", "--resume OUT", raising=False)
    assert cli.main(["obey", "--raises", "interrupt"]) == 130
    assert capsys.readouterr().err == "\ninterrupted; --resume OUT\n"


def test_a_bug_is_not_dressed_up_as_bad_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["obey", "--raises", "bug"]) == cli.EXIT_BUG
    err = capsys.readouterr().err
    assert err.startswith("error: unexpected ZeroDivisionError") and "\n" in err
    assert err.count("\n") == 1 and "TEXEDO_DEBUG=1" in err


def test_debugging_shows_where_a_bug_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXEDO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError) as raised:
        cli.main(["obey", "--raises", "bug"])
    assert raised.traceback[-1].name == "run"


def test_the_exit_codes_in_the_help_are_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cli.main(["--help"])
    table = capsys.readouterr().out.partition("Exit codes\n")[2]
    codes = [int(line.split()[0]) for line in table.splitlines()]
    ends = [cli.EXIT_INTERRUPTED, cli.EXIT_TERMINATED]
    assert codes == [0, 1, cli.EXIT_BAD_INPUT, 3, cli.EXIT_BUG, *ends]


def help_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as exit_info:
        cli.main([*name.split(), "--help"])
    assert exit_info.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_no_help_speaks_of_python(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = help_of(name, capsys)
    assert f"texedo {name}" in text
    assert "{None}" not in text and "python -m" not in text


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_a_switch_that_takes_something_away_says_so(name: str) -> None:
    module = importlib.import_module(cli.COMMANDS[name].module)
    hints = get_type_hints(module.Cfg, include_extras=True)
    for field in fields(module.Cfg):
        if field.default is True:
            # The option is --no-NAME, and the field's docstring would be its opposite.
            (conf,) = hints[field.name].__metadata__
            negations = ("Leave out ", "Do not ", "Render neither ")
            assert conf.help.startswith(negations), field.name
            assert "True" not in conf.help_behavior_hint


@pytest.mark.parametrize("name", ["one:smile:", "[bold]", ":one:"])
def test_names_are_printed_as_they_are(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = folder / "walk.npz"
    texedo.save_motion(standing(50), path)
    for command in ("info", "check"):
        assert cli.main([command, str(path)]) == 0
        assert folder.name in "".join(capsys.readouterr().out.split())
    assert cli.main(["convert", str(path), str(folder / "copy.npz")]) == 0
    assert folder.name in capsys.readouterr().out


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"texedo {texedo.__version__}\n"


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from texedo.apps import cli; cli.main(['--help']);"
        "bad = {'numpy', 'tyro', 'rich', 'mujoco', 'torch'} & set(sys.modules);"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_output_that_nobody_reads_any_more_is_no_error() -> None:
    code = "from texedo.apps import cli; raise SystemExit(cli.main(['--help']))"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def options_of(name: str) -> dict[str, list[str]]:
    """Long names of a command's options, with their short ones."""
    import tyro

    module = importlib.import_module(cli.COMMANDS[name].module)
    hints = get_type_hints(module.Cfg, include_extras=True)
    found = {}
    for field in fields(module.Cfg):
        metadata = getattr(hints[field.name], "__metadata__", ())
        if tyro.conf.Positional in metadata:
            continue
        confs = [c for c in metadata if hasattr(c, "aliases")]
        named = [c.name for c in confs if c.name]
        short = [alias for c in confs for alias in c.aliases or ()]
        found[named[0] if named else field.name] = short
    return found


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_options_have_one_vocabulary(name: str) -> None:
    options = options_of(name)
    others = {"output", "fps_in", "fps_out", "source_fps", "iterations", "threads"}
    others |= {"jobs", "num_workers", "n", "seconds", "device_", "random_seed"}
    assert not others & set(options)
    if "out" in options:
        assert options["out"] == ["-o"]
