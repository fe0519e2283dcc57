"""A corpus as the paper's verifier learns it."""

from dataclasses import dataclass, fields, replace

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.small_clips import small_clip
from texedo.core.errors import FileFormatError
from texedo.data.corpus.store import Clip, Corpus
from texedo.see.learn.paper.data import CaptionedClips, captioned_clips
from texedo.see.semantics.paper.features import MIN_STD, motion_features


@dataclass(frozen=True, kw_only=True)
class Weighted(Clip):
    caption_weights: tuple[float, ...] = ()


def corpus_of(*clips: Clip) -> Corpus:
    frames = [random_motion(i, c.num_frames).to_qpos() for i, c in enumerate(clips)]
    firsts = np.cumsum([0, *map(len, frames)])
    placed = [
        replace(clip, first_frame=int(first))
        for clip, first in zip(clips, firsts, strict=False)
    ]
    return Corpus(placed, np.concatenate(frames), info={})


def said(clips: CaptionedClips, number: int) -> dict[str, float]:
    texts = [clips.texts[i] for i in clips.captions[number]]
    return dict(zip(texts, clips.weights[number].tolist(), strict=True))


def test_clips_of_all_kinds_of_one_split_with_their_captions() -> None:
    corpus = corpus_of(
        small_clip("a", 30, "train"),
        small_clip("b", 41, "train", kind="mirrored"),
        small_clip("c", 30, "val"),
        small_clip("copy", 30, "train", copy=True),
        replace(small_clip("mute", 30, "train"), captions=("...",)),
        replace(small_clip("d", 22, "train"), captions=("A person WALKS.", "he hops")),
    )
    clips = captioned_clips(corpus, "train")
    assert clips.ids == ("a", "b", "d") and clips.lengths.tolist() == [28, 40, 20]
    assert clips.kinds == ("captured", "mirrored", "captured")
    assert said(clips, 2) == {"A person WALKS.": 0.5, "he hops": 0.5}
    np.testing.assert_array_equal(clips.rows()[1], motion_features(corpus.frames(1)))
    keys = {text: key for text, key in zip(clips.texts, clips.keys, strict=True)}
    assert keys["A person WALKS."] == keys["a person walks"] != keys["he hops"]


def test_caption_weights_are_used_where_there_are_any() -> None:
    plain = small_clip("a", 20, "train")
    known = {f.name: getattr(plain, f.name) for f in fields(Clip)}
    known |= {"captions": ("x", "y", "x"), "caption_weights": (1.0, 6.0, 1.0)}
    clips = captioned_clips(corpus_of(Weighted(**known)), "train")
    assert said(clips, 0) == {"x": 0.25, "y": 0.75}


def test_other_captions_make_other_data() -> None:
    one = small_clip("a", 20, "train")
    digests = {
        captioned_clips(corpus_of(clip), "train").digest
        for clip in (one, one, replace(one, captions=("he hops",)))
    }
    assert len(digests) == 2


def test_what_never_moves_is_not_blown_up() -> None:
    clips = captioned_clips(corpus_of(small_clip("a", 20, "train")), "train")
    still = replace(clips, features=np.ones_like(clips.features))
    mean, std = still.scales()
    np.testing.assert_allclose(std, MIN_STD, rtol=1e-6)
    np.testing.assert_allclose(mean, 1.0)


def test_a_split_without_captions_is_an_error() -> None:
    with pytest.raises(FileFormatError, match="no captioned clips of the split val"):
        captioned_clips(corpus_of(small_clip("a", 20, "train")), "val")
