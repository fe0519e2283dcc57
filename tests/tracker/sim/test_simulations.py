"""Robots stepped together: by MuJoCo, and by MuJoCo-Warp on the CPU.

The first use of Warp on a machine compiles its kernels, which takes half a minute; they
are kept in its cache.
"""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.support.reference_clips import packed, standing_qpos, wavy_qpos
from tests.support.standing import standing as stand_and_swing
from tests.support.warp import need_warp
from tests.tracker.policies.test_ours import small_actor
from texedo.core.errors import PolicyError
from texedo.quality import rollout_quality
from texedo.robot.g1 import BODY_INDEX, EFFORT_LIMIT, KNEES_BENT
from texedo.robot.mjcf import load_model
from texedo.tracker.oracle.batch import roll_out
from texedo.tracker.oracle.rollout import rollout_stream
from texedo.tracker.policies.open_loop import OpenLoopPolicy
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.domain import (
    Domain,
    DomainRanges,
    nominal_domain,
    sample_domain,
)
from texedo.tracker.sim.mujoco_cpu import MujocoSim
from texedo.tracker.sim.perturb import Perturbation
from texedo.tracker.sim.protocol import Simulation
from texedo.tracker.sim.reference_library import ReferenceLibrary

# Warp speaks of missing CUDA drivers; torch warns about read-only memory.
# One worker for all, so that no two compile the same kernels.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("warp")]

WORLDS = 4
SPEC = TrackerSpec(hidden_sizes=(8,))


@pytest.fixture(scope="module", params=["mujoco", "warp"])
def sim(request: pytest.FixtureRequest) -> Simulation:
    if request.param == "mujoco":
        return MujocoSim(WORLDS, randomized=True, workers=2)
    need_warp()
    from texedo.tracker.sim.warp import WarpSim

    return WarpSim(WORLDS, device="cpu", randomized=True)


@pytest.fixture
def standing(sim: Simulation) -> Simulation:
    """Every world stands, nominal, with its own pose as target."""
    sim.set_domain(nominal_domain(WORLDS, device="cpu"))
    qpos = torch.as_tensor(standing_qpos(WORLDS), dtype=torch.float32)
    everyone = torch.ones(WORLDS, dtype=torch.bool)
    sim.place(everyone, qpos, torch.zeros(WORLDS, 35))
    sim.stage.copy_(qpos[:, 7:].expand(4, WORLDS, 29))
    return sim


def loop_of(sim: Simulation, *qpos: NDArray[np.float32]) -> ClosedLoop:
    clips = packed(*qpos)
    library = ReferenceLibrary.build(clips.qpos, clips.starts, clips.lengths)
    return ClosedLoop(sim, library, SPEC)


def test_it_moves_as_mujoco_does(standing: Simulation) -> None:
    import mujoco

    model = load_model(visuals=False)
    data = mujoco.MjData(model)
    data.qpos[:] = standing_qpos(1)[0]
    target = KNEES_BENT + 0.05
    data.ctrl[:] = target
    standing.stage.copy_(torch.as_tensor(target).expand(4, WORLDS, 29))
    for _ in range(3):
        mujoco.mj_step(model, data, nstep=4)
        standing.step()
    np.testing.assert_allclose(standing.qpos[0].numpy(), data.qpos, atol=2e-4)
    np.testing.assert_allclose(standing.qvel[0].numpy(), data.qvel, atol=2e-2)
    mujoco.mj_kinematics(model, data)
    pelvis, ankle = standing.state().body_pos[0, 0], standing.state().body_pos[0, 3]
    np.testing.assert_allclose(pelvis.numpy(), data.xpos[1], atol=2e-4)
    np.testing.assert_allclose(
        ankle.numpy(), data.xpos[1 + BODY_INDEX["left_ankle_roll_link"]], atol=2e-4
    )


def test_body_velocities_are_those_of_the_link_origins(standing: Simulation) -> None:
    qvel = torch.zeros(WORLDS, 35)
    qvel[:, 5] = 2.0  # turns about z
    qvel[:, 0] = 1.0
    everyone = torch.ones(WORLDS, dtype=torch.bool)
    standing.place(everyone, standing.qpos.clone(), qvel)
    state = standing.state()
    arm = state.body_pos - state.body_pos[:, :1]
    expected = torch.stack(
        (1.0 - 2.0 * arm[..., 1], 2.0 * arm[..., 0], 0.0 * arm[..., 0]), dim=-1
    )
    np.testing.assert_allclose(state.body_lin_vel.numpy(), expected.numpy(), atol=1e-4)


def test_torques_never_exceed_the_effort_limits(standing: Simulation) -> None:
    domain = nominal_domain(WORLDS, device="cpu")
    standing.set_domain(domain._replace(motor_strength=domain.motor_strength * 1.1))
    standing.stage.fill_(50.0)
    standing.step()
    share = standing.torque.abs() / torch.as_tensor(EFFORT_LIMIT.copy())
    assert float(share.max()) == pytest.approx(1.0, abs=1e-5)
    standing.set_domain(domain._replace(motor_strength=domain.motor_strength * 0.5))
    standing.step()
    share = standing.torque.abs() / torch.as_tensor(EFFORT_LIMIT.copy())
    assert float(share.max()) == pytest.approx(0.5, abs=1e-5)


