"""The steps of a sentence, each a sentence of its own, and the posture that each tells.

Here a posture is a step by itself ("comes up with the arms overhead"), where other readers
take it for how the step before it ends.
"""

from __future__ import annotations

import re

from texedo.data.captions.asked.parse import says_verb
from texedo.data.captions.asked.stages import sentences_of
from texedo.data.captions.asked.tokens import LIGHT, PARTICLES, tokens_of
from texedo.data.captions.postures.read import NUMBERS, Taken, taken_from

_MOST = 8
"""Nobody asks for more in one sentence."""
_COUNT = r"(?:once|twice|\w+ times)"
_REWRITTEN = (
    (r"\bbefore (?=(?:the )?other\b)", "in front of "),
    # "Hops three times on the left": on the foot of that side.
    (
        rf"((?:hops?|jumps?|stands?|balances?|{_COUNT}) (?:{_COUNT} )?on (?:the |their )?(?:left|right))"
        r"(?! (?:leg|foot|hand|arm|knee|side|toe))(?=$|,| and| then)",
        r"\1 foot",
    ),
    # "Spins and ends with the arms wide": the arms come last.
    (r",? and (?:ends?|finishes|stops|freezes)(?: up)? (?=with|in )", ", then stands "),
    (r",? (?:ending|finishing|stopping)(?: up)? (?=with|in )", ", then stands "),
    # "Three times on the right foot, three times on the left".
    (
        rf"({_COUNT} on the (?:left|right)(?: \w+)?),? (?:and )?(?={_COUNT} on )",
        r"\1, then ",
    ),
    # "Four steps forward and back four steps" goes back as it came.
    (
        r"(?P<deed>\b\w+s) (?P<way>forward|backward|back) (?P<far>\w+ (?:steps?|counts?|meters?)),? and "
        r"(?=(?:back|backward|forward|ahead) \w+ (?:steps?|counts?|meters?)\b)",
        r"\g<deed> \g<way> \g<far>, then \g<deed> ",
    ),
    (r"(?<=s forward )(\w+) counts|(?<=s back )(\w+) counts", r"\1\2 steps"),
    (r"\bwith both(?=$|[,.;]| and\b| then\b)", "with both hands"),
    (
        r"\b(turns|spins|rotates) around (?:once )?(?:all the way|completely|fully)(?: around| round)?",
        r"\1 all the way around",
    ),
    # "Stretches the arms up, then out to the sides": the arms go there, too.
    (
        r"\b(?P<limb>(?:both |their |his |her |the )*(?:arms|hands)) (?P<one>[\w ]{2,30}),? (?:and )?then "
        r"(?=(?:out|up|overhead|forward|straight|above|to the sides?)\b)",
        r"\g<limb> \g<one>, then raises \g<limb> ",
    ),
    (r"\b(steps?) to (?:the|one) side\b", r"\1 sideways"),
    (r"\bmarches (?=(?:back|backward|sideways|left|right|to the)\b)", "walks "),
    # "Two left punches, one right punch".
    (
        r"(?:,| and|, and) (?=(?:one|two|three|four|five) (?:(?:left|right|big|small|quick|high) )*"
        r"(?:punch|jab|hook|uppercut|kick|step|jump|hop|squat|clap|stomp|turn|lunge|bow)(?:e?s)?\b)",
        ", then ",
    ),
    (r",? (?:and )?then (?=(?:swaps|switches|changes|alternates) )", ", "),
    (r"\b(from|in from) the (?:left|right)(?= side\b|,|$| of the stage)(?: side)?", ""),
    (r"\ball at once (?=\w+s\b)", ""),
)
_AND = re.compile(r",? and (?=(?:[a-z]+ly )?(?P<verb>[a-z]+s)\b)")
_IN_TURN = re.compile(r"\b(?:then|after|before|next|finally|followed)\b")
_LIKENESS = re.compile(r",? ?\b(?:like|as if|as though|as to) .*$")
_HOLDING = re.compile(
    r"\b(?:stands?|standing|poses?|posing|keeps?|stays?|freezes?|balances?|holds?|gets? in(?:to)?"
    r"|strikes?|does|goes|moves|simon says|pose|position|stance|(?:comes|gets) (?:back )?up"
    r"|straightens(?: up)?|rises|tall|up|slowly|again|(?:step|steps) back together|finally)\b"
)
_TIMES = re.compile(
    r",? ?\b(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twice)"
    r"(?: times| reps?| repetitions?)?(?: (?:in (?:total|all)|all together|altogether|total))?"
    r"(?P<each> each(?: (?:side|way|leg|arm))?| per side)?(?=$|[ ,.])"
)
_NO_STEPS = re.compile(r"\b(?:while|as|same time|at once|both|between)\b")


