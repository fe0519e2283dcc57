"""The physics of the oracle, where it can be foretold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.standing import ON_THE_FLOOR, standing, stiff
from texedo.core.errors import MotionError, PolicyError
from texedo.motion import Motion
from texedo.quality import rollout_quality
from texedo.robot import g1
from texedo.robot.kinematics import motion_kinematics
from texedo.tracker.oracle.cpu import Finished, Task, simulate
from texedo.tracker.oracle.measure import foot_slip
from texedo.tracker.policies.open_loop import OpenLoopBatch, OpenLoopPolicy
from texedo.tracker.policies.protocol import Actuation, Ints, Policy, RobotState
from texedo.tracker.policies.reference import Reference
from texedo.tracker.sim.perturb import Draw
from texedo.tracker.sim.physics import oracle_model, perturbed_model


def _nominal(frames: int) -> Draw:
    """A draw that changes nothing."""
    return Draw(
        sole_friction=0.8,
        torso_mass=1.0,
        torso_com=np.zeros(3),
        motor_strength=np.ones(29),
        delay=0,
        push_frames=np.zeros(0, dtype=np.int64),
        push_vel_w=np.zeros((0, 2)),
        noise=np.zeros((frames, 70)),
    )


def _run(
    motion: Motion, policy: Policy | None = None, draw: Draw | None = None
) -> Finished:
    task = Task(0, 0, Reference(motion), draw)
    (finished,) = simulate([task], policy or OpenLoopPolicy(), workers=1, slots=1)
    return finished


def _qpos(finished: Finished) -> NDArray[np.float64]:
    assert finished.qpos is not None
    return finished.qpos


class _Batch(OpenLoopBatch):
    """Open loop, except for what a test changes."""

    def __init__(self, slots: int, owner: Any) -> None:
        super().__init__(slots)
        self.owner = owner

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        self.owner.seen.append(state)
        return super().observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = super().act(slots, observation)
        return np.asarray(self.owner.change(targets, observation[:, 0]))


class _Changed:
    """An open-loop policy with changed targets; remembers what it was shown."""

    def __init__(self, change: Any = lambda targets, frames: targets, **fields: Any):
        self.policy = OpenLoopPolicy(**fields)
        self.change = change
        self.seen: list[RobotState] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.policy, name)

    def start(self, num_slots: int) -> _Batch:
        return _Batch(num_slots, self)


def test_without_a_controller_a_standing_robot_falls() -> None:
    # Both ankles give 57 N m/rad, gravity takes 33 kg * 9.81 * 0.6 m = 195: it topples.
    assert 2 * g1.STIFFNESS[4] < 33 * 9.81 * 0.6
    measures = _run(standing(150, swing=0.0)).measures
    assert measures is not None and not measures.quality.success
    assert 40 < measures.quality.failure_frame < 100


def test_a_robot_as_stiff_as_a_statue_stands() -> None:
    finished = _run(standing(150, swing=0.0), stiff())
    assert finished.measures is not None
    assert finished.measures.quality.success
    assert finished.measures.planar_drift < 0.05
    assert finished.measures.foot_slip < 0.02
    assert len(_qpos(finished)) == 150


def test_a_robot_above_the_floor_falls_as_stones_do() -> None:
    motion = standing(20, swing=0.0, height=ON_THE_FLOOR + 0.2)
    height = _qpos(_run(motion))[:, 2]
    # After 0.1 s: 9.81 / 2 * 0.1^2 = 4.9 cm; steps of 5 ms overshoot by 0.25 cm.
    assert height[0] - height[5] == pytest.approx(0.0515, abs=0.001)


def test_torques_stay_within_the_limits_whatever_is_asked() -> None:
    wild = _Changed(lambda targets, frames: targets + 1e3 * (-1.0) ** frames[:, None])
    measures = _run(standing(30), wild).measures
    assert measures is not None
    assert measures.peak_torque == pytest.approx(1.0)
    assert measures.saturation > 0.9


def test_the_verdict_follows_from_the_stored_trajectory() -> None:
    motion = standing(120, swing=0.3, seed=3)
    finished = _run(motion)
    assert finished.measures is not None
    executed = motion_kinematics(Motion.from_qpos(_qpos(finished)))
    reference = motion_kinematics(motion)
    frames = len(_qpos(finished))
    again = rollout_quality(
        reference.pos_w[:frames, g1.TRACKED_BODY_INDICES],
        executed.pos_w[:, g1.TRACKED_BODY_INDICES],
        reference.quat_w[:frames, 0],
        executed.quat_w[:, 0],
    )
    told = finished.measures.quality
    assert told.failure_frame == frames - 1 == again.failure_frame
    np.testing.assert_array_equal(told.reasons, again.reasons)
    assert told.progress == (frames - 1) / 120
    np.testing.assert_allclose(told.mpjpe_l, again.mpjpe_l, rtol=1e-4)
    np.testing.assert_allclose(told.e_vel, again.e_vel, rtol=1e-3)
    np.testing.assert_allclose(told.e_acc, again.e_acc, rtol=1e-2)


def test_the_last_frame_is_tested_too() -> None:
    # The reference jumps up by half a metre in its very last frame.
    qpos = standing(10, swing=0.0).to_qpos().copy()
    qpos[-1, 2] += 0.5
    measures = _run(Motion.from_qpos(qpos), stiff()).measures
    assert measures is not None and not measures.quality.success
    assert measures.quality.failure_frame == 9
    assert measures.quality.progress == 0.9


def test_a_push_adds_its_velocity_to_the_whole_robot() -> None:
    motion = standing(12, swing=0.0, height=ON_THE_FLOOR + 0.2)
    pushed = _nominal(12)._replace(
        push_frames=np.array([4]), push_vel_w=np.array([[0.3, -0.4]])
    )
    path = _qpos(_run(motion, draw=pushed))[:, :2] - _qpos(_run(motion))[:, :2]
    np.testing.assert_allclose(path[:5], 0.0, atol=1e-6)
    # In the air nothing holds it: 0.3 m/s for 0.02 s is 6 mm a frame.
    np.testing.assert_allclose(path[9], 5 * np.array([0.006, -0.008]), atol=2e-4)


def test_a_delay_of_a_whole_step_sends_each_target_a_step_late() -> None:
    motion = standing(25, swing=0.4)
    joints = motion.joint_pos.astype(np.float64)
    late = _run(motion, draw=_nominal(25)._replace(delay=4))
    by_hand = _Changed(lambda targets, frames: joints[frames])
    np.testing.assert_array_equal(
        _qpos(late), _qpos(_run(motion, by_hand, _nominal(25)))
    )


def test_part_of_a_delay_lies_between() -> None:
    motion = standing(25, swing=0.4)
    elbow = [
        _qpos(_run(motion, draw=_nominal(25)._replace(delay=delay)))[20, 7 + 18]
        for delay in range(5)
    ]
    steps = np.diff(elbow)
    assert (steps > 0).all() or (steps < 0).all()


def test_noise_is_on_what_the_policy_sees_and_not_on_the_robot() -> None:
    motion = standing(15)
    noisy = _nominal(15)._replace(noise=np.full((15, 70), 0.01))
    seen = _Changed()
    blurred = _run(motion, seen, noisy)
    np.testing.assert_array_equal(
        _qpos(blurred), _qpos(_run(motion, draw=_nominal(15)))
    )
    error = np.array([s.qpos[0, 7:] for s in seen.seen]) - _qpos(blurred)[:-1, 7:]
    np.testing.assert_allclose(error, 0.01, atol=1e-12)


def test_a_drawn_robot_has_other_soles_masses_and_motors() -> None:
    motors = Actuation()
    model = oracle_model(motors)
    draw = _nominal(3)._replace(
        sole_friction=0.5,
        torso_mass=1.1,
        torso_com=np.array([0.01, 0.0, -0.02]),
        motor_strength=np.linspace(0.9, 1.1, 29),
    )
    other = perturbed_model(model, motors, draw)
    torso = model.body("torso_link").id
    assert other.geom("left_foot1_collision").friction[0] == 0.5
    assert other.geom("torso_collision").friction[0] == 1.0
    assert other.body_mass[torso] == pytest.approx(7.818 * 1.1)
    np.testing.assert_allclose(
        other.body_ipos[torso] - model.body_ipos[torso], draw.torso_com
    )
    assert other.actuator_gainprm[0, 0] == pytest.approx(0.9 * g1.STIFFNESS[0])
    # A weak motor loses torque; a strong one has no more than the limit.
    assert other.actuator_forcerange[0, 1] == pytest.approx(0.9 * 88)
    assert other.actuator_forcerange[28, 1] == 5.0
    # The original is as it was.
    assert model.geom("left_foot1_collision").friction[0] == 0.8
    assert model.body_mass[torso] == pytest.approx(7.818)


def test_a_simulation_that_blows_up_is_a_failure_and_harms_nobody(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    explosive = Actuation(
        stiffness=np.full(29, 1e9), effort=np.full(29, 1e12), armature=np.zeros(29)
    )
    sane = standing(30, swing=0.0, height=ON_THE_FLOOR + 0.2)
    qpos = sane.to_qpos().copy()
    qpos[1:, 7:] += 0.5
    policy = OpenLoopPolicy(actuation=explosive)
    tasks = [Task(0, 0, Reference(Motion.from_qpos(qpos)), None)]
    (bad,) = simulate(tasks, policy, workers=1, slots=1)
    assert bad.measures is not None and not bad.measures.quality.success
    assert np.isfinite(bad.measures.quality.mpjpe_l)
    assert not list(tmp_path.iterdir())  # MuJoCo's log file
    assert capfd.readouterr().err == ""


def test_targets_that_are_no_numbers_are_an_error_of_that_motion_alone() -> None:
    def break_one(targets: NDArray[Any], frames: NDArray[Any]) -> NDArray[Any]:
        targets[0, 5] = np.nan if frames[0] == 3 else targets[0, 5]
        return targets

    motions = [standing(10, seed=0), standing(8, seed=1)]
    tasks = [Task(i, 0, Reference(m), None) for i, m in enumerate(motions)]
    done = {f.motion: f for f in simulate(tasks, _Changed(break_one), workers=1)}
    assert "not a number at frame 3" in (done[0].error or "")
    assert done[1].error is None and len(_qpos(done[1])) == 8


def test_a_motion_that_the_policy_refuses_costs_the_others_nothing() -> None:
    class Picky(_Changed):
        def start(self, num_slots: int) -> _Batch:
            batch = super().start(num_slots)
            accept = batch.reset

            def reset(slot: int, reference: Reference) -> None:
                if len(reference) == 9:
                    raise MotionError("not this one")
                accept(slot, reference)

            batch.reset = reset  # type: ignore[method-assign]
            return batch

    motions = [standing(n) for n in (8, 9, 10)]
    tasks = [Task(i, 0, Reference(m), None) for i, m in enumerate(motions)]
    errors = {f.motion: f.error for f in simulate(tasks, Picky(), workers=2)}
    assert errors == {0: None, 1: "not this one", 2: None}


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (_Changed(observation_size=7), r"observed an array of \(1, 1\); it takes"),
        (_Changed(lambda t, f: t[:, :28]), r"targets of \(1, 28\), not \(1, 29\)"),
        (_Changed(joint_names=g1.JOINT_NAMES[::-1]), "does not fit the robot"),
    ],
    ids=["observation", "targets", "joints"],
)
def test_a_policy_that_does_not_fit_is_refused(policy: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        _run(standing(5), policy)


def test_tasks_are_read_only_as_they_are_needed() -> None:
    read = []

    def tasks() -> Iterator[Task]:
        for number in range(1000):
            read.append(number)
            yield Task(number, 0, Reference(standing(4)), None)

    stream = simulate(tasks(), OpenLoopPolicy(), workers=1, slots=2, keep_states=False)
    assert next(stream).qpos is None
    stream.close()
    assert len(read) < 600


def test_an_error_in_the_source_reaches_the_reader() -> None:
    def tasks() -> Iterator[Task]:
        yield Task(0, 0, Reference(standing(4)), None)
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        list(simulate(tasks(), OpenLoopPolicy(), workers=2))


def test_a_sole_that_slides_at_a_known_speed_is_measured_so() -> None:
    qpos = standing(50, swing=0.0, height=ON_THE_FLOOR).to_qpos().copy()
    qpos[:, 0] = np.arange(50) * 0.004  # 4 mm a frame: 0.2 m/s
    assert foot_slip(motion_kinematics(Motion.from_qpos(qpos))) == pytest.approx(
        0.2, 1e-3
    )
    qpos[:, 2] += 0.1
    assert np.isnan(foot_slip(motion_kinematics(Motion.from_qpos(qpos))))
