"""Do captions made from measurements alone agree with what people wrote down?

Recordings whose description names a side, a direction, an angle or a count are captioned
without their description; the captions are then read as text and compared with it.

A claim agrees if a caption of the recording says it, disagrees if the captions speak of
such a thing but never so, and is untold if they do not speak of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from texedo.data.captions import captions
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.events import measure

SIDE = r"(left|right)"
VERDICTS = ("agree", "disagree", "untold")


class Claim(NamedTuple):
    """What a description says: "turn" "left", "go" "backward", "kick" "left"."""

    kind: str
    value: str


_DESCRIBED: tuple[tuple[str, str, str], ...] = (
    # pattern, kind, value (\1 is the first group of the pattern)
    (rf"\bveer {SIDE}", "turn", r"\1"),
    (rf"{SIDE} turns?\b(?!s? \(opposite)", "turn", r"\1"),
    (rf"\bturn (?:\d+ degrees )?{SIDE}", "turn", r"\1"),
    (rf"{SIDE}(?:wide|tight)turn", "turn", r"\1"),
    (rf"supertight{SIDE}", "turn", r"\1"),
    (rf"running(?:wide|tigh?t?er){SIDE}", "turn", r"\1"),
    (rf"\b(?:run|walk) (?:turn )?{SIDE}$", "toward", r"\1"),
    (rf"spin{SIDE}", "turn", r"\1"),
    (rf"^{SIDE}_spin", "turn", r"\1"),
    (rf"(?:go|evasive|break|defensive){SIDE}", "toward", r"\1"),
    (rf"feint(?:left|right)move{SIDE}", "toward", r"\1"),
    (rf"\bside ?step (?:to (?:the )?)?{SIDE}", "toward", r"\1"),
    (rf"\bstep to {SIDE}", "toward", r"\1"),
    (rf"back to {SIDE}", "toward", r"\1"),
    (rf"leaning to the {SIDE}", "lean", r"\1"),
    (
        r"\b(?:walk|step) ?forward|forward dribble|^forward$|smallforward",
        "go",
        "forward",
    ),
    (r"and forward$", "go", "forward"),
    (
        r"back(?:ward)?s? ?dribble|walk(?:ing)? backwards?|steps backwards",
        "go",
        "backward",
    ),
    (r"(?<!turn )\bsideways?\b(?! arabesque)(?! steps)", "go", "sideways"),
    (
        r"(?:forward|long) jump|jump ?(?:small)?forward|hop forward|jump forward",
        "jump",
        "forward",
    ),
    (r"on (?:left|right) foot|jump(?:ing)? sideways", "jump", "any"),
    (rf"hop on {SIDE} foot", "foot", r"\1"),
    (rf"^{SIDE}_front_kick", "leg", r"\1"),
    (rf"^{SIDE}_lunges", "leg", r"\1"),
    (rf"^{SIDE}_(?:punch|blocks)", "arm", r"\1"),
    (rf"^reach_{SIDE}", "arm", r"\1"),
    (r"\b(90|180|270|360)\b", "angle", r"\1"),
    (r"\bin (?:a )?circles?\b", "circle", "any"),
    (r"turn around", "angle", "180"),
    (r"^(2) jump", "jumps", r"\1"),
    (r"balance on one leg", "balance", "any"),
)


def described(description: str) -> set[Claim]:
    """The claims of a description."""
    text = " ".join(description.split()).removesuffix(" cleanedgrs").strip()
    found = set()
    for pattern, kind, value in _DESCRIBED:
        for match in re.finditer(pattern, text):
            found.add(Claim(kind, match.expand(value)))
    return found


_CLAUSE = re.compile(r"[,.;]|\b(?:and|then|before|after|while|as|once|followed by)\b")
_TURNS = re.compile(
    r"\b(?:turn|rotat|pivot|swivel|spin|twirl|whirl|veer|curv|bend|bear|drift|swing|circl"
    r"|loop|corner|cutting|twist|arc\b|face|facing|faced)"
)
_GOES = re.compile(
    r"\b(?:walk|step|mov|strid|head|go|went|advanc|travel|pac|strol|ambl|wander|inch|run"
    r"|ran|jog|sprint|rush|dash|trot|hurr|make|made|making|shuffl|edg|sidl|shift|back"
    r"|retreat|sidestep|dart|creep|crouch|took|tak|jump|leap|hop|spring|charg|rac|bolt"
    r"|bounc)"
)
_JUMPS = re.compile(r"\b(?:jump|leap|hop|spring|sprang|bounc)")
_ARM = re.compile(r"\b(?:left|right) (?:hand|arm|fist|jab|hook|straight)")
_LEG = re.compile(r"\b(left|right) (?:leg|foot|knee|kick|one)")
_ANGLES = {
    "90": r"90|ninety|quarter turn|corner",
    "180": r"180|one hundred eighty|halfway around|half turn|turn\w* around|about turn"
    r"|U-turn|u-turn|other way|pivot\w* around|rotat\w+ around|spin\w* around",
    "270": r"270|three quarter",
    "360": r"360|full|all the way around|in a circle|complete turn|through a|once "
    r"|spin\w* around|whirl",
}
_SIDES = re.compile(r"\b(?:left|right|clockwise|counterclockwise)(?:ward)?\b")


def _sides(clause: str) -> set[str]:
    names = {"clockwise": "right", "counterclockwise": "left"}
    words = (w.removesuffix("ward") for w in _SIDES.findall(clause))
    return {names.get(word, word) for word in words}


def told(texts: Iterable[str]) -> dict[str, set[str]]:
    """What captions say, by kind."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for clause in _CLAUSE.split(text.lower()):
            _read_clause(clause, found)
        if re.search(r"\bcircle|loop", text):
            found["circle"].add("any")
        if re.search(
            r"\bbalanc|on (?:one|his|their|its|the|your) \w* ?(?:leg|foot)", text
        ):
            found["balance"].add("any")
    return found


