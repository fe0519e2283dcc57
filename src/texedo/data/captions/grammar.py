"""The little English that the phrase banks need: verb forms, pronouns, articles.

A phrase marks its verbs with a tilde and its owner with braces: "~raise {poss} left hand
and ~wave". One phrase then gives "raises her left hand and waves", "raising ...",
"raised ..." and "raise ...".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["base", "third", "ing", "past"]

_IRREGULAR: dict[str, tuple[str, str, str]] = {
    # base: third person, -ing, past
    "be": ("is", "being", "was"),
    "bring": ("brings", "bringing", "brought"),
    "bend": ("bends", "bending", "bent"),
    "come": ("comes", "coming", "came"),
    "creep": ("creeps", "creeping", "crept"),
    "cut": ("cuts", "cutting", "cut"),
    "do": ("does", "doing", "did"),
    "drink": ("drinks", "drinking", "drank"),
    "draw": ("draws", "drawing", "drew"),
    "drive": ("drives", "driving", "drove"),
    "flee": ("flees", "fleeing", "fled"),
    "fight": ("fights", "fighting", "fought"),
    "fling": ("flings", "flinging", "flung"),
    "get": ("gets", "getting", "got"),
    "give": ("gives", "giving", "gave"),
    "go": ("goes", "going", "went"),
    "have": ("has", "having", "had"),
    "hold": ("holds", "holding", "held"),
    "keep": ("keeps", "keeping", "kept"),
    "kneel": ("kneels", "kneeling", "knelt"),
    "let": ("lets", "letting", "let"),
    "lie": ("lies", "lying", "lay"),
    "leap": ("leaps", "leaping", "leapt"),
    "make": ("makes", "making", "made"),
    "meet": ("meets", "meeting", "met"),
    "mimic": ("mimics", "mimicking", "mimicked"),
    "put": ("puts", "putting", "put"),
    "rise": ("rises", "rising", "rose"),
    "run": ("runs", "running", "ran"),
    "set": ("sets", "setting", "set"),
    "show": ("shows", "showing", "showed"),
    "sink": ("sinks", "sinking", "sank"),
    "shake": ("shakes", "shaking", "shook"),
    "shoot": ("shoots", "shooting", "shot"),
    "shrink": ("shrinks", "shrinking", "shrank"),
    "slide": ("slides", "sliding", "slid"),
    "spin": ("spins", "spinning", "spun"),
    "spread": ("spreads", "spreading", "spread"),
    "spring": ("springs", "springing", "sprang"),
    "stand": ("stands", "standing", "stood"),
    "steal": ("steals", "stealing", "stole"),
    "stick": ("sticks", "sticking", "stuck"),
    "stride": ("strides", "striding", "strode"),
    "slink": ("slinks", "slinking", "slunk"),
    "strike": ("strikes", "striking", "struck"),
    "sweep": ("sweeps", "sweeping", "swept"),
    "swim": ("swims", "swimming", "swam"),
    "swing": ("swings", "swinging", "swung"),
    "take": ("takes", "taking", "took"),
    "tie": ("ties", "tying", "tied"),
    "thrust": ("thrusts", "thrusting", "thrust"),
    "throw": ("throws", "throwing", "threw"),
    "weave": ("weaves", "weaving", "wove"),
    "weep": ("weeps", "weeping", "wept"),
    "wind": ("winds", "winding", "wound"),
}
_DOUBLES = frozenset(
    "bat beg begin bob chop chug clap crab cup cut dab dig dip drag drop drum eavesdrop fan flag "
    "flap flip grab hit hop hug jab jig jog knit lob lug mop nod pat pet plan plod plug pop rap "
    "rub sag scan scrub shrug shut sidestep sip sit skip slam slap slip snap sob spar split squat "
    "stab step stir stop strum strut swat swim tap tip trek trip trot tug uppercut wag whip wrap "
    "zigzag zip".split()
)
_VERB = re.compile(r"~([a-z]+)")


def inflect(verb: str, form: Form) -> str:
    """A verb of the banks in the form asked for."""
    if form == "base":
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][("third", "ing", "past").index(form)]
    vowel_y = verb.endswith("y") and verb[-2] not in "aeiou"
    if form == "third":
        if vowel_y:
            return verb[:-1] + "ies"
        return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z")) else "s")
    stem = verb + verb[-1] if verb in _DOUBLES else verb
    if form == "ing":
        silent = verb.endswith("e") and not verb.endswith(("ee", "oe", "ye"))
        return (verb[:-1] if silent else stem) + "ing"
    if vowel_y:
        return verb[:-1] + "ied"
    return stem + ("d" if verb.endswith("e") else "ed")


@dataclass(frozen=True)
class Subject:
    """Who does it."""

    name: str
    pronoun: str
    possessive: str
    reflexive: str

    @property
    def plural(self) -> bool:
        """ "They walk", but "a person walks"."""
        return self.name == "they"


def conjugate(phrase: str, form: Form, subject: Subject) -> str:
    """A phrase with all its verbs in one form and its owner filled in."""
    if form == "third" and subject.plural:
        form = "base"
    text = _VERB.sub(lambda match: inflect(match[1], form), phrase)
    return text.replace("{poss}", subject.possessive).replace(
        "{refl}", subject.reflexive
    )


def participle(phrase: str) -> str:
    """A phrase with its verbs in the -ing form and its owner still open."""
    return _VERB.sub(lambda match: inflect(match[1], "ing"), phrase)


_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve".split()
)


def number_word(number: int) -> str:
    """ "three" up to twelve, digits beyond."""
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)


def times_word(count: int) -> str:
    """ "twice", "three times"."""
    return {1: "once", 2: "twice"}.get(count, f"{number_word(count)} times")


_ARTICLE = re.compile(r"\b([Aa])n?\s+(?=([A-Za-z][A-Za-z-]*|\d+))")
_VOWEL_SOUND = re.compile(
    r"(?i)^(?:[aeio]|u(?!ni|s[ei]|t[ei]l|-)|hour|honest|8|11$|18$)"
)


def fix_articles(text: str) -> str:
    """ "a" before consonants and "an" before vowels, by sound."""

    def article(match: re.Match[str]) -> str:
        vowel = bool(_VOWEL_SOUND.match(match[2])) and not match[2].startswith("one")
        vowel = vowel or match[2] in tuple("FHLMNRSX")  # an S, spoken "ess"
        return match[1] + ("n " if vowel else " ")

    return _ARTICLE.sub(article, text)


def tidy(text: str) -> str:
    """One space between words, none before a comma, the right articles."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;])", r"\1", text)
    text = re.sub(r"([,;])(?:\s*[,;])+", r"\1", text)
    text = re.sub(r"\b(up|to) \1\b", r"\1", text)
    return fix_articles(text)
