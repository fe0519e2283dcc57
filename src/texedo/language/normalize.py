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

_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rules(*pairs: tuple[str, str | Callable[[re.Match[str]], str]]) -> list[_Rule]:
    return [(re.compile(pattern), new) for pattern, new in pairs]


def _number(match: re.Match[str]) -> str:
    value = int(match[0])
    return _NUMBERS[value] if value < len(_NUMBERS) else match[0]


_SPELLED_OUT = _rules(
    # Contractions, with and without their apostrophe.
    (r"\bcan'?t\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (rf"\b({'|'.join(_NOT)})n't\b", r"\1 not"),
    (r"\b(do|does|did|is|are|was|were|has|have)nt\b", r"\1 not"),
    (rf"\b({_WHO})'s\b", r"\1 is"),
    (r"\bi'?m\b", "i am"),
    (r"\b(you|we|they)'re\b", r"\1 are"),
    (r"\b(i|you|we|they)'ve\b", r"\1 have"),
    (r"\b(i|you|we|they|he|she|it)'ll\b", r"\1 will"),
    (r"\blet's\b", "let us"),
    # Signs and short forms.
    (r"\bw/o\b", "without"),
    (r"\bw/(?=\s*\w)", "with "),
    (r"(?<=[a-z])\s*\+\s*(?=[a-z])", " and "),
    (r"[_*#~|<>{}\[\]\\^=+/]+", " "),
    (r"(\d)\s*degs?\b\.?", r"\1 degrees"),
    (r"(\d)(degrees?)\b", r"\1 \2"),
    (r"\bdegrees( +degrees)+\b", "degrees"),
    (r"\b(\d+|[a-z]+)\s+x\s+(?=\d)", r"\1 by "),
    (r"\b(\d+)\s*x\b", r"\1 times"),
    (r"\bx\s*(\d+)\b", r"\1 times"),
    (r"(\d)\s*(?:cm|centimet(?:er|re)s?)\b", r"\1 centimeters"),
    (r"(\d)\s*(?:m|met(?:er|re)s)\b", r"\1 meters"),
    (r"(\d)\s*(?:s|secs?|seconds)\b\.?", r"\1 seconds"),
    (r"(\d)\s*(?:mins?|minutes)\b\.?", r"\1 minutes"),
    (r"\bmetre(s?)\b", r"meter\1"),
    (r"\bcentimetre(s?)\b", r"centimeter\1"),
    (r"\bccw\b", "counterclockwise"),
    (r"\bcw\b", "clockwise"),
)
_HYPHENS = _rules(
    (r"\b(?:counter|anti)\s*-?\s*clock\s*-?\s*wise\b", "counterclockwise"),
    (r"\bclock\s*-\s*wise\b", "clockwise"),
    (r"\bzig\s*-?\s*zag", "zigzag"),
    (r"\btip\s*-?\s*toe", "tiptoe"),
    (r"\bside-step", "sidestep"),
    # "On the left side steps a man": there the side is a noun.
    (
        r"(?<!the )(?<!left )(?<!right )(?<!one )(?<!each )(?<!other )(?<!this )"
        r"(?<!that )(?<!either )(?<!to )\bside step(?=s?\b|ping\b|ped\b)",
        "sidestep",
    ),
    (r"(?<![\d.-])(\d+)\s*-\s*(\d+)(?![\d.-])", r"\1 to \2"),
    (r"(?<=\w)\s+-+\s+(?=\w)", ", "),
    (r"-+", " "),
    (r"\b(for|back|to|up|down|left|right|in|out)wards\b", r"\1ward"),
    (r"\b(for|back|to) wards?\b(?! off)", r"\1ward"),
    (r"\bside ?wards?\b", "sideways"),
    (r"\b(push|pull|sit|chin)(ups?)\b", r"\1 \2"),
    (r"\btpose\b", "t pose"),
    (r"\buturn(s?)\b", r"u turn\1"),
    (r"(?<![\d.,:])\b\d{1,2}\b(?![.,:]\d)", _number),
    (r"\bone times\b", "once"),
    (r"\btwo times\b", "twice"),
)
_TIDY = _rules(
    (r"[!?]+", "."),
    (r";+", ","),
    (r'"', " "),
    (r"(?<!\w)'|'(?!\w)", " "),
    (r"\(([^()]*)\)", r", \1,"),
    (r"[()]", " "),
    (r"\s+", " "),
    (r"(?:\s*[,.:])*\s*\.(?:\s*[,.:])*(?!\d)", "."),
    (r"\s*,(?:\s*[,:])*", ","),
    (r"([,.:])(?=[^\W\d])", r"\1 "),
    (r",(?=\d)(?<!\d,)", ", "),
    (r"^[\s,.:]+|[\s,.:]+$", ""),
)
_UNTIDY = re.compile(r"[^\w ,]|\s\s|,[^ ]|[ ,],|^[ ,]|[ ,]$")
_ROUNDS = 8

_ROBOT = r"(?:the |my |your |this |that )?(?:unitree |humanoid )?(?:g1|robot|humanoid)"
_WRAPPERS = _rules(
    (r"\b(?:please|pls|plz|kindly|thank you|thanks)\b", " "),
    (rf"^(?:hey|hi|hello|ok|okay|so|now)?[, ]*{_ROBOT}\s*[,:.]\s*", ""),
    (r", (?:robot|humanoid|g1)$", ""),
    (
        r"^(?:hey|ok|okay)?[, ]*(?:(?:can|could|would|will) (?:you|we)"
        r"|i (?:want|need|would like|'d like) (?:you|it|him|her|them) to"
        r"|(?:i want|i need|i would like) (?:the |a |my )?(?:robot|humanoid|g1|person) to"
        r"|(?:make|let|have|get) (?:the |my |a )?(?:robot|humanoid|g1)(?: to)?"
        r"|try to|let us"
        r"|(?:generate|create|animate|show me|give me|show) "
        r"(?:me )?(?:a |an |the )?(?:motion|animation|movement|clip|video)"
        r" (?:of|where|in which|that shows|showing))\s+",
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
    return _tidy(_apply(_WRAPPERS, text)) or text  # "please" stays: better than nothing.


def _letters(text: str) -> str:
    """Small letters without accents, emoji and invisible marks."""
    text = text.translate(_TRANSLATED)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TRANSLATED).lower()
        text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text.lower() if c.isspace() or not _says_nothing(c))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _says_nothing(character: str) -> bool:
    return not (
        " " <= character <= "~" or unicodedata.category(character) not in _DROPPED
    )


def _tidy(text: str) -> str:
    """One space between words, no doubled stops, none at the ends."""
    return _apply(_TIDY, text) if _UNTIDY.search(text) else text


def _apply(rules: list[_Rule], text: str) -> str:
    for pattern, new in rules:
        text = pattern.sub(new, text)
    return text
