"""Who is learned from and who is tested on, fixed for ever by a seed.

Recordings come in near-duplicate groups, and groups never cross splits. Subjects in
`test_subjects` are kept out of everything else. All others are placed by a hash of the
seed and the group's name, so that nothing moves when recordings are added or rejected;
the seed was chosen among many so that the action families spread evenly.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from texedo.data.corpus.store import Clip

TRAIN, VAL, TEST, TEST_SUBJECT = SPLITS = ("train", "val", "test", "test-subject")


@dataclass(frozen=True)
class SplitCfg:
    """How recordings are divided."""

    seed: int = 0
    """Chooses the division; never change it once numbers have been published."""
    test: float = 0.09
    """Part of the recordings in `test`."""
    val: float = 0.05
    """Part of the recordings in `val`."""
    test_subjects: tuple[str, ...] = ()
    """Subjects of `test-subject`, seen nowhere else."""


def assign_splits(
    groups: Mapping[str, str],
    subjects: Mapping[str, str],
    *,
    skeletons: Mapping[str, str] | None = None,
    cfg: SplitCfg,
) -> dict[str, str]:
    """The split of each recording, from its group and its subject, all by recording.

    Subjects that share a group or a skeleton are one person under two numbers: if one
    is held out, so is the other.
    """
    links = [*groups.items(), *(skeletons or {}).items()]
    held_out = _with_linked(set(cfg.test_subjects), links, subjects)
    splits = {group: place_group(group, cfg) for group in set(groups.values())}
    return {
        trial: TEST_SUBJECT if subjects[trial] in held_out else splits[group]
        for trial, group in groups.items()
    }


def place_group(group: str, cfg: SplitCfg) -> str:
    """`test`, `val` or `train`, by the group's name alone."""
    digest = hashlib.sha256(f"{cfg.seed}:{group}".encode()).digest()
    at = int.from_bytes(digest[:8], "big") / 2**64
    if at < cfg.test:
        return TEST
    return VAL if at < cfg.test + cfg.val else TRAIN


def _with_linked(
    held_out: set[str], links: Iterable[tuple[str, str]], subjects: Mapping[str, str]
) -> set[str]:
    """`held_out` and everyone who shares a link with them, directly or in steps."""
    members: defaultdict[str, set[str]] = defaultdict(set)
    for trial, link in links:
        members[link].add(subjects[trial])
    size = -1
    while len(held_out) > size:
        size = len(held_out)
        for people in members.values():
            if people & held_out:
                held_out = held_out | people
    return held_out


def split_faults(clips: Iterable[Clip]) -> list[str]:
    """Every way in which the splits leak; empty when they are sound."""
    clips = list(clips)
    by_id = {clip.id: clip for clip in clips}
    groups: defaultdict[str, set[str]] = defaultdict(set)
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    faults = []
    for clip in clips:
        groups[clip.group].add(clip.split)
        subjects[clip.subject].add(clip.split)
        for parent in clip.parents:
            if parent in by_id and by_id[parent].split != clip.split:
                faults.append(
                    f"{clip.id} is in {clip.split}, its source {parent} is in "
                    f"{by_id[parent].split}"
                )
        if clip.split not in SPLITS:
            faults.append(f"{clip.id} is in {clip.split!r}, which is no split")
    for group, found in groups.items():
        if len(found) > 1:
            faults.append(f"group {group} is in {', '.join(sorted(found))}")
    for subject, found in subjects.items():
        if TEST_SUBJECT in found and len(found) > 1:
            faults.append(f"subject {subject} is in {', '.join(sorted(found))}")
    return faults
