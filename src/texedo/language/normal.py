"""One way to write a prompt: what differs in letters alone is made the same.

    normalize("Please turn 90° counter-clockwise, 3x!")
    # "turn 90 degrees counterclockwise, three times"

Captions go through it before training and prompts before they are read, so a model sees
one form of each. It knows no list of words; `spelling` does. Twice is the same as once.
"""

from __future__ import annotations

import re
import unicodedata

from texedo.language.asking import POLITE
from texedo.language.rewriting import apply, rules
from texedo.language.terse import NUMBERED, TERSE

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


def _number(match: re.Match[str]) -> str:
    value = int(match[0])
    return _NUMBERS[value] if value < len(_NUMBERS) else match[0]


def _stop(match: re.Match[str]) -> str:
    """A run of stops is its strongest one."""
    strongest = next((c for c in ".:," if c in match[0]), "")
    return strongest + " "


def _quarters(match: re.Match[str]) -> str:
    return "quarter" if match[1] == "1" else "three quarter"


_DIGITS = "0 1 2 3 4 5 6 7 8 9"
_TURNS = "turn|spin|spun|rotat|pivot|twirl"
_TURNING = _TURNS.replace("|", " ")
_ANGLES = "45|90|135|180|270|360|540|720"
_NO_WAY = "for|and|then|while|with"
_NO_UNIT = r"(?!\s*(?:-|d[a-z]*g|times|seconds|rpm|rounds|steps|meter|centi))"
_SPELLED_OUT = rules(
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
    (
        "lets",
        r"^lets (?=(?:see|do|have|all|dance|go|try|make|walk|jump|play|get"
        r"|start)\b)(?!go of)",
        "let us ",
    ),
    ("@", r"\s*@\s*", " at "),
    ("let's", r"\blet's\b", "let us"),
    # Signs and short forms.
    ("m/s", r"(?<![a-z])m/s\b|\bmeters?/s(?:ec)?\b", " meters per second"),
    ("km", r"\b(?:km/h|kmh|kph)\b", " kilometers per hour"),
    (
        "/s",
        r"\s*(?<![a-z])(degree|deg|rev|rad|step|rep)s?\s*/\s*s(?:ec(?:ond)?)?\b",
        r" \1s per second",
    ),
    ("rev", r"\b(one|1) revs?\b(?=$|[,. ])", "one revolution"),
    ("rev", r"\brevs\b", "revolutions"),
    ("/", r"(?<![\d/])1\s*/\s*2(?![\d/])", "half"),
    ("/", r"(?<![\d/])([13])\s*/\s*4(?![\d/])", _quarters),
    ("~", r"~\s*(?=\d)", "about "),
    ("about", r"\b(about|around|approximately|roughly) about\b", r"\1"),
    ("*", r"(?<=[\w)])\s*\*\s*(?=\d)", " x"),
    ("w/o", r"\bw/o\b", "without"),
    ("w/", r"\bw/(?=\s*\w)", "with "),
    ("+", r"(?<=[a-z])\s*\+\s*(?=[a-z])", " and "),
    ("", r"[_*#~|<>{}\[\]\\^=+/]+", " "),
    ("deg", r"(\d)\s*degs?\b\.?", r"\1 degrees"),
    ("deg", r"(\d)(degrees?)\b", r"\1 \2"),
    (
        _TURNING,
        rf"\b((?:{_TURNS})\w*(?: (?!{_NO_WAY})[a-z]+){{0,3}}) ({_ANGLES})\b{_NO_UNIT}",
        r"\1 \2 degrees",
    ),
    (
        _ANGLES.replace("|", " "),
        rf"\b(a|one|full) ({_ANGLES})(?= (?:{_TURNS}))",
        r"\1 \2 degree",
    ),
    (
        _ANGLES.replace("|", " "),
        rf"\b(do|does|doing) (?:a|one) ({_ANGLES})\b(?=$|[,.]| (?:to|on|in|and|then"
        rf"|left|right)\b)",
        r"\1 a \2 degree turn",
    ),
    ("degrees", r"\bdegrees( +degrees)+\b", "degrees"),
    (
        "x",
        r"\b(\d+)\s*x\s*(\d+)(?= (?!meters|centi|feet|steps)(?:\w+ )?[a-z]{3,}s\b)",
        r"\1 sets of \2",
    ),
    ("x", r"(\d)\s*x\s*(?=\d)", r"\1 by "),
    ("x", r"\b(\d+)\s*x\b", r"\1 times"),
    ("x", r"\bx\s*(\d+)\b", r"\1 times"),
    ("c", r"(\d)\s*(?:cm|centimet(?:er|re)s?)\b", r"\1 centimeters"),
    (_DIGITS, r"(\d)\s*(?:m|met(?:er|re)s)\b", r"\1 meters"),
    (_DIGITS, r"(\d)\s*(?:s|secs?|seconds)\b\.?", r"\1 seconds"),
    (_DIGITS, r"(\d)\s*(?:mins?|minutes)\b\.?", r"\1 minutes"),
    ("sec", r"\bsecs\b\.?", "seconds"),
    ("sec", r"\b(an?|one|1|half a) sec\b\.?", r"\1 second"),
    ("min", r"\b(\w+) mins\b\.?", r"\1 minutes"),
    (_DIGITS, r"(\d)\s*(?:ft|feet|foot)\b\.?(?! (?:up|apart|together))", r"\1 feet"),
    ("reps", r"(\d)\s*reps\b", r"\1 reps"),
    ("metre", r"\b(centi)?metre(s?)\b", r"\1meter\2"),
    ("wanna", r"\bwanna\b", "want to"),
    ("gonna", r"\bgonna\b", "going to"),
    ("gotta", r"\bgotta\b", "have to"),
    ("lemme", r"\blemme\b", "let me"),
    ("kinda sorta", r"\b(kind|sort)a\b", r"\1 of"),
    ("thx ty", r"\b(?:thx|tysm|ty)\b", "thanks"),
    ("u r", r"\bu r\b(?! (?:arm|hand|leg|foot))", "you are"),
    ("youre", r"\byoure\b", "you are"),
    ("gimme", r"\bgimme\b", "give me"),
    ("u", r"\bu(r?)\b(?![ -]*(?:turn|shape))", r"you\1"),
    ("wd", r"\bfwds?\b", "forward"),
    ("wd", r"\b(?:bwd|bkwd)s?\b", "backward"),
    ("arnd", r"\barnd\b", "around"),
    ("ccw", r"\bccw\b", "counterclockwise"),
    ("cw", r"\bcw\b", "clockwise"),
)
_HYPHENS = rules(
    (
        "clock",
        r"\b(?:counter|anti)\s*-?\s*clock\s*-?\s*wise\b",
        "counterclockwise",
    ),
    ("clock", r"\bclock\s*-\s*wise\b", "clockwise"),
    ("zig", r"\bzig\s*-?\s*zag", "zigzag"),
    ("tip", r"\btip\s*-?\s*toe", "tiptoe"),
    ("side-step", r"\bside-step", "sidestep"),
    ("shuffle", r"(?<!the )\bside shuffle(s?)\b", r"sidestep\1"),
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
_TIDY = rules(
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


def normalize(text: str) -> str:
    """The text in small letters, with one spelling of what has several.

    Quotes, dashes, emoji, contractions, hyphens, units, numbers to twelve, polite words.
    """
    text = apply(NUMBERED, _letters(text))
    # A rule may make work for one before it; most texts are done after the first round.
    for _ in range(_ROUNDS):
        if (done := _once(text)) == text:
            break
        text = done
    return text


def _once(text: str) -> str:
    text = _tidy(apply(TERSE, apply(_HYPHENS, apply(_SPELLED_OUT, text))))
    return _tidy(apply(POLITE, text)) or text  # "please" stays: better than nothing.


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
    return apply(_TIDY, text) if _UNTIDY.search(text) else text
