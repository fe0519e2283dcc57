"""The corpus in a file small enough to carry: about 25 bytes a frame instead of 144.

Frames are coded in steps of 0.19 mm and 0.19 mrad (`texedo.motion.pose_code`), and xz
does the rest. Decoding needs numpy and lzma alone.

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

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.data.corpus.store import QPOS_SIZE, Clip, Corpus, write_corpus
from texedo.motion.pose_code import PoseCode, decode_poses, encode_poses

TRANSPORT_VERSION = 1
MAX_ERROR = 1e-4
"""Largest error of a position [m], of a joint [rad] and of the root's turn [rad]."""

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]

# A value is off by at most half a step. The root's turn is off by up to twice the length
# of the error of its quaternion, four components together: a step of 0.5e-4 at most.
_STEPS = np.array([1.9e-4] * 3 + [4.8e-5] * 4 + [1.9e-4] * 29)
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
    code = encode_poses(qpos, lengths, steps=_STEPS)
    for column in range(QPOS_SIZE):
        planes = code.planes[:, column].tobytes()
        arrays[f"column{column:02d}"] = _compress(planes)
    arrays |= {"escapes": code.escapes, "num_escapes": code.num_escapes}
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
    try:
        code = PoseCode(_unpack_planes(arrays), arrays["escapes"])
        qpos = decode_poses(code, lengths, steps=_STEPS)
    except ValueError as error:
        raise FileFormatError(f"{path} is damaged ({error}): copy it again.") from error
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


def _unpack_planes(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Low and high bytes of all columns, (2, 36, F)."""

    def unpack(column: int) -> NDArray[np.uint8]:
        planes = _decompress(arrays[f"column{column:02d}"])
        return np.frombuffer(planes, np.uint8).reshape(2, -1)

    # xz lets go of the interpreter: columns unpack side by side.
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        return np.stack(list(pool.map(unpack, range(QPOS_SIZE))), axis=1)


def _compress(data: bytes) -> NDArray[np.uint8]:
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
