"""Training the tokenizer: windows, losses, and a few real iterations on the CPU."""

import dataclasses
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.small_clips import small_clip
from texedo.core.errors import CheckpointError, TexedoError
from texedo.data.corpus.store import Corpus, write_corpus
from texedo.learning.run import RunFolder
from texedo.learning.state import load_run, save_run
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.data import (
    pack_tokenizer_clips,
    tokenizer_clips_from,
)

torch = pytest.importorskip("torch")

from texedo.learning.features import features_from_qpos  # noqa: E402
from texedo.text.learn.tokenizer import train as trainer  # noqa: E402
from texedo.text.learn.tokenizer.loss import Reconstruction  # noqa: E402
from texedo.text.learn.tokenizer.run import Run, build, pack_run  # noqa: E402
from texedo.text.learn.tokenizer.step import Stepper, rate_at  # noqa: E402
from texedo.text.learn.tokenizer.windows import Windows, scales  # noqa: E402
from texedo.text.tokenizer.tokenizer import load_tokenizer  # noqa: E402

KINDS = ("captured", "authored", "tempo", "mirrored", "sequence", "captured")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    clips = [small_clip(f"t{i}", 90, "train", kind) for i, kind in enumerate(KINDS)]
    clips.append(small_clip("copy", 90, "train", "captured", copy=True))
    clips += [
        small_clip(f"{s}0", 70, s, "captured") for s in ("val", "test", "test-subject")
    ]
    clips.append(small_clip("val1", 70, "val", "tempo"))
    frames = [random_motion(i, c.num_frames).to_qpos() for i, c in enumerate(clips)]
    write_corpus(folder, clips, frames)
    return Corpus.load(folder)


