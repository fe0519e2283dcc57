"""Left and right in English: swapping them, and masking them."""

from __future__ import annotations

import re

_OPPOSITE = {
    "left": "right",
    "right": "left",
    "lefts": "rights",
    "rights": "lefts",
    "leftward": "rightward",
    "rightward": "leftward",
    "leftwards": "rightwards",
    "rightwards": "leftwards",
    "lefthand": "righthand",
    "righthand": "lefthand",
    "lefthanded": "righthanded",
    "righthanded": "lefthanded",
    "lefty": "righty",
    "righty": "lefty",
    "leftmost": "rightmost",
    "rightmost": "leftmost",
    "clockwise": "counterclockwise",
    "counterclockwise": "clockwise",
    "counter-clockwise": "clockwise",
    "counter clockwise": "clockwise",
    "anticlockwise": "clockwise",
    "anti-clockwise": "clockwise",
    "anti clockwise": "clockwise",
}
_WORDS = "|".join(sorted((re.escape(w) for w in _OPPOSITE), key=len, reverse=True))
# "Turns right before stopping" is about a side, and so is every "right before" that people
# write about motions. "Left" after a form of "be" or "have" may be the verb; it is a side again before a
# hand, foot or other thing that comes in pairs, which English puts after an article. "The
# right above the head" is a hand, "right above the head" is no side; who leans "left over
# a broom" leans left, but who bends "right over" bends far.
_NO_ARTICLE = r"(?<!the\s)(?<!his\s)(?<!her\s)(?<!its\s)(?<!your\s)(?<!their\s)"
_NOT_A_SIDE = (
    r"(?:is|are|was|were|be|been|has|have|had|having|gets|got)\s+left"
    r"(?=\s+(?:standing|alone|behind|lying|hanging|over|in|on|at|with|to|the|it|off)\b)"
    r"|(?:he|she|they|it|who|person|man|woman|someone)\s+left\s+(?:the|his|her|their)\b"
    r"|left-?overs?\b"
    r"|right(?=[\s-]+(?:angles?|angled|away|now(?!\s+and\s+then))\b)"
    rf"|{_NO_ARTICLE}right(?=\s+(?:behind|above|below|beside|next\s+to|in\s+front|on\s+top)"
    r"\b)"
    r"|(?:bend|bends|bending|bent|bow|bows|bowing|bowed|fold|folds|folding|folded)"
    r"\s+right(?=\s+(?:over|down)\b)"
    r"|all\s+right\b|upright|outright|just\s+right\b"
)
_TOKEN = re.compile(rf"(?P<keep>\b(?:{_NOT_A_SIDE}))|\b(?P<side>{_WORDS})\b", re.I)


def swap_sides(text: str) -> str:
    """The sentence about the mirrored motion: left and right, clockwise and counter-.

    "Left" the verb and "right" the adverb ("is left standing", "right away", "right
    angle") stay. Twice gives the text back, but for the spelling of "counterclockwise".
    """
    return _TOKEN.sub(_swapped, text)


def _swapped(match: re.Match[str]) -> str:
    word = match.group("side")
    if word is None:
        return match.group()
    other = _OPPOSITE[word.lower()]
    if word.isupper() and len(word) > 1:
        return other.upper()
    return other.capitalize() if word[0].isupper() else other


_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve once twice thrice "
    "thirty forty sixty ninety hundred eighty seventy single double couple"
).split()
_DIRECTIONS = (
    "forward forwards backward backwards back ahead rearward rearwards sideways "
    "diagonally diagonal"
).split()
_MASK = re.compile(
    rf"\b(?P<side>{_WORDS})\b|\b(?P<number>\d+|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?P<direction>{'|'.join(_DIRECTIONS)})\b"
)


def skeleton(text: str) -> str:
    """The sentence with sides, numbers and directions masked, case and stop dropped.

    Two captions with one skeleton say the same thing of different numbers.
    """
    plain = text.lower().rstrip(". ")
    return _MASK.sub(lambda match: f"<{match.lastgroup}>", plain)
