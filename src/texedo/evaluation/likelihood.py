"""How well a generator predicts held-out motion from its caption: perplexity, top-1.

Beside the true captions, each clip is scored with the captions of another clip: the
difference is what the words are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from texedo.data.corpus.store import Corpus
from texedo.text.learn.lm.data import TokenData

if TYPE_CHECKING:
    from texedo.text.lm.model import MotionLanguageModel
    from texedo.text.tokenizer.tokenizer import MotionTokenizer


def likelihood_report(
    corpus: Corpus,
    model: MotionLanguageModel,
    tokenizer: MotionTokenizer,
    *,
    splits: Sequence[str],
    captions: int = 0,
    limit: int | None = None,
) -> dict[str, Any]:
    """Captured clips of each split, copies left out; `captions` a clip, 0 for all."""
    # Here and not above: it loads torch.
    from texedo.text.learn.lm.batches import DeviceData
    from texedo.text.learn.lm.report import score

    report: dict[str, Any] = {}
    for split in splits:
        chosen = corpus.select(split=split, kind="captured", copies=False)
        data = held_out_tokens(corpus, tokenizer, chosen[:limit])
        report[split] = {"clips": len(data.lengths)}
        for name, own in (("own captions", data), ("others' captions", shifted(data))):
            tables = DeviceData(own, model.words, model.decoder, str(model.device))
            clips = range(len(own.lengths))
            scores = score(model, tables, clips, captions=captions)
            report[split][name] = scores.of(clips).as_dict()
    return report


def held_out_tokens(
    corpus: Corpus, tokenizer: MotionTokenizer, clips: Sequence[int]
) -> TokenData:
    """Those of the clips that have a caption, as codes."""
    chosen = [corpus.clips[i] for i in clips if corpus.clips[i].captions]
    rows = tokenizer.encode([corpus.motion(corpus.index(clip.id)) for clip in chosen])
    return TokenData(
        codes=np.concatenate(rows).astype(np.int32),
        lengths=np.array([len(row) for row in rows], dtype=np.int64),
        captions=[list(dict.fromkeys(clip.captions)) for clip in chosen],
        splits=tuple(clip.split for clip in chosen),
        kinds=tuple(clip.kind for clip in chosen),
        families=tuple(clip.family for clip in chosen),
        ids=tuple(clip.id for clip in chosen),
        num_codes=tokenizer.num_codes,
    )


def shifted(data: TokenData) -> TokenData:
    """Every clip with the captions of the one half the list away."""
    half = len(data.captions) // 2
    captions = data.captions[half:] + data.captions[:half]
    return replace(data, captions=captions, weights=None)
