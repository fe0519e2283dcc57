"""A sentence as specs: one thing, several in turn, or two at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, cycle, islice, product
from typing import NamedTuple

from texedo.data.captions.asked.at_once import at_once_of
from texedo.data.captions.asked.lengths import in_meters
from texedo.data.captions.asked.parse import Step as Said
from texedo.data.captions.asked.parse import steps_of
from texedo.data.captions.asked.tokens import FAST, SLOW, plainer, tokens_of
from texedo.data.captions.postures import in_two, read_posture, steps_said
from texedo.data.captions.reader import Clause, read
from texedo.data.synth.author.gestures import GESTURES
from texedo.data.synth.author.spec import Base, Spec
from texedo.data.synth.author.takes import varied
from texedo.data.synth.prompted.clauses import ways_of_clause
from texedo.data.synth.prompted.held import single_postures, with_postures
from texedo.data.synth.prompted.named import named_ways
from texedo.data.synth.prompted.table import Parts, uses_arms, ways_to_do

_MOST_WAYS = 6
"""So many ways to do a thing are tried."""
_TAKES = 2
"""Of the likelier ways so many, with sizes and tempos of their own."""
_KNOWN = 0.45
"""Part of a sentence that must be understood for its requests to be taken."""
_WHOLE = 0.85
"""Part of it that one request must account for to be all of the sentence."""
_PACES = {SLOW: (0.62, "slow"), FAST: (1.45, "brisk")}
"""Tempo, and manner of walking."""
_GAITS = frozenset(("walk", "steps", "walk_far", "walk_turn", "turn"))
_RESTS = frozenset(
    "stop freeze stand-still stand-relaxed stand-attention stand-any stand-straight "
    "feet-together stand-up".split()
)
"""What ends another thing, or is one by itself."""
_PASSING = frozenset(("other", "stop", "recover", "stand"))
"""Clauses of what only goes on from another one, or that nobody knows."""
_OVER_LEGS = frozenset(GESTURES) - {"bow"} | {"routine", "punch", "hold_pose"}
"""What is done while the legs go somewhere."""
_OVER_MANNERS = frozenset(("plain", "slow", "brisk"))
"""Of walks on which the arms may do something else."""
_BASES: dict[str, Base] = {
    "forward": "walk",
    "backward": "backward",
    "left": "left",
    "right": "right",
}
_POSES = {
    "hands_on_hips": "hips",
    "hand_to_head": "head",
    "spread_arms": "side",
    "salute": "salute",
}
"""Gestures as ways of holding arms."""
_ROUTINE_POSES = {
    "arms-crossed": "crossed",
    "hands-back": "back",
    "hand-back": "back",
    "hands-hips": "hips",
    "hand-hip": "hips",
    "hands-head": "head",
    "hand-head": "head",
    "hand-chest": "chest",
    "hand-heart": "chest",
    "hand-belly": "belly",
    "hands-belly": "belly",
    "hand-chin": "chin",
    "salute": "salute",
}


class Way(NamedTuple):
    """A spec for a sentence."""

    spec: Spec
    rank: int
    """0 for what is likeliest meant, and higher for what is less so."""


def specs_for(text: str, *, number: int, seed: int = 0) -> list[Spec]:
    """For a sentence in its normal form, at most so many; empty if nobody knows how."""
    return [way.spec for way in ways_for(text, number=number, seed=seed)]


def ways_for(text: str, *, number: int, seed: int = 0) -> list[Way]:
    """The same, and how likely each is what was meant."""
    steps = steps_said(text)
    found = [_ways(step)[: _most_of(len(steps))] for step in steps]
    if not all(found):
        return []
    ranks = [_ranks(ways) for ways in found]
    every = product(*(range(len(ways)) for ways in found))
    # Several takes of what is likeliest are worth more than what is less so.
    likely = sorted(every, key=lambda at: (_sum(ranks, at), sum(at), at))[
        : max(number // _TAKES, 1)
    ]
    made = []
    for i in range(number):
        at, take = likely[i % len(likely)], i // len(likely)
        parts = chain(*(ways[n] for ways, n in zip(found, at, strict=True)))
        made.append(Way(_taken(tuple(parts), take, seed), _sum(ranks, at)))
    return made


def _ranks(ways: list[Parts]) -> list[int]:
    """Of each way how many others come before it; the two sides of one are as likely."""
    looks = [tuple(_look(part) for part in parts) for parts in ways]
    distinct = list(dict.fromkeys(looks))
    return [distinct.index(look) for look in looks]


def _look(spec: Spec) -> str:
    """Shared by a spec and its mirror image."""
    if spec.kind != "posture":
        return spec.group
    held = read_posture(spec.way)
    return min(str(held), str(held.mirrored()))


def _sum(ranks: list[list[int]], at: tuple[int, ...]) -> int:
    return sum(own[n] for own, n in zip(ranks, at, strict=True))


def _most_of(steps: int) -> int:
    """Ways of each step of so many."""
    return _MOST_WAYS if steps < 4 else 2


def told(spec: Spec) -> str:
    """A spec in a few words: "steps forward 3, then turn 180"."""
    if spec.kind == "posture":
        often = f" {spec.count} times" if spec.count > 1 else ""
        swaps = ", side by side" if spec.manner == "swaps" else ""
        deed = f" with {told(spec.parts[0])}" if spec.parts else ""
        return f"posture {spec.way}{often}{swaps}{deed}"
    if spec.parts:
        link = " with " if spec.kind == "posed" else ", then "
        parts = spec.parts[::-1] if spec.kind == "posed" else spec.parts
        return link.join(told(part) for part in parts)
    manner = "" if spec.manner == "plain" else spec.manner
    base = "" if spec.base == "stand" else f"while going {spec.base}"
    kind = "" if spec.kind == "routine" else spec.kind.replace("_", " ")
    words = (manner, kind, spec.way, spec.side)
    numbers = [str(x) for x, plain in ((spec.count, 1), (spec.angle, 0)) if x != plain]
    return " ".join(word for word in (*words, *numbers, base) if word)


def _ways(sentence: str) -> list[Parts]:
    """Ways to do one thing, with what is held meanwhile; those that are likelier first."""
    if held := with_postures(sentence, _deeds):
        return held[:_MOST_WAYS]  # so much is understood that the rest is not tried
    found = [*_deeds(sentence), *single_postures(sentence)]
    return list(islice(dict.fromkeys(found), _MOST_WAYS))


def _deeds(sentence: str) -> list[Parts]:
    """The same without what is held: "comes here and bows" is two, one after the other."""
    plain = _plain_ways(sentence)
    parts = in_two(sentence)
    if len(parts) == 1:
        return plain
    one, two = (_ways(part) for part in parts)
    if not one or not two:
        return plain
    turns = [(*a, *b) for a, b in zip(cycle(one), two, strict=False)][: _MOST_WAYS - 2]
    return [*turns, *plain[:2]]


def _plain_ways(sentence: str) -> list[Parts]:
    """Ways to do one thing, or two at once."""
    at_once = at_once_of(sentence)
    if len(at_once) == 2 and _is_one_request(sentence):
        return _single_ways(sentence)
    if len(at_once) == 2:
        at_once = [part for part in at_once if not _only_rests(part)] or at_once
    if len(at_once) == 2:
        one, two = (_single_ways(part) for part in at_once)
        return list(islice(_together(one, two), _MOST_WAYS))
    return _single_ways(at_once[0])


def _single_ways(sentence: str) -> list[Parts]:
    text = in_meters(plainer(sentence))
    clauses = [c for c in read(text).clauses if c.action not in _PASSING]
    clauses = [c for c in clauses if c.action != "still"] or clauses
    steps = [step for step in steps_of(text) if step.units]
    steps = [step for step in steps if not _rests(step)] or steps
    units, told = _of_units(steps), _of_clauses(clauses)
    found = [*units, *told]
    if told and _has_numbers(clauses[0]):
        counted = _of_units(steps, counted=True)
        found = [*counted, *told, *_in_steps(units, clauses[0].count)]
    # A name has no numbers; it says more where it has more words.
    least = 99 if told and _has_numbers(clauses[0]) else _words_of(steps)
    named = named_ways(text)
    first = [name for name in named if name.alike == 1.0 and name.words > least]
    found = [
        *(name.parts for name in first),
        *found,
        *(name.parts for name in named if name not in first),
    ]
    pace = _pace(text)
    paced = (tuple(_paced(part, pace) for part in parts) for parts in found)
    return list(islice(dict.fromkeys(paced), _MOST_WAYS))


def _words_of(steps: list[Said]) -> int:
    """How many words tell the request of a step that is one request; 0 otherwise."""
    units = [unit for step in steps for unit in step.units]
    return len(units[0].words) if len(units) == 1 else 0


def _is_one_request(sentence: str) -> bool:
    """Whether one request has nearly all its words: "makes circles with both arms"."""
    steps = [step for step in steps_of(in_meters(plainer(sentence))) if step.units]
    if len(steps) != 1 or len(steps[0].units) != 1 or steps[0].known < _WHOLE:
        return False
    return bool(ways_to_do(steps[0].units[0].asked))


def _only_rests(sentence: str) -> bool:
    steps = steps_of(in_meters(plainer(sentence)))
    return all(step.units and _rests(step) for step in steps)


def _rests(step: Said) -> bool:
    return all(unit.asked.request.id in _RESTS for unit in step.units)


def _of_clauses(clauses: list[Clause]) -> list[Parts]:
    asked = [clause for clause in clauses if not clause.negated]
    if len(asked) != 1:
        return []
    return [(spec,) for spec in ways_of_clause(asked[0])]


def _has_numbers(clause: Clause) -> bool:
    return bool(clause.count or clause.angles or clause.distance)


def _in_steps(ways: list[Parts], count: int | None) -> list[Parts]:
    """Walks with a manner in so many steps; of other things the number is known."""
    walks = [parts[0] for parts in ways if len(parts) == 1 and parts[0].kind == "walk"]
    manners = [walk for walk in walks if walk.manner != "plain"]
    return [(replace(walk, count=count),) for walk in manners] if count else []


def _of_units(steps: list[Said], *, counted: bool = False) -> list[Parts]:
    """Of all that is asked for in one step, or of what is `counted`, what says most first."""
    if len(steps) != 1 or steps[0].known < _KNOWN:
        return []
    units = [unit for unit in steps[0].units if not unit.negated]
    units = [unit for unit in units if unit.asked.count or not counted]
    units.sort(key=lambda unit: -len(unit.words))
    return [parts for unit in units for parts in ways_to_do(unit.asked)]


def _pace(text: str) -> str:
    words = {token.word for token in tokens_of(text)}
    return next((word for word in _PACES if word in words), "")


def _paced(spec: Spec, pace: str) -> Spec:
    if pace not in _PACES:
        return spec
    tempo, manner = _PACES[pace]
    if spec.kind in _GAITS and spec.manner == "plain":
        return replace(spec, manner=manner)
    return replace(spec, tempo=tempo)


def _together(one: list[Parts], two: list[Parts]) -> list[Parts]:
    """Arms of one on the legs of the other, whichever of the two they are."""
    pairs = [(a[0], b[0]) for a, b in product(one, two) if len(a) == len(b) == 1]
    found = [(_at_once(legs, arms), _at_once(arms, legs)) for legs, arms in pairs]
    return [(spec,) for both in found for spec in both if spec is not None]


def _at_once(legs: Spec, arms: Spec) -> Spec | None:
    """What the arms do while the legs do theirs; None if nobody can."""
    base, angle = _base_of(legs)
    if base is not None and arms.kind in _OVER_LEGS and arms.base == "stand":
        count = legs.count if arms.kind == "hold_pose" else arms.count
        manner = legs.manner if arms.manner == "plain" else arms.manner
        return replace(arms, base=base, angle=angle, count=count, manner=manner)
    pose = _as_pose(arms)
    if pose is None or (legs.kind in _OVER_LEGS and uses_arms(legs)):
        return None
    return Spec(kind="posed", parts=(pose, legs))


def _base_of(legs: Spec) -> tuple[Base | None, int]:
    if legs.kind == "turn":
        return "turn", legs.angle
    if legs.kind == "march":
        return "march", 0
    plain = legs.kind in ("walk", "steps", "walk_far") and legs.manner in _OVER_MANNERS
    return (_BASES.get(legs.way), 0) if plain and not legs.angle else (None, 0)


def _as_pose(arms: Spec) -> Spec | None:
    if arms.kind == "hold_pose":
        return arms
    if arms.kind in ("raise_hand", "point"):
        return Spec(kind="hold_pose", way=arms.way, side=arms.side)
    way = _POSES.get(arms.kind)
    if arms.kind == "routine":
        way = _ROUTINE_POSES.get(arms.way)
    if way is None:
        return None
    return Spec(kind="hold_pose", way=way, side=arms.side or "both")


def _taken(parts: Parts, take: int, seed: int) -> Spec:
    """One take of a way: its own tempo, size and small variations."""
    if len(parts) == 1:
        return _varied(parts[0], take, seed)
    *before, last = parts
    parts = (*(_left_again(part) for part in before), last)
    # A take of 1 brings the feet together after steps.
    done = [replace(_varied(part, take, seed), take=1, free=False) for part in parts]
    done = [replace(part, tempo=max(part.tempo, 1.0)) for part in done]
    return Spec(kind="sequence", parts=tuple(done), take=take, free=True)


def _left_again(part: Spec) -> Spec:
    """Something else follows: nobody stays in a posture then."""
    stays = part.kind == "posture" and part.manner == "stays"
    return replace(part, manner="plain") if stays else part


def _varied(spec: Spec, take: int, seed: int) -> Spec:
    if spec.kind == "posed":
        pose, deed = spec.parts
        done = replace(_varied(deed, take, seed), free=False)
        return replace(
            spec, parts=(replace(pose, take=take % 2), done), take=take, free=True
        )
    made = varied(replace(spec, take=take, free=True), seed)
    return replace(
        made,
        tempo=made.tempo if spec.tempo == 1.0 else spec.tempo,
        size=made.size if spec.size == 1.0 else spec.size,
    )
