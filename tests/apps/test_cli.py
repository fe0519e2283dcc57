"""The command line: finding commands, help, exit codes and errors."""

import subprocess
import sys

import pytest

import texedo
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
    assert "train parrot" in err


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


def test_ctrl_c_is_exit_code_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["obey", "--raises", "interrupt"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_bug_is_not_dressed_up_as_bad_input() -> None:
    with pytest.raises(ZeroDivisionError):
        cli.main(["obey", "--raises", "bug"])


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
