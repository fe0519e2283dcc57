"""Roll-outs in MuJoCo on all CPU cores: the reference implementation of the oracle.

Every worker is a thread with some slots, a robot in each. A slot that has
finished takes the next task at once, so that short motions do not wait for long ones,
and the policy is always asked about all slots of a worker together. Physics and policy
both leave Python's lock while they compute, for all slots at once; what is left inside
is a few copies.

What is promised. The result of a task depends on the task and the policy alone: no
number travels between slots, and a `PolicyBatch` gives a slot the same bits whatever
the others do. So neither the number of workers, nor the batch, nor chance in the
threads' timing changes a bit.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.core.threads import one_torch_thread
from texedo.quality import termination_flags
from texedo.robot.g1 import BODY_NAMES, TRACKED_BODY_INDICES
from texedo.robot.kinematics import BodyPoses
from texedo.tracker.oracle.measure import Measures, measure
from texedo.tracker.policies.protocol import (
    NUM_JOINTS,
    Policy,
    RobotState,
    check_observation,
    check_policy,
    check_targets,
)
from texedo.tracker.policies.reference import Reference, start_state
from texedo.tracker.sim.perturb import SUBSTEPS, Draw, measured
from texedo.tracker.sim.physics import (
    Stage,
    drawn_motors,
    oracle_model,
    perturbed_model,
    quiet_instabilities,
)

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]

SLOTS = 128
"""Robots of a worker at most: beyond that the policy gains little, the cache loses."""
_IMPOSSIBLE = 1e6
"""A speed at which the simulation has blown up [rad/s, m/s]."""
_JUDGE_EVERY = 4
"""Control steps between two looks at whether robots have failed. The verdict is given
when all is done; a look only spares steps that would not count."""
_POLL = 0.2
"""How often a blocked thread looks whether it should stop [s]."""


class Task(NamedTuple):
    """One roll-out to do."""

    motion: int
    """Number of the motion in the call."""
    draw_index: int
    """Number of the draw; 0 without a perturbation."""
    reference: Reference
    draw: Draw | None


class Finished(NamedTuple):
    """One roll-out that is done, or could not be."""

    motion: int
    draw_index: int
    measures: Measures | None
    """None if there is an error."""
    qpos: Float64 | None
    """Frames from the start to the end or to the one that failed, (T', 36)."""
    error: str | None


def simulate(
    tasks: Iterable[Task],
    policy: Policy,
    *,
    workers: int,
    slots: int = SLOTS,
    keep_states: bool = True,
) -> Generator[Finished, None, None]:
    """Do the tasks, in any order; yields each as it is done.

    `tasks` is read as slots become free, so it may be a generator that loads motions.
    Stopping the iteration stops the threads.
    """
    check_policy(policy)
    model = oracle_model(policy.actuation)
    source = _Source(tasks)
    results: queue.Queue[Finished | BaseException | None] = queue.Queue(maxsize=256)
    stop = threading.Event()

    def work() -> None:
        try:
            worker = _Worker(policy, model, slots=slots, keep_states=keep_states)
            for finished in worker.run(source, stop):
                _put(results, finished, stop)
            _put(results, None, stop)
        except BaseException as error:  # Raised again where the results are read.
            _put(results, error, stop)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    with one_torch_thread(), quiet_instabilities():
        try:
            for thread in threads:
                thread.start()
            yield from _collect(results, workers)
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def _collect(
    results: queue.Queue[Finished | BaseException | None], workers: int
) -> Iterator[Finished]:
    running = workers
    while running:
        item = results.get()
        if isinstance(item, BaseException):
            raise item
        if item is None:
            running -= 1
        else:
            yield item


def _put(
    results: queue.Queue[Finished | BaseException | None],
    item: Finished | BaseException | None,
    stop: threading.Event,
) -> None:
    # A reader who has gone away must not leave threads blocked on a full queue.
    while not stop.is_set():
        try:
            results.put(item, timeout=_POLL)
            return
        except queue.Full:
            continue


class _Source:
    """An iterator that several threads may read."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._lock = threading.Lock()

    def take(self) -> Task | None:
        with self._lock:
            return next(self._tasks, None)


class _Performance:
    """A task that is being done, and what it has left behind so far."""

    def __init__(self, task: Task, model: mujoco.MjModel) -> None:
        frames = len(task.reference)
        self.task = task
        self.model = model
        self.last = frames - 1
        self.qpos = np.empty((frames, 36))
        # Zeros, for frames after a failure are looked at but do not count.
        self.poses = _empty_poses(frames)
        self.wanted_pos = task.reference.tracked_pos_w
        self.wanted_quat = task.reference.root_quat_w
        self.torque = np.empty((frames - 1, NUM_JOINTS))
        self.pushes: dict[int, Float64] = {}
        if task.draw is not None:
            pushes = zip(task.draw.push_frames, task.draw.push_vel_w, strict=True)
            self.pushes = {int(frame): velocity for frame, velocity in pushes}


def _empty_poses(rows: int) -> BodyPoses:
    bodies = len(BODY_NAMES)
    return BodyPoses(np.zeros((rows, bodies, 3)), np.zeros((rows, bodies, 4)))


class _Worker:
    """Slots of one thread. Arrays have a row per slot; `busy` says which count."""

    def __init__(
        self, policy: Policy, model: mujoco.MjModel, *, slots: int, keep_states: bool
    ) -> None:
        self.policy, self.model, self.keep_states = policy, model, keep_states
        self.batch = policy.start(slots)
        self.stage = Stage(model, slots)
        self.busy: dict[int, _Performance] = {}
        self.num_slots = slots
        self.frame = np.zeros(slots, dtype=np.int64)
        self.qpos, self.qvel = np.zeros((slots, 36)), np.zeros((slots, 35))
        self.target = np.zeros((slots, NUM_JOINTS))
        self.delay = np.zeros(slots, dtype=np.int64)
        self.motors = np.zeros((3, slots, NUM_JOINTS))  # stiffness, damping, effort
        self.steps = 0

    def run(self, source: _Source, stop: threading.Event) -> Iterator[Finished]:
        while not stop.is_set():
            if len(self.busy) < self.num_slots:
                yield from self._fill(source)
            if not self.busy:
                return
            yield from self._step()

    def _fill(self, source: _Source) -> Iterator[Finished]:
        """Give every free slot a task, as long as there are some."""
        for slot in sorted(set(range(self.num_slots)) - set(self.busy)):
            while slot not in self.busy:
                if (task := source.take()) is None:
                    return
                try:
                    self._begin(slot, task)
                except TexedoError as error:
                    yield _failed(task, str(error))

    def _begin(self, slot: int, task: Task) -> None:
        start = start_state(task.reference)
        self.batch.reset(slot, task.reference)
        model, motors, delay = self.model, self.policy.actuation, 0
        if task.draw is not None:
            model = perturbed_model(model, motors, task.draw)
            motors, delay = drawn_motors(motors, task.draw), task.draw.delay
        self.frame[slot], self.delay[slot] = 0, delay
        self.qpos[slot], self.qvel[slot] = start.qpos, start.qvel
        self.target[slot] = start.qpos[7:]  # In force until the first delayed target.
        self.motors[:, slot] = motors.stiffness, motors.damping, motors.effort
        self.busy[slot] = _Performance(task, model)
        self._record([slot])

    def _step(self) -> Iterator[Finished]:
        """One control step of all busy slots."""
        slots = np.array(sorted(self.busy))
        targets = self._targets(slots)
        sane = np.isfinite(targets).all(axis=1)
        for slot in slots[~sane].tolist():
            yield self._abandon(slot)
        slots, targets = slots[sane], targets[sane]
        if not len(slots):
            return
        torque = self._move(slots, targets)
        for row, slot in enumerate(slots.tolist()):
            self.busy[slot].torque[self.frame[slot]] = torque[row]
        self.frame[slots] += 1
        self.steps += 1
        self._record(slots.tolist())
        ended = self._broken(slots)
        if self.steps % _JUDGE_EVERY == 0:
            ended |= self._failed(slots)
        for slot in slots.tolist():
            if slot in ended or self.frame[slot] == self.busy[slot].last:
                yield self._finish(slot)

    def _targets(self, slots: Ints) -> Float64:
        state = RobotState(self.qpos[slots], self.qvel[slots])
        self._disturb(slots, state)
        observation = self.batch.observe(slots, self.frame[slots], state)
        check_observation(self.policy, observation, len(slots))
        targets = self.batch.act(slots, observation)
        check_targets(self.policy, targets, len(slots))
        return np.asarray(targets, dtype=np.float64)

    def _disturb(self, slots: Ints, state: RobotState) -> None:
        """Put the noise of perturbed tasks on what their robots measure."""
        rows, noise = [], []
        for row, slot in enumerate(slots.tolist()):
            draw = self.busy[slot].task.draw
            if draw is not None:
                rows.append(row)
                noise.append(draw.noise[self.frame[slot]])
        if rows:
            state.qpos[rows], state.qvel[rows] = measured(
                state.qpos[rows], state.qvel[rows], np.array(noise)
            )

    def _move(self, slots: Ints, targets: Float64) -> Float64:
        """Physics of one control step; torques as shares of the limit, (n, 29)."""
        performances = [self.busy[slot] for slot in slots.tolist()]
        for slot, performance in zip(slots.tolist(), performances, strict=True):
            if performance.pushes and self.frame[slot] in performance.pushes:
                self.qvel[slot, :2] += performance.pushes[int(self.frame[slot])]
        late = np.arange(SUBSTEPS)[:, None] < self.delay[slots][:, None, None]
        control = np.where(late, self.target[slots][:, None], targets[:, None])
        models = [performance.model for performance in performances]
        step = self.stage.step(
            models, qpos=self.qpos[slots], qvel=self.qvel[slots], targets=control
        )
        self.qpos[slots], self.qvel[slots], self.target[slots] = *step[:2], targets
        torque = step.torque(control[:, -1], self.motors[:, slots])
        return np.asarray(np.abs(torque / self.policy.actuation.effort))

    def _record(self, slots: list[int]) -> None:
        """Keep a frame of each for the verdict."""
        # Once per robot and step: names are looked up before the loop.
        stage, busy, qpos, frames = (
            self.stage,
            self.busy,
            self.qpos,
            self.frame.tolist(),
        )
        pos_w, quat_w = stage.body_pos_w, stage.body_quat_w
        for slot in slots:
            performance, frame = busy[slot], frames[slot]
            stage.pose(performance.model, qpos[slot])
            performance.qpos[frame] = qpos[slot]
            performance.poses.pos_w[frame] = pos_w
            performance.poses.quat_w[frame] = quat_w

    def _broken(self, slots: Ints) -> set[int]:
        """Slots whose simulation blew up, wherever the bodies are; they have failed."""
        with np.errstate(invalid="ignore"):
            sane = (np.abs(self.qvel[slots]) < _IMPOSSIBLE).all(axis=1)
        broken = set(slots[~sane].tolist())
        for slot in broken:
            self.busy[slot].poses.pos_w[self.frame[slot]] = np.nan
        return broken

    def _failed(self, slots: Ints) -> set[int]:
        """Slots in which a termination fires at the frame they have reached."""
        at = [(self.busy[s], int(self.frame[s])) for s in slots.tolist()]
        flags = termination_flags(
            np.array([p.wanted_pos[t] for p, t in at]),
            np.array([p.poses.pos_w[t] for p, t in at])[:, TRACKED_BODY_INDICES],
            np.array([p.wanted_quat[t] for p, t in at]),
            np.array([p.poses.quat_w[t, 0] for p, t in at]),
        )
        return set(slots[flags.any(axis=1)].tolist())

    def _finish(self, slot: int) -> Finished:
        performance = self.busy.pop(slot)
        task = performance.task
        measures = measure(
            task.reference,
            performance.poses,
            torque=performance.torque,
            normalizers=self.policy.normalizers,
        )
        # A failure may have been looked for late: what came after it is not kept.
        frames = min(int(measures.quality.failure_frame), int(self.frame[slot])) + 1
        qpos = performance.qpos[:frames] if self.keep_states else None
        return Finished(task.motion, task.draw_index, measures, qpos, None)

    def _abandon(self, slot: int) -> Finished:
        return _failed(
            self.busy.pop(slot).task,
            f"Policy {self.policy.name!r} gave a target that is not a number at frame "
            f"{self.frame[slot]}; its weights or its observations are damaged.",
        )


def _failed(task: Task, error: str) -> Finished:
    return Finished(task.motion, task.draw_index, None, None, error)