def differing() -> Domain:
    """The second torso is a tenth heavier, the third robot stands on ice."""
    return nominal_domain(WORLDS, device="cpu")._replace(
        torso_mass=torch.tensor([1.0, 1.1, 1.0, 1.0]),
        friction=torch.tensor([0.8, 0.8, 0.4, 0.8]),
    )


def test_worlds_of_mujoco_differ_as_their_domain_says() -> None:
    sim = MujocoSim(WORLDS, randomized=True)
    for _ in range(2):  # Twice: a change is from the nominal robot, not from the last.
        sim.set_domain(differing())
    nominal, models = sim.nominal, sim._models
    torso = BODY_INDEX["torso_link"] + 1
    mass = [model.body_mass[torso] / nominal.body_mass[torso] for model in models]
    np.testing.assert_allclose(mass, [1.0, 1.1, 1.0, 1.0], rtol=1e-5)
    extra = models[1].body_subtreemass - models[0].body_subtreemass
    assert extra[1] == pytest.approx(0.1 * nominal.body_mass[torso], rel=1e-3)
    foot = next(i for i in range(nominal.ngeom) if "_foot" in nominal.geom(i).name)
    friction = [model.geom_friction[foot, 0] for model in models]
    np.testing.assert_allclose(friction, [0.8, 0.8, 0.4, 0.8], rtol=1e-6)


def test_alike_worlds_have_no_domain() -> None:
    with pytest.raises(ValueError, match="randomized=False"):
        MujocoSim(2).set_domain(nominal_domain(2, device="cpu"))


def test_threads_change_no_bit() -> None:
    ends = []
    for workers in (1, 3):
        sim = MujocoSim(20, randomized=True, workers=workers)
        torch.manual_seed(0)
        sim.set_domain(sample_domain(20, DomainRanges(), strength=torch.ones(20)))
        qpos = torch.as_tensor(standing_qpos(20), dtype=torch.float32)
        sim.place(torch.ones(20, dtype=torch.bool), qpos, torch.zeros(20, 35))
        for _ in range(5):
            sim.stage.copy_(qpos[:, 7:] + 0.2 * torch.randn(4, 20, 29))
            sim.step()
        ends.append(torch.cat((sim.qpos, sim.qvel, sim.torque), dim=1))
    assert torch.equal(*ends)


def test_worlds_of_warp_differ_as_their_domain_says() -> None:
    need_warp()
    from texedo.tracker.sim.warp import WarpSim

    standing = WarpSim(WORLDS, device="cpu", randomized=True)
    nominal = load_model(visuals=False)
    torso = BODY_INDEX["torso_link"] + 1
    standing.set_domain(differing())
    fields = standing._fields
    mass = fields["body_mass"][:, torso] / nominal.body_mass[torso]
    np.testing.assert_allclose(mass.numpy(), [1.0, 1.1, 1.0, 1.0], rtol=1e-5)
    extra = fields["body_subtreemass"][1] - fields["body_subtreemass"][0]
    assert float(extra[1]) == pytest.approx(0.1 * nominal.body_mass[torso], rel=1e-3)
    left_leg = BODY_INDEX["left_knee_link"] + 1
    assert float(extra[left_leg]) == 0.0
    foot = next(i for i in range(nominal.ngeom) if "_foot" in nominal.geom(i).name)
    friction = fields["geom_friction"][:, foot, 0]
    np.testing.assert_allclose(friction.numpy(), [0.8, 0.8, 0.4, 0.8], rtol=1e-6)


def test_a_delayed_target_arrives_late(standing: Simulation) -> None:
    loop = loop_of(standing, standing_qpos(20))
    frames = torch.zeros(WORLDS, dtype=torch.int64)
    loop.place(torch.ones(WORLDS, dtype=torch.bool), frames, *loop.start_states(frames))
    delay = torch.tensor([0, 1, 3, 4])
    loop.set_domain(loop.domain._replace(delay=delay))
    loop.step(torch.ones(WORLDS, 29))
    moved = standing.stage[:, :, 0] - KNEES_BENT[0] > 0.1  # (4, N)
    assert moved.sum(dim=0).tolist() == [4, 3, 1, 0]
    assert loop.frames.tolist() == [1] * WORLDS


def test_a_world_that_blew_up_is_seen_and_can_be_placed_again(
    standing: Simulation,
) -> None:
    standing.qvel[2] = float("nan")
    standing.step()
    assert standing.broken().tolist() == [False, False, True, False]
    assert all(bool(torch.isfinite(x).all()) for x in standing.state())
    qpos = torch.as_tensor(standing_qpos(WORLDS), dtype=torch.float32)
    standing.place(standing.broken(), qpos, torch.zeros(WORLDS, 35))
    standing.step()
    assert not standing.broken().any()


