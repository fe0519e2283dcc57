"""Training of the language model: it learns, resumes, and reports what it wrote."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.small_lm import bert_folder, small_encoder, small_model, token_file
from texedo.checkpoints.run import MAX_PIECE
from texedo.errors import TexedoError
from texedo.text.language_model import load_language_model
from texedo.text.lm_batches import (
    IGNORED,
    DeviceData,
    Noise,
    change_level,
    disturb,
    plan_epoch,
)
from texedo.text.lm_data import read_tokens
from texedo.text.lm_report import score
from texedo.text.lm_train import main, rate_factor, train
from texedo.text.lm_train_cfg import LanguageModelTrainCfg
from texedo.threads import one_torch_thread


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads cost such small networks more than they bring."""
    with one_torch_thread():
        yield


@pytest.fixture
def cfg(tmp_path: Path) -> LanguageModelTrainCfg:
    return LanguageModelTrainCfg(
        data=str(token_file(tmp_path / "tokens.npz")),
        minilm=str(bert_folder(tmp_path / "bert", small_encoder())),
        out=str(tmp_path / "run"),
        steps=60,
        batch_tokens=256,
        learning_rate=3e-3,
        layers=2,
        width=32,
        heads=2,
        feed_forward=48,
        dropout=0.0,
        eval_every=20,
        save_every=40,
        mean_decay=0.9,
        device="cpu",
    )


def test_a_short_run_learns_which_code_a_word_means(cfg: LanguageModelTrainCfg) -> None:
    report = train(cfg)
    assert report["val"]["nll"] < 1.2 < np.log(37)
    assert report["test"]["top1"] > 0.8
    assert json.loads((Path(cfg.out) / "report.json").read_text())["step"] == 60
    model = load_language_model(Path(cfg.out) / "generator")
    walk, jump = model.sample_tokens(["walks", "person jump"], 8, seed=0, num_tokens=6)
    assert np.mean(np.stack(walk) == 7) > 0.6
    assert np.mean(np.stack(jump) == 20) > 0.6


def test_a_resumed_run_is_the_run_itself(
    cfg: LanguageModelTrainCfg, tmp_path: Path
) -> None:
    whole = replace(cfg, steps=12, eval_every=4, out=str(tmp_path / "whole"))
    half = replace(whole, out=str(tmp_path / "half"), save_every=6, patience=0)
    train(whole)
    with pytest.MonkeyPatch.context() as patch:
        from texedo.text import lm_train

        over = lm_train._over
        patch.setattr(
            lm_train, "_over", lambda c, run: run.progress.step >= 6 or over(c, run)
        )
        train(half)
    train(replace(half, resume=half.out))
    first = load_language_model(tmp_path / "whole" / "generator").state_dict()
    second = load_language_model(tmp_path / "half" / "generator").state_dict()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


def test_a_state_comes_in_pieces_below_the_limit(cfg: LanguageModelTrainCfg) -> None:
    train(replace(cfg, steps=2))
    pieces = sorted(Path(cfg.out).glob("state-*.safetensors"))
    assert pieces and all(piece.stat().st_size < MAX_PIECE + 65536 for piece in pieces)


def test_the_rate_rises_then_falls_to_a_fiftieth() -> None:
    assert rate_factor(0.015, 0.03) == pytest.approx(0.5)
    assert rate_factor(0.03, 0.03) == pytest.approx(1.0)
    assert rate_factor(0.515, 0.03) == pytest.approx(0.51)
    assert rate_factor(1.0, 0.03) == pytest.approx(0.02)
    assert rate_factor(2.0, 0.03) == pytest.approx(0.02)


