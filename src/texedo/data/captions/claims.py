"""What a sentence claims that can be measured, and whether a motion bears it out.

Used to keep a sentence away from a motion that contradicts it. A claim has two tests:
`shown`, that it was measured (generously: a label has seen the recording), and
`possible`, that it may have been missed. Who wrote about these very seconds has watched
them, and detectors are not that good: only what is not even possible contradicts that.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from texedo.data.captions.claim_checks import (
    Test,
    bends,
    either,
    fastest,
    flies,
    goes,
    has,
    is_quick,
    limb,
    lows,
    pauses,
    slowest,
    something_on,
    steps_quickly,
    to_side,
    turns,
    turns_slightly,
    turns_slightly_to,
    turns_to,
)
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
    KneeRaise,
    Lean,
    Lunge,
    OneLeg,
    Punch,
    Squat,
    Stoop,
    Travel,
    Turn,
    Twist,
    Wave,
)


class Claim(NamedTuple):
    """Something that a sentence says of a motion."""

    name: str
    words: re.Pattern[str]
    shown: Test
    """It was measured."""
    possible: Test
    """It was measured, or may have been missed."""


def _claim(name: str, words: str, shown: Test, possible: Test | None = None) -> Claim:
    return Claim(name, re.compile(rf"\b(?:{words})\b"), shown, possible or shown)


_LIMBS = "hand|arm|foot|leg|knee|fist|shoulder|hip|side of"
# "Turns right and steps left" turns right only, "turns under the left arm" to neither.
_THEN = r"(?:(?!left\b|right\b|and\b|then\b|while\b|with\b|under\b|by\b|before\b)\w+ )"
_TURNING = (
    r"(?:turn|veer|curv|swerv|spin|pivot|cut|round)\w*|(?<!dancing )bear(?:s|ing)?"
)
_NOT_LIMB = rf"(?![- ](?:{_LIMBS}|angle|handed))"
CLAIMS: tuple[Claim, ...] = (
    _claim(
        "walk",
        r"(?<!without )(?<!before )walk\w*|strid\w+|stroll\w*|struts?|saunter\w*"
        r"|march(?:es|ing)?|wander\w*|creep\w*|sneak\w*(?! a )|limp\w*|hobbl\w+"
        r"|shuffl\w+|trudg\w+|plod\w*|swagger\w*|pac(?:es|ing)"
        r"|tiptoe\w*|lumbers?|staggers?|moves along|goes along|steps along",
        lambda facts: facts.has(Travel) or facts.steps >= 3,
        lambda facts: has(Travel, Turn)(facts) or facts.steps >= 1,
    ),
    _claim(
        "run",
        r"(?:runs?|running)(?!-up| up and down| (?:of|your|his|her|their|both|an?|one)\b)"
        r"|(?<!as if to )jog\w*|sprint\w*|dash\w*|races",
        lambda facts: fastest(facts) > 0.9 or facts.has(Jump) or facts.steps >= 8,
        lambda facts: (
            fastest(facts) > 0.6 or has(Jump, KneeRaise)(facts) or facts.steps >= 4
        ),
    ),
    _claim(
        "forward",
        r"(?:walk|run|mov|step|head|go|jump|leap|hop|advanc|march|strid|jogg?)\w*"
        r"(?: \w+)? (?:forward|forwards|ahead)",
        goes("forward"),
        lambda facts: goes("forward")(facts) or facts.steps >= 2,
    ),
    _claim(
        "backward",
        r"(?<!facing )(?<!face )backwards?|backs (?:up|away)|in reverse",
        goes("backward"),
        either(goes("backward"), has(Turn), lambda facts: facts.steps >= 1),
    ),
    _claim(
        "sideways",
        r"sideways|side ?steps?|sidestep\w*",
        goes("left", "right"),
        either(
            goes("left", "right"),
            has(ArmRaise, Lean, Kick, Twist),
            lambda facts: facts.steps >= 2,
        ),
    ),
    _claim(
        "jump",
        r"(?<!about to )(?<!might )(?<!ready to )jump(?:s|ed|ing)?|leap\w*"
        r"|(?<!lindy )hop(?:s|p\w+)?|(?<!-)bounds?|jete",
        flies,
        lambda facts: (
            has(Jump, Hop, JumpingJack, Kick, KneeRaise)(facts)
            or facts.lowest < 0.84
            or fastest(facts) > 0.75
            or steps_quickly(facts)
        ),
    ),
    _claim(
        "turn",
        # Not "in turn", "never turning", "turns into a bird", "turning a screw".
        r"(?<!in )(?<!by )(?<!no )(?<!any )(?<!for a )(?<!without )(?<!never )"
        r"(?<!wrench )(?<!takes )(?<!taking )(?<!hands )(?<!being )"
        r"turn(?:s|ing|ed)?(?! into | of | hardly| (?:a|the) (?!\w* ?turn))"
        r"|spin(?:s|ning)?(?! the)|twirl\w*|pirouette\w*|pivot\w*|whirl\w*"
        r"|rotat(?:es|ing)(?! the)|(?<!without )veer\w*|curv\w+",
        turns,
        turns_slightly,
    ),
    _claim(
        "turn left",
        rf"(?:{_TURNING}) {_THEN}{{0,4}}left{_NOT_LIMB}",
        turns_to("left"),
        turns_slightly_to("left"),
    ),
    _claim(
        "turn right",
        rf"(?:{_TURNING}) {_THEN}{{0,4}}right{_NOT_LIMB}",
        turns_to("right"),
        turns_slightly_to("right"),
    ),
    _claim("left", rf"left(?! (?:{_LIMBS}))", to_side("left"), something_on("left")),
    _claim(
        "right",
        rf"(?<!bent )right(?![- ]angle)(?! (?:{_LIMBS}))",
        to_side("right"),
        something_on("right"),
    ),
    _claim(
        "left limb",
        rf"left (?:{_LIMBS})",
        limb("left"),
        either(limb("left"), something_on("left")),
    ),
    _claim(
        "right limb",
        rf"right (?:{_LIMBS})",
        limb("right"),
        either(limb("right"), something_on("right")),
    ),
    _claim(
        "circle",
        r"circle|circles|in a loop|figure.eight",
        lambda facts: abs(facts.turned) > 120 or facts.has(Circle) or facts.has(Turn),
        lambda facts: (
            abs(facts.turned) > 60
            or has(Circle, Turn, Lean, Kick)(facts)
            or max(facts.hand_path) > 1.5
        ),
    ),
    _claim("squat", r"squat\w*|crouch\w*|duck\w*|stoop\w*|kneel\w*", lows, bends),
    _claim(
        "bend",
        r"(?<!hardly )bend\w*|bow(?:s|ing)(?! an?\b)|lean(?:s|ing)? (?:down|over|forward)",
        lows,
        bends,
    ),
    _claim(
        "kick",
        r"kick\w*",
        has(Kick, KneeRaise, OneLeg),
        lambda facts: (
            has(Kick, KneeRaise, OneLeg, Jump, Hop, Lunge)(facts)
            or facts.lowest < 0.9
            or facts.steps >= 2
        ),
    ),
    _claim("punch", r"punch\w*|box(?:es|ing)|jab\w*", has(Punch, ArmRaise)),
    _claim(
        "raise",
        r"(?:rais|lift)\w+ (?:\w+ )?(?:arms?|hands?)|arms? (?:raised|up|overhead)|overhead",
        has(ArmRaise, Wave),
    ),
    _claim("wave", r"wav(?:es|ing)", has(Wave, ArmRaise)),
    _claim(
        "clap",
        r"clap\w*",
        lambda facts: facts.has(Clap) or min(facts.hand_path) > 0.5,
    ),
    _claim(
        "jack",
        r"jumping jacks?",
        has(JumpingJack),
        lambda f: f.has(JumpingJack) or (f.has(Jump) and f.has(ArmRaise)),
    ),
    _claim(
        "still",
        r"stands? still|motionless|waits?|waiting|idle|standing still",
        lambda facts: facts.distance < 1.2,
        lambda facts: facts.distance < 1.2 or pauses(facts),
    ),
    _claim("stop", r"stops?|halts?", lambda facts: True),
    _claim(
        "low",
        r"squats|crouched|low to the ground",
        lambda facts: facts.lowest < 0.9 or has(Crouch, Squat)(facts),
        lambda facts: facts.lowest < 0.95 or has(Crouch, Squat, Stoop, Bow)(facts),
    ),
    _claim(
        "slow",
        r"slow(?! (?:to|down|up)\b)|slowly",
        lambda facts: fastest(facts) < 1.2,
        lambda facts: slowest(facts) < 1.2 or pauses(facts),
    ),
    _claim(
        "fast",
        r"quick|quickly|fast|briskly|hurr\w+|rapid",
        lambda facts: not facts.has(Travel) or fastest(facts) > 0.45,
        lambda facts: not facts.has(Travel) or fastest(facts) > 0.4 or is_quick(facts),
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


def contradicted_claims(text: str, facts: Facts, *, watched: bool = False) -> list[str]:
    """Names of what the text says and the motion plainly does not do.

    `watched` texts were written about this motion and not about a longer one.
    """
    return [
        claim.name
        for claim in claims_of(text)
        if not (claim.possible if watched else claim.shown)(facts)
    ]


def contradicts(text: str, facts: Facts, *, watched: bool = False) -> bool:
    """The motion plainly does not do what the text says."""
    return bool(contradicted_claims(text, facts, watched=watched))


def fully_borne_out(text: str, facts: Facts) -> bool:
    """Everything that the text says can be measured, and was."""
    claims = claims_of(text)
    if not claims or contradicts(text, facts):
        return False
    rest = text.lower()
    for claim in claims:
        rest = claim.words.sub(" ", rest)
    return all(word in _PLAIN for word in re.findall(r"[a-z']+", rest))
