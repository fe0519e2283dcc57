"""`texedo data import`: a dataset folder of others as a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.data.exchange.read import Imported, import_dataset

_SHOWN = 3


@dataclass(frozen=True)
class Cfg:
    """Read a TEXEDO dataset folder, or HumanML3D folders with G1 motions, as a corpus.

    The lists train.txt, val.txt and test.txt decide the splits; near-duplicates are not
    searched for. A caption about a part of a motion makes that part a clip of its own.
    Motions that cannot be read are skipped and listed.

    Example: texedo data import dataset -o corpus
    """

    folder: tyro.conf.Positional[Path]
    """Dataset folder: lists of ids, motions/ or new_joint_vecs/, texts/."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Corpus folder to write; it must not hold anything yet."""


def run(cfg: Cfg) -> int:
    with progress_bar("reading") as report:
        done = import_dataset(cfg.folder, cfg.out, report=report)
    splits = ", ".join(f"{name} {n}" for name, n in done.corpus.info["splits"].items())
    print(f"{cfg.out}: {done.corpus!r} ({splits})")
    print("near-duplicates were not searched for: the splits are those of the lists")
    _print_left_out(done)
    return 0


def _print_left_out(done: Imported) -> None:
    if done.unlisted:
        print(f"{done.unlisted} motions are in no list and were left out")
    for row in done.skipped[:_SHOWN]:
        print(f"passed over: {row.detail}")
    if len(done.skipped) > _SHOWN:
        print(f"... {len(done.skipped)} in all, see rejected.jsonl")
