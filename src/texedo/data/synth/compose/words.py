"""Sentences about composed motions, made from sentences about their parts.

A plain sentence is taken back to the verb phrase it came from, "a person waves her hand"
to "~wave {poss} hand"; phrases of the parts are then put into one sentence. What does
not come apart cleanly is left out: better no caption than a clumsy one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import inflect
from texedo.data.captions.sentences import Part, sentence

_WHO = re.compile(
    r"^(?:(?:a|an|the|this|one)\s+(?:\w+\s+)?(?:person|man|woman|human|humanoid|figure|"
    r"guy|lady|individual|subject|character|robot|boy|girl)"
    r"|(?:a|the)\s+humanoid\s+robot|person|man|someone|somebody|he|she)\s+"
)
_OTHERS = re.compile(r"\b(he|she|they|him|who|it|i'm|you|your)\b")
"""Someone who may not be the subject any more after the parts are joined."""
_COMPOUND = re.compile(
    r"\b(and|then|while|as|before|after|or|until|when|where|but|so|if)\b|[,;:.]"
)
_TAIL = re.compile(r"(?: while|,) (?=\w+ing\b)")
_RESTLESS = re.compile(
    r"\b(then|before|after|as|until|when|but|or|so|if)\b|[;:.]|, and"
)
_OWNER = re.compile(r"\b(his|her|their|its)\b")
_SELF = re.compile(r"\b(himself|herself|themselves|itself|themself)\b")
_DOUBTFUL = re.compile(r"^[^aeiou]*[aeiou][bdgklmnprt]$")
"""Short verbs of which it is not known whether they double their last letter."""
_PACE = re.compile(
    r"\b(slow\w*|quick\w*|fast\w*|brisk\w*|hurr\w*|rush\w*|rapid\w*|unhurried\w*|speed\w*"
    r"|leisure\w*|gradual\w*|sudden\w*|pace|run|jog\w*|sprint\w*|stroll\w*|still|stand"
    r"|pause|wait\w*|hold|keep|stay|remain\w*|motionless|at rest|ambl\w*|saunter\w*"
    r"|trudg\w*|plod\w*|dash\w*|dart\w*|race|relaxed|laid-back|careful\w*|panic)\b"
)
_ARMS = re.compile(
    r"\b(arms?|hands?|fists?|elbow\w*|finger\w*|shoulder\w*|wav\w+|carr\w+|hold\w*|punch\w*"
    r"|clap\w*|box\w*|throw\w*|reach\w*|point\w*|swing\w*|gestur\w+|objects?|box|something"
    r"|drink\w*|phone|push\w*|pull\w*|catch\w*|lift\w*|grab\w*|pick\w*|flap\w*|dribbl\w*"
    r"|sweep\w*|salut\w*|stretch\w*|danc\w*|jump\w*|hop\w*|act\w*|imitat\w*|mim\w+|like)\b"
)
"""Words after which the arms are not free for something else."""
_SILENT_E = re.compile(
    r"([bcdfgkptz]l|[nr]c|[rd]g|chang|lung|[nrl]s|[rl]v|[aeiou]{2}[svz]|[^aeiou][aiu]t"
    r"|plet|is|iz|ic|uc|u)$"
    r"|^[^aeiou]*[aeiou][^aeiouwxy]$"
)
"""Stems of -ing forms whose base ends in a silent e: shuffl-, danc-, rais-, wav-."""
_UNKNOWN = frozenset(
    "bear beat become begin bind bite blow break build buy catch choose cling deal dig "
    "dream eat fall feed feel find fly forget freeze grind grow hang hear hide hit hurt "
    "know lay lead leave lie lose mean mimic panic pay read ride ring say see sell send "
    "shut sing sit sleep speak spit split stink swear swim teach tear tell think tread "
    "understand wake wear win write zigzag".split()
)
"""Verbs with forms of their own, which the banks may not have."""
_IRREGULAR = {"goes": "go", "does": "do", "has": "have"}


def to_phrase(caption: str) -> str | None:
    """The verb phrase of a sentence with one verb in the present; None if it is not."""
    text = caption.strip().rstrip(".!")
    text = text[:1].lower() + text[1:]
    match = _WHO.match(text)
    if match is None:
        return None
    does, tail = _split_tail(text[match.end() :])
    if _COMPOUND.search(does) or _OTHERS.search(does + tail):
        return None
    if any(c in caption for c in "{}~") or not _is_calm(tail):
        return None
    verb, _, rest = does.partition(" ")
    if verb == "is":
        word, _, rest = rest.partition(" ")
        base = _from_ing(word)
    else:
        base = base_form(verb)
    if base is None or not base.isalpha() or not _is_sure(base):
        return None
    rest = (f" {rest}" if rest else "") + tail
    return f"~{base}" + _OWNER.sub("{poss}", _SELF.sub("{refl}", rest))


def _split_tail(does: str) -> tuple[str, str]:
    """Take off " while waving" or ", waving": it stays as it is in every form."""
    match = _TAIL.search(does)
    return (
        (does, "") if match is None else (does[: match.start()], does[match.start() :])
    )


def _is_calm(tail: str) -> bool:
    """Whether a tail holds nothing that would have to change with the form."""
    if _RESTLESS.search(tail):
        return False
    return all(base_form(word) is None for word in re.findall(r"\band (\w+)", tail))


def base_form(verb: str) -> str | None:
    """The base of a verb in the third person, "waves" to "wave"; None if it is none."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if len(verb) < 3 or not verb.endswith("s") or verb.endswith("ss"):
        return None
    candidates = [verb[:-1], verb[:-2]]
    if verb.endswith("ies"):
        candidates = [verb[:-3] + "y"]
    elif verb.endswith(("shes", "ches", "sses", "xes", "zes")):
        candidates = [verb[:-2]]
    return next((b for b in candidates if inflect(b, "third") == verb), None)


