"""The folder of a training run: what it goes on with, what it saves, what it says.

A trainer needs its model, its data and its step. The rest reads like this:

    parts = build(cfg)
    folder = RunFolder(cfg, data=clips_digest(...))
    saved = folder.earlier()
    step, seconds = (restore(parts, saved), saved.seconds) if saved else (0, 0.0)
    with Clock(cfg, seconds=seconds, report_seconds=20.0) as clock:
        while not clock.over(step):
            learn(parts, rate_at(clock.fraction(step)))
            step += 1
            if step % cfg.save_every == 0:
                folder.save(arrays_of(parts), step=step, seconds=clock.seconds)
        folder.save(arrays_of(parts), step=step, seconds=clock.seconds)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError
from texedo.learning.log import RunLog
from texedo.learning.options import TrainOptions
from texedo.learning.state import Arrays, has_state, load_run, save_run


class Saved(NamedTuple):
    """A state that a run goes on with."""

    folder: Path
    tensors: Arrays
    step: int
    seconds: float
    """Trained so far in the same folder."""
    values: dict[str, Any]
    """What else the trainer saved."""


class RunFolder:
    """State and log of one run."""

    def __init__(self, options: TrainOptions, *, data: str) -> None:
        """`data` names what is learnt from, by its content."""
        self.path = Path(options.out)
        self.log = RunLog(self.path)
        self._options, self._data = options, data

    def earlier(self) -> Saved | None:
        """What to go on with: the run that began in `out`, or the one to `resume`.

        Raises `CheckpointError` if that in `out` has other options or other data.
        """
        if has_state(self.path):
            return self.load(self.path)
        if self._options.resume:
            return self.load(Path(self._options.resume))._replace(seconds=0.0)
        return None

    def load(self, folder: Path) -> Saved:
        """A saved state; that of the run's own folder is checked to be of this run."""
        tensors, values = load_run(folder)
        options = values.pop("options", None)
        data = values.pop("data", self._data)
        if folder.resolve() == self.path.resolve():
            self._check(options or {}, data)
        # Trackers and tokenizers once counted iterations.
        step = int(values.pop("step", values.pop("iteration", 0)))
        seconds = float(values.pop("seconds", 0.0))
        return Saved(folder, tensors, step, seconds, values)

    def _check(self, options: Mapping[str, Any], data: str) -> None:
        # As it comes back from a file: tuples are lists there.
        now = json.loads(json.dumps(self._options.lasting()))
        for name, before in options.items():
            if name in now and now[name] != before:
                raise CheckpointError(
                    f"{self.path}: the run there has {_option(name)} {before}, not "
                    f"{now[name]}; give that, or another --out, to which "
                    f"--resume {self.path} brings its weights."
                )
        if data != self._data:
            raise CheckpointError(
                f"{self.path}: the run there learns from other data; give the same, or "
                f"another --out, to which --resume {self.path} brings its weights."
            )

    def save(
        self, tensors: Arrays, *, step: int, seconds: float, **values: Any
    ) -> None:
        """Write everything that the run needs to go on."""
        about = {"options": self._options.lasting(), "data": self._data}
        save_run(
            self.path, tensors, {"step": step, "seconds": seconds, **values, **about}
        )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def clips_digest(ids: Iterable[str], lengths: NDArray[Any]) -> str:
    """Names a set of clips by their ids and lengths."""
    digest = hashlib.sha256("\n".join(ids).encode())
    digest.update(np.ascontiguousarray(lengths, dtype="<i8").tobytes())
    return digest.hexdigest()
