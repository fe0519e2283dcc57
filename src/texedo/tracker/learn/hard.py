"""The clips that a tracker fails at, to train it on them a little longer.

`texedo tracker hard` writes them: the training clips of some families that the tracker
fails at, others beside them, so that what it can do stays in use, and the clips that
training evaluates on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.data.corpus.packed_clips import PackedClips, join_clips
from texedo.tracker.oracle.rollout import rollout
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
