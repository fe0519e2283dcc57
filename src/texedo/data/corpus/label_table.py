"""The label table: how well a tracker did each clip, one JSON object a line.

Rows are only ever appended, one whole line at a time, so that an interrupted run leaves
a file that the next one goes on with. A roll-out is named by the content of the clip,
the hash of the tracker, the version of the oracle, and the perturbation with its seed
and draw; it is never labelled twice. Tables of several machines may simply be joined.

q_d and Q* are not stored: they follow from these numbers and the tracker's normalisers
(`label_quality`), so that labels may be older than the normalisers.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.motion import Motion
from texedo.quality import Normalizers, oracle_quality, tracking_quality

LABEL_VERSION = 1
"""Of the columns; a reader of another version refuses the table."""
NO_PERTURBATION = "none"


class LabelKey(NamedTuple):
    """What makes a label the label of something."""

    clip: str
    tracker_hash: str
    oracle_version: int
    perturbation: str
    seed: int
    draw: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """One roll-out of one clip."""

    clip: str
    """`clip_hash` of the motion."""
    name: str
    """Id in the corpus, or file."""
    tracker: str
    tracker_hash: str
    oracle_version: int
    perturbation: str
    """Its name, or `NO_PERTURBATION`."""
    seed: int
    """0 without a perturbation: nothing is random then."""
    draw: int
    num_frames: int
    success: bool
    progress: float
    frame: int
    """The first frame that failed; `num_frames` on success."""
    reason: str
    """Terminations that fired, joined by "+"; empty on success."""
    mpjpe: float | None
    """E_mpjpe-l over the executed frames [mm]."""
    e_vel: float | None
    """[mm/frame]; None where too few frames were executed."""
    e_acc: float | None
    """[mm/frame^2]; None where too few frames were executed."""
    planar_drift: float | None = None
    """[m]"""
    saturation: float | None = None
    foot_slip: float | None = None
    """[m/s]"""
    device: str = "cpu"
    """Where it was rolled out; a GPU computes in single precision."""
    version: int = LABEL_VERSION

    @property
    def key(self) -> LabelKey:
        return LabelKey(*(getattr(self, name) for name in LabelKey._fields))

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Label:
        """From a decoded line; raises `ValueError` if it is not one of ours."""
        version = record.get("version")
        if version != LABEL_VERSION:
            raise ValueError(
                f"label version {version!r} is not {LABEL_VERSION}; label again"
            )
        try:
            return cls(**record)
        except TypeError as error:
            raise ValueError(str(error)) from error


def clip_hash(motion: Motion) -> str:
    """Name of a motion by its content: same frames, same name, wherever it lies."""
    return pose_hash(motion.to_qpos())


def pose_hash(qpos: NDArray[np.float32]) -> str:
    """The same from the poses (T, 36) that a motion holds."""
    return hashlib.sha256(np.ascontiguousarray(qpos, "<f4").data).hexdigest()


class LabelQuality(NamedTuple):
    """What labels are worth by the normalisers of their tracker, (N,) each."""

    q_d: NDArray[np.float64]
    q_star: NDArray[np.float64]


def label_quality(labels: Sequence[Label], normalizers: Normalizers) -> LabelQuality:
    """q_d and Q* of labels of one tracker, by its normalisers."""
    errors = np.array([(x.e_acc, x.e_vel) for x in labels], dtype=np.float64)
    e_acc, e_vel = errors.reshape(-1, 2).T  # None is NaN now, which earns nothing.
    q_d = tracking_quality(e_acc, e_vel, normalizers=normalizers)
    q_star = oracle_quality(
        [x.success for x in labels], q_d, [x.progress for x in labels]
    )
    return LabelQuality(q_d, q_star)


def number_or_none(value: float) -> float | None:
    """JSON has no NaN."""
    return float(value) if math.isfinite(value) else None


def read_labels(path: Path | str) -> list[Label]:
    """All rows of a table; a last line that was cut off is left out."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            return list(_rows(path, stream))
    except OSError as error:
        raise FileFormatError(
            f"{path}: {error.strerror or error}; is this the label table?"
        ) from error


class LabelWriter:
    """A table that is open for appending; nobody else may write to it meanwhile."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise FileFormatError(
                f"{path}: cannot be written ({error.strerror}); choose another place."
            ) from error
        try:
            _lock(self._stream, self.path)
            self._stream.seek(0)
            self._keys = {label.key for label in _rows(self.path, self._stream)}
            _drop_partial_line(self._stream)
        except BaseException:
            self._stream.close()
            raise

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: LabelKey) -> bool:
        return key in self._keys

    def write(self, label: Label) -> bool:
        """Append a row; false if that roll-out is labelled already."""
        if label.key in self._keys:
            return False
        # One write of one whole line: a crash can only cut the last one short.
        self._stream.write(label.to_json().encode() + b"\n")
        self._stream.flush()
        self._keys.add(label.key)
        return True

    def close(self) -> None:
        if not self._stream.closed:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()

    def __enter__(self) -> LabelWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _rows(path: Path, stream: IO[bytes]) -> Iterator[Label]:
    for number, line in enumerate(stream, start=1):
        if not line.endswith(b"\n"):
            return  # Cut off in the middle of a write.
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError("not an object")
            yield Label.from_record(record)
        except ValueError as error:
            raise FileFormatError(
                f"{path}, line {number}: not a label ({error}). Remove the line, or "
                "write to a new table."
            ) from error


def _drop_partial_line(stream: IO[bytes]) -> None:
    """Cut off what follows the last whole line, so that the next row starts anew."""
    size = stream.seek(0, os.SEEK_END)
    tail = b""
    while size and b"\n" not in tail:
        step = min(size, 4096)
        size = stream.seek(size - step)
        tail = stream.read(step) + tail
    whole = size + tail.rfind(b"\n") + 1
    stream.truncate(whole)
    stream.seek(0, os.SEEK_END)


def _lock(stream: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Not on this system: two writers are then the user's risk.
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FileFormatError(
            f"{path}: another process is writing labels there; wait for it, or write "
            "to another table and join them later."
        ) from None
