"""`texedo evaluate captions`: do captions from measurements agree with descriptions?"""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.evaluate import options
from texedo.data.corpus.store import Corpus
from texedo.evaluation.caption_truth import compare, truth_figures
from texedo.evaluation.tables import json_text, markdown


@dataclass(frozen=True)
class Cfg:
    """Caption recordings from measurements alone, and compare the captions with what
    people wrote down about them.

    Counts recordings whose description names a side, a direction, an angle or a number.
    A claim agrees if a caption says it, disagrees if the captions speak of such a thing
    but never so, and is untold if they do not speak of it.

    Example: texedo evaluate captions corpus
    """

    corpus: options.Corpus
    """Corpus folder."""
    seed: int = 0
    """Of the words."""
    json: bool = False
    """Print the report as JSON, with every claim that is not agreed with."""


def run(cfg: Cfg) -> int:
    corpus = Corpus.load(cfg.corpus)
    verdicts = compare(corpus, seed=cfg.seed)
    figures = truth_figures(verdicts)
    others = [
        {
            "verdict": verdict,
            "recording": trial,
            "description": next(c.description for c in corpus if c.trial == trial),
            "claim": f"{claim.kind} {claim.value}",
            "captions_say": said,
        }
        for verdict in ("disagree", "untold")
        for trial, claim, said in verdicts.get(verdict, [])
    ]
    if cfg.json:
        print(json_text({**figures, "claims_not_agreed": others}))
        return 0
    kinds = figures.pop("kinds")
    print("\n".join(f"{name.replace('_', ' ')}: {n}" for name, n in figures.items()))
    print(f"\n{markdown(kinds)}")
    for row in others:
        print(
            f"{row['verdict']}: {row['recording']} [{row['description']}] "
            f"{row['claim']}: {row['captions_say']}"
        )
    return 0
