"""Sentences that somebody wrote, with all their verbs found: what `plain` does for one.

"The man walks forward, then turns and waves his hand." is read as the phrase "~walk
forward, then ~turn and ~wave {poss} hand", told of "the man" in the third person. From
there it can be told of somebody else and in other forms. A sentence is read only if
every verb that would have to change was found; most noun phrases, sentences with more
than one subject and those with verbs nobody listed are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from texedo.data.captions.banks import load_tables
from texedo.data.captions.grammar import Form, inflect
from texedo.data.captions.tagging import bank_verbs

Told = Literal["third", "base", "ing"]
"""How a sentence was told: he walks, walk, walking."""

_BANK = load_tables("reading")
_STARTS = frozenset(_BANK["starts"].split())
_NOUNS = frozenset(_BANK["nouns"].split())
_THINGS = frozenset(_BANK["things"].split())
_COMPOUNDS = frozenset(_BANK["compounds"].split())
_ANYBODY = re.compile(rf"(?:{''.join(_BANK['anybody'].split(chr(10)))})(?: is)? ")
_SOMEBODY = re.compile(r"(?:a|an|the) (?:[a-z'-]+ ){1,3}?(?=(?:[a-z]+ly )?[a-z]+s )")
"""Who is not anybody: a dancer, an old man, a zombie."""
_LEAD = re.compile(
    rf"(?:(?:{''.join(_BANK['leads'].split(chr(10)))})\b|[a-z]+ing\b)[^.;:]*?, "
)
_SEEN = re.compile(r"(?:there is|we see|this is|here is) (?=an? |some)|^can be seen ")
_ADVERBS = r"(?:(?:[a-z]+ly|then|also|first|finally|next|again|back) )*"
_WORD = re.compile(r"[a-z'-]+")
_JOINT = re.compile(
    r"(?:, |; )?(?:\b(?:and|then|but|or)\b )?(?:(?:after that|afterwards|finally|next|"
    r"subsequently|meanwhile|at last),? )?(?:then )?"
    rf"(?P<adverbs>{_ADVERBS})(?P<verb>[a-z'-]+)"
)
_YOU = re.compile(r"\byou\b")
_ENDS_IN_S = re.compile(r"\b[a-z]+s\b")
_A_LIST = re.compile(r"~\w+(?:,| and) [^~]*")
"""Things rather than deeds: "punches, footwork and a big duck"."""
_ING_LIST = re.compile(r", \w+ing\b[^,]*(?:,|,? and(?: then)?) \w+ing\b")
"""Three deeds, or one with two that go with it? Nobody knows."""
_STOP = re.compile("[ ,;.]")
_LINK = re.compile(r", |; | and | then | but ")
_PRONOUN_LINK = re.compile(
    r"(?P<link> as | while |, after which |\. (?:(?:then|next|after that|finally|"
    r"afterwards),? )?)(?P<who>he|she|they|it|you) (?P<then>then )?(?=(?P<verb>[a-z]+))"
)
_RESTLESS = re.compile(
    r"\b(?:who|which|that|when|where|if(?! \w+ing\b| to\b)|because|so|until(?! \w+ing\b)|"
    r"as(?! (?:if|though|usual|far|before|a|an|one)\b)|than|though(?! \w+ing\b| to\b)|"
    r"is|are|was|were|be|been|not|do not|cannot|can|will|must|let's|i|we|him|us|me)\b"
    r"|[.:;!?(){}~\"]"
)
"""What may hide a verb of its own, or somebody else."""
_OWNER = re.compile(r"\b(?:his|her|their|your)\b")
_SELF = re.compile(r"\b(?:himself|herself|themselves|themself|yourself)\b")
_ITS, _ITSELF = re.compile(r"\bits\b"), re.compile(r"\bitself\b")
_OWN_SUBJECT = re.compile(
    r"\b(?:arms?|hands?|legs?|f[eo]{2}t|knees?|head|body|torso|one|elbows?|fists?|"
    r"shoulders?|he|she|they|it|you)(?: (?:still|then|[a-z]+ly))? ([a-z]+)\b"
)
_FORM_OF: dict[Told, Form] = {"third": "third", "base": "base", "ing": "ing"}


@dataclass(frozen=True)
class Reading:
    """A sentence taken apart."""

    lead: str
    """What is told before the subject, "with both arms high, "; mostly nothing."""
    subject: str
    """As it was written, "the dancer"; nothing in an order or a gerund."""
    anybody: bool
    """Nothing is lost if somebody else does it."""
    told: Told
    phrase: str
    """All verbs marked, the owner open, the subject's pronoun "{pron}"."""
    opening: str = ""
    """All that stands before the phrase, as it was written: "the man is "."""


