"""Training a dynamic verifier from a folder of labelled motions to weights."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.dynamics import TRACKER, write_small_trials
from tests.support.motions import random_motion
from texedo.core.errors import CheckpointError, FileFormatError, TexedoError
from texedo.data.corpus.trials import labels_folder
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
from texedo.see.learn.dynamics.data import read_rollouts_to
from texedo.see.learn.dynamics.run import artifact_folder, train_dynamics

TINY: dict[str, Any] = {
    "minutes": 0.0,
    "batch": 16,
    "width": 16,
    "layers": 1,
    "dropout": 0.0,
    "frames": 100,
    "amid": 0.0,
    "log_every": 0,
    "eval_every": 0,
    "save_every": 0,
    "device": "cpu",
}


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_trials(tmp_path_factory.mktemp("data") / "trials")


def options(trials: Path, out: Path, **changes: Any) -> DynamicsTrainCfg:
    return DynamicsTrainCfg(data=str(trials), out=str(out), **{**TINY, **changes})


@pytest.mark.parametrize("variant", ["texedo", "paper"])
def test_a_verifier_learns_that_low_pelvises_fail(
    variant: Any, trials: Path, tmp_path: Path
) -> None:
    cfg = options(trials, tmp_path, variant=variant, steps=70, learning_rate=5e-3)
    found = train_dynamics(cfg)
    assert found["AUROC"] > 0.9 and found["motions"] == 8
    verifier = find_dynamics(str(artifact_folder(cfg)))
    assert verifier.tracker == TRACKER[:12]
    low, high = (random_motion(0, 50).to_qpos() for _ in range(2))
    low[:, 2], high[:, 2] = 0.6, 0.75
    success = verifier.foresee([Motion.from_qpos(q) for q in (low, high)]).success
    assert success[0] < success[1]


def test_a_run_goes_on_where_it_stopped(trials: Path, tmp_path: Path) -> None:
    whole = options(trials, tmp_path / "whole", steps=4)
    train_dynamics(whole)
    train_dynamics(options(trials, tmp_path / "parts", steps=2))
    with pytest.raises(CheckpointError, match="--width 16, not 32"):
        train_dynamics(options(trials, tmp_path / "parts", steps=4, width=32))
    train_dynamics(options(trials, tmp_path / "parts", steps=4))
    lines = (tmp_path / "parts" / "log.jsonl").read_text().splitlines()
    starts = [json.loads(x)["step"] for x in lines if '"start"' in x]
    assert starts == [0, 2]


def test_a_run_may_start_from_a_trained_verifier(trials: Path, tmp_path: Path) -> None:
    first = options(trials, tmp_path / "a", steps=3)
    train_dynamics(first)
    start = str(artifact_folder(first))
    again = options(trials, tmp_path / "b", steps=1, start=start, learning_rate=0.0)
    train_dynamics(again)
    motions = [random_motion(i) for i in range(3)]
    a, b = (find_dynamics(str(artifact_folder(c))) for c in (first, again))
    np.testing.assert_allclose(
        a.foresee(motions).quality, b.foresee(motions).quality, atol=1e-3
    )


def test_options_that_contradict_each_other_are_refused(
    trials: Path, tmp_path: Path
) -> None:
    with pytest.raises(TexedoError, match="2 folders for 1"):
        train_dynamics(options(trials, tmp_path, steps=1, labels="a,b"))
    with pytest.raises(TexedoError, match="--e-acc and --e-vel"):
        train_dynamics(options(trials, tmp_path, steps=1, e_acc=3.0))
    with pytest.raises(FileFormatError, match="holds no motions"):
        train_dynamics(options(tmp_path / "none", tmp_path, steps=1))


def test_the_tracker_is_named_by_what_lies_beside_its_labels(tmp_path: Path) -> None:
    folder = write_small_trials(tmp_path / "t", motions=8)
    beside = labels_folder(folder, TRACKER) / "labels.json"
    assert read_rollouts_to(str(folder), "", "cpu").tracker == TRACKER[:12]
    beside.write_text(json.dumps({"digest": TRACKER}))
    found = read_rollouts_to(f"{folder},{folder}", "", "cpu")
    assert found.tracker == TRACKER and len(found) == 16
    lengths = found.lengths
    np.testing.assert_array_equal(found.starts, np.cumsum(lengths) - lengths)
    assert len(found.poses) == lengths.sum()
