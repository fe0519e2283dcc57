"""Dataset folders of others: out, in, and back again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.data.corpus.test_store import LENGTHS, make_clip
from tests.support.motions import random_motion
from texedo.core.errors import FileFormatError
from texedo.data.captions import Caption, read_captions, write_captions
from texedo.data.corpus.store import Corpus, write_corpus
from texedo.data.exchange.read import import_dataset
from texedo.data.exchange.write import Layout, export_dataset
from texedo.data.report import read_rejected
from texedo.formats import load_motion, save_motion
from texedo.motion import canonicalize
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO

SAID = ("a person walks forward", "He waves #1 with his right hand.")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Four clips in train, train, test-subject and val; the second is mirrored."""
    clips = [
        make_clip(0, LENGTHS[0], captions=SAID, caption_weights=(1.0, 0.25)),
        make_clip(1, LENGTHS[1], kind="mirrored", parents=("01_00-00",)),
        make_clip(2, LENGTHS[2], split="test-subject"),
        make_clip(3, LENGTHS[3]),
    ]
    motions = [canonicalize(random_motion(i, n)) for i, n in enumerate(LENGTHS)]
    write_corpus(tmp_path / "corpus", clips, [m.to_qpos() for m in motions])
    return Corpus.load(tmp_path / "corpus")


def write_foreign(folder: Path, lists: dict[str, str], frames: int = 200) -> Path:
    """A folder as others write it: `lists` maps split files to ids."""
    (folder / "texts/amass/000").mkdir(parents=True)
    (folder / "motions/amass/000").mkdir(parents=True)
    for file, ids in lists.items():
        (folder / file).write_text("\n".join(ids.split()) + "\n")
        for name in ids.split():
            path = folder / f"motions/amass/000/{name}.npy"
            save_motion(random_motion(1, frames), path, format="texedo-npy")
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("layout", ["texedo", "humanml3d"])
def test_a_corpus_comes_back_as_it_was(
    corpus: Corpus, tmp_path: Path, layout: Layout
) -> None:
    done = export_dataset(corpus, tmp_path / "d", layout=layout, tagged=False)
    assert (done.num_clips, done.num_captions) == (4, 2)
    back = import_dataset(tmp_path / "d", tmp_path / "back")
    assert not back.skipped
    assert back.unlisted == 0
    np.testing.assert_allclose(back.corpus.qpos, corpus.qpos, atol=1e-6)
    # A line has no place for "#".
    said = (SAID[0], "He waves 1 with his right hand.")
    assert [c.captions for c in back.corpus] == [said, (), (), ()]
    for old, new in zip(corpus.clips[1:], back.corpus.clips[1:], strict=True):
        assert new == old


def test_the_texedo_folder_has_its_rows_lists_and_order_of_joints(
    corpus: Corpus, tmp_path: Path
) -> None:
    out = tmp_path / "d"
    export_dataset(corpus, out, tagged=False)
    everything = rows(out / "data/all.jsonl")
    assert list(everything[0]) == (
        "id split source motion_path text_path num_frames motion_dim num_texts "
        "captions".split()
    )
    assert everything[0]["captions"][0] == {
        "caption": SAID[0],
        "tokens": [],
        "start_time": 0.0,
        "end_time": 0.0,
    }
    assert everything[1]["motion_path"] == "motions/mirrored/000/000001.npy"
    assert [row["id"] for row in rows(out / "data/validation.jsonl")] == ["000003"]
    assert (out / "train.txt").read_text() == "000000\n000001\n"
    # Nobody who reads the usual three lists meets the subjects that were kept apart.
    assert (out / "test.txt").read_text() == ""
    assert (out / "test-subject.txt").read_text() == "000002\n"
    stored = np.load(out / everything[0]["motion_path"])
    assert stored.dtype == np.float32
    np.testing.assert_array_equal(stored[:, :7], corpus.frames(0)[:, :7])
    joints = corpus.frames(0)[:, 7:][:, ISAACLAB_FROM_MUJOCO]
    np.testing.assert_array_equal(stored[:, 7:], joints)
    summary = json.loads((out / "metadata/dataset_summary.json").read_text())
    assert summary["total"] == 4
    assert summary["num_frames"] == sum(LENGTHS)


def test_captions_are_tagged_where_there_is_a_tagger(
    corpus: Corpus, tmp_path: Path
) -> None:
    pytest.importorskip("HanTa")
    assert export_dataset(corpus, tmp_path / "d").tagged
    (first, _) = read_captions(tmp_path / "d/texts/captured/000/000000.txt")
    assert first.tokens == ("a/DET", "person/NOUN", "walk/VERB", "forward/ADV")


def test_a_folder_that_holds_something_is_left_alone(
    corpus: Corpus, tmp_path: Path
) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/train.txt").write_text("mine")
    with pytest.raises(FileFormatError, match="already holds other things"):
        export_dataset(corpus, tmp_path / "d", tagged=False)
    assert (tmp_path / "d/train.txt").read_text() == "mine"


