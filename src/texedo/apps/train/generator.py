"""`texedo train generator`: the motion language model, from tokens and captions."""

from __future__ import annotations

import importlib.util

from texedo.core.errors import TexedoError
from texedo.text.learn.lm.cfg import LanguageModelTrainCfg

Cfg = LanguageModelTrainCfg


def run(cfg: LanguageModelTrainCfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    for package in ("torch", "safetensors", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            raise TexedoError(
                f"Training needs {package}; install it with: "
                "pip install 'texedo[learn]'."
            )
    from texedo.text.learn.lm.train import train

    train(cfg)
    return 0
