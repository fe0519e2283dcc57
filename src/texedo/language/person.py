"""Orders told as what somebody does: "raise your hand" is "a person raises their hand".

Most captions are about a person, and a model follows those best. Which words are verbs
is not listed: a word is taken for one if captions know it in all three forms, as in
"wave", "waves" and "waving". What does not begin with a verb is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Knows = Callable[[str], bool]

_THIRD = {"go": "goes", "do": "does", "have": "has", "be": "is"}
_ING = {"be": "being", "lie": "lying", "die": "dying", "tie": "tying"}
_NO_VERB = frozenset(
    "slow light still even calm double low clean clear dry empty warm cool back head face "
    "hand arm leg foot hip knee side one two three four five six left right forward backward "
    "sideways up down fast quick quickly slowly round circle motion start end front shoulder "
    "elbow fist palm finger thumb toe heel chest waist paw wing".split()
)
"""Words that seldom give an order where they come first, whatever forms they have."""
_AFTER = {
    word: re.compile(after)
    for word, after in {
        "back": "up|away|off|out",
        "start": r"to|\w+ing",
        "face": "left|right|forward|backward|the|away|me|front",
        "head": "left|right|to|toward|for|over|back|forward|off|out",
        "circle": "around|the",
        "round": "off",
        "slow": "down|up",
        "calm": "down",
        "cool": "down|off",
        "warm": "up",
        "end": "in|with|up|by",
    }.items()
}
"""What makes an order of some of them after all: "back up", "head over to the door"."""
_VERBS = frozenset(
    "blow nod relax toss hug shimmy resume curtsy curtsey wiggle flex salute".split()
)
"""Verbs that captions do not have in all their forms."""
_BEFORE = frozenset("first then next always never now just".split())
"""What may stand before the verb, as words in -ly may."""
_TOLD = frozenset("you i we".split())
_SOMEBODY = re.compile(r"\b(?:person|man|woman|someone|somebody|he|she|they)\b")
_DOUBLED = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdgmnprt]$")
_YOURS = {"your": "their", "yourself": "themselves", "you": "they", "yours": "theirs"}
_MINE = {
    "my": "their",
    "our": "their",
    "myself": "themselves",
    "i": "they",
    "we": "they",
}
_JOINED = re.compile(r"(?:,|\.|:|\band|\bthen|\bbut|\bmeanwhile)$")
_NOT_JOINED = re.compile(r"\b(?:(?:forward|down|over|out) and back|(\w+) and \1)$")
"""What "and" joins otherwise: "forward and back up", "lower and lower"."""
_AT_YOU = re.compile(
    r"\b(of|to|behind|before|beside|around|with|at|on|over|above|near|toward|for|by"
    r"|between|under|past|from) you"
    r"(?=$|[,.:]| (?:and|or|but|then|while|with|in|on|at|to|as|like|again|once|twice|\w+ly)\b)"
)
_WORD = re.compile(r"[a-z]+|[^a-z]+")


def third_person(text: str, knows: Knows) -> str:
    """An order in small letters, or what is told of nobody ("waves twice"), as a sentence
    about a person; anything else as it is."""
    parts = _WORD.findall(_AT_YOU.sub(r"\1 them", text))
    words = [i for i, part in enumerate(parts) if part.isalpha()]
    if not words:
        return text
    if len(words) > 1 and parts[words[0]] in _TOLD and is_verb(parts[words[1]], knows):
        # "You wave", "I wave my hand".
        text = "".join(_MINE.get(part, part) for part in parts[words[1] :])
        return third_person(text, knows)
    if parts[words[0]] == "mind" and len(words) > 1:
        return going_on(text.removeprefix("mind "), knows)
    first = 0
    while first < len(words) - 1 and _goes_before(parts[words[first]]):
        first += 1
    if parts[words[0]] == "do" and len(words) > 2 and parts[words[1]] == "not":
        parts[words[0]] = "does"
    elif _orders(parts, words, first, knows):
        for number, i in enumerate(words[first:], first):
            joined = number > first and _is_joined(parts, i)
            if number == first or (joined and _orders(parts, words, number, knows)):
                parts[i] = _third(parts[i])
    elif _SOMEBODY.search(text) or not _tells(parts[words[first]], knows):
        return text  # as it was, "you" too
    said = "".join(_YOURS.get(part, part) for part in parts)
    return f"a person {said}"


def going_on(text: str, knows: Knows) -> str:
    """ "Taking a step, then waving" as "a person takes a step, then waves"."""
    return third_person(_ordered(text, knows), knows)


def _ordered(text: str, knows: Knows) -> str:
    """ "Taking a step, then raising an arm" as "take a step, then raise an arm": how one
    goes on after "would you mind"."""

    def base(match: re.Match[str]) -> str:
        stem = match["stem"]
        forms = (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem)
        verb = next((word for word in forms if is_verb(word, knows)), None)
        return match[0] if verb is None else f"{match['before']}{verb}"

    pattern = r"(?P<before>^|, |\band |\bthen )(?P<stem>[a-z]{2,})ing\b"
    return re.sub(pattern, base, text)


def _tells(word: str, knows: Knows) -> bool:
    """Whether it is "waves" with nobody before it: a sentence without its subject."""
    bases = {word[:-1], word.removesuffix("es"), f"{word.removesuffix('ies')}y"}
    return any(is_verb(base, knows) and _third(base) == word for base in bases)


def _goes_before(word: str) -> bool:
    return word.endswith("ly") or word in _BEFORE


def _orders(parts: list[str], words: list[int], at: int, knows: Knows) -> bool:
    """Whether that word gives an order, by itself or with the one behind it."""
    word = parts[words[at]]
    if is_verb(word, knows):
        return True
    if word not in _AFTER or at + 1 == len(words):
        return False
    return bool(_AFTER[word].fullmatch(parts[words[at + 1]]))


def _is_joined(parts: list[str], at: int) -> bool:
    """Whether a word is joined to an order: "walk and slowly turn", "turn, wave"."""
    before = "".join(parts[:at]).rstrip()
    if _NOT_JOINED.search(f"{before} {parts[at]}"):
        return False
    stripped = re.sub(
        r"(?:\s*\b(?:\w+ly|then|next|after that|afterwards),?)+$", "", before
    )
    return bool(_JOINED.search(before) or _JOINED.search(stripped))


def is_verb(word: str, knows: Knows) -> bool:
    """Whether captions have it as "wave", "waves" and "waving"."""
    if word in _THIRD or word in _VERBS:
        return True
    known = word not in _NO_VERB and knows(word) and knows(_third(word))
    return known and any(map(knows, _ings(word)))


def _third(word: str) -> str:
    if word in _THIRD:
        return _THIRD[word]
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def _ings(word: str) -> tuple[str, ...]:
    """The -ing forms it may have: "stopping", but "lowering"."""
    if word in _ING:
        return (_ING[word],)
    if word.endswith("e") and not word.endswith(("ee", "oe", "ye")):
        return (f"{word[:-1]}ing",)
    if _DOUBLED.search(word):
        return (f"{word}{word[-1]}ing", f"{word}ing")
    return (f"{word}ing",)
