"""The corpus in a file small enough to carry: about 25 bytes a frame instead of 144.

Frames are rounded to integers first (0.19 mm, 0.19 mrad) and only then differenced, so
decoding sums integers and cannot drift: every value comes back within half a step. The
second difference of a smooth motion is a small number; it is folded to unsigned, its low
and high bytes are kept apart, and xz does the rest. Decoding needs numpy and lzma alone.

The file is a plain .npz (no pickle) with one xz stream per column of the frames, because
columns differ in how they move and xz adapts to each.
"""

from __future__ import annotations

import json
import lzma
import os
import zipfile
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus import QPOS_SIZE, Clip, Corpus, write_corpus
from texedo.errors import FileFormatError
from texedo.formats.atomic import atomic_file

TRANSPORT_VERSION = 1
MAX_ERROR = 1e-4
"""Largest error of a position [m], of a joint [rad] and of the root's turn [rad]."""

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]

# A value is off by at most half a step. The root's turn is off by up to twice the length
# of the error of its quaternion, four components together: a step of 0.5e-4 at most.
_STEPS = np.array([1.9e-4] * 3 + [4.8e-5] * 4 + [1.9e-4] * 29)
_ESCAPE = 0xFFFF
# Noise has no far repeats: a small dictionary packs as well and costs no time to set up.
_FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9,
        "dict_size": 1 << 18,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    }
]


class Transport(NamedTuple):
    """What a transport file holds."""

    qpos: Float32
    """Frames, (F, 36)."""
    starts: Int64
    lengths: Int64
    clips: tuple[Clip, ...]
    info: Mapping[str, Any]


class TrainingClips(NamedTuple):
    """What a trainer needs of a corpus, as plain arrays."""

    qpos: Float32
    """Frames, (F, 36)."""
    starts: Int64
    lengths: Int64
    ids: NDArray[np.str_]
    families: NDArray[np.str_]
    splits: NDArray[np.str_]


def pack_transport(
    corpus: Corpus, path: str | Path, *, split: str | Collection[str] | None = None
) -> int:
    """Write the captured and authored frames of `split` (default: all); size in bytes.

    Derived clips (those with parents) are left out: they are made again on arrival.
    """
    chosen = [i for i in corpus.select(split=split) if not corpus.clips[i].parents]
    lengths = corpus.lengths[chosen]
    qpos = np.concatenate([corpus.frames(i) for i in chosen])
    clips = "".join(corpus.clips[i].to_json() + "\n" for i in chosen).encode()
    arrays = {
        "version": np.array(TRANSPORT_VERSION),
        "lengths": lengths,
        "clips": _compress(clips),
        "info": _compress(json.dumps(dict(corpus.info)).encode()),
    }
    escapes: list[Int64] = []
    for column in range(QPOS_SIZE):
        folded, escaped = _encode(qpos[:, column], lengths, step=_STEPS[column])
        arrays[f"column{column:02d}"] = _compress(folded.astype("<u2"))
        escapes.append(escaped)
    arrays["escapes"] = np.concatenate(escapes)
    arrays["num_escapes"] = np.array([len(e) for e in escapes], dtype=np.int64)
    path = Path(path)
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]
    return path.stat().st_size


def unpack_transport(path: str | Path) -> Transport:
    """Read a transport file back; every value within half a step of what was packed."""
    arrays = _load_npz(Path(path))
    if "column00" not in arrays:
        raise FileFormatError(f"{path} is not a transport file: it has no columns.")
    version = int(arrays["version"])
    if version != TRANSPORT_VERSION:
        raise FileFormatError(
            f"{path} has transport version {version}, this is {TRANSPORT_VERSION}: "
            "pack the corpus again."
        )
    lengths = arrays["lengths"].astype(np.int64)
    qpos = np.empty((int(lengths.sum()), QPOS_SIZE), dtype=np.float32)
    escapes = np.split(arrays["escapes"], np.cumsum(arrays["num_escapes"])[:-1])

    def unpack(column: int) -> None:
        planes = np.frombuffer(_decompress(arrays[f"column{column:02d}"]), np.uint8)
        low, high = planes.reshape(2, -1).astype(np.uint16)
        folded = low + high * np.uint16(256)
        qpos[:, column] = _decode(folded, escapes[column], lengths, step=_STEPS[column])

    # xz and numpy let go of the interpreter: columns unpack side by side.
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        list(pool.map(unpack, range(QPOS_SIZE)))
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    lines = _decompress(arrays["clips"]).splitlines()
    return Transport(
        qpos=qpos,
        starts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        clips=tuple(Clip.from_record(json.loads(line)) for line in lines),
        info=json.loads(_decompress(arrays["info"])),
    )


