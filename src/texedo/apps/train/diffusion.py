"""`texedo train diffusion`: a generator of another kind, from a corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.train.before import OutFolder, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.text.learn.diffusion.cfg import DiffusionTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(DiffusionTrainCfg):
    """Train a motion diffusion model on the motions and captions of a corpus: a generator
    that the verifiers never saw, to test them with. It draws whole motions out of noise,
    in continuous space, and shares nothing with the generator that ships but the corpus
    and the text encoder.

    Example: texedo train diffusion corpus -o run --minutes 10
    """

    data: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder."""
    encoder: str = ""
    """Text encoder, which stays as it is: `text_encoder` of a trained generator, or a
    BERT folder; the one that ships unless given."""
    out: OutFolder = "diffusion-run"
    """Folder for the generator, the state and the log."""


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors", "tokenizers")
    from texedo.checkpoints.bundled import GENERATOR, bundled_folder
    from texedo.text.generators.diffusion import FOLDER
    from texedo.text.learn.diffusion.train import train

    encoder = cfg.encoder or str(
        bundled_folder(GENERATOR, otherwise="give --encoder.") / "text_encoder"
    )
    train(plain(replace(cfg, encoder=encoder), DiffusionTrainCfg))
    say_next("generate", "a person waves", "--generator", Path(cfg.out) / FOLDER)
    return 0
