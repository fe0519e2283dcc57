"""The corpus: clips of G1 motion, packed in three files that load in an instant.

    frames.npy     all clips back to back, (F, 36) float32: xyz, wxyz, 29 joints at 50 Hz
    clips.jsonl    one `Clip` a line, in the order of the frames
    corpus.json    format version, counts, sizes and hashes; written last

A folder without `corpus.json` is an unfinished write. Every clip starts above the
origin and faces +x, so that clips are comparable and their numbers small.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.atomic import atomic_file, write_json
from texedo.core.errors import FileFormatError
from texedo.core.files import file_sha256
from texedo.motion import FPS, NUM_JOINTS, Motion

CORPUS_VERSION = 1
"""Version of the folder's layout; a reader of another one refuses the folder."""
QPOS_SIZE = 7 + NUM_JOINTS
FRAMES_FILE, CLIPS_FILE, INDEX_FILE = "frames.npy", "clips.jsonl", "corpus.json"

Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Clip:
    """What is known about one clip, apart from its frames."""

    id: str
    """Unique and stable: it does not change when other clips come or go."""
    trial: str
    """The source recording, such as "35_01"."""
    subject: str
    """Who performed it; subjects with one skeleton are one person, see `group`."""
    start: float
    """Start in the recording, in true seconds (50 Hz frames over 50)."""
    end: float
    """End in the recording [s]; `end - start` is the number of frames over 50."""
    first_frame: int
    """Row of the first frame in `frames.npy`."""
    num_frames: int
    family: str
    """The kind of action: "walk", "jump", "dance", ..."""
    split: str
    """"train", "val", "test" or "test-subject"."""
    group: str
    """Near-duplicate group, named by its first trial; groups never cross splits."""
    kind: str = "captured"
    """"captured", or how it was made: "authored", "mirrored", "tempo", "overlay", "sequence"."""
    style: tuple[str, ...] = ()
    description: str = ""
    """What the source's index says about the whole recording."""
    atomic: bool = False
    """The description holds for any few seconds of the recording."""
    label_scope: str = "part"
    """What the description is of: "trial" (this clip is all of it), "window" (it holds
    for every part), "part" (this clip may show only some of it)."""
    copy_of: str | None = None
    """Earlier recording of which this one is a copy; skip it when counting."""
    quality: Mapping[str, float] = field(default_factory=dict)
    """Measures of the retargeting over this clip; names carry the unit."""
    captions: tuple[str, ...] = ()
    caption_weights: tuple[float, ...] = ()
    """How often a trainer draws each caption, relative to the others of this clip; empty
    where all are alike."""
    parents: tuple[str, ...] = ()
    """Ids of the clips this one was made from."""

    def __post_init__(self) -> None:
        if self.caption_weights:
            check_weights(self.caption_weights, len(self.captions), of=self.id)

    @property
    def duration(self) -> float:
        """Frames over the frame rate [s]."""
        return self.num_frames / FPS

    def to_json(self) -> str:
        record = asdict(self)
        if not self.caption_weights:  # As readers of before there were any expect it.
            del record["caption_weights"]
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Clip:
        """From a decoded line; fields that this version does not know are an error."""
        record = dict(record)
        for name in ("style", "captions", "caption_weights", "parents"):
            record[name] = tuple(record.get(name, ()))
        return cls(**record)


def check_weights(weights: Sequence[float], captions: int, *, of: str) -> None:
    """Raise `ValueError` unless there is a positive weight for each caption."""
    if len(weights) != captions or not all(0 < w < float("inf") for w in weights):
        raise ValueError(
            f"{of}: weights of captions must be positive, one for each of {captions}, "
            f"got {tuple(weights)}."
        )


