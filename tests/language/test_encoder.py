"""The text front: BERT as others compute it, words as they cut them, small on disk."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.small_lm import WORDS, bert_folder, small_encoder
from texedo.apps import cli
from texedo.checkpoints.small_weights import no_weights, quantize_rows
from texedo.core.errors import CheckpointError
from texedo.language.encoder import (
    BertCfg,
    TextEncoder,
    load_bert,
    load_bert_tensors,
    text_states,
)
from texedo.language.front import load_text_front, save_text_front, shared_text_front
from texedo.language.word_pieces import WordPiece

MINILM = os.environ.get("TEXEDO_MINILM", "")
"""Folder of all-MiniLM-L6-v2, for the tests that compare with the original."""
PROMPTS = (
    "a person walks forward, then waves!",
    "Héllo Ünïcode — naïve 走る 🤖 \t\n ok",
    "un-be-liev-able   jumping-jacks; 360-degree spin...",
    "",
)


def test_bert_equals_the_reference_implementation() -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 90,
        "hidden_size": 48,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 80,
    }
    reference = transformers.BertModel(transformers.BertConfig(**sizes)).eval()
    for parameter in reference.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ours = TextEncoder(BertCfg(**sizes, max_tokens=32))
    load_bert_tensors(ours, reference.state_dict(), source="test")
    ids = torch.randint(90, (5, 20))
    mask = torch.arange(20) < torch.tensor([20, 13, 2, 7, 1])[:, None]
    with torch.inference_mode():
        expected = reference(input_ids=ids, attention_mask=mask.long())
        found = ours(ids, mask)
    error = (found - expected.last_hidden_state)[mask].abs().max()
    assert error < 1e-4


@pytest.mark.skipif(not MINILM, reason="TEXEDO_MINILM is not set")
def test_minilm_gives_the_states_of_the_original() -> None:
    transformers = pytest.importorskip("transformers")
    reference = transformers.BertModel.from_pretrained(MINILM).eval()
    reader = transformers.BertTokenizerFast.from_pretrained(MINILM)
    encoder, words = load_text_front(MINILM)
    for prompt in PROMPTS:
        ids = words.read(prompt).ids
        assert ids == reader(prompt)["input_ids"]
        with torch.inference_mode():
            expected = reference(input_ids=torch.tensor([ids])).last_hidden_state
        found, mask = text_states(encoder, ids, 64)
        assert (found[mask] - expected[0]).abs().max() < 1e-4


def test_words_are_cut_as_the_reference_cuts_them(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    reader = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    ours = WordPiece(WORDS, 64)
    for prompt in (*PROMPTS, "walks walking jumpwave LEFT right-left", "person 12"):
        assert ours.read(prompt).ids == reader(prompt)["input_ids"], prompt


def test_a_prompt_that_is_too_long_is_cut_and_says_so() -> None:
    pieces = WordPiece(WORDS, 16).read("walk " * 2000)
    assert len(pieces.ids) == 16 and pieces.ids[-1] == WORDS.index("[SEP]")
    assert pieces.left_out == 1986
    assert pieces.notes() == (
        "prompt too long: the first 14 of 2000 word pieces were read",
    )


def test_a_prompt_of_unknown_signs_says_so() -> None:
    reader = WordPiece(WORDS, 16)
    assert reader.read("🤖 走").notes() == (
        "no word of the prompt is in the vocabulary",
    )
    assert reader.read("walk 🤖").notes() == ("1 of 2 word pieces are not understood",)
    assert reader.read("walk left").notes() == ()
    assert reader.read("").ids == [2, 3]
    assert reader.read("\ud800").ids[0] == 2


def test_padding_does_not_change_the_states() -> None:
    encoder = small_encoder()
    ids = [2, 10, 11, 3]
    short, _ = text_states(encoder, ids, 4)
    long, mask = text_states(encoder, ids, 64)
    assert mask.sum() == 4
    assert torch.allclose(long[:, :4], short, atol=1e-5)


def test_rows_as_int8_are_off_by_at_most_half_a_step() -> None:
    values = torch.randn(50, 30) * torch.logspace(-4, 2, 50)[:, None]
    small, scale = quantize_rows(values)
    assert small.dtype == np.int8 and abs(small).max() == 127
    error = np.abs(small * scale[:, None] - values.numpy())
    assert (error <= 0.5001 * scale[:, None]).all()
    again, same = quantize_rows(torch.from_numpy(small * scale[:, None]))
    assert np.array_equal(again, small) and np.allclose(same, scale)
    zero, _ = quantize_rows(torch.zeros(2, 3))
    assert not zero.any()


def test_a_packed_text_front_reads_and_thinks_almost_the_same(tmp_path: Path) -> None:
    encoder = small_encoder()
    source = bert_folder(tmp_path / "bert", encoder)
    command = ["export", "text-encoder", str(source), "-o", str(tmp_path / "packed")]
    assert cli.main(command) == 0
    packed, words = load_text_front(tmp_path / "packed")
    assert words.vocabulary == tuple(WORDS)
    ids = words.read("person walks left").ids
    before, _ = text_states(encoder, ids, 16)
    after, _ = text_states(packed, ids, 16)
    assert (before - after)[:, : len(ids)].abs().max() < 0.05
    save_text_front(tmp_path / "again", packed, words)
    first = (tmp_path / "packed" / "weights.safetensors").read_bytes()
    assert (tmp_path / "again" / "weights.safetensors").read_bytes() == first


def test_a_folder_that_is_no_bert_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="not a BERT folder"):
        load_bert(tmp_path)
    source = bert_folder(tmp_path / "bert", small_encoder())
    config = json.loads((source / "config.json").read_text())
    (source / "config.json").write_text(json.dumps({**config, "hidden_size": 32}))
    with pytest.raises(CheckpointError, match="do not fit"):
        load_bert(source)
    with pytest.raises(CheckpointError, match=r"lacks \[CLS\]"):
        WordPiece(["[PAD]", "[UNK]", "[SEP]"], 8)


def test_a_module_without_weights_draws_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: object) -> None:
        raise AssertionError("torch would load its compiler for this")

    monkeypatch.setattr(torch.nn.init, "_no_grad_normal_", draw)
    with no_weights():
        table = torch.nn.Embedding(5, 3)
    assert table.weight.is_meta and table.weight.shape == (5, 3)
    with pytest.raises(AssertionError, match="compiler"), torch.device("meta"):
        torch.nn.Embedding(5, 3)


def test_whoever_reads_the_same_text_encoder_has_the_same_one(tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        save_text_front(tmp_path / name, small_encoder(seed), WordPiece(WORDS, 64))
    (one, words), (twin, _), (other, _) = (
        shared_text_front(tmp_path / name) for name in "abc"
    )
    assert one is twin and one is not other
    assert shared_text_front(tmp_path / "a")[1] is words
    assert load_text_front(tmp_path / "a")[0] is not one
