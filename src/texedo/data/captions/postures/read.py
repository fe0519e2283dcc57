"""What a sentence says of a posture, and what is left of it.

    taken_from("a person squats with both arms out in front and holds it for five seconds")
    # Taken(rest="a person squats", Posture(left="far", right="far", seconds=5))

What is held (arms in a place, a stance, a lifted leg) is taken out of the sentence phrase by
phrase, as are the time for which it is held and words that say nothing more of it. Whether
the rest is a deed, and which, is for others to read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from texedo.data.captions.postures.patterns import Phrase, Told
from texedo.data.captions.postures.phrases import phrases
from texedo.data.captions.postures.types import Posture

NUMBERS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    **{"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15},
    **{"a": 1, "an": 1, "a few": 3, "a couple of": 2, "some": 3, "twenty": 20},
}
_NUMBER = r"(?P<n>\d+|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
_UNTIL = r"(?:(?:up to|about|around|at least|roughly|maybe|another|full|for) )*"
_KEPT = (
    r"(?:holds?|holding|keeps?|keeping|stays?|staying|remains?|maintains?|freezes?|pauses?"
    r"|waits?|stands?|balances?)"
)
_IT = (
    r"(?:(?: it| that| this| there| here| still| so| down| low| up| like that| steady| in place"
    r"| (?:the|that|this|their|his|her) (?:pose|position|stretch|squat|lunge|balance|stance"
    r"|posture|bend|lean|arms?)| in (?:that|the|this) (?:pose|position|stretch|stance|squat)"
    r"| at the (?:bottom|top))*)"
)
_FOR = re.compile(
    rf"(?:,? ?(?:and |then |and then )?\b{_KEPT}{_IT},? (?:for )?|,? for |,? (?=up to)){_UNTIL}{_NUMBER} "
    r"(?:whole |full |long |good )?(?:seconds?|secs?|counts?)\b(?: or so)?"
)
_HOLDS = re.compile(
    r",? ?(?:and |then |and then )?\b(?:holds?(?: it| that| there| still)*|stays? (?:there|down|put"
    r"|like that|so)(?: there)?|freezes?(?: there)?|remains? (?:there|so)|holding it|keeps? it"
    r"|holds? (?:the|that|this) (?:pose|position|stretch|balance))"
    r"(?: for a (?:moment|while|bit|second|little))?(?=$|[,.]| and | then )"
)
_HELD_SECONDS = 3
"""Where it is held, and no time is said."""
_MOST_SECONDS = 12


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Of a sentence."""

    rest: str
    """Without what is said of the posture."""
    posture: Posture
    open: bool = False
    """A side is asked for, whichever it is."""
    parts: int = 0
    """Phrases that were found."""
    swaps: bool = False
    """It is done on one side and then on the other."""
    stays: bool = False
    """It is held, and no time is said: it may be what it ends with."""
    each: bool = False
    """A number is that of each side."""

    @property
    def holds(self) -> bool:
        """It is to be held for a time."""
        return self.posture.seconds > 0


def taken_from(text: str, *, deeds: bool = False) -> Taken:
    """Of a sentence about one thing at a time, in its normal form.

    With `deeds` what could be a deed by itself ("squats", "leans to the left") counts as
    a posture, too.
    """
    rest, seconds = _time(_swept(text))
    held, is_open, parts, swaps = Posture(), False, 0, bool(_SWAPS.search(rest))
    for phrase in phrases():
        if phrase.deed and not deeds:
            continue
        while (added := _added(phrase, rest, held, is_open)) is not None:
            held, rest, told = added
            # A side that is said settles the one that was open.
            settled = told.posture.sided and not told.open
            is_open, parts = told.open or (is_open and not settled), parts + 1
            swaps = swaps or told.swaps
    return Taken(
        rest=_tidied(_SWAPS.sub(" ", rest)),
        posture=replace(held, seconds=seconds),
        open=is_open,
        parts=parts,
        swaps=swaps,
        stays=seconds == _HELD_SECONDS and _FOR.search(text) is None,
        each=bool(_EACH.search(text)),
    )


_EACH = re.compile(
    r"\b(?:(?:times|reps|repetitions) (?:on |to |per )?(?:each|either)|each (?:side|way)|per side"
    r"|(?:on|to) (?:both|each) sides?)\b"
)
_SWAPS = re.compile(
    r",? ?(?:and |then |and then )?(?:(?:swaps?|switch(?:es)?|changes?|alternates?) (?:sides?|legs?"
    r"|arms?)|alternat(?:es?|ing(?: sides| legs)?)|on (?:each|both) sides?|each (?:side|way)"
    r"|both (?:ways|sides))\b"
)


