"""`texedo models fetch`: the released TEXEDO weights, because you asked for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import tyro

from texedo.apps.bars import Bar
from texedo.checkpoints.fetch import HUB, Fetched, fetch_part, released_parts
from texedo.checkpoints.registry import RELEASED
from texedo.core.errors import CheckpointError

_MB = 1_000_000


@dataclass(frozen=True)
class Cfg:
    """Download weights that the authors of TEXEDO published (docs/official.md).

    They go to `$TEXEDO_HOME/official`, where `--generator official`, `--semantics official`
    and `--dynamics official` find them. A download that was cut goes on where it ended; a
    file whose sha256 is not the one that is known (given here, or told by the server) is
    removed; what is there already is only checked.

    Models: official-generator (3.2 GB), official-tokenizer (216 MB), official-semantics,
    official-dynamics (40 MB).

    Example: texedo models fetch official-dynamics
    """

    name: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="NAME")]]
    """A model, or a single file of one: tokenizer, generator, words, dynamic-verifier,
    dynamic-scales, semantic-verifier, glove."""
    url: Annotated[str, tyro.conf.arg(metavar="ADDRESS")] = HUB
    """Another server with the same paths: ADDRESS/REPOSITORY/resolve/main/FILE."""
    sha256: Annotated[str | None, tyro.conf.arg(metavar="HEX")] = None
    """What the content of a single file must be."""


def run(cfg: Cfg) -> int:
    parts = released_parts(cfg.name)
    if cfg.sha256 is not None:
        if len(parts) > 1:
            raise CheckpointError(
                f"--sha256 is for a single file, and {cfg.name} has {', '.join(parts)}; "
                "fetch them one by one."
            )
        if not re.fullmatch("[0-9a-fA-F]{64}", cfg.sha256):
            raise CheckpointError(
                f"--sha256 must be 64 hex digits, got {cfg.sha256!r}."
            )
    for part in parts:
        with Bar(RELEASED[part].place.name, long=True) as bar:

            def show(done: int, total: int | None, bar: Bar = bar) -> None:
                note = f"{done / _MB:.1f} of {total / _MB:.1f} MB" if total else ""
                bar.show(
                    done // _MB, None if total is None else total // _MB, note=note
                )

            fetched = fetch_part(part, base=cfg.url, sha256=cfg.sha256, progress=show)
        print(_line(fetched))
    return 0


def _line(fetched: Fetched) -> str:
    how = "fetched" if fetched.new else "is here already"
    hash_ = (
        "as it should be" if fetched.checked else "not known before; it is noted now"
    )
    if not fetched.new and not fetched.checked:
        hash_ = "nothing to compare it with"
    return (
        f"{fetched.place}: {how}, {fetched.size / _MB:.1f} MB, sha256 "
        f"{fetched.sha256} ({hash_})"
    )
