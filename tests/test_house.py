"""The house around the package: cheap imports, public names, rules of size, files."""

import ast
import importlib
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import texedo

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "texedo"
MODULES = sorted(SOURCE.rglob("*.py"))


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_importing_texedo_takes_less_than_three_tenths_of_a_second() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        assert run_python("import texedo").returncode == 0
        return time.perf_counter() - start

    # The whole interpreter start is counted; the best of five, for a busy machine.
    assert min(seconds() for _ in range(5)) < 0.3


def test_importing_texedo_loads_neither_torch_nor_mujoco() -> None:
    code = (
        "import sys, texedo; texedo.Motion; texedo.forward_kinematics;"
        "texedo.check_motion; texedo.load_motion; texedo.select_best;"
        "bad = {'torch', 'mujoco', 'scipy', 'PIL'} & set(sys.modules);"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(texedo._PUBLIC))
def test_every_public_name_is_there(name: str) -> None:
    value = getattr(texedo, name)
    assert value is getattr(importlib.import_module(texedo._PUBLIC[name]), name)
    assert name in dir(texedo)


def test_a_look_at_the_package_shows_its_public_names_and_nothing_else() -> None:
    import texedo.apps.cli  # A submodule that is loaded is not a public name.

    shown = {name for name in dir(texedo) if not name.startswith("__")}
    assert shown == set(texedo._PUBLIC)
    wanted = {"rollout", "render_motion", "find_policy", "find_generator", "Sampling"}
    assert wanted <= shown and hasattr(texedo, "apps")


def test_the_names_for_type_checkers_are_the_names_at_run_time() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    spelled = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert spelled == texedo._PUBLIC


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'walk'"):
        _ = texedo.walk  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_modules_and_functions_are_small(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            count = sum(
                map(len, (arguments.posonlyargs, arguments.args, arguments.kwonlyargs))
            )
            # 80: a training loop reads top to bottom; everything else is at most 40.
            limit = 80 if node.name.startswith("train") else 40
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            length -= (ast.get_docstring(node, clean=False) or "").count("\n")
            assert length <= limit, f"{node.name} has {length} lines"
            assert count <= 9, f"{node.name} has {count} parameters"  # self included


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text))


def required_by(extra: str) -> set[str]:
    """Packages of an extra and of the extras that it names, in lower case."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names: set[str] = set()
    for wanted in project["optional-dependencies"][extra]:
        name, _, extras = re.split(r"[>=]", wanted)[0].partition("[")
        if name == "texedo":
            names |= set().union(*map(required_by, extras.rstrip("]").split(",")))
        else:
            names.add(name.lower())
    return names


def test_everything_that_is_required_is_pinned() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = settings["project"]["dependencies"] + settings["build-system"]["requires"]
    wanted = {name.split(">=")[0].lower() for name in named}
    rows = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {row.split("==")[0].lower() for row in rows if not row.startswith("#")}
    assert wanted | required_by("dev") <= pinned


def test_no_test_waits_for_a_package_that_the_tests_do_not_install() -> None:
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        found |= set(re.findall(r'importorskip\(\s*"(\w+)', path.read_text()))
    packages = {name.lower().replace("_", "-") for name in found}
    packages -= {name.lower() for name in sys.stdlib_module_names}
    assert "mujoco-warp" in packages
    assert packages <= required_by("dev")


def test_options_are_read_by_one_library() -> None:
    paths = [*MODULES, *(ROOT / "benchmarks").glob("*.py")]
    assert not [path for path in paths if "argparse" in path.read_text()]


def test_the_capture_data_is_acknowledged_in_its_own_words() -> None:
    notice = " ".join((ROOT / "NOTICE").read_text().split())
    assert (
        "The data used in this project was obtained from mocap.cs.cmu.edu. The database "
        "was created with funding from NSF EIA-0196217."
    ) in notice


def test_every_relative_link_in_the_readme_leads_somewhere() -> None:
    text = (ROOT / "README.md").read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_command_in_the_readme_exists() -> None:
    from texedo.apps import cli

    text = (ROOT / "README.md").read_text()
    used = re.findall(r"^(?:\.venv/bin/)?texedo ([a-z]+(?: [a-z]+)?)", text, re.M)
    names = cli.available_commands()
    assert used
    assert not [u for u in used if u not in names and u.split()[0] not in names]


def test_the_limits_in_the_docs_are_the_limits_in_the_code() -> None:
    from texedo.robot.check_limits import LIMITS

    text = (ROOT / "docs" / "definitions.md").read_text()
    rows = dict(re.findall(r"^\| ([a-z -]+?) \|.*?\|(.*)\|$", text, re.M))
    for name, limit in LIMITS.items():
        told = [_limit(cell.split()) for cell in rows[name].split("|")]
        assert told == pytest.approx([limit.offset, limit.warn, limit.fail]), name


def _limit(cell: list[str]) -> float:
    """A number with or without a unit; an empty cell is no limit."""
    scale = 0.01 if "cm" in cell else 1.0
    return float(cell[0]) * scale if cell else float("inf")
