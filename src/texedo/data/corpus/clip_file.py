"""Packed clips in one file that is small enough to carry: 25 to 35 bytes a frame, not 144.

The file is a plain .npz (no pickle):

    version    2
    lengths    frames of each clip, (N,)
    clips      a JSON line per clip, packed: id, family, split, kind, or its whole record
    info       JSON about the whole, packed
    steps      what the numbers of each column count, (36,)
    column00   ... column35: the poses, coded (`texedo.motion.pose_code`) and packed
    escapes    numbers that do not fit the code

Packed is xz, one stream per column, because columns differ in how they move and xz
adapts to each. Reading needs numpy and lzma alone. Three older layouts are read too:
version 1, which has no `steps`, and, without a version, poses as `code` or plain `qpos`
beside `ids`, `families` and `splits`.
"""

from __future__ import annotations

import json
import lzma
import zipfile
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.core.threads import available_cores
from texedo.data.corpus.packed_clips import (
    CAPTURED,
    PackedClips,
    join_clips,
    pack_records,
)
from texedo.data.corpus.store import QPOS_SIZE, Clip
from texedo.motion.pose_code import PoseCode, decode_poses, encode_poses

FILE_VERSION = 2
FINE = 2.5e-5
"""Largest error of a position [m], of a joint and of the root's turn [rad], for what is
differenced twice: a tracker sees accelerations."""
COARSE = 1e-4
"""The same where poses are enough: a quarter smaller a file."""

_STEPS_1 = np.array([1.9e-4] * 3 + [4.8e-5] * 4 + [1.9e-4] * 29)
"""Of version 1."""
_STEPS_0 = np.full(QPOS_SIZE, 5e-5)
"""Of `code`."""
_NAMES = ("ids", "families", "splits")
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

Arrays = Mapping[str, NDArray[Any]]
Given = TypeVar("Given")
Made = TypeVar("Made")


def write_clips(
    path: str | Path, clips: PackedClips, *, max_error: float = FINE
) -> int:
    """Write a file, whole or not at all; its size in bytes."""
    # A value is off by at most half a step. The root's turn is off by up to twice the
    # length of the error of its quaternion, four components together: half a step of
    # the others at most. The rest of the margin is for float32.
    coarse, fine = 1.9 * max_error, 0.48 * max_error
    steps = np.array([coarse] * 3 + [fine] * 4 + [coarse] * 29)
    code = encode_poses(clips.qpos, clips.lengths, steps=steps)
    lines = "".join(line + "\n" for line in _lines(clips))
    arrays: dict[str, NDArray[Any]] = {
        "version": np.array(FILE_VERSION),
        "lengths": clips.lengths,
        "clips": _compress(lines.encode()),
        "info": _compress(json.dumps(dict(clips.info)).encode()),
        "steps": steps,
    }
    columns = (code.planes[:, column].tobytes() for column in range(QPOS_SIZE))
    for column, packed in enumerate(_side_by_side(_compress, columns)):
        arrays[f"column{column:02d}"] = packed
    arrays["escapes"] = code.escapes
    path = Path(path)
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]
    return path.stat().st_size


def _lines(clips: PackedClips) -> Iterable[str]:
    if clips.records:
        return (record.to_json() for record in clips.records)
    rows = zip(clips.ids, clips.families, clips.splits, clips.kinds, strict=True)
    keys = ("id", "family", "split", "kind")
    return (json.dumps(dict(zip(keys, row, strict=True))) for row in rows)


def read_clips(path: str | Path) -> PackedClips:
    """Read a file of this layout or an older one; raises `FileFormatError`."""
    path = Path(path)
    arrays = _load_npz(path)
    lengths = arrays.get("lengths", np.zeros(0)).astype(np.int64)
    try:
        if "version" not in arrays:
            return _read_named(arrays, lengths)
        version = int(arrays["version"])
        if version not in (1, FILE_VERSION):
            raise FileFormatError(
                f"{path}: has version {version} of packed clips, this reads up to "
                f"{FILE_VERSION}: install a newer texedo, or pack the clips again."
            )
        return _read_columns(arrays, lengths)
    except KeyError as error:
        raise FileFormatError(
            f"{path}: is no file of packed clips: it has no {error}."
        ) from None
    except (ValueError, TypeError, lzma.LZMAError, EOFError) as error:
        raise FileFormatError(f"{path}: damaged, pack it again: {error}") from error


