"""Held-out clips, one caption each, and captions that say something else.

Three groups. `captured` clips with any of their captions; the same with those that weigh
most, which were `written` for the clip as a whole, while others may tell a part of it
("turns left") whose contrary happens too; and `composed` ones: made ones whose captions
state a count or an angle, which the captions of captured clips rarely do. Every choice is
by hash of the clip's id and the seed, so it does not change with other clips.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Clip, Corpus
from texedo.evaluation.alignment import CAPTURED
from texedo.evaluation.embedding.texts import plain

MADE = ("authored", "sequence", "overlay")
"""Kinds of clips that nobody captured; mirrored and slower ones are captured again."""
STATED = frozenset({"count", "angle"})
"""Kinds of change for which composed clips are asked."""
SIDE = "side"
OTHER_CLIP = "another clip's caption"
MIRRORED = "mirrored motion"
_T = TypeVar("_T")
_CONTRARY = "texedo.data.captions.contrary"

Contraries = Callable[[str], Sequence[tuple[str, str]]]
"""A caption to (kind of change, changed caption)s."""


class Question(NamedTuple):
    """A caption of a clip, and one that the clip does not show."""

    clip: int
    """Number in the group."""
    kind: str
    true: str
    false: str


class Group(NamedTuple):
    """Clips of one split."""

    clips: list[int]
    """Positions in the corpus."""
    captions: list[str]
    """One for each."""
    questions: list[Question]
    """At most one of each kind for each clip."""
    sided: dict[int, str]
    """A caption that is false of the mirror image, by the clip's number in the group."""


def our_contraries(text: str) -> list[tuple[str, str]]:
    """The changes that `texedo.data.captions.contrary` makes."""
    try:
        module: Any = importlib.import_module(_CONTRARY)
    except ModuleNotFoundError as error:
        raise TexedoError(
            f"This installation has no {_CONTRARY}: install a later texedo."
        ) from error
    return [(found.kind, found.text) for found in module.contraries(text)]


def captured_group(
    corpus: Corpus,
    split: str,
    contraries: Contraries,
    *,
    limit: int | None = None,
    seed: int = 0,
) -> Group:
    """Captured clips with a caption, copies of recordings left out."""
    clips = _spread(_captured(corpus, split), limit)
    return _group(corpus, clips, contraries, seed, None)


def written_group(
    corpus: Corpus,
    split: str,
    contraries: Contraries,
    *,
    limit: int | None = None,
    seed: int = 0,
) -> Group:
    """Captured clips with the captions that weigh most; none if all weigh alike."""
    clips = _captured(corpus, split)
    if all(_heaviest(corpus.clips[i]) == _unique(corpus.clips[i]) for i in clips):
        return Group([], [], [], {})
    clips = _spread(clips, limit)
    return _group(corpus, clips, contraries, seed, None, _heaviest)


def _captured(corpus: Corpus, split: str) -> list[int]:
    chosen = corpus.select(split=split, kind=CAPTURED, copies=False)
    return [i for i in chosen if corpus.clips[i].captions]


def composed_group(
    corpus: Corpus,
    split: str,
    contraries: Contraries,
    *,
    limit: int | None = None,
    seed: int = 0,
) -> Group:
    """Made clips that have a caption with a count or an angle, which is the one taken."""
    chosen = corpus.select(split=split, kind=MADE, copies=False)
    clips = [i for i in chosen if _stating(corpus.clips[i], contraries)]
    return _group(corpus, _spread(clips, limit), contraries, seed, STATED)


def _group(
    corpus: Corpus,
    clips: list[int],
    contraries: Contraries,
    seed: int,
    kinds: frozenset[str] | None,
    taken: Callable[[Clip], list[str]] | None = None,
) -> Group:
    """`taken`: which captions of a clip are asked about, all unless given."""
    taken = taken or _unique
    rows = [corpus.clips[i] for i in clips]
    captions = []
    for clip in rows:
        own = taken(clip) if kinds is None else _stating(clip, contraries)
        captions.append(_pick(own, clip.id, seed))
    questions = [
        _pick(found, clip.id + kind, seed)
        for number, clip in enumerate(rows)
        for kind, found in _questions(number, clip, taken(clip), contraries, kinds)
    ]
    questions += _others(rows, captions, seed)
    sided = {
        number: _pick(own, clip.id, seed)
        for number, clip in enumerate(rows)
        if (own := [text for text in taken(clip) if _names_a_side(text, contraries)])
    }
    return Group(clips, captions, questions, sided)


def _questions(
    number: int,
    clip: Clip,
    captions: Sequence[str],
    contraries: Contraries,
    kinds: frozenset[str] | None,
) -> list[tuple[str, list[Question]]]:
    """Those of each kind of change, over these captions of a clip."""
    own = {plain(text) for text in clip.captions}
    found: dict[str, list[Question]] = {}
    for true in captions:
        for kind, false in contraries(true):
            # What is true of the clip by another of its captions is no contrary.
            if plain(false) not in own and (kinds is None or kind in kinds):
                found.setdefault(kind, []).append(Question(number, kind, true, false))
    return sorted(found.items())


def _others(rows: Sequence[Clip], captions: Sequence[str], seed: int) -> list[Question]:
    """Every clip with a caption of another one, which none of its own says too."""
    found = []
    for number, clip in enumerate(rows):
        own = {plain(text) for text in clip.captions}
        strangers = [
            text
            for other, text in zip(rows, captions, strict=True)
            if other.group != clip.group and plain(text) not in own
        ]
        if strangers:
            false = _pick(strangers, clip.id + OTHER_CLIP, seed)
            found.append(Question(number, OTHER_CLIP, captions[number], false))
    return found


def _stating(clip: Clip, contraries: Contraries) -> list[str]:
    """The captions that state a count or an angle."""
    return [
        text
        for text in _unique(clip)
        if any(kind in STATED for kind, _ in contraries(text))
    ]


def _names_a_side(text: str, contraries: Contraries) -> bool:
    """Not "left and right" or "without turning left": true of the mirror image too."""
    return any(kind == SIDE for kind, _ in contraries(text))


def _unique(clip: Clip) -> list[str]:
    return list(dict.fromkeys(clip.captions))


def _heaviest(clip: Clip) -> list[str]:
    """The captions with the greatest weight."""
    weights = clip.caption_weights or (1.0,) * len(clip.captions)
    heavy = [
        t for t, w in zip(clip.captions, weights, strict=True) if w == max(weights)
    ]
    return list(dict.fromkeys(heavy))


def _spread(clips: list[int], limit: int | None) -> list[int]:
    """At most so many, from all over the corpus: neighbours are of one recording."""
    if limit is None or limit >= len(clips):
        return clips
    return [clips[k * len(clips) // limit] for k in range(limit)]


def _pick(items: Sequence[_T], key: str, seed: int) -> _T:
    digest = hashlib.blake2b(f"{seed} {key}".encode(), digest_size=8).digest()
    return items[int.from_bytes(digest, "big") % len(items)]
