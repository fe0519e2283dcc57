"""How much the captions say: words, sentence skeletons, and words that prompts use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from texedo.data.captions import skeleton
from texedo.data.captions.grammar import Form, inflect
from texedo.data.corpus.store import Clip

ENOUGH = 20
"""Training captions that a word needs to be learned."""

# The content words of the prompts that the method was shown with on a real robot.
PROMPT_VERBS = tuple(
    "advance balance bounce box carry crouch dance hold hook jab jump move pivot punch "
    "raise return rotate scurry shamble sneak spin squat step stretch stumble throw "
    "walk".split()
)
PROMPT_WORDS = tuple(
    "above aggressively ahead air arm away backward big carefully cautiously cheerfully "
    "circle clockwise enthusiasm force forward frantically ground hand happily happy "
    "head heavy jack joyfully left lifelessly low object panic rearward right salsa "
    "side sideways slow slowly straight zombie-like".split()
)

_TOKEN = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_FORMS: tuple[Form, ...] = ("base", "third", "ing", "past")
_STOP = frozenset(
    "a an the and then of to in on at by with for from as is are it its his her their "
    "they he she them him while before after into this that be was were who".split()
)


class Words(NamedTuple):
    """What the captions of some clips are made of."""

    captions: int
    lengths: list[int]
    """Words of each caption."""
    words: Counter[str]
    skeletons: Counter[str]
    """Sentences with sides, numbers and directions masked."""

    def top(self, number: int) -> list[tuple[str, int]]:
        """The most frequent words that carry a meaning."""
        content = {w: n for w, n in self.words.items() if w not in _STOP}
        return sorted(content.items(), key=lambda item: (-item[1], item[0]))[:number]


def count_words(clips: Iterable[Clip]) -> Words:
    """Words and skeletons of all captions of `clips`."""
    words: Counter[str] = Counter()
    skeletons: Counter[str] = Counter()
    lengths: list[int] = []
    for clip in clips:
        for text in clip.captions:
            tokens = tokenize(text)
            lengths.append(len(tokens))
            words.update(tokens)
            skeletons[skeleton(text)] += 1
    return Words(len(lengths), lengths, words, skeletons)


def prompt_coverage(clips: Iterable[Clip]) -> dict[str, int]:
    """In how many captions of `clips` each word of the prompts occurs, in any form."""
    counts = dict.fromkeys(sorted((*PROMPT_VERBS, *PROMPT_WORDS)), 0)
    forms = _prompt_forms()
    for clip in clips:
        for text in clip.captions:
            for word in {forms[token] for token in tokenize(text) if token in forms}:
                counts[word] += 1
    return counts


def tokenize(text: str) -> list[str]:
    """Words in lower case; hyphens and apostrophes hold together."""
    return _TOKEN.findall(text.lower())


@cache
def _prompt_forms() -> dict[str, str]:
    forms = {f"{word}s": word for word in (*PROMPT_WORDS, *PROMPT_VERBS)}
    forms |= {inflect(verb, form): verb for verb in PROMPT_VERBS for form in _FORMS}
    # "hooks" and "punches" count for the verb; a word's own form is never another's.
    return forms | {word: word for word in PROMPT_WORDS}
