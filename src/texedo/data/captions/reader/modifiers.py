"""The words around an action: sides, directions, numbers, angles, heights, speeds."""

from __future__ import annotations

import re
from dataclasses import replace

from texedo.data.captions.reader.lexicon import LIMB_SIDE, PATTERNS
from texedo.data.captions.reader.types import Clause

LIMBED = frozenset(
    "one_leg hips head kneel wave kick knee punch arm gesture hop lunge recover".split()
)
"""Actions whose side is the limb's."""
TRAVELS = frozenset({"walk", "run", "move", "circle", "jump", "hop", "crouch"})
"""Actions that may go somewhere."""
TURNS = frozenset({"turn", "circle", "jump", "twist"})
_GAITS = frozenset({"walk", "run", "move"})
_ROTATIONS = {"counterclockwise": "left", "clockwise": "right"}
_LEVELS = (
    (r"overhead|(?:above|over) head|(?:high )?in air|up high|toward ceiling", "overhead"),
    (r"(?:to )?(?:level of )?head(?: height| level| high)|level of head|up beside head"
     r"|up around head|beside head|head high", "head"),
    (r"(?:to |at |up to )?(?:both )?shoulder(?: height| level| high)?", "shoulder"),
    (r"(?:to |at |in front of )?chest(?: height| level| high)?", "chest"),
    (r"(?:to |at )?waist (?:height|level|high)|waist-high", "waist"),
)  # fmt: skip
_PATTERNS = dict(PATTERNS)


class _Rest:
    """Words that are struck out as they are understood."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, pattern: str) -> re.Match[str] | None:
        match = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", self.text)
        if match is not None:
            self.text = self.text[: match.start()] + " / " + self.text[match.end() :]
        return match


def modified(clause: Clause) -> tuple[Clause, str]:
    """The clause with all that its words say, and the words that say nothing known."""
    whole = clause.text
    rest = _Rest(whole)
    angles = _angles(rest, clause)
    clause = replace(clause, angles=angles)
    clause = _limbs(rest, clause)
    _strike_action(rest, clause)
    if clause.action in LIMBED:
        rest.text = LIMB_SIDE.sub(" ", rest.text)
    clause = _manner(rest, clause)
    clause = _numbers(rest, clause)
    clause = _ways(rest, clause, whole)
    return clause, rest.text


_KEPT = re.compile(
    r"\b(?:left|right|\d+|high|fast|overhead|forward|up|out|sideways|backward|slightly|little|bit"
    r"|\w*clockwise)\b"
)


def _strike_action(rest: _Rest, clause: Clause) -> None:
    """The action's own words go, but for those that say how."""
    for pattern in _PATTERNS.get(clause.action, ()):
        for match in reversed([*pattern.finditer(rest.text)]):
            kept = " ".join(_KEPT.findall(LIMB_SIDE.sub(" ", match.group())))
            before, after = rest.text[: match.start()], rest.text[match.end() :]
            rest.text = f"{before} {kept} {after}"


def _angles(rest: _Rest, clause: Clause) -> tuple[float, ...]:
    match = rest.take(r"(\d+(?:\.\d+)?) degree")
    if match is not None:
        return (float(match[1]),)
    if clause.action not in TURNS:
        return ()
    if rest.take("rounds"):
        return (450.0, 540.0, 720.0)
    if clause.action == "turn" and re.search(r"\b(?:around|round|about)\b", rest.text):
        if "corner" in rest.text:
            return ()
        spins = re.search(r"\b(?:spin|whirl|twirl|revolve)\b", rest.text)
        return (180.0, 360.0) if spins else (180.0,)
    return ()


def _limbs(rest: _Rest, clause: Clause) -> Clause:
    own = (p.search(rest.text) for p in _PATTERNS.get(clause.action, ()))
    core = next((found.group() for found in own if found), "")
    match = LIMB_SIDE.search(core) or LIMB_SIDE.search(rest.text)
    if match is None:
        return clause
    side = {"1": "either", "other": None}.get(match[1], match[1])
    if clause.action in LIMBED:
        return replace(clause, side=side)
    if clause.action in TRAVELS and side in ("left", "right"):
        rest.take(rf"(?:with |on )?{match[0]}")
        return replace(clause, foot=side)
    return clause