def _added(
    phrase: Phrase, text: str, held: Posture, is_open: bool
) -> tuple[Posture, str, Told] | None:
    """With what the phrase tells first that does not contradict the rest, and the text
    without it; None if there is nothing."""
    for match in phrase.pattern.finditer(text):
        told = phrase.tell(match)
        if told is None:
            continue
        both = held.joined(_turned(told.posture, held) if told.open else told.posture)
        if both is None and is_open:
            # Whose side was open is on this one.
            both = held.mirrored().joined(told.posture)
        if both is not None:
            cut = f"{text[: match.start()]} {text[match.end() :]}"
            return both, _tidied(cut), told
    return None


def _turned(posture: Posture, before: Posture) -> Posture:
    """On the other side where that hand is taken already: "one arm up, one on the hip"."""
    return posture if before.joined(posture) else posture.mirrored()


def _time(text: str) -> tuple[str, int]:
    """Without the time for which it is held [s]; 0 where it is not."""
    if match := _FOR.search(text):
        said = match["n"]
        number = int(said) if said.isdigit() else NUMBERS[said]
        rest = f"{text[: match.start()]} {text[match.end() :]}"
        return _tidied(_HOLDS.sub(" ", rest)), max(1, min(number, _MOST_SECONDS))
    rest = _HOLDS.sub(" ", text)
    return _tidied(rest), _HELD_SECONDS if rest != text else 0


_FILLING = re.compile(
    r",? (?:with )?(?:(?:their|the|his|her|both) )*(?:feet|foot|legs) (?:stay |kept |keep |are |remain )?"
    r"(?:firmly )?(?:planted|still|in place|on the (?:floor|ground|spot))"
    r"|,? (?:with )?(?:an? |the |their )?(?:straight|upright|tall) (?:back|body|posture)"
    r"|,? (?:body|back|chest|torso) (?:very |kept |nice and |completely )*(?:straight|upright|tall|up|proud)"
    r"|,? standing(?=$|,)|,? (?:at|in) an? (?:steady|even|calm|comfortable) (?:rhythm|pace|tempo)"
    r"|,? (?:steady|even|good|nice) (?:rhythm|pace|tempo)|,? nice and (?=\w)"
    r"|,? as (?:long|low|high|far|deep|much) as (?:they|you|possible|\w+) ?can?"
    # How it ends goes without saying.
    r"|,? (?:and |then )*(?:brings?|lowers?|drops?|lets?|puts?) (?:them|it|(?:their |both )+arms)"
    r"(?: back)?(?: down)?(?: again| slowly)*$"
    r"|,? (?:and |then )*(?:stands|gets|comes|straightens) (?:back )?up(?: again| straight| slowly)*$"
    r"|,? (?:an?|one) good [\w ]*stretch|,? an? (?:good|nice) one"
    r"|,? (?:until|till) [\w ]*(?:level|horizontal|parallel|shoulders?|straight)[\w ]*"
    r"|,? (?:the )?arms? (?:fully |completely |nice and )*straight(?=$|,)"
    r"|,? (?:and )?(?:do|does)(?:ing)? not move(?: at all)?|,? without moving(?: at all)?(?=$|[,.])"
    r"|,? (?:absolutely |completely |perfectly )?(?:motionless|still)(?=$|[,.])"
)


def _swept(text: str) -> str:
    return _tidied(_FILLING.sub(" ", text))


def _tidied(text: str) -> str:
    """Without what a phrase that was taken out leaves behind."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"(?:\s*,)+", ",", text)
    for _ in range(2):
        text = re.sub(
            r"[ ,.:;]*\b(?:and|with|while|as|then|but|for|in|into)[ ,.]*$", "", text
        )
        text = re.sub(r"^[ ,.:;]*(?:and|with|then|while)\b[ ,]*", "", text)
        text = re.sub(r"\b(?:with|and|while)\s*(?=,|\.|$)", " ", text)
        text = re.sub(r",? (?:and|with|while) (?=(?:and|with|then|while)\b)", " ", text)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+([,.:;])", r"\1", text)
    return text.strip(" ,.:;")
