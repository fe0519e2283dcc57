"""`texedo data tokens`: a corpus as motion tokens and captions, in one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.apps.train.before import need_packages
from texedo.core.errors import TexedoError
from texedo.core.threads import available_cores


@dataclass(frozen=True)
class Cfg:
    """Encode every clip of a corpus with a tokenizer and write the tokens with the
    captions, for `texedo train generator --data`.

    Training clips come in several views, all others as they are. It takes about 10 ms
    per clip and view on one core.

    Example: texedo data tokens corpus --tokenizer run/tokenizer -o tokens.npz --views 8
    """

    corpus: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder."""
    tokenizer: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """Folder of the tokenizer."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """Token file to write (.npz)."""
    views: int = 1
    """Views of each training clip: shifted by frames, a little faster or slower."""
    wordings: int = 0
    """Other wordings of each training caption, at most; 0 for none."""
    seed: int = 0
    """Of the views and wordings."""
    workers: int | None = None
    """Threads that encode; all cores if not given."""


def run(cfg: Cfg) -> int:
    for name, value in (("views", cfg.views), ("workers", cfg.workers)):
        if value is not None and value < 1:
            raise TexedoError(f"--{name} must be at least 1, got {value}.")
    if cfg.wordings < 0:
        raise TexedoError(f"--wordings must be at least 0, got {cfg.wordings}.")
    need_packages("torch", "safetensors")
    # Here and not above: they load torch.
    from texedo.checkpoints.artifact import read_config
    from texedo.text.learn.lm.data import PackCfg, pack
    from texedo.text.tokenizer.tokenizer import ARTIFACT_KIND, load_tokenizer

    tokenizer = load_tokenizer(cfg.tokenizer)
    threads = cfg.workers or available_cores()
    with progress_bar("encoding") as report:
        count = pack(
            cfg.corpus,
            tokenizer.encode,
            cfg.out,
            cfg=PackCfg(
                views=cfg.views,
                wordings=cfg.wordings,
                seed=cfg.seed,
                threads=threads,
            ),
            num_codes=tokenizer.num_codes,
            tokenizer=read_config(cfg.tokenizer, kind=ARTIFACT_KIND)["sha256"],
            progress=report,
        )
    print(f"{cfg.out}: {count} tokens")
    return 0
