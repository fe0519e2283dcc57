"""What stands before the first order: postures, manners, and who it is like.

"Arms out, squat" is "squat with arms out", "slow turning" is "turn slowly", "when you
fall, get up" is "get up when you fall".
"""

from __future__ import annotations

import re

from texedo.language.deeds import ordered_deed
from texedo.language.person import Knows, gives_order, is_verb, ordered

LIMBS = (
    r"hands?|arms?|fists?|elbows?|knees?|foot|feet|legs?|palms?|shoulders?|heels?|toes?"
    r"|fingers?|chin|chest|eyes|head|guard|(?:your|the) back"
)
_KEPT = (
    r"up|down|out|on|behind|in|at|to|over|above|overhead|together|apart|wide|bent"
    r"|straight"
    r"|open|crossed|raised|lifted|high|low|forward|backward|back|by|still|relaxed"
    r"|spread"
    r"|stretched|extended|against|shoulder width|hip width|closed|planted|clasped"
    r"|tucked"
    r"|folded|flat|interlaced|loose|tight|hanging|slumped|hunched|rounded|squared|bowed"
)
POSTURE = re.compile(
    r"(?!head (?:out|over|to|for|back|forward|left|right)\b)"
    rf"(?:(?:both|your|the|left|right|one|two) )*(?P<limb>{LIMBS}) (?:slightly "
    rf"|fully )?"
    rf"(?P<kept>{_KEPT})\b(?! and (?:back|forth|down))(?: \w+)*"
)
_TAKEN = {
    "raise": r"up|overhead|above|over|high",
    "lower": r"down|low",
    "put": r"on|to|behind|at|together|against|by",
    "hold": r".*",
}
"""How a posture is taken up."""
_MANNER = re.compile(
    r"(?:when|once|if|before|after|as|until|with|without|from|while|keeping|using"
    r"|holding|facing|starting|standing|kneeling"
    r"|sitting|crouching|leaning|bent (?:over|forward|low)|hunched|crouched|stooped"
    r"|in (?:place|slow"
    r" motion|one \w+)|on (?:(?:your|the|one|all|both) )?(?:\w+ )?(?:toes|tiptoe"
    r"s?|heels|foot|feet|legs?|knees?|fours|spot|floor|ground)|as if|like an?)\b"
)
_HOW_FIRST = re.compile(r"(?:(?:very|really|so) )?[a-z]{2,}ly")
_MANNERS = {
    "slow": "slowly",
    "quick": "quickly",
    "fast": "fast",
    "brisk": "briskly",
    "careful": "carefully",
    "gentle": "gently",
    "light": "lightly",
    "heavy": "heavily",
    "proud": "proudly",
    "steady": "steadily",
    "quiet": "quietly",
    "normal": "normally",
    "happy": "happily",
    "sad": "sadly",
    "angry": "angrily",
    "smooth": "smoothly",
}
_MANNERED = re.compile(
    rf"(?:an? )?(?P<very>very )?(?P<like>{'|'.join(_MANNERS)}) (?P<deed>[a-z]+)"
    r"(?P<rest>(?=$| ).*)"
)
_WAY = re.compile(
    r"$| (?:on|in|to|toward|around|forward|backward|back|ahead|left|right|with|like|up"
    r"|down"
    r"|away|over|across|sideways|straight|from|through|for|until|clockwise|off|out"
    r"|while"
    r"|counterclockwise)\b"
)
_ACTOR = re.compile(
    r"(?:an? |the )?(?:samurai|zombie|ninja|pirate|soldier|king|queen|knight|monkey"
    r"|gorilla"
    r"|penguin|ballerina|boxer|butler|waiter|clown|cowboy|superhero|ghost|monster"
    r"|dinosaur"
    r"|cat|old (?:man|woman)|drunk man)"
)


def begin(clauses: list[str], between: list[str], knows: Knows) -> None:
    """The first order put first: postures and manners come after it."""
    _mend_gerund(clauses, between, knows)
    if between and _ACTOR.fullmatch(clauses[0]) and between[0] == ": ":
        actor = re.sub(r"^(?:an?|the) ", "", clauses[0])
        clauses[0] = f"act like {'an' if actor[0] in 'aeiou' else 'a'} {actor}"
        between[0] = ", "
    _join_manner(clauses, between, knows)
    if between and clauses[0] in ("slow motion", "slow mo") and between[0] != ", then ":
        clauses[:2] = [f"{clauses[1]} in slow motion"]
        del between[0]
    leading = 0
    while leading < len(clauses) and POSTURE.fullmatch(clauses[leading]):
        leading += 1
    if leading:
        _take_up(clauses, between, leading, knows)
    elif between and between[0] == ", " and is_order(clauses[1], knows):
        if _MANNER.match(clauses[0]):
            clauses[:2] = [f"{_with_verb(clauses[1], knows)} {clauses[0]}"]
            del between[0]