@cache
def _verbs() -> frozenset[str]:
    return frozenset(_BANK["verbs"].split()) | bank_verbs()


@cache
def _forms(told: Told) -> dict[str, str]:
    """Every verb in one form, with its base."""
    return {inflect(verb, _FORM_OF[told]): verb for verb in sorted(_verbs())}


def read(text: str) -> Reading | None:
    """The sentence with its verbs found; None if it does not come apart cleanly."""
    plain = text.strip().rstrip(".!")
    plain = whole = plain[:1].lower() + plain[1:]
    if any(mark in plain for mark in "{}~"):
        return None
    seen = _SEEN.match(plain)
    plain = plain[seen.end() :] if seen else plain
    lead = ""
    who = _ANYBODY.match(plain)
    if who is None and (match := _LEAD.match(plain)):
        after = plain[match.end() :]
        if (who := _ANYBODY.match(after)) is not None:
            lead, plain = match.group(), after
    if who is None:
        return _without_anybody(plain)
    rest = plain[who.end() :].removeprefix("can be seen ")
    found = _of_anybody(lead, who.group(), rest)
    return found and replace(found, opening=whole[: len(whole) - len(rest)])


def _of_anybody(lead: str, who: str, rest: str) -> Reading | None:
    if _RESTLESS.search(lead) or re.search(r"\b(?:he|she|they|it)\b", lead):
        return None
    subject = who.strip().removesuffix(" is")
    robotic = subject.split()[-1] in ("robot", "humanoid", "figure", "character")
    told: Told
    if who.endswith(" is "):
        told = "ing"
    elif _first_verb(rest, "third"):
        told = "third"
    elif subject == "they" and _first_verb(rest, "base"):
        told = "base"
    else:
        told = "ing"
    phrase = _marked(rest, told, robotic)
    if phrase is None:
        return None
    return Reading(_owned(lead, robotic), subject, True, told, phrase)


def _without_anybody(plain: str) -> Reading | None:
    for told in ("base", "ing", "third"):
        if _first_verb(plain, told):
            if told == "base" and _is_compound(plain):
                return None
            phrase = _marked(plain, told, robotic=False)
            if told == "third" and phrase and _A_LIST.fullmatch(phrase):
                return None
            return Reading("", "", True, told, phrase) if phrase else None
    who = _SOMEBODY.match(plain)
    if who is None or not _first_verb(plain[who.end() :], "third"):
        return None
    if re.search(r"\b(?:of|and|with|in|on)\b", who.group()):
        return None
    phrase = _marked(plain[who.end() :], "third", robotic=False, owned=False)
    if phrase is None or "{pron}" in phrase:
        return None
    return Reading("", who.group().strip(), False, "third", phrase, who.group())


def _is_compound(order: str) -> bool:
    """ "Punch combination" names a thing; "punch twice" is an order."""
    first = _first_verb(order, "base")
    after = _WORD.match(order, first.end() + 1) if first else None
    return after is not None and after.group() in _COMPOUNDS


def _first_verb(text: str, told: Told) -> re.Match[str] | None:
    match = re.match(rf"{_ADVERBS}([a-z'-]+)(?= |,|$)", text)
    return match if match and match[1] in _forms(told) else None


def _owned(text: str, robotic: bool) -> str:
    text = _OWNER.sub("{poss}", _SELF.sub("{refl}", text))
    return _ITS.sub("{poss}", _ITSELF.sub("{refl}", text)) if robotic else text


def _marked(text: str, told: Told, robotic: bool, owned: bool = True) -> str | None:
    """The verbs of a sentence without its subject marked; None if one is in doubt."""
    first = _first_verb(text, told)
    if first is None or (told == "ing" and _ING_LIST.search(text)):
        return None
    scan = _Scan(text, told, robotic, first)
    while scan.at < len(text):
        if not scan.step():
            return None
    phrase = "".join(scan.out)
    bare = phrase.replace("{pron}", "").replace("~", "")
    if "{pron}" in phrase:
        bare = re.sub(r" as  | as (?=\w)|\. (?=\w| )", " ", bare)
    if _RESTLESS.search(bare) or _YOU.search(bare) or _hides_a_verb(phrase):
        return None
    return _owned(phrase, robotic) if owned else phrase


