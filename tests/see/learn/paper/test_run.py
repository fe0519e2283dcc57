"""Training of the paper's verifier: both stages, resumed, from a folder or one file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.small_clips import small_clip
from texedo.core.errors import CheckpointError, FileFormatError
from texedo.data.corpus.store import Corpus, write_corpus
from texedo.see.learn.paper.cfg import PaperSemanticsCfg
from texedo.see.learn.paper.data import pack_training_clips

torch = pytest.importorskip("torch")

from texedo.learning.state import load_run  # noqa: E402
from texedo.see.learn.paper.parts import build  # noqa: E402
from texedo.see.learn.paper.run import train  # noqa: E402
from texedo.see.learn.paper.step import draw_clips, forget, gather, learn  # noqa: E402
from texedo.see.semantics.paper.artefact import load_paper_semantics  # noqa: E402
from texedo.see.semantics.paper.words import Tokens  # noqa: E402
from texedo.see.semantics.protocol import r_text  # noqa: E402

SAID = ("a person walks", "he waves his left hand", "a man jumps up", "she turns right")
TINY: dict[str, Any] = {
    "minutes": 0.0,
    "steps": 6,
    "batch": 4,
    "motion_width": 16,
    "text_width": 16,
    "latent": 16,
    "size": 16,
    "movement_share": 0.5,
    "movement_window": 16,
    "movement_batch": 4,
    "warm_up": 2,
    "min_count": 1,
    "log_every": 2,
    "eval_every": 2,
    "save_every": 3,
    "device": "cpu",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "corpus"
    clips = [
        replace(small_clip(f"{split}{i}", 40 + 3 * i, split), captions=(text,))
        for split in ("train", "val")
        for i, text in enumerate(SAID)
    ]
    frames = [random_motion(i, c.num_frames).to_qpos() for i, c in enumerate(clips)]
    write_corpus(folder, clips, frames)
    return folder


def options(corpus: Path, out: Path, **more: Any) -> PaperSemanticsCfg:
    return PaperSemanticsCfg(data=str(corpus), out=str(out), **{**TINY, **more})


def test_a_run_leaves_a_verifier_a_lexicon_and_a_report(
    corpus: Path, tmp_path: Path
) -> None:
    report = train(options(corpus, tmp_path / "run"))
    assert report["steps"] == 6 and report["matching_from"] == 3
    assert report == json.loads((tmp_path / "run" / "report.json").read_text())
    assert report["val"]["all"]["pool"] == 4
    verifier = load_paper_semantics(tmp_path / "run" / "semantics")
    assert verifier.metadata["val"] == report["val"]
    assert verifier.metadata["clips"] == 4
    scores = r_text(verifier, "a person walks", [random_motion(0, 60)])
    assert 0.0 < scores[0] <= 1.0
    assert verifier.words.lexicon["walks"] == ("walk", "Act_VIP")
    lexicon = json.loads((tmp_path / "run" / "lexicon.json").read_text())
    assert lexicon["waves"] == "wave/Act_VIP"


@pytest.mark.parametrize("first", [2, 5])
def test_a_run_in_two_parts_is_the_run_in_one(
    corpus: Path, tmp_path: Path, first: int
) -> None:
    whole = options(corpus, tmp_path / "whole", steps=6)
    train(whole)
    # A schedule ends with the run, so the first part is interrupted, not shorter.
    parts = options(corpus, tmp_path / "parts", steps=6, save_every=first)
    stop_after(parts, first)
    train(parts)
    one, two = (load_run(tmp_path / name)[0] for name in ("whole", "parts"))
    assert one.keys() == two.keys()
    for name, array in one.items():
        np.testing.assert_allclose(two[name], array, atol=1e-6, err_msg=name)


def stop_after(cfg: PaperSemanticsCfg, steps: int) -> None:
    import texedo.see.learn.paper.run as module

    taken = 0

    def interrupted(*given: Any) -> dict[str, float]:
        nonlocal taken
        if taken == steps:
            raise KeyboardInterrupt
        taken += 1
        return learn(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "learn", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(cfg)


def test_a_packed_corpus_and_a_lexicon_need_neither_folder_nor_tagger(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(options(corpus, tmp_path / "here", steps=2))
    assert pack_training_clips(Corpus.load(corpus), tmp_path / "clips.npz") > 0

    def no_tagger(*given: Any) -> None:
        raise AssertionError("the tagger was asked")

    monkeypatch.setattr("texedo.see.learn.paper.parts.make_lexicon", no_tagger)
    lexicon = str(tmp_path / "here" / "lexicon.json")
    cfg = options(tmp_path / "clips.npz", tmp_path / "there", steps=2, lexicon=lexicon)
    assert train(cfg)["steps"] == 2
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[]")
    with pytest.raises(FileFormatError, match="not a lexicon"):
        train(replace(cfg, lexicon=str(wrong), out=str(tmp_path / "other")))


def test_another_network_in_the_same_folder_is_refused(
    corpus: Path, tmp_path: Path
) -> None:
    train(options(corpus, tmp_path, steps=2))
    with pytest.raises(CheckpointError, match="--motion-width 16, not 8"):
        train(options(corpus, tmp_path, steps=2, motion_width=8))


def test_each_stage_leaves_the_other_alone_and_word_vectors_stay(
    corpus: Path, tmp_path: Path
) -> None:
    parts = build(options(corpus, tmp_path))

    def changed(done: float, step: int) -> set[str]:
        before = {k: v.clone() for k, v in parts.net.state_dict().items()}
        learn(parts, step, done)
        after = parts.net.state_dict()
        return {k.split(".")[0] for k, v in before.items() if (after[k] != v).any()}

    assert changed(0.0, 0) == {"movement"}
    parts.begin_matching(1, 0.5)
    assert changed(0.5, 1) == {"motion", "text", "tags"}


def test_matching_can_learn_four_clips_by_heart(corpus: Path, tmp_path: Path) -> None:
    cfg = options(corpus, tmp_path, learning_rate=5e-3, dropout=0.0, word_dropout=0.0)
    parts = build(cfg)
    parts.begin_matching(0, 0.0)
    losses = [learn(parts, step, 0.0)["loss"] for step in range(60)]
    assert losses[-1] < 0.2 < losses[0]


def test_every_clip_comes_once_in_an_epoch() -> None:
    epoch = np.concatenate([draw_clips(12, 4, step, seed=1) for step in range(3)])
    assert sorted(epoch) == list(range(12))
    assert len(draw_clips(3, 8, 5, seed=1)) == 3


def test_forgotten_words_are_unknown_and_the_ends_stay() -> None:
    tokens = Tokens(np.array([1, 5, 6, 2]), np.zeros(4, dtype=np.int64))
    assert forget(tokens, 1.0, np.random.default_rng(0)).words.tolist() == [1, 0, 0, 2]
    assert forget(tokens, 0.0, np.random.default_rng(0)).words.tolist() == [1, 5, 6, 2]


def test_pieces_are_gathered_from_where_they_start() -> None:
    rows = torch.arange(10.0)[:, None].expand(10, 36)
    frames, lengths = gather(rows, np.array([0, 6]), np.array([4, 4]))
    assert frames[:, :, 0].tolist() == [[0, 1, 2, 3], [6, 7, 8, 9]]
    assert lengths.tolist() == [4, 4]
