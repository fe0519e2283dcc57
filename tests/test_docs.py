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
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md"]


def anchors(page: Path) -> set[str]:
    """What `#...` may follow a link to the page, in GitHub's spelling."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    words = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {word.replace(" ", "-") for word in words}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text()):
        place, _, heading = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), link
        assert not heading or heading in anchors(target), link


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_every_module_named_in_the_docs_exists(page: Path) -> None:
    text = page.read_text()
    for name in re.findall(r"`(texedo(?:\.\w+)+)", text):
        assert resolves(name) or name in GROUPS, name
    for path in re.findall(r"`([\w/]+/\w+\.py)", text):
        places = (ROOT, ROOT / "src", ROOT / "src" / "texedo")
        assert any((place / path).is_file() for place in places), path


GROUPS = {"texedo.generators"}
"""Names that are no modules: groups of entry points."""


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or an attribute of one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_the_folders_in_the_project_structure_are_those_of_the_package() -> None:
    text = (ROOT / "docs" / "project_structure.md").read_text()
    tree = text.split("```")[1].split("tests/ ")[0]
    named = set(re.findall(r"^  (\w+)/", tree, re.M))
    source = ROOT / "src" / "texedo"
    assert named == {path.parent.name for path in source.glob("*/__init__.py")}
    rooms = re.findall(r"^  (\w+)/|^    (\w+)/", tree, re.M)
    top = ""
    for first, second in rooms:
        top = first or top
        assert (source / top / second).is_dir()
