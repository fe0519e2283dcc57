"""The Python in the README and in docs/ runs, block by block, beside small sample files.

A block may use what its page speaks of: `motion`, `motions`, and the files that `samples`
makes. One that cannot be run here has `<!-- not run: reason -->` above it, one that takes
long `<!-- slow: reason -->`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

import texedo
from texedo.checkpoints.bundled import BUNDLED
from texedo.data.corpus.corpus_file import restore_corpus
from texedo.data.corpus.sample import SAMPLE_FILE
from texedo.motion import Motion

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOT_RUN = 1
"""Blocks that may be left out: the released TEXEDO weights are not at hand."""


class Block(NamedTuple):
    """A block of Python in a page."""

    mark: str
    """`slow`, `not run`, or empty."""
    line: int
    """Of its first statement, from 1."""
    code: str


def python_blocks(text: str) -> list[Block]:
    pattern = re.compile(
        r"(?:<!-- (slow|not run): [^\n]+ -->\n+)?^```python\n(.*?)^```$", re.M | re.S
    )
    return [
        Block(m[1] or "", text.count("\n", 0, m.start(2)) + 1, m[2])
        for m in pattern.finditer(text)
    ]


BLOCKS = [(page, block) for page in PAGES for block in python_blocks(page.read_text())]
RUN = [
    pytest.param(
        page,
        block,
        id=f"{page.name}:{block.line}",
        marks=[pytest.mark.slow] if block.mark == "slow" else [],
    )
    for page, block in BLOCKS
    if block.mark != "not run"
]


def test_a_block_knows_its_line_and_its_mark() -> None:
    text = "# A page\n\n<!-- slow: an hour -->\n```python\nx = 1\n```\n"
    assert python_blocks(text) == [Block("slow", 5, "x = 1\n")]
    assert python_blocks("```sh\nls\n```\n") == []


def test_hardly_any_block_is_left_out() -> None:
    assert len(RUN) >= 8
    assert len(BLOCKS) - len(RUN) <= NOT_RUN


@pytest.fixture(scope="module")
def motions(samples: Path) -> list[Motion]:
    """The two shortest clips of the sample."""
    corpus = restore_corpus(SAMPLE_FILE, samples / "corpus")
    found = sorted((corpus.motion(i) for i in range(len(corpus))), key=len)[:2]
    for name in ("walk.csv", "dance.csv"):
        texedo.save_motion(found[0], samples / name, format="unitree-csv")
    return found


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the blocks run in, with the weights that pages speak of."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(BUNDLED / "tokenizer", folder / "run" / "tokenizer")
    shutil.copytree(BUNDLED / "generator", folder / "generator")
    return folder


@pytest.mark.parametrize(("page", "block"), RUN)
def test_python_in_the_docs_runs(
    page: Path,
    block: Block,
    samples: Path,
    motions: list[Motion],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(samples)
    if "policy.onnx" in block.code:
        _export(motions[0])
    # Blank lines in front: a traceback then shows the line of the page.
    code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
    exec(code, {"__name__": "docs", "motion": motions[0], "motions": motions})


def _export(motion: Motion) -> None:
    pytest.importorskip("onnx")
    from texedo.tracker.export.onnx import export_motion
    from texedo.tracker.policies.ours import TrackerPolicy

    export_motion(TrackerPolicy.load(BUNDLED / "tracker"), motion, "policy.onnx")
