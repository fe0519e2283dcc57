"""The commands in the README and in docs/ exist, with every option they are given."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from texedo.apps import cli

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def command_lines(text: str) -> list[str]:
    """Whole `texedo` commands in blocks of code: continued lines joined, no comments."""
    joined = re.sub(r"\\\n\s*", " ", text)
    rows = re.findall(r"^(?:    |\$ )?(?:\.venv/bin/)?(texedo [a-z].*)$", joined, re.M)
    return [re.sub(r"\s+#.*", "", row) for row in rows]


LINES = [
    pytest.param(line, id=f"{page.name}: {line}")
    for page in PAGES
    for line in command_lines(page.read_text())
]


def test_continued_lines_are_joined_and_comments_left_out() -> None:
    text = "    texedo check a.npz \\\n        --brief  # soon\nIn texedo we trust.\n"
    assert command_lines(text) == ["texedo check a.npz  --brief"]


@pytest.mark.parametrize("line", LINES)
def test_every_command_line_in_the_docs_can_be_typed(line: str) -> None:
    words = shlex.split(line)[1:]
    name = next(" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in COMMANDS)
    module = importlib.import_module(COMMANDS[name].module)
    cli.parse(name, module.Cfg, words[len(name.split()) :])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_option_named_in_a_sentence_exists(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in re.findall(r"`texedo ([a-z][^`]*)`", page.read_text()):
        words = said.split()
        found = [n for n in (2, 1) if " ".join(words[:n]) in COMMANDS]
        family = any(name.startswith(f"{words[0]} ") for name in COMMANDS)
        assert found or (family and len(words) == 1), said
        options = set(re.findall(r"(?<![\w-])--[a-z-]+", said))
        if options:
            with pytest.raises(SystemExit):
                cli.main([*words[: found[0]], "--help"])
            known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
            assert options <= known, said


COMMANDS = cli.available_commands()
