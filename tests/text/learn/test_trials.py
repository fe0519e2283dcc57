"""Motions to try are made part by part, and made again the same."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.small_lm import small_model
from tests.support.standing import standing
from tests.support.trial_corpus import trial_corpus
from texedo.core.errors import TexedoError
from texedo.data.corpus.trials import read_trials, trial_parts
from texedo.data.trials.plan import Shipped, TrialsCfg, plan_parts
from texedo.data.trials.pool import open_pool
from texedo.text.learn.trials.make import (
    Maker,
    Models,
    _spread,
    begin,
    lively_prompts,
    make_trials,
)
from texedo.text.tokenizer.tokenizer import MotionTokenizer

CFG = TrialsCfg(
    motions=40,
    candidates_per_prompt=2,
    suite_candidates=3,
    plain_prompts=2,
    plain_val_prompts=1,
    lively_prompts=2,
    lively_val_prompts=1,
    foreign_motions=6,
    foreign_skeletons=0,
    part_size=12,
)


class _Standing:
    """Four frames of standing for every code, one code for four frames."""

    downsampling = 4

    def encode_qpos(self, clips: Sequence[NDArray[Any]]) -> list[NDArray[np.int64]]:
        return [np.zeros(-(-len(clip) // 4), dtype=np.int64) for clip in clips]

    def decode(self, codes: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        return [standing(4 * len(row)).to_qpos() for row in codes]


def maker(folder: Path, cfg: TrialsCfg = CFG) -> Maker:
    tokenizer = cast(MotionTokenizer, _Standing())
    return Maker(
        pool=open_pool(folder),
        models=Models(load=lambda: (small_model(max_tokens=12), tokenizer)),
        cfg=cfg,
    )


def test_parts_hold_what_was_planned_and_are_not_made_twice(tmp_path: Path) -> None:
    own = maker(trial_corpus(tmp_path / "corpus"))
    parts = plan_parts(own.pool, CFG, ["jump", "walk left", "wave"], Shipped(1.0, 2.0))
    out, shown = tmp_path / "out", []
    begin(out, own, "generator", [])
    made = make_trials(
        own, parts, out, workers=1, report=lambda *step: shown.append(step)
    )
    assert made.total() == 40 + 3 * (2 + 1 + 2 + 1) + 6 == shown[-1][0] == shown[-1][1]
    before = {path: path.read_bytes() for path in trial_parts(out)}
    assert len(before) == len(parts)
    trials = [trial for path in before for trial in read_trials(path).trials]
    assert len({trial.id for trial in trials}) == len(trials)
    for trial in trials:
        if trial.recipe == "candidate":
            assert trial.group == trial.prompt
            assert "temperature" in trial.settings
    gone = trial_parts(out)[2]
    gone.unlink()
    again = make_trials(own, parts, out, workers=1)
    assert again.total() == parts[2].motions
    assert {path: path.read_bytes() for path in trial_parts(out)} == before


def test_reconstructions_are_as_long_as_their_clips(tmp_path: Path) -> None:
    own = maker(trial_corpus(tmp_path / "corpus", frames=61))
    parts = plan_parts(own.pool, CFG, ["jump", "wave", "left"], Shipped(1.0, 2.0))
    chosen = [part for part in parts if part.source == "reconstructed"]
    make_trials(own, chosen, tmp_path, workers=1)
    (path,) = trial_parts(tmp_path)
    part = read_trials(path)
    plain = [
        len(qpos)
        for trial, qpos in zip(part.trials, part.poses, strict=True)
        if not trial.settings["postprocessed"]
    ]
    assert plain and set(plain) == {61}


def test_a_folder_of_other_options_is_refused(tmp_path: Path) -> None:
    own = maker(trial_corpus(tmp_path / "corpus"))
    begin(tmp_path / "out", own, "generator", ["jump"])
    begin(tmp_path / "out", own, "generator", ["jump"])
    other = maker(tmp_path / "corpus", replace(CFG, seed=1))
    with pytest.raises(TexedoError, match="begun with other options"):
        begin(tmp_path / "out", other, "generator", ["jump"])


def test_every_batch_has_one_of_the_longest_prompts() -> None:
    lengths = [16] * 254 + [64, 64]
    order = _spread(list(range(256)), lengths, count=4)
    assert sorted(order) == list(range(256))
    assert order[0] == 254 and order[128] == 255


def test_the_lively_list_is_long_enough_and_says_nothing_twice() -> None:
    texts = lively_prompts()
    assert len(texts) >= 300 and len(set(texts)) == len(texts)
    assert all(text == text.strip() and len(text) > 4 for text in texts)