def steps_said(text: str) -> list[str]:
    """In order, each a sentence; one alone if the sentence is about one thing, or about
    too many."""
    if is_posture(text):
        return [text.replace(":", ",")]
    for pattern, instead in _REWRITTEN:
        text = re.sub(pattern, instead, text)
    text = _VERBLESS.sub(_joined_on, text)
    found = sentences_of(text, alone=_holds_something)
    return found if len(found) <= _MOST else [text]


def is_posture(sentence: str) -> bool:
    """Whether it is about nothing but one posture, of which several things are said."""
    if _IN_TURN.search(sentence):
        return False
    whole = taken_from(sentence, deeds=True)
    return whole.parts > 1 and is_bare(whole.rest)


def postures_said(text: str) -> list[Taken]:
    """What each step says of a posture, where it says something."""
    found = []
    for sentence in steps_said(text):
        whole = taken_from(sentence, deeds=True)
        # Without a time a squat is down and up again, and nothing is held.
        kept = whole.holds and is_bare(whole.rest)
        taken = whole if kept else taken_from(sentence)
        if taken.parts and not taken.swaps:
            found.append(taken)
    return found


def is_bare(rest: str) -> bool:
    """Nothing is left that is a deed."""
    left = _HOLDING.sub(" ", _TIMES.sub(" ", _LIKENESS.sub(" ", rest)))
    words = (token.word for token in tokens_of(left.replace(":", " ")))
    return all(word in LIGHT or word in PARTICLES for word in words)


def times_of(rest: str) -> tuple[int, bool]:
    """How often, and whether on each side."""
    match = _TIMES.search(rest)
    if match is None:
        return 1, False
    said = match["n"]
    times = 2 if said == "twice" else NUMBERS[said] if said.isalpha() else int(said)
    return times, match["each"] is not None


_COUNTED = re.compile(
    r"one (?:(?:big|small|quick|high|low|left|right) )*[a-z]{3,}s?\b(?! of)"
)
_VERBLESS = re.compile(r"[.;:] (?P<more>[^.;:]+)")
_TELLS = re.compile(r"\b([a-z]+s)\b")


def _joined_on(match: re.Match[str]) -> str:
    """A sentence without a deed goes with the one before: "Arms out for balance."."""
    deeds = (word[1] for word in _TELLS.finditer(match["more"]))
    alone = any(says_verb(deed) for deed in deeds)
    return match[0] if alone else f", {match['more']}"


def _holds_something(part: str) -> bool:
    """Not only "holds" or "stands up" but a posture of its own, or "one right cross"."""
    return bool(_COUNTED.match(part)) or taken_from(part, deeds=True).parts > 0


def in_two(sentence: str) -> list[str]:
    """ "Comes forward and bows": a sentence for each deed; alone if it is one."""
    if _NO_STEPS.search(sentence):
        return [sentence]
    for match in _AND.finditer(sentence):
        if says_verb(match["verb"]):
            one, two = sentence[: match.start()], sentence[match.end() :]
            return [one, f"a person {two}"]
    return [sentence]
