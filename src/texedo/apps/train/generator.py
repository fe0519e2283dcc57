"""`texedo train generator`: the motion language model, from tokens and captions."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from texedo.apps.train.before import OutFolder, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.text.learn.lm.cfg import LanguageModelTrainCfg

TOKENIZER = "tokenizer"


@dataclass(frozen=True, kw_only=True)
class Cfg(LanguageModelTrainCfg):
    """Train the motion language model on a token file.

    With --tokenizer the output folder is a whole generator, as `texedo generate
    --generator OUT` takes it.

    Example: texedo train generator --data tokens.npz --minilm minilm --out run
    """

    out: OutFolder = "generator-run"
    """Folder for the model, the state and the log."""
    tokenizer: str = ""
    """Folder of the tokenizer that the tokens were made with; copied to OUT/tokenizer."""


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors", "tokenizers")
    from texedo.checkpoints.artifact import read_config
    from texedo.text.learn.lm.train import train
    from texedo.text.tokenizer.tokenizer import ARTIFACT_KIND

    if cfg.tokenizer:
        read_config(cfg.tokenizer, kind=ARTIFACT_KIND)  # Before the work, not after it.
    if not train(plain(cfg, LanguageModelTrainCfg)):
        return 0  # One of several processes; another one speaks for all.
    here = Path(cfg.out) / TOKENIZER
    if cfg.tokenizer and Path(cfg.tokenizer).resolve() != here.resolve():
        shutil.copytree(cfg.tokenizer, here, dirs_exist_ok=True)
    if here.is_dir():
        say_next("generate", "a person waves", "--generator", cfg.out)
    else:
        print(f"next: copy the tokenizer of {cfg.data} to {here}, then")
        say_next("generate", "a person waves", "--generator", cfg.out)
    return 0
