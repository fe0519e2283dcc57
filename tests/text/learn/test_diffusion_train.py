"""Training of the diffusion generator: it learns, resumes, and is refused what is wrong."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.small_diffusion import ARMS, SIZES, arm_corpus
from tests.support.small_lm import WORDS, bert_folder, small_encoder
from texedo.apps import cli
from texedo.core.errors import CheckpointError, TexedoError
from texedo.core.threads import one_torch_thread
from texedo.data.corpus.store import Corpus
from texedo.language.word_pieces import WordPiece
from texedo.learning.clock import Clock
from texedo.learning.features import features_from_qpos
from texedo.text.diffusion.artifact import load_diffusion
from texedo.text.generators.find import find_generator
from texedo.text.learn.diffusion.cfg import DiffusionTrainCfg
from texedo.text.learn.diffusion.data import DeviceClips, read_corpus
from texedo.text.learn.diffusion.train import train


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads cost such small networks more than they bring."""
    with one_torch_thread():
        yield


@pytest.fixture
def cfg(tmp_path: Path) -> DiffusionTrainCfg:
    return DiffusionTrainCfg(
        data=str(arm_corpus(tmp_path / "corpus")),
        encoder=str(bert_folder(tmp_path / "bert", small_encoder())),
        out=str(tmp_path / "run"),
        steps=150,
        batch_tokens=640,
        learning_rate=4e-3,
        layers=2,
        width=32,
        heads=2,
        feed_forward=48,
        dropout=0.0,
        mean_decay=0.9,
        sampling_steps=6,
        log_every=50,
        eval_every=0,
        save_every=0,
        device="cpu",
    )


def log_of(cfg: DiffusionTrainCfg) -> list[dict[str, float]]:
    lines = (Path(cfg.out) / "log.jsonl").read_text().splitlines()
    return [row for row in map(json.loads, lines) if row["event"] == "train"]


def test_a_short_run_learns_where_a_word_puts_the_arms(cfg: DiffusionTrainCfg) -> None:
    report = train(cfg)
    rows = log_of(cfg)
    assert rows[-1]["frames"] < 0.7 * rows[0]["frames"]
    assert report["frames"] < report["frames_without_text"]
    generator = find_generator(cfg.out, device="cpu")
    for word, sign in (("walk", 1.0), ("jump", -1.0)):
        angles = [m.joint_pos[:, ARMS].mean() for m in generator.sample(word, 4)]
        assert np.mean(angles) * sign > 0.3, word
    # Clips last 1.2 to 1.8 s.
    lengths = [motion.duration for motion in generator.sample("walk", 8)]
    assert 0.9 < min(lengths) and max(lengths) < 2.2


def test_a_resumed_run_is_the_run_itself(
    cfg: DiffusionTrainCfg, tmp_path: Path
) -> None:
    whole = replace(cfg, steps=10, out=str(tmp_path / "whole"), save_every=5)
    half = replace(whole, out=str(tmp_path / "half"))
    train(whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clock, "over", lambda _, step: step >= 5)
        train(half)
    with pytest.raises(CheckpointError, match="has --dropout 0.0, not 0.5"):
        train(replace(half, dropout=0.5))
    train(half)
    first, second = (load_diffusion(Path(c.out) / "diffusion") for c in (whole, half))
    assert first.metadata["step"] == 10
    for name, tensor in first.denoiser.state_dict().items():
        assert torch.equal(tensor, second.denoiser.state_dict()[name]), name


def test_a_clip_of_a_batch_is_every_second_frame_of_it(tmp_path: Path) -> None:
    folder = arm_corpus(tmp_path / "corpus")
    data = DeviceClips(
        read_corpus(str(folder)), WordPiece(WORDS, 64), torch.device("cpu"), pace=0.1
    )
    batch = data.batch(np.array([0, 3]), SIZES, None)
    corpus = Corpus.load(folder)
    for row, clip in enumerate((0, 3)):
        features = features_from_qpos(corpus.frames(clip))
        frames = int(batch.tokens[row]) * 2
        assert frames == (len(features) + 1) // 2 // 2 * 2
        back = batch.motion[row, :frames].numpy() * data.std + data.mean
        np.testing.assert_allclose(back, features[::2][:frames], atol=1e-5)


def test_a_faster_clip_is_shorter_and_goes_as_far(tmp_path: Path) -> None:
    folder = arm_corpus(tmp_path / "corpus")
    data = DeviceClips(
        read_corpus(str(folder)), WordPiece(WORDS, 64), torch.device("cpu"), pace=0.5
    )
    clips = np.zeros(64, dtype=np.int64)
    batch = data.batch(clips, SIZES, np.random.default_rng(0))
    own = int(data.tokens_of(clips[:1], SIZES)[0])
    assert batch.tokens.min() < 0.75 * own and batch.tokens.max() > 1.3 * own
    # Standing is standing at any pace.
    speed = batch.motion[..., 6:8].numpy() * data.std[6:8] + data.mean[6:8]
    np.testing.assert_allclose(speed, 0.0, atol=1e-5)


def test_what_cannot_be_learnt_from_is_refused_before_anything_is_written(
    cfg: DiffusionTrainCfg, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    untested = arm_corpus(tmp_path / "untested", splits="t")
    with pytest.raises(TexedoError, match="splits 'train' and 'val'; it has"):
        train(replace(cfg, data=str(untested)))
    with pytest.raises(TexedoError, match="--width and --heads: width 32 must"):
        train(replace(cfg, heads=5))
    assert cli.main(["train", "diffusion", str(tmp_path / "none"), "-o", cfg.out]) == 2
    assert "holds no corpus.json" in capsys.readouterr().err
    assert not Path(cfg.out).exists()
