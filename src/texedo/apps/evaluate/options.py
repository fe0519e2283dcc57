"""Options that the commands share, and what each of them prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import stage_bar
from texedo.evaluation.columns import Source, semantic_sources
from texedo.evaluation.generation import Bench
from texedo.evaluation.tables import Record, json_text, markdown, write_tables
from texedo.see.semantics.find import find_semantics
from texedo.text.generators.find import find_generator
from texedo.tracker.policies.find import find_policy

TEST_SPLITS = ("test", "test-subject")
"""By recording, and by people never seen."""

Corpus = tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
OutFolder = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
NumCandidates = Annotated[int, tyro.conf.arg(aliases=["-n"])]
NameOrPath = Annotated[str, tyro.conf.arg(metavar="NAME|PATH")]
Semantics = Annotated[
    tuple[str, ...], tyro.conf.arg(metavar="NAME|PATH"), tyro.conf.UseAppendAction
]
"""Any number of semantic verifiers: the option is given once for each."""


def sources(verifiers: Sequence[str]) -> list[Source]:
    """R_text of all semantic verifiers that are named."""
    return semantic_sources({which: find_semantics(which) for which in verifiers})


def tell(
    out: Path, name: str, report: Record, rows: dict[str, Record], *, json: bool
) -> None:
    """Write both files, and print one of them."""
    write_tables(out, name, report, rows)
    if json:
        print(json_text(report))
    else:
        print(markdown(rows))
        print(f"{out / name}.json and .md")


@contextmanager
def bench(
    generator: str, tracker: str | None, out: Path, workers: int | None
) -> Iterator[Bench]:
    """A generator and a tracker at work, with a bar."""
    with stage_bar() as report:
        yield Bench(
            generator=find_generator(generator),
            policy=None if tracker is None else find_policy(tracker),
            folder=out,
            workers=workers,
            report=report,
        )
