"""Dataset folders of others, in: what `exchange` writes, and what others wrote.

A folder needs a list for each split (train.txt, val.txt, test.txt, one id a line) and the
motions, in motions/ or new_joint_vecs/, at any depth; texts/ may be missing. A caption
about a part of a motion makes that part a clip of its own, as the method's own training
does. Lists are trusted: nothing is searched for near-duplicates here, so a copy that
crosses the splits of a foreign dataset stays where it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.data.captions import Caption, read_captions
from texedo.data.capture.dataset import UNLABELLED
from texedo.data.corpus.assemble import Rejected
from texedo.data.corpus.build import REJECTED_FILE
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.data.exchange.write import CLIPS_FILE, MOTION_FORMAT
from texedo.formats import load_motion
from texedo.motion import FPS, Motion, canonicalize

MIN_FRAMES = 16
"""A shorter part of a motion is no clip."""
UNKNOWN_SUBJECT = "unknown"
_SPLIT_FILES = {
    "train.txt": "train",
    "val.txt": "val",
    "validation.txt": "val",
    "test.txt": "test",
    "test-subject.txt": "test-subject",
}
_MOTION_FOLDERS, _TEXT_FOLDER = ("motions", "new_joint_vecs"), "texts"

Report = Callable[[int, int], None]
"""Called with the number of motions done and to do."""


class Imported(NamedTuple):
    """A corpus, and what did not get into it."""

    corpus: Corpus
    skipped: Sequence[Rejected]
    unlisted: int
    """Motions that no split names."""


@dataclass(frozen=True)
class _Dataset:
    """Where everything lies."""

    splits: Mapping[str, str]
    """The split of every id."""
    motions: Mapping[str, Path]
    texts: Mapping[str, Path]
    known: Mapping[str, Mapping[str, Any]]
    """What `CLIPS_FILE` says of an id, if there is one."""


class _Part(NamedTuple):
    """A clip to be: frames `start` to `stop` (exclusive) of a motion file."""

    path: Path
    start: int
    stop: int
    clip: Clip


def import_dataset(
    folder: Path, out: Path, *, report: Report | None = None
) -> Imported:
    """Read a dataset folder into a corpus folder that is not there yet, or empty.

    Motions that cannot be read are skipped and listed in `rejected.jsonl`.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FileFormatError(f"{out}: already holds something; name a new folder.")
    dataset = _survey(folder)
    parts: list[_Part] = []
    skipped: list[Rejected] = []
    for i, name in enumerate(sorted(dataset.splits)):
        try:
            parts += _parts(name, dataset)
        except FileFormatError as error:
            skipped.append(
                Rejected(name, 0.0, 0.0, ("could not be read",), False, str(error))
            )
        if report is not None:
            report(i + 1, len(dataset.splits))
    if not parts:
        raise FileFormatError(
            f"{folder}: none of its {len(skipped)} motions can be read. "
            f"{skipped[0].detail}"
        )
    out.mkdir(parents=True, exist_ok=True)
    _write_rejected(out / REJECTED_FILE, skipped)
    extra = {"imported_from": folder.resolve().name, "near_duplicates": "not searched"}
    write_corpus(out, [part.clip for part in parts], _frames(parts), extra=extra)
    unlisted = len(dataset.motions.keys() - dataset.splits.keys())
    return Imported(Corpus.load(out), skipped, unlisted)


def _survey(folder: Path) -> _Dataset:
    splits: dict[str, str] = {}
    for file, split in _SPLIT_FILES.items():
        for name in _lines(folder / file):
            if splits.setdefault(name, split) != split:
                raise FileFormatError(
                    f"{folder / file}: {name!r} is also in {splits[name]}; an id "
                    "belongs to one split."
                )
    if not splits:
        raise FileFormatError(
            f"{folder}: no train.txt, val.txt or test.txt with ids in it; it is not a "
            "TEXEDO or HumanML3D dataset folder."
        )
    motions = [_by_name(folder / name, ".npy") for name in _MOTION_FOLDERS]
    return _Dataset(
        splits=splits,
        motions=motions[1] | motions[0],
        texts=_by_name(folder / _TEXT_FOLDER, ".txt"),
        known=_known(folder / CLIPS_FILE),
    )


