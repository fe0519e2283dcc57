"""What comes first and what comes then: words of time in a prompt."""

from __future__ import annotations

_THEN = frozenset(
    "then subsequently afterwards finally lastly until thereafter".split()
)
_STOPS = frozenset(". ; ! ?".split())


def phases_of(words: list[str]) -> list[int]:
    """The place in time of each word, from 0; equal where no order is said."""
    phases = [0] * len(words)
    now = 0
    sentence = 0
    """Where the sentence began."""
    for i, word in enumerate(words):
        if word in _STOPS:
            sentence = i + 1
        if word == "after" and not _is_pronoun(words, i):
            if i == sentence:
                now = _leading(words, phases, i, now)
            else:
                # "Kicks after two steps": what was said is the later of the two.
                for k in range(sentence, i):
                    phases[k] += phases[k] == now
        elif word == "before" and i == sentence:
            _swap(words, phases, i, now)
        elif _is_then(words, i):
            now = max(now + 1, max(phases[:i], default=0))
        phases[i] = max(phases[i], now)
    return phases


def _is_then(words: list[str], i: int) -> bool:
    word, following = words[i], words[i + 1 : i + 2]
    if word in _THEN:
        # "And then finally" is one step in time.
        return not (i and words[i - 1] in _THEN)
    if word == "next":
        return following != ["to"]
    if word == "follow":
        return following == ["by"]
    if word == "after":
        return True
    if word in ("end", "finish"):
        return following in (["with"], ["in"], ["by"]) and i > 0
    return word == "before" and following not in (["them"], ["their"], ["the"], ["him"])


def _is_pronoun(words: list[str], i: int) -> bool:
    """ "After that": a then."""
    return words[i + 1 : i + 2] in (["which"], ["that"], ["this"], ["a"], ["it"])


def _comma(words: list[str], i: int) -> int:
    """The next comma, or the end."""
    return next((k for k in range(i, len(words)) if words[k] == ","), len(words))


def _leading(words: list[str], phases: list[int], i: int, now: int) -> int:
    """ "After a bow, he waves": what follows the comma comes later."""
    for k in range(_comma(words, i), len(words)):
        phases[k] = now + 1
    return now


def _swap(words: list[str], phases: list[int], i: int, now: int) -> None:
    """ "Before he waves, he bows": what stands first comes later."""
    for k in range(i, _comma(words, i)):
        phases[k] = now + 1
