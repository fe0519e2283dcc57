"""One way to write a prompt: what differs in letters alone is made the same.

    normalize("Please turn 90° counter-clockwise, 3x!")
    # "turn 90 degrees counterclockwise, three times"

Captions go through it before training and prompts before they are read, so a model sees
one form of each. It knows no list of words; `spelling` does. Twice is the same as once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()

# Before NFKC, which would make letters and digits of them.
_SYMBOLS = {
    "°": " degrees ",
    "º": " degrees ",
    "˚": " degrees ",
    "½": " half ",
    "¼": " quarter ",
    "¾": " three quarter ",
    "×": "x",
    "&": " and ",
    "’": "'",
    "‘": "'",
    "`": "'",
    "´": "'",
    "ʼ": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "‐": "-",
    "‑": "-",
    "−": "-",
    "–": " - ",
    "—": " - ",
}
_TRANSLATED = str.maketrans(_SYMBOLS)
_DROPPED = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "So", "Sk"))
"""Kinds of characters that say nothing here: emoji, accents, marks of no width."""

_NOT = "do does did is are was were has have had would could should must need".split()
_WHO = "he|she|it|who|that|there|someone|somebody|everyone|everybody"

_New = str | Callable[[re.Match[str]], str]


class _Rule(NamedTuple):
    keys: tuple[str, ...]
    """One of them is in every text that the rule is about: most rules need no search."""
    pattern: re.Pattern[str]
    new: _New


def _rules(*rules: tuple[str, str, _New]) -> list[_Rule]:
    """From keys (with spaces between; none: any text), patterns and what is put there."""
    return [
        _Rule(tuple(keys.split()), re.compile(pattern), new)
        for keys, pattern, new in rules
    ]


def _number(match: re.Match[str]) -> str:
    value = int(match[0])
    return _NUMBERS[value] if value < len(_NUMBERS) else match[0]


def _stop(match: re.Match[str]) -> str:
    """A run of stops is its strongest one."""
    strongest = next((c for c in ".:," if c in match[0]), "")
    return strongest + " "


_DIGITS = "0 1 2 3 4 5 6 7 8 9"
_SPELLED_OUT = _rules(
    # Contractions, with and without their apostrophe.
    ("can't cant cannot", r"\bcan'?t\b|\bcannot\b", "can not"),
    ("won't", r"\bwon't\b", "will not"),
    ("n't", rf"\b({'|'.join(_NOT)})n't\b", r"\1 not"),
    ("nt", r"\b(do|does|did|is|are|was|were|has|have)nt\b", r"\1 not"),
    ("'s", rf"\b({_WHO})'s\b", r"\1 is"),
    ("i'm im", r"\bi'?m\b", "i am"),
    ("'re", r"\b(you|we|they)'re\b", r"\1 are"),
    ("'ve", r"\b(i|you|we|they)'ve\b", r"\1 have"),
    ("'ll", r"\b(i|you|we|they|he|she|it)'ll\b", r"\1 will"),
    ("'d", r"\b(i|you|we|they|he|she|it)'d like\b", r"\1 would like"),
    ("let's", r"\blet's\b", "let us"),
    # Signs and short forms.
    ("w/o", r"\bw/o\b", "without"),
    ("w/", r"\bw/(?=\s*\w)", "with "),
    ("+", r"(?<=[a-z])\s*\+\s*(?=[a-z])", " and "),
    ("", r"[_*#~|<>{}\[\]\\^=+/]+", " "),
    ("deg", r"(\d)\s*degs?\b\.?", r"\1 degrees"),
    ("deg", r"(\d)(degrees?)\b", r"\1 \2"),
    ("degrees", r"\bdegrees( +degrees)+\b", "degrees"),
    ("x", r"(\d)\s*x\s*(?=\d)", r"\1 by "),
    ("x", r"\b(\d+)\s*x\b", r"\1 times"),
    ("x", r"\bx\s*(\d+)\b", r"\1 times"),
    ("c", r"(\d)\s*(?:cm|centimet(?:er|re)s?)\b", r"\1 centimeters"),
    (_DIGITS, r"(\d)\s*(?:m|met(?:er|re)s)\b", r"\1 meters"),
    (_DIGITS, r"(\d)\s*(?:s|secs?|seconds)\b\.?", r"\1 seconds"),
    (_DIGITS, r"(\d)\s*(?:mins?|minutes)\b\.?", r"\1 minutes"),
    ("metre", r"\b(centi)?metre(s?)\b", r"\1meter\2"),
    ("ccw", r"\bccw\b", "counterclockwise"),
    ("cw", r"\bcw\b", "clockwise"),
)
_HYPHENS = _rules(
    (
        "clock",
        r"\b(?:counter|anti)\s*-?\s*clock\s*-?\s*wise\b",
        "counterclockwise",
    ),
    ("clock", r"\bclock\s*-\s*wise\b", "clockwise"),
    ("zig", r"\bzig\s*-?\s*zag", "zigzag"),
    ("tip", r"\btip\s*-?\s*toe", "tiptoe"),
    ("side-step", r"\bside-step", "sidestep"),
    # "On the left side steps a man": there the side is a noun.
    (
        "step",
        r"(?<!the )(?<!left )(?<!right )(?<!one )(?<!each )(?<!other )(?<!this )"
        r"(?<!that )(?<!either )(?<!to )\bside step(?=s?\b|ping\b|ped\b)",
        "sidestep",
    ),
    ("-", r"(?<![\d.-])(\d+)\s*-\s*(\d+)(?![\d.-])", r"\1 to \2"),
    ("-", r"(?<=\w)\s+-+\s+(?=\w)", ", "),
    ("-", r"-+", " "),
    ("wards", r"\b(for|back|to|up|down|left|right|in|out)wards\b", r"\1ward"),
    ("ward", r"\b(for|back|to) wards?\b(?! off)", r"\1ward"),
    ("side", r"\bside ?wards?\b", "sideways"),
    ("up", r"\b(push|pull|sit|chin)(ups?)\b", r"\1 \2"),
    ("tpose", r"\btpose\b", "t pose"),
    ("uturn", r"\buturn(s?)\b", r"u turn\1"),
    (_DIGITS, r"(?<![\d.,:])\b\d{1,2}\b(?![.,:]\d)", _number),
    ("times", r"\bone times\b", "once"),
    ("times", r"\btwo times\b", "twice"),
)
_TIDY = _rules(
    ("! ?", r"[!?]+", "."),
    (";", r";+", ","),
    ('"', r'"', " "),
    ("'", r"(?<!\w)'|'(?!\w)", " "),
    ("(", r"\(([^()]*)\)", r", \1,"),
    ("( )", r"[()]", " "),
    (".", r"(?<![\d.])\.(?=\d)", "0."),
    ("", r"[\s,.:]{2,}", _stop),
    ("", r"([,.:])(?=[^\W\d])", r"\1 "),
    (",", r",(?=\d)(?<!\d,)", ", "),
    ("", r"^[\s,.:]+|[\s,.:]+$", ""),
)
_UNTIDY = re.compile(r"[^\w ,]|\s\s|,[^ ]|[ ,],|^[ ,]|[ ,]$")
_ROUNDS = 8

_ROBOT = r"(?:the |my |your |this |that )?(?:unitree |humanoid )?(?:g1|robot|humanoid)"
_WRAPPERS = _rules(
    (
        "please pls plz kindly thank",
        r"\b(?:please|pls|plz|kindly|thank you|thanks)\b",
        " ",
    ),
    (
        "robot humanoid g1",
        rf"^(?:hey|hi|hello|ok|okay|so|now)?[, ]*{_ROBOT}\s*[,:.]\s*",
        "",
    ),
    ("robot humanoid g1", r", (?:robot|humanoid|g1)$", ""),
    (
        "robot humanoid g1",
        r"^(?:(?:make|let|have|get) (?:the |my |a )?(?:robot|humanoid|g1)(?: to)?"
        r"|i (?:want|need|would like) (?:the |a |my )?(?:robot|humanoid|g1) to)\s+",
        "",
    ),
    (
        "you we i try us",
        r"^(?:hey |ok |okay )?(?:(?:can|could|would|will) (?:you|we)"
        r"|i (?:want|need|would like) (?:you|it|him|her|them|a person) to"
        r"|try to|let us)\s+",
        "",
    ),
    (
        "motion animation movement clip video",
        r"^(?:generate|create|animate|show|give)(?: me)? (?:a |an |the )?"
        r"(?:motion|animation|movement|clip|video)"
        r" (?:of|where|in which|that shows|showing)\s+",
        "",
    ),
)


def normalize(text: str) -> str:
    """The text in small letters, with one spelling of what has several.

    Quotes, dashes, emoji, contractions, hyphens, units, numbers to twelve, polite words.
    """
    text = _letters(text)
    # A rule may make work for one before it; most texts are done after the first round.
    for _ in range(_ROUNDS):
        if (done := _once(text)) == text:
            break
        text = done
    return text


def _once(text: str) -> str:
    text = _tidy(_apply(_HYPHENS, _apply(_SPELLED_OUT, text)))
    return (
        _tidy(_apply(_WRAPPERS, text)) or text
    )  # "please" stays: better than nothing.


def _letters(text: str) -> str:
    """Small letters without accents, emoji and invisible marks."""
    text = text.translate(_TRANSLATED)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TRANSLATED).lower()
        text = unicodedata.normalize("NFKD", text)
    text = text.lower()
    if not text.isascii() or not text.isprintable():
        text = "".join(c for c in text if c.isspace() or not _says_nothing(c))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _says_nothing(character: str) -> bool:
    return not (
        " " <= character <= "~" or unicodedata.category(character) not in _DROPPED
    )


def _tidy(text: str) -> str:
    """One space between words, no doubled stops, none at the ends."""
    return _apply(_TIDY, text) if _UNTIDY.search(text) else text


def _apply(rules: list[_Rule], text: str) -> str:
    for keys, pattern, new in rules:
        if not keys or any(key in text for key in keys):
            text = pattern.sub(new, text)
    return text
