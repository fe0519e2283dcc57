"""`texedo train ...`: what is wrong is said before anything is written."""

from pathlib import Path

import pytest

from tests.support.small_lm import bert_folder, small_encoder, token_file
from texedo.apps import cli
from texedo.text.tokenizer.net import NetSpec, TokenizerNet
from texedo.text.tokenizer.tokenizer import MotionTokenizer, save_tokenizer


@pytest.mark.parametrize(
    "options",
    [
        ["tracker", "--clips"],
        ["tokenizer", "--data"],
        ["generator", "--minilm", "missing", "--data"],
    ],
    ids=lambda options: options[0],
)
def test_wrong_clips_leave_no_output_folder(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    missing = str(tmp_path / "missing.npz")
    code = cli.main(["train", *options, missing, "--out", str(out), "--device", "cpu"])
    assert code == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and "missing" in err
    assert not out.exists()


@pytest.mark.parametrize("text", ["a,b", "256,", "0", "1.5"])
def test_widths_that_are_no_numbers_are_bad_input(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "tracker", "--clips", "x.npz", "--hidden", text]) == 2
    assert "--hidden takes whole numbers" in capsys.readouterr().err


def test_a_trained_generator_ends_with_the_command_that_uses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = NetSpec(width=8, encoder_depth=1, decoder_depth=1, levels=(3, 3, 2, 2))
    save_tokenizer(tmp_path / "codes", MotionTokenizer(TokenizerNet(spec)))
    out = tmp_path / "my run"
    minilm = bert_folder(tmp_path / "bert", small_encoder())
    words = ["--data", token_file(tmp_path / "tokens.npz"), "--minilm", minilm]
    words += "--steps 2 --batch-tokens 256 --layers 2 --width 32 --heads 2".split()
    words += ["--feed-forward", "48", "--device", "cpu", "-o", out]
    command = ["train", "generator", *map(str, words)]
    assert cli.main([*command, "--tokenizer", str(tmp_path / "missing")]) == 2
    assert not out.exists()
    assert cli.main([*command, "--tokenizer", str(tmp_path / "codes")]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"next: texedo generate 'a person waves' --generator '{out}'"
    copy = (out / "tokenizer" / "weights.safetensors").read_bytes()
    assert copy == (tmp_path / "codes" / "weights.safetensors").read_bytes()
