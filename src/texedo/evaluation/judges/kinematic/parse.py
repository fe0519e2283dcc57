"""A prompt taken apart: which actions it asks for, with which limb, whither, how often.

Words are brought to their base forms; phrases of `words.toml` give the actions; what says
how an action is done goes to the action it stands next to (`modifiers`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from texedo.evaluation.judges.kinematic.lexicon import (
    UNSEEN,
    Action,
    patterns,
    tokens,
)
from texedo.evaluation.judges.kinematic.modifiers import Modifier, find_modifiers
from texedo.evaluation.judges.kinematic.phases import phases_of
from texedo.language.reading import read_prompt

_CUTS = frozenset(
    ", . ; : ! ? and while meanwhile as but then plus before after".split()
)
"""Words at which what belongs together ends."""
_LEGS = frozenset("hop lunge kick knee one_leg kneel".split())
"""Done with one leg or the other."""
_REPEATING = frozenset(("way", "side", "limb", "lead"))
"""What may stand for a whole action after a "then"."""
_NOT = frozenset("no not never without don't doesn't didn't isn't avoid".split())
_SCENERY = (
    (r" now and (?:then|again)(?= |$)", ""),
    (r" (?:every|once) (?:now|in a while|so often)(?: and then)?(?= |$)", ""),
    (r" (?:one )?after (?:another|the other)(?= |$)", ""),
    (r" (?:again and again|over and over(?: again)?)(?= |$)", " repeatedly"),
    (r" (?:in|with|without) (?:no|any|much)? ?(?:hurry|haste|rush)(?= |$)", " slowly"),
    (r" from (?:a )?(?:standstill|stand still)(?= |$)", ""),
    (r" (?:face|facing) (?:straight )?(?:ahead|forward|front)(?= |$)", ""),
    (r" with (?:the |their |one )?(?:left |right )?(?:knee|leg|elbow|arm) (?:slightly )?bend(?= |$)", ""),
    (r" box (?=guard|stance|pose)", " "),
    (r" (?:to|at) the level of (?:their|the) ([a-z]+)(?= |$)", r" at \1 level"),
    (r" (at|with|in) (a|an)((?: [a-z0-9']+){0,4}?) (pace|speed|gait|rhythm|walk|run)(?= |$)", r" at a\3 tempo"),
    (r" (in|take|by) turn(?= |$)", " alternately"),
    (r" (all|on|along|a long|part|half) (the|their) way(?= |$)", r" \1"),
    (r" keep (on )?(?=walk|go|move|turn|run|jump)", " "),
    (r" be (seem|see|note|notice)(?= |$)", " be"),
    (r" (start|begin|continue|try|go) to(?= )", " "),
)  # fmt: skip
"""Turns of speech whose words would be taken for actions."""


@dataclass
class Asked:
    """One action that the prompt asks for."""

    action: Action
    said: str
    own: frozenset[int]
    """Numbers of its words."""
    phase: int
    """Which it is in time; those of one phase are in no order."""
    negated: bool = False
    meanwhile: bool = False
    """Done along with something else, for as long as that."""
    modifiers: list[Modifier] = field(default_factory=list)

    def values(self, kind: str) -> list[str]:
        """What modifiers of a kind say, each once."""
        found = (m.value for m in self.modifiers if m.kind == kind)
        return list(dict.fromkeys(found))

    @property
    def at(self) -> int:
        """Number of its first word."""
        return min(self.own)

    @property
    def limb(self) -> str | None:
        """arm or leg, whichever does it."""
        return "leg" if self.action.see in _LEGS else self.action.limb

    @property
    def limb_sides(self) -> list[str]:
        """Sides that name the limb and no direction: "a left lunge", "right hook"."""
        if self.limb is None:
            return []
        end = max(self.own) + 2
        return [
            m.value
            for m in self.modifiers
            if m.kind == "side" and not m.toward and m.end <= end
        ]

    def first(self, kind: str) -> str | None:
        values = self.values(kind)
        return values[0] if values else None


def parse(prompt: str) -> list[Asked]:
    """The actions of a prompt, in the order in which it names them."""
    text = read_prompt(prompt).text
    words = _without_scenery(tokens(text))
    phases = phases_of(words)
    asked, taken = _actions(words, phases)
    asked.sort(key=lambda a: a.at)
    if asked:
        parts = _parts(words)
        for modifier in find_modifiers(words):
            target = _target(modifier, asked, parts, taken)
            if phases[modifier.at] > target.phase and modifier.kind in _REPEATING:
                target = _again(target, modifier, phases[modifier.at], asked)
            target.modifiers.append(modifier)
        asked.sort(key=lambda a: a.at)
    return asked


def _again(one: Asked, modifier: Modifier, phase: int, asked: list[Asked]) -> Asked:
    """ "Left, then right": the second half has the verb of the first."""
    for other in asked:
        if other.phase == phase and other.action is one.action:
            return other
    again = Asked(one.action, one.said, frozenset((modifier.at,)), phase)
    asked.append(again)
    return again


def _without_scenery(words: list[str]) -> list[str]:
    text = " " + " ".join(words)
    for pattern, instead in _SCENERY:
        text = re.sub(pattern, instead, text)
    return text.split()


def _actions(words: list[str], phases: list[int]) -> tuple[list[Asked], set[int]]:
    """Phrases found, the most specific first; a word is part of one phrase only."""
    text = " " + " ".join(words)
    number = {}
    """Offset of a word's space to its place."""
    offset = 0
    for i, word in enumerate(words):
        number[offset] = i
        offset += len(word) + 1
    taken: set[int] = set()
    found: list[Asked] = []
    for pattern, action in patterns():
        for match in pattern.finditer(text):
            groups = range(1, (pattern.groups or 0) + 1)
            own = {number[match.start(g)] for g in groups}
            first = min(own)
            if own & taken or _broken(words, own) or _is_noun(words, first):
                continue
            taken |= own
            said = " ".join(words[i] for i in sorted(own))
            found.append(
                Asked(
                    action,
                    said,
                    frozenset(own),
                    phases[first],
                    negated=_is_negated(words, first),
                    meanwhile=_is_meanwhile(words, first),
                )
            )
    return found, taken


