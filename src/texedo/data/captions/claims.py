"""What a sentence claims that can be measured, and whether a motion bears it out.

Used to keep a label's caption away from a motion that contradicts it. A claim is borne
out generously: the label has seen the recording, only a clear contradiction counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from texedo.data.events import (
    ArmRaise,
    Bow,
    Circle,
    Clap,
    Crouch,
    Facts,
    Hop,
    Jump,
    JumpingJack,
    Kick,
    Kneel,
    KneeRaise,
    Lunge,
    OneLeg,
    Punch,
    Squat,
    Stoop,
    Travel,
    Turn,
    Wave,
)


class Claim(NamedTuple):
    """Something that a sentence says of a motion."""

    name: str
    words: re.Pattern[str]
    borne_out: Callable[[Facts], bool]


def _travels(facts: Facts, *, ways: tuple[str, ...] = ()) -> bool:
    return any(
        not ways or any(way in travel.direction for way in ways)
        for travel in facts.of(Travel)
    )


def _jumps(facts: Facts, *, ways: tuple[str, ...] = ()) -> bool:
    return any(
        jump.direction is not None and any(way in jump.direction for way in ways)
        for jump in facts.of(Jump)
    ) or any(
        hop.direction is not None and any(way in hop.direction for way in ways)
        for hop in facts.of(Hop)
    )


def _goes(*ways: str) -> Callable[[Facts], bool]:
    return lambda facts: _travels(facts, ways=ways) or _jumps(facts, ways=ways)


def _flies(facts: Facts) -> bool:
    return any(facts.has(kind) for kind in (Jump, Hop, JumpingJack))


def _turns(facts: Facts) -> bool:
    air = any(jump.turn for jump in facts.of(Jump))
    veers = any(travel.veer for travel in facts.of(Travel))
    return air or veers or facts.has(Turn) or facts.has(Circle)


def _turns_to(side: str) -> Callable[[Facts], bool]:
    def check(facts: Facts) -> bool:
        return (
            any(turn.side == side for turn in facts.of(Turn))
            or any(jump.turn == side for jump in facts.of(Jump))
            or any(travel.veer == side for travel in facts.of(Travel))
            or any(circle.side == side for circle in facts.of(Circle))
        )

    return check


def _to_side(side: str) -> Callable[[Facts], bool]:
    return lambda facts: (
        _turns_to(side)(facts)
        or _travels(facts, ways=(side,))
        or _jumps(facts, ways=(side,))
    )


def _limb(side: str) -> Callable[[Facts], bool]:
    """Something on that side moves, or nothing is known to move on the other alone."""

    def check(facts: Facts) -> bool:
        kinds = ArmRaise | Wave | Punch | Kick | KneeRaise | Lunge | Kneel | Hop
        sides: set[str] = {e.side for e in facts.events if isinstance(e, kinds)}
        return not sides or bool(sides & {side, "both"})

    return check


def _fastest(facts: Facts) -> float:
    return max((travel.speed for travel in facts.of(Travel)), default=0.0)


def _lows(facts: Facts) -> bool:
    return facts.lowest < 0.86 or facts.has(Bow) or facts.has(Stoop)


def _claim(name: str, words: str, borne_out: Callable[[Facts], bool]) -> Claim:
    return Claim(name, re.compile(rf"\b(?:{words})\b"), borne_out)


_LIMBS = "hand|arm|foot|leg|knee|fist|shoulder|hip|side of"
CLAIMS: tuple[Claim, ...] = (
    _claim(
        "walk",
        r"walk\w*|strid\w+|stroll\w*|struts?|saunter\w*|march(?:es|ing)?|wander\w*|creep\w*"
        r"|sneak\w*|limp\w*|hobbl\w+|shuffl\w+|trudg\w+|plod\w*|swagger\w*|pac(?:es|ing)"
        r"|tiptoe\w*|lumbers?|staggers?|paces?|moves along|goes along|steps along",
        lambda facts: facts.has(Travel) or facts.steps >= 3,
    ),
    _claim(
        "run",
        r"runs?|running|jog\w*|sprint\w*|dash\w*|races",
        lambda facts: _fastest(facts) > 0.9 or facts.has(Jump) or facts.steps >= 8,
    ),
    _claim(
        "forward",
        r"(?:walk|run|mov|step|head|go|jump|leap|hop|advanc|march|strid|jogg?)\w*"
        r"(?: \w+)? (?:forward|forwards|ahead)",
        _goes("forward"),
    ),
    _claim("backward", r"backwards?|backs (?:up|away)|in reverse", _goes("backward")),
    _claim("sideways", r"sideways|side ?steps?|sidestep\w*", _goes("left", "right")),
    _claim("jump", r"jump\w*|leap\w*|hop\w*|bounds?|jete", _flies),
    _claim(
        "turn",
        r"turn(?:s|ing|ed)?|spin(?:s|ning)?|twirl\w*|pirouette\w*|pivot\w*|whirl\w*"
        r"|rotat\w+|veer\w*|curv\w+",
        _turns,
    ),
    _claim(
        "turn left",
        r"(?:turn|veer|curv|bear|swerv|spin|pivot|cut|round)\w* (?:\w+ ){0,4}left",
        _turns_to("left"),
    ),
    _claim(
        "turn right",
        r"(?:turn|veer|curv|bear|swerv|spin|pivot|cut|round)\w* (?:\w+ ){0,4}right(?! angle)",
        _turns_to("right"),
    ),
    _claim("left", rf"left(?! (?:{_LIMBS}))", _to_side("left")),
    _claim("right", rf"right(?![- ]angle)(?! (?:{_LIMBS}))", _to_side("right")),
    _claim("left limb", rf"left (?:{_LIMBS})", _limb("left")),
    _claim("right limb", rf"right (?:{_LIMBS})", _limb("right")),
    _claim(
        "circle",
        r"circle|circles|in a loop|figure.eight|eight",
        lambda facts: abs(facts.turned) > 120 or facts.has(Circle) or facts.has(Turn),
    ),
    _claim("squat", r"squat\w*|crouch\w*|duck\w*|stoop\w*|kneel\w*", _lows),
    _claim("bend", r"bend\w*|bow(?:s|ing)|lean(?:s|ing)? (?:down|over|forward)", _lows),
    _claim(
        "kick",
        r"kick\w*",
        lambda facts: facts.has(Kick) or facts.has(KneeRaise) or facts.has(OneLeg),
    ),
    _claim(
        "punch",
        r"punch\w*|box(?:es|ing)|jab\w*",
        lambda facts: facts.has(Punch) or facts.has(ArmRaise),
    ),
    _claim(
        "raise",
        r"(?:rais|lift)\w+ (?:\w+ )?(?:arms?|hands?)|arms? (?:raised|up|overhead)|overhead",
        lambda facts: facts.has(ArmRaise) or facts.has(Wave),
    ),
    _claim("wave", r"wav(?:es|ing)", lambda f: f.has(Wave) or f.has(ArmRaise)),
    _claim(
        "clap",
        r"clap\w*",
        lambda facts: facts.has(Clap) or min(facts.hand_path) > 0.5,
    ),
    _claim("jack", r"jumping jacks?", lambda facts: facts.has(JumpingJack)),
    _claim(
        "still",
        r"stands? still|motionless|waits?|waiting|idle|standing still",
        lambda facts: facts.distance < 1.2,
    ),
    _claim("stop", r"stops?|halts?", lambda facts: True),
    _claim(
        "low",
        r"squats|crouched|low to the ground",
        lambda facts: facts.lowest < 0.9 or facts.has(Crouch) or facts.has(Squat),
    ),
    _claim("slow", r"slow|slowly", lambda facts: _fastest(facts) < 1.2),
    _claim(
        "fast",
        r"quick|quickly|fast|briskly|hurr\w+|rapid",
        lambda facts: not facts.has(Travel) or _fastest(facts) > 0.45,
    ),
)

# Words that say nothing of the body; with the words of the claims they are all that a
# caption may hold if nothing else vouches for it.
_PLAIN = frozenset(
    "a an the person man woman someone he she they his her their is are as and then with "
    "to of on in at before after while again back in one both two own along around round "
    "makes make does do takes take goes go keeps moves move moving going continues starts "
    "stops comes steps step way forward forwards ahead straight it its it's body foot feet "
    "up down into over other heads heading returns return place spot once more".split()
)


def claims_of(text: str) -> list[Claim]:
    """The claims that a text makes."""
    text = text.lower()
    return [claim for claim in CLAIMS if claim.words.search(text)]


def contradicts(text: str, facts: Facts) -> bool:
    """The motion plainly does not do what the text says."""
    return any(not claim.borne_out(facts) for claim in claims_of(text))


def fully_borne_out(text: str, facts: Facts) -> bool:
    """Everything that the text says can be measured, and was."""
    claims = claims_of(text)
    if not claims or contradicts(text, facts):
        return False
    rest = text.lower()
    for claim in claims:
        rest = claim.words.sub(" ", rest)
    return all(word in _PLAIN for word in re.findall(r"[a-z']+", rest))
