"""`texedo tracker hard`: the clips that a tracker fails at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.data.corpus.clip_file import clips_from, write_clips
from texedo.tracker.policies.find import OURS, find_policy


@dataclass(frozen=True)
class Cfg:
    """Collect the clips that a tracker fails at, for fine-tuning.

    The output holds the training clips of --families that the tracker fails at, some
    that are drawn from --beside, so that what it can do stays in use, and the clips that
    training evaluates on.

    Example: texedo tracker hard drills.npz --families drill_lunge -o hard.npz
    """

    clips: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="CLIPS")]]
    """Packed clip files (.npz), separated by commas."""
    families: tuple[str, ...]
    """Kinds of action to try."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """Packed clip file to write (.npz)."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller, as in `texedo rollout`."""
    beside: tuple[str, ...] = ()
    """Kinds of action that other clips are drawn from."""
    count: int = 60
    """How many of these others."""
    seed: int = 0
    """Chooses the others."""


def run(cfg: Cfg) -> int:
    # Here and not above: it is part of the training.
    from texedo.tracker.learn.hard import choose_hard

    hard = choose_hard(
        clips_from(cfg.clips),
        find_policy(cfg.tracker),
        families=_names(cfg.families),
        beside=_names(cfg.beside),
        count=cfg.count,
        seed=cfg.seed,
    )
    write_clips(cfg.out, hard)
    print(f"{cfg.out}: {len(hard)} clips")
    return 0


def _names(words: tuple[str, ...]) -> list[str]:
    """Names with blanks or commas between them."""
    return [name for word in words for name in word.split(",") if name]
