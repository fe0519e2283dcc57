"""`texedo data draw`: candidates for many captions, and what each of them really does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from texedo.apps.bars import progress_bar
from texedo.apps.train.before import need_packages
from texedo.core.errors import TexedoError

if TYPE_CHECKING:
    from texedo.text.learn.draw.draw import DrawCfg, Prompt

_PART = 2048
"""Candidates of a part where each request has many: what a part holds in memory."""


@dataclass(frozen=True)
class Cfg:
    """Draw candidates for captions or requests, post-process and measure them.

    Each candidate is kept with its codes, its poses, its prompt, sentences that are true
    of it (by what was measured) and sentences that are not. The prompts are the captions of
    a token file, or with --requests everyday requests, each with a rule that measures
    whether a candidate does it. `texedo train semantics
    --drawn` learns from that, and with --tokens a token file is written for `texedo train
    generator`: what a candidate does, told afterwards. Interrupted, the same command goes
    on.

    Example: texedo data draw tokens.npz --generator run -o drawn --prompts 20000
    Example: texedo data draw --requests -o asked --prompts 3000 --candidates 16
    """

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder for the parts."""
    data: tyro.conf.Positional[
        Annotated[Path | None, tyro.conf.arg(metavar="TOKENS")]
    ] = None
    """Token file whose captions are the prompts."""
    requests: bool = False
    """Everyday requests are the prompts, instead of captions."""
    generator: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Folder with tokenizer/ and generator/; the one that ships unless given."""
    split: str = "train"
    """Split of the captions; requests count as train."""
    prompts: int = 20_000
    """Captions or requests to draw for, at most."""
    candidates: int = 2
    """Of each prompt."""
    written: int = 0
    """Motions beside them that are written from what the prompt says, where somebody
    knows how."""
    temperatures: tuple[float, ...] = (1.0,)
    """Parts take turns."""
    guidances: tuple[float, ...] = (2.5,)
    """Parts take turns."""
    tokens: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the useful candidates as a token file."""
    limit: int = 12_000
    """Candidates in that file, at most."""
    seed: int = 0
    """Of the prompts and the sampling."""
    device: str = "auto"
    """cuda or cpu."""
    workers: int | None = None
    """Processes that measure; all cores if not given."""


def run(cfg: Cfg) -> int:
    for name, value in (("prompts", cfg.prompts), ("candidates", cfg.candidates)):
        if value < 1:
            raise TexedoError(f"--{name} must be at least 1, got {value}.")
    if (cfg.data is None) != cfg.requests:
        raise TexedoError(
            "The prompts are the captions of TOKENS, or everyday requests with "
            "--requests: give one of the two."
        )
    need_packages("torch", "safetensors", "tokenizers")
    # Here and not above: they load torch.
    from texedo.checkpoints.bundled import BUNDLED, GENERATOR, TOKENIZER
    from texedo.text.generators.ours import device_named
    from texedo.text.learn.draw.draw import draw
    from texedo.text.learn.draw.tokens import write_drawn_tokens
    from texedo.text.lm.artifact import load_language_model
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    prompts, options = _plan(cfg)
    folder, place = cfg.generator or BUNDLED, device_named(cfg.device)
    model = load_language_model(folder / GENERATOR, device=place)
    tokenizer = load_tokenizer(folder / TOKENIZER, device=place)
    with progress_bar("drawing") as report:
        count = draw(
            prompts,
            model,
            tokenizer,
            cfg.out,
            cfg=options,
            workers=cfg.workers,
            report=report,
        )
    print(f"{cfg.out}: {count} candidates drawn for {len(prompts)} prompts")
    if cfg.tokens is not None:
        kept = write_drawn_tokens(
            cfg.out, cfg.tokens, limit=cfg.limit, num_codes=tokenizer.num_codes
        )
        print(f"{cfg.tokens}: {kept} of them")
    return 0


def _plan(cfg: Cfg) -> tuple[list[Prompt], DrawCfg]:
    """What is drawn for, and how."""
    from texedo.text.learn.draw.draw import DrawCfg, choose_prompts, choose_requests
    from texedo.text.learn.lm.data import read_tokens

    if cfg.requests:
        prompts = choose_requests(number=cfg.prompts, seed=cfg.seed)
    else:
        assert cfg.data is not None
        prompts = choose_prompts(
            read_tokens(cfg.data), split=cfg.split, number=cfg.prompts, seed=cfg.seed
        )
    return prompts, DrawCfg(
        candidates=cfg.candidates,
        written=cfg.written,
        temperatures=cfg.temperatures,
        guidances=cfg.guidances,
        prompts_per_part=max(1, _PART // cfg.candidates) if cfg.requests else 1024,
        seed=cfg.seed,
    )