def _join_manner(clauses: list[str], between: list[str], knows: Knows) -> None:
    """ "Slowly, very slowly, rise" as "very slowly rise"."""
    while between and _HOW_FIRST.fullmatch(clauses[0]):
        if _HOW_FIRST.fullmatch(clauses[1]):
            del clauses[0]
        elif gives_order(clauses[1], knows):
            clauses[:2] = [f"{clauses[0]} {clauses[1]}"]
        else:
            return
        del between[0]


def _take_up(
    clauses: list[str], between: list[str], leading: int, knows: Knows
) -> None:
    """ "Arms out, squat" as "squat with arms out", "arms up, then clap" as two orders."""
    limbs = [_limb(POSTURE.match(clause)) for clause in clauses[:leading]]
    joined = between[:leading]
    together = set(joined) == {", "} and len(set(limbs)) == len(limbs)
    alone = leading == len(clauses)
    if not alone and not is_order(clauses[leading], knows):
        return
    if together and not alone:
        postures = ", ".join(clauses[:leading])
        order = _with_verb(clauses[leading], knows)
        clauses[: leading + 1] = [f"{order} with {postures}"]
        del between[:leading]
        return
    several = len(set(limbs)) < len(limbs)
    for i in range(leading if several else 1):
        clauses[i] = posture_ordered(clauses[i])


def _mend_gerund(clauses: list[str], between: list[str], knows: Knows) -> None:
    """ "Slow turning" as "turn slowly"; "walking, then stop" as "walk, then stop"."""
    goes_on = any(
        gives_order(clause, knows) and not clause.startswith("back ")
        for clause, joint in zip(clauses[1:], between, strict=True)
    )
    if found := _MANNERED.fullmatch(clauses[0]):
        verb = ordered(found["deed"], knows)
        gerund = verb != found["deed"]
        if (gerund or (goes_on and is_verb(verb, knows))) and _WAY.match(found["rest"]):
            how = f"{found['very'] or ''}{_MANNERS[found['like']]}"
            clauses[0] = f"{verb} {how}{found['rest']}"
    elif (
        goes_on
        and "then" in between[0]
        and not ordered_deed(clauses[0])
        and re.match(r"[a-z]+ing\b", clauses[0])
    ):
        clauses[0] = ordered(clauses[0], knows)


def mannered(clause: str, knows: Knows) -> str | None:
    """ "Slow walk away" as "walk slowly away"."""
    found = _MANNERED.fullmatch(clause)
    if not found or not is_verb(found["deed"], knows) or not _WAY.match(found["rest"]):
        return None
    how = f"{found['very'] or ''}{_MANNERS[found['like']]}"
    return f"{found['deed']} {how}{found['rest']}"


def all_postures(clauses: list[str]) -> bool:
    """Whether it is the same limb again and again: "arms up, arms down"."""
    found = [POSTURE.fullmatch(clause) for clause in clauses]
    return len(found) > 1 and all(found) and len({_limb(limb) for limb in found}) == 1


def is_gerund(clause: str, knows: Knows) -> bool:
    """Whether it is "slow turning", without who turns."""
    found = _MANNERED.fullmatch(clause)
    return found is not None and ordered(found["deed"], knows) != found["deed"]


def is_order(clause: str, knows: Knows) -> bool:
    return gives_order(clause, knows) or ordered_deed(clause) is not None


def _with_verb(clause: str, knows: Knows) -> str:
    found = ordered_deed(clause)
    return f"{found[0]} {found[1]}" if found else clause


def posture_ordered(posture: str) -> str:
    kept = found["kept"] if (found := POSTURE.match(posture)) else ""
    verb = next(verb for verb, of in _TAKEN.items() if re.fullmatch(of, kept))
    return f"{verb} {posture}"


def _limb(found: re.Match[str] | None) -> str:
    return found["limb"].removesuffix("s") if found else ""
