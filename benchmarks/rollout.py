"""CPU roll-outs against their bound: bare `mj_step` over the very same steps.

    python benchmarks/rollout.py [--tracker FOLDER] [--memory]

The bound replays the recorded targets from the same start states in MuJoCo's own C++
loop, on as many threads: same states, same contacts, no policy, no verdict. Prints the
ratio (1 is the bound) for 256, 32 and 1 motions of five seconds; fails below 0.65 at
256. One motion is a chain of steps, each of which waits for the last: it uses one core,
bare or not, and its network is asked about one robot, which takes as long as reading all
weights from memory. So a second bound is printed: bare steps and the network alone, one
after the other. Without a tracker, an untrained network of the usual size drives motors stiff
enough to stand by themselves, so that all steps are performed.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import mujoco
import mujoco.rollout
import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from texedo.core.threads import available_cores, one_torch_thread
from texedo.motion import Motion
from texedo.robot import g1
from texedo.tracker.oracle.cpu import SLOTS
from texedo.tracker.oracle.rollout import rollout, rollout_stream
from texedo.tracker.policies.actor import Actor
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Actuation, Ints, PolicyBatch, RobotState
from texedo.tracker.policies.reference import Reference, start_state
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim.perturb import SUBSTEPS
from texedo.tracker.sim.physics import oracle_model

REQUIRED = 0.65
REPEATS = 3
Float64 = NDArray[np.float64]


def standing(frames: int, seed: int) -> Motion:
    """Standing, with the waist and the arms moving a little."""
    phase = np.random.default_rng(seed).random(17) * 2 * np.pi
    time_s = np.arange(frames) / 50
    qpos = np.zeros((frames, 36))
    qpos[:, 2], qpos[:, 3], qpos[:, 7:] = 0.757, 1.0, g1.KNEES_BENT
    swing = np.sin(5 * time_s[:, None] + phase) * np.minimum(time_s, 0.4)[:, None] / 4
    qpos[:, 19:] += swing
    return Motion.from_qpos(qpos)


def untrained() -> TrackerPolicy:
    torch.manual_seed(0)
    stiff = Actuation(
        stiffness=20 * g1.STIFFNESS,
        damping=9 * g1.DAMPING,
        effort=10 * g1.EFFORT_LIMIT,
        armature=4 * g1.ARMATURE,
    )
    return TrackerPolicy(Actor(TrackerSpec()), name="untrained", actuation=stiff)


class Recorder:
    """A policy that also writes down the targets of each motion."""

    def __init__(self, policy: TrackerPolicy) -> None:
        self.policy = policy
        self.targets: dict[int, list[Float64]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.policy, name)

    def start(self, num_slots: int) -> PolicyBatch:
        return _RecorderBatch(self.policy.start(num_slots), self.targets, num_slots)


class _RecorderBatch:
    def __init__(
        self, batch: PolicyBatch, targets: dict[int, list[Float64]], num_slots: int
    ) -> None:
        self._batch, self._targets = batch, targets
        self._rows: list[list[Float64]] = [[] for _ in range(num_slots)]

    def reset(self, slot: int, reference: Reference) -> None:
        self._rows[slot] = self._targets[id(reference.motion)] = []
        self._batch.reset(slot, reference)

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        return self._batch.observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        targets = self._batch.act(slots, observation)
        for slot, target in zip(slots, targets, strict=True):
            self._rows[slot].append(np.asarray(target, dtype=np.float64))
        return targets


class Bound:
    """The recorded steps, to be replayed by MuJoCo alone."""

    def __init__(self, motions: list[Motion], policy: TrackerPolicy) -> None:
        recorder = Recorder(policy)
        rollout(motions, recorder, keep_states=False)
        self._model = oracle_model(policy.actuation)
        self._jobs = []
        for motion in motions:
            targets = np.array(recorder.targets[id(motion)])
            control = np.repeat(targets, SUBSTEPS, axis=0)[None]
            self._jobs.append((self._state(motion), control))
        self.steps = sum(control.shape[1] for _, control in self._jobs)

    def _state(self, motion: Motion) -> Float64:
        data, start = mujoco.MjData(self._model), start_state(Reference(motion))
        data.qpos[:], data.qvel[:] = start.qpos, start.qvel
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.empty(mujoco.mj_stateSize(self._model, spec))
        mujoco.mj_getState(self._model, data, state, spec)
        return state[None]

    def replay(self, workers: int) -> None:
        with ThreadPoolExecutor(workers) as pool:
            list(
                pool.map(self._replay, (self._jobs[i::workers] for i in range(workers)))
            )

    def _replay(self, jobs: list[tuple[Float64, Float64]]) -> None:
        data = mujoco.MjData(self._model)
        with mujoco.rollout.Rollout(nthread=0) as pool:
            for state, control in jobs:
                pool.rollout(self._model, data, state, control)


def ratio(num_motions: int, policy: TrackerPolicy, workers: int) -> float:
    motions = [standing(251, seed) for seed in range(num_motions)]
    bound = Bound(motions, policy)
    bare, ours = [], []
    for _ in range(REPEATS):  # In turns, for the machine may be busy with other things.
        bare.append(_seconds(lambda: bound.replay(workers)))
        ours.append(
            _seconds(
                lambda: rollout(motions, policy, workers=workers, keep_states=False)
            )
        )
    (bare_wall, bare_cpu), (wall, cpu) = (
        np.min(times, axis=0) for times in (bare, ours)
    )
    rows = min(SLOTS, -(-num_motions // workers))
    step, network = bare_cpu * SUBSTEPS / bound.steps, network_seconds(policy, rows)
    print(
        f"{num_motions:4d} motions, {bound.steps} physics steps: bare {bare_wall:.2f} "
        f"s, roll-outs {wall:.2f} s ({num_motions / wall:.1f}/s), ratio "
        f"{bare_wall / wall:.2f} (of CPU seconds {bare_cpu / cpu:.2f})\n"
        f"     CPU time of a robot's control step: bare {1e6 * step:.0f} us, network "
        f"{1e6 * network:.0f} us, all {1e6 * cpu * SUBSTEPS / bound.steps:.0f} us; "
        f"bound with the network {step / (step + network):.2f}"
    )
    return float(bare_wall / wall)


def network_seconds(policy: TrackerPolicy, rows: int, calls: int = 20) -> float:
    """Time of the network for a robot among `rows`, with what it needs in the cache."""
    with one_torch_thread():
        batch = policy.start(rows)
        for slot in range(rows):
            batch.reset(slot, Reference(standing(3, 0)))
        slots, frames = np.arange(rows), np.zeros(rows, dtype=np.int64)
        state = RobotState(np.zeros((rows, 36)), np.zeros((rows, 35)))
        state.qpos[:, 3] = 1.0
        seen = batch.observe(slots, frames, state)
        times = [_seconds(lambda: batch.act(slots, seen))[1] for _ in range(calls)]
    return float(np.median(times)) / rows


def _seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and CPU time; the latter does not see what else the machine does."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def memory(policy: TrackerPolicy, workers: int, total: int = 10_000) -> None:
    """Peak memory after a tenth of the roll-outs and after all of them."""

    def motions() -> Iterator[Motion]:
        return (standing(10, seed) for seed in range(total))

    for done, _ in enumerate(rollout_stream(motions(), policy, workers=workers), 1):
        if done in (total // 10, total):
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{done:6d} roll-outs: peak {peak:.0f} MB")


@dataclass(frozen=True)
class Cfg:
    """Time roll-outs against bare physics."""

    tracker: str = ""
    """Folder of a trained tracker; untrained if not given."""
    memory: bool = False
    """Memory over 10,000 short roll-outs instead."""


def main(cfg: Cfg) -> int:
    policy = TrackerPolicy.load(cfg.tracker) if cfg.tracker else untrained()
    workers = available_cores()
    print(f"{workers} workers, tracker {policy.name!r}")
    if cfg.memory:
        memory(policy, workers)
        return 0
    shares = {n: ratio(n, policy, workers) for n in (1, 32, 256)}
    return 0 if shares[256] >= REQUIRED else 1


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Cfg, config=(tyro.conf.FlagCreatePairsOff,))))
