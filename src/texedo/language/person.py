"""Orders told as what somebody does: "raise your hand" is "a person raises their hand".

Most captions are about a person, and a model follows those best. Which words are verbs
is not listed: a word is taken for one if captions know it in all three forms, as in
"wave", "waves" and "waving". What does not begin with a verb is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from texedo.language.verbs import (
    AFTER,
    BEFORE_NOUNS,
    ING,
    NO_VERB,
    NOUNS,
    THIRD,
    UNLESS,
    VERBS,
    third,
)

Knows = Callable[[str], bool]

_BEFORE = frozenset("first then next always never now just very quite".split())
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
_NOT_JOINED = re.compile(r"\b(?:(?:forward|down|over|out) and back|(\w+) and \1)$")
"""What "and" joins otherwise: "forward and back up", "lower and lower"."""
_MEANWHILE = (
    r"\w+ly|first|then|next|after (?:that|this)|afterwards|(?:all )?at once|again"
    r"|at (?:the|long) (?:end|last|same time)|at last|in the end|in one (?:go|move|motion)"
    r"|once (?:more|again)|(?:right|straight) (?:away|after)|from (?:there|here)|this time"
    r"|without \w+ing|just|now|also|even|instead|still|meanwhile|always|never|in turn"
    r"|(?:after|for) (?:an?|one|two|three|four|five) (?:\w+ )?(?:seconds?|beats?|moments?"
    r"|pauses?|while|counts?|steps?)|to (?:finish|end|start)|as a finale|little by little"
    r"|step by step|one (?:last|more) time|(?:very|quite|really|so) \w+ly"
    r"|with (?:\w+ ){1,3}(?:hands?|arms?|f(?:oo|ee)t|legs?|fists?|jump|hop)"
)
"""What may stand between "then" and its verb."""
_JOINED = re.compile(
    rf"(?:,|\.|:|\band|\bthen|\bbut|\bmeanwhile)(?:\s*\b(?:{_MEANWHILE}),?)*$"
)
_AT_YOU = re.compile(
    r"\b(of|to|about|behind|before|beside|around|with|at|on|over|above|near|toward|for|by"
    r"|between|under|past|from) you"
    r"(?=$|[,.:]| (?:and|or|but|then|while|with|in|on|at|to|as|like|again|once|twice|\w+ly)\b)"
)
_NEAR = 60
"""Parts before a verb that may join it; in all of a long text the search takes long."""
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
                parts[i] = third(parts[i])
    elif _SOMEBODY.search(text) or not tells(parts[words[first]], knows):
        return text  # as it was, "you" too
    said = "".join(_YOURS.get(part, part) for part in parts)
    return f"a person {said}"


def going_on(text: str, knows: Knows) -> str:
    """ "Taking a step, then waving" as "a person takes a step, then waves"."""
    return third_person(ordered(text, knows), knows)


def ordered(text: str, knows: Knows) -> str:
    """ "Taking a step, then raising an arm" as "take a step, then raise an arm": how one
    goes on after "would you mind"."""

    def base(match: re.Match[str]) -> str:
        stem = match["stem"]
        forms = (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem)
        verb = next((word for word in forms if is_verb(word, knows)), None)
        return match[0] if verb is None else f"{match['before']}{verb}"

    pattern = r"(?P<before>^|, |\band |\bthen )(?P<stem>[a-z]{2,})ing\b"
    return re.sub(pattern, base, text)


def tells(word: str, knows: Knows) -> bool:
    """Whether it is "waves" with nobody before it: a sentence without its subject."""
    bases = {word[:-1], word.removesuffix("es"), f"{word.removesuffix('ies')}y"}
    return any(is_verb(base, knows) and third(base) == word for base in bases)


def _goes_before(word: str) -> bool:
    return (word.endswith("ly") and len(word) > 3) or word in _BEFORE


def _orders(parts: list[str], words: list[int], at: int, knows: Knows) -> bool:
    """Whether that word gives an order, by itself or with the one behind it."""
    word = parts[words[at]]
    behind = parts[words[at + 1]] if at + 1 < len(words) else ""
    if behind and parts[words[at] + 1] != " ":
        behind = ""
    if is_verb(word, knows):
        noun = word in BEFORE_NOUNS and NOUNS.fullmatch(behind)
        return not (noun or (word in UNLESS and UNLESS[word].fullmatch(behind)))
    return word in AFTER and bool(AFTER[word].fullmatch(behind))


def gives_order(text: str, knows: Knows) -> bool:
    """Whether it begins with an order, maybe after "then" or "slowly"."""
    parts = _WORD.findall(text)
    words = [i for i, part in enumerate(parts) if part.isalpha()]
    at = 0
    while at < len(words) - 1 and _goes_before(parts[words[at]]):
        at += 1
    return at < len(words) and _orders(parts, words, at, knows)


def _is_joined(parts: list[str], at: int) -> bool:
    """Whether a word is joined to an order: "walk and slowly turn", "turn, wave"."""
    before = "".join(parts[max(0, at - _NEAR) : at]).rstrip()
    if _NOT_JOINED.search(f"{before} {parts[at]}"):
        return False
    return bool(_JOINED.search(before))


def is_verb(word: str, knows: Knows) -> bool:
    """Whether captions have it as "wave", "waves" and "waving"."""
    if word in THIRD or word in VERBS:
        return True
    known = word not in NO_VERB and knows(word) and knows(third(word))
    return known and any(map(knows, _ings(word)))


def _ings(word: str) -> tuple[str, ...]:
    """The -ing forms it may have: "stopping", but "lowering"."""
    if word in ING:
        return (ING[word],)
    if word.endswith("e") and not word.endswith(("ee", "oe", "ye")):
        return (f"{word[:-1]}ing",)
    if _DOUBLED.search(word):
        return (f"{word}{word[-1]}ing", f"{word}ing")
    return (f"{word}ing",)