def _by_name(folder: Path, suffix: str) -> dict[str, Path]:
    """Files at any depth by their id; one id in two places is an error."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob(f"*{suffix}")):
        if found.setdefault(path.stem, path) != path:
            raise FileFormatError(
                f"{path}: a second file for {path.stem!r} beside {found[path.stem]}; "
                "remove one of them."
            )
    return found


def _known(path: Path) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    ids: set[str] = set()
    for number, line in enumerate(_lines(path), start=1):
        try:
            record = json.loads(line)
            known[record.pop("dataset_id")] = record
            if record["id"] in ids:
                raise ValueError(f"{record['id']!r} occurs twice")
            ids.add(record["id"])
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise FileFormatError(
                f"{path}, line {number}: {error!r}; delete the file to import without "
                "what it says."
            ) from error
    return known


def _lines(path: Path) -> list[str]:
    """Lines that are not empty; none if there is no such file."""
    if not path.is_file():
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} cannot be read: {error}.") from error
    return [line.strip() for line in lines if line.strip()]


def _parts(name: str, dataset: _Dataset) -> list[_Part]:
    """The clips of one motion: itself, and what single captions are about."""
    if name not in dataset.motions:
        raise FileFormatError(f"{name}: there is no motion file of this name.")
    path = dataset.motions[name]
    frames = len(_load(path))
    text = dataset.texts.get(name)
    captions = read_captions(text, strict=False) if text else []
    whole = _clip(name, dataset, frames)
    weights = tuple(dataset.known.get(name, {}).get("caption_weights", ()))
    spans: dict[tuple[int, int], list[str]] = {}
    for caption in captions:
        if caption.text:
            spans.setdefault(_span(caption, frames), []).append(caption.text)
    parts = [
        _Part(path, start, stop, _cut(whole, start, stop, captions=texts))
        for (start, stop), texts in (spans or {(0, frames): []}).items()
        if stop - start >= MIN_FRAMES
    ]
    if len(parts) == 1 and len(weights) == len(parts[0].clip.captions):
        clip = replace(parts[0].clip, caption_weights=weights)
        parts = [parts[0]._replace(clip=clip)]
    if not parts:
        raise FileFormatError(
            f"{path}: neither it ({frames} frames) nor any part with a caption has "
            f"{MIN_FRAMES} frames."
        )
    return parts


def _cut(whole: Clip, start: int, stop: int, *, captions: list[str]) -> Clip:
    """The clip of a part; one of the whole keeps its name."""
    whole = replace(whole, captions=tuple(captions))
    if (start, stop) == (0, whole.num_frames):
        return whole
    return replace(
        whole,
        id=f"{whole.id}-{start}-{stop}",
        start=whole.start + start / FPS,
        end=whole.start + stop / FPS,
        num_frames=stop - start,
    )


def _span(caption: Caption, frames: int) -> tuple[int, int]:
    """Frames that a caption is about."""
    if caption.end <= 0:
        return 0, frames
    start = min(max(round(caption.start * FPS), 0), frames)
    return start, min(round(caption.end * FPS), frames)


def _clip(name: str, dataset: _Dataset, frames: int) -> Clip:
    """The clip that is the whole motion, without captions."""
    split = dataset.splits[name]
    known = dataset.known.get(name)
    if known is not None:
        try:
            # Weights wait for the captions.
            record = {n: v for n, v in known.items() if n != "caption_weights"}
            record |= {"split": split, "first_frame": 0, "num_frames": frames}
            return Clip.from_record(record)
        except TypeError as error:
            raise FileFormatError(
                f"{CLIPS_FILE}, {name}: {error}; delete the file to import without "
                "what it says."
            ) from error
    return Clip(
        id=name,
        trial=name,
        subject=UNKNOWN_SUBJECT,
        start=0.0,
        end=frames / FPS,
        first_frame=0,
        num_frames=frames,
        family=UNLABELLED,
        split=split,
        # HumanML3D calls the mirror image of 000123 M000123.
        group=name[1:] if name.startswith("M") and name[1:].isdecimal() else name,
    )


def _load(path: Path) -> Motion:
    return load_motion(path, format=MOTION_FORMAT)


def _frames(parts: Sequence[_Part]) -> Iterator[Any]:
    """Read again, one file at a time: a large dataset does not fit into memory."""
    path, qpos = None, None
    for part in parts:
        if qpos is None or part.path != path:
            path, qpos = part.path, _load(part.path).to_qpos()
        block = qpos[part.start : part.stop]
        yield canonicalize(Motion.from_qpos(block)).to_qpos()


def _write_rejected(path: Path, rows: Sequence[Rejected]) -> None:
    with atomic_file(path) as temporary:
        lines = (json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows)
        temporary.write_text("".join(lines), encoding="utf-8", newline="\n")
