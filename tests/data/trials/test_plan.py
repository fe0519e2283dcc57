"""Which motions are made: as many as asked for, and nothing crosses splits."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.trial_corpus import trial_corpus
from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import write_clips
from texedo.data.corpus.packed_clips import pack_frames
from texedo.data.corpus.store import Corpus
from texedo.data.corpus.trials import is_reserved
from texedo.data.trials.plan import ClipJob, PartPlan, Shipped, TrialsCfg, plan_parts
from texedo.data.trials.pool import ClipPool, open_pool
from texedo.data.trials.prompts import (
    PromptJob,
    read_prompts,
    with_routines,
    with_settings,
)

CFG = TrialsCfg(
    motions=100,
    candidates_per_prompt=2,
    suite_candidates=4,
    plain_prompts=5,
    plain_val_prompts=3,
    lively_prompts=2,
    lively_val_prompts=1,
    foreign_motions=20,
    part_size=8,
    val_share=0.1,
)
LIVELY = ["spin", "leap", "dance", "kick"]
SHIPPED = Shipped(1.15, 3.0)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> ClipPool:
    return open_pool(trial_corpus(tmp_path_factory.mktemp("corpus") / "corpus"))


def clip_jobs(parts: list[PartPlan]) -> list[ClipJob]:
    return [job for part in parts for job in part.clips]


def prompt_jobs(parts: list[PartPlan]) -> list[PromptJob]:
    return [job for part in parts for job in part.prompts]


def test_there_are_as_many_motions_as_asked_for(pool: ClipPool) -> None:
    parts = plan_parts(pool, CFG, LIVELY, SHIPPED)
    counts = Counter[str]()
    for part in parts:
        counts[part.source] += part.motions
    assert counts["plain"] == 20 and counts["plain-val"] == 12
    assert counts["lively"] == 8 and counts["lively-val"] == 4
    assert counts["foreign"] == 20
    assert counts["clips"] == 10 and counts["reconstructed"] == 8
    assert counts["candidates"] == 30 and counts["spoiled"] == 52
    assert all(part.motions <= 8 for part in parts)
    assert [part.number for part in parts] == list(range(len(parts)))


def test_promise_prompts_are_reserved_ones_that_plain_val_has_not(
    pool: ClipPool,
) -> None:
    before = plan_parts(pool, CFG, LIVELY, SHIPPED)
    parts = plan_parts(pool, replace(CFG, promise_prompts=1000), LIVELY, SHIPPED)
    assert parts[: len(before)] == before
    own = prompt_jobs([part for part in parts if part.source == "promise"])
    assert own and {job.suite for job in own} == {"plain-val"}
    assert all(is_reserved(job.text) and job.split == "val" for job in own)
    known = {job.text for job in prompt_jobs(before) if job.suite == "plain-val"}
    assert known.isdisjoint(job.text for job in own)


def test_only_test_sets_hold_what_is_held_out(pool: ClipPool) -> None:
    parts = plan_parts(pool, CFG, LIVELY, SHIPPED)
    for job in clip_jobs(parts):
        split = pool.rows[job.clip].split
        assert (split in ("test", "test-subject")) == (job.suite == "foreign")
        if job.other >= 0:
            assert pool.rows[job.other].split == split
    for prompt in prompt_jobs(parts):
        held_out = prompt.suite in ("plain", "lively")
        assert (prompt.split in ("test", "test-subject")) == held_out
        assert not prompt.suite.endswith("-val") or prompt.split == "val"


def test_plain_sets_are_drawn_as_shipped_and_lively_ones_hotter(pool: ClipPool) -> None:
    parts = plan_parts(pool, replace(CFG, promise_prompts=10), LIVELY, SHIPPED)
    for prompt in prompt_jobs(parts):
        if prompt.suite:
            lively = prompt.suite.startswith("lively")
            assert prompt.temperature == (1.3 if lively else 1.15)
            assert prompt.guidance == 3.0


def test_a_lively_prompt_that_is_a_test_is_one_for_every_seed(pool: ClipPool) -> None:
    def tests(seed: int) -> set[str]:
        parts = plan_parts(pool, replace(CFG, seed=seed), LIVELY, SHIPPED)
        return {job.text for job in prompt_jobs(parts) if job.suite == "lively"}

    assert tests(0) == tests(1) == tests(2)


def test_a_caption_belongs_to_the_first_split_that_has_it(pool: ClipPool) -> None:
    owners: dict[str, set[str]] = {}
    for job in prompt_jobs(plan_parts(pool, replace(CFG, motions=600), [], SHIPPED)):
        owners.setdefault(job.text, set()).add(job.split)
    assert owners["walk"] == {"train"}
    assert all(len(splits) == 1 for splits in owners.values())


def test_the_same_options_make_the_same_plan_and_parts_of_any_size_hold_it(
    pool: ClipPool,
) -> None:
    first, again = (plan_parts(pool, CFG, LIVELY, SHIPPED) for _ in range(2))
    assert first == again
    large = plan_parts(pool, replace(CFG, part_size=50), LIVELY, SHIPPED)
    assert set(clip_jobs(first)) == set(clip_jobs(large))
    other = plan_parts(pool, replace(CFG, seed=1), LIVELY, SHIPPED)
    assert set(clip_jobs(first)) != set(clip_jobs(other))


def test_test_sets_do_not_depend_on_how_much_is_learnt_from(pool: ClipPool) -> None:
    few, many = (
        [p for p in plan_parts(pool, replace(CFG, motions=n), LIVELY, SHIPPED)]
        for n in (10, 300)
    )
    suites = {"plain", "plain-val", "lively", "lively-val", "foreign"}
    first = [part for part in few if part.source in suites]
    assert first == [part for part in many if part.source in suites]


def test_clips_are_taken_once_and_the_rest_is_spoiled(pool: ClipPool) -> None:
    cfg = replace(
        CFG,
        motions=1000,
        clips_share=1.0,
        reconstructed_share=0.0,
        candidates_share=0.0,
        val_share=0.2,
    )
    parts = plan_parts(pool, cfg, [], SHIPPED)
    counts = Counter(part.source for part in parts for _ in part.clips)
    assert counts["clips"] == 26 and counts["spoiled"] == 974


def test_people_who_were_never_seen_come_from_their_recordings(pool: ClipPool) -> None:
    parts = plan_parts(pool, CFG, LIVELY, SHIPPED)
    names = [name for part in parts for name in part.recordings]
    assert names == [f"test-subject-{i}" for i in range(4)]
    assert parts[-1].source == "foreign-bvh"


def test_settings_fill_their_ranges() -> None:
    jobs = [PromptJob(f"walk {i}", "train", "walk") for i in range(80)]
    drawn = with_settings(
        jobs,
        candidates=4,
        temperatures=(0.7, 1.5),
        guidances=(1.0, 4.0),
        rng=np.random.default_rng(0),
    )
    heats = sorted({job.temperature for job in drawn})
    assert len(heats) == 8 and 0.7 <= heats[0] <= 0.8 and 1.4 <= heats[-1] <= 1.5
    assert all(1.0 <= job.guidance <= 4.0 and job.candidates == 4 for job in drawn)


def test_routines_join_lively_captions_of_one_split() -> None:
    rows = [("jump up", "train", "jump"), ("kick", "train", "kick")]
    rows += [("hop", "train", "hop"), ("a walk", "train", "walk"), ("spin", "val", "x")]
    jobs = [PromptJob(*row) for row in rows]
    made = with_routines(jobs, share=1.0, rng=np.random.default_rng(0))
    assert made[4] == jobs[4]  # There is nothing to join in its split.
    routines = [job for job in made if job.family == "routine"]
    assert len(routines) >= 3  # A text that was there before is not made twice.
    for job in routines:
        assert sum(word in job.text for word in ("jump up", "kick", "hop")) >= 2
        assert "walk" not in job.text and job.split == "train"
    assert with_routines(jobs, share=0.0, rng=np.random.default_rng(0)) == jobs


def test_what_is_left_of_the_list_is_learnt_from(pool: ClipPool) -> None:
    cfg = replace(CFG, lively_candidates=3)
    jobs = [job for job in prompt_jobs(plan_parts(pool, cfg, LIVELY, SHIPPED))]
    own = {job.text: (job.suite, job.split) for job in jobs if job.text in LIVELY}
    assert sorted(own.values()) == [
        ("", "train"),
        ("lively", "test"),
        ("lively", "test"),
        ("lively-val", "val"),
    ]


def test_prompts_are_lines_that_are_no_remarks() -> None:
    assert read_prompts("# jumps\njump up\n\n  spin \n") == ["jump up", "spin"]


def test_shares_beyond_the_whole_are_refused() -> None:
    with pytest.raises(TexedoError, match="must add up to 1"):
        TrialsCfg(clips_share=0.7, candidates_share=0.7)
    with pytest.raises(TexedoError, match="part_size must be at least 1"):
        TrialsCfg(part_size=0)


def test_packed_clips_come_beside_the_corpus(tmp_path: Path) -> None:
    folder = trial_corpus(tmp_path / "corpus")
    frames = Corpus.load(folder).frames(0)

    def packed(name: str, clip: str, split: str) -> Path:
        clips = pack_frames(
            [frames[:30]], ids=[clip], families=["hop"], splits=[split], kinds=["drill"]
        )
        write_clips(tmp_path / name, clips)
        return tmp_path / name

    pool = open_pool(folder, [packed("drills.npz", "drill-0001", "train")])
    assert pool.rows[-1].recipe == "drill" and len(pool.frames(36)) == 30
    pool = open_pool(folder, [packed("variants.npz", "35_01-00~v2", "train")])
    assert pool.rows[-1].recipe == "variant" and pool.rows[-1].group == "35_01"
    with pytest.raises(TexedoError, match=r"test\.npz: clip 'drill-0002'"):
        open_pool(folder, [packed("test.npz", "drill-0002", "test")])
    with pytest.raises(TexedoError, match="there already"):
        open_pool(folder, [packed("twice.npz", "train-0", "train")])
