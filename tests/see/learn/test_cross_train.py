"""Training the default verifier: what is drawn, what is asked, what comes out."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.motions import random_motion
from tests.support.small_lm import WORDS, small_encoder
from texedo.core.errors import CheckpointError, TexedoError
from texedo.data.corpus.clip_file import write_clips
from texedo.data.corpus.drawn import REQUESTS, Candidate, Part, write_part
from texedo.data.corpus.packed_clips import pack_records
from texedo.data.corpus.sample import load_sample
from texedo.language.front import save_text_front
from texedo.language.word_pieces import WordPiece
from texedo.motion import Motion
from texedo.see.learn.semantics.batches import (
    DeviceData,
    Drawer,
    reversed_frames,
    rivals_of,
)
from texedo.see.learn.semantics.cfg import CrossTrainCfg
from texedo.see.learn.semantics.data import ClipRows, read_clips
from texedo.see.learn.semantics.evaluate import calibrate
from texedo.see.learn.semantics.run import build, train_cross
from texedo.see.learn.semantics.texts import Texts, is_timed
from texedo.see.semantics.cross.artifact import load_cross_verifier
from texedo.see.semantics.cross.frames import TURNING, VELOCITY, frames_of
from texedo.see.semantics.protocol import r_text


def test_frames_played_backwards_are_those_of_the_motion_played_backwards() -> None:
    qpos = random_motion(4, frames=101).to_qpos()
    frames = torch.from_numpy(frames_of([qpos])[0])[None]
    back = reversed_frames(frames, torch.tensor([51]))[0].numpy()
    wanted = frames_of([Motion.from_qpos(qpos[::-1]).to_qpos()])[0]
    steps = [*range(*VELOCITY.indices(80)), TURNING]
    # A step leads to its frame, so backwards it belongs to the neighbour.
    others = [i for i in range(80) if i not in steps]
    np.testing.assert_allclose(back[:, others], wanted[:, others], atol=1e-4)


@pytest.mark.parametrize(
    ("text", "timed"),
    [
        ("a person walks forward", True),
        ("he waves and then sits", True),
        ("she turns to her left", True),
        ("a person raises the left hand", False),
        ("walks forward and back again", False),
        ("someone dances", False),
    ],
)
def test_what_a_motion_played_backwards_may_not_show(text: str, timed: bool) -> None:
    assert is_timed(text) is timed


def test_every_sentence_has_its_mirror_image_and_the_image_has_it() -> None:
    texts = Texts()
    left, both, none = map(texts.add, ("turns left", "left then right", "walks"))
    table = texts.mirror_table()
    assert texts.all[table[left]] == "turns right" and table[table[left]] == left
    assert texts.all[table[both]] == "right then left" and table[none] == none


def test_of_what_may_be_true_of_the_mirror_image_nothing_is_learnt_from_it() -> None:
    texts = Texts()
    said = ("turns left", "turns left and right", "walks")
    rows = ClipRows()
    for i, text in enumerate(said):
        rows.ids.append(str(i))
        rows.splits.append("train")
        rows.kinds.append("captured")
        rows.groups.append(str(i))
        rows.frames.append(np.zeros((8, 80), dtype=np.float16))
        rows.true.append([texts.add(text)])
        rows.weights.append([1.0])
        rows.false.append([])
        rows.prompts.append(-1)
        rows.obeys.append("")
    data = DeviceData(rows, texts, WordPiece(WORDS, 64), "cpu")
    batch = Drawer(data, CrossTrainCfg(data="", text_encoder="", batch=60)).batch(0)
    known = {"left": set(), "both": set(), "none": set()}
    for text, sided, known_of in zip(
        batch.texts.tolist(),
        batch.sided.tolist(),
        batch.mirrorable.tolist(),
        strict=True,
    ):
        name = {0: "none", 1: "left", 2: "both"}[
            sum(side in texts.all[text] for side in ("left", "right"))
        ]
        known[name].add((sided, known_of))
    assert known == {
        "left": {(True, True)},
        "both": {(False, False)},
        "none": {(False, True)},
    }


def test_sentences_that_state_something_are_taken_more_often() -> None:
    texts = Texts()
    rows = _drawn_rows(texts)
    rows.true[2] = [texts.add("he jumps"), texts.add("he jumps two times")]
    rows.weights[2] = [1.0, 1.0]
    texts.vary(list(texts.all), seed=0, workers=1)
    data = DeviceData(rows, texts, WordPiece(WORDS, 64), "cpu")
    drawer = Drawer(data, CrossTrainCfg(data="", text_encoder="", stating=3.0))
    np.testing.assert_allclose(drawer._odds[2], [0.25, 1.0])


@pytest.mark.parametrize(
    ("obeys", "true"), [("yes", {"dig", "he bends"}), ("perhaps", {"he bends"})]
)
def test_of_a_request_that_is_perhaps_fulfilled_nothing_is_said(
    tmp_path: Path, obeys: str, true: set[str]
) -> None:
    said = ("dig", "he bends") if obeys == "yes" else ("he bends",)
    one = Candidate(
        id="a",
        split="train",
        family=REQUESTS,
        prompt="dig",
        temperature=1.0,
        guidance=2.5,
        true=said,
        false=(),
        obeys=obeys,
        still=0.0,
    )
    poses = [random_motion(0, frames=20).to_qpos().astype(np.float32)]
    part = Part(candidates=(one,), codes=[np.arange(5)], poses=poses)
    write_part(tmp_path / "part-00000.npz", part)
    texts = Texts()
    rows = read_clips("", str(tmp_path), texts)
    assert {texts.all[i] for i in rows.true[0]} == true
    assert rows.weights[0] == [1.0] * len(true)


def test_calibrated_logits_are_right_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    # The true log-odds are 2 x - 1 where true and false pairs are as frequent.
    x = rng.normal(0, 2, 200_000)
    y = rng.random(len(x)) < 1 / (1 + np.exp(1 - 2 * x))
    weights = y.mean() / (1 - y.mean())
    slope, offset = calibrate(x[y], x[~y])
    assert slope == pytest.approx(2.0, abs=0.05)
    assert offset == pytest.approx(-1.0 - np.log(weights), abs=0.05)


def test_a_run_learns_resumes_and_writes_a_verifier(tmp_path: Path) -> None:
    clips = tmp_path / "clips.npz"
    sample = load_sample()
    halves = [
        replace(clip, split="val" if i % 4 == 0 else "train")
        for i, clip in enumerate(sample.clips[:16])
    ]
    frames = [np.asarray(sample.frames(i)) for i in range(16)]
    lengths = np.array([len(f) for f in frames])
    write_clips(clips, pack_records(halves, np.concatenate(frames), lengths, info={}))
    front = tmp_path / "front"
    save_text_front(front, small_encoder(), WordPiece(WORDS, 64))
    cfg = CrossTrainCfg(
        data=str(clips),
        text_encoder=str(front),
        out=str(tmp_path / "run"),
        minutes=0.0,
        steps=2,
        batch=6,
        width=16,
        motion_layers=1,
        pair_layers=1,
        eval_every=1,
        save_every=1,
        device="cpu",
        workers=1,
    )
    train_cross(cfg)
    figures = train_cross(replace(cfg, steps=3))  # The same run, a step further.
    log = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in log if '"final"' in line] == [2, 3]
    assert not figures or 0 <= figures["R@1"] <= 1
    verifier = load_cross_verifier(tmp_path / "run" / "semantics")
    scores = r_text(verifier, "walk", [Motion.from_qpos(frames[0])])
    assert 0 < scores[0] < 1
    with pytest.raises(CheckpointError, match="--width"):
        train_cross(replace(cfg, width=32))
    first = replace(cfg, start=str(tmp_path / "run" / "semantics"), steps=1)
    again = build(first).net.state_dict()
    own = verifier.net.state_dict()
    assert all(torch.equal(again[name], own[name]) for name in own)
    with pytest.raises(TexedoError, match="--width"):
        build(replace(first, width=32))


def _drawn_rows(texts: Texts) -> ClipRows:
    """Two candidates for "turns left": the first does it; and two captured clips."""
    rows = ClipRows()
    said = [("turns left", "yes"), ("turns left", "no"), ("", ""), ("", "")]
    for i, (prompt, obeys) in enumerate(said):
        rows.ids.append(str(i))
        rows.splits.append("train")
        rows.kinds.append("drawn" if prompt else "captured")
        rows.groups.append(prompt or str(i))
        rows.frames.append(np.full((8, 80), i, dtype=np.float16))
        rows.true.append([texts.add(f"walks {i}")])
        rows.weights.append([1.0])
        rows.false.append([])
        rows.prompts.append(texts.add(prompt) if prompt else -1)
        rows.obeys.append(obeys)
    return rows


def test_a_pair_of_candidates_is_told_apart_by_the_prompt_of_both() -> None:
    texts = Texts()
    rows = _drawn_rows(texts)
    texts.vary(list(texts.all), seed=0, workers=1)
    data = DeviceData(rows, texts, WordPiece(WORDS, 64), "cpu")
    cfg = CrossTrainCfg(data="", text_encoder="", batch=8, reworded=0.0)
    drawer = Drawer(data, replace(cfg, drawn_share=0.5, rival_share=1.0))
    assert [(list(yes), list(no)) for yes, no in drawer.rivals] == [([0], [1])]
    batch = drawer.batch(0)
    assert batch.rivals.tolist() == [2, 3, -1, -1, -1, -1, -1, -1]
    shown = {texts.all[t] for t in batch.texts[:2].tolist()}
    assert shown <= {"turns left", "turns right"}  # Mirrored, or not.
    said = [texts.all[t] for t in batch.texts[2:4].tolist()]
    assert said == ["walks 1", "walks 1"]
    # The one that does not do it is shown the prompt as a false sentence.
    assert batch.false[2:4, 0].all()


def test_a_prompt_that_all_candidates_obey_has_no_rivals() -> None:
    rows = _drawn_rows(Texts())
    rows.obeys[1] = "perhaps"
    assert rivals_of(rows, range(4)) == []
