"""Phrases for legs: stances, a lifted leg, lunges, kneeling."""

from __future__ import annotations

import re
from collections.abc import Callable

from texedo.data.captions.postures.patterns import (
    IS,
    OTHER,
    SIDE,
    THE,
    WHOSE,
    Phrase,
    Told,
    by_side,
    compiled,
    side_of,
)
from texedo.data.captions.postures.types import Posture, read_posture


def leg_phrases() -> list[Phrase]:
    """Those that say most first."""
    return [
        *(
            Phrase(compiled(words), _same(posture), deed=deed)
            for posture, words, deed in _STANCES
        ),
        Phrase(compiled(_ASIDE), by_side("legs=aside leg={side}"), deed=True),
        Phrase(compiled(_LUNGE), by_side("legs=lunge leg={side}"), deed=True),
        Phrase(compiled(_KNEEL), by_side("legs=kneel leg={side}"), deed=True),
        Phrase(
            compiled(rf"(?:with )?{THE}(?P<side>left|right) knee {IS}bent"),
            by_side("legs=aside leg={side}"),
        ),
        Phrase(compiled(_STANDS_ON), _stands_on),
        Phrase(compiled(_KNEE_UP), _lifted("knee")),
        *(Phrase(compiled(words), _lifted(way)) for way, words in _LEGS_OUT),
    ]


def _same(posture: str) -> Callable[[re.Match[str]], Told]:
    return lambda _: Told(read_posture(posture))


_GETS = (
    r"(?:(?:does|holds|goes|gets|drops|sinks|sits|stands|lowers|keeps|holding|stays|in)"
    r"(?: down)?(?: in| into)? )?(?:an? |the )?"
)
_STANCES = (
    (
        "legs=bent",
        rf"(?:with )?{WHOSE}knees (?:slightly |a little |a bit |well |soft and )*(?:bent|soft)"
        r"|(?:with )?(?:slightly |softly )?bent knees|bends {THE}knees",
        False,
    ),
    (
        "legs=wide",
        r"(?:(?:in|into|with|takes|stands in|standing in|gets in|getting into|from) (?:an? )?)?"
        r"(?:very |nice )?wide (?:stance|straddle|legs)|(?:with )?"
        rf"{WHOSE}(?:feet|legs) (?:(?:spread|set|placed|planted|far|hip|shoulder|width|wide) )*"
        r"(?:wide|apart)",
        False,
    ),
    (
        "legs=together",
        rf"(?:with )?{WHOSE}(?:feet|heels|legs) (?:close )?together",
        False,
    ),
    (
        "legs=tiptoe",
        rf"(?:(?:rises?|stands?|goes|gets|comes|balances|up|high) )*(?:up )?on(?:to)? {WHOSE}"
        r"(?:tiptoes?|tip toes|toes|balls of (?:the|their) feet)"
        rf"|(?:with )?{WHOSE}heels (?:up|lifted|raised|off the (?:floor|ground))"
        rf"|(?:lifts|raises) {WHOSE}heels(?: off the (?:floor|ground))?",
        False,
    ),
    (
        "legs=half",
        rf"{_GETS}(?:slow )?(?:half|quarter|shallow|partial|mini|small|slight) squats?"
        r"(?: position| pose)?|(?:squats|crouches|bends) half ?way(?: down)?",
        True,
    ),
    (
        "legs=squat",
        rf"{_GETS}(?:slow |nice )?(?:deep |low |full )*(?:squat|crouch)(?: position| pose)?"
        r"|(?:squats|crouches)(?: (?:down|low|deep|deeply))*",
        True,
    ),
)
_STANDS_ON = (
    r"(?:(?:stands?|standing|balances?|balancing|poised|balanced) )(?:up |still |straight )*on "
    rf"(?:just |only )?{WHOSE}{SIDE} (?:leg|foot)(?: only| alone)?|on one (?:leg|foot)"
)
_KNEE_UP = (
    rf"(?:(?:with|and|lifts?|raises?|brings?|pulls?|lifting|raising|holding|holds?|has) )?{WHOSE}"
    rf"{SIDE} knee {IS}(?:(?:lifted|raised|held|pulled|brought|drawn|bent|lifts) )*(?:up|high|"
    r"lifted|raised|in front|(?:up )?to (?:the |their )?(?:hip|waist|chest)(?: height| level| high)?"
    r"|at (?:hip|waist)(?: height| level))+(?: (?:high|to (?:the |their )?(?:hip|waist|chest)"
    r"(?: height| level)?|in front(?: of (?:them|him|her))?))*"
)
_LEG_VERB = (
    r"(?:lifts?|raises?|stretches|extends?|holds?|keeps?|lifting|raising|stretching|extending"
    r"|holding|has)"
)
_HOW = (
    r"(?:stretched|lifted|raised|extended|held|straight|out|up|pointing|reaching|high|off the"
    r" (?:floor|ground)|behind and)"
)
_LEG = rf"{WHOSE}{SIDE} (?:leg|foot)"
_LEG_OUT = rf"(?:{_LEG_VERB} (?:out )?{_LEG} (?:{_HOW} )*|(?:with |and )?{_LEG.replace('P<side>', 'P<side2>')} {IS}(?:{_HOW} )+)"
_LEGS_OUT = (
    (
        "back",
        rf"{_LEG_OUT}(?:behind|back|backward|to the (?:back|rear))(?: (?:them|him|her|it))?",
    ),
    (
        "side",
        rf"{_LEG_OUT}(?:(?:out )?to (?:the|one|its) side|sideways|out sideways|aside)",
    ),
    (
        "front",
        rf"{_LEG_OUT}(?:(?:out )?(?:in front|to the front|forward|ahead)(?: of (?:them|him|her))?)",
    ),
    ("low", rf"{_LEG_OUT}(?:lifted|raised|off the (?:floor|ground)|in the air)"),
)
_LUNGE = (
    r"(?:(?:steps?|goes|drops|gets|sinks|moves|comes|does|takes|holds|stays|in|into|with) )?"
    r"(?:(?:forward|down|out) )?(?:in |into )?(?:an? |the )?(?:(?:deep|big|long|low|forward|front) )*"
    rf"lunges?(?: forward)?(?: (?:with|on|onto|to) {THE}(?P<side>left|right)(?: leg| foot| side)?)?"
    r"(?: (?:in front|forward))?"
)
_ASIDE = (
    r"(?:(?:steps?|goes|drops|gets|does|takes|holds) )?(?:in |into )?(?:an? |the )?"
    rf"(?:(?:deep|big|low) )*(?:side|lateral|sideways) lunges?"
    rf"(?: (?:to|with|on) {THE}(?P<side>left|right)(?: leg| foot| side)?)?"
)
_KNEEL = (
    r"(?:(?:goes|gets|drops|comes|sinks|rests|falls|stays) )?(?:down )?on(?:to)? "
    rf"{THE}(?P<side>left|right|one) knee(?: (?:down|on the (?:floor|ground)))?"
    rf"|(?:kneels|kneeling)(?: down)?(?: on {THE}(?P<side2>left|right|one) knee)?"
)


def _stands_on(match: re.Match[str]) -> Told:
    """On a leg: it is the other one that is lifted."""
    side = OTHER.get(side_of(match), "")
    return Told(Posture(legs="one", leg=side or "left"), open=not side)


def _lifted(way: str) -> Callable[[re.Match[str]], Told]:
    def tell(match: re.Match[str]) -> Told:
        side = side_of(match)
        return Told(Posture(legs="one", leg=side or "left", way=way), open=not side)

    return tell
