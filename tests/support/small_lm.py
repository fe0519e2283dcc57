"""Very small language models and token files for tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from texedo.language.encoder import BertCfg, TextEncoder
from texedo.language.word_pieces import WordPiece
from texedo.text.learn.lm.data import write_tokens
from texedo.text.lm.decoder import MotionDecoder, MotionDecoderCfg
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.lm.t5 import T5Cfg

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
WORDS += [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
WORDS += ["walk", "jump", "wave", "left", "right", "person", "and"]
STACK = T5Cfg(d_model=32, d_kv=16, d_ff=48, num_layers=2, num_heads=2)
LEVELS = (3, 3, 2, 2)


def small_encoder(seed: int = 0) -> TextEncoder:
    torch.manual_seed(seed)
    cfg = BertCfg(
        vocab_size=len(WORDS),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=40,
    )
    return TextEncoder(cfg).eval()


def small_model(seed: int = 0, **changes: Any) -> MotionLanguageModel:
    encoder = small_encoder(seed)
    cfg = MotionDecoderCfg(levels=LEVELS, text_size=24, stack=STACK, **changes)
    words = WordPiece(WORDS, encoder.cfg.max_tokens)
    return MotionLanguageModel(encoder, words, MotionDecoder(cfg))


def bert_folder(folder: Path, encoder: TextEncoder) -> Path:
    """A text encoder as others store it."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file(dict(encoder.state_dict()), folder / "model.safetensors")
    cfg = vars(encoder.cfg)
    (folder / "config.json").write_text(json.dumps(cfg))
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    return folder


def token_file(path: Path, *, clips: int = 60, views: int = 1) -> Path:
    """Clips whose caption says which code they repeat: "walk" 7, "jump" 20.

    View v of a training clip is v tokens longer than the clip.
    """
    rng = np.random.default_rng(0)
    rows, about = [], []
    for i in range(clips):
        word, code = (("walk", 7), ("jump", 20))[i % 2]
        rows.append(np.full(rng.integers(5, 14), code))
        about.append(
            {
                "id": f"clip{i}",
                "split": ("train", "train", "train", "val", "test")[i % 5],
                "kind": ("captured", "mirrored")[i // 2 % 2],
                "family": word,
                "captions": [f"person {word}", f"{word}s"],
            }
        )
    counts = np.array([views if a["split"] == "train" else 1 for a in about])
    for i, (row, count) in enumerate(zip(rows[:clips], counts, strict=True)):
        code = (7, 20)[i % 2]
        rows += [np.full(len(row) + view, code) for view in range(1, count)]
    write_tokens(path, rows, about, num_codes=36, views=counts)
    return path
