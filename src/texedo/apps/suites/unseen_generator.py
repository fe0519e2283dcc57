"""`texedo evaluate unseen-generator`: the main table of a generator that the verifiers have
never seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from texedo.apps.evaluate.options import NameOrPath
from texedo.apps.suites import options, selection
from texedo.core.errors import TexedoError
from texedo.evaluation.suites import paper
from texedo.evaluation.suites.base import Base
from texedo.evaluation.suites.folder import Report
from texedo.evaluation.suites.selection import selection_report

SUITE = "unseen-generator"


@dataclass(frozen=True, kw_only=True)
class Cfg(selection.PromptsCfg):
    """The main table for another generator, of which the verifiers have seen no motion:
    what they know must not be of the generator alone. The prompts are those of `texedo
    evaluate selection`, the paper's figures those of its experiment with Kimodo.

    Nothing is trained or tuned for it: the threshold is the one that ships. Files need as
    many motions of each prompt as -n says.

    Example: texedo evaluate unseen-generator --unseen my_generator/ -n 32 -o results
    """

    unseen: NameOrPath
    """The generator, as --generator of `texedo generate`; --generator is not asked."""


def run(cfg: Cfg) -> int:
    with options.open_base(cfg) as base:
        options.tell(cfg, report(cfg, base))
    return 0


def report(cfg: Cfg, base: Base) -> Report:
    """With models that are open already; of those the generator is left out."""
    other = options.find_one(cfg.unseen, cfg.device)
    if other.digest == base.generator.digest:
        raise TexedoError(
            f"--unseen {cfg.unseen} is the generator of the main table; name another."
        )
    return selection_report(
        # What is refused was learnt of our own generator.
        replace(base, generator=other, refuser=None),
        selection.asked_for(cfg),
        n=cfg.num,
        suite=SUITE,
        title=f"A generator that the verifiers have never seen: {other.name}",
        paper=paper.KIMODO,
    )