def test_a_roll_out_is_judged_as_the_oracle_does(standing: Simulation) -> None:
    lying = standing_qpos(30)
    lying[10:, 2] = 0.2  # no robot follows that
    loop = loop_of(standing, standing_qpos(40), lying, wavy_qpos(25), standing_qpos(9))
    seen: list[torch.Tensor] = []

    def stand(observed: torch.Tensor) -> torch.Tensor:
        seen.append(standing.state().body_pos.clone())
        return torch.zeros(len(observed), 29)

    outcomes = roll_out(loop, stand, torch.tensor([1, 0, 3]))
    assert outcomes.success.tolist() == [False, True, True]
    assert outcomes.executed[1:].tolist() == [40, 9]
    assert bool(outcomes.reasons[0, 0])
    # Longest first: clip 0 was world 0. The last state is not observed.
    robot = torch.stack(seen)[:, 0].numpy()
    library = loop.library
    quality = rollout_quality(
        library.body_pos[:39].numpy(),
        robot[:39],
        library.body_quat[:39, 0].numpy(),
        library.body_quat[:39, 0].numpy(),
        normalizers=None,
    )
    assert float(outcomes.e_mpjpe[1]) == pytest.approx(float(quality.mpjpe_l), rel=0.05)
    assert float(outcomes.e_vel[1]) == pytest.approx(float(quality.e_vel), rel=0.05)
    assert float(outcomes.e_acc[1]) == pytest.approx(float(quality.e_acc), rel=0.1)


def test_ended_robots_take_the_clips_that_wait(standing: Simulation) -> None:
    lengths = (12, 45, 30, 9, 22, 14)
    loop = loop_of(standing, *(standing_qpos(n) for n in lengths))

    def stand(observed: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(observed), 29)

    together = roll_out(loop, stand, torch.arange(6))
    assert together.executed.tolist() == list(lengths)
    alone = roll_out(loop, stand, torch.tensor([4]))
    for name, value in vars(alone).items():
        torch.testing.assert_close(getattr(together, name)[4:5], value)


@pytest.mark.parametrize("perturbation", [None, Perturbation(draws=2)])
def test_a_stream_of_motions_is_judged_as_on_the_cpu(perturbation) -> None:  # type: ignore[no-untyped-def]
    need_warp()
    from texedo.tracker.oracle.stream import warp_stream

    policy = TrackerPolicy(small_actor(), name="small")
    motions = [stand_and_swing(n, seed=n) for n in (20, 35, 26)]
    motions.insert(1, stand_and_swing(30, height=2.0))
    options = {"perturbation": perturbation, "seed": 3}
    ours = sorted(warp_stream(motions, policy, device="cpu", worlds=WORLDS, **options))
    theirs = sorted(rollout_stream(motions, policy, workers=1, **options))
    assert [x[:2] for x in ours] == [x[:2] for x in theirs]
    for got, wanted in zip(ours, theirs, strict=True):
        assert got.error == wanted.error
        if wanted.measures is None:
            continue
        assert bool(got.measures.quality.success)
        assert got.measures.quality.failure_frame == len(motions[got.motion])
        for name in ("mpjpe_l", "e_vel", "e_acc"):
            value = float(getattr(wanted.measures.quality, name))
            number = float(getattr(got.measures.quality, name))
            assert number == pytest.approx(value, rel=0.02, abs=0.02)
        for name in ("planar_drift", "saturation", "foot_slip"):
            value = getattr(wanted.measures, name)
            assert getattr(got.measures, name) == pytest.approx(value, abs=0.01)


def test_controllers_of_others_stay_on_the_cpu() -> None:
    need_warp()
    from texedo.tracker.oracle.stream import warp_stream

    with pytest.raises(PolicyError, match="runs on the CPU alone"):
        next(warp_stream([], OpenLoopPolicy(), device="cpu"))


def test_domains_are_drawn_within_their_ranges() -> None:
    torch.manual_seed(0)
    ranges = DomainRanges()
    calm: Domain = sample_domain(500, ranges, strength=torch.zeros(500))
    for got, wanted in zip(calm, nominal_domain(500, device="cpu"), strict=True):
        torch.testing.assert_close(got, wanted)
    wild = sample_domain(500, ranges, strength=torch.ones(500))
    assert ranges.friction[0] <= float(wild.friction.min()) < 0.45
    assert 1.1 < float(wild.friction.max()) <= ranges.friction[1]
    assert set(wild.delay.tolist()) == {0, 1, 2, 3, 4}


def test_the_cpu_simulator_has_as_many_threads_as_it_may_use_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A container with 1 of 64 cores: `os.cpu_count` says 64.
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3}, raising=False)
    assert len(MujocoSim(1)._physics._datas) == 1
