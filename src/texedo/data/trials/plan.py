"""Which motions are made: parts, each a function of the options and its number.

Test sets come first and do not depend on how much there is to learn from. What is drawn
for a motion depends on the seed and the motion's own id, so that parts of another size
hold the same motions.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from texedo.core.errors import TexedoError
from texedo.data.corpus.trials import is_reserved
from texedo.data.synth.spoil import SPLICE, SPOILS, WEIGHTS
from texedo.data.trials.pool import LIVELY, RECORDED, ClipPool
from texedo.data.trials.prompts import (
    PromptJob,
    choose_prompts,
    lively_jobs,
    with_routines,
    with_settings,
)

TEST = ("test", "test-subject")
FOREIGN = "foreign"
PROMISE = "promise"
SOURCES = (
    *("plain", "plain-val", "lively", "lively-val", FOREIGN, "foreign-bvh"),
    *("clips", "reconstructed", "candidates", "spoiled", PROMISE),
)
"""What parts are made of; the first six are the test sets."""
_BVH_RECORDINGS = 12
"""Recordings of a part: they are carried over to the robot side by side."""
Job = TypeVar("Job")
Rng = np.random.Generator


@dataclass(frozen=True, kw_only=True)
class TrialsCfg:
    """How many motions of which kind."""

    motions: int = 200_000
    """To learn from; test sets come on top."""
    clips_share: float = 0.10
    """Of them, clips as they are; at most all there are."""
    reconstructed_share: float = 0.08
    """Of them, clips encoded and decoded by the tokenizer, half of them post-processed."""
    candidates_share: float = 0.30
    """Of them, candidates for captions. All others are spoiled clips."""
    decoded_share: float = 0.25
    """Of the spoiled ones, those spoiled after encoding and decoding."""
    val_share: float = 0.08
    """Of all, those made of validation clips and captions."""
    candidates_per_prompt: int = 4
    """To learn from."""
    temperatures: tuple[float, float] = (0.7, 1.5)
    """Range for candidates to learn from."""
    guidances: tuple[float, float] = (1.0, 4.0)
    """Range for candidates to learn from."""
    routines_share: float = 0.4
    """Of the prompts to learn from, those joined from two or three lively captions."""
    lively_weight: float = 3.0
    """How much more often clips and captions of lively families are taken."""
    lively_candidates: int = 32
    """To learn from, of each request of our list that is in no test set."""
    suite_candidates: int = 32
    """Of each prompt of a test set."""
    plain_prompts: int = 1000
    """Test captions that no other split has."""
    plain_val_prompts: int = 640
    """Validation captions that no training clip has."""
    promise_prompts: int = 0
    """Further validation captions, all of them kept for what `texedo calibrate`
    promises."""
    lively_prompts: int = 240
    """Of our list of everyday requests; none of them is in lively-val."""
    lively_val_prompts: int = 160
    """Of the same list."""
    lively_temperature: float = 1.3
    """Of both lively sets; the plain ones are drawn as the generator is shipped."""
    foreign_motions: int = 4000
    """Held-out recordings, spoiled or reconstructed."""
    foreign_skeletons: int = 2
    """Strange skeletons that each recording of an unseen person is given."""
    seed: int = 0
    """Of everything."""
    part_size: int = 4096
    """Motions of a part."""

    def __post_init__(self) -> None:
        shares = (self.clips_share, self.reconstructed_share, self.candidates_share)
        if min(shares) < 0 or sum(shares) > 1 or not 0 <= self.val_share < 1:
            raise TexedoError(
                f"Shares of clips, reconstructions and candidates {shares} must add up "
                f"to 1 at most, and that of val {self.val_share} be below 1."
            )
        for name in ("part_size", "candidates_per_prompt", "suite_candidates"):
            if getattr(self, name) < 1:
                raise TexedoError(
                    f"{name} must be at least 1, got {getattr(self, name)}."
                )


class ClipJob(NamedTuple):
    """A motion to be made of a clip."""

    id: str
    recipe: str
    clip: int
    suite: str = ""
    other: int = -1
    """What it is spliced with."""
    decoded: bool = False
    """It is encoded and decoded by the tokenizer first."""
    polished: bool = False
    """It is post-processed then."""


class PartPlan(NamedTuple):
    """What a part holds; of the three lists one is filled."""

    number: int
    source: str
    clips: tuple[ClipJob, ...] = ()
    prompts: tuple[PromptJob, ...] = ()
    recordings: tuple[str, ...] = ()

    @property
    def motions(self) -> int:
        """How many, as far as it is known before."""
        return len(self.clips) + sum(job.candidates for job in self.prompts)

    @property
    def needs_model(self) -> bool:
        """Whether tokenizer or language model have a share in it."""
        return bool(self.prompts) or any(job.decoded for job in self.clips)


class Shipped(NamedTuple):
    """What the generator samples with unless it is told."""

    temperature: float = 1.0
    guidance: float = 1.0


def plan_parts(
    pool: ClipPool, cfg: TrialsCfg, lively: Sequence[str], shipped: Shipped
) -> list[PartPlan]:
    """All parts in order; the plain test sets are drawn as `shipped`."""
    parts: list[PartPlan] = []

    def add(source: str, jobs: Sequence[ClipJob]) -> None:
        # Motions with and without a model lie apart: the latter wait for no GPU.
        for decoded in (False, True):
            own = [job for job in jobs if job.decoded == decoded]
            for share in _shares(own, cfg.part_size):
                parts.append(PartPlan(len(parts), source, clips=tuple(share)))

    def ask(source: str, jobs: Sequence[PromptJob]) -> None:
        # Prompts with as many candidates each lie together.
        for count in sorted({job.candidates for job in jobs}):
            own = [job for job in jobs if job.candidates == count]
            for share in _shares(own, max(1, cfg.part_size // count)):
                parts.append(PartPlan(len(parts), source, prompts=tuple(share)))

    for suite, jobs in _suites(pool, cfg, lively, shipped):
        ask(suite, jobs)
    add(FOREIGN, _foreign(pool, cfg))
    clips = _clips(pool, cfg)
    reconstructed = _reconstructed(pool, cfg)
    candidates = _candidates(pool, cfg, _lively_order(lively))
    rest = cfg.motions - len(clips) - len(reconstructed)
    rest -= sum(job.candidates for job in candidates)
    add("clips", clips)
    add("reconstructed", reconstructed)
    ask("candidates", candidates)
    add("spoiled", _spoiled(pool, cfg, max(rest, 0)))
    # Last: how many there are depends on nothing, and who has no recordings skips them.
    for share in _shares(_unseen_recordings(pool), _BVH_RECORDINGS):
        if cfg.foreign_skeletons:
            parts.append(PartPlan(len(parts), "foreign-bvh", recordings=tuple(share)))
    ask(PROMISE, _promise(pool, cfg, shipped))
    return parts


def job_rng(seed: int, name: str) -> Rng:
    """All chance in what is called `name`."""
    return np.random.default_rng((seed, zlib.crc32(name.encode())))


def _suites(
    pool: ClipPool, cfg: TrialsCfg, lively: Sequence[str], shipped: Shipped
) -> Iterator[tuple[str, list[PromptJob]]]:
    for suite, splits, number in (
        ("plain", TEST, cfg.plain_prompts),
        ("plain-val", ("val",), cfg.plain_val_prompts),
    ):
        rng = job_rng(cfg.seed, suite)
        jobs = choose_prompts(pool, splits, number, rng=rng, lively_weight=1.0)
        yield suite, _all_at(jobs, suite, cfg, shipped)
    texts, at = _lively_order(lively), cfg.lively_prompts
    for suite, split, own in (
        ("lively", "test", texts[:at]),
        ("lively-val", "val", texts[at:][: cfg.lively_val_prompts]),
    ):
        jobs = lively_jobs(own, split)
        livelier = shipped._replace(temperature=cfg.lively_temperature)
        yield suite, _all_at(jobs, suite, cfg, livelier)


def _promise(pool: ClipPool, cfg: TrialsCfg, shipped: Shipped) -> list[PromptJob]:
    """Reserved captions that come after those of plain-val, in the same order."""
    if not cfg.promise_prompts:
        return []
    rng = job_rng(cfg.seed, "plain-val")
    every = choose_prompts(pool, ("val",), None, rng=rng, lively_weight=1.0)
    kept = [job for job in every[cfg.plain_val_prompts :] if is_reserved(job.text)]
    return _all_at(kept[: cfg.promise_prompts], "plain-val", cfg, shipped)


def _all_at(
    jobs: Sequence[PromptJob], suite: str, cfg: TrialsCfg, how: Shipped
) -> list[PromptJob]:
    return [
        job._replace(
            suite=suite,
            candidates=cfg.suite_candidates,
            temperature=how.temperature,
            guidance=how.guidance,
        )
        for job in jobs
    ]


def _lively_order(lively: Sequence[str]) -> list[str]:
    """Our list, shuffled: first those of lively, then of lively-val, then the rest.

    Whatever the seed: what is a test for one must not be learnt from with another.
    """
    order = job_rng(0, "lively").permutation(len(lively))
    return [lively[i] for i in order]


def _candidates(
    pool: ClipPool, cfg: TrialsCfg, lively: Sequence[str]
) -> list[PromptJob]:
    """For captions, and for a part of our list; of the latter at most half."""
    motions = round(cfg.motions * cfg.candidates_share)
    rest = lively[cfg.lively_prompts + cfg.lively_val_prompts :]
    each = max(cfg.lively_candidates, 1)
    own = rest[: motions // (2 * each)] if cfg.lively_candidates else []
    found = with_settings(
        lively_jobs(own, "train"),
        candidates=each,
        temperatures=cfg.temperatures,
        guidances=cfg.guidances,
        rng=job_rng(cfg.seed, "lively to learn from"),
    )
    motions -= each * len(own)
    wanted = round(motions / cfg.candidates_per_prompt)
    for split, number in _by_split(wanted, cfg):
        rng = job_rng(cfg.seed, f"candidates {split}")
        jobs = choose_prompts(
            pool, (split,), number, rng=rng, lively_weight=cfg.lively_weight
        )
        found += with_settings(
            with_routines(jobs, share=cfg.routines_share, rng=rng),
            candidates=cfg.candidates_per_prompt,
            temperatures=cfg.temperatures,
            guidances=cfg.guidances,
            rng=rng,
        )
    return found


def _clips(pool: ClipPool, cfg: TrialsCfg) -> list[ClipJob]:
    """Clips as they are, each once."""
    return [
        ClipJob(pool.rows[clip].id, pool.rows[clip].recipe, clip)
        for split, number in _by_split(round(cfg.motions * cfg.clips_share), cfg)
        for clip, _ in _draw(pool, cfg, "clips", split, number, turns=1)
    ]


def _reconstructed(pool: ClipPool, cfg: TrialsCfg) -> list[ClipJob]:
    """Each twice at most: as decoded, and post-processed."""
    wanted = round(cfg.motions * cfg.reconstructed_share)
    return [
        _reconstruction(pool, clip, polished=(turn + clip) % 2 == 1)
        for split, number in _by_split(wanted, cfg)
        for clip, turn in _draw(pool, cfg, "reconstructed", split, number, turns=2)
    ]


def _reconstruction(
    pool: ClipPool, clip: int, *, polished: bool, suite: str = ""
) -> ClipJob:
    name = f"{pool.rows[clip].id}~reconstructed{'-post' if polished else ''}"
    return ClipJob(
        name, "reconstructed", clip, suite=suite, decoded=True, polished=polished
    )


def _spoiled(pool: ClipPool, cfg: TrialsCfg, number: int) -> list[ClipJob]:
    """As many as asked for, of as many turns as that takes."""
    return [
        job
        for split, own in _by_split(number, cfg)
        for job in _spoil_jobs(pool, cfg, (split,), own)
    ]


def _spoil_jobs(
    pool: ClipPool,
    cfg: TrialsCfg,
    splits: tuple[str, ...],
    number: int,
    *,
    suite: str = "",
) -> list[ClipJob]:
    recipes = RECORDED if suite else None
    clips = {s: pool.select(splits=(s,), recipes=recipes) for s in splits}
    everyone = [clip for own in clips.values() for clip in own]
    if not everyone:
        return []
    weights = _weights(pool, everyone, cfg.lively_weight)
    odds = np.array([WEIGHTS[way] for way in SPOILS])
    found = []
    for k in range(number):
        name = f"spoiled-{suite or splits[0]}-{k:06d}"
        rng = job_rng(cfg.seed, f"plan of {name}")
        way = SPOILS[rng.choice(len(SPOILS), p=odds / odds.sum())]
        clip = everyone[int(np.searchsorted(weights, rng.random()))]
        own = clips[pool.rows[clip].split]
        job = ClipJob(
            id=name,
            recipe=f"spoiled-{way}",
            clip=clip,
            suite=suite,
            other=own[int(rng.integers(len(own)))] if way == SPLICE else -1,
            decoded=bool(rng.random() < cfg.decoded_share),
            polished=bool(rng.random() < 0.5),
        )
        found.append(job)
    return found


def _foreign(pool: ClipPool, cfg: TrialsCfg) -> list[ClipJob]:
    """Held-out recordings: a quarter reconstructed, the others spoiled."""
    recorded = pool.select(splits=TEST, recipes=("captured",))
    order = job_rng(cfg.seed, FOREIGN).permutation(len(recorded))
    decoded = [
        _reconstruction(pool, recorded[i], polished=k % 2 == 1, suite=FOREIGN)
        for k, i in enumerate(order[: cfg.foreign_motions // 4])
    ]
    rest = cfg.foreign_motions - len(decoded)
    return decoded + _spoil_jobs(pool, cfg, TEST, rest, suite=FOREIGN)


def _unseen_recordings(pool: ClipPool) -> list[str]:
    """Recordings of people of whom nothing was learnt."""
    return sorted(
        {r.recording for r in pool.rows if r.split == "test-subject" and r.recording}
    )


def _draw(
    pool: ClipPool, cfg: TrialsCfg, what: str, split: str, number: int, *, turns: int
) -> list[tuple[int, int]]:
    """Clips of a split in random order, then all again, `turns` times at most."""
    clips = pool.select(splits=(split,))
    order = job_rng(cfg.seed, f"{what} {split}").permutation(len(clips))
    everything = [(clips[i], turn) for turn in range(turns) for i in order]
    return everything[:number]


def _by_split(number: int, cfg: TrialsCfg) -> list[tuple[str, int]]:
    val = round(number * cfg.val_share)
    return [("train", number - val), ("val", val)]


def _weights(pool: ClipPool, clips: Sequence[int], lively: float) -> np.ndarray:
    """Cumulative odds of the clips, (N,)."""
    own = [lively if pool.rows[i].family in LIVELY else 1.0 for i in clips]
    sums = np.cumsum(own)
    return np.asarray(sums / sums[-1])


def _shares(jobs: Sequence[Job], size: int) -> Iterator[Sequence[Job]]:
    for start in range(0, len(jobs), size):
        yield jobs[start : start + size]
