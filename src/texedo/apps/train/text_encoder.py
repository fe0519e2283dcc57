"""`texedo export text-encoder`: a sentence encoder, packed as it ships."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.train.before import need_packages


@dataclass(frozen=True)
class Cfg:
    """Pack a BERT folder (config.json, model.safetensors, vocab.txt) as it ships: word
    vectors as int8 with a scale per row, the rest as float16, the vocabulary inside.

    Example: texedo export text-encoder all-MiniLM-L6-v2 -o minilm
    """

    folder: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR")]]
    """BERT folder, or one that is packed already."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder to write, for `--minilm` of the trainings."""


def run(cfg: Cfg) -> int:
    need_packages("torch", "safetensors", "tokenizers")
    # Here and not above: it loads torch.
    from texedo.language.front import load_text_front, save_text_front

    path = save_text_front(cfg.out, *load_text_front(cfg.folder))
    print(f"{cfg.out}: {sum(p.stat().st_size for p in path.iterdir()) / 1e6:.1f} MB")
    return 0
