"""The token file: what goes in comes out, and nothing else is taken for one."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.data.corpus import Clip, write_corpus
from texedo.errors import FileFormatError
from texedo.text.lm_data import main, pack, read_tokens, write_tokens

ROWS = st.lists(st.lists(st.integers(0, 7775), min_size=1, max_size=9), min_size=1)


@given(ROWS, st.text(max_size=20))
@settings(max_examples=40, deadline=None)
def test_codes_and_captions_survive_the_file(rows: list[list[int]], text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    clips = [
        {
            "id": f"{i}",
            "split": "train",
            "kind": "captured",
            "family": "walk",
            "captions": [text, "b"],
        }
        for i in range(len(rows))
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokens.npz"
        arrays = [np.array(row) for row in rows]
        assert write_tokens(path, arrays, clips, num_codes=7776) == sum(map(len, rows))
        data = read_tokens(path)
    for row, start, length in zip(rows, data.starts, data.lengths, strict=True):
        assert data.codes[start : start + length].tolist() == row
    assert data.captions == [[text, "b"]] * len(rows)
    assert data.num_codes == 7776


def clip(name: str, split: str, num_frames: int, captions: tuple[str, ...]) -> Clip:
    return Clip(
        id=name,
        trial="01_01",
        subject="01",
        start=0.0,
        end=num_frames / 50,
        first_frame=0,
        num_frames=num_frames,
        family="walk",
        split=split,
        group="01_01",
        captions=captions,
    )


def test_a_corpus_is_packed_clip_by_clip(tmp_path: Path) -> None:
    clips = [
        clip("a", "train", 20, ("he walks", "walks", "he walks")),
        clip("b", "val", 9, ()),
        clip("c", "val", 12, ("stands",)),
    ]
    frames = [np.zeros((c.num_frames, 36), dtype=np.float32) for c in clips]
    for block in frames:
        block[:, 3] = 1.0
    write_corpus(tmp_path / "corpus", clips, frames)
    told: list[tuple[int, int]] = []
    count = pack(
        tmp_path / "corpus",
        lambda motions: [np.arange(len(m.joint_pos) // 4) for m in motions],
        tmp_path / "tokens.npz",
        progress=lambda done, total: told.append((done, total)),
    )
    data = read_tokens(tmp_path / "tokens.npz")
    assert count == 5 + 2 + 3 and told == [(3, 3)]
    assert data.lengths.tolist() == [5, 2, 3]
    assert data.captions[0] == ["he walks", "walks"]
    assert data.where("val") == [2]
    assert data.ids == ["a", "b", "c"]


def test_codes_outside_the_vocabulary_are_refused(tmp_path: Path) -> None:
    for bad in (-1, 36):
        with pytest.raises(ValueError, match="0 to 35"):
            write_tokens(tmp_path / "x.npz", [np.array([bad])], [], num_codes=36)


def test_a_file_that_is_no_token_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens.npz"
    with pytest.raises(FileFormatError, match="not a token file"):
        read_tokens(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(FileFormatError, match="not a token file"):
        read_tokens(path)
    write_tokens(path, [np.array([1])], [], num_codes=36)
    with pytest.raises(FileFormatError, match="counts differ"):
        read_tokens(path)
    assert main([]) == 2
