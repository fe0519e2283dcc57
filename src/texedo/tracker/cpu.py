"""Roll-outs in MuJoCo on all CPU cores: the reference implementation of the oracle.

Every worker is a thread with some slots, a robot in each. A slot that has
finished takes the next task at once, so that short motions do not wait for long ones,
and the policy is always asked about all slots of a worker together. Physics and policy
both leave Python's lock while they compute; what is left inside it is a few copies.

What is promised. The result of a task depends on the task and the policy alone: no number
travels between slots, and a `PolicyBatch` gives a slot the same bits whatever the others
do. So neither the number of workers, nor the batch, nor chance in the threads' timing
changes a bit.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from texedo.errors import TexedoError
from texedo.quality import termination_flags
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.robot.kinematics import BodyPoses
from texedo.tracker.measure import Measures, measure
from texedo.tracker.perturb import Draw, measured
from texedo.tracker.physics import Stage, oracle_model, perturbed_model
from texedo.tracker.policy import (
    NUM_JOINTS,
    Policy,
    RobotState,
    check_observation,
    check_policy,
    check_targets,
)
from texedo.tracker.start import Reference, start_state
from texedo.tracker.threads import one_torch_thread

Float64 = NDArray[np.float64]
Ints = NDArray[np.int64]

SLOTS = 64
"""Robots of a worker at most: beyond that the policy gains little, the cache loses."""
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


def default_workers() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    with one_torch_thread():
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
        draw = task.draw
        self.task = task
        self.model = model
        self.delay = 0 if draw is None else draw.delay
        self.last = frames - 1
        self.qpos = np.empty((frames, 36))
        # Zeros, for frames after a failure are looked at but do not count.
        self.body_pos_w = np.zeros((frames, 30, 3))
        self.body_quat_w = np.zeros((frames, 30, 4))
        self.torque = np.empty((frames - 1, NUM_JOINTS))
        self.pushes: dict[int, Float64] = {}
        if draw is not None:
            pushes = zip(draw.push_frames, draw.push_vel_w, strict=True)
            self.pushes = {int(frame): velocity for frame, velocity in pushes}

    def record(self, frame: int, stage: Stage) -> None:
        self.qpos[frame] = stage.qpos
        self.body_pos_w[frame] = stage.body_pos_w
        self.body_quat_w[frame] = stage.body_quat_w


class _Worker:
    """Slots of one thread. Arrays have a row per slot; `busy` says which count."""

    def __init__(
        self, policy: Policy, model: mujoco.MjModel, *, slots: int, keep_states: bool
    ) -> None:
        self.policy, self.model, self.keep_states = policy, model, keep_states
        self.batch = policy.start(slots)
        self.stage = Stage(model)
        self.busy: dict[int, _Performance] = {}
        self.num_slots = slots
        self.frame = np.zeros(slots, dtype=np.int64)
        self.qpos, self.qvel = np.zeros((slots, 36)), np.zeros((slots, 35))
        self.warmstart, self.ctrl = np.zeros((slots, 35)), np.zeros((slots, NUM_JOINTS))
        self.body_pos, self.root_quat = np.zeros((slots, 30, 3)), np.zeros((slots, 4))
        self.ref_pos, self.ref_quat = np.zeros((slots, 14, 3)), np.zeros((slots, 4))

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
                    self.busy[slot] = self._begin(slot, task)
                except TexedoError as error:
                    yield _failed(task, str(error))

    def _begin(self, slot: int, task: Task) -> _Performance:
        start = start_state(task.reference)
        self.batch.reset(slot, task.reference)
        model = self.model
        if task.draw is not None:
            model = perturbed_model(model, self.policy.actuation, task.draw)
        self.frame[slot] = 0
        self.qpos[slot], self.qvel[slot] = start.qpos, start.qvel
        self.ctrl[slot] = start.qpos[7:]  # In force until the first delayed target.
        self.warmstart[slot] = 0.0
        performance = _Performance(task, model)
        self.stage.qpos[:] = start.qpos
        self.stage.pose(model)
        performance.record(0, self.stage)
        return performance

    def _step(self) -> Iterator[Finished]:
        """One control step of all busy slots."""
        slots = np.array(sorted(self.busy))
        targets = self._targets(slots)
        sane = np.isfinite(targets).all(axis=1)
        for slot in slots[~sane]:
            yield self._abandon(int(slot))
        slots = slots[sane]
        for slot, target in zip(slots.tolist(), targets[sane], strict=True):
            self._advance(slot, target)
        self.frame[slots] += 1
        fired = termination_flags(
            self.ref_pos[slots],
            self.body_pos[slots][:, TRACKED_BODY_INDICES],
            self.ref_quat[slots],
            self.root_quat[slots],
        ).any(axis=-1)
        for slot, failed in zip(slots.tolist(), np.asarray(fired), strict=True):
            if failed or self.frame[slot] == self.busy[slot].last:
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

    def _advance(self, slot: int, target: Float64) -> None:
        """Put the robot of a slot on the stage for one control step."""
        performance, stage = self.busy[slot], self.stage
        frame = int(self.frame[slot])
        stage.qpos[:] = self.qpos[slot]
        stage.qvel[:] = self.qvel[slot]
        stage.warmstart[:] = self.warmstart[slot]
        if performance.delay:
            stage.ctrl[:] = self.ctrl[slot]
        if frame in performance.pushes:
            stage.qvel[:2] += performance.pushes[frame]
        stage.step(performance.model, target, delay=performance.delay)
        self.qpos[slot] = stage.qpos
        self.qvel[slot] = stage.qvel
        self.warmstart[slot] = stage.warmstart
        self.ctrl[slot] = target
        self.body_pos[slot] = stage.body_pos_w
        self.root_quat[slot] = stage.body_quat_w[0]
        performance.torque[frame] = stage.torque
        performance.record(frame + 1, stage)
        reference = performance.task.reference
        self.ref_pos[slot] = reference.tracked_pos_w[frame + 1]
        self.ref_quat[slot] = reference.root_quat_w[frame + 1]

    def _finish(self, slot: int) -> Finished:
        performance = self.busy.pop(slot)
        if not np.isfinite(self.qvel[slot]).all():
            self.stage.clear(self.model)
        task = performance.task
        measures = measure(
            task.reference,
            BodyPoses(performance.body_pos_w, performance.body_quat_w),
            np.abs(performance.torque) / self.policy.actuation.effort,
            normalizers=self.policy.normalizers,
        )
        frames = int(self.frame[slot]) + 1
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
