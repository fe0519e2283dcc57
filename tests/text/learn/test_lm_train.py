"""Training of the language model: it learns, resumes, and reports what it wrote."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.small_lm import bert_folder, small_encoder, small_model, token_file
from texedo.apps import cli
from texedo.core.errors import CheckpointError, TexedoError
from texedo.core.threads import one_torch_thread
from texedo.language.front import load_text_front, save_text_front
from texedo.learning import clock as clock_module
from texedo.learning.state import MAX_PIECE
from texedo.text.learn.captions import WordNoise
from texedo.text.learn.lm.batches import (
    IGNORED,
    DeviceData,
    Noise,
    change_level,
    disturb,
    epoch_rows,
    plan_epoch,
)
from texedo.text.learn.lm.cfg import LanguageModelTrainCfg
from texedo.text.learn.lm.data import read_tokens
from texedo.text.learn.lm.report import score
from texedo.text.learn.lm.run import build
from texedo.text.learn.lm.train import rate_factor, train
from texedo.text.lm.artifact import load_language_model


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
    # 36 clips are four batches: the run stops within its second epoch.
    token_file(Path(cfg.data), views=3)
    whole = replace(cfg, steps=12, eval_every=4, out=str(tmp_path / "whole"))
    half = replace(whole, out=str(tmp_path / "half"), save_every=6, patience=0)
    train(whole)
    with pytest.MonkeyPatch.context() as patch:
        from texedo.text.learn.lm import train as lm_train

        over = lm_train._over
        patch.setattr(
            lm_train,
            "_over",
            lambda c, run, clock: run.progress.step >= 6 or over(c, run, clock),
        )
        train(half)
    train(half)
    first = load_language_model(tmp_path / "whole" / "generator").state_dict()
    second = load_language_model(tmp_path / "half" / "generator").state_dict()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


def test_fine_tuning_starts_where_the_trained_generator_stands(
    cfg: LanguageModelTrainCfg, tmp_path: Path
) -> None:
    learnt = train(cfg)["val"]["nll"]
    trained = Path(cfg.out) / "generator"
    tuned = replace(
        cfg,
        start=str(trained),
        minilm=str(trained / "text_encoder"),
        out=str(tmp_path / "tuned"),
        steps=1,
        learning_rate=1e-6,
    )
    # One tiny step: stored in halves, so equal to three digits.
    assert train(tuned)["val"]["nll"] == pytest.approx(learnt, abs=5e-3)
    wider = replace(tuned, width=64, out=str(tmp_path / "wider"))
    with pytest.raises(CheckpointError, match="another network was saved there"):
        train(wider)


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
    assert batch.inputs.shape[1] % 16 == 0


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


def test_an_epoch_has_one_shape_per_padded_length_and_one_for_the_rest() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(20, 120, 3000)
    batches = plan_epoch(lengths, range(3000), batch_tokens=4096, rng=rng)
    shapes = {(len(b), -(-(int(lengths[b].max()) + 1) // 16) * 16) for b in batches}
    assert all(rows * length <= 4096 for rows, length in shapes)
    assert len(batches) > 50
    # 32, 48, ... 128 are seven lengths.
    assert len({length for _, length in shapes}) == 7 and len(shapes) <= 8


def test_a_clip_shows_each_of_its_views_once_before_one_comes_again(
    tmp_path: Path,
) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz", views=4))
    table = DeviceData(data, model.words, model.decoder, "cpu")
    clips = [0, 1, 3, 5]  # The fourth of five is for validation.
    epochs = [epoch_rows(table, clips, (9, epoch)) for epoch in range(8)]
    for clip, rows in zip(clips, np.stack(epochs, axis=1), strict=True):
        assert rows[:4].tolist() == rows[4:].tolist()
        count = 1 if clip == 3 else 4
        grown = [int(data.lengths[row] - data.lengths[clip]) for row in rows[:4]]
        assert sorted(set(grown)) == list(range(count))
        assert (data.codes[data.starts[rows]] == (7, 20)[clip % 2]).all()
    assert epochs[2].tolist() == epoch_rows(table, clips, (9, 2)).tolist()
    others = epoch_rows(table, range(60), (8, 0))
    assert others.tolist() != epoch_rows(table, range(60), (9, 0)).tolist()


def test_a_view_goes_with_the_captions_of_its_clip(tmp_path: Path) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz", views=3))
    table = DeviceData(data, model.words, model.decoder, "cpu")
    clips = np.array([0, 1, 2])
    rows = table.rows(clips, np.array([0, 1, 2]))
    # 60 clips come first, then two more views of each training clip: 0, 1, 2, ...
    assert rows.tolist() == [0, 62, 65]
    captions, known = np.array([0, 1, 0]), np.array([True, True, True])
    seen = table.batch(rows, captions, known)
    plain = table.batch(clips, captions, known)
    assert torch.equal(seen.pieces, plain.pieces)
    assert torch.equal(seen.piece_mask, plain.piece_mask)
    ends = (seen.targets == model.decoder.end).int().argmax(1).numpy()
    assert (ends - data.lengths[clips]).tolist() == [0, 1, 2]


def test_captions_are_drawn_by_weight_and_alike_where_there_is_none(
    tmp_path: Path,
) -> None:
    model = small_model()
    data = read_tokens(token_file(tmp_path / "tokens.npz"))
    captions = [["walks", "jump", "person"]] + data.captions[1:]
    weights = [[2.0, 1.0, 1.0]] + [[1.0] * len(texts) for texts in captions[1:]]
    said = replace(data, captions=captions)
    rows, quarters = np.zeros(4, dtype=np.int64), np.arange(4) << 28
    plain = DeviceData(said, model.words, model.decoder, "cpu")
    assert plain.draw(rows, np.arange(4)).tolist() == [0, 1, 2, 0]
    table = DeviceData(
        replace(said, weights=weights), model.words, model.decoder, "cpu"
    )
    # 0, 1/4, 1/2 and 3/4 of the way: half of the weight is the first caption's.
    assert table.draw(rows, quarters).tolist() == [0, 0, 1, 2]
    last = np.array([(1 << 30) - 1])
    assert table.draw(rows[:1], last).tolist() == [2]
    assert table.draw(np.array([1]), last).tolist() == [len(captions[1]) - 1]
    numbers = np.random.default_rng(0).integers(1 << 30, size=6000)
    drawn = table.draw(np.ones(6000, dtype=np.int64), numbers)
    share = np.bincount(drawn) / 6000
    assert share == pytest.approx(
        np.full(len(captions[1]), 1 / len(captions[1])), abs=0.02
    )


def test_a_text_encoder_of_rate_0_stays_as_it_is_to_the_byte(
    cfg: LanguageModelTrainCfg, tmp_path: Path
) -> None:
    def stored(out: str) -> tuple[bytes, bytes]:
        folder = Path(out) / "generator"
        name = "weights.safetensors"
        return (folder / name).read_bytes(), (
            folder / "text_encoder" / name
        ).read_bytes()

    front = save_text_front(tmp_path / "front", *load_text_front(cfg.minilm))
    given = (front / "weights.safetensors").read_bytes()
    still = replace(cfg, steps=10, eval_every=5, minilm=str(front), text_rate=0.0)
    train(still)
    decoder, text = stored(still.out)
    assert text == given
    # That of a trained generator is one to start from.
    learnt = replace(cfg, steps=10, eval_every=5, out=str(tmp_path / "learnt"))
    train(learnt)
    assert stored(learnt.out)[1] != given
    again = replace(
        still,
        minilm=str(tmp_path / "learnt" / "generator" / "text_encoder"),
        out=str(tmp_path / "again"),
    )
    train(again)
    assert stored(again.out)[1] == stored(learnt.out)[1]
    assert stored(again.out)[0] not in (decoder, stored(learnt.out)[0])


def test_a_run_does_not_go_on_with_a_text_encoder_that_was_trained_otherwise(
    cfg: LanguageModelTrainCfg,
) -> None:
    train(replace(cfg, steps=2))
    other = replace(cfg, steps=3, text_rate=0.0)
    with pytest.raises(CheckpointError, match="--text-rate 0.05, not 0.0; give that"):
        train(other)


def test_a_new_run_may_freeze_the_text_encoder_but_not_thaw_it(
    cfg: LanguageModelTrainCfg,
) -> None:
    train(replace(cfg, steps=2))
    trained = Path(cfg.out) / "generator" / "text_encoder"
    frozen = replace(
        cfg,
        steps=4,
        text_rate=0.0,
        minilm=str(trained),
        resume=cfg.out,
        out=f"{cfg.out}-frozen",
    )
    assert train(frozen)["step"] == 4
    kept = Path(frozen.out) / "generator" / "text_encoder" / "weights.safetensors"
    assert kept.read_bytes() == (trained / "weights.safetensors").read_bytes()
    with pytest.raises(CheckpointError, match="was frozen there; give --text-rate 0"):
        train(replace(cfg, steps=5, resume=frozen.out, out=f"{cfg.out}-thawed"))


def test_without_minutes_a_run_lasts_until_the_wall(
    cfg: LanguageModelTrainCfg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_module, "PROCESS_START", time.monotonic())
    # 20 s of it are for the report.
    report = train(replace(cfg, steps=0, minutes=0.0, wall=22.0))
    assert report["step"] > 5 and 0.3 < report["seconds"] < 3.0


def test_evaluations_may_look_at_some_of_the_validation_clips(
    cfg: LanguageModelTrainCfg,
) -> None:
    from texedo.text.learn.lm.run import build

    run = build(replace(cfg, eval_clips=4))
    assert run.val_clips == [3, 18, 33, 48]  # Every third of 3, 8, 13, ...
    assert len(run.held_out["val"]) == 12
    assert len(build(replace(cfg, eval_clips=100)).val_clips) == 12


def test_recorded_clips_come_as_often_as_asked_and_others_once(
    cfg: LanguageModelTrainCfg,
) -> None:
    once, thrice = build(cfg), build(replace(cfg, recorded=3))
    kinds = read_tokens(Path(cfg.data)).kinds
    for clip in set(once.train_clips):
        often = 3 if kinds[clip] in ("captured", "mirrored") else 1
        assert thrice.train_clips.count(clip) == often * once.train_clips.count(clip)
    with pytest.raises(TexedoError, match="--recorded is 1 or more, got 0"):
        build(replace(cfg, recorded=0))


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
    words = WordNoise(pieces=1.0, drop=0.0, hidden_piece=4, last_piece=3)
    noise = Noise(tokens=0.4, words=words)
    noisy = disturb(batch, noise, model.decoder)
    assert torch.equal(noisy.targets, batch.targets)
    assert torch.equal(noisy.inputs[:, 0], batch.inputs[:, 0])
    share = (noisy.inputs != batch.inputs)[batch.inputs < 36].float().mean()
    assert 0.3 < share < 0.5
    assert (noisy.pieces[:, 0] == 2).all()
    assert set(noisy.pieces.flatten().tolist()) == {0, 2, 3, 4}
    dropped = disturb(
        batch, noise._replace(words=words._replace(drop=1.0)), model.decoder
    )
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
    command = ["train", "generator", "--data", str(tmp_path / "none.npz")]
    assert cli.main([*command, "--minilm", cfg.minilm]) == 2
    assert "not a token file" in capsys.readouterr().err
    with pytest.raises(TexedoError, match="no state"):
        train(replace(cfg, resume=str(tmp_path / "nowhere")))


def test_training_needs_nothing_of_the_command_line() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "for name in ('scipy', 'rich', 'tyro', 'mujoco', 'transformers', 'PIL'):\n"
        "    sys.modules[name] = None\n"
        "import texedo.text.learn.lm.train, texedo.language.front"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_evaluations_the_last_weights_are_written(
    cfg: LanguageModelTrainCfg,
) -> None:
    train(replace(cfg, steps=3, eval_every=0))
    assert (Path(cfg.out) / "generator" / "config.json").exists()
