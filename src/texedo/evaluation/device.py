"""Roll-outs on a GPU, kept in a label table of their own.

A GPU computes in single precision, so its roll-outs are not those of the CPU, which is
the reference. They never meet: each device has its own table and folder, named here.
Nominal and perturbed robots perform all that is missing together, so that the worlds are
full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from texedo.data.corpus.label_table import Label, LabelKey, LabelWriter
from texedo.evaluation.performance import Executed, Named, Progress, label_keys
from texedo.motion import Motion

if TYPE_CHECKING:  # Loads torch and MuJoCo-Warp.
    from texedo.tracker.oracle.device import DeviceOracle
    from texedo.tracker.oracle.stream import Robots, Tried
    from texedo.tracker.policies.protocol import Policy
    from texedo.tracker.sim.perturb import Perturbation

CPU = "cpu"
WORLDS = 4096
"""Robots at once. A suite has some thousand roll-outs, the longest of which decides how
many steps are taken: more worlds would make each step slower and stay empty."""
_TOGETHER = 16_384
"""Motions that are performed before anything is written."""


class Files(NamedTuple):
    """Where roll-outs of one device are kept."""

    table: Path
    executed: Executed

    @classmethod
    def of(cls, folder: Path, device: str) -> Files:
        """In a folder of kept work."""
        own = "" if device == CPU else f"-{device}"
        executed = Executed(folder / f"executed{own}")
        return cls(folder / f"labels{own}.jsonl", executed)


class Physics(Protocol):
    """Performs motions by the thousand."""

    @property
    def device(self) -> str:
        """What the roll-outs are recorded under."""
        ...

    def fill(
        self,
        motions: Sequence[Named],
        files: Files,
        *,
        perturbed: bool,
        seed: int,
        progress: Progress,
    ) -> None:
        """See to it that every motion that can be performed has its labels: of the
        nominal robot, and of the perturbed ones if those are wanted."""
        ...


Try = Callable[
    [Sequence[Motion], "Robots", Callable[[int, int], None]], "Iterator[Tried]"
]
"""Performs motions by each of the robots; hears of steps and of roll-outs begun."""


class DevicePhysics:
    """A tracker's worlds on one device, made for the first roll-out and then kept."""

    def __init__(
        self,
        policy: Policy,
        *,
        device: str,
        perturbation: Perturbation | None,
        worlds: int = WORLDS,
        attempt: Try | None = None,
    ) -> None:
        """`attempt` performs in place of the device."""
        self.device, self._policy = device, policy
        self._perturbation, self._worlds = perturbation, worlds
        self._attempt = attempt or self._on_device
        self._oracle: DeviceOracle | None = None

    def fill(
        self,
        motions: Sequence[Named],
        files: Files,
        *,
        perturbed: bool,
        seed: int,
        progress: Progress,
    ) -> None:
        """All that is missing, in large batches; what is done is written at once."""
        ranges = self._perturbation if perturbed else None
        total = len(motions)
        with LabelWriter(files.table) as writer:
            todo = self._missing(motions, files, writer, ranges, seed)
            done = total - len(todo)
            progress(done, total)
            for start in range(0, len(todo), _TOGETHER):
                some = todo[start : start + _TOGETHER]
                ahead = partial(_add, progress, done, total)
                for own in self._tried(some, seed, ahead):
                    self._keep(some[own.motion], own, files, writer)
                done += len(some)
                progress(done, total)

    def _missing(
        self,
        motions: Sequence[Named],
        files: Files,
        writer: LabelWriter,
        ranges: Perturbation | None,
        seed: int,
    ) -> list[_Job]:
        """Each motion once, those left out that cannot be performed."""
        from texedo.tracker.policies.reference import start_errors

        found: dict[str, _Job] = {}
        for named in motions:
            (nominal,) = label_keys(named[1], self._policy, None, 0)
            perturbed: list[LabelKey] = []
            if ranges is not None:
                perturbed = label_keys(named[1], self._policy, ranges, seed)
            known = all(key in writer for key in (nominal, *perturbed))
            if not known or nominal.clip not in files.executed:
                found.setdefault(nominal.clip, _Job(named, nominal, perturbed))
        jobs = list(found.values())
        errors = start_errors([job.named[1] for job in jobs])
        return [j for j, error in zip(jobs, errors, strict=True) if error is None]

    def _tried(
        self, jobs: Sequence[_Job], seed: int, progress: Callable[[int], None]
    ) -> Iterator[Tried]:
        # Here and not above: it loads torch and MuJoCo-Warp.
        from texedo.tracker.oracle.stream import Robots

        robots = Robots(draws=len(jobs[0].perturbed), seed=seed)

        def watch(_: int, begun: int) -> None:
            progress(begun // len(robots.each))

        return self._attempt([job.named[1] for job in jobs], robots, watch)

    def _keep(self, job: _Job, own: Tried, files: Files, writer: LabelWriter) -> None:
        if own.measures is None:
            return
        key = job.nominal if own.draw is None else job.perturbed[own.draw]
        # What the robot did first: a label says that all of it is there.
        if own.draw is None:
            files.executed.write(key.clip, own.qpos)
        writer.write(self._label(job.named, key, own))

    def _label(self, named: Named, key: LabelKey, own: Tried) -> Label:
        from texedo.tracker.oracle.labels import label_rollout

        assert own.measures is not None
        return label_rollout(
            own.measures,
            key,
            name=named[0],
            tracker=self._policy.name,
            num_frames=len(named[1]),
            device=self.device,
        )

    def _on_device(
        self,
        motions: Sequence[Motion],
        robots: Robots,
        watch: Callable[[int, int], None],
    ) -> Iterator[Tried]:
        from texedo.tracker.oracle.device import DeviceOracle
        from texedo.tracker.oracle.stream import try_all

        if self._oracle is None:
            self._oracle = DeviceOracle(
                self._policy,
                device=self.device,
                worlds=self._worlds,
                perturbation=self._perturbation,
            )
            self._oracle.make_worlds(self._worlds)
        return try_all(
            motions,
            self._oracle,
            robots,
            self._policy.normalizers,
            keep_states=True,
            watch=watch,
        )


class _Job(NamedTuple):
    """A motion of which something is missing, and the names of its roll-outs."""

    named: Named
    nominal: LabelKey
    perturbed: list[LabelKey]


def _add(progress: Progress, before: int, total: int, more: int) -> None:
    progress(before + more, total)
