"""Dataset folders of others, out: the TEXEDO dataset, and HumanML3D's folders.

    texedo       data/{train,validation,test,all}.jsonl, motions/KIND/BBB/ID.npy,
                 texts/KIND/BBB/ID.txt; BBB are the first three digits of the ID
    humanml3d    new_joint_vecs/ID.npy, texts/ID.txt

Both hold train.txt, val.txt and test.txt, one ID a line. Motions are (T, 36) in the TEXEDO
order at 50 Hz; IDs are six digits, the position of the clip in the corpus. What has no
place there stands in metadata/clips.jsonl, and clips of people that no other split has
seen in files of their own, `test-subject`: a reader that does not know them leaves them
out. `texedo.data.exchange.read` is the way in.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from texedo.core.atomic import atomic_folder, write_json
from texedo.core.errors import FileFormatError
from texedo.data.captions import Caption, tag, write_captions
from texedo.data.corpus.store import QPOS_SIZE, Clip, Corpus
from texedo.formats import save_motion

Layout = Literal["texedo", "humanml3d"]
Report = Callable[[int, int], None]
"""Called with the number of clips done and to do."""

CLIPS_FILE = "metadata/clips.jsonl"
SUMMARY_FILE = "metadata/dataset_summary.json"
MOTION_FORMAT = "texedo-npy"
ROW_NAMES = {"val": "validation"}
"""Splits that the rows of the TEXEDO dataset call otherwise."""
_MAX_CLIPS = 1_000_000


class Exported(NamedTuple):
    """What was written."""

    num_clips: int
    num_captions: int
    tagged: bool
    """Whether captions carry lemmas with their part of speech."""


class _Paths(NamedTuple):
    """Where one clip goes, relative to the dataset."""

    motion: str
    text: str


def export_dataset(
    corpus: Corpus,
    out: Path,
    *,
    layout: Layout = "texedo",
    tagged: bool | None = None,
    report: Report | None = None,
) -> Exported:
    """Write all clips of a corpus as a dataset folder, whole or not at all.

    `out` must not hold anything yet. Captions are tagged if the tagger is installed;
    `tagged` asks for it (an error where there is none) or does without.
    """
    if len(corpus) > _MAX_CLIPS:
        raise FileFormatError(
            f"{len(corpus)} clips are more than six digits can number: export in parts."
        )
    tagged = find_spec("HanTa") is not None if tagged is None else tagged
    rows: list[dict[str, Any]] = []
    with atomic_folder(out, owned=frozenset()) as folder:
        for i, clip in enumerate(corpus):
            captions = _captions(clip, tagged=tagged)
            rows.append(_row(f"{i:06d}", clip, captions, layout=layout))
            _write_clip(folder, rows[-1], corpus, i, captions)
            if report is not None:
                report(i + 1, len(corpus))
        _write_lists(folder, rows, corpus, layout=layout)
    return Exported(len(rows), sum(row["num_texts"] for row in rows), tagged)


def _captions(clip: Clip, *, tagged: bool) -> list[Caption]:
    # "#" parts the fields of a line, and its own captions may come from anywhere.
    texts = (" ".join(text.replace("#", " ").split()) for text in clip.captions)
    captions = [Caption(text=text) for text in texts if text]
    return tag(captions) if tagged else captions


def _paths(clip_id: str, clip: Clip, layout: Layout) -> _Paths:
    if layout == "humanml3d":
        return _Paths(f"new_joint_vecs/{clip_id}.npy", f"texts/{clip_id}.txt")
    place = f"{clip.kind}/{clip_id[:3]}/{clip_id}"
    return _Paths(f"motions/{place}.npy", f"texts/{place}.txt")


def _row(
    clip_id: str, clip: Clip, captions: list[Caption], *, layout: Layout
) -> dict[str, Any]:
    """A row of the TEXEDO dataset, with its very fields."""
    paths = _paths(clip_id, clip, layout)
    return {
        "id": clip_id,
        "split": ROW_NAMES.get(clip.split, clip.split),
        "source": clip.kind,
        "motion_path": paths.motion,
        "text_path": paths.text,
        "num_frames": clip.num_frames,
        "motion_dim": QPOS_SIZE,
        "num_texts": len(captions),
        "captions": [
            {
                "caption": caption.text,
                "tokens": list(caption.tokens),
                "start_time": caption.start,
                "end_time": caption.end,
            }
            for caption in captions
        ],
    }


def _write_clip(
    folder: Path, row: dict[str, Any], corpus: Corpus, i: int, captions: list[Caption]
) -> None:
    motion, text = folder / row["motion_path"], folder / row["text_path"]
    motion.parent.mkdir(parents=True, exist_ok=True)
    text.parent.mkdir(parents=True, exist_ok=True)
    save_motion(corpus.motion(i), motion, format=MOTION_FORMAT)
    write_captions(text, captions)


def _write_lists(
    folder: Path, rows: list[dict[str, Any]], corpus: Corpus, *, layout: Layout
) -> None:
    # Readers open the three lists without asking whether they are there.
    for split in dict.fromkeys(("train", "val", "test", *(c.split for c in corpus))):
        chosen = [r for r, c in zip(rows, corpus, strict=True) if c.split == split]
        _write_lines(folder / f"{split}.txt", (row["id"] for row in chosen))
        if layout == "texedo":
            name = ROW_NAMES.get(split, split)
            _write_lines(folder / f"data/{name}.jsonl", map(_json, chosen))
    if layout == "texedo":
        _write_lines(folder / "data/all.jsonl", map(_json, rows))
    known = (
        _json({"dataset_id": row["id"], **_known(clip)})
        for row, clip in zip(rows, corpus, strict=True)
    )
    _write_lines(folder / CLIPS_FILE, known)
    write_json(folder / SUMMARY_FILE, _summary(rows))


def _known(clip: Clip) -> dict[str, Any]:
    """What the motion and text files do not say."""
    record = asdict(clip)
    for name in ("first_frame", "num_frames", "captions"):
        del record[name]
    if not clip.caption_weights:
        del record["caption_weights"]
    return record


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "total": len(rows),
        "splits": dict(Counter(row["split"] for row in rows)),
        "sources": dict(Counter(row["source"] for row in rows)),
        "num_frames": sum(row["num_frames"] for row in rows),
        "num_texts": sum(row["num_texts"] for row in rows),
        "motion": "(T, 36) float32 at 50 Hz: root xyz, wxyz, 29 joints, IsaacLab order",
    }


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


def _json(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)
