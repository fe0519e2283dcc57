"""Roll-outs in large batches: one batch for all that is missing, kept apart from the CPU's.

MuJoCo stands in for MuJoCo-Warp: the batches, the robots and what is recorded of them are
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.standing import standing
from tests.support.suites import UnevenGenerator, small_base
from tests.support.trials import arm_up
from tests.support.warp import need_warp
from tests.tracker.policies.test_ours import small_actor
from texedo.data.corpus.label_table import clip_hash, read_labels
from texedo.evaluation.device import DevicePhysics, Files
from texedo.evaluation.performance import read_draws
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.prompts import Asked
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.sim.mujoco_cpu import MujocoSim
from texedo.tracker.sim.perturb import find_perturbation

MOTIONS = [
    standing(14),
    standing(12, height=2.0),  # In mid-air: it cannot be performed.
    arm_up(standing(18, seed=2), "left", frame=8),
    standing(12, seed=3),
]
NAMED = [(str(i), motion) for i, motion in enumerate(MOTIONS)]
TWO = replace(find_perturbation("default"), draws=2)


@pytest.fixture
def policy() -> TrackerPolicy:
    return TrackerPolicy(
        small_actor(), name="small", normalizers=Normalizers(e_acc=5.0, e_vel=20.0)
    )


@pytest.fixture
def physics(policy: TrackerPolicy, monkeypatch: pytest.MonkeyPatch) -> DevicePhysics:
    need_warp()
    from texedo.tracker.oracle import device

    def worlds(count: int, *, device: str, randomized: bool, actuation: Any) -> Any:
        assert actuation is None
        return MujocoSim(count, randomized=randomized, workers=1)

    monkeypatch.setattr(device, "WarpSim", worlds)
    return DevicePhysics(policy, device="cpu", perturbation=TWO, worlds=4)


def fill(physics: DevicePhysics, files: Files, *, perturbed: bool = True) -> None:
    physics.fill(
        NAMED, files, perturbed=perturbed, seed=0, progress=lambda done, total: None
    )


def test_all_robots_perform_together_and_as_on_the_cpu(
    physics: DevicePhysics, policy: TrackerPolicy, tmp_path: Path
) -> None:
    files = Files.of(tmp_path, "cuda")
    fill(physics, files)
    nominal = read_draws(NAMED, policy, files.table)
    perturbed = read_draws(NAMED, policy, files.table, perturbation=TWO)
    plain = rollout(MOTIONS, policy, workers=1)
    robust = rollout(MOTIONS, policy, perturbation=TWO, workers=1)
    assert nominal[1] == [None] and perturbed[1] == [None, None]
    for i in (0, 2, 3):
        label = nominal[i][0]
        assert label is not None and label.success == plain.success[i]
        assert abs(label.frame - plain.quality.failure_frame[i]) <= 1
        assert label.mpjpe == pytest.approx(plain.quality.mpjpe_l[i], rel=0.05)
        for draw, other in enumerate(perturbed[i]):
            assert other is not None and other.draw == draw
            assert abs(other.frame - robust.quality.failure_frame[i, draw]) <= 2
        done = files.executed.read(clip_hash(MOTIONS[i]))
        assert done is not None
        # To the end, or to the frame that failed, that one included.
        assert abs(len(done) - len(plain.states[i, 0])) <= 1
        both = min(len(done), len(plain.states[i, 0]))
        np.testing.assert_allclose(
            done.to_qpos()[:both], plain.states[i, 0][:both], atol=0.02
        )


def test_the_nominal_robot_is_the_same_with_and_without_others_beside_it(
    physics: DevicePhysics, policy: TrackerPolicy, tmp_path: Path
) -> None:
    alone, beside = Files.of(tmp_path / "a", "cuda"), Files.of(tmp_path / "b", "cuda")
    fill(physics, alone, perturbed=False)
    fill(physics, beside)
    first = read_draws(NAMED, policy, alone.table)
    assert first == read_draws(NAMED, policy, beside.table)
    assert read_draws(NAMED, policy, alone.table, perturbation=TWO)[0] == [None, None]


class Counted:
    """Performs on the CPU, and remembers who was asked for."""

    def __init__(self, base: Base) -> None:
        self.batches: list[tuple[int, int]] = []
        self._base = base

    def __call__(
        self, motions: Sequence[Motion], robots: Any, watch: Callable[[int, int], None]
    ) -> Iterator[Any]:
        from texedo.tracker.oracle.stream import Tried

        self.batches.append((len(motions), robots.draws))
        policy = self._base.policy
        for perturbed in (False, True) if robots.draws else (False,):
            ranges = self._base.perturbation if perturbed else None
            found = rollout(motions, policy, perturbation=ranges, seed=robots.seed)
            for i in range(len(motions)):
                for draw in range(robots.draws) if perturbed else (None,):
                    at = (i, draw) if perturbed else (i,)
                    quality = type(found.quality)(*(part[at] for part in found.quality))
                    qpos = None if perturbed else found.states[i, 0]
                    yield Tried(i, draw, _measures(quality), qpos, None)
        watch(1, len(motions))


def _measures(quality: Any) -> Any:
    from texedo.tracker.oracle.measure import Measures

    return Measures(
        quality,
        planar_drift=0.0,
        saturation=0.0,
        peak_torque=0.0,
        foot_slip=0.0,
        limbs=np.zeros(4, dtype=np.bool_),
    )


def test_a_suite_asks_for_all_prompts_and_robots_at_once_and_never_again(
    tmp_path: Path,
) -> None:
    need_warp()
    base = small_base(tmp_path)
    asked = [Asked(text=text, kind="file") for text in ("stand", "stay")]
    cpu = base.pool(asked, 3)
    plain = cpu.perform(cpu.everyone), cpu.robust(cpu.everyone)
    attempt = Counted(base)
    physics = DevicePhysics(
        base.policy, device="cuda", perturbation=base.perturbation, attempt=attempt
    )
    pool = replace(base, physics=physics).pool(asked, 3)
    pool.prepare(pool.everyone)
    assert attempt.batches == [(6, 1)]
    np.testing.assert_array_equal(pool.perform(pool.everyone).success, plain[0].success)
    np.testing.assert_array_equal(pool.robust(pool.everyone), plain[1])
    judged = pool.judged(pool.everyone)["length"]
    np.testing.assert_array_equal(judged, cpu.judged(cpu.everyone)["length"])
    assert attempt.batches == [(6, 1)]
    # Two tables, each of one device alone.
    for name, device in (("labels.jsonl", "cpu"), ("labels-cuda.jsonl", "cuda")):
        assert {label.device for label in read_labels(tmp_path / name)} == {device}
    assert pool.base.settings()["roll-outs on"] == "cuda"
    assert base.settings()["roll-outs on"] == "cpu"
    assert isinstance(base.generator, UnevenGenerator)


def test_a_lost_performance_is_performed_again_by_the_same_device(
    tmp_path: Path,
) -> None:
    need_warp()
    base = small_base(tmp_path, perturbation=None)
    attempt = Counted(base)
    physics = DevicePhysics(
        base.policy, device="cuda", perturbation=None, attempt=attempt
    )
    pool = replace(base, physics=physics).pool([Asked(text="stand", kind="file")], 2)
    before = pool.judged(pool.everyone)["length"]
    lost = next((tmp_path / "executed-cuda").rglob("*.npy"))
    lost.unlink()
    np.testing.assert_array_equal(pool.judged(pool.everyone)["length"], before)
    assert attempt.batches == [(2, 0), (1, 0)] and lost.is_file()
    assert not (tmp_path / "labels.jsonl").exists()
