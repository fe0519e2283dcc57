"""Verb phrases of sentences that somebody wrote: "he waves his hand" is "~wave {poss} hand".

Our own sentences are made from phrases and need no reading. A label's or a user's
sentence comes as text; where it is plain, with one verb in the present, it can be told
in other forms and together with others. What does not come apart cleanly is left out:
better no phrase than a clumsy one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from texedo.data.captions.grammar import inflect

WHO = re.compile(
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
OWNER = re.compile(r"\b(his|her|their|its)\b")
SELF = re.compile(r"\b(himself|herself|themselves|itself|themself)\b")
_DOUBTFUL = re.compile(r"^[^aeiou]*[aeiou][bdgklmnprt]$")
"""Short verbs of which it is not known whether they double their last letter."""
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


def plain_phrase(caption: str) -> str | None:
    """The verb phrase of a sentence with one verb in the present; None if it is not."""
    text = caption.strip().rstrip(".!")
    text = text[:1].lower() + text[1:]
    match = WHO.match(text)
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
    if base is None or not base.isalpha() or not is_sure(base):
        return None
    rest = (f" {rest}" if rest else "") + tail
    return f"~{base}" + OWNER.sub("{poss}", SELF.sub("{refl}", rest))


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


def is_sure(base: str) -> bool:
    """Whether the banks know how to put the verb into its forms."""
    if base in _UNKNOWN and inflect(base, "past").endswith("ed"):
        return False
    return not (_DOUBTFUL.match(base) and inflect(base, "ing") == f"{base}ing")


def plain_phrases(captions: Iterable[str]) -> list[str]:
    """The phrases of all captions that have one, without repetition."""
    found = (plain_phrase(caption) for caption in captions)
    return list(dict.fromkeys(phrase for phrase in found if phrase is not None))