class _Scan:
    """Goes through a sentence from its first verb on and marks the others."""

    def __init__(
        self, text: str, told: Told, robotic: bool, first: re.Match[str]
    ) -> None:
        self._text, self._told, self._robotic = text, told, robotic
        self._forms = _forms(told)
        self.out = [text[: first.start(1)], "~", self._forms[first[1]]]
        self.at = first.end(1)
        self._tail = False
        """Inside "while waving and ...": what follows "and" is no new part."""

    def step(self) -> bool:
        """One part further; False if what stands there is in doubt."""
        text, at = self._text, self.at
        if (pronoun := _PRONOUN_LINK.match(text, at)) is not None:
            return self._pronoun(pronoun)
        link = _LINK.match(text, at)
        joint = _JOINT.match(text, at + (link is not None and text[at] == " "))
        if link is None or joint is None:
            if text.startswith((" while ", " before ", " by "), at):
                self._tail = True
            stop = _STOP.search(text, at + 1)
            self._keep(stop.start() if stop else len(text))
            return True
        return self._joint(link.group(), joint)

    def _keep(self, end: int) -> None:
        self.out.append(self._text[self.at : end])
        self.at = end

    def _pronoun(self, found: re.Match[str]) -> bool:
        base = _after_pronoun(found["who"], found["verb"])
        if base is None or (found["who"] == "it") != self._robotic:
            return False
        self.out += [found["link"], "{pron} ", found["then"] or "", "~", base]
        self.at, self._tail = found.end() + len(found["verb"]), False
        return True

    def _joint(self, link: str, joint: re.Match[str]) -> bool:
        word, told = joint["verb"], self._told
        sequel = "then" in joint.group() or "after" in joint.group()
        in_tail = told == "ing" and not sequel
        in_tail = in_tail and (
            self._tail or link == ", " and "and" not in joint.group()
        )
        if word in self._forms and not in_tail and _may_be_verb(self.out, told):
            self._keep(joint.start("verb"))
            self.out += ["~", self._forms[word]]
            self.at, self._tail = joint.end(), False
        elif told != "third" and not word.endswith("ing") and _new_thing(joint.group()):
            return False  # "crouch, then three steps": the second part has no verb
        elif in_tail or _no_verb(word, told):
            self._tail = self._tail or word.endswith("ing")
            self._keep(joint.start("verb"))
        else:
            return False
        return True


def _hides_a_verb(phrase: str) -> bool:
    """Whether a verb stayed unmarked: "a standing referee makes a call"."""
    third, base = _forms("third"), _forms("base")
    if any(word in third or word in base for word in _OWN_SUBJECT.findall(phrase)):
        return True
    return any(
        word in third and word not in _THINGS and phrase[at - 1] != "~"
        for at, word in ((m.start(), m.group()) for m in _ENDS_IN_S.finditer(phrase))
    )


def _may_be_verb(out: list[str], told: Told) -> bool:
    """ "Two jumps and kicks" are things; "jumps and kicks" are deeds."""
    if told != "third":
        return True
    said = "".join(out)
    before = _WORD.findall(said)[-1]
    return "~" + _forms("third").get(before, "") == said[said.rfind("~") :] or (
        before not in _forms("third") or said.endswith("steps")
    )


def _new_thing(joint: str) -> bool:
    """Whether a part begins with a thing instead of a verb: ", then a turn"."""
    return (
        re.search(
            r"then (?!the\b|both\b)|^, (?:a|an|one|two|three|four|five|six) ?", joint
        )
        is not None
    )


def _no_verb(word: str, told: Told) -> bool:
    """Whether a word after "and" is surely not the verb of another part."""
    if told == "third":
        return not word.endswith("s") or word in _NOUNS or word.endswith("ss")
    if told == "base":
        return word in _STARTS or word.endswith(("ing", "ly"))
    return not word.endswith("ing")


def _after_pronoun(who: str, verb: str) -> str | None:
    plural = who in ("they", "you")
    return _forms("base" if plural else "third").get(verb)


def verb_of_ing(word: str) -> str | None:
    """The verb of an -ing form, if it is one of those listed."""
    return _forms("ing").get(word)


def verb_forms(verb: str) -> tuple[str, str, str]:
    """ "walk", "walks", "walking"."""
    return verb, inflect(verb, "third"), inflect(verb, "ing")
