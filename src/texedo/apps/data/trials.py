"""`texedo data trials`: the motions that a dynamic verifier learns from and is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from texedo.apps.bars import Bar
from texedo.apps.train.before import need_packages, plain
from texedo.core.errors import TexedoError
from texedo.data.trials.plan import SOURCES, PartPlan, Shipped, TrialsCfg, plan_parts
from texedo.data.trials.pool import open_pool

if TYPE_CHECKING:
    from texedo.text.lm.model import MotionLanguageModel
    from texedo.text.tokenizer.tokenizer import MotionTokenizer

INTERRUPTED = "run the same command again to resume"


@dataclass(frozen=True)
class Cfg(TrialsCfg):
    """Make motions to be tried by the controller: good ones, bad ones, and all between.

    To learn from: clips of a corpus, what the tokenizer makes of them, candidates for
    captions, and motions that are spoiled on purpose. To be judged by: candidates for
    test captions (plain) and for lively requests (lively), and held-out recordings that
    are spoiled, reconstructed, or retargeted from strange skeletons (foreign). Nothing
    crosses splits. Parts are written one by one; interrupted, the same command goes on.

    Example: texedo data trials corpus -o trials --source cmu
    Example: texedo data trials corpus -o trials --only plain lively
    """

    corpus: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder, or a packed corpus."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")]
    """Folder for the parts."""
    extra: tuple[Path, ...] = ()
    """Packed clips beside the corpus, such as drills and variants (`texedo data pack`)."""
    source: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Motion capture that the corpus was built from; without it foreign-bvh is left out."""
    generator: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Folder with tokenizer/ and generator/; the one that ships unless given."""
    only: tuple[str, ...] = ()
    """Make only parts of these: plain, plain-val, lively, lively-val, foreign,
    foreign-bvh, clips, reconstructed, candidates, spoiled, promise."""
    device: str = "auto"
    """cuda or cpu."""
    workers: int | None = None
    """Processes that finish parts; all cores if not given."""


def run(cfg: Cfg) -> int:
    wanted = _wanted(cfg)
    need_packages("torch", "safetensors", "tokenizers")
    # Here and not above: they load torch.
    from texedo.checkpoints.bundled import BUNDLED
    from texedo.text.generators.ours import TokenGenerator, device_named
    from texedo.text.learn.trials.make import (
        Maker,
        Models,
        begin,
        lively_prompts,
        make_trials,
    )

    options, lively = plain(cfg, TrialsCfg), lively_prompts()
    needed = options.lively_prompts + options.lively_val_prompts
    if needed > len(lively):
        raise TexedoError(
            f"--lively-prompts and --lively-val-prompts ask for {needed} requests; "
            f"the list has {len(lively)}."
        )
    folder = cfg.generator or BUNDLED
    described = TokenGenerator.from_folder(folder)
    pool = open_pool(cfg.corpus, cfg.extra)
    own = described.defaults
    shipped = Shipped(own.temperature or 1.0, own.guidance or 1.0)
    parts = plan_parts(pool, options, lively, shipped)
    place = device_named(cfg.device)
    maker = Maker(
        pool=pool,
        models=Models(load=lambda: _load(folder, place)),
        cfg=options,
        recordings=cfg.source,
    )
    begin(cfg.out, maker, described.digest, lively)
    chosen = [part for part in parts if part.source in wanted]
    with Bar("motions", long=True) as bar:
        made = make_trials(maker, chosen, cfg.out, workers=cfg.workers, report=bar.show)
    _say(cfg, chosen, made)
    return 0


def _wanted(cfg: Cfg) -> set[str]:
    """Kinds of parts to make."""
    if cfg.workers is not None and cfg.workers < 1:
        raise TexedoError(f"--workers must be at least 1, got {cfg.workers}.")
    for name in cfg.only:
        if name not in SOURCES:
            raise TexedoError(f"--only {name}: there are {', '.join(SOURCES)}.")
    wanted = set(cfg.only or SOURCES)
    if cfg.source is None:
        if "foreign-bvh" in cfg.only:
            raise TexedoError(
                "--only foreign-bvh needs the motion capture that the corpus was built "
                "from: --source DIR."
            )
        wanted.discard("foreign-bvh")
    return wanted


def _load(folder: Path, place: str) -> tuple[MotionLanguageModel, MotionTokenizer]:
    from texedo.checkpoints.bundled import GENERATOR, TOKENIZER
    from texedo.text.lm.artifact import load_language_model
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    return load_language_model(folder / GENERATOR, device=place), load_tokenizer(
        folder / TOKENIZER, device=place
    )


def _say(cfg: Cfg, parts: list[PartPlan], made: dict[str, int]) -> None:
    for recipe, count in sorted(made.items()):
        print(f"{recipe:22}{count:9,}")
    total = sum(made.values())
    print(f"{cfg.out}: {total:,} motions made, {len(parts)} parts in all")
    if cfg.source is None and cfg.foreign_skeletons and not cfg.only:
        print("Without --source there are no motions from strange skeletons.")
