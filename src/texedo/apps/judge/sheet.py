"""`texedo judge sheet`: a blind page of pairs of videos for people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.core.errors import FileFormatError
from texedo.evaluation.judges.human.sheet import KEY_FILE, Pair, write_sheet
from texedo.formats import load_motion


@dataclass(frozen=True)
class Cfg:
    """Make a page on which people choose, pair by pair, the motion that does what was
    asked, without knowing who made which.

    The list has a line per pair: prompt, first motion file, second motion file, separated
    by tabs. Send the folder without key.json to the readers; each saves a file of answers,
    which `texedo judge answers` reads.

    Example: texedo judge sheet pairs.tsv -o study --names ours base
    """

    pairs: tyro.conf.Positional[Path]
    """The list; paths are relative to it."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder to write."""
    names: tuple[str, str] = ("first", "second")
    """What the two columns of motions are called in the results."""
    seed: int = 0
    """Of the order and the sides."""
    gif: bool = False
    """Animations instead of videos, where there is no ffmpeg."""


def run(cfg: Cfg) -> int:
    with progress_bar("draw") as tell:
        page = write_sheet(
            cfg.out,
            read_pairs(cfg.pairs),
            names=cfg.names,
            seed=cfg.seed,
            suffix=".gif" if cfg.gif else ".mp4",
            progress=tell,
        )
    print(f"{page}; keep {cfg.out / KEY_FILE} to yourself")
    return 0


def read_pairs(path: Path) -> list[Pair]:
    """Blank lines are left out; the same pair twice is an error."""
    seen: dict[tuple[str, ...], int] = {}
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if len(cells) != 3 or not all(cells):
            raise FileFormatError(
                f"{path}, line {number}: should be prompt, first file and second file, "
                "separated by tabs."
            )
        if cells in seen:
            raise FileFormatError(
                f"{path}, line {number}: is the same as line {seen[cells]}."
            )
        seen[cells] = number
        first, second = (load_motion(path.parent / name) for name in cells[1:])
        pairs.append(Pair(cells[0], first, second))
    return pairs
