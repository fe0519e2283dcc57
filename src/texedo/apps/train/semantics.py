"""`texedo train semantics`: the verifier that tells whether a motion fits a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from texedo.apps.train.before import OutFolder, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.core.errors import TexedoError
from texedo.see.learn.semantics.cfg import CrossTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(CrossTrainCfg):
    """Train the semantic verifier on a corpus and on drawn candidates.

    The default variant reads a sentence with the generator's text encoder and lets every
    word look at the motion; --variant paper trains the paper's, which takes --data,
    --out, --minutes, --steps, --wall, --device, --seed, --resume and --batch alone.

    Example: texedo train semantics --data corpus --drawn drawn --text-encoder
    run/generator/text_encoder --out semantics-run
    """

    text_encoder: str = ""
    """The generator's text encoder: `generator/text_encoder`; the one that ships unless
    given."""
    out: OutFolder = "semantics-run"
    """Folder for the verifier, the state and the log."""
    variant: Literal["texedo", "paper"] = "texedo"
    """Which verifier."""


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors", "tokenizers")
    from texedo.checkpoints.bundled import BUNDLED, GENERATOR

    if cfg.variant == "paper":
        return _paper(cfg)
    from dataclasses import replace

    from texedo.see.learn.semantics.run import FOLDER, train_cross

    front = cfg.text_encoder or str(BUNDLED / GENERATOR / "text_encoder")
    train_cross(replace(plain(cfg, CrossTrainCfg), text_encoder=front))
    say_next(
        "score",
        "a person waves",
        "wave.npz",
        "--semantics",
        str(Path(cfg.out) / FOLDER),
    )
    return 0


def _paper(cfg: Cfg) -> int:
    from texedo.see.learn.paper.cfg import PaperSemanticsCfg
    from texedo.see.learn.paper.run import train

    if cfg.drawn:
        raise TexedoError("--drawn: the paper's verifier learns from a corpus alone.")
    train(
        PaperSemanticsCfg(
            data=cfg.data,
            out=cfg.out,
            minutes=cfg.minutes,
            steps=cfg.steps,
            wall=cfg.wall,
            device=cfg.device,
            seed=cfg.seed,
            resume=cfg.resume,
            batch=cfg.batch,
        )
    )
    return 0