def restore_corpus(path: str | Path, folder: str | Path) -> Corpus:
    """Unpack a transport file into a corpus folder and open it."""
    arrived = unpack_transport(path)
    blocks = (
        arrived.qpos[start : start + length]
        for start, length in zip(arrived.starts, arrived.lengths, strict=True)
    )
    write_corpus(folder, arrived.clips, blocks, extra={"restored_from": arrived.info})
    return Corpus.load(folder)


def export_training_clips(
    corpus: Corpus,
    path: str | Path,
    *,
    split: str | Collection[str] | None = None,
    kind: str | Collection[str] | None = None,
) -> int:
    """Write the chosen clips as one plain .npz for a trainer; how many they are."""
    chosen = corpus.select(split=split, kind=kind)
    if not chosen:
        raise FileFormatError(f"No clip of {corpus!r} fits split={split}, kind={kind}.")
    qpos = np.concatenate([corpus.frames(i) for i in chosen])
    clips = training_clips([corpus.clips[i] for i in chosen], qpos)
    with atomic_file(Path(path)) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **clips._asdict())
    return len(chosen)


def load_training_clips(path: str | Path) -> TrainingClips:
    """Read what `export_training_clips` or `pack_transport` wrote."""
    arrays = _load_npz(Path(path))
    if "column00" in arrays:
        arrived = unpack_transport(path)
        return training_clips(arrived.clips, arrived.qpos)
    try:
        return TrainingClips(*(arrays[name] for name in TrainingClips._fields))
    except KeyError as error:
        raise FileFormatError(
            f"{path} is not a training file: it has no {error}. Write one with "
            "`export_training_clips` or `pack_transport`."
        ) from None


def training_clips(clips: Sequence[Clip], qpos: Float32) -> TrainingClips:
    """`clips` and their frames back to back, (F, 36), as arrays."""
    lengths = np.array([clip.num_frames for clip in clips], dtype=np.int64)
    return TrainingClips(
        qpos=qpos,
        starts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        ids=np.array([clip.id for clip in clips]),
        families=np.array([clip.family for clip in clips]),
        splits=np.array([clip.split for clip in clips]),
    )


def _encode(
    values: Float32, lengths: Int64, *, step: float
) -> tuple[NDArray[np.uint16], Int64]:
    """Folded second differences, and in order those that do not fit 16 bits."""
    whole = np.rint(values.astype(np.float64) / step).astype(np.int64)
    differences = _difference(_difference(whole, lengths), lengths)
    folded = np.where(differences < 0, -2 * differences - 1, 2 * differences)
    large = folded >= _ESCAPE
    escapes = differences[large]
    return np.where(large, _ESCAPE, folded).astype(np.uint16), escapes


def _decode(
    folded: NDArray[np.uint16], escapes: Int64, lengths: Int64, *, step: float
) -> Float32:
    wide = folded.astype(np.int64)
    differences = np.where(wide & 1, -((wide + 1) >> 1), wide >> 1)
    differences[folded == _ESCAPE] = escapes
    whole = _integrate(_integrate(differences, lengths), lengths)
    return (whole * step).astype(np.float32)


def _difference(whole: Int64, lengths: Int64) -> Int64:
    """Steps from value to value within each clip; a clip's first value stays."""
    out = np.diff(whole, prepend=0)
    starts = np.cumsum(lengths) - lengths
    out[starts] = whole[starts]
    return out


def _integrate(steps: Int64, lengths: Int64) -> Int64:
    """Undo `_difference`: running sums that begin anew with each clip."""
    sums = np.cumsum(steps)
    starts = np.cumsum(lengths) - lengths
    before = np.where(starts > 0, sums[starts - 1], 0)
    return np.asarray(sums - np.repeat(before, lengths), dtype=np.int64)


def _compress(data: bytes | NDArray[np.uint16]) -> NDArray[np.uint8]:
    if isinstance(data, np.ndarray):
        low, high = (data & 0xFF).astype(np.uint8), (data >> 8).astype(np.uint8)
        data = low.tobytes() + high.tobytes()
    packed = lzma.compress(data, format=lzma.FORMAT_XZ, filters=_FILTERS)
    return np.frombuffer(packed, np.uint8)


def _decompress(packed: NDArray[np.uint8]) -> bytes:
    try:
        return lzma.decompress(packed.tobytes())
    except (lzma.LZMAError, EOFError) as error:
        raise FileFormatError(
            f"A stream in the transport file is damaged ({error}): copy it again."
        ) from error


def _load_npz(path: Path) -> dict[str, NDArray[Any]]:
    try:
        # Opened here: numpy leaves the file open when it turns out to be no archive.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise FileFormatError(f"{path} cannot be read as .npz: {error}.") from error
