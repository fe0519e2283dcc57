"""`texedo train tokenizer`: train the motion tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from texedo.apps.train.before import OutFolder, check_numbers, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(TokenizerTrainCfg):
    __doc__ = TokenizerTrainCfg.__doc__

    out: OutFolder = "tokenizer-run"
    """Folder for the tokenizer, the state, the log and the report."""
    graph: Annotated[
        bool,
        arg(
            help="Do not capture the step as a CUDA graph.",
            help_behavior_hint="(default: captured, on a GPU)",
        ),
    ] = True


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors")
    check_numbers("--windows", cfg.windows)
    check_numbers("--levels", cfg.levels)
    from texedo.text.learn.tokenizer.train import train

    train(plain(cfg, TokenizerTrainCfg))
    folder = Path(cfg.out) / "tokenizer"
    say_next("evaluate", "tokenizer", folder, "--data", cfg.data)
    say_next("data", "tokens", "CORPUS", "--tokenizer", folder, "-o", "tokens.npz")
    return 0