def test_a_batch_shifts_inputs_by_one_and_ends_with_the_end(tmp_path: Path) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz"))
    table = DeviceData(data, model.words, model.decoder, "cpu")
    clips = np.array([0, 1])
    batch = table.batch(clips, np.array([0, 1]), np.array([True, False]))
    for row, clip in enumerate(clips):
        length = int(data.lengths[clip])
        code = (7, 20)[clip]
        assert batch.inputs[row, 0] == model.decoder.start
        assert batch.inputs[row, 1 : length + 1].tolist() == [code] * length
        assert batch.targets[row, :length].tolist() == [code] * length
        assert batch.targets[row, length] == model.decoder.end
        assert set(batch.targets[row, length + 1 :].tolist()) <= {IGNORED}
    length = int(data.lengths[0])
    assert batch.remaining[0, : length + 1].tolist() == list(range(length + 1, 0, -1))
    assert not batch.remaining[1].any()
    assert batch.inputs.shape[1] % 8 == 0


def test_batches_hold_clips_of_about_one_length_and_every_clip_once() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(20, 120, 500)
    batches = plan_epoch(lengths, range(500), batch_tokens=2000, rng=rng)
    assert sorted(np.concatenate(batches).tolist()) == list(range(500))
    for batch in batches:
        longest = int(lengths[batch].max()) + 1
        assert longest * len(batch) <= 2000
    padded = sum(int(lengths[b].max() + 1) * len(b) for b in batches)
    assert padded / (lengths + 1).sum() < 1.15


def test_a_changed_level_leaves_the_other_levels_alone() -> None:
    levels = (3, 3, 2, 2)
    codes = torch.arange(36).repeat(50)
    changed = change_level(codes, levels)

    def split(code: torch.Tensor) -> torch.Tensor:
        return torch.stack((code % 3, code // 3 % 3, code // 9 % 2, code // 18), -1)

    assert ((split(codes) != split(changed)).sum(-1) == 1).all()
    assert changed.min() >= 0 and changed.max() < 36


def test_noise_spares_starts_targets_and_the_marks_of_a_prompt(tmp_path: Path) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz"))
    table = DeviceData(data, model.words, model.decoder, "cpu")
    clips = np.arange(40)
    batch = table.batch(clips, clips, clips % 2 == 0)
    noise = Noise(tokens=0.4, pieces=1.0, drop=0.0, hidden_piece=4, last_piece=3)
    noisy = disturb(batch, noise, model.decoder)
    assert torch.equal(noisy.targets, batch.targets)
    assert torch.equal(noisy.inputs[:, 0], batch.inputs[:, 0])
    share = (noisy.inputs != batch.inputs)[batch.inputs < 36].float().mean()
    assert 0.3 < share < 0.5
    assert (noisy.pieces[:, 0] == 2).all()
    assert set(noisy.pieces.flatten().tolist()) == {0, 2, 3, 4}
    dropped = disturb(batch, noise._replace(drop=1.0), model.decoder)
    assert dropped.pieces[:, :2].tolist() == [[2, 3]] * 40
    assert dropped.piece_mask.sum(1).tolist() == [2] * 40


def test_an_untrained_model_scores_about_the_logarithm_of_its_vocabulary(
    tmp_path: Path,
) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz"))
    table = DeviceData(data, model.words, model.decoder, "cpu")
    found = score(model, table, range(20), captions=0).of(range(20))
    assert found.nll == pytest.approx(np.log(37), abs=1.0)
    assert found.tokens == 2 * int(data.lengths[:20].sum() + 20)


def test_bad_options_and_files_are_refused_in_one_line(
    cfg: LanguageModelTrainCfg, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path / "none.npz"), "--minilm", cfg.minilm]) == 2
    assert "not a token file" in capsys.readouterr().err
    assert main(["--dta", "x"]) == 2
    with pytest.raises(TexedoError, match="no state"):
        train(replace(cfg, resume=str(tmp_path / "nowhere")))


def test_training_needs_nothing_of_the_command_line() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "for name in ('scipy', 'rich', 'tyro', 'mujoco', 'transformers', 'PIL'):\n"
        "    sys.modules[name] = None\n"
        "import texedo.text.lm_train, texedo.text.text_front"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