def _manner(rest: _Rest, clause: Clause) -> Clause:
    if rest.take(
        r"(?:at |with |in )?(?:slow)(?: and \w+)?(?: (?:pace|step|speed|walk))?"
    ):
        clause = replace(clause, speed="slow")
    elif rest.take(r"(?:at |with |in )?(?:fast)(?: (?:pace|step|speed|walk))?"):
        clause = replace(clause, speed="fast")
    if clause.speed is None and re.search(
        r"\b(?:hurry|power-walk|dash|sprint)\b", clause.text
    ):
        clause = replace(clause, speed="fast")  # fmt: skip
    if rest.take("in_place"):
        clause = replace(clause, in_place=True)
    if rest.take(r"slightly|little|bit|gradually|small|tiny|touch"):
        clause = replace(clause, slight=True)
    rest.take(r"alternating|limb|same_time|to_fro|side_to_side|up_down|in that order")
    if clause.action in ("arm", "wave", "head", "gesture"):
        for pattern, level in _LEVELS:
            if rest.take(pattern):
                clause = replace(clause, level=level)
                break
        rest.take(
            r"wide|high|in front(?: of \w+)?|to side|both side|sideways|toward ceiling"
        )
    return clause


def _numbers(rest: _Rest, clause: Clause) -> Clause:
    whole = clause.text
    if match := rest.take(
        r"(?:for |cover )?(?:about |roughly )*(\d+(?:\.\d+)?) (?:meter|metre)"
    ):
        clause = replace(clause, distance=float(match[1]))  # fmt: skip
    rest.take(r"(?:(?:for|within|in|over|about|almost) )*\d+(?:\.\d+)? second")
    if rest.take(r"many_times|repeatedly|several|few|some|series|flurry|keep"):
        clause = replace(clause, many=clause.action not in ("walk", "gesture"))
    if match := rest.take(r"(\d+) time|(?:by )?(\d+)(?! degree| meter| metre)"):
        number = int(match[1] or match[2])
        if clause.action in _GAITS and not re.search(r"\b(?:step|time)\b", whole):
            return clause
        if number >= 45 and clause.action in TURNS:
            return replace(clause, angles=(float(number),))
        clause = replace(clause, count=number, many=False)
    rest.take(
        r"(?:more )?(?:step|jump|hop|kick|punch|jab|hook|squat|lunge|time|leap|run|walk)"
    )
    return clause


def _ways(rest: _Rest, clause: Clause, whole: str) -> Clause:
    side = None
    for word, name in _ROTATIONS.items():
        if rest.take(word):
            side = name
            break
    if side is None and (
        match := rest.take(
            r"(?:to |toward |off to |over to |on )*(left|right)(?: side)?"
        )
    ):
        side = match[1]
    if rest.take("straight(?: ahead| forward| on)?|directly ahead|in straight line"):
        clause = replace(clause, straight=True)
    if clause.action in LIMBED and clause.action != "hop":
        rest.take(
            r"forward|ahead|backward|sideways|behind(?: \w+sel\w+)?|outward|diagonally"
        )
        rest.take("toward chest" if clause.action == "knee" else "outward")
        rest.take(
            r"hard|force|forcefully|powerfully|aggressively|power|high|outstretched"
        )
        own = clause.side or (side if clause.action != "gesture" else None)
        return replace(clause, side=own)
    if clause.action in ("turn", "lean", "twist"):
        rest.take("sharp|wide|tight|smooth|on spot|sideways|far")
        return replace(clause, side=side)
    if clause.action == "circle":
        return replace(clause, side=side)
    if clause.action == "jump" and (clause.angles or "clockwise" in whole):
        return replace(clause, side=side)
    if clause.action in TRAVELS:
        return replace(clause, direction=_direction(rest, clause, side, whole))
    if clause.action == "bend":
        rest.take("deep|deeply|low|far|forward|politely|all")
    if clause.action in ("squat", "crouch", "lunge", "still", "stand"):
        rest.take("deep|full|low|upright|quietly|forward|bend")
    return replace(clause, side=side)


_BACK = re.compile(
    r"\b(?:backward|reverse|retreat|rear|back (?:up|away|off)|behind"
    r"|(?:step|move|jump|hop|leap|edge|creep|shuffle)(?: \w+)? back)\b"
)


def _direction(rest: _Rest, clause: Clause, side: str | None, whole: str) -> str | None:
    ahead = clause.straight and clause.action in ("walk", "run", "move")
    ahead = ahead and not re.search(r"\bback\b", whole)
    if rest.take(r"forward|ahead|front|advance"):
        ahead = True
    back = bool(_BACK.search(whole))
    rest.take("backward|in reverse|reverse|rear")
    rest.take("high|far|long|low|big|deep")
    rest.take("move|go|head|travel")
    diagonal = bool(rest.take("diagonally|diagonal|at angle|angle"))
    sideways = bool(re.search(r"sideways|side-?step|side step|sidle", whole))
    rest.take(r"sideways|side|1 foot beside other|sideways")
    if back:
        return f"backward-{side}" if side else "backward"
    if ahead:
        return f"forward-{side}" if side else "forward"
    if side:
        return side
    return "diagonal" if diagonal else "sideways" if sideways else None