def _is_negated(words: list[str], i: int) -> bool:
    """Whether a "not" stands before it, with nothing between that ends its reach."""
    for word in reversed(words[max(i - 3, 0) : i]):
        if word in _CUTS:
            return False
        if word in _NOT:
            return True
    return False


def _is_meanwhile(words: list[str], i: int) -> bool:
    """Whether its part of the sentence begins with a "while"."""
    for word in reversed(words[:i]):
        if word in _CUTS:
            return word in ("while", "meanwhile", "as")
    return False


def _is_noun(words: list[str], i: int) -> bool:
    """ "Beside the head to" is no heading to."""
    return words[i] == "head" and words[max(i - 1, 0)] in ("the", "their", "own")


def _broken(words: list[str], own: set[int]) -> bool:
    """Whether something that ends a phrase lies within it."""
    inside = range(min(own), max(own))
    return any(words[i] in _CUTS and i not in own for i in inside)


def _parts(words: list[str]) -> list[int]:
    """The part of the sentence that each word is in."""
    parts, part = [], 0
    for word in words:
        part += word in _CUTS
        parts.append(part)
    return parts


def _target(
    modifier: Modifier, asked: list[Asked], parts: list[int], taken: set[int]
) -> Asked:
    """The action that a modifier speaks of.

    "Left lunge", "quick turn": the one that follows at once. Else the one before it in
    its part of the sentence, the one after it there, the one before, the first of all.
    """
    positive = [a for a in asked if not a.negated] or asked
    near = [a for a in positive if parts[a.at] == parts[modifier.at]]
    if modifier.kind not in ("limb", "lead"):
        near = [a for a in near if a.action.see != UNSEEN] or near
    else:
        limb = modifier.value.split()[1]
        named = [a for a in asked if modifier.end - 1 in a.own]
        if named:
            # "Moves the raised left hand": the hand is that of the moving.
            return named[0]
        near = [
            a for a in near if a.limb is not None and limb in (a.limb, "any")
        ] or near
    if modifier.attributive:
        ahead = [a for a in near if modifier.end <= a.at <= modifier.end + 2]
        between = [i for a in ahead[:1] for i in range(modifier.end, a.at)]
        if ahead and not any(i in taken for i in between):
            return ahead[0]
    before = [a for a in near if a.at <= modifier.at]
    if before:
        return before[-1]
    if near:
        return near[0]
    earlier = [a for a in positive if a.at < modifier.at]
    return earlier[-1] if earlier else positive[0]