class Corpus:
    """Clips and their frames; iterate over it for the clips.

    The frames stay on disk and are mapped into memory: a clip costs what it reads.
    """

    def __init__(
        self, clips: Sequence[Clip], qpos: Float32, *, info: Mapping[str, Any]
    ) -> None:
        self.clips = tuple(clips)
        self.qpos = qpos
        """All frames, (F, 36), read-only."""
        self.info = info
        """What `corpus.json` says: counts, hashes, how it was built."""
        self.starts: Int64 = np.array([c.first_frame for c in clips], dtype=np.int64)
        self.lengths: Int64 = np.array([c.num_frames for c in clips], dtype=np.int64)
        self._index = {clip.id: i for i, clip in enumerate(self.clips)}

    @classmethod
    def load(cls, folder: str | Path) -> Corpus:
        """Open a corpus folder; frames are mapped, not read."""
        folder = Path(folder)
        info = read_info(folder)
        try:
            text = (folder / CLIPS_FILE).read_bytes()
            frames = np.load(folder / FRAMES_FILE, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise _damaged(folder, str(error)) from error
        if hashlib.sha256(text).hexdigest() != info["sha256"][CLIPS_FILE]:
            raise _damaged(folder, f"{CLIPS_FILE} is not the one that was written")
        if (
            frames.shape != (info["num_frames"], QPOS_SIZE)
            or frames.dtype != np.float32
        ):
            raise _damaged(
                folder,
                f"{FRAMES_FILE} is {frames.dtype} {frames.shape}, should be float32 "
                f"({info['num_frames']}, {QPOS_SIZE})",
            )
        clips = [Clip.from_record(json.loads(line)) for line in text.splitlines()]
        return cls(clips, frames, info=info)

    def __len__(self) -> int:
        return len(self.clips)

    def __iter__(self) -> Iterator[Clip]:
        return iter(self.clips)

    def __repr__(self) -> str:
        hours = int(self.lengths.sum()) / FPS / 3600
        return f"Corpus({len(self)} clips, {hours:.2f} h)"

    def index(self, clip_id: str) -> int:
        """Position of the clip with this id."""
        try:
            return self._index[clip_id]
        except KeyError:
            raise KeyError(f"no clip {clip_id!r} among {len(self)} clips") from None

    def frames(self, i: int) -> Float32:
        """Frames of clip `i`, (T, 36), a read-only view."""
        return self.qpos[self.starts[i] : self.starts[i] + self.lengths[i]]

    def motion(self, i: int) -> Motion:
        """Clip `i` as a motion."""
        return Motion.from_qpos(self.frames(i))

    def select(
        self,
        *,
        split: str | Collection[str] | None = None,
        kind: str | Collection[str] | None = None,
        family: str | Collection[str] | None = None,
        copies: bool = True,
    ) -> list[int]:
        """Positions of the clips that fit all filters; None lets everything through.

        With `copies=False`, clips of a recording that copies another are left out.
        """
        wanted = [
            (n, _names(v))
            for n, v in (("split", split), ("kind", kind), ("family", family))
            if v is not None
        ]
        return [
            i
            for i, clip in enumerate(self.clips)
            if all(getattr(clip, name) in names for name, names in wanted)
            and (copies or clip.copy_of is None)
        ]

    def verify(self, folder: str | Path) -> None:
        """Read everything and compare the hashes; raises if a file was damaged."""
        for name, digest in self.info["sha256"].items():
            if file_sha256(Path(folder) / name) != digest:
                raise _damaged(Path(folder), f"the sha256 of {name} does not match")


def read_info(folder: Path) -> dict[str, Any]:
    """`corpus.json`, checked for its version."""
    path = folder / INDEX_FILE
    if not path.is_file():
        raise FileFormatError(
            f"{folder} holds no {INDEX_FILE}: it is not a corpus, or its build was "
            "interrupted. Run `texedo data build` with it as --out."
        )
    try:
        info: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version, _ = info["version"], (info["num_frames"], info["sha256"])
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, f"{INDEX_FILE}: {error}") from error
    if version != CORPUS_VERSION:
        raise FileFormatError(
            f"{path} has layout version {version}, this is version {CORPUS_VERSION}: "
            "build the corpus again."
        )
    return info


def write_corpus(
    folder: str | Path,
    clips: Sequence[Clip],
    frames: Iterable[NDArray[Any]],
    *,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a corpus folder; `frames` yields each clip's (T, 36) in the same order.

    `first_frame` is filled in here. The index goes first and comes last, so that a
    reader never sees new frames with old clips.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    packed = _packed(clips)
    (folder / INDEX_FILE).unlink(missing_ok=True)
    with atomic_file(folder / FRAMES_FILE) as temporary:
        _write_frames(temporary, packed, frames)
    text = "".join(clip.to_json() + "\n" for clip in packed)
    with atomic_file(folder / CLIPS_FILE) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    info = {
        "version": CORPUS_VERSION,
        "num_clips": len(packed),
        "num_frames": sum(clip.num_frames for clip in packed),
        "splits": dict(sorted(Counter(clip.split for clip in packed).items())),
        "kinds": dict(sorted(Counter(clip.kind for clip in packed).items())),
        "families": dict(sorted(Counter(clip.family for clip in packed).items())),
        "sha256": {n: file_sha256(folder / n) for n in (FRAMES_FILE, CLIPS_FILE)},
        **(extra or {}),
    }
    write_json(folder / INDEX_FILE, info)


def _packed(clips: Sequence[Clip]) -> list[Clip]:
    counts = Counter(clip.id for clip in clips)
    if twice := [clip_id for clip_id, n in counts.items() if n > 1]:
        raise ValueError(f"clip ids must be unique; {twice[0]!r} occurs twice.")
    firsts = np.cumsum([0, *(clip.num_frames for clip in clips)])
    plain = {f.name for f in fields(Clip)} - {"first_frame"}
    return [
        Clip(first_frame=int(first), **{n: getattr(clip, n) for n in plain})
        for clip, first in zip(clips, firsts, strict=False)
    ]


def _write_frames(
    path: Path, clips: Sequence[Clip], frames: Iterable[NDArray[Any]]
) -> None:
    total = sum(clip.num_frames for clip in clips)
    if not total:
        raise FileFormatError("No clip was accepted: there is nothing to write.")
    # open_memmap wants its own suffix left alone, which a temporary name is not.
    with path.open("wb") as stream:
        header = {"descr": "<f4", "fortran_order": False, "shape": (total, QPOS_SIZE)}
        np.lib.format.write_array_header_1_0(stream, header)
        for clip, block in zip(clips, frames, strict=True):
            if block.shape != (clip.num_frames, QPOS_SIZE):
                raise ValueError(
                    f"{clip.id} has {clip.num_frames} frames, its block is {block.shape}."
                )
            stream.write(np.ascontiguousarray(block, dtype="<f4").tobytes())


def _names(value: str | Collection[str]) -> Collection[str]:
    return (value,) if isinstance(value, str) else value


def _damaged(folder: Path, what: str) -> FileFormatError:
    return FileFormatError(
        f"{folder} is damaged: {what}. Build the corpus again, or unpack its packed "
        "file again."
    )
