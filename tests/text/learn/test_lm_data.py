"""The token file: what goes in comes out, and nothing else is taken for one."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from texedo.apps import cli
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.captions.choice import Choice
from texedo.data.corpus.store import Clip, write_corpus
from texedo.motion import Motion
from texedo.text.learn.lm.data import (
    PackCfg,
    pack,
    read_token_files,
    read_tokens,
    row_clips,
    write_tokens,
)
from texedo.text.learn.lm.pack import read_part
from texedo.text.learn.lm.wordings import add_wordings
from texedo.text.tokenizer.net import NetSpec, TokenizerNet
from texedo.text.tokenizer.tokenizer import MotionTokenizer, save_tokenizer

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
    assert data.captioned("val") == [2]
    assert data.ids == ("a", "b", "c")


def test_weights_of_captions_go_into_the_file_and_come_out(tmp_path: Path) -> None:
    clips = [
        replace(clip("a", "train", 20, ("x", "y", "x")), caption_weights=(1, 0.5, 2)),
        clip("b", "val", 20, ("x", "y", "x")),
    ]
    frames = [np.zeros((20, 36), dtype=np.float32) + (np.arange(36) == 3)] * 2
    write_corpus(tmp_path / "corpus", clips, frames)
    path = tmp_path / "tokens.npz"
    pack(tmp_path / "corpus", lambda motions: [np.arange(5) for _ in motions], path)
    data = read_tokens(path)
    assert data.captions == [["x", "y"]] * 2
    # What is said twice counts twice; where nothing is said of weights all are alike.
    assert data.weights == [[3.0, 0.5], [1.0, 1.0]]


def test_a_file_without_weights_has_none_and_wrong_ones_are_refused(
    tmp_path: Path,
) -> None:
    about = {"id": "a", "split": "train", "kind": "", "family": "", "captions": ["x"]}
    path = tmp_path / "tokens.npz"
    write_tokens(path, [np.array([1])], [about], num_codes=36)
    assert read_tokens(path).weights is None
    for weights in ([], [0.0], [-1.0], [1.0, 1.0]):
        write_tokens(
            path, [np.array([1])], [about | {"weights": weights}], num_codes=36
        )
        with pytest.raises(FileFormatError, match="weights of captions"):
            read_tokens(path)


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


def small_corpus(folder: Path) -> Path:
    """Two training clips of 40 and 41 frames, one without words, one for validation."""
    clips = [
        clip("a", "train", 40, ("walks",)),
        clip("b", "val", 40, ("stands",)),
        clip("c", "train", 41, ("walks",)),
        clip("d", "train", 40, ()),
    ]
    frames = []
    for number, own in enumerate(clips):
        block = np.zeros((own.num_frames, 36), dtype=np.float32)
        block[:, 3] = 1.0
        block[:, 0] = 0.01 * np.arange(own.num_frames)
        block[:, 2] = 0.7 + 0.01 * number
        frames.append(block)
    write_corpus(folder, clips, frames)
    return folder


def frames_as_codes(motions: Sequence[Motion]) -> list[NDArray[np.int64]]:
    """One code per frame: how far the pelvis is [cm]."""
    return [np.rint(m.root_pos_w[:, 0] * 100).astype(np.int64) for m in motions]


def test_training_clips_with_words_get_all_views_and_others_one(tmp_path: Path) -> None:
    corpus = small_corpus(tmp_path / "corpus")
    path = tmp_path / "tokens.npz"
    pack(corpus, frames_as_codes, path, cfg=PackCfg(views=3))
    data = read_tokens(path)
    assert data.num_views.tolist() == [3, 1, 3, 1]
    # a b c d as they are, then a and c from their second and third frame.
    assert data.lengths.tolist() == [40, 40, 41, 40, 39, 38, 40, 39]
    firsts = data.codes[data.starts].tolist()
    assert firsts == [0, 0, 0, 0, 1, 2, 1, 2]
    assert data.captions == [["walks"], ["stands"], ["walks"], []]
    assert data.captioned("train") == [0, 2]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_the_first_rows_are_the_clips_and_every_view_has_one_row(
    views: list[int],
) -> None:
    clips, numbers = row_clips(np.array(views))
    assert clips[: len(views)].tolist() == list(range(len(views)))
    assert not numbers[: len(views)].any()
    wanted = {(c, v) for c, count in enumerate(views) for v in range(count)}
    assert len(clips) == len(wanted) == sum(views)
    assert set(zip(clips.tolist(), numbers.tolist(), strict=True)) == wanted


def test_a_file_of_version_1_has_one_view_of_each_clip(tmp_path: Path) -> None:
    about = {"captions": [], "split": "train", "kind": "", "family": "", "id": ""}
    path = tmp_path / "old.npz"
    np.savez_compressed(
        path,
        version=np.int64(1),
        num_codes=np.int64(36),
        codes=np.array([1, 2, 3], dtype=np.uint16),
        lengths=np.array([2, 1]),
        clips=np.frombuffer(json.dumps([about, about]).encode(), dtype=np.uint8),
    )
    data = read_tokens(path)
    assert data.num_views.tolist() == [1, 1]
    assert data.codes.tolist() == [1, 2, 3]


def test_rows_and_views_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    about = {"captions": [], "split": "train", "kind": "", "family": "", "id": ""}
    rows = [np.array([1]), np.array([2])]
    for views in ([1, 1], [3], [0, 2]):
        path = tmp_path / "tokens.npz"
        clips = [about] * (2 if views == [0, 2] else 1)
        write_tokens(path, rows, clips, num_codes=36, views=np.array(views))
        with pytest.raises(FileFormatError, match="counts differ"):
            read_tokens(path)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    corpus, cfg = small_corpus(tmp_path / "corpus"), PackCfg(views=80, seed=3)
    pack(corpus, frames_as_codes, tmp_path / "whole.npz", cfg=cfg)
    encoded: list[int] = []

    def encode(motions: Sequence[Motion]) -> list[NDArray[np.int64]]:
        if sum(encoded) == 64:
            raise KeyboardInterrupt
        encoded.append(len(motions))
        return frames_as_codes(motions)

    path = tmp_path / "tokens.npz"
    with pytest.raises(KeyboardInterrupt):
        pack(corpus, encode, path, cfg=cfg)
    assert not path.exists()
    encoded.append(1)
    pack(corpus, encode, path, cfg=cfg)
    assert encoded == [64, 1, 64, 34]  # 162 rows: the first 64 were kept.
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert not Path(f"{path}.part").exists()


def test_a_part_counts_as_far_as_its_rows_are_whole_and_of_the_same_work(
    tmp_path: Path,
) -> None:
    part, about = tmp_path / "tokens.part", {"seed": 1}
    assert read_part(part, about) == []
    with part.open("ab") as file:
        file.write(np.array([2, 10, 11, 1, 12, 3, 13], dtype="<u4").tobytes() + b"x")
    for _ in range(2):  # What is not whole is cut off.
        rows = read_part(part, about)
        assert [row.tolist() for row in rows] == [[10, 11], [12]]
    assert read_part(part, {"seed": 2}) == []
    assert read_part(part, about) == []


def test_threads_do_not_change_the_file(tmp_path: Path) -> None:
    corpus = small_corpus(tmp_path / "corpus")
    for threads in (1, 3):
        cfg = PackCfg(views=150, threads=threads)
        pack(corpus, frames_as_codes, tmp_path / f"{threads}.npz", cfg=cfg)
    one, three = (tmp_path / name for name in ("1.npz", "3.npz"))
    assert one.read_bytes() == three.read_bytes()


def test_the_command_takes_views_and_refuses_fewer_than_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = NetSpec(width=8, encoder_depth=1, decoder_depth=1, levels=(3, 2))
    save_tokenizer(tmp_path / "tokenizer", MotionTokenizer(TokenizerNet(spec)))
    corpus = small_corpus(tmp_path / "corpus")
    command = ["data", "tokens", str(corpus), "-o", str(tmp_path / "tokens.npz")]
    command += ["--tokenizer", str(tmp_path / "tokenizer")]
    assert cli.main([*command, "--views", "5"]) == 0
    data = read_tokens(tmp_path / "tokens.npz")
    assert data.num_views.tolist() == [5, 1, 5, 1]
    assert data.lengths[:6].tolist() == [10, 10, 11, 10, 10, 10]
    assert cli.main([*command, "--views", "0"]) == 2
    assert "--views must be at least 1" in capsys.readouterr().err


def test_training_captions_get_other_wordings_and_others_none(tmp_path: Path) -> None:
    def rewrite(text: str, *, number: int, choice: Choice) -> list[str]:
        return [f"{text} {word}" for word in ("on", "off", "on", "up")][: number + 1]

    corpus, path = small_corpus(tmp_path / "corpus"), tmp_path / "tokens.npz"
    cfg = PackCfg(wordings=2)
    pack(corpus, frames_as_codes, path, cfg=cfg, rewrite=rewrite)
    data = read_tokens(path)
    others = ["walks", "walks on", "walks off"]
    assert data.captions == [others, ["stands"], others, []]
    assert data.weights == [[1.0, 0.25, 0.25], [1.0], [1.0, 0.25, 0.25], []]


def test_other_wordings_share_half_the_weight_of_their_caption() -> None:
    def rewrite(text: str, *, number: int, choice: Choice) -> list[str]:
        return {"a": ["c", "b", "d"], "b": []}[text]

    about = {"id": "x", "split": "train", "captions": ["a", "b"], "weights": [2, 0.5]}
    found = add_wordings(about, rewrite, number=9, seed=0)
    # "b" is a caption already: two wordings of "a" share the 1 that is half of its 2.
    assert found["captions"] == ["a", "b", "c", "d"]
    assert found["weights"] == [2, 0.5, 0.5, 0.5]
    held_out = {**about, "split": "val"}
    assert add_wordings(held_out, rewrite, number=9, seed=0) == held_out


def test_without_a_rewriter_wordings_are_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from texedo.text.learn.lm import wordings

    monkeypatch.setattr(wordings, "REWRITER", "texedo.data.captions.nobody")
    with pytest.raises(TexedoError, match="leave --wordings at 0"):
        pack(
            small_corpus(tmp_path / "corpus"),
            lambda motions: pytest.fail("encoded"),
            tmp_path / "x",
            cfg=PackCfg(wordings=1),
        )


def test_two_token_files_are_read_as_one_views_behind_all_first_rows(
    tmp_path: Path,
) -> None:
    def clip(name: str, **more: object) -> dict[str, object]:
        known = {"split": "train", "kind": "captured", "family": "walk"}
        return {"id": name, **known, "captions": [name], **more}

    a, b = tmp_path / "a.npz", tmp_path / "b.npz"
    rows = [[1], [2, 2], [3, 3, 3]]  # Clip x has a second view.
    write_tokens(
        a,
        [np.array(r) for r in rows],
        [clip("x"), clip("y")],
        num_codes=9,
        views=np.array([2, 1]),
    )
    write_tokens(b, [np.array([7])], [clip("z", weights=[0.5])], num_codes=9)
    both = read_token_files(f"{a},{b}")
    assert both.ids == ("x", "y", "z") and both.num_views.tolist() == [2, 1, 1]
    assert both.codes.tolist() == [1, 2, 2, 7, 3, 3, 3]
    assert both.lengths.tolist() == [1, 2, 1, 3] and both.weights == [
        [1.0],
        [1.0],
        [0.5],
    ]
