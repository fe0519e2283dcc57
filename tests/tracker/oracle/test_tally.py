"""The sums of the GPU against the oracle's numpy, on robots that move as they like."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.support.reference_clips import standing_qpos, wavy_qpos
from texedo.learning.cuda_graph import Carried, Replayed
from texedo.motion import Motion
from texedo.robot.g1 import EFFORT_LIMIT, TRACKED_BODY_INDICES
from texedo.robot.kinematics import BodyPoses, motion_kinematics
from texedo.tracker.oracle.measure import Measures, measure
from texedo.tracker.oracle.tally import Tally
from texedo.tracker.policies.reference import Reference
from texedo.tracker.sim.failures import ReferenceBodies as Wanted
from texedo.tracker.sim.observation import SimState

FRAMES = 40
CPU = torch.device("cpu")


def _robots() -> tuple[np.ndarray, list[int]]:
    """Four robots (4, T, 36) and how many frames their clips have."""
    rng = np.random.default_rng(0)
    near = standing_qpos(FRAMES)
    near[:, :2] += np.cumsum(rng.normal(0, 0.002, (FRAMES, 2)), axis=0)
    near[:, 7:] += 0.02 * rng.standard_normal((FRAMES, 29))
    fallen = near.copy()
    fallen[25:, 2] -= 0.4
    at_once = near.copy()
    at_once[1:, 2] -= 0.4
    return np.stack((near, fallen, wavy_qpos(FRAMES), at_once)), [40, 40, 30, 40]


def _torques() -> np.ndarray:
    """Some motors at their limit, (T, 4, 29) as shares of it."""
    share = np.random.default_rng(1).uniform(-1.2, 1.2, (FRAMES, 4, 29))
    return np.clip(share, -1.0, 1.0)


def _expected(robot: np.ndarray, torque: np.ndarray, length: int) -> Measures:
    reference = Reference(Motion.from_qpos(standing_qpos(length)))
    poses = motion_kinematics(Motion.from_qpos(robot[:length]))
    return measure(reference, poses, torque=np.abs(torque[1:length]), normalizers=None)


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.as_tensor(array.copy(), dtype=torch.float32)


def _state(poses: list[BodyPoses], frame: int) -> SimState:
    pos = np.stack([p.pos_w[frame][TRACKED_BODY_INDICES] for p in poses])
    quat = np.stack([p.quat_w[frame][TRACKED_BODY_INDICES] for p in poses])
    still = torch.zeros(len(poses), 14, 3)
    joints = torch.zeros(len(poses), 36), torch.zeros(len(poses), 35)
    return SimState(*joints, _tensor(pos), _tensor(quat), still, still)


def _tallied(tally: Tally, robots: np.ndarray, torque: np.ndarray) -> Tally:
    poses = [motion_kinematics(Motion.from_qpos(robot)) for robot in robots]
    wanted = [motion_kinematics(Motion.from_qpos(standing_qpos(FRAMES)))] * len(poses)
    sane = torch.zeros(len(poses), dtype=torch.bool)
    for frame in range(FRAMES):
        reference = _state(wanted, frame)
        tally.count(
            _state(poses, frame),
            Wanted(*reference[2:]),
            broken=sane,
            torque=_tensor(torque[frame] * EFFORT_LIMIT),
        )
    return tally


def test_it_says_what_the_oracle_says() -> None:
    robots, lengths = _robots()
    torque = _torques()
    tally = Tally(4, CPU)
    tally.begin(torch.ones(4, dtype=torch.bool), torch.tensor(lengths))
    results = _tallied(tally, robots, torque).results()
    for i, length in enumerate(lengths):
        wanted = _expected(robots[i], torque[:, i], length)
        assert bool(results["success"][i]) == bool(wanted.quality.success)
        assert int(results["executed"][i]) == int(wanted.quality.failure_frame)
        assert results["reasons"][i].tolist() == wanted.quality.reasons.tolist()
        assert results["limbs"][i].tolist() == wanted.limbs.tolist()
        for name, value in (
            ("progress", wanted.quality.progress),
            ("e_mpjpe", wanted.quality.mpjpe_l),
            ("e_vel", wanted.quality.e_vel),
            ("e_acc", wanted.quality.e_acc),
            ("drift", wanted.planar_drift),
            ("saturation", wanted.saturation),
            ("foot_slip", wanted.foot_slip),
        ):
            got = float(results[name][i])
            assert got == pytest.approx(float(value), rel=1e-3, abs=1e-3, nan_ok=True)
    assert results["executed"].tolist()[1::2] == [25, 1]


def test_a_robot_that_takes_a_second_clip_forgets_the_first() -> None:
    robots, lengths = _robots()
    torque = _torques()
    everyone = torch.ones(4, dtype=torch.bool)
    fresh, used = Tally(4, CPU), Tally(4, CPU)
    used.begin(everyone, torch.tensor(lengths))
    _tallied(used, robots[::-1].copy(), torque)
    for tally in (fresh, used):
        tally.begin(everyone, torch.tensor(lengths))
        _tallied(tally, robots, torque)
    for name, value in fresh.results().items():
        torch.testing.assert_close(used.results()[name], value, equal_nan=True)


def test_a_simulation_that_blew_up_has_failed() -> None:
    robots, _ = _robots()
    poses = [motion_kinematics(Motion.from_qpos(robots[0]))]
    tally = Tally(1, CPU)
    tally.begin(torch.ones(1, dtype=torch.bool), torch.tensor([FRAMES]))
    for broken in (False, False, True):
        state = _state(poses, 0)
        tally.count(
            state,
            Wanted(*state[2:]),
            broken=torch.tensor([broken]),
            torque=torch.zeros(1, 29),
        )
    assert tally.executed.tolist() == [2] and not tally.going().any()


class _Counter:
    def __init__(self) -> None:
        self.value = torch.zeros(3)

    def add(self) -> None:
        self.value = self.value + 1.0


def test_what_a_function_rebinds_is_brought_back_to_its_place() -> None:
    counter = _Counter()
    carried = Carried(counter, ("value",))
    place = counter.value.data_ptr()

    def step() -> None:
        counter.add()
        carried.settle()

    replayed = Replayed(step, CPU, carried)
    for _ in range(5):
        replayed()
    assert counter.value.tolist() == [5.0] * 3
    assert counter.value.data_ptr() == place


def test_where_nothing_can_be_recorded_the_function_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter = _Counter()
    carried = Carried(counter, ("value",))

    def step() -> None:
        counter.add()
        carried.settle()

    def breaks_off(self: Replayed) -> None:
        counter.add()  # Recorded, not run; and the end is not reached.
        raise RuntimeError("no memory may be freed here")

    monkeypatch.setattr(Replayed, "_record", breaks_off)
    replayed = Replayed(step, torch.device("cuda"), carried)
    for _ in range(Replayed.WARM_UP):
        replayed()
    with pytest.warns(RuntimeWarning, match="No CUDA graph"):
        replayed()
    replayed()
    assert counter.value.tolist() == [4.0] * 3