def test_a_foreign_folder_is_read_by_its_lists(tmp_path: Path) -> None:
    lists = {"train.txt": "000000 M000000", "val.txt": "000001", "test.txt": "000002"}
    folder = write_foreign(tmp_path / "d", lists)
    done = import_dataset(folder, tmp_path / "c")
    clips = {clip.id: clip for clip in done.corpus}
    assert {i: c.split for i, c in clips.items()} == {
        "000000": "train",
        "M000000": "train",
        "000001": "val",
        "000002": "test",
    }
    assert {c.kind for c in done.corpus} == {"captured"}
    assert clips["M000000"].group == "000000"
    assert done.corpus.info["near_duplicates"] == "not searched"
    start = done.corpus.frames(0)[0]
    np.testing.assert_allclose(start[:2], 0, atol=1e-6)


def test_a_caption_about_a_part_makes_it_a_clip(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "d", {"train.txt": "000000"})
    said = [
        Caption(text="walks and waves"),
        Caption(text="walks", start=0.5, end=1.5),
        Caption(text="strolls", start=0.5, end=1.5),
        Caption(text="blinks", start=0.0, end=0.1),
        Caption(text="waves", start=3.0, end=99.0),
    ]
    write_captions(folder / "texts/amass/000/000000.txt", said)
    corpus = import_dataset(folder, tmp_path / "c").corpus
    assert {clip.id: clip.captions for clip in corpus} == {
        "000000": ("walks and waves",),
        "000000-25-75": ("walks", "strolls"),
        "000000-150-200": ("waves",),
    }
    part = corpus.clips[corpus.index("000000-25-75")]
    assert (part.num_frames, part.start, part.end) == (50, 0.5, 1.5)
    assert part.group == part.trial == "000000"
    joints = load_motion(
        folder / "motions/amass/000/000000.npy", format="texedo-npy"
    ).joint_pos[25:75]
    np.testing.assert_array_equal(corpus.frames(1)[:, 7:], joints)


def test_motions_that_cannot_be_read_are_passed_over_and_stated(
    tmp_path: Path,
) -> None:
    lists = {"train.txt": "000000 000001 000002", "val.txt": "000003"}
    folder = write_foreign(tmp_path / "d", lists)
    motions = folder / "motions/amass/000"
    (motions / "000001.npy").write_bytes(b"nothing")
    (motions / "000002.npy").unlink()
    save_motion(random_motion(0, 10), motions / "000003.npy", format="texedo-npy")
    save_motion(random_motion(0), motions / "000009.npy", format="texedo-npy")
    done = import_dataset(folder, tmp_path / "c")
    assert [clip.id for clip in done.corpus] == ["000000"]
    assert [row.trial for row in done.skipped] == ["000001", "000002", "000003"]
    assert "no motion file" in done.skipped[1].detail
    assert "16 frames" in done.skipped[2].detail
    assert done.unlisted == 1
    assert len(read_rejected(tmp_path / "c")) == 3


def test_an_id_in_two_splits_is_refused(tmp_path: Path) -> None:
    lists = {"train.txt": "000000 000001", "test.txt": "000001"}
    folder = write_foreign(tmp_path / "d", lists)
    with pytest.raises(FileFormatError, match="'000001' is also in train"):
        import_dataset(folder, tmp_path / "c")


def test_one_id_in_two_places_is_refused(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "d", {"train.txt": "000000"})
    (folder / "motions/claw").mkdir()
    save_motion(
        random_motion(0), folder / "motions/claw/000000.npy", format="texedo-npy"
    )
    with pytest.raises(FileFormatError, match="a second file for '000000'"):
        import_dataset(folder, tmp_path / "c")


def test_a_folder_without_lists_or_motions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no train.txt, val.txt or test.txt"):
        import_dataset(tmp_path / "nowhere", tmp_path / "c")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/train.txt").write_text("000000\n")
    with pytest.raises(FileFormatError, match="none of its 1 motions"):
        import_dataset(tmp_path / "d", tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_what_is_known_of_clips_must_be_readable(
    corpus: Corpus, tmp_path: Path
) -> None:
    export_dataset(corpus, tmp_path / "d", tagged=False)
    (tmp_path / "d/metadata/clips.jsonl").write_text("{}\n")
    with pytest.raises(FileFormatError, match=r"clips.jsonl, line 1: .*dataset_id"):
        import_dataset(tmp_path / "d", tmp_path / "c")
    export_dataset(corpus, tmp_path / "e", tagged=False)
    known = tmp_path / "e/metadata/clips.jsonl"
    known.write_text(known.read_text().replace("01_01-00", "01_00-00"))
    with pytest.raises(FileFormatError, match=r"line 2: .*'01_00-00' occurs twice"):
        import_dataset(tmp_path / "e", tmp_path / "c")


def test_an_import_never_overwrites_a_corpus(corpus: Corpus, tmp_path: Path) -> None:
    export_dataset(corpus, tmp_path / "d", tagged=False)
    before = (tmp_path / "corpus/corpus.json").read_bytes()
    with pytest.raises(FileFormatError, match="already holds something"):
        import_dataset(tmp_path / "d", tmp_path / "corpus")
    assert (tmp_path / "corpus/corpus.json").read_bytes() == before