def clips_from(places: str | Path, *, min_frames: int = 3) -> PackedClips:
    """Clips to train on: of a file, or the captured ones of a corpus folder.

    Several of these, joined by commas, are taken together. Shorter clips are left out:
    they have no acceleration.
    """
    if "," in str(places):
        return join_clips([clips_from(place) for place in str(places).split(",")])
    if Path(places).is_dir():
        # Here and not above: it is built on this module.
        from texedo.data.corpus.corpus_file import clips_of_corpus

        clips = clips_of_corpus(Path(places))
    else:
        clips = read_clips(places)
    short = clips.lengths < min_frames
    return clips.pick(np.flatnonzero(~short)) if short.any() else clips


def _read_columns(arrays: Arrays, lengths: NDArray[np.int64]) -> PackedClips:
    """Versions 1 and 2."""
    packed = [arrays[f"column{column:02d}"] for column in range(QPOS_SIZE)]
    streams = _side_by_side(_decompress, packed)
    columns = [np.frombuffer(stream, np.uint8).reshape(2, -1) for stream in streams]
    code = PoseCode(np.stack(columns, axis=1), arrays["escapes"])
    qpos = decode_poses(code, lengths, steps=arrays.get("steps", _STEPS_1))
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    rows = [json.loads(line) for line in _decompress(arrays["clips"]).splitlines()]
    info = json.loads(_decompress(arrays["info"]))
    if len(rows) != len(lengths):
        raise ValueError(f"{len(rows)} clips and {len(lengths)} lengths")
    if all("trial" in row for row in rows):
        records = [Clip.from_record(row) for row in rows]
        return pack_records(records, qpos, lengths, info=info)
    return PackedClips(
        qpos=qpos,
        lengths=lengths,
        ids=tuple(row["id"] for row in rows),
        families=tuple(row["family"] for row in rows),
        splits=tuple(row["split"] for row in rows),
        kinds=tuple(row["kind"] for row in rows),
        info=info,
    )


def _read_named(arrays: Arrays, lengths: NDArray[np.int64]) -> PackedClips:
    """Files without a version."""
    if not np.array_equal(arrays["starts"], np.cumsum(lengths) - lengths):
        raise ValueError("clips do not lie one after the other")
    poses = arrays["qpos"] if "code" not in arrays else _from_code(arrays, lengths)
    qpos = np.ascontiguousarray(poses, dtype=np.float32)
    if qpos.shape != (int(lengths.sum()), QPOS_SIZE) or not np.isfinite(qpos).all():
        raise ValueError(
            f"qpos must be ({int(lengths.sum())}, {QPOS_SIZE}) finite numbers, got "
            f"{qpos.shape}"
        )
    ids, families, splits = (tuple(str(v) for v in arrays[k]) for k in _NAMES)
    if len(ids) != len(lengths):
        raise ValueError(f"{len(ids)} ids and {len(lengths)} lengths")
    return PackedClips(
        qpos=qpos,
        lengths=lengths,
        ids=ids,
        families=families,
        splits=splits,
        kinds=(CAPTURED,) * len(ids),
    )


def _from_code(arrays: Arrays, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    # Files of before there were escapes have four planes instead.
    escapes = arrays.get("escapes", np.zeros(0, dtype=np.int64))
    return decode_poses(PoseCode(arrays["code"], escapes), lengths, steps=_STEPS_0)


def _side_by_side(
    work: Callable[[Given], Made], items: Iterable[Given]
) -> Iterable[Made]:
    # xz lets go of the interpreter.
    with ThreadPoolExecutor(min(8, available_cores())) as pool:
        return list(pool.map(work, items))


def _compress(data: bytes) -> NDArray[np.uint8]:
    packed = lzma.compress(data, format=lzma.FORMAT_XZ, filters=_FILTERS)
    return np.frombuffer(packed, np.uint8)


def _decompress(packed: NDArray[np.uint8]) -> bytes:
    return lzma.decompress(packed.tobytes())


def _load_npz(path: Path) -> dict[str, NDArray[Any]]:
    try:
        # Opened here: numpy leaves the file open when it turns out to be no archive.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise FileFormatError(
            f"{path}: cannot be read as .npz ({error}); name a file of packed clips."
        ) from error