@pytest.fixture(scope="module")
def packed(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "clips.npz"
    assert pack_tokenizer_clips(corpus, path) == path.stat().st_size
    return path


def tiny(packed: Path, out: Path, **options: object) -> TokenizerTrainCfg:
    cfg = TokenizerTrainCfg(
        data=str(packed),
        out=str(out),
        minutes=0.0,
        steps=6,
        batch_frames=128,
        windows="32,64",
        width=16,
        encoder_depth=1,
        decoder_depth=1,
        warm_up=2,
        log_every=2,
        save_every=3,
        eval_every=6,
        device="cpu",
    )
    return dataclasses.replace(cfg, **options)  # type: ignore[arg-type]


def test_what_is_packed_teaches_something_new(packed: Path, corpus: Corpus) -> None:
    data = tokenizer_clips_from(packed)
    assert data.ids == ("t0", "t1", "t2", "t5", "val0", "test0", "test-subject0")
    assert data.kinds[:3] == ("captured", "authored", "tempo")
    assert data.select(split="train") == [0, 1, 2, 3]
    assert data.select(split="train", kind="captured") == [0, 3]
    # The quaternion of a corpus and its negative are the same turn.
    assert np.abs(data.frames(1) - corpus.frames(1)).max() < 2e-4
    assert set(data.families) == {"walk"}


def test_a_corpus_folder_does_as_well_as_a_packed_file(
    corpus: Corpus, tmp_path: Path
) -> None:
    write_corpus(tmp_path, corpus.clips, map(corpus.frames, range(len(corpus))))
    data = tokenizer_clips_from(tmp_path)
    assert data.ids == ("t0", "t1", "t2", "t5", "val0", "test0", "test-subject0")
    assert np.array_equal(data.frames(3), corpus.frames(5))


def test_windows_stay_within_their_clips(packed: Path) -> None:
    data = tokenizer_clips_from(packed)
    windows = Windows(data, [0, 1], lengths=[64, 500], device="cpu")
    assert windows.lengths == [64]
    # 90 frames leave 27 places for a window of 64; two clips have 54.
    starts = windows._starts[64].tolist()
    assert starts == [*range(27), *range(90, 117)]
    drawn = windows.draw(64, 5, torch.Generator().manual_seed(0))
    assert drawn.shape == (5, 64, 37)
    again = windows.draw(64, 5, torch.Generator().manual_seed(0))
    assert torch.equal(drawn, again)


def test_retimed_windows_are_the_motion_at_another_pace(packed: Path) -> None:
    data = tokenizer_clips_from(packed)
    windows = Windows(data, [0, 1], lengths=[64], tempo=1.0, device="cpu")
    # Every frame of the first clip is its own number, and its velocity is one.
    ramp = torch.arange(180.0)[:, None].repeat(1, 37)
    ramp[:, 6:8] = 1.0
    windows._frames = ramp
    first = torch.tensor([0, 26, 10, 95])
    found = windows._retimed(first, 64, torch.Generator().manual_seed(1))
    pace = found[:, 0, 6]
    assert torch.allclose(found[:, 0, 8], first.float())
    assert torch.allclose(found[:, -1, 8], first + 63 * pace, atol=1e-3)
    # The second window has no room to be faster: frame 89 is the last of its clip.
    assert float(pace.min()) > 0.79 and float(pace[1]) <= 1.0
    assert float(found[:3, :, 8].max()) <= 89.0


def test_windows_longer_than_every_clip_are_refused(packed: Path) -> None:
    data = tokenizer_clips_from(packed)
    with pytest.raises(TexedoError, match="shorter --windows"):
        Windows(data, [0], lengths=[500], device="cpu")


def test_no_feature_is_scaled_up_more_than_its_limit() -> None:
    features = np.zeros((10, 37), dtype=np.float32)
    features[:, 0] = 0.75
    mean, std = scales(features)
    assert mean[0] == pytest.approx(0.75) and std[0] == pytest.approx(0.03)
    assert std[8:].tolist() == pytest.approx([0.1] * 29)
    # The heading counts as uniform: a variance of one half.
    assert std[4:6].tolist() == pytest.approx([0.5**0.5] * 2)


def test_the_scales_are_those_of_left_and_right_together() -> None:
    features = np.zeros((10, 37), dtype=np.float32)
    features[:, 8 + 1] = 0.4  # The left hip rolls outwards, the right one does not.
    mean, _ = scales(features)
    assert mean[8 + 1] == pytest.approx(0.2) and mean[8 + 7] == pytest.approx(-0.2)


def test_the_truth_has_no_loss_and_a_drifting_path_has() -> None:
    cfg = TokenizerTrainCfg(data="")
    truth = torch.as_tensor(features_from_qpos(random_motion(0, 101).to_qpos()))[None]
    truth[..., 4:6] = torch.tensor([1.0, 0.0])  # It faces +x all the time.
    loss = Reconstruction(cfg, torch.zeros(37), torch.ones(37))
    total, parts = loss(truth, truth)
    # The distance of bodies has a floor of 1 mm, counted in units of 10 cm.
    assert float(total) == pytest.approx(5 * 0.01, abs=1e-5)
    slow = truth.clone()
    slow[..., 6] += 0.1
    found = dict(zip(loss.weights, loss(slow, truth)[1].tolist(), strict=True))
    # 0.1 m/s for two seconds: the error of x grows to 20 cm or 0.8 units. The mean of
    # SmoothL1 (beta 0.25) from 0 to 0.8 is 0.288, and y halves it.
    assert found["path"] == pytest.approx(0.144, abs=2e-3)
    assert found["body"] == pytest.approx(0.01, abs=1e-5)
    assert found["joint_pos"] == 0.0


def test_the_rate_rises_over_the_warm_up_and_falls_along_a_cosine() -> None:
    cfg = TokenizerTrainCfg(data="", learning_rate=1.0, warm_up=10, decoder_share=0.0)
    assert rate_at(cfg, 0, 0.0) == pytest.approx(0.1)
    assert rate_at(cfg, 50, 0.0) == pytest.approx(1.0)
    assert rate_at(cfg, 50, 0.5) == pytest.approx(0.505)
    assert rate_at(cfg, 50, 1.0) == pytest.approx(0.01)


def test_the_rate_of_the_decoder_alone_begins_again_lower() -> None:
    cfg = TokenizerTrainCfg(data="", learning_rate=1.0, warm_up=1, decoder_share=0.2)
    assert rate_at(cfg, 50, 0.4) == pytest.approx(0.505)
    assert rate_at(cfg, 50, 0.7999) == pytest.approx(0.01, abs=1e-4)
    assert rate_at(cfg, 50, 0.8) == pytest.approx(0.15)
    assert rate_at(cfg, 50, 0.9) == pytest.approx(0.08)
    assert rate_at(cfg, 50, 1.0) == pytest.approx(0.01)


def test_a_short_run_leaves_a_tokenizer_a_log_and_a_report(
    packed: Path, tmp_path: Path
) -> None:
    report = trainer.train(tiny(packed, tmp_path))
    assert report["test"]["clips"] == 1 and report["num_codes"] == 7776
    assert report == json.loads((tmp_path / "report.json").read_text())
    tokenizer = load_tokenizer(tmp_path / "tokenizer")
    assert tokenizer.metadata["steps"] == 6
    assert tokenizer.metadata["report"]["val"] == report["val"]
    log = [json.loads(n) for n in (tmp_path / "log.jsonl").read_text().splitlines()]
    events = [row["event"] for row in log]
    assert events == ["setup", "train", "train", "train", "eval", "final"]
    assert log[1]["perplexity"] > 10


def test_a_resumed_run_is_the_run_itself(packed: Path, tmp_path: Path) -> None:
    trainer.train(tiny(packed, tmp_path / "whole"))
    # Stopped after 3 of 6: the schedule is that of the whole.
    cfg = tiny(packed, tmp_path / "part")
    run = build(cfg)
    stepper = Stepper(run, cfg)
    for iteration in range(3):
        stepper(iteration, rate_at(cfg, iteration, iteration / 6))
    save(cfg, run, step=3)
    trainer.train(tiny(packed, tmp_path / "rest", resume=str(tmp_path / "part")))
    whole, _ = load_run(tmp_path / "whole")
    rest, values = load_run(tmp_path / "rest")
    assert values["step"] == 6
    for name, tensor in whole.items():
        assert np.allclose(rest[name], tensor, atol=1e-6), name


def save(
    cfg: TokenizerTrainCfg, run: Run, *, step: int, codes_stay: bool = False
) -> None:
    folder = RunFolder(cfg, data=run.digest)
    folder.save(pack_run(run), step=step, seconds=1.0, codes_stay=codes_stay)


@pytest.mark.gpu
def test_a_recorded_step_learns_what_the_step_itself_does(
    packed: Path, tmp_path: Path
) -> None:
    for name, graph in (("whole", True), ("plain", False)):
        options = {"steps": 12, "decoder_share": 0.4, "device": "cuda:0"}
        trainer.train(tiny(packed, tmp_path / name, graph=graph, **options))
    recorded, _ = load_run(tmp_path / "whole")
    plain, _ = load_run(tmp_path / "plain")
    for name, tensor in plain.items():
        assert np.allclose(recorded[name], tensor, atol=2e-3), name


def test_a_resumed_run_of_another_size_is_refused(packed: Path, tmp_path: Path) -> None:
    cfg = tiny(packed, tmp_path / "small")
    save(cfg, build(cfg), step=1)
    wide = dataclasses.replace(cfg, width=32)
    with pytest.raises(CheckpointError, match="--width 16, not 32; .*another --out"):
        trainer.train(wide)
    # Its weights do not fit elsewhere either.
    with pytest.raises(CheckpointError, match="another network"):
        trainer.train(
            dataclasses.replace(wide, out=str(tmp_path / "wide"), resume=cfg.out)
        )


def test_in_the_end_the_codes_stay_and_the_decoder_learns(
    packed: Path, tmp_path: Path
) -> None:
    half = tiny(packed, tmp_path, steps=4, decoder_share=0.5, save_every=2)
    # Saved after 2 of 4, before the first step of the decoder alone.
    first = dataclasses.replace(
        half, steps=2, decoder_share=0.0, out=str(tmp_path / "first")
    )
    trainer.train(first)
    before, values = load_run(tmp_path / "first")
    assert not values["codes_stay"]
    trainer.train(dataclasses.replace(half, resume=first.out))
    after, values = load_run(tmp_path)
    assert values["codes_stay"] and values["step"] == 4
    for name, tensor in before.items():
        if name.startswith("mean_net.encoder"):
            # The codes are those of the mean weights with half the digits.
            shipped = tensor.astype(np.float16).astype(np.float32)
            assert np.array_equal(after[name], shipped), name
            twin = name.replace("mean_net.", "net.")
            assert np.array_equal(after[twin], shipped), name
    name = "net.decoder.model.0.weight"
    assert not np.array_equal(before[name], after[name])


def test_a_resumed_decoder_goes_on_from_its_own_weights(
    packed: Path, tmp_path: Path
) -> None:
    cfg = tiny(packed, tmp_path / "whole", steps=6, decoder_share=0.7)
    trainer.train(dataclasses.replace(cfg, save_every=100))
    run = build(cfg)
    stepper = Stepper(run, cfg)
    for iteration in range(4):
        if iteration == 2:
            stepper.keep_codes(begin=True)
        stepper(iteration, rate_at(cfg, iteration, iteration / 6))
    part = dataclasses.replace(cfg, out=str(tmp_path / "part"))
    save(part, run, step=4, codes_stay=True)
    rest = dataclasses.replace(
        cfg, out=str(tmp_path / "rest"), resume=str(tmp_path / "part")
    )
    trainer.train(rest)
    whole, _ = load_run(tmp_path / "whole")
    found, _ = load_run(tmp_path / "rest")
    for name, tensor in whole.items():
        assert np.allclose(found[name], tensor, atol=1e-6), name


def test_the_number_of_codes_is_an_option(packed: Path, tmp_path: Path) -> None:
    report = trainer.train(tiny(packed, tmp_path, steps=1, levels="3,3,2"))
    assert report["num_codes"] == 18
    assert load_tokenizer(tmp_path / "tokenizer").num_codes == 18
    with pytest.raises(TexedoError, match="--levels takes whole numbers"):
        build(tiny(packed, tmp_path, levels="3,x"))


def test_an_interrupted_run_keeps_its_state(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cfg = tiny(packed, tmp_path, eval_every=2, save_every=100)

    def interrupted(*_: object) -> dict[str, float]:
        signal.raise_signal(signal.SIGINT)
        return {}

    monkeypatch.setattr(trainer, "quick_evaluation", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trainer.train(cfg)
    assert load_run(tmp_path)[1]["step"] == 2
    monkeypatch.undo()
    # The same command goes on.
    trainer.train(cfg)
    assert load_run(tmp_path)[1]["step"] == 6


def test_a_state_of_before_is_read(packed: Path, tmp_path: Path) -> None:
    """It counted iterations, numbered the parameters, and knew no options."""
    cfg = tiny(packed, tmp_path / "now")
    trainer.train(dataclasses.replace(cfg, steps=3))
    run = build(cfg)
    number = {name: i for i, name in enumerate(dict(run.net.named_parameters()))}
    old = {}
    for name, tensor in load_run(tmp_path / "now")[0].items():
        if name.startswith("optimizer."):
            _, key, rest = name.split(".", 2)
            name = f"optimizer.{number[rest]}.{key}"
        old[name] = tensor
    values = {"iteration": 3, "seconds": 1.0, "codes_stay": False}
    save_run(tmp_path / "before", old, values)
    trainer.train(cfg)
    trainer.train(dataclasses.replace(cfg, out=str(tmp_path / "before")))
    whole, _ = load_run(tmp_path / "now")
    found, values = load_run(tmp_path / "before")
    assert values["step"] == 6
    for name, tensor in whole.items():
        assert np.array_equal(found[name], tensor), name


def test_a_broken_loss_stops_the_run(packed: Path, tmp_path: Path) -> None:
    cfg = tiny(packed, tmp_path, body_weight=float("nan"))
    with pytest.raises(TexedoError, match="not finite"):
        trainer.train(cfg)
    assert not list(tmp_path.glob("state-*"))


def test_the_state_is_written_in_pieces_that_belong_together(tmp_path: Path) -> None:
    tensors = {f"t{i}": np.full((5 << 20,), i, dtype=np.uint8) for i in range(4)}
    save_run(tmp_path, tensors, {"iteration": 1})
    assert len(list(tmp_path.glob("state-*"))) == 2
    found, values = load_run(tmp_path)
    assert values == {"iteration": 1}
    assert all(np.array_equal(found[name], tensors[name]) for name in tensors)
    old = (tmp_path / "state-1.safetensors").read_bytes()
    save_run(tmp_path, tensors, {"iteration": 2})
    (tmp_path / "state-1.safetensors").write_bytes(old)
    with pytest.raises(CheckpointError, match="different saves"):
        load_run(tmp_path)
    (tmp_path / "state-1.safetensors").write_bytes(b"short")
    with pytest.raises(CheckpointError, match="damaged"):
        load_run(tmp_path)


def test_training_needs_neither_scipy_nor_a_simulator_nor_the_command_line() -> None:
    code = (
        "import sys\n"
        "for name in ('scipy', 'mujoco', 'rich', 'tyro', 'PIL', 'imageio_ffmpeg'):\n"
        "    sys.modules[name] = None\n"
        "import texedo.text.learn.tokenizer.train\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_trained_tokenizer_is_judged_from_the_command_line(
    packed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from texedo.apps import cli

    trainer.train(tiny(packed, tmp_path, steps=1))
    capsys.readouterr()
    data = ["--data", str(packed)]
    command = ["evaluate", "tokenizer"]
    assert cli.main([*command, str(tmp_path / "tokenizer"), *data]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["val", "test", "test-subject"]
    assert "of 7776" in lines[4]
    assert cli.main([*command, str(tmp_path / "nothing"), *data]) == 2