def _from_ing(word: str) -> str | None:
    """The base of an -ing form: "pushing" to "push", "waving" to "wave"."""
    stem = word[:-3]
    if not word.endswith("ing") or not re.search("[aeiou]", stem):
        return None
    silent = _SILENT_E.search(stem) is not None
    order = (stem[:-1], stem + "e", stem) if silent else (stem[:-1], stem, stem + "e")
    return next((b for b in order if len(b) > 1 and inflect(b, "ing") == word), None)


def _is_sure(base: str) -> bool:
    """Whether the banks know how to put the verb into its forms."""
    if base in _UNKNOWN and inflect(base, "past").endswith("ed"):
        return False
    return not (_DOUBTFUL.match(base) and inflect(base, "ing") == f"{base}ing")


def to_phrases(captions: Iterable[str]) -> list[str]:
    """The phrases of all captions that have one, without repetition."""
    found = (to_phrase(caption) for caption in captions)
    return list(dict.fromkeys(phrase for phrase in found if phrase is not None))


def is_simple(phrase: str) -> bool:
    """Whether a phrase tells of one thing only, so that a word can be added to it."""
    return "," not in phrase and " while " not in phrase


def arms_are_free(phrase: str) -> bool:
    """Whether a phrase says nothing that other arms would make false."""
    return is_simple(phrase) and _ARMS.search(phrase) is None


def join_captions(
    parts: Sequence[Sequence[str]], *, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences that tell the parts in order; each part is given by its phrases."""
    drawn = [choice.shuffled(list(phrases)) for phrases in parts]
    out: list[str] = []
    for i in range(number):
        chosen = [Part(phrases[i % len(phrases)]) for phrases in drawn]
        out.append(sentence(chosen, choice))
    return tuple(dict.fromkeys(out))


def overlay_captions(
    legs: Sequence[str], arms: Sequence[str], *, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences that tell of two things at once, the legs' being the longer one."""
    drawn = choice.shuffled(list(legs)), choice.shuffled(list(arms))
    out = []
    for i in range(number):
        during = drawn[1][i % len(drawn[1])]
        out.append(sentence([Part(drawn[0][i % len(drawn[0])], during)], choice))
    return tuple(dict.fromkeys(out))


_QUICK = "quickly|fast|at a quick pace|rapidly|swiftly|in a hurry|with haste|speedily"
_SLOW = "slowly|at a slow pace|unhurriedly|in slow motion|without haste|leisurely"


def pace_captions(
    captions: Sequence[str], *, quick: bool, number: int, choice: Choice
) -> tuple[str, ...]:
    """Sentences with a word for the tempo, from those that have none yet."""
    phrases = [
        phrase
        for phrase in to_phrases(captions)
        if is_simple(phrase) and not _PACE.search(phrase)
    ]
    out = []
    for i in range(number if phrases else 0):
        how = choice.text(f"[{_QUICK if quick else _SLOW}]")
        phrase = phrases[i % len(phrases)]
        if how.endswith("ly") and choice.chance(0.3):
            text = f"{how} {phrase}"
        else:
            text = f"{phrase} {how}"
        out.append(sentence([Part(text)], choice))
    return tuple(dict.fromkeys(out))