def _read_clause(clause: str, found: defaultdict[str, set[str]]) -> None:
    sides = _sides(clause)
    arm, leg = _ARM.search(clause), _LEG.search(clause)
    if arm:
        found["arm"] |= sides
    if leg:
        found["leg"] |= sides
        found["foot"] |= {leg[1]} if _JUMPS.search(clause) else set()
    if re.search(r"\b(?:lean|tilt|sideways)", clause):
        found["lean"] |= sides
    if _JUMPS.search(clause):
        found["jump"].add("any")
        found["jump"] |= set(re.findall(r"\b(forward|backward)", clause))
        found["jump"] |= {"forward"} if "ahead" in clause else set()
        found["jumps"] |= {"2"} if re.search(r"twice|two", clause) else set()
    if _TURNS.search(clause) and not arm and not leg:
        found["turn"] |= sides
        found["toward"] |= sides
        for angle, words in _ANGLES.items():
            if re.search(words, clause):
                found["angle"].add(angle)
    if _GOES.search(clause) and not arm and not leg:
        found["toward"] |= sides
        if re.search(r"\b(?:forward|forwards|ahead|straight|front)\b", clause):
            found["go"].add("forward")
        if re.search(r"\b(?:backwards?|rearward|rear|reverse|back)\b", clause):
            found["go"].add("backward")
        if sides and not _TURNS.search(clause):
            found["go"].add("sideways")


Verdicts = dict[str, list[tuple[str, Claim, str]]]
"""Recording, claim and what the captions said, by verdict."""


def compare(corpus: Corpus, *, seed: int = 0) -> Verdicts:
    """Verdicts on all claims of the captured clips."""
    clips: defaultdict[str, list[int]] = defaultdict(list)
    for i in corpus.select(kind="captured"):
        clip = corpus.clips[i]
        if clip.copy_of is None and described(clip.description):
            clips[clip.trial].append(i)
    verdicts: Verdicts = defaultdict(list)
    for trial, rows in clips.items():
        texts = [text for i in rows for text in _blind(corpus, i, seed=seed)]
        said = told(texts)
        for claim in sorted(described(corpus.clips[rows[0]].description)):
            values = said.get(claim.kind, set())
            if claim.value in values:
                verdict = "agree"
            else:
                verdict = "disagree" if values else "untold"
            verdicts[verdict].append((trial, claim, ", ".join(sorted(values))))
    return verdicts


def _blind(corpus: Corpus, i: int, *, seed: int) -> list[str]:
    clip: Clip = corpus.clips[i]
    facts = measure(corpus.motion(i))
    return [c.text for c in captions(facts, None, seed=(seed, clip.id))]


def _opposite(claim: Claim) -> str:
    pairs = {"left": "right", "forward": "backward"}
    pairs |= {b: a for a, b in pairs.items()}
    return pairs.get(claim.value, "-")


def truth_figures(verdicts: Verdicts) -> dict[str, Any]:
    """Counts and shares; `kinds` has a row for each kind of claim."""
    counts = {name: len(verdicts.get(name, [])) for name in VERDICTS}
    spoken_of = counts["agree"] + counts["disagree"]
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict, rows in verdicts.items():
        for _, claim, _ in rows:
            kinds[claim.kind][verdict] += 1
    return {
        "recordings": len({t for rows in verdicts.values() for t, _, _ in rows}),
        "claims": sum(counts.values()),
        **counts,
        "agreement": counts["agree"] / spoken_of if spoken_of else None,
        "agreement_of_all": counts["agree"] / max(sum(counts.values()), 1),
        "both_sides": sum(
            _opposite(claim) in said for _, claim, said in verdicts.get("agree", [])
        ),
        "kinds": {
            kind: {name: kinds[kind][name] for name in VERDICTS}
            for kind in sorted(kinds)
        },
    }
