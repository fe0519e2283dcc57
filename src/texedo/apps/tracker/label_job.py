"""The clips of `texedo label` on their way into the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np

from texedo.apps.bars import Bar
from texedo.apps.faults import fault_text
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    LabelKey,
    LabelWriter,
    clip_hash,
)
from texedo.motion import Motion
from texedo.quality import ORACLE_VERSION, wilson_interval
from texedo.tracker.oracle.cpu import Finished
from texedo.tracker.oracle.labels import label_rollout
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.sim.perturb import Perturbation

Item = tuple[str, Callable[[], Motion]]
"""A clip's name, and how to get it."""
Stream = Callable[[Iterator[Motion]], Generator[Finished, None, None]]
"""What rolls motions out."""


class Job:
    """The clips on their way into the table."""

    def __init__(
        self,
        policy: Policy,
        table: LabelWriter,
        items: Sequence[Item],
        bar: Bar,
        *,
        ranges: Perturbation | None,
        seed: int,
        device: str,
    ) -> None:
        self.policy, self.table, self.items, self.bar = policy, table, items, bar
        self.ranges, self.device = ranges, device
        self.seed = 0 if ranges is None else seed
        self.written = self.skipped = self.successes = 0
        self.quality = 0.0
        """Sum of Q*; not a number where it is unknown."""
        self.errors: list[str] = []
        self._at_work: dict[int, tuple[str, str, int]] = {}
        """Name, hash and length of each motion that was handed out."""
        self._open: Counter[int] = Counter()
        self._seen: set[str] = set()

    def work(self, stream: Stream) -> None:
        rolled_out = stream(self._motions())
        try:
            for finished in rolled_out:
                self._enter(finished)
        finally:
            rolled_out.close()

    def _motions(self) -> Iterator[Motion]:
        """Clips that have no label yet; called from the threads that roll out."""
        number = 0
        for name, get in self.items:
            try:
                motion = get()
            except Exception as error:  # The other files are still labelled.
                self._complain(name, fault_text(error))
                continue
            clip = clip_hash(motion)
            keys = (self._key(clip, d) for d in range(self._draws))
            # The same clip may be there twice, under two names.
            if clip in self._seen or all(key in self.table for key in keys):
                self.skipped += 1
                self.bar.advance(note=self._success())
                continue
            self._seen.add(clip)
            self._at_work[number] = (name, clip, len(motion))
            number += 1
            yield motion

    @property
    def _draws(self) -> int:
        return 1 if self.ranges is None else self.ranges.draws

    def _key(self, clip: str, draw: int) -> LabelKey:
        return LabelKey(
            clip=clip,
            tracker_hash=self.policy.digest,
            oracle_version=ORACLE_VERSION,
            perturbation=NO_PERTURBATION if self.ranges is None else self.ranges.name,
            seed=self.seed,
            draw=draw,
        )

    def _enter(self, finished: Finished) -> None:
        name, clip, frames = self._at_work[finished.motion]
        self._open[finished.motion] += 1
        last = self._open[finished.motion] == self._draws
        if last:  # Forgotten, or memory would grow with the corpus.
            del self._open[finished.motion], self._at_work[finished.motion]
        if finished.measures is None:
            if last:
                self._complain(name, finished.error or "")
            return
        label = label_rollout(
            finished.measures,
            self._key(clip, finished.draw_index),
            name=name,
            tracker=self.policy.name,
            num_frames=frames,
            device=self.device,
        )
        if self.table.write(label):
            self.written += 1
            self.successes += label.success
            self.quality += float(finished.measures.quality.q_star)
        if last:
            self.bar.advance(note=self._success())

    def _complain(self, name: str, error: str) -> None:
        self.errors.append(name)
        self.bar.print(f"error: {error if name in error else f'{name}: {error}'}")
        self.bar.advance(note=self._success())

    def _success(self) -> str:
        return f"success {self.successes / self.written:.3f}" if self.written else ""

    def summary(self) -> str:
        text = f"{self.written} labels written, {self.skipped} clips had theirs"
        if self.written:
            low, high = wilson_interval(self.successes, self.written)
            rate = self.successes / self.written
            text += f"; success {rate:.3f} [{low:.3f}, {high:.3f}]"
            if np.isfinite(self.quality):
                text += f", mean Q* {self.quality / self.written:.3f}"
        if self.errors:
            text += f"; {len(self.errors)} clips could not be rolled out"
        return f"{text}; {self.table.path} holds {len(self.table)}"
