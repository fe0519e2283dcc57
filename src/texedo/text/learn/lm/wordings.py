"""Other wordings of training captions, beside them in the token file.

Only clips of the split `train` get any: what is measured on held-out captions must not
depend on a rewriter. Who rewrites is `texedo.data.captions.paraphrase`, imported when it
is asked for; a test hands in its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol

from texedo.core.errors import TexedoError
from texedo.data.captions.choice import Choice

REWRITER = "texedo.data.captions.paraphrase"
SHARE = 0.5
"""Of a caption's weight, for all its other wordings together; it keeps its own."""


class Rewriter(Protocol):
    """Says a caption in other words."""

    def __call__(self, text: str, *, number: int, choice: Choice) -> Iterable[str]:
        """Up to `number` other wordings that claim the same."""
        ...


def load_rewriter() -> Rewriter:
    """The one that comes with the package; raises `TexedoError` if there is none."""
    try:
        rewriter: Rewriter = import_module(REWRITER).paraphrases
    except (ImportError, AttributeError) as error:
        raise TexedoError(
            f"other wordings need {REWRITER}.paraphrases: {error}; leave --wordings at 0."
        ) from error
    return rewriter


def add_wordings(
    clip: dict[str, Any], rewrite: Rewriter, *, number: int, seed: int
) -> dict[str, Any]:
    """A described clip (see `lm.data`) with up to `number` other wordings per caption.

    They follow the captions; chance depends on the seed, the clip's id and the caption.
    """
    captions: Sequence[str] = clip["captions"]
    if clip["split"] != "train" or not captions:
        return clip
    weights = clip.get("weights", [1.0] * len(captions))
    said = dict(zip(captions, weights, strict=True))
    for text, weight in zip(captions, weights, strict=True):
        choice = Choice(seed, "wordings", clip["id"], text)
        found = dict.fromkeys(rewrite(text, number=number, choice=choice))
        new = [other for other in found if other and other not in said][:number]
        said |= {other: SHARE * weight / len(new) for other in new}
    return {**clip, "captions": list(said), "weights": list(said.values())}
