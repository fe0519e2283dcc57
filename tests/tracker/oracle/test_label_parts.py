"""Parts of motions on their way to labels, on the CPU's oracle and on Warp."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.standing import standing, stiff
from tests.support.trials import arm_up, write_part
from tests.support.warp import need_warp
from tests.tracker.policies.test_ours import small_actor
from texedo.core.errors import FileFormatError
from texedo.data.corpus.trials import TrialLabels, labels_folder, write_labels
from texedo.tracker.oracle import label_parts as module
from texedo.tracker.oracle.label_parts import (
    LabelOptions,
    Tempo,
    label_parts,
    open_labels,
    unlabelled,
)
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.weaken import weaken

MOTIONS = [
    standing(30, seed=1),
    standing(30, height=2.0),  # In mid-air: it cannot be tried.
    arm_up(standing(40, seed=2), "left", frame=12),
    standing(24, seed=3),
]
ONE = LabelOptions(draws=2, seed=4, workers=1, worlds=4)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_part(tmp_path / "part-00000.npz", MOTIONS[:3])
    write_part(tmp_path / "part-00001.npz", MOTIONS[3:])
    return tmp_path


def all_labels(folder: Path, policy: Policy) -> dict[str, TrialLabels]:
    parts = unlabelled(folder, folder / "none")
    return {path.name: found for path, found in label_parts(parts, policy, ONE)}


def test_labels_are_what_the_oracle_says_of_each_motion(folder: Path) -> None:
    policy = stiff()
    labels = all_labels(folder, policy)["part-00000.npz"]
    assert labels.valid.tolist() == [True, False, True]
    assert labels.frames.tolist() == [30, 30, 40]
    tried = [MOTIONS[0], MOTIONS[2]]
    plain = rollout(tried, policy, workers=1)
    rows = labels.valid
    assert labels.success[rows].tolist() == plain.success.tolist() == [True, False]
    assert labels.executed[rows].tolist() == plain.quality.failure_frame.tolist()
    assert labels.reasons[rows].tolist() == plain.quality.reasons.tolist()
    np.testing.assert_allclose(labels.e_vel[rows], plain.quality.e_vel, rtol=1e-6)
    ranges = module.replace(module.PERTURBATIONS["default"], draws=2)
    robust = rollout(tried, policy, perturbation=ranges, seed=4, workers=1)
    assert labels.perturbed_success[rows].tolist() == robust.success.tolist()
    frames = robust.quality.failure_frame
    assert labels.perturbed_executed[rows].tolist() == frames.tolist()


def test_the_hand_that_should_be_up_is_named(folder: Path) -> None:
    labels = all_labels(folder, stiff())["part-00000.npz"]
    # Left foot, right foot, left hand, right hand.
    assert labels.limbs[2].tolist() == [False, False, True, False]
    assert labels.reasons[2].tolist() == [False, False, True]
    assert labels.executed[2] == 12
    assert not labels.limbs[0].any()


def test_the_same_motion_has_the_same_perturbed_robots_in_any_part(
    folder: Path, tmp_path: Path
) -> None:
    policy, other = stiff(), tmp_path / "other"
    write_part(other / "part-00000.npz", [MOTIONS[3], MOTIONS[0]])
    here, there = all_labels(folder, policy), all_labels(other, policy)
    first, second = here["part-00000.npz"], here["part-00001.npz"]
    again = there["part-00000.npz"]
    for name in ("perturbed_executed", "executed", "e_acc"):
        wanted = [getattr(second, name)[0], getattr(first, name)[0]]
        np.testing.assert_array_equal(getattr(again, name), wanted)


def test_parts_that_have_labels_are_not_tried_again(folder: Path) -> None:
    policy = stiff()
    labels = open_labels(folder, policy, ONE)
    assert labels == labels_folder(folder, policy.digest)
    stream = label_parts(unlabelled(folder, labels), policy, ONE)
    path, found = next(stream)
    write_labels(labels / path.name, found)
    stream.close()  # type: ignore[attr-defined]
    (left,) = unlabelled(folder, labels)
    assert {left.name, path.name} == {"part-00000.npz", "part-00001.npz"}
    assert open_labels(folder, policy, ONE) == labels


def test_labels_of_other_robots_are_not_mixed_in(folder: Path) -> None:
    open_labels(folder, stiff(), ONE)
    with pytest.raises(FileFormatError, match="holds labels with seed 4, not 5"):
        open_labels(folder, stiff(), LabelOptions(draws=2, seed=5))


def test_nothing_is_begun_that_would_not_be_done_in_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=partial(next, count(1.0)))
    monkeypatch.setattr(module, "time", clock)  # A second passes between two looks.
    parts = unlabelled(folder, folder / "none")
    done = list(label_parts(parts, stiff(), ONE, seconds=2.5))
    # Called at 1 s; the first part begins at 2 s; the second would after 3.5 s.
    assert [path for path, _ in done] == parts[:1]


def test_parts_are_mixed_so_that_who_stops_early_has_some_of_every_kind(
    tmp_path: Path,
) -> None:
    for number in range(20):
        write_part(tmp_path / f"part-{number:05d}.npz", MOTIONS[:1])
    order = [int(path.stem[5:]) for path in unlabelled(tmp_path, tmp_path / "none")]
    assert sorted(order) == list(range(20))
    assert min(order[:6]) < 7 and max(order[:6]) > 12


@pytest.mark.xdist_group("warp")
@pytest.mark.filterwarnings("ignore")  # Warp speaks of missing CUDA drivers.
@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_nominal_and_perturbed_robots_share_the_worlds_of_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    need_warp()
    up, folder = arm_up(standing(18, seed=2), "left", frame=8), tmp_path
    write_part(folder / "part-00000.npz", [standing(14), *MOTIONS[1:2], up])
    write_part(folder / "part-00001.npz", [standing(12, seed=3)])
    policy = weaken(TrackerPolicy(small_actor(), name="small"), gains=0.7, delay_ms=20)
    on_cpu = all_labels(folder, policy)
    monkeypatch.setattr(module, "_on_cpu", module._on_device)
    tempos: list[Tempo] = []
    options = module.replace(ONE, device=device)
    parts = unlabelled(folder, folder / "none")
    for path, got in label_parts(parts, policy, options, report=tempos.append):
        wanted = on_cpu[path.name]
        for name in ("valid", "frames", "success", "reasons", "limbs"):
            assert getattr(got, name).tolist() == getattr(wanted, name).tolist()
        apart = np.abs(got.perturbed_executed - wanted.perturbed_executed)
        assert apart.max() <= 2 and np.abs(got.executed - wanted.executed).max() <= 1
        np.testing.assert_allclose(got.e_mpjpe, wanted.e_mpjpe, rtol=0.05)
    assert 0.2 < tempos[-1].busy <= 1.0 and tempos[-1].motions == 4
