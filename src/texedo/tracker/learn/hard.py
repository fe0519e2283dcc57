"""The clips that a tracker fails at, to train it on them a little longer.

    python -m texedo.tracker.learn.hard CLIPS OUT --tracker DIR --families drill_lunge
        [--beside gesture,walk --count 60]

CLIPS are packed files joined by commas. OUT holds the training clips of the families that
the tracker fails at, some that are drawn from the families `--beside`, so that what it
can do stays in use, and the clips that training evaluates on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import clips_from, write_clips
from texedo.data.corpus.packed_clips import PackedClips, join_clips
from texedo.learning.command import run_job
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.protocol import Policy


def failed(
    clips: PackedClips, policy: Policy, *, workers: int | None = None
) -> NDArray[np.int64]:
    """Numbers of the clips that the policy fails at, each tried once, unperturbed."""
    motions = [clips.motion(i) for i in range(len(clips))]
    result = rollout(motions, policy, workers=workers, keep_states=False)
    return np.flatnonzero(~result.success)


def choose_hard(
    clips: PackedClips,
    policy: Policy,
    *,
    families: list[str],
    beside: list[str],
    count: int,
    seed: int = 0,
) -> PackedClips:
    """What is failed at of `families`, `count` others of `beside`, and all of val."""
    learned, held_out = (clips.pick(clips.select(split=s)) for s in ("train", "val"))
    known = sorted(set(learned.families))
    unknown = [family for family in (*families, *beside) if family not in known]
    if unknown:
        raise TexedoError(f"No clip of {unknown[0]}; there are {', '.join(known)}.")
    tried = learned.pick(learned.select(family=families))
    hard = tried.pick(failed(tried, policy))
    if not len(hard):
        raise TexedoError(f"The tracker fails at none of these {len(tried)} clips.")
    others = learned.select(family=beside)
    rng = np.random.default_rng(seed)
    drawn = rng.choice(others, min(count, len(others)), replace=False)
    return join_clips([hard, learned.pick(drawn), held_out])


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m texedo.tracker.learn.hard")
    parser.add_argument("clips", help="packed files, joined by commas")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--tracker", required=True, help="name or folder")
    parser.add_argument("--families", required=True, help="tried, joined by commas")
    parser.add_argument(
        "--beside", default="", help="families that others are drawn of"
    )
    parser.add_argument("--count", type=int, default=60, help="of these others")
    parser.add_argument("--seed", type=int, default=0, help="of the drawing")
    options = parser.parse_args(arguments)
    return run_job(
        lambda: _write_hard(options), interrupted="nothing was written, start again"
    )


def _write_hard(options: argparse.Namespace) -> None:
    hard = choose_hard(
        clips_from(options.clips),
        find_policy(options.tracker),
        families=options.families.split(","),
        beside=options.beside.split(",") if options.beside else [],
        count=options.count,
        seed=options.seed,
    )
    write_clips(options.out, hard)
    print(f"{len(hard)} clips in {options.out}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
